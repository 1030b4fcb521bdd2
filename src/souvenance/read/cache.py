"""Keeps the corpora of the views used last, each moved forward by what changed since.

A turn then costs one small question to the store; everything here can be dropped and is rebuilt.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from souvenance.domain import Memory, Stamp, View
from souvenance.lang import language
from souvenance.ports import Store, VectorRow
from souvenance.read.corpus import Corpus
from souvenance.read.uncollected import uncollected

#: Views kept. Chosen, not measured: 300 memories with vectors take about one megabyte, 10,000 about thirty.
CACHED_VIEWS = 64


#: Seconds to let another thread bring a corpus forward before this one does it too. Chosen: longer than a few changes
#: take. Measured 2026-11-30, bench/turn_overhead.py on a loaded machine: with a thread stuck there for ever replies
#: lose 159 ms at p99, and 330 ms when this is 0.1.
PATIENCE_S = 0.05


class CacheBusy(Exception):
    """Another thread is still building this corpus."""


@dataclass(slots=True)
class _Entry:
    lock: threading.Lock = field(default_factory=threading.Lock)
    known: tuple[Corpus, Stamp] | None = None  # in one piece, for who reads it without the lock


class CorpusCache:
    """Corpora by view and language, for one embedder or none. Thread-safe; called off the event loop."""

    def __init__(self, store: Store, embedder: str | None, limit: int = CACHED_VIEWS) -> None:
        self._store, self._embedder, self._limit = store, embedder, limit
        self._entries: OrderedDict[tuple[View, str | None], _Entry] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def fresh(self, view: View, code: str | None, wait_s: float) -> Corpus:
        """The corpus of a view as the store has it now, in a language (None: that of the stored character).

        A thread that is held while it brings this corpus forward holds nobody else: they go on from the last one.
        Errors: `StoreError`; `CacheBusy` when another thread is still building the first one after `wait_s`.
        """
        entry = self._entry(view, code)
        known = entry.known
        if not entry.lock.acquire(timeout=wait_s if known is None else min(PATIENCE_S, wait_s)):
            known = entry.known
            if known is None:
                raise CacheBusy
            return self._next(view, code, known)[0]
        try:
            entry.known = self._next(view, code, entry.known)
            return entry.known[0]
        finally:
            entry.lock.release()

    def _next(
        self, view: View, code: str | None, known: tuple[Corpus, Stamp] | None
    ) -> tuple[Corpus, Stamp]:
        """The corpus as the store has it now. The stamp is read first: what is written meanwhile is read twice
        rather than missed."""
        stamp = self._store.memories.stamp(view)
        if known is None or known[1].erasures != stamp.erasures:
            return self._built(view, code), stamp
        if known[1] == stamp:
            return known[0], stamp
        return self._moved(known[0], known[1], code), stamp

    def forget(self) -> None:
        """Drops every corpus."""
        with self._lock:
            self._entries.clear()

    def _entry(self, view: View, code: str | None) -> _Entry:
        with self._lock:
            entry = self._entries.setdefault((view, code), _Entry())
            self._entries.move_to_end((view, code))
            while len(self._entries) > self._limit:
                self._entries.popitem(last=False)
            return entry

    def _built(self, view: View, code: str | None) -> Corpus:
        if code is None:
            at = view.address
            character = self._store.conversations.character(at.space, at.character)
            code = character.language if character is not None else "en"
        with uncollected():
            memories = self._store.memories.current(view)
            return Corpus.build(view, language(code), memories, self._vectors(view, 0))

    def _moved(self, corpus: Corpus, since: Stamp, code: str | None) -> Corpus:
        memories = self._store.memories.current(corpus.view, since.memory_seq)
        after = 0 if _came_from_elsewhere(corpus, memories) else since.vector_stamp
        vectors = self._vectors(corpus.view, after)
        if corpus.dimension is not None and any(len(v.vector) != corpus.dimension for v in vectors):
            return self._built(corpus.view, code)  # all were made anew, in another dimension
        return corpus.update(memories, vectors)

    def _vectors(self, view: View, after: int) -> list[VectorRow]:
        if self._embedder is None:
            return []
        return self._store.vectors.load(view, self._embedder, after)


def _came_from_elsewhere(corpus: Corpus, memories: list[Memory]) -> bool:
    """Whether a memory older than its row comes into view (its thread let go of it): its vector is older too."""
    return any(m.changed_at > m.born_at and corpus.memory(m.memory_id) is None for m in memories)
