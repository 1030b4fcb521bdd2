"""Recording what was said: one durable transaction for the messages, their reflection, and the turn's counters.

The words are redacted before they reach the store; a keyed hash of the original recognises a resent message.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from souvenance.domain import (
    Address,
    Job,
    JobId,
    Message,
    MessageId,
    Person,
    Role,
    Thread,
    ThreadId,
)
from souvenance.errors import BadInput, Conflict
from souvenance.joining import cleaned, mending
from souvenance.wiring import Place
from souvenance.write.filters.identifiers import redact, says_more
from souvenance.write.filters.identifiers.several import Clean
from souvenance.writes import AddJob, AddMessage, CountTurn, PutPerson, PutThread, Write

#: How often an exchange is put behind what others said meanwhile. Chosen, not measured.
_RETRIES = 20


@dataclass(frozen=True, slots=True)
class Said:
    """One message to record; `key` makes recording it twice the same as once."""

    role: Role
    text: str
    at: datetime | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was recorded. `removed` names the kinds of identifiers that were taken out of the person's words."""

    messages: tuple[MessageId, ...] = ()
    job: JobId | None = None
    removed: tuple[str, ...] = ()
    bare: bool = False  # something was removed, and the person said nothing else
    known: bool = False  # the same keys were recorded before: nothing was written
    off: bool = False  # memory is off: nothing was written
    failed: str | None = None  # why the store wrote nothing, after a reply that was delivered
    pending: bool = False  # another program holds the database: stored as soon as it lets go


async def record(
    place: Place, said: Sequence[Said], *, count: CountTurn | None, name: str | None
) -> Recorded:
    """What was recorded, durable when this returns. Errors: `BadInput`, `StoreError`, `FilterBroken`."""
    if not said or any(not s.text.strip() for s in said):
        raise BadInput("There is nothing to record: every message needs some words.")
    ids = [_message_id(place.address, place.thread, s.key) for s in said]
    conversations = place.wiring.store.conversations
    if len(await place.wiring.read(conversations.messages, place.address, ids)) == len(ids):
        return Recorded(tuple(ids), known=True)
    at = said[0].at or place.wiring.clock.now()
    for attempt in range(_RETRIES):
        row = (
            await place.row()
        )  # before the messages are read: who speaks meanwhile makes a `Conflict`
        clean = await cleaned(place, [(s.role, s.text) for s in said], at)
        job, writes = await _decided(place, said, ids, clean.said, name, row)
        writes += await mending(place, clean.earlier)
        try:
            await place.commit([*writes, *([count] if count is not None else [])])
            break
        except Conflict:
            # Another program spoke in this thread meanwhile: what was said here follows it.
            if attempt == _RETRIES - 1:
                raise
    mine = [one for s, one in zip(said, clean.said, strict=True) if s.role == "user"]
    removed = {type_ for one in mine for type_ in one.types}
    own = [one.text for one in mine]
    bare = bool(removed) and not any(says_more(text) for text in own)
    return Recorded(tuple(ids), job.job_id, tuple(sorted(removed)), bare)


async def _decided(
    place: Place,
    said: Sequence[Said],
    ids: Sequence[MessageId],
    clean: Sequence[Clean],
    name: str | None,
    row: Thread | None,
) -> tuple[Job, list[Write]]:
    """The job and the writes that put the messages behind the last one of the thread, as it is now."""
    head, now = row.head if row else None, place.wiring.clock.now()
    messages = _chain(place, said, ids, clean, head, now)
    identity = hashlib.blake2b("/".join(ids).encode(), digest_size=10).hexdigest()
    at = messages[-1].at
    job = Job(JobId(identity), place.address, place.thread, "reflect", tuple(ids), at, now)
    thread = Thread(
        address=place.address,
        thread=place.thread,
        timeline=await place.timeline(row),
        head=messages[-1].message_id,
        title=row.title if row else None,
        created_at=row.created_at if row else messages[0].at,
        last_at=at,
    )
    put = PutThread(thread, head_was=head, guarded=True)
    return job, [*await _naming(place, name), put, *map(AddMessage, messages), AddJob(job)]


def _chain(
    place: Place,
    said: Sequence[Said],
    ids: Sequence[MessageId],
    clean: Sequence[Clean],
    head: MessageId | None,
    now: datetime,
) -> list[Message]:
    messages: list[Message] = []
    for s, identity, one in zip(said, ids, clean, strict=True):
        mark = place.wiring.store.mark(s.text)
        at = s.at or now
        messages.append(
            Message(place.address, place.thread, identity, head, s.role, one.text, at, mark)
        )
        head = identity
    return messages


async def _naming(place: Place, name: str | None) -> list[Write]:
    """Keeps the name that the person goes by, the first time it is given."""
    if name is None:
        return []
    space, person = place.address.space, place.address.person
    known = await place.wiring.read(place.wiring.store.conversations.person, space, person)
    return (
        []
        if known and known.display_name
        else [PutPerson(Person(space, person, redact(name).text))]
    )


def _message_id(address: Address, thread: ThreadId, key: str | None) -> MessageId:
    """A random id, or one that depends on the address, the thread and the caller's key alone."""
    if key is None:
        return MessageId(secrets.token_hex(10))
    parts = "\x1f".join((address.space, address.person, address.character, thread, key))
    return MessageId(
        hashlib.blake2b(parts.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()
    )
