"""What the engine needs from the outside, as small protocols; each has a fake in the package.

Paths import these and never a store or a model, so that each can be replaced and tested alone.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, ParamSpec, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from souvenance.counts import Counters, Tally, TurnClock
from souvenance.domain import (
    Address,
    Character,
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
from souvenance.writes import Write

Vector = NDArray[np.float32]


P = ParamSpec("P")
T = TypeVar("T")


class Run(Protocol):
    """Runs a blocking call off the event loop and returns what it returns."""

    async def __call__(self, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T: ...


class Clock(Protocol):
    """The only source of the present. Returns an aware datetime."""

    def now(self) -> datetime: ...


# --- the store ----------------------------------------------------------------------------------


class Conversations(Protocol):
    """Reads people, characters, threads and their messages."""

    def person(self, space: Space, person: PersonId) -> Person | None: ...
    def people(self, space: Space) -> list[Person]: ...
    def character(self, space: Space, character: CharacterId) -> Character | None: ...
    def characters(self, space: Space) -> list[Character]: ...
    def put_character(self, character: Character) -> None: ...
    def timelines(self, address: Address) -> list[Timeline]: ...
    def thread(self, address: Address, thread: ThreadId) -> Thread | None: ...
    def threads(
        self, space: Space, person: PersonId, character: CharacterId | None = None
    ) -> list[Thread]:
        """Threads of a person, the last used first."""
        ...

    def path(
        self, address: Address, thread: ThreadId, limit: int, upto: MessageId | None = None
    ) -> list[Message]:
        """The last `limit` messages of the active path (or of the path that ends at `upto`), oldest first."""
        ...

    def messages(self, address: Address, ids: Sequence[MessageId]) -> list[Message]:
        """Those of `ids` that exist at this address, by seq."""
        ...

    def switches(self, space: Space, person: PersonId) -> list[Switch]: ...
    def turns(self, address: Address) -> int:
        """The turn clock: turns served so far at this address, degraded ones left out."""
        ...

    def clock(self, address: Address) -> TurnClock:
        """The same clock with its degraded turns, and with the thread of each turn."""
        ...

    def tallies(self, address: Address) -> list[Tally]:
        """What each block of turns served, the oldest first; the last one may not be full."""
        ...


class Memories(Protocol):
    """Reads what is remembered, always through a `View`."""

    def stamp(self, view: View) -> Stamp: ...
    def current(self, view: View, since: Seq = Seq(0)) -> list[Memory]:
        """The current state of every memory the view sees, of any status, changed after `since`; by seq_from, then id."""
        ...

    def as_of(self, view: View, seq: Seq) -> list[Memory]:
        """The states that were current when `seq` had just been committed."""
        ...

    def history(self, view: View, memory_id: MemoryId) -> list[Memory]:
        """Every state of one memory the view sees, oldest first; empty when there is none."""
        ...

    def journal(
        self, view: View, *, actions: Sequence[str] = (), limit: int = 100
    ) -> list[JournalEntry]:
        """The newest `limit` entries, newest first; `actions` empty means all."""
        ...

    def failures(self, view: View, *, resolved: bool = False) -> list[Failure]: ...
    def proposals(self, view: View) -> list[Proposal]:
        """What each reflection of the view's address (and thread) proposed, by seq; of the main timeline's threads."""
        ...

    def counters(self, view: View) -> Mapping[MemoryId, Counters]: ...


class Jobs(Protocol):
    """The queue. Claiming, heartbeats and release are transactions of their own."""

    def claim(
        self, owner: str, now: datetime, lease_s: float, address: Address | None = None
    ) -> Job | None:
        """Leases the oldest job that is due (pending and `not_before` past, or running with its lease expired)
        whose thread has no earlier unfinished job; counts an attempt. None when there is none."""
        ...

    def claim_next(self, after: Job, owner: str, now: datetime, lease_s: float) -> Job | None:
        """Leases the pending job that follows `after` in its thread, due or not, so that one reflection reads
        several exchanges; None when there is none, or when `after` is not leased by `owner`."""
        ...

    def heartbeat(self, job_id: JobId, owner: str, now: datetime, lease_s: float) -> bool:
        """Prolongs a lease; False when it is no longer ours."""
        ...

    def release(
        self, job_id: JobId, owner: str, not_before: datetime, *, count_attempt: bool
    ) -> None:
        """Gives a job back; with `count_attempt=False` the claim does not count (cancelled by a turn)."""
        ...

    def unfinished(self, address: Address | None = None) -> list[Job]:
        """Pending and running jobs, by seq."""
        ...

    def job(self, job_id: JobId) -> Job | None: ...


@dataclass(frozen=True, slots=True)
class VectorRow:
    """One vector of one memory's text, by one embedder. Shape (dim,), unit length."""

    address: Address
    memory_id: MemoryId
    fingerprint: str
    vector: Vector


