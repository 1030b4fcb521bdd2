"""The table on which a batch is settled: the states as they go, and what will be written of them.

Every step of settling reads and puts states here, so that a later candidate sees what an earlier one did.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

from souvenance.domain import (
    Address,
    Candidate,
    Cause,
    Isolation,
    JournalEntry,
    Kind,
    Memory,
    MemoryId,
    MessageId,
    Redacted,
    Scope,
    Source,
    Status,
    ThreadId,
    TimelineId,
)
from souvenance.lang import Language
from souvenance.write.alike.nearby import Known
from souvenance.write.dates import local_day
from souvenance.writes import AddJournal, AddVersion

Action = Literal["added", "merged", "superseded", "restated", "dropped"]


@dataclass(frozen=True, slots=True)
class Setting:
    """Where and when a batch is settled, who settles it, and how new memories are named."""

    address: Address
    timeline: TimelineId
    thread: ThreadId
    isolation: Isolation
    at: datetime
    turn: int
    language: str
    by: Literal["reflection"]
    ref: str
    new_id: Callable[[], MemoryId]
    time_zone: str | None = None  # the person's: "tomorrow" is theirs
    called: tuple[str, ...] = ()  # the person's names, as models write of them

    @property
    def day(self) -> date:
        """The day it is where the person lives."""
        return local_day(self.at, self.time_zone)


def called(name: str | None, aliases: tuple[str, ...]) -> tuple[str, ...]:
    """The names of a person, the empty ones left out."""
    return tuple(one for one in (name, *aliases) if one)


@dataclass(frozen=True, slots=True)
class Noted:
    """What became of one candidate, and why. `memory` is the state that holds it now, None when dropped."""

    action: Action
    memory: Memory | None
    reason: str


@dataclass(frozen=True, slots=True)
class Settlement:
    """Everything one batch writes, at most one version per memory, and what was decided, in order."""

    writes: tuple[AddVersion | AddJournal, ...]
    noted: tuple[Noted, ...]


#: The strongest first. A weaker source never rewrites or closes what a stronger one said.
_STRENGTH = (Source.HAND, Source.PERSON, Source.AGENT, Source.CHARACTER, Source.INFERRED)


class Desk:
    """The states as the batch goes, and what will be written of them."""

    def __init__(self, known: Known, setting: Setting) -> None:
        self.setting = setting
        self.words: Language = known.words
        self.known = known
        self.journal: list[AddJournal] = []
        self._born = 0
        self._read: dict[MemoryId, Memory | None] = {}  # what was read of each memory put since

    def sees(self, memory: Memory) -> bool:
        """Whether the candidate may touch a memory: a global one, or one of its thread."""
        if memory.thread is None:
            return self.setting.isolation != "thread"
        return memory.thread == self.setting.thread

    def holding(self, forms: Collection[str]) -> list[Memory]:
        """The states the candidate may touch with a piece of one of these forms, oldest first."""
        return list(filter(self.sees, self.known.holding(forms)))

    def newest(self) -> Iterator[Memory]:
        """The states the candidate may touch, newest first, as far as they are asked for."""
        return (m for m in reversed(self.known) if self.sees(m))

    def put(self, memory: Memory) -> None:
        self._read.setdefault(memory.memory_id, self.known.get(memory.memory_id))
        self.known.put(memory)

    def next_moment(self) -> datetime:
        """When the next new memory is born: a batch's microseconds keep the order in which its facts were told."""
        self._born += 1
        return self.setting.at + timedelta(microseconds=self._born - 1)

    def versions(self) -> list[AddVersion]:
        """One version per state that changed, decided on the state that was read."""
        changes = ((m, self._read[m.memory_id]) for m in self.known.of(self._read))
        return [AddVersion(m, b.seq_from if b else None) for m, b in changes if m != b]

    def note(self, action: Action, memory: Memory | None, text: str, reason: str) -> Noted:
        """The decision, journalled."""
        setting = self.setting
        entry = JournalEntry(
            setting.address,
            memory.thread if memory else setting.thread,
            setting.at,
            action,
            memory_id=memory.memory_id if memory else None,
            text=Redacted(text),
            reason=reason,
            ref=setting.ref,
        )
        self.journal.append(AddJournal(entry))
        return Noted(action, memory, reason)

    def pair(
        self, action: Literal["announced", "doubted"], newer: Memory, older: Memory, reason: str
    ) -> None:
        """Journals that two memories stand side by side, and why: the person may settle it. Once for each pair."""
        setting = self.setting
        known = (w.entry for w in self.journal)
        if any((e.memory_id, e.ref) == (newer.memory_id, older.memory_id) for e in known):
            return
        entry = JournalEntry(
            setting.address, newer.thread, setting.at, action, newer.memory_id, newer.text, reason,
            ref=older.memory_id,
        )  # fmt: skip
        self.journal.append(AddJournal(entry))


