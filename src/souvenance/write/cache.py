"""Keeps what is known of the views reflected on last, each moved forward by what changed since.

A reflection then reads what is new to it, not ten thousand memories; all of it can be dropped and is rebuilt.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from souvenance.domain import Stamp, View
from souvenance.lang import language
from souvenance.ports import Memories
from souvenance.write.alike.nearby import Known, in_order

#: Memories kept in all, beyond the view in use. Measured on 2026-11-30: 16 MB for the table of 10,000 made-up
#: memories (bench/dedup_speed.py), the memories themselves apart. The bound is chosen, not measured.
KEPT_MEMORIES = 50_000

#: Views kept, however small. Chosen, not measured.
KEPT_VIEWS = 64


@dataclass(slots=True)
class _Entry:
    lock: threading.Lock = field(default_factory=threading.Lock)
    known: Known | None = None
    stamp: Stamp | None = None
    size: int = 0


class KnownCache:
    """What is known, by view and language. Thread-safe; called off the event loop."""

    def __init__(
        self, memories: Memories, kept: int = KEPT_MEMORIES, views: int = KEPT_VIEWS
    ) -> None:
        self._memories, self._kept, self._views = memories, kept, views
        self._entries: OrderedDict[tuple[View, str], _Entry] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    @contextmanager
    def fresh(self, view: View, code: str) -> Iterator[Known]:
        """What is known of a view as the store has it now; nobody else has it meanwhile. Errors: `StoreError`."""
        entry = self._entry(view, code)
        with entry.lock:
            # The stamp is read first: what is written meanwhile is read twice rather than missed.
            stamp = self._memories.stamp(view)
            if entry.stamp is None or entry.stamp.erasures != stamp.erasures:
                entry.known = None  # rows were removed: nothing of them may stay, not even a word
            if entry.known is None or entry.stamp is None:
                entry.known = Known(in_order(self._memories.current(view)), language(code))
            elif entry.stamp.memory_seq != stamp.memory_seq:
                changed = self._memories.current(view, entry.stamp.memory_seq)
                entry.known.advance(in_order(changed))
            entry.stamp, entry.size = stamp, len(entry.known)
            self._trim(entry)
            yield entry.known

    def _entry(self, view: View, code: str) -> _Entry:
        with self._lock:
            entry = self._entries.setdefault((view, code), _Entry())
            self._entries.move_to_end((view, code))
            return entry

    def _trim(self, used: _Entry) -> None:
        """Lets go of the views used longest ago, never of the one in use."""
        with self._lock:
            total = sum(entry.size for entry in self._entries.values())
            for key, entry in list(self._entries.items()):
                if total <= self._kept and len(self._entries) <= self._views:
                    return
                if entry is not used:
                    total -= entry.size
                    del self._entries[key]
