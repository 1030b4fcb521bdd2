"""What of the messages may be stored: redacted each, and together with what was said just before.

The earlier message is stored by then; its piece of the identifier is taken out of it, and of all that rests on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from souvenance.domain import Cause, JournalEntry, Memory, Message, Role
from souvenance.pieces import Piece, memory_without
from souvenance.wiring import Place
from souvenance.write.filters.identifiers.several import WINDOW, Clean, clean_talk
from souvenance.write.filters.identifiers.split import may_go_on
from souvenance.writes import AddJournal, AddVersion, RedactMessage, Write

#: How long after a message the next may go on with a number. Chosen, not measured.
_TOGETHER = timedelta(minutes=30)

#: Characters of a piece that is looked for in what rests on another message of the same number. Chosen, not measured.
_TELLING = 5

_REASON = "A private identifier was said over several messages; no piece of it is kept."


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What is stored of each message said, and the earlier messages whose text changes: what was, what stays."""

    said: tuple[Clean, ...]
    earlier: tuple[tuple[Message, Clean], ...] = ()


async def cleaned(place: Place, said: Sequence[tuple[Role, str]], at: datetime) -> Cleaned:
    """What may be stored of what was said at `at`, in order. Errors: `FilterBroken`, `StoreError`.

    Earlier messages are read only when one of these could go on with a number or an address.
    """
    before: list[Message] = []
    if await place.wiring.read(lambda: any(may_go_on(text) for _, text in said)):
        path = place.wiring.store.conversations.path
        stored = await place.wiring.read(path, place.address, place.thread, WINDOW)
        before = [m for m in stored if at - m.at <= _TOGETHER]
    talk: list[tuple[Role, str]] = [*((m.role, str(m.text)) for m in before), *said]
    clean = await place.wiring.read(clean_talk, talk, len(before))
    now = tuple(clean[len(before) :])
    changed = zip(before, clean[: len(before)], strict=True)
    return Cleaned(now, tuple((m, c) for m, c in changed if c.pieces))


async def mending(place: Place, earlier: Sequence[tuple[Message, Clean]]) -> list[Write]:
    """The writes that take the pieces out of earlier messages and of all that rests on them.

    Current memories get a new state besides, so that whoever decides on the old one at this moment decides again.
    """
    if not earlier:
        return []
    now = place.wiring.clock.now()
    view = await place.view()
    memories = await place.wiring.read(place.wiring.store.memories.current, view)
    shared = [p for _, c in earlier for p in c.pieces if len(p.text.strip()) >= _TELLING]
    writes: list[Write] = []
    for message, clean in earlier:
        pieces = tuple(dict.fromkeys((*clean.pieces, *shared)))
        writes.append(RedactMessage(place.address, message.message_id, clean.text, pieces))
        writes.append(_said_so(place, clean, now))
    for memory in memories:
        mended = _mended(memory, earlier, shared, now)
        if mended is not None:
            writes.append(AddVersion(mended, memory.seq_from))
    return writes


def _said_so(place: Place, clean: Clean, now: datetime) -> AddJournal:
    return AddJournal(
        JournalEntry(
            place.address,
            place.thread,
            now,
            "dropped",
            text=clean.text,
            reason=_REASON,
            ref="identifiers_split",
        )
    )


def _mended(
    memory: Memory,
    earlier: Sequence[tuple[Message, Clean]],
    shared: Sequence[Piece],
    now: datetime,
) -> Memory | None:
    """The memory without the pieces of the messages it rests on; None when it holds none."""
    own = [p for m, c in earlier if m.message_id in memory.messages for p in c.pieces]
    if not own:
        return None
    mended = memory_without(memory, [*own, *shared])
    if mended == memory:
        return None
    return replace(mended, changed_at=now, cause=Cause("reflection", reason=_REASON), seq_to=None)
