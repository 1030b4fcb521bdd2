"""Redoes the experiment the companion plan came from: 18 memories, 6 messages, 10 to be found, among up to 10,000.

Run: python bench/source_experiment.py [--lang fr|en] [--embedder KIND[:MODEL]] [--sizes N…] [--prefixes-up-to N]
[--cache DIR] [--plot FILE.svg|FILE.html] [--json | --markdown]. Five seeded sets of distractors a size; corpus, scores
and slots are the product's own. All memories belong to one thread and none is pinned, so that nothing competes with being recalled.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import mean

# One BLAS thread, before numpy loads: on a small machine more only wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray
from rich.box import HEAVY_HEAD, MARKDOWN
from rich.console import Console
from rich.table import Column, Table

from experiment_cases import Cases, Line, Message, read
from experiment_plot import Series, drawn
from experiment_vectors import Vectors, embedded
from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_THREAD,
    MAIN_TIMELINE,
    Address,
    Cause,
    CharacterId,
    Memory,
    MemoryId,
    PersonId,
    Redacted,
    View,
)
from souvenance.lang import language
from souvenance.lang.everyday import in_plain_words
from souvenance.opening import choose_embedder
from souvenance.ports import Embedder, VectorRow
from souvenance.read.calibrations import Calibration, calibration_of
from souvenance.read.corpus import Corpus
from souvenance.read.plan import COMPANION
from souvenance.read.recall import normalise
from souvenance.read.scores import read_query, score
from souvenance.read.selection import select
from souvenance.settings import Settings
from souvenance.write.alike.similarity import tells_one_fact

SIZES = (18, 100, 234, 1_000, 10_000)
SETS = 5
FEW, ALL = 16, 24  # recalled slots, and all slots, of the companion plan

AT = Address(DEFAULT_SPACE, PersonId("bench"), CharacterId("bench"))
VIEW = View(AT, thread=MAIN_THREAD)
TODAY = date(2026, 6, 1)
NOW = datetime(2026, 6, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Condition:
    """One way of asking: prefixes go to the embedder alone, scenery is part of what the read path is given."""

    name: str
    before_memory: str = ""
    before_message: str = ""
    scenery: str = "none"

    def dressed(self, message: str, cases: Cases) -> str:
        """The message as the read path gets it."""
        around = {
            "none": (),
            "scene": (cases.scenery.title, cases.scenery.situation),
            "turns": (cases.scenery.persona, *cases.scenery.earlier),
        }[self.scenery]
        return normalise("\n".join((*around, message)))

    def messages(self, cases: Cases) -> dict[str, str]:
        """Each message as it is asked, with what the read path makes of it for the embedder."""
        texts = [self.dressed(m.text, cases) for m in cases.messages]
        words = language(cases.language)
        before = self.before_message
        return {before + text: before + in_plain_words(text, words) for text in texts}


CONDITIONS = (
    Condition("message alone"),
    Condition("query: / passage:", "passage: ", "query: "),
    Condition("search_query: / search_document:", "search_document: ", "search_query: "),
    Condition("with title and situation", scenery="scene"),
    Condition("with persona and earlier turns", scenery="turns"),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One method at one size: recall in the first 16 (or the recalled slots) and in 24, one figure a set."""

    size: int
    condition: str
    method: str
    few: tuple[float, ...]
    all: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """What to run: sizes, the largest at which prefixes are tried (each embeds every text anew), and a folder."""

    sizes: Sequence[int]
    prefixes_up_to: int
    cache: Path | None = None


# --- running -------------------------------------------------------------------------------------


async def measured(
    cases: Cases,
    embedder: Embedder,
    asked: Asked,
    console: Console,
) -> list[Row]:
    """Every row of the table, by condition and then by size."""
    rows: list[Row] = []
    calibration = calibration_of(embedder.name, cases.language, embedder.threshold)
    for before in dict.fromkeys(c.before_memory for c in CONDITIONS):
        sizes = [n for n in asked.sizes if not before or n <= asked.prefixes_up_to]
        most = max(0, max(sizes, default=0) - len(cases.memories))
        sets = [tuple(islice(cases.distractors(seed), most)) for seed in range(SETS)]
        lines = (*cases.memories, *(line for some in sets for line in some))
        name = f"{cases.language} {before or 'plain'}"
        vectors = await _vectors(
            {before + one.text: before + cases.spoken(one.text) for one in lines},
            partial(embedded, embedder=embedder, cache=asked.cache, name=name, console=console),
        )
        for condition in (c for c in CONDITIONS if c.before_memory == before):
            found = await _vectors(
                condition.messages(cases),
                partial(
                    embedded,
                    embedder=embedder,
                    name="messages",
                    console=console,
                    query_in=cases.language,
                ),
            )
            every = {**vectors, **found}
            for size in sizes:
                rows += _rows(cases, condition, size, sets, every, calibration)
    return rows


