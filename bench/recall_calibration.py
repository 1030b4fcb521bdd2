"""What `souvenance calibrate recall` rests on: which pairs of a talk tell of its labels, and what a threshold read so does.

First the cosines of messages of recorded conversations with memories read from them, by ways of guessing that a pair is
related, beside the pairs of a fact and a message that needs it. Then labelled questions: the threshold from all pairs,
from those surely unrelated and from labels, and the recall of the companion plan at each.

    python bench/recall_calibration.py [--embedder KIND] [--cache DIR] [--markdown]
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

# One BLAS thread, before numpy loads.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from rich.box import HEAVY_HEAD, MARKDOWN
from rich.console import Console
from rich.table import Table

from experiment_vectors import embedded
from souvenance.domain import View
from souvenance.lang import language
from souvenance.lang.everyday import in_plain_words
from souvenance.lang.voice import in_first_person
from souvenance.measure import conversations, recallfile
from souvenance.measure.plainrun import run_plain
from souvenance.measure.proposal import InForce, Judged, propose
from souvenance.measure.recall import AT, memory_of, spoken_texts
from souvenance.measure.recalling import CONTENT, Said, Shelf, content, cosines, without
from souvenance.models.embed.choice import assembled, missing, parts_of
from souvenance.ports import Embedder, Vector, VectorRow
from souvenance.read.calibrations import Calibration, calibration_of
from souvenance.read.corpus import Corpus
from souvenance.read.plan import COMPANION
from souvenance.read.recall import normalise
from souvenance.read.scores import read_query, score
from souvenance.read.selection import select
from souvenance.write.alike.similarity import tells_one_fact

CASES = Path(__file__).parent / "cases"
SPREADS = (1.0, 1.5, 2.0, 2.5, 3.0)

#: Distractors beside the memories that count.
SIZES = (60, 400)


# --- which pairs tell -----------------------------------------------------------------------------


@dataclass(slots=True)
class Pairs:
    """Messages and memories of one language, by the way the pair was guessed."""

    code: str
    by_way: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    def add(self, way: str, message: str, memory: str) -> None:
        """Notes a pair."""
        self.by_way.setdefault(way, []).append((message, memory))


def pairs_of(paths: Sequence[Path]) -> list[Pairs]:
    """The pairs of every conversation, by language."""
    found: dict[str, Pairs] = {}
    for path in paths:
        needed = [json.loads(line)["facts"] for line in path.read_text("utf-8").splitlines()]
        for talk, facts in zip(conversations.read(path), needed, strict=True):
            pairs = found.setdefault(talk.language, Pairs(talk.language))
            _pairs(pairs, talk, facts)
    return list(found.values())


def _pairs(pairs: Pairs, talk: conversations.Conversation, facts: Sequence[dict[str, object]]) -> None:  # fmt: skip
    words = language(talk.language)
    names = (talk.user_name, words.the_user) if talk.user_name else (words.the_user,)
    said = {n: in_plain_words(normalise(m.text), words) for n, m in enumerate(talk.messages) if m.role == "user"}  # fmt: skip
    order = list(said)
    for memory in run_plain(talk).memories:
        if not memory.current:
            continue
        told = in_first_person(memory.text, names, words)
        from_ = [n for n in memory.origins if n in said]
        for n in order:
            if n not in from_:
                near = from_ and min(abs(order.index(n) - order.index(m)) for m in from_) == 1
                pairs.add("the message before or after", said[n], told) if near else None
                pairs.add("every other message", said[n], told)
        for n in from_:
            pairs.add("the message it was read from", said[n], told)
            for way, text in _ways(said[n], memory.text, words):
                pairs.add(way, text, told)
    for fact in facts:
        for n in fact["needed_at"]:  # type: ignore[attr-defined]
            if n in said:
                told = in_first_person(str(fact["text"]), names, words)
                pairs.add("a message that needs the fact (labels)", said[n], told)


def _ways(text: str, memory: str, words: object) -> Iterator[tuple[str, str]]:
    left = without(text, memory, words)  # type: ignore[arg-type]
    if len(content(left, words)) >= CONTENT:  # type: ignore[arg-type]
        yield "that message without the words of the memory", left
    told = content(memory, words)  # type: ignore[arg-type]
    parts = re.split(r"(?<=[.!?…])\s+", text)
    others = [p for p in parts if len(content(p, words) & told) < len(content(p, words)) / 2]  # type: ignore[arg-type]
    if others and len(others) < len(parts):
        yield "the other sentences of that message", " ".join(others)


async def tell(pairs: Pairs, embedder: Embedder, cache: Path | None, console: Console) -> list[tuple[str, ...]]:  # fmt: skip
    """A row for each way: how many pairs, mean and spread of their cosines."""
    every = [pair for some in pairs.by_way.values() for pair in some]
    at = {"console": console, "cache": cache}
    asked = await embedded(
        [a for a, _ in every], embedder, name=f"cal-asked-{pairs.code}", query_in=pairs.code, **at
    )  # type: ignore[arg-type]
    told = await embedded([b for _, b in every], embedder, name=f"cal-told-{pairs.code}", **at)  # type: ignore[arg-type]
    rows = []
    for way, some in pairs.by_way.items():
        values = np.array([asked[a] @ told[b] for a, b in some])
        rows.append((pairs.code, way, str(len(some)), f"{values.mean():.3f}", f"{values.std():.3f}"))  # fmt: skip
    return rows


# --- what a threshold does --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Labelled:
    """A shelf whose messages are the questions of a file, and what belongs to each."""

    shelf: Shelf
    judged: list[Judged]
    vectors: dict[str, Vector]


async def labelled(path: Path, size: int, embedder: Embedder, cache: Path | None, console: Console) -> Labelled:  # fmt: skip
    """The questions of a file among its memories and `size` distractors."""
    file = recallfile.read(path)
    words = language(file.language)
    items = [*file.memories, *file.drawn(size, 0)]
    spoken = spoken_texts(file, [i.text for i in items])
    name = f"cal-{path.parent.name}-{file.language}"
    at = {"console": console, "cache": cache}
    stored = await embedded(spoken.values(), embedder, name=f"{name}-stored", **at)  # type: ignore[arg-type]
    plain = {q.question_id: in_plain_words(normalise(q.text), words) for q in file.questions}
    asked = await embedded(
        plain.values(), embedder, name=f"{name}-asked", query_in=file.language, **at
    )  # type: ignore[arg-type]
    memories = [memory_of(replace(item, item_id=_blind(item.item_id))) for item in items]
    rows = [VectorRow(AT, m.memory_id, m.fingerprint, stored[spoken[str(m.text)]]) for m in memories]  # fmt: skip
    corpus = Corpus.build(View(AT), words, memories, rows)
    said = {q.question_id: Said(q.text, plain[q.question_id], "main", frozenset()) for q in file.questions}  # fmt: skip
    shelf = Shelf(corpus, tuple(said.values()))
    judged = [
        Judged(shelf, said[q.question_id], frozenset(corpus.row_of[_blind(i)] for i in q.relevant), frozenset())  # type: ignore[index]
        for q in file.questions
    ]  # fmt: skip
    return Labelled(shelf, judged, dict(asked))


def _blind(item_id: str) -> str:
    """A name that says nothing: the files count what matters before what is in the way, and names settle ties."""
    return hashlib.blake2b(item_id.encode(), digest_size=5).hexdigest()


def thresholds(cases: Labelled, own: Calibration) -> Iterator[tuple[str, Calibration]]:
    """Each way to a threshold, with the calibration it gives."""
    yield "the embedder's own", own
    now = InForce(own, 16)
    every = cosines([cases.shelf], [], cases.vectors)
    made = propose([cases.shelf], [], every, cases.vectors, now)
    yield "all pairs, by room", Calibration(made.threshold.value, made.spread, own.word_weight)
    for spreads in SPREADS:
        made = propose([cases.shelf], [], every, cases.vectors, now, spreads=spreads)
        yield f"all pairs, {spreads:g} spreads", Calibration(made.threshold.value, made.spread, own.word_weight)  # fmt: skip
    born = [Said(j.said.raw, j.said.text, j.said.thread, j.belong) for j in cases.judged]
    surely = cosines([Shelf(cases.shelf.corpus, tuple(born))], [], cases.vectors)
    made = propose([cases.shelf], [], surely, cases.vectors, now)
    yield "surely unrelated pairs, by room", Calibration(made.threshold.value, made.spread, own.word_weight)  # fmt: skip
    made = propose([cases.shelf], [], every, cases.vectors, now, cases.judged)
    if made.from_labels:
        yield "labels", Calibration(made.threshold.value, made.spread, made.word_weight)


def served(cases: Labelled, calibration: Calibration) -> tuple[float, float, float]:
    """Recall in the recalled slots and in all of them, and how many memories a question calls."""
    recalled, slots, called = [], [], []
    corpus = cases.shelf.corpus
    for one in cases.judged:
        query = read_query(one.said.text, corpus.language, cases.vectors[one.said.text])
        scores = score(corpus, query, calibration)
        chosen = select(corpus, scores, COMPANION, date(2026, 1, 2), tells_one_fact).slots
        belong = {corpus.memories[row].memory_id for row in one.belong}
        called.append(int(scores.eligible.sum()))
        slots.append(len(belong & {s.memory.memory_id for s in chosen}) / len(belong))
        by_message = {s.memory.memory_id for s in chosen if s.retrieved}
        recalled.append(len(belong & by_message) / len(belong))
    return float(np.mean(recalled)), float(np.mean(slots)), float(np.mean(called))


# --- printing ---------------------------------------------------------------------------------------


def _table(headers: Sequence[str], rows: Sequence[Sequence[str]], markdown: bool) -> Table:
    made = Table(box=MARKDOWN if markdown else HEAVY_HEAD)
    for header in headers:
        made.add_column(header)
    for row in rows:
        made.add_row(*row)
    return made


async def run(kind: str, cache: Path | None, console: Console, markdown: bool) -> None:
    """Both tables."""
    parts = [p for p in parts_of(kind) if p not in missing(kind)]  # type: ignore[arg-type]
    embedder = assembled(parts, threshold=None)
    console.print(embedder.name)
    told = [
        row
        for pairs in pairs_of([CASES / "known/conversations.jsonl", CASES / "held/conversations.jsonl"])
        for row in await tell(pairs, embedder, cache, console)
    ]  # fmt: skip
    console.print(_table(("", "pairs of a memory and", "pairs", "mean", "spread"), told, markdown))
    rows = []
    for path in sorted(CASES.glob("*/recall_*.json")):
        for size in SIZES:
            cases = await labelled(path, size, embedder, cache, console)
            code = cases.shelf.corpus.language.code
            own = calibration_of(embedder.name, code, embedder.threshold)
            where = f"{path.parent.name} {code}, {cases.shelf.corpus.size}"
            for way, calibration in thresholds(cases, own):
                recalled, slots, called = served(cases, calibration)
                rows.append((where, way, f"{calibration.threshold:.3f}", f"{recalled:.2f}", f"{slots:.2f}", f"{called:.1f}"))  # fmt: skip
    headers = ("questions among", "threshold from", "threshold", "called and served", "in 24 slots", "called")  # fmt: skip
    console.print(_table(headers, rows, markdown))
    await embedder.close()


def main() -> None:
    """Reads the options and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embedder", default="auto")
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--markdown", action="store_true")
    given = parser.parse_args()
    console = Console(width=150)
    asyncio.run(run(given.embedder, given.cache, console, given.markdown))


if __name__ == "__main__":
    main()
