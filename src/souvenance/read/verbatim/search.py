"""Finds the lines that answer a message: words and meaning in standard deviations, moved by who, when and how.

Everything is counted inside one transcript; another one, were it of the same person, moves nothing.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

import numpy as np

from souvenance.domain import MessageId
from souvenance.read.calibrations import Calibration
from souvenance.read.verbatim.asking import Query
from souvenance.read.verbatim.postings import REACH, Floats
from souvenance.read.verbatim.records import Found, Reasons
from souvenance.read.verbatim.relevance import relevance, tells_more
from souvenance.read.verbatim.signs import Signs, in_days, signs
from souvenance.read.verbatim.transcript import Transcript
from souvenance.read.verbatim.weights import WEIGHTS, Weights

#: Lines shown before and after a found one. Chosen, not measured.
BEFORE, AFTER = 1, 1

#: How cosines are read when nobody says of which embedder they are. Chosen, not measured.
UNREAD = Calibration(0.3)


@dataclass(frozen=True, slots=True)
class Marks:
    """What orders each row, and the signs it comes from. Shape (rows,)."""

    score: Floats
    seen: Signs


def search(
    transcript: Transcript,
    query: Query,
    limit: int = 24,
    *,
    skip: Set[MessageId] = frozenset(),
    calibration: Calibration = UNREAD,
    weights: Weights = WEIGHTS,
) -> list[Found]:
    """The lines that a query finds, best first, at most `limit`; ties by newest, then by id.

    `skip` holds messages that are not to be found, such as those the reader has before them.
    `calibration` reads the cosines of the embedder: only `relevance` is judged by it.
    """
    if not transcript.lines or limit < 1:
        return []
    marks = mark(transcript, query, weights)
    rows = _first(transcript, marks.score, limit, skip)
    judged = relevance(marks.seen, calibration, asks=query.asks)
    words = _matched(transcript, query, rows)
    return [
        _found(transcript, query, marks, row, _judged(transcript, query, row, judged), words[n])
        for n, row in enumerate(rows)
    ]


def mark(transcript: Transcript, query: Query, weights: Weights = WEIGHTS) -> Marks:
    """The score of every row, with what its relevance is judged by."""
    seen = signs(transcript, query, weights.saturation)
    score = np.zeros(len(transcript.lines), np.float32)
    for name, values in seen.by_weight.items():
        if weight := weights.of(name):
            score += np.float32(weight) * values
    return Marks(np.round(score, 5), seen)


def _first(transcript: Transcript, score: Floats, limit: int, skip: Set[MessageId]) -> list[int]:
    hidden = [row for i in skip if (row := transcript.row_of.get(i)) is not None]
    open_rows = np.ones(len(score), np.bool_)
    open_rows[hidden] = False
    rows = np.flatnonzero(open_rows)
    if len(rows) > limit:
        least = np.partition(score[rows], len(rows) - limit)[len(rows) - limit]
        rows = rows[score[rows] >= least]

    def place(row: int) -> tuple[float, float, str]:
        line = transcript.lines[row]
        return -float(score[row]), -line.at.timestamp(), str(line.message_id)

    return sorted(rows.tolist(), key=place)[:limit]


def _judged(transcript: Transcript, query: Query, row: int, judged: Floats) -> float:
    """The relevance of a row; none when either side is small talk."""
    telling = query.telling and tells_more(transcript.lines[row].text, query, transcript.language)
    return float(judged[row]) if telling else 0.0


def _found(
    transcript: Transcript, query: Query, marks: Marks, row: int, judged: float, words: list[str]
) -> Found:
    line = transcript.lines[row]
    before, after = transcript.beside(row, BEFORE, 0)[:-1], transcript.beside(row, 0, AFTER)[1:]
    cosine = float(marks.seen.cosine[row])
    days = query.days if query.days and in_days(transcript, query.days)[row] else None
    reasons = Reasons(
        tuple(words),
        None if np.isnan(cosine) else cosine,
        line.speaker if line.speaker in (query.asked, query.meant) else None,
        days,
    )
    return Found(line, tuple(before), tuple(after), float(marks.score[row]), judged, reasons)


def _matched(transcript: Transcript, query: Query, rows: list[int]) -> list[list[str]]:
    """For each row the words of the query that stand in it or beside it."""
    near = transcript.around.rows[rows, REACH - 1 : REACH + 2]
    matched: list[list[str]] = [[] for _ in rows]
    for stem, word in query.words.items():
        if stem not in transcript.postings.by_stem:
            continue
        holders = transcript.postings.by_stem[stem][0]  # ascending
        places = np.minimum(np.searchsorted(holders, near), len(holders) - 1)
        for n in np.flatnonzero((holders[places] == near).any(axis=1)).tolist():
            matched[n].append(word)
    return matched
