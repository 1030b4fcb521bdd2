"""What of the messages may be stored: redacted each, and together with what the person said just before.

The earlier message is stored by then; its piece of the identifier is taken out of it, and of the memories that rest on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from souvenance.domain import Cause, JournalEntry, Memory, Message, MessageId, Redacted, Role
from souvenance.wiring import Place
from souvenance.write.filters.identifiers import Redaction, redact
from souvenance.write.filters.identifiers.split import MOST, may_go_on, redact_after
from souvenance.writes import AddJournal, AddVersion, RedactMessage, Write

#: How long after a message the next may go on with a number. Chosen, not measured.
_TOGETHER = timedelta(minutes=30)

#: Stored messages looked through for the last ones of the person, replies among them. Chosen, not measured.
_BACK = 4 * MOST

_REASON = "A private identifier was said over several messages; no piece of it is kept."


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What is stored of each message said, and the earlier messages whose text changes: what was, what stays."""

    said: tuple[Redaction, ...]
    earlier: tuple[tuple[Message, Redaction], ...] = ()


async def cleaned(place: Place, said: Sequence[tuple[Role, str]], at: datetime) -> Cleaned:
    """What may be stored of what was said at `at`, in order. Errors: `FilterBroken`, `StoreError`.

    Earlier messages are read only when one of these could go on with a number or an address.
    """
    own = [text for role, text in said if role == "user"]
    if not await place.wiring.read(lambda: any(map(may_go_on, own))):
        alone = await place.wiring.read(lambda: [redact(text) for _, text in said])
        return Cleaned(tuple(alone))
    path = place.wiring.store.conversations.path
    stored = await place.wiring.read(path, place.address, place.thread, _BACK)
    before = [m for m in stored if m.role == "user" and at - m.at <= _TOGETHER][-MOST:]
    return await place.wiring.read(_joined, before, said)


def _joined(before: Sequence[Message], said: Sequence[tuple[Role, str]]) -> Cleaned:
    """Each message redacted after those of the person that stand before it."""
    own: list[Redaction] = [Redaction(m.text, ()) for m in before]  # the person's, oldest first
    out: list[Redaction | None] = []
    for role, text in said:
        if role != "user":
            out.append(redact(text))
            continue
        last = max(0, len(own) - MOST)
        joined = redact_after([r.text for r in own[last:]], text)
        for at, change in enumerate(joined.earlier, last):
            if change is not None:
                own[at] = Redaction(change.text, (*own[at].found, *change.found))
        own.append(joined.here)
        out.append(None)  # read again below: a later message may take a piece out of it
    mine = iter(own[len(before) :])
    kept = tuple(next(mine) if r is None else r for r in out)
    changed = zip(before, own[: len(before)], strict=True)
    return Cleaned(kept, tuple((m, r) for m, r in changed if r.found))


async def mending(place: Place, earlier: Sequence[tuple[Message, Redaction]]) -> list[Write]:
    """The writes that take the pieces out of earlier messages and of the memories that rest on them."""
    if not earlier:
        return []
    now = place.wiring.clock.now()
    pieces = {m.message_id: [m.text[f.start : f.end] for f in r.found] for m, r in earlier}
    marks = {m.message_id: r.found[-1].type for m, r in earlier if r.found}
    view = await place.view()
    memories = await place.wiring.read(place.wiring.store.memories.current, view)
    writes: list[Write] = []
    for message, redaction in earlier:
        writes.append(RedactMessage(place.address, message.message_id, redaction.text))
        writes.append(_said_so(place, message, redaction, now))
    for memory in memories:
        mended = _without(memory, pieces, marks, now)
        if mended is not None:
            writes.append(AddVersion(mended, memory.seq_from))
    return writes


def _said_so(place: Place, message: Message, redaction: Redaction, now: datetime) -> AddJournal:
    return AddJournal(
        JournalEntry(
            place.address,
            place.thread,
            now,
            "dropped",
            text=redaction.text,
            reason=_REASON,
            ref="identifiers_split",
        )
    )


def _without(
    memory: Memory,
    pieces: Mapping[MessageId, Sequence[str]],
    marks: Mapping[MessageId, str],
    now: datetime,
) -> Memory | None:
    """The memory without the pieces of the messages it rests on; None when it holds none."""
    text, quote, value = str(memory.text), str(memory.quote), memory.value
    for message_id in memory.messages:
        for piece in pieces.get(message_id, ()):
            mark = f"[{marks[message_id]}]"
            text, quote = text.replace(piece, mark), quote.replace(piece, mark)
            if value and any(c.isdigit() for c in value) and value in piece:
                value = mark  # a figure that was read out of the piece
            value = value.replace(piece, mark) if value else value
    if (text, quote, value) == (memory.text, memory.quote, memory.value):
        return None
    return replace(
        memory,
        text=Redacted(text),
        quote=Redacted(quote),
        value=value,
        changed_at=now,
        cause=Cause("reflection", reason=_REASON),
        seq_to=None,
    )
