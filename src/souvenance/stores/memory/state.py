"""Everything one person owns, as dictionaries; a commit works on a copy and swaps it in."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field, fields, replace

from souvenance.counts import BLOCK_TOP, Counters, Stretch, Tally
from souvenance.domain import (
    MAIN_TIMELINE,
    Address,
    CharacterId,
    Failure,
    Job,
    JobId,
    JournalEntry,
    Memory,
    MemoryId,
    Message,
    MessageId,
    Person,
    Proposal,
    Seq,
    Switch,
    Thread,
    ThreadId,
    Timeline,
    TimelineId,
    View,
)
from souvenance.ports import Vector
from souvenance.stores.lineage import UNLIMITED, Link, as_seen, chain

#: Seq, then the order inside the commit: how rows of one commit keep their order.
Place = tuple[Seq, int]
MemoryKey = tuple[Address, TimelineId, MemoryId]
VectorKey = tuple[Address, MemoryId, str, str]  # embedder, fingerprint
WindowKey = tuple[Address, MessageId, str, str, str]  # window, embedder, fingerprint


@dataclass(slots=True)
class PersonState:
    """The rows of one person; each dictionary keeps the order of insertion."""

    person: Person
    seq: Seq = Seq(0)
    memory_seq: Seq = Seq(0)
    vector_stamp: int = 0
    erasures: int = 0
    turns: dict[Address, int] = field(default_factory=dict)
    degraded: dict[Address, int] = field(default_factory=dict)
    #: Whose thread consecutive turns were, by the first of them.
    stretches: dict[tuple[Address, int], Stretch] = field(default_factory=dict)
    #: Full blocks of turns, and the one being counted without its figures: they are in `recent`.
    tallies: dict[tuple[Address, int], Tally] = field(default_factory=dict)
    #: The last block that each memory was served in, how often, and how often it was retrieved there.
    recent: dict[tuple[Address, MemoryId], tuple[int, int, int]] = field(default_factory=dict)
    timelines: dict[tuple[Address, TimelineId], tuple[Seq, Timeline]] = field(default_factory=dict)
    threads: dict[tuple[Address, ThreadId], Thread] = field(default_factory=dict)
    messages: dict[tuple[Address, MessageId], tuple[Place, Message]] = field(default_factory=dict)
    #: All states of a memory in a timeline, oldest first; the last one is current.
    versions: dict[MemoryKey, tuple[Memory, ...]] = field(default_factory=dict)
    journal: dict[Place, JournalEntry] = field(default_factory=dict)
    jobs: dict[JobId, tuple[Place, Job]] = field(default_factory=dict)
    failures: dict[str, tuple[Place, Failure]] = field(default_factory=dict)
    proposals: dict[Place, Proposal] = field(default_factory=dict)
    counters: dict[tuple[Address, MemoryId], Counters] = field(default_factory=dict)
    switches: dict[tuple[CharacterId | None, ThreadId | None], Switch] = field(default_factory=dict)
    vectors: dict[VectorKey, tuple[int, Vector]] = field(default_factory=dict)
    window_stamp: int = 0
    message_edits: int = 0
    windows: dict[WindowKey, tuple[int, Vector]] = field(default_factory=dict)
    #: By thread and embedder: the message up to which all windows are there.
    windowed: dict[tuple[Address, ThreadId, str], MessageId] = field(default_factory=dict)

    def copied(self) -> PersonState:
        """A state that can change without this one changing: the records themselves are frozen."""
        other = copy(self)
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, dict):
                setattr(other, each.name, dict(value))
        return other

    def timelines_of(self, address: Address) -> list[Timeline]:
        """By the seq that made or moved them, then name."""
        found = [entry for (where, _), entry in self.timelines.items() if where == address]
        return [t for _, t in sorted(found, key=lambda e: (e[0], e[1].timeline))]

    def tally(self, address: Address, block: int) -> Tally:
        """A block with its figures, as long as no later one began to be counted."""
        uses = [u for (where, _), u in self.recent.items() if where == address and u[0] == block]
        served = sorted((n for _, n, _ in uses), reverse=True)
        return replace(
            self.tallies[address, block],
            slots=sum(served),
            retrieved=sum(n for _, _, n in uses),
            memories=len(served),
            top=sum(served[:BLOCK_TOP]),
            squares=sum(n * n for n in served),
        )

    def links(self, address: Address, timeline: TimelineId) -> tuple[Link, ...]:
        """The chain of timelines that a view of `timeline` sees."""
        return chain(self.timelines_of(address), timeline)

    def standing(self, view: View, upto: Seq = UNLIMITED) -> list[Memory]:
        """For each memory, the state that stands at `upto` in the nearest timeline that has any.

        `seq_to` is as the view sees it: None when what closed the state lies beyond a fork.
        """
        found: dict[MemoryId, Memory | None] = {}
        for link in self.links(view.address, view.timeline):
            limit = min(link.upto, upto)
            for (address, timeline, memory_id), states in self.versions.items():
                if (address, timeline) != (view.address, link.timeline) or memory_id in found:
                    continue
                started = [state for state in states if state.seq_from <= limit]
                if started:
                    found[memory_id] = as_seen(started[-1], link.upto)
        return [state for state in found.values() if state is not None]

    def states(self, address: Address, memory_id: MemoryId) -> list[Memory]:
        """Every state of a memory, of all timelines."""
        lines = dict.fromkeys((MAIN_TIMELINE, *(t.timeline for t in self.timelines_of(address))))
        return [s for line in lines for s in self.versions.get((address, line, memory_id), ())]

    def fingerprints(self, address: Address, memory_id: MemoryId) -> set[str]:
        """Of every text the memory ever had."""
        return {s.fingerprint for s in self.states(address, memory_id)}

    def in_use(self, address: Address, memory_id: MemoryId) -> list[Memory]:
        """The states of a memory that are current, or stood at some fork of this address."""
        forks = [t.fork_seq for t in self.timelines_of(address) if t.fork_seq is not None]
        return [
            s
            for s in self.states(address, memory_id)
            if s.seq_to is None or any(s.seq_from <= fork < s.seq_to for fork in forks)
        ]
