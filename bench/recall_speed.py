"""Prints what one recall costs at 300, 1,000 and 10,000 memories, beside the bare matrix product.

The vector of the message is given, so this is the read path without the embedder: stamp, scores, slots.
Run: python bench/recall_speed.py [--json] [--turns N]. Seeded and synthetic; asserts nothing about time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

# One BLAS thread, before numpy loads, for both columns alike.
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
from souvenance.ports import Store, Vector, VectorRow
from souvenance.read.recall import Recall
from souvenance.writes import AddVersion

SIZES = (300, 1_000, 10_000)
DIMENSION = 512
EMBEDDER = "bench"
AT = Address(DEFAULT_SPACE, PersonId("bench"), CharacterId("bench"))
VIEW = View(AT, thread=MAIN_THREAD)
NOW = datetime(2026, 6, 1, tzinfo=UTC)
KINDS = (Kind.FACT, Kind.PREFERENCE, Kind.PROMISE, Kind.EPISODE)

_SYLLABLES = (
    "ba",
    "co",
    "di",
    "fu",
    "la",
    "mo",
    "ni",
    "pe",
    "ra",
    "so",
    "ti",
    "ve",
    "gran",
    "lis",
    "tor",
    "men",
)
_SMALL = ("the", "a", "of", "to", "in", "with", "for", "his", "her", "and")


def vocabulary(rng: random.Random, size: int) -> tuple[list[str], list[float]]:
    """Made-up words whose frequency falls like that of real ones (Zipf)."""
    words: dict[str, None] = {}
    while len(words) < size:
        words["".join(rng.choices(_SYLLABLES, k=rng.randint(2, 4)))] = None
    return list(words), [1 / (rank + 3) for rank in range(size)]


def sentence(rng: random.Random, words: Sequence[str], weights: Sequence[float]) -> str:
    """Eight to twenty-two words, half of them small."""
    count = rng.randint(8, 22)
    content = rng.choices(words, weights, k=count)
    return (
        " ".join(w if rng.random() < 0.5 else rng.choice(_SMALL) for w in content).capitalize()
        + "."
    )


def memories(rng: random.Random, texts: Sequence[str]) -> list[Memory]:
    """One memory a text: a third of this thread, one in fifty pinned, born an hour apart."""
    made = []
    for n, text in enumerate(texts):
        born = NOW - timedelta(hours=len(texts) - n)
        made.append(
            Memory(
                MemoryId(f"m{n:06d}"),
                AT,
                MAIN_TIMELINE,
                MAIN_THREAD if n % 3 == 0 else None,
                rng.choice(KINDS),
                Redacted(text),
                born,
                born,
                Cause("import"),
                importance=rng.randint(1, 5),
                pinned=n % 50 == 0,
            )
        )
    return made


def unit_rows(rng: np.random.Generator, count: int) -> Vector:
    """Random unit vectors. Shape (count, DIMENSION)."""
    rows = rng.standard_normal((count, DIMENSION)).astype(np.float32)
    units: Vector = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return units


class ReadyEmbedder:
    """Answers at once with the next of some vectors, so that only the path is timed."""

    name = EMBEDDER
    threshold = 0.1

    def __init__(self, vectors: Vector) -> None:
        self._vectors, self._next = vectors, 0

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, query_in: str | None = None
    ) -> Vector:
        self._next = (self._next + 1) % len(self._vectors)
        return self._vectors[self._next : self._next + 1]

    async def close(self) -> None:
        """Nothing to close."""


def store_in(folder: Path) -> Store:
    """A real store in one file."""
    from souvenance.stores.sqlite import open_store

    return open_store(folder / "bench.db")


def remember(store: Store, some: Sequence[Memory], vectors: Vector) -> None:
    """Stores memories and their vectors."""
    store.commit(AT.space, AT.person, [AddVersion(m, None) for m in some])
    rows = [
        VectorRow(AT, m.memory_id, m.fingerprint, v) for m, v in zip(some, vectors, strict=True)
    ]
    store.vectors.put(EMBEDDER, rows)


def milliseconds(values: Sequence[float]) -> dict[str, float]:
    """Median and 95th percentile."""
    p50, p95 = np.percentile(np.array(values) * 1000, [50, 95])
    return {"p50_ms": round(float(p50), 3), "p95_ms": round(float(p95), 3)}


def timed(call: Callable[[], object]) -> float:
    """Seconds of one call."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


async def measure(size: int, turns: int, folder: Path) -> dict[str, Any]:
    """All figures at one size."""
    rng = random.Random(size)
    words, weights = vocabulary(rng, 4_000)
    some = memories(rng, [sentence(rng, words, weights) for _ in range(size + 20)])
    numbers = np.random.default_rng(size)
    vectors = unit_rows(numbers, len(some))
    questions = [sentence(rng, words, weights) for _ in range(turns)]
    store = store_in(folder)
    remember(store, some[:size], vectors[:size])
    recall = Recall(store, ReadyEmbedder(unit_rows(numbers, turns)), deadline_s=60)

    began = time.perf_counter()
    await recall.warm(VIEW, "en")
    built = time.perf_counter() - began
    path: list[float] = []
    for question in questions:
        path.append((await recall.recall(VIEW, question, now=NOW, language="en")).timings.total_s)
    after: list[float] = []
    for n in range(size, len(some)):
        remember(store, some[n : n + 1], vectors[n : n + 1])
        began = time.perf_counter()
        await recall.warm(VIEW, "en")
        after.append(time.perf_counter() - began)
    bare = [timed(lambda q=q: vectors[:size] @ q) for q in unit_rows(numbers, turns)]
    await recall.close()
    store.close()
    return {
        "memories": size,
        "turns": turns,
        "recall": milliseconds(path[turns // 10 :]),
        "bare_product": milliseconds(bare[turns // 10 :]),
        "after_one_new_memory": milliseconds(after),
        "built_from_nothing_ms": round(built * 1000, 1),
    }


def printed(rows: Sequence[dict[str, Any]]) -> None:
    """The table for people."""
    print(
        f"{'memories':>9} {'recall p50':>11} {'p95':>8} {'bare product p50':>17} {'p95':>8} {'one new memory p50':>19} {'from nothing':>13}"
    )
    for row in rows:
        print(
            f"{row['memories']:>9} {row['recall']['p50_ms']:>11.2f} {row['recall']['p95_ms']:>8.2f} "
            f"{row['bare_product']['p50_ms']:>17.2f} {row['bare_product']['p95_ms']:>8.2f} "
            f"{row['after_one_new_memory']['p50_ms']:>19.2f} {row['built_from_nothing_ms']:>13.1f}"
        )
    print(
        f"milliseconds; {rows[0]['turns']} turns a size, the first tenth left out; dimension {DIMENSION}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument("--turns", type=int, default=200)
    chosen = parser.parse_args()
    rows = []
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(asyncio.run(measure(size, chosen.turns, Path(folder))))
    if chosen.json:
        print(json.dumps({"bench": "recall_speed", "dimension": DIMENSION, "sizes": rows}))
    else:
        printed(rows)


if __name__ == "__main__":
    main()
