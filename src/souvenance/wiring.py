"""What the conversations of one engine share, and where one conversation stands in the store."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from souvenance.domain import (
    MAIN_TIMELINE,
    Address,
    Character,
    CharacterId,
    MemoryId,
    Person,
    Space,
    Thread,
    ThreadId,
    TimelineId,
    View,
    is_off,
)
from souvenance.keeping import Keeping
from souvenance.ports import ChatModel, Clock, Run, Store
from souvenance.prompt import Budget
from souvenance.read.plan import Plan
from souvenance.read.recall import Recall
from souvenance.tend.worker import Worker
from souvenance.writes import Write


@dataclass(slots=True)
class Health:
    """What went less well in this process, for everybody to see."""

    degraded_turns: int = 0
    last_degraded: str | None = None
    unrecorded_turns: int = 0
    #: Whether the store did not answer the last turn in time: the next ones give it less, until it does.
    store_is_late: bool = False


@dataclass(frozen=True, slots=True)
class Wiring:
    """The parts of an engine that a conversation uses."""

    store: Store
    read: Run
    write: Run
    #: Work without I/O, which must not wait behind a store that does not answer.
    think: Run
    keeping: Keeping
    clock: Clock
    recall: Recall
    plan_for: Callable[[Character], Plan]
    worker: Worker
    chat: ChatModel | None
    budget: Budget
    find_character: Callable[[Space, CharacterId], Awaitable[Character]]
    new_memory_id: Callable[[], MemoryId]
    min_confidence: float
    health: Health
    #: Whether the chat model is asked without the person's identifiers.
    redact_before_model: bool = False
    #: Messages said earlier that a context may hold beside the memories.
    said_messages: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """One conversation line in the store."""

    wiring: Wiring
    address: Address
    thread: ThreadId

    async def row(self) -> Thread | None:
        """The thread as stored; None before its first message."""
        return await self.wiring.read(
            self.wiring.store.conversations.thread, self.address, self.thread
        )

    async def character(self) -> Character:
        """Who answers here."""
        return await self.wiring.find_character(self.address.space, self.address.character)

    async def timeline(self, row: Thread | None) -> TimelineId:
        """The timeline of the thread; the main one for a thread that does not exist yet."""
        if row is not None:
            return row.timeline
        lines = await self.wiring.read(self.wiring.store.conversations.timelines, self.address)
        return next((line.timeline for line in lines if line.is_main), MAIN_TIMELINE)

    async def view(self) -> View:
        """What this conversation may see."""
        character = await self.character()
        return View(
            self.address, await self.timeline(await self.row()), self.thread, character.isolation
        )

    async def person(self) -> Person | None:
        """Who talks, as stored; None before anything was said."""
        person = self.wiring.store.conversations.person
        return await self.wiring.read(person, self.address.space, self.address.person)

    def local_now(self, found: Person | None) -> datetime:
        """Now, in the time zone of that person when it is known."""
        now = self.wiring.clock.now()
        try:
            return (
                now.astimezone(ZoneInfo(found.time_zone))
                if found and found.time_zone
                else now.astimezone()
            )
        except (ZoneInfoNotFoundError, ValueError):
            return now.astimezone()

    async def is_off(self) -> bool:
        """Whether memory is off here."""
        switches = self.wiring.store.conversations.switches
        found = await self.wiring.read(switches, self.address.space, self.address.person)
        return is_off(found, self.address, self.thread)

    async def commit(self, writes: Sequence[Write]) -> None:
        """Does all of it in one durable transaction. Errors: `StoreError`."""
        await self.wiring.write(
            self.wiring.store.commit, self.address.space, self.address.person, writes
        )
