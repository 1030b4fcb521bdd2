"""The records everything else speaks in: who, where, what is remembered, what was decided.

They are frozen and import nothing, so that every step of both paths can be a pure function over them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Literal, NewType

Space = NewType("Space", str)
PersonId = NewType("PersonId", str)
CharacterId = NewType("CharacterId", str)
ThreadId = NewType("ThreadId", str)
TimelineId = NewType("TimelineId", str)
MemoryId = NewType("MemoryId", str)
MessageId = NewType("MessageId", str)
JobId = NewType("JobId", str)

#: Counts every committed change of one (space, person), from 1. 0 means "before anything".
Seq = NewType("Seq", int)

#: Text that went through the private-identifier filter; stores accept no other.
Redacted = NewType("Redacted", str)

DEFAULT_SPACE = Space("default")
MAIN_TIMELINE = TimelineId("main")
MAIN_THREAD = ThreadId("main")


# --- where -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Address:
    """Whose memory: one person and one character, in one operator's space."""

    space: Space
    person: PersonId
    character: CharacterId


Isolation = Literal["character", "thread"]


@dataclass(frozen=True, slots=True)
class View:
    """What one query may see: an address, a timeline, a thread of it, and whether globals count.

    With `isolation="thread"` only what is scoped to `thread` is visible.
    Without a thread (a list of everything), every thread of the timeline is visible.
    """

    address: Address
    timeline: TimelineId = MAIN_TIMELINE
    thread: ThreadId | None = None
    isolation: Isolation = "character"


# --- people, characters, conversations ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who talks; `time_zone` is an IANA name, used to read "tomorrow"."""

    space: Space
    person: PersonId
    display_name: str | None = None
    aliases: tuple[str, ...] = ()
    time_zone: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All they are called, the displayed name first; empty when nobody said."""
        given = (self.display_name or "", *self.aliases)
        return tuple(dict.fromkeys(n.strip() for n in given if n.strip()))


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of one declared number of a character's state."""

    low: float
    high: float
    start: float


@dataclass(frozen=True, slots=True)
class Character:
    """Who answers: a persona and the choices that change how its memory works."""

    space: Space
    character: CharacterId
    name: str
    persona: str
    language: str = "en"
    isolation: Isolation = "character"
    plan: Literal["companion", "agent"] = "companion"
    greeting: str | None = None
    state: Mapping[str, Bounds] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Timeline:
    """One version of a relationship; a fork sees its parent's versions up to `fork_seq`."""

    address: Address
    timeline: TimelineId
    parent: TimelineId | None
    fork_seq: Seq | None
    is_main: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Thread:
    """One conversation line; `head` is the last message of its active path, None when empty."""

    address: Address
    thread: ThreadId
    timeline: TimelineId
    head: MessageId | None
    title: str | None
    created_at: datetime
    last_at: datetime


