"""Prints how many slots the phrasings of one fact take, and how many look-alikes lose theirs, by method.

Cases: tests/unit/read/cases (groups of 4 to 6 phrasings; pairs that look alike), and the distinct pairs of bench/cases.
Run: python bench/sameness.py [--json] [--failed]. Then what a selection costs among 10,000 memories; asserts nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

# One BLAS thread, before numpy loads.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_THREAD,
    MAIN_TIMELINE,
    Address,
    Cause,
    CharacterId,
    Kind,
    Memory,
    MemoryId,
    PersonId,
    Redacted,
    View,
)
from souvenance.lang import language
from souvenance.models.embed.bundled import BundledEmbedder
from souvenance.ports import VectorRow
from souvenance.read.calibrations import Calibration
from souvenance.read.corpus import Corpus
from souvenance.read.plan import COMPANION
from souvenance.read.sameness import Outline, equal_words, outline, signature, worth_comparing
from souvenance.read.scores import read_query, score
from souvenance.read.selection import select
from souvenance.write.alike import similarity

CASES = Path(__file__).parents[1] / "tests/unit/read/cases"
WRITTEN = Path(__file__).parent / "cases"

#: Groups that were looked at while rules were written; the others only measured.
LOOKED_AT = 20

#: Cosines from which a row of the table takes two texts for one.
COSINES = (0.98, 0.95, 0.90)

Yields = Callable[[str, str], bool]
"""Whether the first text, coming later, yields to the second one, already chosen."""


def groups(code: str) -> list[list[str]]:
    """The phrasings of each fact."""
    lines = (CASES / f"same_{code}.txt").read_text("utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#"))
    return [block.strip().splitlines() for block in text.split("\n\n") if block.strip()]


def look_alikes(code: str) -> list[tuple[str, str]]:
    """The pairs of two facts that look alike, written for this."""
    lines = (CASES / f"differ_{code}.txt").read_text("utf-8").splitlines()
    split = [line.split(" | ") for line in lines if line and not line.startswith("#")]
    return [(one, other) for one, other, _ in split]


def written_pairs(code: str) -> list[tuple[str, str]]:
    """The distinct pairs of the write side's cases."""
    found = []
    for path in sorted(WRITTEN.glob("*/dedup.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            if row["lang"] == code and not row["same"]:
                found.append((row["a"], row["b"]))
    return found


def methods(code: str, vectors: Mapping[str, Any]) -> dict[str, Yields]:
    """What is compared with each other, ours first."""
    words = language(code)

    def seen(text: str) -> Outline:
        return outline(signature(text, words))

    def ours(later: str, earlier: str) -> bool:
        return equal_words(later, earlier, words) or (
            worth_comparing(seen(later), seen(earlier))
            and similarity.tells_one_fact(later, earlier, words)
        )

    def above(least: float) -> Yields:
        return lambda later, earlier: float(vectors[later] @ vectors[earlier]) >= least

    return {
        "ours": ours,
        "the same words": lambda later, earlier: equal_words(later, earlier, words),
        **{f"cosine from {least:.2f}": above(least) for least in COSINES},
    }


def places(group: Sequence[str], yields: Yields) -> int:
    """The slots that the phrasings of one fact take, each coming after those already chosen."""
    chosen: list[str] = []
    for text in group:
        if not any(yields(text, other) for other in chosen):
            chosen.append(text)
    return len(chosen)


def mean_places(known: Sequence[Sequence[str]], yields: Yields) -> float:
    """Over the groups, each in 12 seeded orders."""
    drawn = random.Random(4)
    counts = [places(drawn.sample(group, len(group)), yields) for group in known for _ in range(12)]
    return sum(counts) / len(counts)


def measured(code: str, failed: bool) -> dict[str, Any]:
    """One table: by method, slots per fact and look-alikes lost."""
    facts, alike, others = groups(code), look_alikes(code), written_pairs(code)
    texts = sorted({t for many in (*facts, *alike, *others) for t in many})
    drawn = asyncio.run(BundledEmbedder().embed(texts, timeout_s=120))
    vectors = dict(zip(texts, drawn, strict=True))
    table: dict[str, Any] = {}
    for name, yields in methods(code, vectors).items():
        lost = [p for p in alike if yields(*p) or yields(*p[::-1])]
        table[name] = {
            "slots, looked at": round(mean_places(facts[:LOOKED_AT], yields), 2),
            "slots, not looked at": round(mean_places(facts[LOOKED_AT:], yields), 2),
            "look-alikes lost": len(lost),
            "other distinct pairs lost": sum(yields(*p) or yields(*p[::-1]) for p in others),
        }
        if failed and name == "ours":
            table[name]["failed"] = [" / ".join(p) for p in lost]
    return {
        "facts": len(facts),
        "phrasings of a fact": round(sum(map(len, facts)) / len(facts), 2),
        "look-alikes": len(alike),
        "other distinct pairs": len(others),
        "methods": table,
    }


# --- what it costs -------------------------------------------------------------------------------

AT = Address(DEFAULT_SPACE, PersonId("bench"), CharacterId("bench"))
VIEW = View(AT, thread=MAIN_THREAD)
SYLLABLES = ("Bel", "dor", "fen", "gal", "jun", "mir", "tov")
BORN = datetime(2026, 1, 1, tzinfo=UTC)
KINDS = (Kind.FACT, Kind.PREFERENCE, Kind.PROMISE, Kind.EPISODE)


def distinct(count: int) -> list[str]:
    """That many sentences: all those of the cases, then the same again about other people and other figures."""
    once = [group[0] for group in groups("en")]
    once += [text for pair in (*look_alikes("en"), *written_pairs("en")) for text in pair]
    drawn = random.Random(7)
    made = []
    for n in range(count):
        text, again = once[n % len(once)], n // len(once)
        text = re.sub(r"\d+", lambda m: str(int(m[0]) + drawn.randrange(1, 10**4)), text)
        made.append(
            f"{SYLLABLES[again % 7]}{SYLLABLES[again // 7 % 7]} says: {text}" if again else text
        )
    return made


def phrased(count: int) -> list[str]:
    """That many sentences of which hundreds are phrasings of one another: the worst case."""
    facts = [text for group in groups("en") for text in group]
    return [f"{facts[n % len(facts)]} {'Truly. ' * (n // len(facts))}" for n in range(count)]


def corpus_of(texts: Sequence[str]) -> Corpus:
    """Memories of all kinds, half of them global, with seeded vectors."""
    vectors = np.random.default_rng(3).standard_normal((len(texts), 64)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    memories = [
        Memory(
            MemoryId(f"m{n:05d}"), AT, MAIN_TIMELINE, None if n % 2 else MAIN_THREAD, KINDS[n % 4],
            Redacted(text), BORN + timedelta(hours=n), BORN, Cause("reflection"),
        )
        for n, text in enumerate(texts)
    ]  # fmt: skip
    rows = [
        VectorRow(AT, m.memory_id, m.fingerprint, v) for m, v in zip(memories, vectors, strict=True)
    ]
    return Corpus.build(VIEW, language("en"), memories, rows)


def turns(corpus: Corpus, count: int) -> Iterator[tuple[float, int]]:
    """CPU milliseconds of the selection of each turn, scores apart, and the slots it filled."""
    drawn = np.random.default_rng(5)
    for _ in range(count):
        asked = drawn.standard_normal(64).astype(np.float32)
        query = read_query("Where is the lamp?", corpus.language, asked / np.linalg.norm(asked))
        scores = score(corpus, query, Calibration(0.3))
        began = time.thread_time()
        slots = select(corpus, scores, COMPANION, date(2026, 6, 1), similarity.tells_one_fact).slots
        yield (time.thread_time() - began) * 1000, len(slots)


def costs() -> dict[str, Any]:
    """CPU milliseconds of one selection of 24 among 10,000: the first turn, then the others."""
    table = {}
    for name, texts in (("distinct", distinct(10_000)), ("phrasings", phrased(10_000))):
        similarity._same.cache_clear()
        spent = [ms for ms, _ in turns(corpus_of(texts), 200)]
        table[name] = {
            "first": round(spent[0], 2),
            "p50": round(float(np.quantile(spent[1:], 0.5)), 2),
            "p99": round(float(np.quantile(spent[1:], 0.99)), 2),
            "worst": round(max(spent), 2),
        }
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--failed", action="store_true", help="name the look-alikes that ours lost")
    asked = parser.parse_args()
    found = {code: measured(code, asked.failed) for code in ("fr", "en")}
    spent = costs()
    if asked.json:
        print(json.dumps({"bench": "sameness", "by": found, "ms": spent}))
        return
    for code, table in found.items():
        print(
            f"{code}: {table['facts']} facts of {table['phrasings of a fact']} phrasings, "
            f"{table['look-alikes']} look-alikes, {table['other distinct pairs']} other pairs"
        )
        for name, row in table["methods"].items():
            print(f"  {name:18}", *(f"{k} {v}" for k, v in row.items()), sep="  ")
    print("CPU ms of a selection of 24 among 10,000:")
    for name, row in spent.items():
        print(f"  {name:18}", *(f"{k} {v}" for k, v in row.items()), sep="  ")


if __name__ == "__main__":
    main()
