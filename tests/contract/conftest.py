"""Stores under the same contract, and a small world of invented people to fill them with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_THREAD,
    MAIN_TIMELINE,
    Address,
    Candidate,
    Cause,
    CharacterId,
    Job,
    JobId,
    JournalEntry,
    Kind,
    Memory,
    MemoryId,
    Message,
    MessageId,
    PersonId,
    Proposal,
    Redacted,
    Scope,
    Seq,
    Speakers,
    Thread,
    ThreadId,
    Timeline,
    TimelineId,
    View,
    fingerprint,
)
from souvenance.ports import Store, VectorRow, WindowRow
from souvenance.stores.memory import MemoryStore
from souvenance.stores.sqlite import open_store
from souvenance.writes import AddJob, AddMessage, AddVersion, PutThread, PutTimeline, Write

KEY = bytes(range(32))
HOME = Address(DEFAULT_SPACE, PersonId("ines"), CharacterId("bao"))


@dataclass(frozen=True)
class World:
    """Builds records at one address, around one moment."""

    address: Address = HOME
    now: datetime = datetime(2031, 4, 9, 20, 15, tzinfo=UTC)

    def later(self, seconds: float) -> datetime:
        return self.now + timedelta(seconds=seconds)

    def at(self, person: str = "ines", character: str = "bao") -> World:
        return World(Address(DEFAULT_SPACE, PersonId(person), CharacterId(character)), self.now)

    def view(self, thread: str | None = None, timeline: str = MAIN_TIMELINE, **more: Any) -> View:
        where = None if thread is None else ThreadId(thread)
        return View(self.address, TimelineId(timeline), where, **more)

    def thread(
        self, thread: str = MAIN_THREAD, head: str | None = None, timeline: str = MAIN_TIMELINE
    ) -> Thread:
        last = None if head is None else MessageId(head)
        return Thread(
            self.address, ThreadId(thread), TimelineId(timeline), last, None, self.now, self.now
        )

    def proposal(self, *texts: str, thread: str = MAIN_THREAD) -> Proposal:
        """One reflection of the thread that proposed these texts."""
        candidates = tuple(
            Candidate(
                text, Kind.FACT, Scope.GLOBAL, 0.5, text, (MessageId("q"),), starts=date(2031, 5, 1)
            )
            for text in texts
        )
        speakers = Speakers("Inès", ("Nini",), "Europe/Paris", "Bao", "fr", "character")
        where = (self.address, ThreadId(thread), JobId("j"), self.now, "rules", speakers)
        return Proposal(*where, (MessageId("p"), MessageId("q")), (MessageId("q"),), 3, candidates)

    def message(
        self,
        message_id: str,
        parent: str | None = None,
        thread: str = MAIN_THREAD,
        text: str | None = None,
    ) -> Message:
        return Message(
            self.address,
            ThreadId(thread),
            MessageId(message_id),
            None if parent is None else MessageId(parent),
            "user",
            Redacted(text or f"the words of {message_id}"),
            self.now,
            mark=f"mark of {message_id}",
        )

    def memory(
        self, memory_id: str, text: str = "", thread: str | None = None, **more: Any
    ) -> Memory:
        plain = Memory(
            MemoryId(memory_id),
            self.address,
            MAIN_TIMELINE,
            None if thread is None else ThreadId(thread),
            Kind.FACT,
            Redacted(text or f"what {memory_id} says"),
            self.now,
            self.now,
            Cause("reflection", "job-1", "said so"),
        )
        return replace(plain, **more)

    def job(self, job_id: str, *messages: str, thread: str = MAIN_THREAD, **more: Any) -> Job:
        span = tuple(MessageId(m) for m in messages)
        plain = Job(
            JobId(job_id), self.address, ThreadId(thread), "reflect", span, self.now, self.now
        )
        return replace(plain, **more)

    def entry(self, action: Any, thread: str | None = None, **more: Any) -> JournalEntry:
        where = None if thread is None else ThreadId(thread)
        return replace(JournalEntry(self.address, where, self.now, action), **more)

    def fork(self, timeline: str, parent: str, fork_seq: int) -> PutTimeline:
        child = Timeline(
            self.address, TimelineId(timeline), TimelineId(parent), Seq(fork_seq), False, self.now
        )
        return PutTimeline(child)

    def vector(self, memory: Memory, *values: float) -> VectorRow:
        shape = np.array(values or (1.0, 0.0, 0.0), dtype=np.float32)
        return VectorRow(memory.address, memory.memory_id, memory.fingerprint, shape)

    def window(
        self, message: Message, text: str, *values: float, window: str = "wide"
    ) -> WindowRow:
        shape = np.array(values or (1.0, 0.0, 0.0), dtype=np.float32)
        return WindowRow(message.address, message.message_id, window, fingerprint(text), shape)

    def exchange(self, number: int, thread: str = MAIN_THREAD) -> list[Write]:
        """What a turn commits: two messages, the thread's new head, and the job about them."""
        said, answered = f"{thread}-m{number}", f"{thread}-r{number}"
        before = None if number == 0 else f"{thread}-r{number - 1}"
        return [
            AddMessage(self.message(said, before, thread)),
            AddMessage(replace(self.message(answered, said, thread), role="character")),
            PutThread(self.thread(thread, head=answered)),
            AddJob(
                self.job(f"{self.address.person}-{thread}-{number}", said, answered, thread=thread)
            ),
        ]

    def commit(self, store: Store, *writes: Write) -> Seq:
        return store.commit(self.address.space, self.address.person, writes)

    def remember(self, store: Store, memory: Memory, expected: Seq | None = None) -> Seq:
        return self.commit(store, AddVersion(memory, expected))


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture(params=["memory", "sqlite"])
def make_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], Store]]:
    """Opens stores of one kind by name, each closed at the end."""
    opened: list[Store] = []

    def make(name: str = "a") -> Store:
        memory = request.param == "memory"
        store: Store = MemoryStore(KEY) if memory else open_store(tmp_path / f"{name}.db")
        opened.append(store)
        return store

    yield make
    for store in opened:
        store.close()


@pytest.fixture
def store(make_store: Callable[[str], Store]) -> Store:
    return make_store("a")
