"""Records as tables for people and as plain objects for `--json`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from souvenance.interfaces.cli.safe import block, one_line

if TYPE_CHECKING:
    from souvenance.domain import Failure, JournalEntry, Memory
    from souvenance.interfaces.cli.wording import Words
    from souvenance.read.forgetting import Use
    from souvenance.read.selection import Slot


def table(
    headers: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    wide: int,
    right: Sequence[int] = (),
) -> Table:
    """A calm table: no frame, dim headers, column `wide` takes what room is left, `right` ones align right."""
    made = Table(
        box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0), show_header=any(headers)
    )
    for index, header in enumerate(headers):
        made.add_column(
            header,
            justify="right" if index in right else "left",
            overflow="fold",
            no_wrap=index == 0,
            ratio=1 if index == wide else None,
        )
    for row in rows:
        made.add_row(
            *(cell if isinstance(cell, Text) else Text(one_line(str(cell))) for cell in row)
        )
    return made


def day(at: datetime) -> str:
    """The day, in this machine's time zone."""
    return at.astimezone().date().isoformat()


def minute(at: datetime) -> str:
    """Day and minute, in this machine's time zone."""
    return at.astimezone().strftime("%Y-%m-%d %H:%M")


def memory_text(memory: Memory) -> str:
    """The text of a memory as a line, its days between brackets when it has any."""
    days = [f"{d.isoformat()}" if d else "…" for d in (memory.starts, memory.until)]
    return one_line(memory.text) + (
        f" [{' → '.join(days)}]" if memory.starts or memory.until else ""
    )


def marks(memory: Memory, spoken: Words) -> str:
    """What sets a memory apart, in a few words: pinned, edited by hand, of one thread, its status."""
    found = [
        spoken("mark.pinned") if memory.pinned else "",
        spoken("mark.edited") if memory.edited else "",
        spoken("mark.thread", thread=one_line(memory.thread)) if memory.thread is not None else "",
        spoken(f"status.{memory.status.value}") if memory.status != "active" else "",
    ]
    return ", ".join(mark for mark in found if mark)


def memory_json(memory: Memory, use: Use | None = None) -> dict[str, Any]:
    """Everything about one state of a memory."""
    return {
        "id": memory.memory_id,
        "kind": memory.kind.value,
        "text": memory.text,
        "scope": memory.scope.value,
        "thread": memory.thread,
        "status": memory.status.value,
        "source": memory.source.value,
        "importance": memory.importance,
        "confidence": memory.confidence,
        "pinned": memory.pinned,
        "edited": memory.edited,
        "quote": memory.quote,
        "messages": list(memory.messages),
        "entity": memory.entity,
        "attribute": memory.attribute,
        "value": memory.value,
        "starts": memory.starts.isoformat() if memory.starts else None,
        "until": memory.until.isoformat() if memory.until else None,
        "successor": memory.successor,
        "born_at": memory.born_at.isoformat(),
        "changed_at": memory.changed_at.isoformat(),
        "cause": {
            "by": memory.cause.by, "ref": memory.cause.ref, "reason": memory.cause.reason,
        },
        "candidate": use.candidate if use else 0,
        "served": use.served if use else 0,
        "retrieved": use.retrieved if use else 0,
    }  # fmt: skip


def entry_json(entry: JournalEntry) -> dict[str, Any]:
    """One line of the journal."""
    return {
        "at": entry.at.isoformat(),
        "action": entry.action,
        "memory": entry.memory_id,
        "thread": entry.thread,
        "text": entry.text,
        "reason": entry.reason,
        "by": entry.ref,
    }


def failure_json(failure: Failure) -> dict[str, Any]:
    """One reflection waiting in the failure inbox."""
    return {
        "id": failure.failure_id,
        "thread": failure.thread,
        "at": failure.at.isoformat(),
        "reason": failure.reason,
        "raw": failure.raw,
    }


def slot_json(place: int, slot: Slot) -> dict[str, Any]:
    """One place of the context."""
    return {
        "place": place,
        "id": slot.memory.memory_id,
        "kind": slot.memory.kind.value,
        "text": slot.memory.text,
        "stage": slot.stage,
        "reason": {"code": slot.reason.code, **plain(slot.reason.data)},
        "relevance": round(slot.relevance, 4),
        "upcoming": slot.upcoming,
        "pinned": slot.memory.pinned,
    }


def plain(data: Mapping[str, Any]) -> dict[str, Any]:
    """The mapping with tuples as lists, ready for JSON."""
    return {key: list(value) if isinstance(value, tuple) else value for key, value in data.items()}


def paragraph(text: str) -> Text:
    """Stored text of several lines, ready to be printed as it is."""
    return Text(block(text))


def megabytes(size: int) -> str:
    """A size in bytes as people read it."""
    return f"{size / 1e6:.1f} MB"