async def _vectors(
    said: Mapping[str, str], embed: Callable[[Iterable[str]], Awaitable[Vectors]]
) -> Vectors:
    """The vector of what each text becomes before it is embedded, by the text."""
    vectors = await embed(said.values())
    return {text: vectors[become] for text, become in said.items()}


def _rows(
    cases: Cases,
    condition: Condition,
    size: int,
    sets: Sequence[Sequence[Line]],
    vectors: Vectors,
    calibration: Calibration,
) -> list[Row]:
    runs = [
        _one_set(cases, condition, size, n, some, vectors, calibration)
        for n, some in enumerate(sets)
    ]
    rows = [
        Row(
            size,
            condition.name,
            method,
            tuple(r[method][0] for r in runs),
            tuple(r[method][1] for r in runs),
        )
        for method in runs[0]
    ]
    chance = [(min(1.0, cut / size),) * SETS for cut in (FEW, ALL)]
    return [*rows, Row(size, condition.name, "random", *chance)]


def _one_set(
    cases: Cases,
    condition: Condition,
    size: int,
    seed: int,
    some: Sequence[Line],
    vectors: Vectors,
    calibration: Calibration,
) -> Mapping[str, tuple[float, float]]:
    """Recall in the few and in all, by method, over the messages of one set."""
    lines = [*cases.memories, *some[: size - len(cases.memories)]]
    corpus = _corpus(cases.language, lines, condition.before_memory, vectors, seed)
    hits: dict[str, list[tuple[int, int]]] = {}
    for message in cases.messages:
        text = condition.dressed(message.text, cases)
        query = read_query(text, corpus.language, vectors[condition.before_message + text])
        scores = score(corpus, query, calibration)
        slots = select(corpus, scores, COMPANION, TODAY, tells_one_fact).slots
        recalled: list[str] = [s.memory.memory_id for s in slots if s.stage == "recalled"]
        ranked: dict[str, tuple[list[str], list[str]]] = {
            "slots": (recalled, [str(s.memory.memory_id) for s in slots]),
            "score": (_first(corpus, scores.key, FEW), _first(corpus, scores.key, ALL)),
            "cosine alone": (
                _first(corpus, scores.cosine, FEW),
                _first(corpus, scores.cosine, ALL),
            ),
            "words alone": (_first(corpus, scores.words, FEW), _first(corpus, scores.words, ALL)),
        }
        for method, (few, every) in ranked.items():
            hits.setdefault(method, []).append((_hits(message, few), _hits(message, every)))
    expected = sum(len(m.relevant) for m in cases.messages)
    return {
        m: (sum(a for a, _ in n) / expected, sum(b for _, b in n) / expected)
        for m, n in hits.items()
    }


def _corpus(code: str, lines: Sequence[Line], before: str, vectors: Vectors, seed: int) -> Corpus:
    """The memories in a seeded order of birth, an hour apart."""
    order = list(lines)
    random.Random(seed).shuffle(order)
    memories = [_memory(line, NOW - timedelta(hours=n + 1)) for n, line in enumerate(order)]
    rows = [VectorRow(AT, m.memory_id, m.fingerprint, vectors[before + m.text]) for m in memories]
    return Corpus.build(VIEW, language(code), memories, rows)


def _memory(line: Line, born: datetime) -> Memory:
    return Memory(
        MemoryId(line.line_id), AT, MAIN_TIMELINE, MAIN_THREAD, line.kind, Redacted(line.text), born, born,
        Cause("import"),
    )  # fmt: skip


def _first(corpus: Corpus, values: NDArray[np.float32], cut: int) -> list[str]:
    order = np.lexsort((corpus.rank, -values))[:cut]
    return [corpus.memories[row].memory_id for row in order]


def _hits(message: Message, found: Sequence[str]) -> int:
    return len(message.relevant.intersection(found))


# --- printing ------------------------------------------------------------------------------------

#: The rows of each table: what is asked, and by which method it is answered.
SHOWN = (
    *((c.name, "slots") for c in CONDITIONS),
    *((c.name, "cosine alone") for c in CONDITIONS),
    ("message alone", "score"),
    ("message alone", "words alone"),
    ("message alone", "random"),
)


