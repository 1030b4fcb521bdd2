"""The quiet lines after a turn: what was noted, what was dropped and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from souvenance.interfaces.cli.safe import one_line, short
from souvenance.interfaces.cli.said import known_reason, reason_text

if TYPE_CHECKING:
    from souvenance.domain import JournalEntry
    from souvenance.interfaces.cli.wording import Words

#: Lines told after one turn; the others are counted. Chosen, not measured: a quiet word, not a report.
_MOST = 6
_WIDTH = 110
_TOLD = ("added", "merged", "superseded", "doubted", "dropped", "failed")


def note_lines(entries: Sequence[JournalEntry], spoken: Words) -> list[str]:
    """One line for each thing noted or dropped, in order, and a count of those left out."""
    told = [entry for entry in entries if entry.action in _TOLD]
    lines = [_line(entry, spoken) for entry in told[:_MOST]]
    if len(told) > _MOST:
        lines.append(spoken("note.more", n=len(told) - _MOST))
    return lines


def drop_reason(entry: JournalEntry, spoken: Words) -> str:
    """Why something was dropped, in the person's language; by the filter's name where the words are not known."""
    said = one_line(entry.reason).rstrip(".")
    if spoken.language == "en" and said:
        return said[:1].lower() + said[1:]
    return known_reason(said, spoken) or spoken.get(f"drop.{entry.ref}", said)


def entry_reason(entry: JournalEntry, spoken: Words) -> str:
    """Why a line of the journal is there, in the person's language."""
    if entry.action == "dropped":
        return drop_reason(entry, spoken)
    return reason_text(entry.reason, spoken)


def _line(entry: JournalEntry, spoken: Words) -> str:
    text = short(entry.text, _WIDTH)
    if entry.action == "dropped":
        return spoken("note.dropped", text=text, why=drop_reason(entry, spoken))
    if entry.action == "failed":
        return spoken("note.failed", why=short(reason_text(entry.reason, spoken), _WIDTH))
    return spoken(f"note.{entry.action}", text=text, id=one_line(entry.memory_id or ""))
