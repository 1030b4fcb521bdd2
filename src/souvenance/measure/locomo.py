"""Scores how many of the turns that answer a question are found among the first of a long talk.

Beside it in the same run: plain words, plain meaning, chance, and the search with one part of it left out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean

from souvenance.lang import language
from souvenance.measure.locomofile import CATEGORIES, Question, Talk, read
from souvenance.measure.report import Fault, Metrics, Report, interval
from souvenance.measure.vectors import Progress, embedded, quiet
from souvenance.ports import Embedder, Vector, for_messages
from souvenance.read.verbatim import Cast, Transcript, WindowVector, read_query, search, windows
from souvenance.read.verbatim.postings import Saturation
from souvenance.read.verbatim.weights import WEIGHTS, Weights

CUTS = (5, 10, 24)

#: What LoCoMo is written in.
LANGUAGE = "en"

Ranking = Mapping[str, Sequence[str]]

#: Nothing but the words of a line, as BM25 is commonly set.
PLAIN_WORDS = Weights(
    Saturation(1.2, 0.75, (0, 0, 0, 1, 0, 0, 0)),
    words=1, narrow=0, wide=0, asked=0, meant=0, days=0, when=0, length=0, asking=0, opening=0,
)  # fmt: skip

#: What the search is compared with.
BASELINES: Mapping[str, Weights] = {
    "words alone": PLAIN_WORDS,
    "words with neighbours": replace(PLAIN_WORDS, saturation=WEIGHTS.saturation),
    "meaning alone": replace(PLAIN_WORDS, words=0, narrow=WEIGHTS.narrow, wide=WEIGHTS.wide),
    "words and meaning": replace(
        PLAIN_WORDS, saturation=WEIGHTS.saturation, words=WEIGHTS.words, narrow=WEIGHTS.narrow, wide=WEIGHTS.wide
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Indexed:
    """One talk made searchable, and the vector of each text that is asked; `embedder` None for words alone."""

    talk: Talk
    transcript: Transcript
    cast: Cast
    asked: Mapping[str, Vector]

    def ranked(self, weights: Weights = WEIGHTS, *, names: bool = True) -> dict[str, list[str]]:
        """The first turn ids of each question; without `names` those of the speakers are words like others."""
        rankings = {}
        cast = self.cast if names else None
        for question in self.talk.questions:
            query = read_query(
                question.text, self.transcript.language, vector=self.asked[question.text], cast=cast
            )  # fmt: skip
            found = search(self.transcript, query, max(CUTS), weights=weights)
            rankings[question.question_id] = [str(f.line.message_id) for f in found]
        return rankings


def measure(path: Path, *, embedder: Embedder | None = None, progress: Progress = quiet) -> Report:
    """Recall at 5, 10 and 24 of the evidence turns, categories 1 to 4. `embedder` None: the bundled one.

    Of a blend it is the part that the product embeds messages with. Errors: `BadInput`, `ModelError`.
    """
    used = for_messages(embedder) or _bundled()
    talks = read(path)
    indexed = asyncio.run(index(talks, used, progress))
    questions = [q for talk in talks for q in talk.questions]
    ours = ranked(indexed)
    others = {
        name: ranked(indexed, weights, names=weights is not PLAIN_WORDS)
        for name, weights in BASELINES.items()
    }
    return Report(
        bench="locomo",
        file=str(path),
        n=len(questions),
        metrics=metrics(questions, ours),
        by=_by(talks, questions, ours),
        baselines={
            **{name: metrics(questions, ranking) for name, ranking in others.items()},
            "random": _by_chance(talks),
        },
        decisions=[{"id": q.question_id, "ranked": ours[q.question_id]} for q in questions],
        failed=_failed(questions, ours),
        faults=_faults(questions, ours),
        notes=_notes(talks, questions, ours, used),
    )


def _bundled() -> Embedder:
    from souvenance.models.embed import BundledEmbedder

    return BundledEmbedder()


async def index(
    talks: Sequence[Talk], embedder: Embedder, progress: Progress = quiet
) -> list[Indexed]:
    """Each talk with the vectors of its windows and of its questions. Errors: `ModelError`."""
    return [await _indexed(talk, embedder, progress) for talk in talks]


async def _indexed(talk: Talk, embedder: Embedder, progress: Progress) -> Indexed:
    wanted = windows(talk.lines)
    asked = [q.text for q in talk.questions]
    vectors = await embedded([w.text for w in wanted], embedder, None, progress)
    rows = [WindowVector(w.message_id, w.kind, w.fingerprint, vectors[w.text]) for w in wanted]
    transcript = Transcript.build(talk.lines, language(LANGUAGE), rows)
    cast = Cast({who: (who,) for who in talk.speakers})
    return Indexed(talk, transcript, cast, await embedded(asked, embedder, LANGUAGE))


# --- figures -------------------------------------------------------------------------------------


def ranked(
    indexed: Sequence[Indexed], weights: Weights = WEIGHTS, *, names: bool = True
) -> dict[str, list[str]]:
    """The first turn ids of every question of every talk."""
    rankings = (one.ranked(weights, names=names) for one in indexed)
    return {name: turns for ranking in rankings for name, turns in ranking.items()}


def metrics(questions: Sequence[Question], ranking: Ranking) -> Metrics:
    """The mean over questions of the share of their evidence that is found, at each cut."""
    return _table(
        len(questions),
        lambda cut: mean(found(q, ranking[q.question_id], cut) for q in questions),
    )


def found(question: Question, ranking: Sequence[str], cut: int) -> float:
    """The share of the evidence among the first `cut`."""
    return len(set(question.evidence) & set(ranking[:cut])) / len(question.evidence)


def _by_chance(talks: Sequence[Talk]) -> Metrics:
    """What a random order finds on average: each turn is as likely as another."""
    sizes = [len(talk.lines) for talk in talks for _ in talk.questions]
    return _table(len(sizes), lambda cut: mean(min(cut / size, 1.0) for size in sizes))


def _table(questions: int, at: Callable[[int], float]) -> Metrics:
    return {"questions": questions, **{f"recall@{cut}": at(cut) for cut in CUTS}}


def _by(
    talks: Sequence[Talk], questions: Sequence[Question], ranking: Ranking
) -> dict[str, Metrics]:
    groups = {
        f"{number} ({said})": [q for q in questions if q.category == number]
        for number, said in CATEGORIES.items()
    }
    groups |= {talk.talk_id: list(talk.questions) for talk in talks}
    return {name: metrics(some, ranking) for name, some in groups.items() if some}


def _failed(questions: Sequence[Question], ranking: Ranking) -> list[str]:
    shares = {q.question_id: found(q, ranking[q.question_id], max(CUTS)) for q in questions}
    return sorted((i for i, share in shares.items() if share < 1), key=lambda i: (shares[i], i))


def _faults(questions: Sequence[Question], ranking: Ranking) -> dict[str, Fault]:
    asked = {q.question_id: q for q in questions}
    return {
        name: Fault(
            asked[name].text,
            ", ".join(asked[name].evidence),
            ", ".join(ranking[name][: min(CUTS)]) or "nothing",
        )
        for name in _failed(questions, ranking)
    }


def _notes(
    talks: Sequence[Talk], questions: Sequence[Question], ranking: Ranking, embedder: Embedder
) -> list[str]:
    turns = sum(len(talk.lines) for talk in talks)
    left = sum(talk.unusable for talk in talks)
    hits = sum(len(set(q.evidence) & set(ranking[q.question_id])) for q in questions)
    trials = sum(len(q.evidence) for q in questions)
    low, high = interval(hits, trials)
    return [
        f"{len(questions)} questions on {turns} turns of {len(talks)} talks; embedder {embedder.name}.",
        f"{left} questions of these categories name no turn that exists and are left out.",
        f"{hits} of {trials} evidence turns among the first {max(CUTS)} (95 % interval {low:.2f} to {high:.2f}).",
    ]
