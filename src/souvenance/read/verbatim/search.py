"""Finds the lines that answer a message: words and meaning in standard deviations, moved by who, when and how.

Everything is counted inside one transcript; another one, were it of the same person, moves nothing.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from souvenance.domain import MessageId
from souvenance.ports import Vector
from souvenance.read.verbatim.asking import Query
from souvenance.read.verbatim.postings import REACH, Floats
from souvenance.read.verbatim.records import Found, Reasons, WindowKind
from souvenance.read.verbatim.transcript import Meaning, Transcript
from souvenance.read.verbatim.weights import WEIGHTS, Weights

#: Lines shown before and after a found one. Chosen, not measured.
BEFORE, AFTER = 1, 1


@dataclass(frozen=True, slots=True)
class Marks:
    """What the search saw of each row, each of shape (rows,). `cosine` is NaN where a line has no vector."""

    words: Floats
    cosine: Floats
    score: Floats


def search(
    transcript: Transcript,
    query: Query,
    limit: int = 24,
    *,
    skip: Set[MessageId] = frozenset(),
    threshold: float = 0.3,
    weights: Weights = WEIGHTS,
) -> list[Found]:
    """The lines that a query finds, best first, at most `limit`; ties by newest, then by id.

    `skip` holds messages that are not to be found, such as those the reader has before them.
    `threshold` is the embedder's cosine of related texts: only `relevance` is judged by it.
    """
    if not transcript.lines or limit < 1:
        return []
    marks = mark(transcript, query, weights)
    rows = _first(transcript, marks.score, limit, skip)
    return [_found(transcript, query, marks, row, threshold) for row in rows]


def mark(transcript: Transcript, query: Query, weights: Weights = WEIGHTS) -> Marks:
    """The score of every row, with the words and the cosine behind it."""
    words = transcript.postings.score(query.words, transcript.around, weights.saturation)
    narrow = _cosines(transcript.meaning[WindowKind.NARROW], query.vector)
    wide = _cosines(transcript.meaning[WindowKind.WIDE], query.vector)
    score = weights.words * _standard(words)
    score = score + weights.narrow * _standard(narrow) + weights.wide * _standard(wide)
    score = score + _signs(transcript, query, weights)
    return Marks(words, np.fmax(narrow, wide), np.round(score, 5).astype(np.float32))


def _signs(transcript: Transcript, query: Query, weights: Weights) -> Floats:
    """What who said it, when, and how moves."""
    columns = transcript.columns
    moved = weights.length * _standard(columns.length) - weights.asking * columns.asking
    moved = moved + weights.opening * columns.opening
    if query.asked is not None:
        moved = moved + weights.asked * columns.said_by(query.asked)
    if query.meant is not None:
        moved = moved + weights.meant * columns.said_by(query.meant)
    if query.when:
        moved = moved + weights.when * columns.timed
    if query.days is not None:
        moved = moved + weights.days * in_days(transcript, query.days)
    signs: Floats = moved.astype(np.float32)
    return signs


def in_days(transcript: Transcript, days: tuple[date, date]) -> NDArray[np.bool_]:
    """The rows said in those days or soon after, when one tells what was."""
    first, last = (day.toordinal() for day in days)
    day = transcript.columns.day
    return (day >= first) & (day <= last + LATER)


#: Days after the ones asked for in which they are still told of. Chosen, not measured.
LATER = 7


def _cosines(meaning: Meaning, vector: Vector | None) -> Floats:
    found = np.full(len(meaning.column), np.nan, np.float32)
    if vector is None or meaning.matrix.dimension != len(vector):
        return found
    # Six decimals: the last bits depend on where a row lies in the matrix, and ties must not.
    products = np.round(meaning.matrix.rows() @ vector, 6)
    has = meaning.column >= 0
    found[has] = products[meaning.column[has]]
    return found


def _standard(values: Floats) -> Floats:
    """In standard deviations from the mean of what is known; what is not known counts as the mean."""
    known = values[~np.isnan(values)].astype(np.float64)
    spread = float(known.std()) if len(known) else 0.0
    if spread < 1e-9:
        return np.zeros(len(values), np.float32)
    standard: Floats = np.nan_to_num((values - known.mean()) / spread).astype(np.float32)
    return standard


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


def _found(transcript: Transcript, query: Query, marks: Marks, row: int, threshold: float) -> Found:
    line = transcript.lines[row]
    before, after = transcript.beside(row, BEFORE, 0)[:-1], transcript.beside(row, 0, AFTER)[1:]
    cosine = float(marks.cosine[row])
    relevance = _relevance(cosine, threshold)
    days = query.days if query.days and in_days(transcript, query.days)[row] else None
    reasons = Reasons(
        _matched(transcript, query, row),
        None if np.isnan(cosine) else cosine,
        line.speaker if line.speaker in (query.asked, query.meant) else None,
        days,
    )
    return Found(line, tuple(before), tuple(after), float(marks.score[row]), relevance, reasons)


def _relevance(cosine: float, threshold: float) -> float:
    return 0.5 if np.isnan(cosine) else float(1 / (1 + np.exp(-(cosine - threshold) / 0.1)))


def _matched(transcript: Transcript, query: Query, row: int) -> tuple[str, ...]:
    near = set(transcript.around.rows[row, REACH - 1 : REACH + 2].tolist()) - {-1}
    by_stem = transcript.postings.by_stem
    return tuple(
        word
        for stem, word in query.words.items()
        if stem in by_stem and not near.isdisjoint(by_stem[stem][0].tolist())
    )
