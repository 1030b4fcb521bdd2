"""Why a memory is in the context, why another is not, and why a turn was degraded: codes made sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from souvenance.interfaces.cli.render import marks, memory_text, table
from souvenance.interfaces.cli.safe import one_line

if TYPE_CHECKING:
    from souvenance.interfaces.cli.wording import Words
    from souvenance.read.selection import Reason, Slot, WhyNot
    from souvenance.turn import Context


def reason_text(reason: Reason, spoken: Words) -> str:
    """Why a memory has its place, in a few words."""
    terms = reason.data.get("terms", ())
    shared = ", ".join(one_line(str(t)) for t in terms) if isinstance(terms, tuple) else str(terms)
    said = spoken.get(f"reason.{reason.code}", one_line(reason.code))
    if shared:
        return f"{said} ({shared})"
    return said


def stage_text(stage: str, spoken: Words) -> str:
    """The name of a stage of the plan."""
    return spoken.get(f"stage.{stage}", spoken.get(f"kind.{stage}", one_line(stage)))


def degraded_text(reason: str | None, spoken: Words) -> str:
    """Why memory came late or without scores, as a sentence without its full stop."""
    return spoken.get(f"degraded.{reason}", one_line(reason or "?"))


def slots_table(slots: tuple[Slot, ...], spoken: Words) -> Table:
    """The places of a context in order, each with its reason."""
    headers = [spoken(f"column.{name}") for name in _COLUMNS]
    rows = []
    for place, slot in enumerate(slots, 1):
        text = Text(memory_text(slot.memory))
        extra = [
            m
            for m in (marks(slot.memory, spoken), spoken("mark.upcoming") if slot.upcoming else "")
            if m
        ]
        if extra:
            text.append(f"  {', '.join(extra)}", style="dim")
        rows.append(
            (
                place,
                slot.memory.memory_id,
                spoken(f"kind.{slot.memory.kind.value}"),
                text,
                stage_text(slot.stage, spoken),
                reason_text(slot.reason, spoken),
                f"{slot.relevance:.2f}",
            )
        )
    return table(headers, rows, wide=3, right=(0, 6))


_COLUMNS = ("place", "id", "kind", "text", "stage", "reason", "relevance")


def context_lines(context: Context, spoken: Words, empty: str = "context.empty") -> list[str]:
    """What is to be said about a context besides its slots: off, degraded, empty."""
    lines = []
    if context.off:
        lines.append(spoken("context.off"))
    if context.degraded:
        lines.append(spoken("context.degraded", why=degraded_text(context.reason, spoken)))
    if not context.slots and not context.rules and not context.off:
        lines.append(spoken(empty))
    return lines


def why_not_text(outcome: WhyNot, spoken: Words) -> str:
    """What kept a memory out, as a sentence."""
    from souvenance.read import selection as s

    match outcome:
        case s.Served(place):
            return spoken("why_not.served", place=place)
        case s.ServedAsRule():
            return spoken("why_not.rule")
        case s.NotSeen():
            return spoken("why_not.not_seen")
        case s.Closed(status, successor):
            after = spoken("why_not.successor", id=successor) if successor else ""
            return spoken("why_not.closed", status=spoken(f"status.{status.value}")) + after
        case s.Ended(until):
            return spoken("why_not.ended", day=until.isoformat())
        case s.SameAs(other):
            return spoken("why_not.same", id=other)
        case s.NoPlace(lost, relevance):
            stages = "; ".join(
                spoken(
                    "why_not.stage",
                    stage=stage_text(one.stage, spoken),
                    position=one.position,
                    places=one.places,
                )
                for one in lost
            )
            return spoken("why_not.no_place", relevance=f"{relevance:.2f}", stages=stages or "-")


def why_not_json(outcome: WhyNot) -> dict[str, object]:
    """The same for `--json`: a code, and what it rests on."""
    from dataclasses import asdict

    data = {key: _value(value) for key, value in asdict(outcome).items()}
    return {"code": type(outcome).__name__, **data}


def _value(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
