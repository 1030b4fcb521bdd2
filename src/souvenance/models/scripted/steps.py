"""What a scripted server can be told to do with one request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Say:
    """Answers the text, in pieces when a stream was asked for; `end` is why it stops ("stop", "length")."""

    text: str
    end: str = "stop"


@dataclass(frozen=True, slots=True)
class Stream:
    """Streams the pieces with `delay_s` before each; with `done=False` it ends without the usual last event."""

    pieces: Sequence[str]
    delay_s: float = 0.0
    end: str | None = "stop"
    done: bool = True


@dataclass(frozen=True, slots=True)
class Fail:
    """Answers an error status with a body."""

    status: int
    body: str = '{"error": {"message": "scripted failure"}}'


@dataclass(frozen=True, slots=True)
class Hang:
    """Accepts the request and says nothing for that long, then closes."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Cut:
    """Begins its usual answer and cuts the connection after that many bytes of it."""

    after_bytes: int


@dataclass(frozen=True, slots=True)
class Drip:
    """Gives its usual answer one byte at a time."""

    delay_s: float


@dataclass(frozen=True, slots=True)
class Raw:
    """Answers exactly these bytes with status 200."""

    data: bytes
    content_type: str = "text/event-stream"


@dataclass(frozen=True, slots=True)
class Refuse:
    """Not a step but a habit: every request with this kind of `response_format` (or `format`) gets that status."""

    kind: Literal["json_schema", "json_object"]
    status: int = 500


@dataclass(frozen=True, slots=True)
class Embed:
    """Answers vectors; by default right ones.

    `count` is how many (None: as many as texts), `values` replaces the first numbers of the first vector
    (NaN, infinities, zeros), `reverse` sends them in another order with their right `index`.
    """

    dim: int = 8
    count: int | None = None
    values: Sequence[float] = ()
    reverse: bool = False


Step = Say | Stream | Fail | Hang | Cut | Drip | Raw | Embed