@dataclass(frozen=True, slots=True)
class HeldVectors:
    """What the vectors of one embedder and dimension take in the file, those of everybody together."""

    embedder: str
    dimension: int
    rows: int
    bytes: int


class Vectors(Protocol):
    """Derived data: can be dropped and rebuilt at any time."""

    def held(self) -> list[HeldVectors]:
        """What is stored, windows of messages included, by embedder, then dimension."""
        ...

    def progress(self, embedder: str) -> tuple[int, int]:
        """How many of the current active memories have a vector by `embedder`, and how many they are."""
        ...

    def drop(self, embedder: str, limit: int) -> int:
        """Deletes at most `limit` vectors of `embedder` in one transaction; returns how many."""
        ...

    def missing(self, embedder: str, limit: int) -> list[tuple[Address, Memory]]:
        """Active memories whose current text has no vector by `embedder`, oldest first, over all people.
        The index loop is the one reader that sees everybody."""
        ...

    def put(self, embedder: str, rows: Sequence[VectorRow]) -> None:
        """Stores or replaces; one vector per (address, memory, embedder)."""
        ...

    def load(self, view: View, embedder: str, since: int = 0) -> list[VectorRow]:
        """Vectors of current states the view sees whose fingerprint is that of the current text,
        written after vector stamp `since`."""
        ...


#: Messages that a window may reach before or after the one it belongs to; none spans further.
WINDOW_REACH = 2


@dataclass(frozen=True, slots=True)
class WindowRow:
    """One vector of one message amid its neighbours, by one embedder: `window` says which of them.

    `fingerprint` is of the text that was embedded. Shape (dim,), unit length.
    """

    address: Address
    message_id: MessageId
    window: str
    fingerprint: str
    vector: Vector


@dataclass(frozen=True, slots=True)
class Unwindowed:
    """A thread with messages whose windows are not all embedded; those up to `done` on its path are (None: none).

    `edits` is how often words of this person's messages were taken out so far.
    """

    thread: Thread
    done: MessageId | None
    edits: int


@dataclass(frozen=True, slots=True)
class SaidStamp:
    """Changes when what is known of a view's messages is stale: a head, the windows, or words taken out."""

    heads: tuple[tuple[ThreadId, MessageId], ...]
    windows: int
    edits: int


