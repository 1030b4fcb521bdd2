"""Scores how well a message finds the memories it needs, beside words alone, meaning alone and other fusions.

Everything is ranked over the whole corpus; what the slots of the companion plan hold is a row of its own.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from statistics import mean

import numpy as np
from numpy.typing import NDArray

from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_TIMELINE,
    Address,
    Cause,
    CharacterId,
    Memory,
    MemoryId,
    PersonId,
    Redacted,
    View,
)  # fmt: skip
from souvenance.lang import language
from souvenance.lang.everyday import in_plain_words
from souvenance.lang.voice import dominant_name, in_first_person
from souvenance.measure.recallfile import Item, Question, RecallFile, read
from souvenance.measure.report import Fault, Metrics, Report, interval
from souvenance.measure.vectors import Progress, embedded, quiet
from souvenance.ports import Embedder, Vector, VectorRow
from souvenance.read.calibrations import Calibration, calibration_of
from souvenance.read.corpus import Corpus
from souvenance.read.plan import COMPANION
from souvenance.read.recall import normalise
from souvenance.read.scores import Scores, read_query, score
from souvenance.read.selection import select
from souvenance.write.alike.similarity import tells_one_fact

CUTS = (5, 8, 16, 24)
DRAWS = 5

AT = Address(DEFAULT_SPACE, PersonId("bench"), CharacterId("bench"))
_BORN = datetime(2026, 1, 1, tzinfo=UTC)

#: Seconds over which the memories of a file are born: ten months.
SPAN_S = 300 * 86_400

Floats = NDArray[np.float32]
Ranking = list[str]


def measure(
    path: Path,
    *,
    embedder: Embedder | None = None,
    size: int | None = None,
    progress: Progress = quiet,
) -> Report:
    """Recall at 5, 8, 16 and 24 among all memories and the pool, or among five draws of `size` distractors.

    `embedder` None: the bundled one. Errors: `BadInput`, `ModelError`.
    """
    return asyncio.run(_measured(path, embedder or _bundled(), size, progress))


def _bundled() -> Embedder:
    from souvenance.models.embed import BundledEmbedder

    return BundledEmbedder()


async def _measured(path: Path, embedder: Embedder, size: int | None, progress: Progress) -> Report:
    file = read(path)
    draws = [file.pool] if size is None else [file.drawn(size, seed) for seed in range(DRAWS)]
    vectors = await _embedded(file, draws, embedder, progress)
    calibration = calibration_of(embedder.name, file.language, embedder.threshold)
    runs = [_run(file, draw, vectors, calibration) for draw in draws]
    ours = [run["ours"] for run in runs]
    notes = [_settings(file, draws, embedder), _interval(file.questions, ours[0])]
    if size is not None:
        notes += _spread(file.questions, ours)
    by = {style: _metrics(some, ours) for style, some in _by_style(file.questions).items()}
    if size is not None:
        by |= {f"draw {n}": _metrics(file.questions, [one]) for n, one in enumerate(ours, 1)}
    others = [name for name in runs[0] if name != "ours"]
    return Report(
        bench="recall",
        file=str(path),
        n=len(file.questions),
        metrics=_metrics(file.questions, ours),
        by=by,
        baselines={name: _metrics(file.questions, [run[name] for run in runs]) for name in others},
        decisions=[{"id": q.question_id, "ranked": ours[0][q.question_id]} for q in file.questions],
        failed=_failed(file.questions, ours[0]),
        faults=_faults(file.questions, ours[0]),
        notes=notes,
    )


@dataclass(frozen=True, slots=True)
class Embedded:
    """The vectors of the texts that are stored, and of the messages that look for them; one text may be both."""

    stored: Mapping[str, Vector]
    asked: Mapping[str, Vector]


# --- ranking -------------------------------------------------------------------------------------


def _run(
    file: RecallFile, draw: Sequence[Item], vectors: Embedded, calibration: Calibration
) -> dict[str, dict[str, Ranking]]:
    """The 24 first ids of each question, by method."""
    memories = [memory_of(item) for item in (*file.memories, *draw)]
    rows = [VectorRow(AT, m.memory_id, m.fingerprint, vectors.stored[m.text]) for m in memories]
    corpus = Corpus.build(View(AT), language(file.language), memories, rows)
    rankings: dict[str, dict[str, Ranking]] = {}
    for question in file.questions:
        text = normalise(question.text)
        scores = score(corpus, read_query(text, corpus.language, vectors.asked[text]), calibration)
        for name, method in METHODS.items():
            rankings.setdefault(name, {})[question.question_id] = _first(corpus, method(scores))
        slots = select(corpus, scores, COMPANION, date(2026, 12, 1), tells_one_fact).ids
        rankings.setdefault("slots of the companion plan", {})[question.question_id] = list(slots)
    return rankings


def _first(corpus: Corpus, values: Floats) -> Ranking:
    order = np.lexsort((corpus.rank, -values))[: max(CUTS)]
    return [corpus.memories[row].memory_id for row in order]


def _ranks(values: Floats) -> Floats:
    places = np.empty(len(values), np.float32)
    places[np.argsort(-values, kind="stable")] = np.arange(1, len(values) + 1)
    return places


def _standard(values: Floats) -> Floats:
    spread = float(values.std())
    standard: Floats = (values - values.mean()) / np.float32(spread or 1.0)
    return standard


def _reciprocal(scores: Scores) -> Floats:
    by_words = np.where(scores.words > 0, 1 / (60 + _ranks(scores.words)), 0)
    fused: Floats = (1 / (60 + _ranks(scores.cosine)) + by_words).astype(np.float32)
    return fused


#: Every way of ordering that was tried; "ours" is the one in use. Fusions that lost stay here as rows.
METHODS: Mapping[str, Callable[[Scores], Floats]] = {
    "ours": lambda s: s.key,
    "cosine alone": lambda s: s.cosine,
    "words alone": lambda s: s.words,
    "equal reciprocal ranks": _reciprocal,
    "sum of z-scores": lambda s: _standard(s.cosine) + _standard(s.words),
    "larger z-score": lambda s: np.maximum(_standard(s.cosine), _standard(s.words)),
}


# --- figures -------------------------------------------------------------------------------------


def _metrics(questions: Sequence[Question], draws: Sequence[Mapping[str, Ranking]]) -> Metrics:
    figures: dict[str, float | int | None] = {"queries": len(questions)}
    for cut in CUTS:
        figures[f"recall@{cut}"] = mean(
            _found(q, one[q.question_id], cut) for one in draws for q in questions
        )
    return figures


def _found(question: Question, ranking: Ranking, cut: int) -> float:
    return len(set(question.relevant) & set(ranking[:cut])) / len(question.relevant)


def _by_style(questions: Sequence[Question]) -> dict[str, list[Question]]:
    styles: dict[str, list[Question]] = {}
    for question in questions:
        styles.setdefault(question.style, []).append(question)
    return styles


def _failed(questions: Sequence[Question], rankings: Mapping[str, Ranking]) -> list[str]:
    score_of = {q.question_id: _found(q, rankings[q.question_id], max(CUTS)) for q in questions}
    return sorted((i for i, value in score_of.items() if value < 1), key=lambda i: (score_of[i], i))


def _faults(questions: Sequence[Question], rankings: Mapping[str, Ranking]) -> dict[str, Fault]:
    """For each question that lacks a memory, the ids it should bring back and the first ones it does."""
    asked = {q.question_id: q for q in questions}
    return {
        name: Fault(
            asked[name].text,
            ", ".join(asked[name].relevant),
            ", ".join(rankings[name][: min(CUTS)]) or "nothing",
        )
        for name in _failed(questions, rankings)
    }


def _settings(file: RecallFile, draws: Sequence[Sequence[Item]], embedder: Embedder) -> str:
    among = len(file.memories) + len(draws[0])
    drawn = "" if len(draws) == 1 else f", mean of {len(draws)} seeded draws (decisions: the first)"
    return f"{len(file.questions)} question{'' if len(file.questions) == 1 else 's'} among {among} memories{drawn}; embedder {embedder.name}."


def _interval(questions: Sequence[Question], rankings: Mapping[str, Ranking]) -> str:
    hits = sum(len(set(q.relevant) & set(rankings[q.question_id])) for q in questions)
    trials = sum(len(q.relevant) for q in questions)
    low, high = interval(hits, trials)
    return f"{hits} of {trials} expected memories among the first 24 (95 % interval {low:.2f} to {high:.2f})."


def _spread(questions: Sequence[Question], draws: Sequence[Mapping[str, Ranking]]) -> list[str]:
    notes = []
    for cut in CUTS:
        values = [mean(_found(q, one[q.question_id], cut) for q in questions) for one in draws]
        notes.append(
            f"recall@{cut} over {len(draws)} draws: {min(values):.3f} to {max(values):.3f}."
        )
    return notes


# --- texts ---------------------------------------------------------------------------------------


async def _embedded(
    file: RecallFile, draws: Sequence[Sequence[Item]], embedder: Embedder, progress: Progress
) -> Embedded:
    words = language(file.language)
    texts = [i.text for items in (file.memories, *draws) for i in items]
    spoken = spoken_texts(file, texts)
    plain = {t: in_plain_words(t, words) for t in (normalise(q.text) for q in file.questions)}
    stored = await embedded(spoken.values(), embedder, None, progress)
    asked = await embedded(plain.values(), embedder, file.language)
    return Embedded(
        {text: stored[said] for text, said in spoken.items()},
        {text: asked[said] for text, said in plain.items()},
    )


def spoken_texts(file: RecallFile, texts: Iterable[str]) -> dict[str, str]:
    """Each text as the person of the file would say it; their name is the one that stands in most of its texts."""
    words = language(file.language)
    name = dominant_name(item.text for item in (*file.memories, *file.pool))
    return {t: in_first_person(t, (name,) if name else (), words) for t in texts}


def memory_of(item: Item) -> Memory:
    """The memory that one text of a file stands for.

    Born at a time drawn from its text: what settles ties must not be the order of the file, where the memories that
    count come first.
    """
    drawn = zlib.crc32(item.text.encode("utf-8", "surrogatepass"))
    born = _BORN + timedelta(seconds=drawn % SPAN_S)
    return Memory(
        MemoryId(item.item_id), AT, MAIN_TIMELINE, None, item.kind, Redacted(item.text), born, born,
        Cause("import"),
    )  # fmt: skip
