"""What one transaction does, as values: a store is given a list of these and does all of them or none.

A change carries the state that it was decided on, so that a store can tell when somebody was quicker.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from souvenance.domain import (
    Address,
    Failure,
    Job,
    JobId,
    JobState,
    JournalEntry,
    Memory,
    MemoryId,
    Message,
    MessageId,
    Person,
    Proposal,
    Redacted,
    Seq,
    Switch,
    Thread,
    ThreadId,
    Timeline,
)
from souvenance.pieces import Piece


@dataclass(frozen=True, slots=True)
class PutPerson:
    person: Person


@dataclass(frozen=True, slots=True)
class PutThread:
    """Stores a thread as it is now.

    When `guarded`, raises `Conflict` unless the head stored so far is `head_was` (None: no thread, or an empty
    one), so that two programs that speak at once do not hang two messages on the same one.
    """

    thread: Thread
    head_was: MessageId | None = None
    guarded: bool = False


@dataclass(frozen=True, slots=True)
class PutTimeline:
    timeline: Timeline


@dataclass(frozen=True, slots=True)
class AddMessage:
    """Adds a message; one with the same id at the same address is left as it is."""

    message: Message


@dataclass(frozen=True, slots=True)
class RedactMessage:
    """Puts `text` in place of what a message said: it turned out to hold a piece of a private identifier.

    The one change that overwrites. `pieces` are what went: each is replaced by its mark wherever something rests on
    this message: every state of every memory that names it or came from a reflection that was shown it, the journal
    lines and proposals of those, and the failures and errors of the jobs of its thread since then. Vectors of texts
    that change are dropped, and `Stamp.erasures` grows then.
    Raises `Unknown` when there is no such message at the address.
    """

    address: Address
    message_id: MessageId
    text: Redacted
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class ExpectMessages:
    """Writes nothing; raises `Conflict` when one of these messages no longer starts with the words that were read.

    Messages that are not there are passed over.
    """

    address: Address
    texts: tuple[tuple[MessageId, Redacted], ...]


@dataclass(frozen=True, slots=True)
class AddVersion:
    """Writes `memory` as its new current state; `expected` is the `seq_from` it was decided on.

    `expected=None` means the memory must not exist yet in this timeline.
    Raises `Conflict` (and the whole transaction is undone) when the current state is another one.
    """

    memory: Memory
    expected: Seq | None


@dataclass(frozen=True, slots=True)
class AddJournal:
    entry: JournalEntry


@dataclass(frozen=True, slots=True)
class AddJob:
    """Enqueues; a job with the same id is left as it is, whatever its state."""

    job: Job


@dataclass(frozen=True, slots=True)
class EndJob:
    """Ends a job that `owner` still holds; raises `Conflict` when the lease went to somebody else."""

    job_id: JobId
    owner: str
    state: JobState
    error: str = ""


@dataclass(frozen=True, slots=True)
class RequeueJob:
    """Puts a parked, cancelled or done job back in the queue with its attempts at zero."""

    job_id: JobId
    not_before: datetime


@dataclass(frozen=True, slots=True)
class AddFailure:
    failure: Failure


@dataclass(frozen=True, slots=True)
class ResolveFailure:
    failure_id: str


@dataclass(frozen=True, slots=True)
class AddProposal:
    proposal: Proposal


@dataclass(frozen=True, slots=True)
class SetSwitch:
    """Switches memory off (`off=True`) or on again where `switch` says."""

    switch: Switch
    off: bool


@dataclass(frozen=True, slots=True)
class CountTurn:
    """Counts a turn of `thread`: one more for each memory `served`, for those of them `retrieved`, and on the clock.

    Ids of no memory of the address are passed over, and one id counts once.
    A degraded turn counts as degraded, and moves nothing else.
    """

    address: Address
    thread: ThreadId
    served: tuple[MemoryId, ...]
    retrieved: tuple[MemoryId, ...]
    at: datetime
    degraded: bool


Write = (
    PutPerson
    | PutThread
    | PutTimeline
    | AddMessage
    | RedactMessage
    | ExpectMessages
    | AddVersion
    | AddJournal
    | AddJob
    | EndJob
    | RequeueJob
    | AddFailure
    | ResolveFailure
    | AddProposal
    | SetSwitch
    | CountTurn
)
