"""Keeps the transcripts of the conversations used last, each moved forward by what was said since.

Only the current branch of each thread is in it, and nothing of a thread where memory is off.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field, replace

from souvenance.domain import (
    Memory,
    MemoryId,
    Message,
    MessageId,
    Stamp,
    Status,
    ThreadId,
    View,
)
from souvenance.lang import language
from souvenance.ports import SaidStamp, Store, WindowRow
from souvenance.read.cache import CacheBusy
from souvenance.read.uncollected import uncollected
from souvenance.read.verbatim import Line, Transcript, WindowKind, WindowVector

#: Transcripts kept. Chosen, not measured: 10,000 messages with vectors take about forty megabytes.
CACHED_TALKS = 16

#: Messages read at the end of a thread in search of the last one known. Chosen, not measured.
TAIL = 50

#: More messages than any thread has.
_ALL = 2**31 - 1

_KINDS = {kind.value: kind for kind in WindowKind}


@dataclass(frozen=True, slots=True)
class Talked:
    """What may be found: the lines, and the messages behind memories that were forgotten or superseded."""

    transcript: Transcript
    closed: tuple[tuple[MemoryId, Status, tuple[MessageId, ...]], ...] = ()

    def behind(self, *statuses: Status) -> set[MessageId]:
        """The messages that memories of these statuses rest on."""
        return {m for _, status, messages in self.closed if status in statuses for m in messages}


@dataclass(slots=True)
class _Entry:
    lock: threading.Lock = field(default_factory=threading.Lock)
    talked: Talked | None = None
    stamp: tuple[SaidStamp, Stamp] | None = None
    sources: set[ThreadId] = field(default_factory=set)  # threads whose messages are in it


class TranscriptCache:
    """Transcripts by view and language, for one embedder or none. Thread-safe; called off the event loop."""

    def __init__(self, store: Store, embedder: str | None, limit: int = CACHED_TALKS) -> None:
        self._store, self._embedder, self._limit = store, embedder, limit
        self._entries: OrderedDict[tuple[View, str], _Entry] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def fresh(self, view: View, code: str, wait_s: float) -> Talked:
        """What was said in a view as the store has it now.

        Errors: `StoreError`; `CacheBusy` when another thread is still building it after `wait_s`.
        """
        view = whole(view)
        entry = self._entry(view, code)
        if not entry.lock.acquire(timeout=wait_s):
            raise CacheBusy
        try:
            # The stamps are read first: what is written meanwhile is read twice rather than missed.
            stamp = (self._store.windows.stamp(view), self._store.memories.stamp(view))
            if entry.talked is None or entry.stamp is None or not self._move(entry, view, stamp):
                with uncollected():
                    self._build(entry, view, code, stamp)
            entry.stamp = stamp
            assert entry.talked is not None
            return entry.talked
        finally:
            entry.lock.release()

    def forget(self) -> None:
        """Drops every transcript."""
        with self._lock:
            self._entries.clear()

    def _entry(self, view: View, code: str) -> _Entry:
        with self._lock:
            entry = self._entries.setdefault((view, code), _Entry())
            self._entries.move_to_end((view, code))
            while len(self._entries) > self._limit:
                self._entries.popitem(last=False)
            return entry

    def _build(self, entry: _Entry, view: View, code: str, stamp: tuple[SaidStamp, Stamp]) -> None:
        lines: list[Line] = []
        entry.sources = set()
        for thread, head in stamp[0].heads:
            path = self._store.conversations.path(view.address, thread, _ALL, head)
            entry.sources |= {message.thread for message in path}
            lines += lines_of(thread, path)
        vectors = self._vectors(view, entry.sources, 0)
        transcript = Transcript.build(lines, language(code), vectors)
        entry.talked = Talked(transcript, _closed((), self._store.memories.current(view)))

    def _move(self, entry: _Entry, view: View, stamp: tuple[SaidStamp, Stamp]) -> bool:
        """Brings an entry up to date; False when it has to be built anew: a branch was left, or words were lost."""
        assert entry.talked is not None and entry.stamp is not None
        (said, told), (said_was, told_was) = stamp, entry.stamp
        if stamp == entry.stamp:
            return True
        heads, heads_were = dict(said.heads), dict(said_was.heads)
        if (said.edits, told.erasures) != (said_was.edits, told_was.erasures):
            return False
        if not heads_were.keys() <= heads.keys():
            return False
        talked, lines, sources = entry.talked, [], set(entry.sources)
        for thread, head in said.heads:
            path = self._since(view, thread, head, heads_were.get(thread))
            if path is None:
                return False
            entry.sources |= {message.thread for message in path}
            lines += lines_of(thread, path)
        # A thread that comes into view (memory was off in it) may have been embedded long before.
        vectors = self._vectors(view, entry.sources - sources, 0)
        if said.windows != said_was.windows:
            vectors += self._vectors(view, sources, said_was.windows)
        if lines or vectors:
            talked = replace(talked, transcript=talked.transcript.update(lines, vectors))
        if told.memory_seq != told_was.memory_seq:
            changed = self._store.memories.current(view, told_was.memory_seq)
            talked = replace(talked, closed=_closed(talked.closed, changed))
        entry.talked = talked
        return True

    def _since(
        self, view: View, thread: ThreadId, head: MessageId, was: MessageId | None
    ) -> list[Message] | None:
        """What was said in a thread after the message `was`; None when that is not on its path any more."""
        if head == was:
            return []
        conversations = self._store.conversations
        if was is None:
            return conversations.path(view.address, thread, _ALL, head)
        path = conversations.path(view.address, thread, TAIL, head)
        place = next((n for n, m in enumerate(path) if m.message_id == was), None)
        return None if place is None else path[place + 1 :]

    def _vectors(self, view: View, threads: Set[ThreadId], since: int) -> list[WindowVector]:
        if self._embedder is None or not threads:
            return []
        load = self._store.windows.load
        return _known(load(view.address, self._embedder, sorted(threads), since))


def whole(view: View) -> View:
    """The view of all that may be found from this one: every thread, or its own under strict isolation."""
    return view if view.isolation == "thread" else replace(view, thread=None)


def lines_of(thread: ThreadId, path: Iterable[Message]) -> list[Line]:
    """The lines of a path of messages, oldest first, as those of one thread."""
    return [Line(m.message_id, thread, m.at, m.role, m.text) for m in path]


def _known(rows: Iterable[WindowRow]) -> list[WindowVector]:
    """Those of the kinds of windows that are searched today."""
    return [
        WindowVector(row.message_id, _KINDS[row.window], row.fingerprint, row.vector)
        for row in rows
        if row.window in _KINDS
    ]


def _closed(
    known: Sequence[tuple[MemoryId, Status, tuple[MessageId, ...]]], changed: Iterable[Memory]
) -> tuple[tuple[MemoryId, Status, tuple[MessageId, ...]], ...]:
    """The memories that are closed and what they rest on, after these changed."""
    found = {memory_id: (memory_id, status, messages) for memory_id, status, messages in known}
    for memory in changed:
        found.pop(memory.memory_id, None)
        if memory.status in (Status.FORGOTTEN, Status.SUPERSEDED) and memory.messages:
            found[memory.memory_id] = (memory.memory_id, memory.status, memory.messages)
    return tuple(found.values())
