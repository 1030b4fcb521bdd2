"""What every store refuses before it writes, and how it recognises a text it was sent before.

It stands apart so that all stores refuse the same things with the same words.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime

import numpy as np

from souvenance.domain import Address, MessageId, PersonId, Space, is_whole
from souvenance.errors import BadInput, Conflict
from souvenance.ports import Vector, VectorRow, WindowRow
from souvenance.writes import ExpectMessages, PutThread, Write

#: Bytes of a mark: no two messages of a lifetime share one by chance. Chosen, not measured.
MARK_BYTES = 16


#: Years that a date may have: at the edges of the calendar, "tomorrow" and time zones overflow. Chosen.
FIRST_YEAR, LAST_YEAR = 1000, 9000


def require_storable(space: Space, person: PersonId, writes: Sequence[Write]) -> None:
    """Returns when each write belongs to this person and holds only what every store can keep.

    Errors: `BadInput`.
    """
    if not space or not person:
        raise BadInput("a space and a person each need a name of at least one character")
    for write in writes:
        require_clean(write)
        owner = _owner(write)
        if owner is not None and owner != (space, person):
            raise BadInput(
                f"a {type(write).__name__} for another person came in a commit for "
                f"{person!r}: commit each person's changes apart"
            )


def require_head(write: PutThread, head: str | None) -> None:
    """Returns when a thread still ends where it did when this write was decided. Errors: `Conflict`."""
    if head != write.head_was:
        raise Conflict(f"somebody spoke in {write.thread.thread!r} meanwhile: read it again")


def require_clean(value: object) -> None:
    """Returns when all texts, dates and figures inside a record can be stored as they are.

    Errors: `BadInput`.
    """
    if isinstance(value, str):
        _require_whole(value)
    elif isinstance(value, datetime):
        if value.tzinfo is None:
            raise BadInput(f"the date {value.isoformat()} has no time zone: give an aware one")
        if not FIRST_YEAR <= value.year <= LAST_YEAR:
            raise BadInput(f"the year {value.year} is not between {FIRST_YEAR} and {LAST_YEAR}")
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise BadInput(f"{value} is not a figure that can be stored")
    elif is_dataclass(value):
        for field in fields(value):
            require_clean(getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            require_clean(item)


def require_words(write: ExpectMessages, now: Mapping[MessageId, str]) -> None:
    """Returns when each message that is there still starts with the words that were read. Errors: `Conflict`."""
    for message_id, text in write.texts:
        if not now.get(message_id, text).startswith(text):
            raise Conflict(f"message {message_id} changed since it was read: read it again")


def require_vectors(rows: Sequence[VectorRow]) -> None:
    """Returns when each vector is flat, not empty and finite. Errors: `BadInput`."""
    for row in rows:
        _require_figures(row.vector, f"memory {row.memory_id}")


def require_windows(address: Address, rows: Sequence[WindowRow]) -> None:
    """Returns when each is of a message at this address, and its vector flat, not empty and finite.

    Errors: `BadInput`.
    """
    for row in rows:
        if row.address != address:
            raise BadInput("a window of another address: store each thread's apart")
        _require_figures(row.vector, f"message {row.message_id}")


def _require_figures(vector: Vector, what: str) -> None:
    if vector.ndim != 1 or not vector.size or not np.isfinite(vector).all():
        raise BadInput(
            f"the vector of {what} has shape {vector.shape} or holds a "
            "value that is not a figure: the embedder answered wrongly"
        )


def keyed_mark(key: bytes, text: str) -> str:
    """The keyed hash of a text: equal for equal texts, telling nothing to who lacks the key."""
    digest = hashlib.blake2b(
        text.encode("utf-8", "surrogatepass"), key=key[:64], digest_size=MARK_BYTES
    )
    return digest.hexdigest()


def _require_whole(text: str) -> None:
    if not is_whole(text):
        raise BadInput(
            "a text holds half of a character (a lone surrogate): replace it before storing"
        )


def _owner(write: Write) -> tuple[Space, PersonId] | None:
    """Whose row a write makes; None when it names a job or a failure, looked up under the person."""
    for field in fields(write):
        value = getattr(write, field.name)
        where = value if isinstance(value, Address) else getattr(value, "address", value)
        if hasattr(where, "space") and hasattr(where, "person"):
            return where.space, where.person
    return None
