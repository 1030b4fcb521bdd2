"""Pairs of memories that may contradict each other, for the person to settle: the code was not sure.

They are read from the journal: what was left to the person (doubted), what was announced and whose day has come.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Literal

from souvenance.domain import Cause, JournalEntry, Memory, MemoryId, Status, TimelineId
from souvenance.writes import AddJournal, AddVersion

#: Which of two memories holds, as the person says.
Keep = Literal["newer", "older", "both"]

#: The actions of the journal that tell of pairs: `memory_id` is the newer one, `ref` the older.
PAIRED = ("doubted", "announced", "settled")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two active memories that may not both hold, and why the choice was left to the person.

    `due`: the newer one was announced for a day that has come; until it is settled the older one rests.
    """

    newer: Memory
    older: Memory
    sort: Literal["doubted", "due"]
    reason: str


def waiting(
    memories: Mapping[MemoryId, Memory], journal: Sequence[JournalEntry], today: date
) -> list[Pair]:
    """The pairs that wait to be settled, the one found last first; each pair once.

    `journal` holds the entries of `PAIRED`, newest first, as stores give them.
    """
    found: list[Pair] = []
    seen: set[frozenset[str]] = set()
    for entry in journal:
        key = frozenset((entry.memory_id or "", entry.ref))
        if key in seen:
            continue
        seen.add(key)
        pair = _pair(entry, memories, today)
        if pair is not None:
            found.append(pair)
    return found


def _pair(entry: JournalEntry, memories: Mapping[MemoryId, Memory], today: date) -> Pair | None:
    newer = memories.get(entry.memory_id) if entry.memory_id else None
    older = memories.get(MemoryId(entry.ref))
    if newer is None or older is None or entry.action == "settled":
        return None
    if (newer.status, older.status) != (Status.ACTIVE, Status.ACTIVE):
        return None
    if entry.action == "doubted":
        return Pair(newer, older, "doubted", entry.reason)
    has_come = newer.starts is not None and newer.starts <= today
    return Pair(newer, older, "due", entry.reason) if has_come else None


def settled(
    pair: Pair, keep: Keep, at: datetime, today: date, timeline: TimelineId
) -> tuple[AddVersion | AddJournal, ...]:
    """What settling a pair writes: the memory that does not hold closed, an announced end taken back when it came to nothing."""
    newer, older = pair.newer, pair.older
    reason = {
        "newer": "the newer one holds, as you said",
        "older": "the older one holds, as you said",
        "both": "both hold, as you said",
    }[keep]
    cause = Cause("hand", newer.memory_id, reason)
    bounded = older.until is not None and older.until == newer.starts
    if keep == "newer":
        began = newer.starts if newer.starts and newer.starts <= today else newer.born_at.date()
        until = older.until or min(began, today)
        successor = newer.memory_id
        closed = replace(older, status=Status.SUPERSEDED, until=until, successor=successor)
        changed = (newer, closed)
    elif keep == "older":
        kept = replace(older, until=None) if bounded else older
        changed = (replace(newer, status=Status.FORGOTTEN), kept)
    else:
        changed = (newer, replace(older, until=None) if bounded else older)
    entry = JournalEntry(
        newer.address, newer.thread, at, "settled", newer.memory_id, newer.text, reason,
        ref=older.memory_id,
    )  # fmt: skip
    # The one that holds is written too: two hands that say the contrary at once cannot both be right.
    versions = [_decided(m, cause, at, timeline) for m in changed]
    return (*versions, AddJournal(entry))


def lifted(
    memory: Memory,
    memories: Mapping[MemoryId, Memory],
    journal: Sequence[JournalEntry],
    at: datetime,
    timeline: TimelineId,
) -> list[AddVersion]:
    """What forgetting an announcement writes beside: the end it had set on what stood before is taken back."""
    cause = Cause("hand", memory.memory_id, "the announcement was forgotten")
    announced = [e for e in journal if (e.action, e.memory_id) == ("announced", memory.memory_id)]
    older = [memories.get(MemoryId(e.ref)) for e in announced]
    return [
        _decided(replace(m, until=None), cause, at, timeline)
        for m in {m.memory_id: m for m in older if m is not None}.values()
        if m.status is Status.ACTIVE and m.until is not None and m.until == memory.starts
    ]


def _decided(memory: Memory, cause: Cause, at: datetime, timeline: TimelineId) -> AddVersion:
    """The state as a hand leaves it, decided on the one that was read."""
    expected = memory.seq_from if memory.timeline == timeline else None
    state = replace(memory, changed_at=at, cause=cause, timeline=timeline, seq_to=None)
    return AddVersion(state, expected)
