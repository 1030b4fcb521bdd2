"""One turn: message → recall → reply → remember, and the verbs of a conversation (`Talk`).

The reply never waits for memory: recalling has a deadline, and remembering starts once the reply is out.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from souvenance.again import Again
from souvenance.curate.hand import Hand
from souvenance.domain import (
    Address,
    Character,
    JournalEntry,
    Memory,
    Message,
    MessageId,
    Person,
    Role,
    Seq,
    Switch,
    ThreadId,
    View,
)
from souvenance.errors import BadInput, FilterBroken, StoreError
from souvenance.keeping import until_free
from souvenance.ports import ChatMessage, ChatModel
from souvenance.prompt import SLACK, Notes, build_prompt
from souvenance.read.context import estimate_tokens, fit
from souvenance.read.quotes import quoted
from souvenance.read.recall import Recalled
from souvenance.read.reminding import Wanted
from souvenance.read.selection import Selection, Slot
from souvenance.read.verbatim import Cast, Found
from souvenance.recording import Recorded, Said, record
from souvenance.unkept import Unkept, as_prompt
from souvenance.wiring import Place, Wiring
from souvenance.write.filters.identifiers import redact
from souvenance.write.filters.identifiers.several import clean_talk
from souvenance.writes import CountTurn, SetSwitch

#: Seconds that a turn allows the store beyond the embedding's own deadline. Chosen, not measured.
_STORE_S = 0.5

#: Seconds for the store once it did not answer a turn in time, until it answers one. Chosen below the 0.3 s that
#: a turn may lose to a store in trouble.
_STORE_IN_TROUBLE_S = 0.25

#: Seconds that a finished reply waits to say what was stored of it, before that is pending. Chosen: dozens of times an
#: ordinary commit. Measured 2026-11-30, bench/turn_overhead.py on a loaded machine: with another program writing,
#: replies lose 234 ms at p99, and 315 ms when this is 0.2.
_COMMIT_S = 0.15

#: Characters of a message that recalling may look at; it embeds fewer. Chosen, not measured.
_ASKED_CHARS = 8_000

Where = Literal["thread", "character", "person"]


@dataclass(frozen=True, slots=True)
class Context:
    """What enters the prompt of one turn, and why; `text` holds the fenced blocks, empty when there is nothing.

    `notes` are the same blocks apart: `standing` (rules) for the start of a prompt, which servers then need not read
    again, and `moving` (slots) for its end. `rules` and `slots` are those shown; `left_out` counts what the budget of
    tokens kept out, and `selection` says which.

    `degraded` says that memory came without scores by meaning, or not at all, and `reason` why: `late`,
    `unreachable`, `refused`, `unusable`, `dimension`, `open` or `absent` (the embedder); `store-late`, `store-failed` or
    `filter-failed` (nothing is served). `off` says that the person switched memory off.
    `said` are messages said earlier that no served memory tells; the text holds the first of them as there is room.
    """

    text: str
    rules: tuple[Memory, ...] = ()
    slots: tuple[Slot, ...] = ()
    degraded: bool = False
    reason: str | None = None
    off: bool = False
    selection: Selection | None = field(default=None, repr=False)
    notes: Notes = field(default=Notes(), repr=False)
    left_out: int = 0
    said: tuple[Found, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """A finished turn: the `text` of the reply, the `context` it was given, and what was `recorded` of it."""

    text: str
    context: Context
    recorded: Recorded


@dataclass(eq=False, slots=True)
class _Unstored:
    """An exchange on its way into the store, as the next prompt reads it meanwhile."""

    said: Sequence[Said]
    recorded: Recorded | None = None


class Talk:
    """One conversation line between a person and a character."""

    def __init__(
        self, wiring: Wiring, address: Address, thread: ThreadId, name: str | None = None
    ) -> None:
        self.address, self.thread, self.name = address, thread, name
        self.last: Reply | None = None
        self._wiring = wiring
        self._place = Place(wiring, address, thread)
        self._context: Context | None = None
        self._unkept = Unkept(wiring.budget.recent_messages)
        self._unstored: list[_Unstored] = []
        self._seen = Seq(0)
        self._in_order = asyncio.Lock()

    # --- the turn -----------------------------------------------------------------------------

    async def context(self, message: str) -> Context:
        """What the character should know to answer `message`. Never raises for a slow or dead part.

        It is counted as a turn when an exchange is recorded here next; looking alone counts nothing.
        """
        self._context = await self._prepared(message)
        return self._context

    async def _prepared(self, message: str) -> Context:
        self._wiring.worker.turn_begins()
        try:
            context = await self._recall(message)
        finally:
            self._wiring.worker.turn_ends()
        if context.degraded:
            self._wiring.health.degraded_turns += 1
            self._wiring.health.last_degraded = context.reason
            if context.reason == "dimension":
                self._wiring.worker.doubt_dimension()
        return context

    async def stream(self, message: str) -> AsyncIterator[str]:
        """Pieces of the reply as they come; recorded when it is whole, then `last` holds the turn.

        When recording fails the reply stands, and `last.recorded.failed` says why. While another program holds the
        database `last.recorded` is pending; the exchange is stored when it lets go.

        Errors: `BadInput` without a chat model, `ModelError` when it fails (nothing is recorded then).
        """
        chat = self._wiring.chat
        if chat is None:
            raise BadInput(
                "No chat model is configured; set chat.url and chat.model, or use context and record."
            )
        pieces: list[str] = []
        self._wiring.worker.turn_begins()
        try:
            context = await self._prepared(message)
            async for piece in chat.stream(await self._prompt(message, context)):
                pieces.append(piece)
                yield piece
        finally:
            self._wiring.worker.turn_ends()
        text = "".join(pieces)
        self.last = Reply(text, context, await self._kept(message, text, context))

    async def turn(self, message: str) -> Reply:
        """The whole turn: recall, reply, remember. Errors: as `stream`."""
        async for _ in self.stream(message):
            pass
        assert self.last is not None
        return self.last

    async def record(self, user: str, reply: str, *, key: str | None = None, at: datetime | None = None,
                     reply_at: datetime | None = None) -> Recorded:  # fmt: skip
        """What was recorded of one exchange, durable when this returns; reflection follows by itself."""
        return await self.append(
            [
                Said("user", user, at, f"{key}/user" if key else None),
                Said("character", reply, reply_at or at, f"{key}/reply" if key else None),
            ]
        )

    async def append(self, said: Sequence[Said]) -> Recorded:
        """What was recorded of consecutive messages, durable when this returns. Errors: as `recording.record`.

        Waits while another program holds the database; a caller who leaves does not undo it.
        """
        return await asyncio.shield(self._begun(said, None))

    def _begun(self, said: Sequence[Said], own: Context | None) -> asyncio.Task[Recorded]:
        """The recording, in the order it was asked for. Errors: `StoreBusy` when too many wait for the database.

        `own` is the context of the turn itself, else the one that was last asked for is meant.
        """
        asked, self._context = self._context, None
        unstored, count = _Unstored(said), self._count(own or asked)
        off = own is not None and own.off
        task = self._wiring.keeping.begin(lambda: self._stored(unstored, count, off=off))
        self._unstored.append(unstored)
        task.add_done_callback(lambda _: self._unstored.remove(unstored))
        return task

    async def _stored(
        self, unstored: _Unstored, count: CountTurn | None, *, off: bool = False
    ) -> Recorded:
        """Stored in the order it was said: what came later waits while this is tried again.

        `off`: it was said while memory was off; memory may be on again when its time comes.
        """
        async with self._in_order:
            if off or await self.is_off():
                self._unkept.add(as_prompt(s.role, s.text) for s in unstored.said)
                return Recorded(off=True)
            unstored.recorded = await until_free(
                lambda: record(self._place, unstored.said, count=count, name=self.name)
            )
        self._unkept.follow(unstored.recorded.messages)
        self._wiring.worker.wake()
        return unstored.recorded

    async def reflected(self, timeout_s: float) -> tuple[JournalEntry, ...]:
        """What the journal says since this was last asked, oldest first; waits for this thread's reflections."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_s
        while await self._pending() and (left := deadline - loop.time()) > 0:
            await self._wiring.worker.next_batch(
                min(left, 0.25)
            )  # another process may be the one that works
        view = await self.view()
        newest = await self._wiring.read(self._wiring.store.memories.journal, view, limit=200)
        fresh = [e for e in reversed(newest) if e.seq > self._seen]
        if fresh:
            self._seen = fresh[-1].seq
        return tuple(fresh)

    # --- around it ----------------------------------------------------------------------------

    @property
    def memories(self) -> Hand:
        """The person's hand on what this conversation knows."""
        w = self._wiring
        return Hand(
            find_view=self.view,
            thread=self.thread,
            store=w.store,
            read=w.read,
            write=w.write,
            clock=w.clock,
            new_id=w.new_memory_id,
        )

    def again(self, *, chat: ChatModel | None, instructions: str | None = None) -> Again:
        """Reflection on all that was said with this character once more, by `chat` (None: by rules).

        `instructions` take the place of the shipped prompt. Nothing changes before `Again.accept`.
        """
        return Again(self._place, chat=chat, instructions=instructions)

    async def history(self, limit: int = 50) -> list[Message]:
        """The last messages of this thread, oldest first."""
        return await self._wiring.read(
            self._wiring.store.conversations.path, self.address, self.thread, limit
        )

    async def search_messages(
        self, query: str, limit: int = 10, *, here: bool = False
    ) -> tuple[Found, ...]:
        """The messages that a query finds, best first, each with those around it; nothing while memory is off.

        All threads of the timeline are searched, this one alone with `here` or under strict isolation.
        What a forgotten memory rests on is not found.
        Errors: `StoreError`, `FilterBroken`.
        """
        if limit < 1 or await self.is_off():
            return ()
        view, character = await self.view(), await self._place.character()
        if here:
            view = replace(view, isolation="thread")
        asked = await self._wiring.think(redact, query[:_ASKED_CHARS])
        return await self._wiring.recall.search(
            view,
            asked.text,
            language=character.language,
            limit=limit,
            cast=_cast(await self._place.person(), character),
        )

    async def speakers(self) -> dict[str, str]:
        """The name of who talks, by the role in a message."""
        person, character = await self._place.person(), await self._place.character()
        named = person.display_name if person is not None else None
        return {"user": named or self.address.person, "character": character.name}

    async def warm(self) -> None:
        """Reads what this conversation knows, so that its first turn does not: a second or two at 10,000 memories.

        Errors: `StoreError`.
        """
        view, character = await self.view(), await self._place.character()
        await self._wiring.recall.warm(view, character.language)
        if self._wiring.said_messages:
            await self._wiring.recall.warm_said(view, character.language)

    async def exists(self) -> bool:
        """Whether this thread holds anything."""
        return await self._place.row() is not None

    async def is_off(self) -> bool:
        """Whether memory is off here."""
        return await self._place.is_off()

    async def switch(self, *, off: bool, where: Where = "thread") -> None:
        """Switches memory off or on again for this thread, this character, or this person everywhere."""
        character = None if where == "person" else self.address.character
        thread = self.thread if where == "thread" else None
        now = self._wiring.clock.now()
        await self._place.commit(
            [
                SetSwitch(
                    Switch(self.address.space, self.address.person, character, thread, now), off
                )
            ]
        )
        if not off:
            self._unkept.clear()

    async def view(self) -> View:
        """What this conversation may see."""
        return await self._place.view()

    # --- how ----------------------------------------------------------------------------------

    async def _recall(self, message: str) -> Context:
        recall, health = self._wiring.recall, self._wiring.health
        allowed = _STORE_IN_TROUBLE_S if health.store_is_late else recall.deadline_s + _STORE_S
        try:
            async with asyncio.timeout(allowed):
                if await self.is_off():
                    return Context("", off=True)
                view, character = await self.view(), await self._place.character()
                # An embedder may be remote: it gets what the database would.
                asked = await self._wiring.think(redact, message[:_ASKED_CHARS])
                person = await self._place.person()
                now = self._place.local_now(person)
                recalled = await recall.recall(
                    view,
                    asked.text,
                    now=now,
                    language=character.language,
                    plan=self._wiring.plan_for(character),
                    wanted=self._wanted(person, character),
                )
        except TimeoutError:
            health.store_is_late = True
            return Context("", degraded=True, reason="store-late")
        except StoreError:
            return Context("", degraded=True, reason="store-failed")
        except FilterBroken:
            return Context("", degraded=True, reason="filter-failed")
        # It answered; reading ten thousand memories for the first time may still be late.
        health.store_is_late = False
        return self._served(recalled, character, now)

    def _wanted(self, person: Person | None, character: Character) -> Wanted | None:
        """What of the messages may stand in the context; None when none may."""
        budget, messages = self._wiring.budget, self._wiring.said_messages
        if not messages:
            return None
        # The oldest quarter of the recent messages may be left out of the prompt: said twice rather than not at all.
        recent = round(budget.recent_messages * (1 - SLACK))
        left = budget.tokens - budget.memory - estimate_tokens(character.persona)
        return Wanted(messages, recent, round(left * (1 - SLACK)), _cast(person, character))

    def _served(self, recalled: Recalled, character: Character, now: datetime) -> Context:
        room = self._wiring.budget.memory
        made = fit(
            recalled.selection,
            language=character.language,
            budget_tokens=room,
            said=quoted(recalled.said, character.language, now),
        )
        shown = recalled.selection.within(made.slots, made.rules)
        return Context(
            text=made.text,
            rules=shown.rules,
            slots=shown.slots,
            degraded=recalled.degraded,
            reason=recalled.reason,
            selection=shown,
            notes=Notes(made.standing, made.moving),
            left_out=made.slots_left_out + made.rules_left_out,
            said=recalled.said[: made.quotes],
        )

    async def _kept(self, message: str, reply: str, context: Context) -> Recorded:
        """The record of a reply that is delivered already. The border of a turn: a store that fails costs the
        memory of this exchange, said and counted, never the reply, and one that is held does not keep it waiting."""
        now = self._wiring.clock.now()
        said = [Said("user", message, now), Said("character", reply, now)]
        try:
            task = self._begun(said, context)
            await asyncio.wait({task}, timeout=_COMMIT_S)
            if task.done():
                return task.result()
        except (StoreError, FilterBroken) as error:
            return self._lost(said, error)
        task.add_done_callback(lambda late: self._noted(said, late))
        return Recorded(pending=True)

    def _noted(self, said: Sequence[Said], late: asyncio.Task[Recorded]) -> None:
        """What became of a pending exchange: stored, or counted with those that were not."""
        error = None if late.cancelled() else late.exception()
        if late.cancelled() or error is not None:
            self._lost(said, error)

    def _lost(self, said: Sequence[Said], error: BaseException | None) -> Recorded:
        self._wiring.health.unrecorded_turns += 1
        self._unkept.add(as_prompt(s.role, s.text) for s in said)
        return Recorded(failed=str(error))

    async def _prompt(self, message: str, context: Context) -> list[ChatMessage]:
        budget, unstored = self._wiring.budget, list(self._unstored)
        allowed = _STORE_IN_TROUBLE_S if self._wiring.health.store_is_late else _STORE_S
        try:
            async with asyncio.timeout(allowed):
                recent = await self.history(budget.recent_messages)
        except (StoreError, TimeoutError):
            recent = []  # a plainer answer, from this message alone
        there = [m.message_id for m in recent]
        earlier = [*self._unkept.among(recent), *_meanwhile(unstored, set(there))]
        self._unkept.follow(there)
        if self._wiring.redact_before_model:
            earlier, message = await self._wiring.think(_private, earlier, message)
        return build_prompt(await self._place.character(), context.notes, earlier, message, budget)

    def _count(self, context: Context | None) -> CountTurn | None:
        if context is None or context.off:
            return None
        told = () if context.degraded else context.slots
        served = tuple(slot.memory.memory_id for slot in told)
        retrieved = tuple(slot.memory.memory_id for slot in told if slot.retrieved)
        now = self._wiring.clock.now()
        return CountTurn(self.address, self.thread, served, retrieved, now, context.degraded)

    async def _pending(self) -> bool:
        jobs = await self._wiring.read(self._wiring.store.jobs.unfinished, self.address)
        return any(job.thread == self.thread for job in jobs)


def _cast(person: Person | None, character: Character) -> Cast:
    """Who talks here, by the names they go by."""
    named = [person.display_name or "", *person.aliases] if person else []
    names = {"user": tuple(filter(None, named)), "character": (character.name,)}
    return Cast(names, asking="user")


def _meanwhile(unstored: Sequence[_Unstored], there: set[MessageId]) -> list[ChatMessage]:
    """What was said and is not stored yet, without what was stored since and is `there`."""
    waiting = [u for u in unstored if not (u.recorded and there.intersection(u.recorded.messages))]
    return [as_prompt(s.role, s.text) for u in waiting for s in u.said]


def _private(earlier: Sequence[ChatMessage], message: str) -> tuple[list[ChatMessage], str]:
    """What the model is asked, without the person's identifiers, said at once or over several messages.

    Errors: `FilterBroken`; the model is not asked then.
    """
    said: list[tuple[Role, str]] = [
        ("user" if one.role == "user" else "character", one.text) for one in earlier
    ]
    *before, now = clean_talk([*said, ("user", message)])
    out = [ChatMessage(one.role, c.text) for one, c in zip(earlier, before, strict=True)]
    return out, now.text
