"""Every error Souvenance raises, in one tree; each message says what to do next.

They stand together so that a caller can catch one root, and so that a reader sees what can go wrong.

SouvenanceError
├── BadInput            what was given cannot be used; the command line exits with 2
│   ├── Unknown         no such thread, person, character or memory at this address
│   ├── BadSetting      a setting that cannot be read, with where it came from
│   └── BadLine         a line of a file, with its number
├── StoreError          the database or its key file
│   ├── StoreUnusable   cannot be opened: folder not writable, not a database, SQLite too old
│   ├── NewerDatabase   written by a newer version of Souvenance
│   ├── StoreBusy       another process kept the write lock longer than the timeout
│   └── Conflict        somebody changed this memory since it was read; read again and retry
├── ModelError          a chat model or an embedder
│   ├── ModelUnreachable  refused, timed out, or cut off
│   ├── ModelRefused    answered with an error status
│   └── BadAnswer       answered something that cannot be used; `raw` holds it
└── FilterBroken        a filter crashed: nothing is written (it fails closed)
"""

from __future__ import annotations

from collections.abc import Mapping


class SouvenanceError(Exception):
    """Root of every error raised on purpose.

    The message is in English; `code` names it and `fields` holds what stands in it, for an interface that says it
    in another language. `code` is empty where no other language has been thought of.
    """

    def __init__(
        self, *args: object, code: str = "", fields: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(*args)
        self.code = code
        self.fields: Mapping[str, object] = fields or {}


class BadInput(SouvenanceError):
    """What was given cannot be used."""


class Unknown(BadInput):
    """No such thing at this address."""


class BadSetting(BadInput):
    """A setting that cannot be read."""


class BadLine(BadInput):
    """A line of a file that cannot be used; `line` counts from 1."""

    def __init__(
        self,
        message: str,
        *,
        line: int,
        code: str = "",
        fields: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message, code=code, fields={"line": line, **(fields or {})})
        self.line = line


class StoreError(SouvenanceError):
    """The database or its key file."""


class StoreUnusable(StoreError):
    """The database cannot be opened."""


class NewerDatabase(StoreError):
    """The database was written by a newer version."""


class StoreBusy(StoreError):
    """Another process kept the write lock too long."""


class Conflict(StoreError):
    """A memory changed between the reading and the writing of a decision."""


class ModelError(SouvenanceError):
    """A chat model or an embedder failed."""


class ModelUnreachable(ModelError):
    """Refused, timed out, or cut off."""


class ModelRefused(ModelError):
    """Answered with an error status; `status` is the HTTP code."""

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = status


class BadAnswer(ModelError):
    """Answered something that cannot be used; `raw` holds the text as received."""

    def __init__(self, message: str, *, raw: str) -> None:
        super().__init__(message)
        self.raw = raw


class FilterBroken(SouvenanceError):
    """A filter crashed, so nothing was written."""
