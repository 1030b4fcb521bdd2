"""What is remembered, read through a `View`: its own timeline, and its ancestors' as of the fork."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from souvenance.counts import Counters
from souvenance.domain import (
    Address,
    Failure,
    JournalEntry,
    Memory,
    MemoryId,
    Proposal,
    Seq,
    Stamp,
    TimelineId,
    View,
)
from souvenance.stores.lineage import Link, as_seen, chain, joined, sees
from souvenance.stores.sqlite import rows
from souvenance.stores.sqlite.connection import Database, one, run
from souvenance.stores.sqlite.pool import Readers


class SqliteMemories:
    """Implements `ports.Memories`."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    def stamp(self, view: View) -> Stamp:
        with self._readers.reading() as db:
            row = one(db, "stamp", {"space": view.address.space, "person": view.address.person})
        return Stamp(Seq(0), 0, 0) if row is None else Stamp(*row)

    def current(self, view: View, since: Seq = Seq(0)) -> list[Memory]:
        with self._readers.snapshot() as db:
            return current(db, view, since)

    def as_of(self, view: View, seq: Seq) -> list[Memory]:
        with self._readers.snapshot() as db:
            links = lineage(db, view.address, view.timeline)
            at_seq = [Link(link.timeline, Seq(min(link.upto, seq))) for link in links]
            found = _states(db, view, at_seq, Seq(0))
        limits = {link.timeline: link.upto for link in links}
        return [as_seen(memory, limits[memory.timeline]) for memory in found]

    def history(self, view: View, memory_id: MemoryId) -> list[Memory]:
        with self._readers.snapshot() as db:
            links = lineage(db, view.address, view.timeline)
            values = rows.at(view.address) | {"chain": _listed(links), "memory_id": memory_id}
            states = joined([rows.to_memory(row) for row in run(db, "history", values)])
        return [memory for memory in states if sees(view, memory)]

    def journal(
        self, view: View, *, actions: Sequence[str] = (), limit: int = 100
    ) -> list[JournalEntry]:
        values = rows.seen_by(view) | {"actions": rows.as_json(actions), "limit": limit}
        with self._readers.reading() as db:
            return [rows.to_journal(row) for row in run(db, "journal", values)]

    def failures(self, view: View, *, resolved: bool = False) -> list[Failure]:
        values = rows.at(view.address) | {"thread": view.thread, "resolved": resolved}
        with self._readers.reading() as db:
            return [rows.to_failure(row) for row in run(db, "failures", values)]

    def proposals(self, view: View) -> list[Proposal]:
        values = rows.at(view.address) | {"thread": view.thread}
        with self._readers.reading() as db:
            return [rows.to_proposal(row) for row in run(db, "proposals", values)]

    def counters(self, view: View) -> Mapping[MemoryId, Counters]:
        with self._readers.reading() as db:
            found = run(db, "counters", rows.at(view.address))
        return {
            memory_id: Counters(
                served, retrieved, None if last is None else rows.to_instant(last), *first
            )
            for memory_id, served, retrieved, last, *first in found
        }


def lineage(db: Database, address: Address, timeline: TimelineId) -> tuple[Link, ...]:
    """The chain of timelines that a view of `timeline` sees."""
    found = run(db, "timelines", rows.at(address))
    return chain([rows.to_timeline(row) for row in found], timeline)


def current(db: Database, view: View, since: Seq) -> list[Memory]:
    """The current states a view sees, changed after `since`; by seq_from, then id."""
    links = lineage(db, view.address, view.timeline)
    if len(links) > 1:
        return [as_seen(m, Seq(m.seq_from)) for m in _states(db, view, links, since)]
    values = rows.seen_by(view) | {"timeline": view.timeline, "since": since}
    return [rows.to_memory(row) for row in run(db, "current_own", values)]


def _states(db: Database, view: View, links: Sequence[Link], since: Seq) -> list[Memory]:
    values = rows.seen_by(view) | {"chain": _listed(links), "since": since}
    return [rows.to_memory(row) for row in run(db, "states_along", values)]


def _listed(links: Sequence[Link]) -> str:
    return rows.as_json([[link.timeline, link.upto] for link in links])