# --- what both ways of settling need ---


def is_weaker(candidate: Candidate, memory: Memory) -> bool:
    return _STRENGTH.index(source_of(candidate)) > max(
        _STRENGTH.index(memory.source), _STRENGTH.index(Source.PERSON)
    )


def source_of(candidate: Candidate) -> Source:
    if candidate.spoken_by == "character":
        return Source.CHARACTER
    return Source.PERSON if candidate.quote.strip() else Source.INFERRED


def is_other_voice(candidate: Candidate, memory: Memory) -> bool:
    """A promise of the character and one of the person are never the same promise."""
    return (memory.source is Source.CHARACTER) != (candidate.spoken_by == "character")


def is_closable(memory: Memory, candidate: Candidate, desk: Desk) -> bool:
    """Whether the candidate may close a memory: never one that was only told after it."""
    return (
        memory.status is Status.ACTIVE
        and memory.kind is not Kind.RULE
        and is_told_earlier(memory, candidate, desk)
        and not is_other_voice(candidate, memory)
    )


#: Why a candidate of one thread may not close the memory.
EVERYWHERE = "known in every thread"


def why_held(memory: Memory, candidate: Candidate, desk: Desk) -> str:
    """Why the candidate may not rewrite or close the memory; empty when it may."""
    if memory.pinned:
        return "pinned"
    if memory.edited:
        return "worded by hand"
    if is_weaker(candidate, memory):
        return "said by the person"
    if memory.thread is None and thread_of(candidate, desk.setting) is not None:
        return EVERYWHERE  # what is known in one thread alone closes nothing in the others
    return ""


def is_told_earlier(memory: Memory, candidate: Candidate, desk: Desk) -> bool:
    """Whether a memory was told before the candidate, in other messages."""
    before = memory.born_at - desk.setting.at < _BATCH
    return before and not set(candidate.messages) & set(memory.messages)


#: Two facts less apart than this were told in one batch, or in two of the same instant.
_BATCH = timedelta(milliseconds=1)


def joined(*spans: tuple[MessageId, ...]) -> tuple[MessageId, ...]:
    return tuple(dict.fromkeys(i for span in spans for i in span))


def after(starts: date | None, until: date | None) -> date | None:
    """The end of what holds from `starts` on: never before it, even when it was called off."""
    return max(starts, until) if starts and until else until


# --- new ------------------------------------------------------------------------------------------


def thread_of(candidate: Candidate, setting: Setting) -> ThreadId | None:
    everywhere = candidate.scope is Scope.GLOBAL and setting.isolation == "character"
    return None if everywhere else setting.thread


def new_memory(candidate: Candidate, desk: Desk, cause: Cause) -> Memory:
    setting = desk.setting
    return Memory(
        memory_id=setting.new_id(),
        address=setting.address,
        timeline=setting.timeline,
        thread=thread_of(candidate, setting),
        kind=candidate.kind,
        text=Redacted(candidate.text),
        born_at=desk.next_moment(),
        changed_at=setting.at,
        cause=cause,
        source=source_of(candidate),
        importance=candidate.importance,
        confidence=candidate.confidence,
        quote=Redacted(candidate.quote),
        messages=candidate.messages,
        entity=candidate.entity,
        attribute=candidate.attribute,
        value=candidate.value,
        starts=candidate.starts,
        until=after(candidate.starts, candidate.until),
        born_turn=setting.turn,
    )


def add(candidate: Candidate, desk: Desk, reason: str) -> Noted:
    memory = new_memory(candidate, desk, Cause(desk.setting.by, desk.setting.ref, reason))
    desk.put(memory)
    return desk.note("added", memory, candidate.text, reason)