def printed(rows: Sequence[Row], console: Console, markdown: bool) -> None:
    """Two tables, recall in the few and in all, and the same as bars."""
    by = {(r.condition, r.method, r.size): r for r in rows}
    sizes = sorted({r.size for r in rows})
    for title, part in (
        (f"recalled slots (up to {FEW})", "few"),
        (f"whole context ({ALL} slots)", "all"),
    ):
        head = (Column("asked", no_wrap=True), Column("answered by", no_wrap=True))
        drawn_as = MARKDOWN if markdown else HEAVY_HEAD
        sized = (Column(f"{n:,}", no_wrap=True) for n in sizes)
        table = Table(*head, *sized, box=drawn_as)
        console.print(f"\nRecall in the {title}:\n", highlight=False)
        for condition, method in SHOWN:
            cells = [_cell(by.get((condition, method, n)), part) for n in sizes]
            table.add_row(condition, method, *cells)
        console.print(table)
    console.print(
        "mean and min-max over five sets of distractors; of a ranking, the first 16 and 24 count"
    )
    for row in () if markdown else rows:
        if row.method == "slots":
            value = mean(row.few)
            bar = "█" * round(30 * value)
            console.print(
                f"{row.condition:<34}{row.size:>7,} {bar:<30} {value:.2f}", highlight=False
            )


def _cell(row: Row | None, part: str) -> str:
    if row is None:
        return "-"
    values = row.few if part == "few" else row.all
    low, high = min(values), max(values)
    return f"{mean(values):.2f}" if low == high else f"{mean(values):.2f} ({low:.1f}-{high:.1f})"


def series(rows: Sequence[Row]) -> list[Series]:
    """What the plot draws: each condition in the recalled slots, and the baselines."""
    lines = [
        *((c.name, "slots") for c in CONDITIONS),
        *((CONDITIONS[0].name, method) for method in ("cosine alone", "words alone", "random")),
    ]
    made = []
    for condition, method in lines:
        some = sorted(
            (r for r in rows if (r.condition, r.method) == (condition, method)),
            key=lambda r: r.size,
        )
        points = tuple((r.size, mean(r.few), min(r.few), max(r.few)) for r in some)
        made.append(Series(condition if method == "slots" else method, points, method != "slots"))
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lang", choices=("fr", "en"), default="fr")
    parser.add_argument(
        "--embedder", default=None, help="a kind of the settings, with its model: ollama:bge-m3"
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument(
        "--prefixes-up-to", type=int, default=max(SIZES), help="largest size to try prefixes at"
    )
    parser.add_argument(
        "--cache", type=Path, default=None, help="a folder that keeps vectors for the next run"
    )
    parser.add_argument("--plot", type=Path, default=None, help="an SVG or HTML file to write")
    parser.add_argument(
        "--markdown", action="store_true", help="tables as docs/reading.md has them"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    chosen = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 140)
    asyncio.run(_run(chosen, console))


async def _run(chosen: argparse.Namespace, console: Console) -> None:
    embedder = _embedder(chosen.embedder)
    try:
        cases = read(chosen.lang)
        asked = Asked(sorted(chosen.sizes), chosen.prefixes_up_to, chosen.cache)
        rows = await measured(cases, embedder, asked, Console(stderr=True))
    finally:
        await embedder.close()
    if chosen.plot is not None:
        title = f"Memories found in the recalled slots ({chosen.lang}, {embedder.name})"
        chosen.plot.write_bytes(drawn(title, series(rows), page=chosen.plot.suffix == ".html"))
    if chosen.json:
        print(json.dumps({"bench": "source_experiment", "lang": chosen.lang, "embedder": embedder.name,
                          "threshold": embedder.threshold, "rows": [_plain(r) for r in rows]}))  # fmt: skip
    else:
        console.print(f"embedder {embedder.name}, threshold {embedder.threshold}")
        printed(rows, console, chosen.markdown)


def _plain(row: Row) -> dict[str, object]:
    return {"memories": row.size, "asked": row.condition, "method": row.method,
            f"recall@{FEW}": list(row.few), f"recall@{ALL}": list(row.all)}  # fmt: skip


def _embedder(name: str | None) -> Embedder:
    """An embedder of the settings by its kind; the default one without a name."""
    settings = Settings()
    if name is not None:
        kind, _, model = name.partition(":")
        asked = settings.embedder.model_validate({"kind": kind, "model": model or None})
        settings = settings.model_copy(update={"embedder": asked})
    embedder = choose_embedder(settings)
    if embedder is None:
        raise SystemExit("this bench needs an embedder")
    return embedder


if __name__ == "__main__":
    main()
