"""Prints how well messages are found with every part of the search left out in turn, and with what was tried and left.

Run: python bench/verbatim.py FILE… [--held-out | --judged] [--embedder KIND] [--json]. A file of long talks (`bench locomo`) gives the recall
of evidence turns and the time of a query beside plain BM25; one of conversations (`bench replay`, with `needed_at`)
tells whether the message of a fact comes back at the message that needs it, each language apart.
With --held-out the weights are chosen anew on all talks but one, and measured on that one (the last row shows ours).
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from statistics import mean, median
from typing import Any

# One BLAS thread, before numpy loads.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray

from souvenance.domain import MessageId, ThreadId
from souvenance.lang import language
from souvenance.measure import locomo
from souvenance.measure.locomofile import read
from souvenance.opening import choose_embedder
from souvenance.ports import Embedder, Vector
from souvenance.read.calibrations import Calibration, calibration_of
from souvenance.read.verbatim import (
    Cast,
    Line,
    Query,
    Transcript,
    WindowVector,
    read_query,
    search,
    windows,
)
from souvenance.read.verbatim.signs import signs
from souvenance.read.verbatim.weights import WEIGHTS, Weights
from souvenance.settings import EmbedderSettings, Settings

#: Cuts of a conversation of some sixty messages.
CHAT_CUTS = (1, 3, 5, 10)


def _words(**changes: Any) -> Weights:
    return replace(WEIGHTS, saturation=replace(WEIGHTS.saturation, **changes))


#: Each part left out, then what else was tried.
VARIANTS: Mapping[str, Weights] = {
    "in use": WEIGHTS,
    "without words": replace(WEIGHTS, words=0),
    "without words of neighbours": _words(offsets=(0, 0, 0, 1, 0, 0, 0)),
    "without meaning": replace(WEIGHTS, narrow=0, wide=0),
    "without the narrow window": replace(WEIGHTS, narrow=0),
    "without the wide window": replace(WEIGHTS, wide=0),
    "without who is named": replace(WEIGHTS, asked=0),
    "without pronouns": replace(WEIGHTS, meant=0),
    "without days": replace(WEIGHTS, days=0),
    "without times told": replace(WEIGHTS, when=0),
    "without length": replace(WEIGHTS, length=0),
    "questions as good as answers": replace(WEIGHTS, asking=0),
    "openings as others": replace(WEIGHTS, opening=0),
    "nearer neighbours only": _words(offsets=(0, 0, 0.5, 1, 0.5, 0, 0)),
    "even neighbours": _words(offsets=(0.4, 0.4, 0.4, 1, 0.4, 0.4, 0.4)),
    "usual saturation (1.2, 0.75)": _words(k1=1.2, b=0.75),
    "no length of words (b = 0)": _words(b=0.0),
    "half the words": replace(WEIGHTS, words=WEIGHTS.words / 2),
    "half the meaning": replace(WEIGHTS, narrow=WEIGHTS.narrow / 2, wide=WEIGHTS.wide / 2),
    "half who is named": replace(WEIGHTS, asked=WEIGHTS.asked / 2),
}


@dataclass(frozen=True, slots=True)
class Need:
    """A message of a conversation that needs a fact: what was said before it, and the message the fact is from."""

    code: str
    transcript: Transcript
    cast: Cast
    text: str
    vector: Vector
    source: MessageId

    def place(self, weights: Weights, *, names: bool = True) -> int:
        """How many messages come before the one of the fact."""
        words = self.transcript.language
        cast = self.cast if names else None
        query = read_query(self.text, words, vector=self.vector, cast=cast)
        found = search(self.transcript, query, len(self.transcript.lines), weights=weights)
        return next(n for n, f in enumerate(found) if f.line.message_id == self.source)


async def needs(lines: Sequence[str], embedder: Embedder) -> list[Need]:
    """Every need of the conversations of a file, one a line."""
    read = [await _needs(json.loads(line), embedder) for line in lines if line.strip()]
    return list(itertools.chain.from_iterable(read))


async def _needs(record: Mapping[str, Any], embedder: Embedder) -> list[Need]:
    said = [
        Line(
            MessageId(f"{n:04d}"),
            ThreadId(record["id"]),
            datetime.fromisoformat(m["at"]),
            m["role"],
            m["text"],
        )
        for n, m in enumerate(record["messages"])
    ]
    code = record["lang"]
    asked = {n for fact in record["facts"] for n in fact["needed_at"] if n > fact["from"]}
    queries = await locomo.embedded([said[n].text for n in asked], embedder, code)
    before = {n: windows(said[:n]) for n in asked}
    texts = [w.text for some in before.values() for w in some]
    vectors = await locomo.embedded(texts, embedder)
    transcripts = {
        n: Transcript.build(
            said[:n],
            language(code),
            [WindowVector(w.message_id, w.kind, w.fingerprint, vectors[w.text]) for w in some],
        )
        for n, some in before.items()
    }
    cast = Cast(
        {"user": (record["user_name"] or "",), "character": (record["character"].split(",")[0],)},
        "user",
    )
    return [
        Need(code, transcripts[n], cast, said[n].text, queries[said[n].text], said[fact["from"]].message_id)
        for fact in record["facts"]
        for n in fact["needed_at"]
        if n in transcripts and n > fact["from"]
    ]  # fmt: skip


def chat_rows(all_needs: Sequence[Need]) -> Iterator[tuple[str, dict[str, float]]]:
    """For each variant the share of needs met at each cut, by language, and the mean reciprocal place."""
    rows: dict[str, tuple[Weights, bool]] = {
        "words alone": (locomo.PLAIN_WORDS, False),
        "meaning alone": (locomo.BASELINES["meaning alone"], True),
        **{name: (weights, True) for name, weights in VARIANTS.items()},
    }
    for name, (weights, names) in rows.items():
        figures: dict[str, float] = {}
        for code in sorted({need.code for need in all_needs}):
            places = [n.place(weights, names=names) for n in all_needs if n.code == code]
            for cut in CHAT_CUTS:
                figures[f"{code}@{cut}"] = mean(place < cut for place in places)
            figures[f"{code} mrr"] = mean(1 / (place + 1) for place in places)
        yield name, figures


def talk_rows(indexed: Sequence[locomo.Indexed]) -> Iterator[tuple[str, dict[str, float]]]:
    """For each variant the recall, and the time of a query as a ratio to plain BM25."""
    questions = [q for one in indexed for q in one.talk.questions]
    plain = _plain_time(indexed)
    rows = {**locomo.BASELINES, **VARIANTS}
    for name, weights in rows.items():
        ranking = locomo.ranked(indexed, weights, names=weights is not locomo.PLAIN_WORDS)
        figures = {
            f"recall@{cut}": mean(locomo.found(q, ranking[q.question_id], cut) for q in questions)
            for cut in locomo.CUTS
        }
        spent = 1.0 if weights is locomo.PLAIN_WORDS else _time(indexed, weights) / plain
        yield name, {**figures, "time": spent}


#: Weights that a held-out choice moves, from a start that knows nothing, by these steps.
FLAT = {"words": 1.0, "narrow": 0.5, "wide": 0.5, "asked": 1.0, "days": 1.0, "when": 1.0, "length": 0.5, "asking": 0.5, "opening": 0.5}  # fmt: skip
STEPS = (0.5, 0.2)


@dataclass(frozen=True, slots=True)
class Weighed:
    """The signs of one question, one row each in the order of FLAT, and the rows of its evidence."""

    signs: NDArray[np.float32]
    evidence: frozenset[int]

    def recalls(self, weights: NDArray[np.float32]) -> list[float]:
        order = np.argsort(-(weights @ self.signs), kind="stable")[: max(locomo.CUTS)].tolist()
        return [len(self.evidence & set(order[:cut])) / len(self.evidence) for cut in locomo.CUTS]


def weighed(one: locomo.Indexed) -> list[Weighed]:
    """The questions of a talk with their signs."""
    transcript, rows = one.transcript, []
    for question in one.talk.questions:
        query = read_query(
            question.text, transcript.language, vector=one.asked[question.text], cast=one.cast
        )
        seen = signs(transcript, query, WEIGHTS.saturation).by_weight
        none = np.zeros(len(transcript.lines), np.float32)
        evidence = frozenset(transcript.row_of[MessageId(i)] for i in question.evidence)
        rows.append(Weighed(np.stack([seen.get(name, none) for name in FLAT]), evidence))
    return rows


def chosen(questions: Sequence[Weighed]) -> NDArray[np.float32]:
    """The weights that a climb by one weight at a time finds for some questions."""

    def worth(weights: NDArray[np.float32]) -> float:
        return float(np.mean([q.recalls(weights) for q in questions]))

    best = np.array(list(FLAT.values()), np.float32)
    reached = worth(best)
    for step in STEPS:
        moved = True
        while moved:
            moved = False
            for n, sign in itertools.product(range(len(best)), (1, -1)):
                tried = best.copy()
                tried[n] += sign * step
                if (value := worth(tried)) > reached + 1e-4:
                    best, reached, moved = tried, value, True
    return best


def held_out_rows(indexed: Sequence[locomo.Indexed]) -> Iterator[tuple[str, dict[str, float]]]:
    """The recall of each talk with weights chosen on the others alone, and over all questions."""
    talks = {one.talk.talk_id: weighed(one) for one in indexed}
    recalls = []
    for name, questions in talks.items():
        others = [q for other, some in talks.items() if other != name for q in some]
        weights = chosen(others)
        recalls += [q.recalls(weights) for q in questions]
        reached = np.mean([q.recalls(weights) for q in questions], axis=0).tolist()
        figures = dict(zip((f"recall@{cut}" for cut in locomo.CUTS), reached, strict=True))
        yield name, {**figures, **dict(zip(FLAT, weights.tolist(), strict=True))}
    everything = np.mean(recalls, axis=0).tolist()
    figures = dict(zip((f"recall@{cut}" for cut in locomo.CUTS), everything, strict=True))
    yield "all, each held out", {**figures, **{n: WEIGHTS.of(n) for n in FLAT}}


def _time(indexed: Sequence[locomo.Indexed], weights: Weights) -> float:
    """Median seconds of computing of one query, the vector of the question given."""

    def run(one: locomo.Indexed, text: str) -> None:
        query = read_query(text, one.transcript.language, vector=one.asked[text], cast=one.cast)
        search(one.transcript, query, weights=weights)

    return _median(indexed, run)


def _plain_time(indexed: Sequence[locomo.Indexed]) -> float:
    """The same of BM25 alone: the stems of the question, the score of every line, the first 24."""

    def run(one: locomo.Indexed, text: str) -> None:
        transcript, how = one.transcript, locomo.PLAIN_WORDS.saturation
        stems = transcript.language.stems(text)
        np.argsort(-transcript.postings.score(stems, transcript.around, how))[: max(locomo.CUTS)]

    return _median(indexed, run)


def _median(indexed: Sequence[locomo.Indexed], run: Callable[[locomo.Indexed, str], None]) -> float:
    spent = []
    for one in indexed:
        for question in one.talk.questions[:40]:
            began = time.process_time()
            run(one, question.text)
            spent.append(time.process_time() - began)
    return median(spent)


def judged(
    asked: Sequence[tuple[Transcript, Query, Set[str]]], calibration: Calibration
) -> dict[str, float]:
    """Of the first three lines: how many are judged worth showing, and how many questions keep an answer."""
    shown, kept, there = [], [], []
    for transcript, query, answers in asked:
        first = search(transcript, query, 3, calibration=calibration)
        shown += [f.relevance >= 0.5 for f in first]
        kept.append(any(f.relevance >= 0.5 and f.line.message_id in answers for f in first))
        there.append(any(f.line.message_id in answers for f in first))
    return {"shown": mean(shown), "kept": mean(kept), "of": mean(there)}


def judged_rows(path: Path, embedder: Embedder) -> Iterator[tuple[str, dict[str, float]]]:
    """What `judged` says of a file, conversations by language."""
    asked: dict[str, list[tuple[Transcript, Query, Set[str]]]] = {}
    if path.suffix == ".jsonl":
        for need in asyncio.run(needs(path.read_text("utf-8").splitlines(), embedder)):
            words = need.transcript.language
            query = read_query(need.text, words, vector=need.vector, cast=need.cast)
            asked.setdefault(need.code, []).append((need.transcript, query, {need.source}))
    else:
        for one in asyncio.run(locomo.index(read(path), embedder)):
            for q in one.talk.questions:
                words, vector = one.transcript.language, one.asked[q.text]
                query = read_query(q.text, words, vector=vector, cast=one.cast)
                asked.setdefault("all", []).append((one.transcript, query, set(q.evidence)))
    for name, some in asked.items():
        code = "en" if name == "all" else name
        read_as = calibration_of(embedder.name, code, embedder.threshold)
        yield name, judged(some, read_as)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--held-out", action="store_true", help="choose weights without each talk")
    parser.add_argument("--judged", action="store_true", help="what is judged worth showing")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument(
        "--embedder", default="auto", help="a kind of the settings: bundled, e5, auto…"
    )
    given = parser.parse_args()
    kind = EmbedderSettings.model_validate({"kind": given.embedder})
    embedder = choose_embedder(Settings(embedder=kind))
    if embedder is None:
        parser.error("the search is measured with an embedder")
    tables = {str(path): dict(_rows(path, embedder, given)) for path in given.files}
    if given.json:
        print(json.dumps({"bench": "verbatim", "embedder": embedder.name, "files": tables}))
        return
    for path, rows in tables.items():
        print(f"{path} · {embedder.name}")
        _print(rows)


def _rows(
    path: Path, embedder: Embedder, given: argparse.Namespace
) -> Iterator[tuple[str, dict[str, float]]]:
    if given.judged:
        return judged_rows(path, embedder)
    if path.suffix == ".jsonl":
        return chat_rows(asyncio.run(needs(path.read_text("utf-8").splitlines(), embedder)))
    indexed = asyncio.run(locomo.index(read(path), embedder))
    return held_out_rows(indexed) if given.held_out else talk_rows(indexed)


def _print(rows: Mapping[str, Mapping[str, float]]) -> None:
    columns = list(next(iter(rows.values())))
    print(f"{'':32}" + "".join(f"{name:>11}" for name in columns))
    for name, figures in rows.items():
        print(f"{name:32}" + "".join(f"{figures[c]:11.3f}" for c in columns))


if __name__ == "__main__":
    main()