class Windows(Protocol):
    """Vectors of messages amid their neighbours; derived, can be dropped and rebuilt at any time.

    Nothing here is of a thread where memory is switched off.
    """

    def stamp(self, view: View) -> SaidStamp:
        """Heads of the threads of the view's timeline, its own thread alone under strict isolation; by thread."""
        ...

    def due(self, embedder: str, limit: int) -> list[Unwindowed]:
        """Threads with messages that `embedder` has not windowed, the last used first, over all people."""
        ...

    def known(
        self, address: Address, embedder: str, ids: Sequence[MessageId]
    ) -> set[tuple[MessageId, str, str]]:
        """Message, window and fingerprint of the vectors that are there for these messages."""
        ...

    def put(
        self, embedder: str, due: Unwindowed, rows: Sequence[WindowRow], done: MessageId | None
    ) -> bool:
        """Stores rows made from what was read after `due` was told, and that all is done up to `done` (None: not yet).

        Does nothing and returns False when words were taken out of the person's messages meanwhile: they may be in it.
        Rows of messages that are gone are passed over; another text's row of the same window goes, unless the
        conversation branches near it.
        """
        ...

    def load(
        self, address: Address, embedder: str, threads: Sequence[ThreadId], since: int = 0
    ) -> list[WindowRow]:
        """Vectors of the messages of these threads, of whatever text, written after window stamp `since`."""
        ...

    def drop(self, embedder: str, limit: int) -> int:
        """Deletes at most `limit` windows of `embedder` in one transaction; returns how many. All is then due again,
        and what was read of anybody's messages is stale."""
        ...


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The outcome of a check of the database: `problems` is empty when it is sound."""

    sqlite_version: str
    schema_version: int
    pragmas: Mapping[str, str]
    problems: tuple[str, ...]
    counts: Mapping[str, int]


class Store(Protocol):
    """Everything Souvenance keeps. Synchronous and thread-safe: the engine calls it off the event loop."""

    @property
    def conversations(self) -> Conversations: ...
    @property
    def memories(self) -> Memories: ...
    @property
    def jobs(self) -> Jobs: ...
    @property
    def vectors(self) -> Vectors: ...
    @property
    def windows(self) -> Windows: ...

    def commit(self, space: Space, person: PersonId, writes: Sequence[Write]) -> Seq:
        """Does all of `writes` in one durable transaction and returns its seq, or does none and raises.

        Every row written carries the new seq. A person unknown so far is created.
        A commit of nothing but `CountTurn` advances no seq.
        Errors: `Conflict`, `StoreBusy`, `StoreError`.
        """
        ...

    def mark(self, text: str) -> str:
        """The keyed hash of a text as typed, to recognise it when it is sent again."""
        ...

    def check(self) -> CheckReport: ...
    def backup(self, target: Path) -> None: ...
    def close(self) -> None: ...


# --- models -------------------------------------------------------------------------------------

#: The `query_in` of a message whose language nobody knows (the code that ISO 639 has for it).
UNDETERMINED = "und"


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def name(self) -> str:
        """Identifies model and settings; vectors of different names are never compared."""
        ...

    @property
    def threshold(self) -> float:
        """The cosine from which two texts count as related, for this embedder only."""
        ...

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, query_in: str | None = None
    ) -> Vector:
        """Shape (len(texts), dim), rows of unit length, in order.

        `query_in` None: texts to be stored. Otherwise messages of a person that look for stored texts, and the
        language of the character they talk with, or `UNDETERMINED`. Only vectors of texts of the first kind are
        stored; a vector of the second kind means something beside those alone.

        Errors: `ModelError` when unreachable, refused, or of a wrong shape, count or value (NaN).
        """
        ...

    async def close(self) -> None: ...


@runtime_checkable
class Blended(Protocol):
    """An `Embedder` of several, one of which is light enough for every message and each of its windows."""

    @property
    def light(self) -> Embedder:
        """That one."""
        ...

    def light_part(self, vector: Vector) -> Vector:
        """What it gave to a vector of the whole, at unit length. Shapes: (dim of the whole,) to (dim of the light one,)."""
        ...


def for_messages(embedder: Embedder | None) -> Embedder | None:
    """The embedder of messages: the light one of a blend, or the only one there is."""
    return embedder.light if isinstance(embedder, Blended) else embedder


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message as a chat model reads it."""

    role: Literal["system", "user", "assistant"]
    text: str


class ChatModel(Protocol):
    """A chat model behind some server."""

    @property
    def name(self) -> str: ...
    @property
    def server(self) -> str:
        """Identifies the server, to know when a turn and a reflection would compete for it."""
        ...

    def stream(
        self, messages: Sequence[ChatMessage], *, max_tokens: int | None = None
    ) -> AsyncIterator[str]:
        """Pieces of the reply as they come, thoughts stripped. Errors: `ModelError`."""
        ...

    async def answer_json(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any],
        schema_name: str,
        max_tokens: int,
    ) -> str:
        """The raw text of an answer asked for under a JSON schema, by the strongest means this server takes;
        thoughts stripped, not parsed. Errors: `ModelError`."""
        ...

    async def close(self) -> None: ...
