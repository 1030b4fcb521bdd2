"""Reads of the store in memory: conversations and what is remembered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from souvenance.counts import Counters, Tally, TurnClock
from souvenance.domain import (
    Address,
    Character,
    CharacterId,
    Failure,
    JournalEntry,
    Memory,
    MemoryId,
    Message,
    MessageId,
    Person,
    PersonId,
    Proposal,
    Seq,
    Space,
    Stamp,
    Switch,
    Thread,
    ThreadId,
    Timeline,
    View,
)
from souvenance.stores.accepted import require_clean
from souvenance.stores.lineage import in_order, joined, sees
from souvenance.stores.memory.tables import Tables


class MemoryConversations:
    """Implements `ports.Conversations`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def person(self, space: Space, person: PersonId) -> Person | None:
        with self._tables.reading() as people:
            state = people.get((space, person))
            return None if state is None else state.person

    def people(self, space: Space) -> list[Person]:
        with self._tables.reading() as people:
            found = [s.person for (where, _), s in people.items() if where == space]
        return sorted(found, key=lambda p: p.person)

    def character(self, space: Space, character: CharacterId) -> Character | None:
        with self._tables.reading():
            return self._tables.characters.get((space, character))

    def characters(self, space: Space) -> list[Character]:
        with self._tables.reading():
            found = [c for c in self._tables.characters.values() if c.space == space]
        return sorted(found, key=lambda c: c.character)

    def put_character(self, character: Character) -> None:
        require_clean(character)
        with self._tables.reading():
            self._tables.characters[character.space, character.character] = character

    def timelines(self, address: Address) -> list[Timeline]:
        with self._tables.state(address) as state:
            return state.timelines_of(address)

    def thread(self, address: Address, thread: ThreadId) -> Thread | None:
        with self._tables.state(address) as state:
            return state.threads.get((address, thread))

    def threads(
        self, space: Space, person: PersonId, character: CharacterId | None = None
    ) -> list[Thread]:
        with self._tables.reading() as people:
            state = people.get((space, person))
            found = [] if state is None else list(state.threads.values())
        found = [t for t in found if character is None or t.address.character == character]
        found.sort(key=lambda t: (t.address.character, t.thread))
        return sorted(found, key=lambda t: t.last_at, reverse=True)

    def path(
        self, address: Address, thread: ThreadId, limit: int, upto: MessageId | None = None
    ) -> list[Message]:
        with self._tables.state(address) as state:
            known = state.threads.get((address, thread))
            here = upto if upto is not None else known.head if known else None
            found: list[Message] = []
            while here is not None and len(found) < limit and (address, here) in state.messages:
                _, message = state.messages[address, here]
                found.append(message)
                here = message.parent
        return found[::-1]

    def messages(self, address: Address, ids: Sequence[MessageId]) -> list[Message]:
        with self._tables.state(address) as state:
            found = [state.messages.get((address, message_id)) for message_id in set(ids)]
        return [m for _, m in sorted((f for f in found if f), key=lambda f: f[0])]

    def switches(self, space: Space, person: PersonId) -> list[Switch]:
        with self._tables.reading() as people:
            state = people.get((space, person))
            found = [] if state is None else list(state.switches.values())
        return sorted(found, key=lambda s: (s.character or "", s.thread or ""))

    def turns(self, address: Address) -> int:
        with self._tables.state(address) as state:
            return state.turns.get(address, 0)

    def clock(self, address: Address) -> TurnClock:
        with self._tables.state(address) as state:
            stretches = [s for (where, _), s in state.stretches.items() if where == address]
            turns, degraded = state.turns.get(address, 0), state.degraded.get(address, 0)
        return TurnClock(turns, degraded, tuple(stretches))

    def tallies(self, address: Address) -> list[Tally]:
        with self._tables.state(address) as state:
            found = [tally for (where, _), tally in state.tallies.items() if where == address]
            return [*found[:-1], state.tally(address, found[-1].block)] if found else []


class MemoryMemories:
    """Implements `ports.Memories`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def stamp(self, view: View) -> Stamp:
        with self._tables.state(view.address) as state:
            return Stamp(state.memory_seq, state.vector_stamp, state.erasures)

    def current(self, view: View, since: Seq = Seq(0)) -> list[Memory]:
        with self._tables.state(view.address) as state:
            standing = state.standing(view)
        return in_order(m for m in standing if m.seq_from > since and sees(view, m))

    def as_of(self, view: View, seq: Seq) -> list[Memory]:
        with self._tables.state(view.address) as state:
            standing = state.standing(view, seq)
        return in_order(m for m in standing if sees(view, m))

    def history(self, view: View, memory_id: MemoryId) -> list[Memory]:
        with self._tables.state(view.address) as state:
            states = [
                memory
                for link in state.links(view.address, view.timeline)
                for memory in state.versions.get((view.address, link.timeline, memory_id), ())
                if memory.seq_from <= link.upto
            ]
        return [memory for memory in joined(states) if sees(view, memory)]

    def journal(
        self, view: View, *, actions: Sequence[str] = (), limit: int = 100
    ) -> list[JournalEntry]:
        with self._tables.state(view.address) as state:
            entries = [entry for _, entry in sorted(state.journal.items(), reverse=True)]
        seen = [
            entry
            for entry in entries
            if entry.address == view.address
            and (not actions or entry.action in actions)
            and (
                view.thread is None
                or entry.thread == view.thread
                or (entry.thread is None and view.isolation == "character")
            )
        ]
        return seen[: max(limit, 0)]

    def failures(self, view: View, *, resolved: bool = False) -> list[Failure]:
        with self._tables.state(view.address) as state:
            entries = sorted(state.failures.values(), key=lambda e: e[0])
        return [
            f
            for _, f in entries
            if f.address == view.address
            and f.resolved == resolved
            and view.thread in (None, f.thread)
        ]

    def proposals(self, view: View) -> list[Proposal]:
        with self._tables.state(view.address) as state:
            entries = [proposal for _, proposal in sorted(state.proposals.items())]
        return [p for p in entries if p.address == view.address and view.thread in (None, p.thread)]

    def counters(self, view: View) -> Mapping[MemoryId, Counters]:
        with self._tables.state(view.address) as state:
            return {
                memory_id: counters
                for (address, memory_id), counters in state.counters.items()
                if address == view.address
            }
