"""What a person does to their memories, one action at a time; the only file of this folder with I/O.

A hand always wins: when a reflection changed the memory in between, the action is applied again on what is there.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import Literal, TypeVar

from souvenance.counts import Counters
from souvenance.curate.conflicts import PAIRED, Keep, Pair, lifted, settled, waiting
from souvenance.domain import (
    Cause,
    Failure,
    JournalEntry,
    Kind,
    Memory,
    MemoryId,
    Redacted,
    Scope,
    Seq,
    Source,
    Status,
    ThreadId,
    View,
    is_off,
)
from souvenance.errors import BadInput, Conflict, Unknown
from souvenance.lang import fold
from souvenance.ports import Clock, Run, Store
from souvenance.read.forgetting import Past, Usage, usage
from souvenance.write.dates import local_day
from souvenance.write.filters.identifiers import redact
from souvenance.write.rehearsal import Recording, recording
from souvenance.writes import AddJournal, AddVersion, RequeueJob, ResolveFailure, Write

E = TypeVar("E", bound=StrEnum)
Action = Literal["added", "edited", "pinned", "unpinned", "forgotten", "restored"]

#: How often an action is applied again after a conflict. Chosen, not measured: each retry reads afresh.
_RETRIES = 8

#: More lines than a journal can have.
_WHOLE = 1 << 40

#: The longest text a memory may have, in characters. Chosen, not measured: a memory is a line.
MAX_TEXT = 2_000


@dataclass(frozen=True, slots=True)
class Change:
    """What an action left: the memory as it is now, and the types of identifiers that were not kept."""

    memory: Memory
    removed: tuple[str, ...] = ()


class Hand:
    """The person's hand on the memories of one view."""

    def __init__(self, *, find_view: Callable[[], Awaitable[View]], thread: ThreadId, store: Store, read: Run, write: Run, clock: Clock,
                 new_id: Callable[[], MemoryId]) -> None:  # fmt: skip
        self._find_view, self._thread = find_view, thread
        self._store, self._read, self._write = store, read, write
        self._clock, self._new_id = clock, new_id

    def everywhere(self) -> Hand:
        """The same hand on the memories of all threads of this person and this character."""

        async def find_view() -> View:
            return replace(await self._find_view(), thread=None)

        return Hand(
            find_view=find_view,
            thread=self._thread,
            store=self._store,
            read=self._read,
            write=self._write,
            clock=self._clock,
            new_id=self._new_id,
        )

    # --- reading ------------------------------------------------------------------------------

    async def list(
        self,
        *,
        statuses: Collection[str] = (Status.ACTIVE,),
        kind: str | None = None,
        scope: str | None = None,
        text: str | None = None,
    ) -> Sequence[Memory]:
        """Memories of the view, the newest first; `text` is searched folded; `statuses` empty means all."""
        wanted = fold(text) if text else ""
        found = [
            memory
            for memory in await self._read(self._store.memories.current, await self._find_view())
            if (not statuses or memory.status in statuses)
            and (kind is None or memory.kind == kind)
            and (scope is None or memory.scope == scope)
            and (not wanted or wanted in fold(memory.text))
        ]
        return sorted(found, key=lambda m: (m.born_at, m.seq_from, m.memory_id), reverse=True)

    async def find(self, prefix: str) -> Memory:
        """The one memory whose id starts with `prefix`, of any status. Errors: `Unknown`, `BadInput`."""
        return await self._found(await self._find_view(), prefix)

    async def _found(self, view: View, prefix: str) -> Memory:
        every = await self._read(self._store.memories.current, view)
        found = [m for m in every if m.memory_id == prefix] or [
            m for m in every if prefix and m.memory_id.startswith(prefix)
        ]
        if not found:
            raise Unknown(
                f"No memory {prefix!r} here; `souvenance memories list` shows the ids.",
                code="no_memory",
                fields={"id": prefix},
            )
        if len(found) > 1:
            raise BadInput(
                f"{prefix!r} could be {len(found)} memories; give more of the id.",
                code="ambiguous_memory",
                fields={"id": prefix, "n": len(found)},
            )
        return found[0]

    async def history(self, prefix: str) -> Sequence[Memory]:
        """Every state of one memory, oldest first. Errors: as `find`."""
        return await self._states(await self._find_view(), prefix)

    async def _states(self, view: View, prefix: str) -> Sequence[Memory]:
        memory = await self._found(view, prefix)
        return await self._read(self._store.memories.history, view, memory.memory_id)

    async def counters(self) -> Mapping[MemoryId, Counters]:
        """How often each memory was served and retrieved by meaning."""
        return await self._read(self._store.memories.counters, await self._find_view())

    async def usage(self) -> Usage:
        """How often each memory of the view could have come up and did, and what each block of turns served.

        `read.forgetting` says from it what never comes up (`never_recalled`) and how that went (`report`).
        """
        view, store = await self._find_view(), self._store
        address, talk = view.address, store.conversations
        seen = {
            line.timeline: {m.memory_id for m in await self._read(store.memories.current, every)}
            for line in await self._read(talk.timelines, address)
            for every in [replace(view, timeline=line.timeline, thread=None)]
        }
        threads = await self._read(talk.threads, address.space, address.person, address.character)
        # The clock comes last: a turn counted meanwhile makes a candidate more, never one less than was served.
        memories = await self._read(store.memories.current, view)
        counters = await self._read(store.memories.counters, view)
        tallies = await self._read(talk.tallies, address)
        past = Past(await self._read(talk.clock, address), threads, seen)
        return await self._read(usage, memories, counters, tallies, past)

    async def journal(
        self, actions: Sequence[str] = (), limit: int = 100
    ) -> Sequence[JournalEntry]:
        """The newest entries of the journal, newest first."""
        return await self._read(
            self._store.memories.journal, await self._find_view(), actions=actions, limit=limit
        )

    async def failed(self) -> Sequence[Failure]:
        """Reflections waiting in the failure inbox, oldest first."""
        return await self._read(self._store.memories.failures, await self._find_view())

    async def recording(self) -> Recording:
        """Everything decided between this person and this character, in order, to be decided again."""
        view = replace(await self._find_view(), thread=None)
        memories, address = self._store.memories, view.address
        proposals = await self._read(memories.proposals, view)
        wanted = list(dict.fromkeys(i for p in proposals for i in p.shown))
        found = await self._read(self._store.conversations.messages, address, wanted)
        states: list[Memory] = []
        for memory in await self._read(memories.current, view):
            states += await self._read(memories.history, view, memory.memory_id)
        journal = await self._read(memories.journal, view, limit=_WHOLE)
        messages = {m.message_id: m for m in found}
        return await self._read(
            recording, address, view.timeline, proposals, messages, states, journal
        )

    async def conflicts(self) -> Sequence[Pair]:
        """Pairs of memories that may contradict each other and wait to be settled, the last found first."""
        view = await self._find_view()
        return await self._pairs(view, await self._today(view))

    async def _pairs(self, view: View, today: date) -> Sequence[Pair]:
        memories, journal = await self._paired(view)
        return waiting(memories, journal, today)

    async def _paired(self, view: View) -> tuple[Mapping[MemoryId, Memory], Sequence[JournalEntry]]:
        """The current memories, and what the journal tells of pairs of them."""
        current = await self._read(self._store.memories.current, view)
        read = self._store.memories.journal
        journal = await self._read(read, view, actions=PAIRED, limit=_WHOLE)
        return {m.memory_id: m for m in current}, journal

    async def today(self) -> date:
        """The day it is where the person lives."""
        return await self._today(await self._find_view())

    async def _today(self, view: View) -> date:
        find = self._store.conversations.person
        person = await self._read(find, view.address.space, view.address.person)
        return local_day(self._clock.now(), person.time_zone if person else None)

    # --- acting -------------------------------------------------------------------------------

    async def add(
        self,
        text: str,
        *,
        kind: str = "fact",
        scope: str = "global",
        importance: int = 3,
        pinned: bool = False,
    ) -> Change:
        """A new memory in the person's own words. Errors: `BadInput` when nothing is left of the text."""
        clean, removed = _clean(text)
        if not 1 <= importance <= 5:
            raise BadInput("Importance goes from 1 to 5.", code="importance")
        now, view = self._clock.now(), await self._find_view()
        if await self._is_off(view):
            raise BadInput(
                "Memory is off here, so nothing is added; switch it on first.", code="memory_off"
            )
        local = _one_of(Scope, scope, "scope") is Scope.THREAD or view.isolation == "thread"
        turn = await self._read(self._store.conversations.turns, view.address)
        memory = Memory(
            memory_id=self._new_id(),
            address=view.address,
            timeline=view.timeline,
            thread=self._thread if local else None,
            kind=_one_of(Kind, kind, "kind"),
            text=clean,
            born_at=now,
            changed_at=now,
            cause=Cause("hand", reason="added by hand"),
            source=Source.HAND,
            importance=importance,
            pinned=pinned,
            edited=True,
            born_turn=turn,
        )
        await self._commit(memory, None, self._entry(memory, "added", now))
        return Change(memory, removed)

    async def edit(self, prefix: str, text: str) -> Change:
        """The memory in new words, locked against models from now on. Errors: `Unknown`, `BadInput`."""
        clean, removed = _clean(text)
        today = await self._today(await self._find_view())

        def corrected(memory: Memory, history: Sequence[Memory]) -> Memory:
            _require_active(memory)
            over = memory.until is not None and memory.until <= today
            until = None if over else memory.until  # reworded by hand, it holds
            return replace(memory, text=clean, until=until, edited=True, source=Source.HAND)

        return Change(await self._change(prefix, "edited", corrected), removed)

    async def pin(self, prefix: str) -> Change:
        """The memory pinned: served first. Errors: `Unknown`, `BadInput` when it is closed."""

        def pinned(memory: Memory, history: Sequence[Memory]) -> Memory:
            _require_active(memory)
            return replace(memory, pinned=True)

        return Change(await self._change(prefix, "pinned", pinned))

    async def unpin(self, prefix: str) -> Change:
        """The memory no longer pinned. Errors: `Unknown`."""
        return Change(await self._change(prefix, "unpinned", lambda m, _: replace(m, pinned=False)))

    async def forget(self, prefix: str) -> Change:
        """The memory closed: never served again, kept in its history; `restore` brings it back. Errors: as `pin`."""

        def forgotten(memory: Memory, history: Sequence[Memory]) -> Memory:
            _require_active(memory)
            return replace(memory, status=Status.FORGOTTEN)

        return Change(await self._change(prefix, "forgotten", forgotten, self._lifted))

    async def _lifted(self, view: View, memory: Memory, at: datetime) -> Sequence[Write]:
        if memory.starts is None:
            return ()
        return lifted(memory, *await self._paired(view), at, view.timeline)

    async def restore(self, prefix: str) -> Change:
        """The memory as it was before its last change. Errors: `BadInput` when it never changed."""

        def earlier(memory: Memory, history: Sequence[Memory]) -> Memory:
            if len(history) < 2:
                raise BadInput(
                    "This memory never changed: there is nothing to undo.", code="nothing_to_undo"
                )
            seen = _readable(history[-1])
            return next((m for m in reversed(history) if _readable(m) != seen), history[-2])

        return Change(await self._change(prefix, "restored", earlier))

    async def settle(self, newer: str, older: str, keep: Keep) -> Change:
        """The newer memory of a pair once the person has said which holds: `newer`, `older` or `both`.

        The one that does not is closed and kept in its history; `restore` undoes it.
        Errors: `Unknown`, `BadInput` when one of them is closed already.
        """
        for attempt in range(_RETRIES):
            view = await self._find_view()
            first, second = [await self._found(view, prefix) for prefix in (newer, older)]
            for memory in (first, second):
                _require_active(memory)
            pair = _pair(first, second, await self._pairs(view, date.max))
            today = await self._today(view)
            writes = settled(pair, keep, self._clock.now(), today, view.timeline)
            try:
                address = view.address
                await self._write(self._store.commit, address.space, address.person, writes)
            except Conflict:
                if attempt == _RETRIES - 1:
                    raise
                continue
            return Change(await self._found(view, first.memory_id))
        raise AssertionError("unreachable: the last attempt returns or raises")

    async def retry(self, failure_id: str | None = None) -> int:
        """How many parked reflections went back to the queue: one, or all. Errors: `Unknown`."""
        waiting = [
            f
            for f in await self.failed()
            if failure_id is None or f.failure_id.startswith(failure_id)
        ]
        if failure_id is not None and not waiting:
            raise Unknown(
                f"No failed reflection {failure_id!r}; `souvenance memories failed` shows them.",
                code="no_failure",
                fields={"id": failure_id},
            )
        now = self._clock.now()
        address = (await self._find_view()).address
        for failure in waiting:
            entry = JournalEntry(address, failure.thread, now, "retried", ref=failure.job_id)
            writes = (
                RequeueJob(failure.job_id, now),
                ResolveFailure(failure.failure_id),
                AddJournal(entry),
            )
            await self._write(self._store.commit, address.space, address.person, writes)
        return len(waiting)

    # --- how ----------------------------------------------------------------------------------

    async def _change(
        self,
        prefix: str,
        action: Action,
        apply: Callable[[Memory, Sequence[Memory]], Memory],
        beside: Callable[[View, Memory, datetime], Awaitable[Sequence[Write]]] | None = None,
    ) -> Memory:
        for attempt in range(_RETRIES):
            view = await self._find_view()
            history = await self._states(view, prefix)
            current, now = history[-1], self._clock.now()
            changed = replace(
                apply(current, history),
                changed_at=now,
                cause=Cause("hand", ref=current.memory_id, reason=f"{action} by hand"),
                timeline=view.timeline,
                seq_from=current.seq_from,
                seq_to=None,
            )
            if replace(changed, changed_at=current.changed_at, cause=current.cause) == current:
                return current  # already so
            expected = current.seq_from if current.timeline == view.timeline else None
            try:
                more = await beside(view, current, now) if beside else ()
                await self._commit(changed, expected, self._entry(changed, action, now), more)
            except Conflict:
                if attempt == _RETRIES - 1:
                    raise
                continue
            return changed
        raise AssertionError("unreachable: the last attempt returns or raises")

    async def _is_off(self, view: View) -> bool:
        switches = self._store.conversations.switches
        found = await self._read(switches, view.address.space, view.address.person)
        return is_off(found, view.address, self._thread)

    async def _commit(
        self,
        memory: Memory,
        expected: Seq | None,
        entry: JournalEntry,
        beside: Sequence[Write] = (),
    ) -> None:
        writes = (AddVersion(memory, expected), AddJournal(entry), *beside)
        address = memory.address
        await self._write(self._store.commit, address.space, address.person, writes)

    def _entry(self, memory: Memory, action: Action, at: datetime) -> JournalEntry:
        return JournalEntry(
            memory.address,
            memory.thread,
            at,
            action,
            memory.memory_id,
            memory.text,
            f"{action} by hand",
        )


