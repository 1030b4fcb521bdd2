"""Made-up memories with vectors, in a real store, for the benches that time the read path.

Seeded; words are invented and fall in frequency as real ones do.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

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
from souvenance.writes import AddVersion

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


def filled(folder: Path, size: int, spare: int = 0) -> tuple[Store, list[Memory], Vector]:
    """A store with `size` memories and their vectors, and these beside `spare` more that are not stored yet."""
    rng = random.Random(size)
    words, weights = vocabulary(random.Random(1), 4_000)
    some = memories(rng, [sentence(rng, words, weights) for _ in range(size + spare)])
    vectors = unit_rows(np.random.default_rng(size), len(some))
    store = store_in(folder)
    remember(store, some[:size], vectors[:size])
    return store, some, vectors


def questions(count: int) -> list[str]:
    """Messages of the same words."""
    rng = random.Random(count)
    words, weights = vocabulary(random.Random(1), 4_000)
    return [sentence(rng, words, weights) for _ in range(count)]


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