Role = Literal["user", "character"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the tree, after redaction; `mark` is the keyed hash of what was really typed."""

    address: Address
    thread: ThreadId
    message_id: MessageId
    parent: MessageId | None
    role: Role
    text: Redacted
    at: datetime
    mark: str
    seq: Seq = Seq(0)


# --- what is remembered -------------------------------------------------------------------------


class Scope(StrEnum):
    """Known in every thread of the timeline, or in one only."""

    GLOBAL = "global"
    THREAD = "thread"


class Kind(StrEnum):
    """What sort of thing a memory is; see `KINDS` for what follows from it."""

    RULE = "rule"
    FACT = "fact"
    PREFERENCE = "preference"
    PROMISE = "promise"
    EPISODE = "episode"
    OBSERVATION = "observation"
    DECISION = "decision"
    IDEA = "idea"
    CONVERSATION = "conversation"
    PLAN = "plan"
    REFLECTION = "reflection"


@dataclass(frozen=True, slots=True)
class KindTraits:
    """What follows from a kind: half-life in days (None: never cools), whether it may be folded, rank."""

    half_life_days: float | None
    foldable: bool
    #: Order in backfill, 0 first. Chosen, not measured: promises bind, then what is durable.
    rank: int


KINDS: Mapping[Kind, KindTraits] = {
    Kind.RULE: KindTraits(None, False, 0),
    Kind.PROMISE: KindTraits(30, False, 1),
    Kind.FACT: KindTraits(90, False, 2),
    Kind.PREFERENCE: KindTraits(180, False, 3),
    Kind.DECISION: KindTraits(30, False, 4),
    Kind.PLAN: KindTraits(7, True, 5),
    Kind.EPISODE: KindTraits(30, True, 6),
    Kind.IDEA: KindTraits(30, True, 7),
    Kind.REFLECTION: KindTraits(30, True, 8),
    Kind.OBSERVATION: KindTraits(14, True, 9),
    Kind.CONVERSATION: KindTraits(7, True, 10),
}


class Status(StrEnum):
    """Where a memory stands. Only `active` ones can enter a context."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"  # a newer value took its place
    MERGED = "merged"  # absorbed by another memory
    FORGOTTEN = "forgotten"  # closed by the person; can be undone
    ARCHIVED = "archived"  # out of the slots, still reachable by search


class Source(StrEnum):
    """Who is behind the statement, strongest first."""

    HAND = "hand"  # written or edited by the person
    PERSON = "person"  # said by the person
    AGENT = "agent"  # noted by an agent about its own work
    CHARACTER = "character"  # promised by the character
    INFERRED = "inferred"


@dataclass(frozen=True, slots=True)
class Cause:
    """What made a version: who, which message, job or memory, and why in one line."""

    by: Literal["reflection", "hand", "merge", "supersession", "dream", "import", "agent"]
    ref: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Memory:
    """One state of one memory: a row of `versions`. The state is the current one while `seq_to` is None.

    Every change, closing included, is a new row with a new `seq_from`; nothing is ever overwritten, but for a piece
    of a private identifier that was said over several messages (`writes.RedactMessage`).
    `born_at` is the date that ranks and never moves; `changed_at` is the date of this row.
    `starts` and `until` bound when the fact holds in the world (None: unknown or open).
    """

    memory_id: MemoryId
    address: Address
    timeline: TimelineId
    thread: ThreadId | None  # None: global
    kind: Kind
    text: Redacted
    born_at: datetime
    changed_at: datetime
    cause: Cause
    status: Status = Status.ACTIVE
    source: Source = Source.PERSON
    importance: int = 3
    confidence: float = 1.0
    pinned: bool = False
    edited: bool = False  # worded by hand: locked against models
    quote: Redacted = Redacted("")
    messages: tuple[MessageId, ...] = ()  # the span it rests on, oldest first
    entity: str | None = None
    attribute: str | None = None
    value: str | None = None
    starts: date | None = None
    until: date | None = None
    successor: MemoryId | None = None  # what superseded or absorbed it
    born_turn: int = 0  # turn clock of its address at birth
    seq_from: Seq = Seq(0)
    seq_to: Seq | None = None

    @property
    def scope(self) -> Scope:
        """Global, or of one thread."""
        return Scope.GLOBAL if self.thread is None else Scope.THREAD

    @property
    def fingerprint(self) -> str:
        """Identifies the text that a vector was made from."""
        return fingerprint(self.text)


def is_whole(text: str) -> bool:
    """Whether a text holds no half of a character (a lone surrogate), which no file can keep."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def fingerprint(text: str) -> str:
    """A short digest of a text, equal for equal texts."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


@dataclass(frozen=True, slots=True)
class Candidate:
    """What reflection proposes. `quote` is the exact words it rests on, `spoken_by` whose words."""

    text: str
    kind: Kind
    scope: Scope
    confidence: float
    quote: str
    messages: tuple[MessageId, ...] = ()
    spoken_by: Role = "user"
    importance: int = 3
    entity: str | None = None
    attribute: str | None = None
    value: str | None = None
    starts: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a reflection reads: consecutive messages of one thread, oldest first, and who speaks."""

    messages: tuple[Message, ...]
    person: Person
    character: Character


@dataclass(frozen=True, slots=True)
class Speakers:
    """Who spoke in an exchange, as the filters knew them when they judged it."""

    person: str | None
    aliases: tuple[str, ...]
    time_zone: str | None
    character: str
    language: str
    isolation: Isolation


@dataclass(frozen=True, slots=True)
class Proposal:
    """What one reflection read and proposed, kept so that its decisions can be made again.

    `shown` are the messages it read, oldest first, and `fresh` those of them it was about.
    `by` names the model, "rules" without one. Every text of a candidate went through redaction.
    `scrubbed` says that a piece of an identifier was taken out of it afterwards: it may no longer decide the same.
    """

    address: Address
    thread: ThreadId
    job_id: JobId
    at: datetime
    by: str
    speakers: Speakers
    shown: tuple[MessageId, ...]
    fresh: tuple[MessageId, ...]
    turn: int
    candidates: tuple[Candidate, ...]
    seq: Seq = Seq(0)
    scrubbed: bool = False


# --- what was decided ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kept:
    """A filter lets the candidate through, perhaps reworded (an identifier redacted)."""

    candidate: Candidate


@dataclass(frozen=True, slots=True)
class Dropped:
    """A candidate refused: `filter` names who refused, `reason` says why in plain words."""

    candidate: Candidate
    filter: str
    reason: str


Verdict = Kept | Dropped


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One line of the journal: what was done to what, and why. Texts in it are redacted."""

    address: Address
    thread: ThreadId | None
    at: datetime
    action: Literal[
        "added", "merged", "superseded", "restated", "dropped", "edited", "pinned", "unpinned",
        "forgotten", "restored", "switched", "reflected", "failed", "retried",
        "announced", "doubted", "settled",
    ]  # fmt: skip
    memory_id: MemoryId | None = None
    text: Redacted = Redacted("")
    reason: str = ""
    ref: str = ""  # job, message or filter behind it; the older memory of a pair (announced, doubted, settled)
    seq: Seq = Seq(0)


# --- work and failures --------------------------------------------------------------------------


class JobState(StrEnum):
    """A job ends in done, parked (waiting in the failure inbox) or cancelled."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    PARKED = "parked"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of work that survives a crash; `messages` is the exchange it is about, oldest first.

    `created_at` is when that exchange took place, `not_before` when the work may begin.
    """

    job_id: JobId  # derived from the exchange, so that enqueuing twice is once
    address: Address
    thread: ThreadId
    kind: Literal["reflect"]
    messages: tuple[MessageId, ...]
    created_at: datetime
    not_before: datetime
    state: JobState = JobState.PENDING
    attempts: int = 0
    lease_owner: str | None = None
    lease_until: datetime | None = None
    heartbeat_at: datetime | None = None
    error: str = ""
    seq: Seq = Seq(0)  # orders the jobs of a thread


@dataclass(frozen=True, slots=True)
class Failure:
    """A reflection that could not be used, parked with the model's raw words (redacted)."""

    failure_id: str
    address: Address
    thread: ThreadId
    job_id: JobId
    at: datetime
    reason: str
    raw: Redacted
    resolved: bool = False


@dataclass(frozen=True, slots=True)
class Switch:
    """Memory is off for a person, for one of their characters, or for one thread (narrowest fields None: all)."""

    space: Space
    person: PersonId
    character: CharacterId | None
    thread: ThreadId | None
    off_at: datetime

    def covers(self, address: Address, thread: ThreadId) -> bool:
        """Whether it switches this conversation off; it is one of this person's."""
        return self.character in (None, address.character) and self.thread in (None, thread)


def is_off(switches: Iterable[Switch], address: Address, thread: ThreadId) -> bool:
    """Whether these switches of one person switch this conversation off."""
    return any(switch.covers(address, thread) for switch in switches)


@dataclass(frozen=True, slots=True)
class Stamp:
    """Changes when a cache of one person's memories is stale.

    `memory_seq` grows with versions, `vector_stamp` with vectors, `erasures` when rows were removed
    or lost words.
    """

    memory_seq: Seq
    vector_stamp: int
    erasures: int