def _readable(memory: Memory) -> Memory:
    """The state without what nobody reads in it: undoing brings back what was seen, not a count of evidence."""
    cause, at = Cause("hand"), memory.born_at
    return replace(memory, messages=(), cause=cause, changed_at=at, seq_from=Seq(0), seq_to=None)


def _pair(newer: Memory, older: Memory, pairs: Sequence[Pair]) -> Pair:
    """The pair of these two. Errors: `BadInput` when nobody doubted them."""
    for pair in pairs:
        if (pair.newer.memory_id, pair.older.memory_id) == (newer.memory_id, older.memory_id):
            return pair
    raise BadInput(
        "These two are no pair to settle, in this order; `souvenance memories conflicts` lists the pairs.",
        code="no_pair",
    )


def _require_active(memory: Memory) -> None:
    """Returns when the memory is active. Errors: `BadInput`, which says what to do instead."""
    if memory.status is Status.ACTIVE:
        return
    if memory.successor is not None:
        raise BadInput(
            f"This memory was replaced by {memory.successor}; use that one, or restore this one.",
            code="memory_replaced",
            fields={"successor": memory.successor},
        )
    raise BadInput(
        f"This memory is {memory.status.value} already; restore it first.",
        code=f"memory_{memory.status.value}",
    )


def _clean(text: str) -> tuple[Redacted, tuple[str, ...]]:
    redaction = redact(" ".join(text.split()))
    if not redaction.text.strip():
        raise BadInput("A memory needs some words.", code="no_words")
    if len(redaction.text) > MAX_TEXT:
        raise BadInput(
            f"A memory is a line: at most {MAX_TEXT} characters, this has {len(redaction.text)}.",
            code="too_long",
            fields={"most": MAX_TEXT, "n": len(redaction.text)},
        )
    return redaction.text, tuple(sorted({found.type for found in redaction.found}))


def _one_of(kinds: type[E], value: str, name: str) -> E:
    try:
        return kinds(value)
    except ValueError as error:
        choices = ", ".join(str(k) for k in kinds)
        raise BadInput(
            f"{value!r} is no {name}; it can be {choices}.",
            code=f"no_{name}",
            fields={"value": value, "choices": choices},
        ) from error
