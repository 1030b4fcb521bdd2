"""Reflects again on what was said between a person and a character, with another model or prompt.

It proposes exchange by exchange, compares what would be remembered with what is, and changes only what is accepted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from souvenance.domain import (
    JobId,
    Memory,
    Message,
    MessageId,
    Proposal,
    Seq,
    Status,
    Thread,
    ThreadId,
    View,
    is_off,
)
from souvenance.errors import BadInput, Conflict
from souvenance.lang import language
from souvenance.ports import ChatModel
from souvenance.wiring import Place
from souvenance.write import revision, traces
from souvenance.write.alike.nearby import Known
from souvenance.write.rehearsal import decide
from souvenance.write.remember import Remember
from souvenance.writes import AddVersion

#: Messages of one thread that can be reflected again, the newest. Chosen, not measured: years of talk.
_MESSAGES = 200_000


@dataclass(frozen=True, slots=True)
class Exchanged:
    """One exchange to reflect on again: a message of the person with the replies that follow."""

    view: View
    thread: ThreadId
    messages: tuple[MessageId, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class Compared:
    """What would change, what was reflected again, and how many exchanges a broken answer leaves as they are."""

    lines: tuple[revision.Line, ...]
    reflected: int
    left: int


class Again:
    """A second reflection over one address. Nothing is written before `accept`."""

    def __init__(
        self, place: Place, *, chat: ChatModel | None, instructions: str | None = None
    ) -> None:
        wiring = place.wiring
        self._place, self._wiring, self.address = place, wiring, place.address
        self.by = chat.name if chat else traces.RULES
        self._remember = Remember(
            store=wiring.store,
            read=wiring.read,
            write=wiring.write,
            clock=wiring.clock,
            chat=chat,
            new_id=wiring.new_memory_id,
            find_character=wiring.find_character,
            instructions=instructions,
        )
        self._shelf: Known | None = None
        self._taken = 0

    async def exchanges(
        self, *, thread: ThreadId | None = None, since: datetime | None = None
    ) -> list[Exchanged]:
        """The stored exchanges, by date; those of a thread where memory is off are left out."""
        address, store = self._place.address, self._wiring.store.conversations
        character = await self._place.character()
        threads = await self._wiring.read(
            store.threads, address.space, address.person, address.character
        )
        off = await self._wiring.read(store.switches, address.space, address.person)
        found: list[Exchanged] = []
        for one in threads:
            if thread in (None, one.thread) and not is_off(off, address, one.thread):
                view = View(address, one.timeline, one.thread, character.isolation)
                path = await self._wiring.read(store.path, address, one.thread, _MESSAGES)
                found += _exchanges(path, one, view)
        wanted = [e for e in found if since is None or e.at >= since]
        return sorted(wanted, key=lambda e: e.at)

    async def words(self, one: Exchanged) -> str:
        """A keyed hash of what a reflection on the exchange is shown: another one when a message lost some words."""
        exchange = await self._remember.exchange(one.view, one.thread, one.messages)
        shown = "\n".join(f"{m.message_id} {m.text}" for m in exchange.messages)
        return await self._wiring.read(self._wiring.store.mark, shown)

    async def propose(self, one: Exchanged) -> Proposal:
        """What the other reflection proposes for an exchange, on what it made of those before.

        Errors: `BadAnswer`, `FilterBroken`, `ModelUnreachable`, `ModelRefused`.
        """
        exchange = await self._remember.exchange(one.view, one.thread, one.messages)
        shelf = self._shelf or Known([], language(exchange.character.language))
        seen = [m for m in shelf if _is_seen(one.view, m)]
        proposed = await self._remember.propose(exchange, set(one.messages), seen)
        turn = await self._wiring.read(self._wiring.store.conversations.turns, one.view.address)
        return Proposal(
            one.view.address,
            one.thread,
            JobId(f"again/{one.messages[0]}"),
            one.at,
            proposed.by,
            traces.speakers(exchange, one.view.isolation),
            tuple(m.message_id for m in exchange.messages),
            one.messages,
            turn,
            proposed.candidates,
        )

    async def take(self, proposal: Proposal, again: Collection[MessageId]) -> None:
        """Settles a proposal on the memories as this reflection makes them; `again` are all messages reflected again.

        Order: by date of the exchange. Errors: `FilterBroken`.
        """
        shelf = await self._shelved(proposal.speakers.language, again)
        ids = list(dict.fromkeys((*proposal.shown, *proposal.fresh)))
        found = await self._wiring.read(
            self._wiring.store.conversations.messages, proposal.address, ids
        )
        by_id = {m.message_id: m for m in found}
        shown = tuple(by_id[i] for i in proposal.shown if i in by_id)
        if not set(proposal.fresh) <= set(by_id):
            return  # erased meanwhile: it teaches nothing
        timeline = await self._place.timeline(await self._place.row())
        new_id = self._wiring.new_memory_id
        _, settled = await self._wiring.read(
            lambda: decide(
                proposal,
                shown,
                shelf,
                timeline=timeline,
                new_id=new_id,
                min_confidence=self._wiring.min_confidence,
            )
        )
        self._taken += 1
        for write in settled.writes:
            if isinstance(write, AddVersion):
                shelf.put(replace(write.memory, seq_from=Seq(self._taken)))

    async def compare(self, again: Collection[MessageId], left: int = 0) -> Compared:
        """What differs between what is remembered and what this reflection made of the messages `again`."""
        shelf = self._shelf
        if shelf is None:
            return Compared((), 0, left)
        current = await self._current()
        held = {m.memory_id for m in current if revision.is_held(m, again)}
        now, then = ([m for m in one if m.memory_id not in held] for one in (current, shelf))
        lines = await self._wiring.read(revision.revise, now, then, shelf.words)
        return Compared(lines, self._taken, left)

    async def accept(self, lines: Iterable[revision.Line]) -> int:
        """Writes the lines in one transaction; returns how many.

        Errors: `Conflict` when a memory changed since they were computed, or a line was accepted already: compare
        again. `BadInput` when memory is off in a thread that a line rests on.
        """
        chosen = list(lines)
        await self._require_on(chosen)
        known = {m.memory_id: m for m in await self._current()}
        there = {(m.text, m.messages) for m in known.values() if m.status is Status.ACTIVE}
        for line in chosen:
            if line.new and not line.old and (line.new.text, line.new.messages) in there:
                raise Conflict(f"This line was accepted already: {line.key}. Compare again.")
        writes = revision.changes(chosen, self.by, self._wiring.clock.now(), known)
        if writes:
            await self._place.commit(writes)
        return len(chosen)

    async def _require_on(self, lines: Sequence[revision.Line]) -> None:
        """Returns when memory is on in every thread that the lines rest on. Errors: `BadInput`."""
        address, store = self.address, self._wiring.store.conversations
        off = await self._wiring.read(store.switches, address.space, address.person)
        rests = {i for line in lines for m in (line.old, line.new) if m for i in m.messages}
        said = await self._wiring.read(store.messages, address, sorted(rests))
        threads = {m.thread for m in said} | {self._place.thread}
        if any(is_off(off, address, thread) for thread in threads):
            raise BadInput(
                "Memory is off here, so nothing is changed; switch it on first.", code="memory_off"
            )

    async def _shelved(self, code: str, again: Collection[MessageId]) -> Known:
        if self._shelf is None:
            held = [m for m in await self._current() if revision.is_held(m, again)]
            self._shelf = Known(held, language(code))
        return self._shelf

    async def _current(self) -> Sequence[Memory]:
        view = replace(await self._place.view(), thread=None)
        return await self._wiring.read(self._wiring.store.memories.current, view)


def _exchanges(path: Sequence[Message], thread: Thread, view: View) -> list[Exchanged]:
    groups: list[list[Message]] = []
    for message in path:
        if message.role == "character" and groups:
            groups[-1].append(message)
        else:
            groups.append([message])
    return [
        Exchanged(view, thread.thread, tuple(m.message_id for m in g), max(m.at for m in g))
        for g in groups
    ]


def _is_seen(view: View, memory: Memory) -> bool:
    """Whether an exchange of that view may be told of a memory: no other thread's is shown to the model."""
    return memory.thread == view.thread or (memory.thread is None and view.isolation == "character")


def print_of(by: str, instructions: str | None) -> str:
    """A short digest of who reflects and how: proposals of another one are not to be mixed in."""
    text = f"{by}\n{instructions or ''}"
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()
