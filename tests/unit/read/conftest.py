"""A small world to recall from: made-up memories, vectors chosen by hand, and a store that holds both in lists."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_TIMELINE,
    Address,
    Cause,
    CharacterId,
    Kind,
    Memory,
    MemoryId,
    PersonId,
    Redacted,
    Seq,
    Stamp,
    Status,
    ThreadId,
    View,
)  # fmt: skip
from souvenance.errors import StoreBusy
from souvenance.ports import VectorRow

ADDRESS = Address(DEFAULT_SPACE, PersonId("noor"), CharacterId("odile"))
THREAD = ThreadId("harbour")
BORN = datetime(2026, 3, 1, tzinfo=UTC)
DIMENSION = 8


def new_memory(name: str, text: str | None = None, **changes: Any) -> Memory:
    """One active global fact born on 1 March 2026, changed as asked; `hours` moves its birth."""
    born = BORN + timedelta(hours=changes.pop("hours", 0))
    base = Memory(
        MemoryId(name), ADDRESS, MAIN_TIMELINE, None, Kind.FACT, Redacted(text or f"Note {name}."),
        born, born, Cause("reflection"),
    )  # fmt: skip
    return replace(base, **changes)


def new_vector(memory: Memory, direction: Sequence[float] | None = None) -> VectorRow:
    """The vector of a memory's present text: the direction given, or one drawn from its text."""
    seed = np.random.default_rng(zlib.crc32(memory.text.encode()))
    raw = np.array(
        direction if direction is not None else seed.standard_normal(DIMENSION), np.float32
    )
    return VectorRow(ADDRESS, memory.memory_id, memory.fingerprint, raw / np.linalg.norm(raw))


@dataclass
class ListStore:
    """The part of a store that recall reads; `memories` and `vectors` are itself. Counts its reads."""

    rows: list[Memory] = field(default_factory=list)
    vector_rows: list[tuple[int, VectorRow]] = field(default_factory=list)
    seq: int = 0
    vector_seq: int = 0
    erasures: int = 0
    reads: list[str] = field(default_factory=list)
    broken: bool = False
    gate: threading.Event | None = None

    @property
    def memories(self) -> ListStore:
        return self

    @property
    def vectors(self) -> ListStore:
        return self

    @property
    def conversations(self) -> ListStore:
        return self

    def character(self, space: object, character: object) -> None:
        return None

    def write(self, *memories: Memory, indexed: bool = True) -> None:
        """Each memory becomes current, one commit for all."""
        self.seq += 1
        known = {m.memory_id for m in memories}
        self.rows = [m for m in self.rows if m.memory_id not in known]
        self.rows += [replace(m, seq_from=Seq(self.seq)) for m in memories]
        if indexed:
            self.index(*memories)

    def index(self, *memories: Memory) -> None:
        self.vector_seq += 1
        self.vector_rows += [(self.vector_seq, new_vector(m)) for m in memories]

    def erase(self, memory_id: str) -> None:
        self.erasures += 1
        self.rows = [m for m in self.rows if m.memory_id != memory_id]
        self.vector_rows = [r for r in self.vector_rows if r[1].memory_id != memory_id]

    def _read(self, what: str) -> None:
        self.reads.append(what)
        if self.gate is not None:
            self.gate.wait(5)
        if self.broken:
            raise StoreBusy("another process holds the file")

    def stamp(self, view: View) -> Stamp:
        self._read("stamp")
        return Stamp(Seq(self.seq), self.vector_seq, self.erasures)

    def current(self, view: View, since: Seq = Seq(0)) -> list[Memory]:
        self._read("current")
        return [m for m in self.rows if m.seq_from > since]

    def load(self, view: View, embedder: str, since: int = 0) -> list[VectorRow]:
        self._read("load")
        texts = {m.memory_id: m.fingerprint for m in self.rows}
        newest = {r.memory_id: r for n, r in self.vector_rows if n > since}
        return [r for r in newest.values() if texts.get(r.memory_id) == r.fingerprint]


@pytest.fixture(scope="session")
def view() -> View:
    return View(ADDRESS, thread=THREAD)


@pytest.fixture(scope="session")
def memory() -> Callable[..., Memory]:
    return new_memory


@pytest.fixture(scope="session")
def vector() -> Callable[..., VectorRow]:
    return new_vector


@pytest.fixture
def store() -> ListStore:
    return ListStore()


@pytest.fixture(scope="session")
def closed() -> Callable[[Memory], Memory]:
    return lambda m: replace(m, status=Status.FORGOTTEN)
