"""Compares what is remembered with what another reflection on the same messages would remember: a diff to accept.

What a hand touched, and what does not rest on the messages reflected again, stays as it is on both sides.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from souvenance.domain import (
    Cause,
    JournalEntry,
    Kind,
    Memory,
    MemoryId,
    MessageId,
    Source,
    Status,
)
from souvenance.lang import Language, fold
from souvenance.write.alike.similarity import compare
from souvenance.write.words.decisive import read
from souvenance.writes import AddJournal, AddVersion


@dataclass(frozen=True, slots=True)
class Line:
    """One difference: a memory added, changed or gone. `key` names it, the same each time it is computed."""

    key: str
    sort: Literal["added", "changed", "gone"]
    old: Memory | None
    new: Memory | None


#: What a change of is worth a line.
_TOLD = ("text", "kind", "thread", "status", "starts", "until")


def is_held(memory: Memory, again: Collection[MessageId]) -> bool:
    """Whether a memory stays whatever a reflection on the messages `again` says."""
    touched = memory.pinned or memory.edited or memory.source in (Source.HAND, Source.AGENT)
    by_hand = memory.cause.by not in ("reflection", "merge", "supersession")
    closed = memory.status in (Status.FORGOTTEN, Status.ARCHIVED) or memory.kind is Kind.RULE
    elsewhere = not memory.messages or not set(memory.messages) <= set(again)
    return touched or by_hand or closed or elsewhere


def revise(now: Sequence[Memory], then: Sequence[Memory], words: Language) -> tuple[Line, ...]:
    """What `then` (what another reflection makes) differs in from `now`; neither holds what is held.

    Order: changed and gone as `now` goes, then added as `then` goes.
    """
    mates = _mates(now, then, words)
    lines = []
    for old in now:
        new = mates.get(old.memory_id)
        active = old.status is Status.ACTIVE
        if new is None:
            lines += [_line("gone", old, None)] if active else []
        elif (active or new.status is Status.ACTIVE) and _differs(old, new):
            lines.append(_line("changed", old, new))
    met = {m.memory_id for m in mates.values()}
    lines += [
        _line("added", None, m)
        for m in then
        if m.memory_id not in met and m.status is Status.ACTIVE
    ]
    return tuple(lines)


def _mates(
    now: Sequence[Memory], then: Sequence[Memory], words: Language
) -> dict[MemoryId, Memory]:
    """For each old memory the new one that tells the same, the surest first."""
    found: dict[MemoryId, Memory] = {}
    free = list(then)
    for sure in (_same_words, _same_fact, _same_matter):
        for old in now:
            if old.memory_id in found:
                continue
            mate = next((m for m in free if _shares(old, m) and sure(old, m, words)), None)
            if mate is not None:
                found[old.memory_id] = mate
                free.remove(mate)
    return found


def _shares(old: Memory, new: Memory) -> bool:
    return not set(old.messages).isdisjoint(new.messages)


def _same_words(old: Memory, new: Memory, words: Language) -> bool:
    return fold(old.text) == fold(new.text)


def _same_fact(old: Memory, new: Memory, words: Language) -> bool:
    return compare(old.text, new.text, words).same


def _same_matter(old: Memory, new: Memory, words: Language) -> bool:
    """Whether two memories of the same words tell of one thing: most of the shorter one is in the other."""
    one, other = ({i.form for i in read(m.text, words).content} for m in (old, new))
    shorter = min(len(one), len(other))
    return bool(shorter) and len(one & other) / shorter >= _MATTER


#: Share of the shorter text's content found in the other. Chosen, not measured: a person reads the line.
_MATTER = 0.5


def _differs(old: Memory, new: Memory) -> bool:
    return any(getattr(old, name) != getattr(new, name) for name in _TOLD)


def _line(
    sort: Literal["added", "changed", "gone"], old: Memory | None, new: Memory | None
) -> Line:
    said = f"{sort}/{old.memory_id if old else ''}/{new.text if new else ''}"
    return Line(hashlib.blake2b(said.encode(), digest_size=3).hexdigest(), sort, old, new)


# --- accepting ------------------------------------------------------------------------------------


def changes(
    lines: Sequence[Line], by: str, at: datetime, known: Mapping[MemoryId, Memory]
) -> tuple[AddVersion | AddJournal, ...]:
    """What accepting these lines writes. `known` are the current memories, for what takes a place."""
    places = {line.new.memory_id: line.old.memory_id for line in lines if line.new and line.old}
    there = {*known, *(line.new.memory_id for line in lines if line.new and not line.old)}
    writes: list[AddVersion | AddJournal] = []
    for line in lines:
        memory = _accepted(line, by, at)
        successor = places.get(memory.successor, memory.successor) if memory.successor else None
        memory = replace(memory, successor=successor if successor in there else None)
        expected = line.old.seq_from if line.old else None
        action: Literal["added", "edited", "forgotten"] = (
            "added" if line.sort == "added" else "edited" if line.sort == "changed" else "forgotten"
        )
        entry = JournalEntry(
            memory.address, memory.thread, at, action, memory.memory_id, memory.text,
            f"reflected again by {by}, accepted by hand",
        )  # fmt: skip
        writes += [AddVersion(memory, expected), AddJournal(entry)]
    return tuple(writes)


def _accepted(line: Line, by: str, at: datetime) -> Memory:
    cause = Cause("reflection", by, "reflected again, accepted by hand")
    old, new = line.old, line.new
    if old is None:
        assert new is not None
        return replace(new, cause=cause)
    if new is None:
        gone = Cause("hand", by, "not found when reflected again, accepted by hand")
        return replace(old, status=Status.FORGOTTEN, changed_at=at, cause=gone)
    kept = ("memory_id", "address", "timeline", "born_at", "born_turn", "importance", "seq_from")
    same = {name: getattr(old, name) for name in kept}
    return replace(new, **same, changed_at=at, cause=cause)
