"""What a search of the messages takes and gives: lines of a transcript, windows to embed, and what was found.

A line is one message as it was stored; it is found with its neighbours, for a sentence of a talk seldom stands alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from souvenance.domain import MessageId, ThreadId
from souvenance.ports import Vector


@dataclass(frozen=True, slots=True)
class Line:
    """One message of a transcript; `speaker` is a key of `Cast.names`, such as the role of who said it."""

    message_id: MessageId
    thread: ThreadId
    at: datetime
    speaker: str
    text: str


class WindowKind(StrEnum):
    """Which neighbours are embedded together with a message."""

    NARROW = "narrow"  # the message before it, and itself
    WIDE = "wide"  # two before it, itself, and the one after it


@dataclass(frozen=True, slots=True)
class Window:
    """A text to embed for one message. `fingerprint` changes whenever a message of the window does."""

    message_id: MessageId
    kind: WindowKind
    text: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class WindowVector:
    """The vector of a window, of unit length, made from the text of that fingerprint."""

    message_id: MessageId
    kind: WindowKind
    fingerprint: str
    vector: Vector


@dataclass(frozen=True, slots=True)
class Cast:
    """Who talks in a transcript: the names each speaker goes by, and whose words a query is.

    With `asking`, "my" is the one who asks and "your" the other; without, only names tell who is asked about.
    """

    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    asking: str | None = None


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why a line was found, each part empty or None when it played no role."""

    words: tuple[
        str, ...
    ] = ()  # words of the query that stand in the line or beside it, as they were typed
    meaning: float | None = None  # the best cosine of the query with a window of the line
    asked: str | None = None  # the speaker asked about, when the line is theirs
    when: tuple[date, date] | None = (
        None  # the days asked for, when the line was said in or just after them
    )


@dataclass(frozen=True, slots=True)
class Found:
    """One line with the lines around it in its thread. `score` orders; `relevance` in [0, 1] judges, 0.5 being enough."""

    line: Line
    before: tuple[Line, ...]
    after: tuple[Line, ...]
    score: float
    relevance: float
    reasons: Reasons
