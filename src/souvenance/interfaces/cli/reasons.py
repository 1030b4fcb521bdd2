"""Why a memory is in the context, why another is not, and why a turn was degraded: codes made sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from souvenance.interfaces.cli.render import marks, memory_text, table
from souvenance.interfaces.cli.safe import one_line, short

if TYPE_CHECKING:
    from souvenance.interfaces.cli.wording import Words
    from souvenance.read.selection import Reason, Slot, WhyNot
    from souvenance.turn import Context

#: Characters of a quoted message in a list. Chosen, not measured: one line of a wide terminal.
_QUOTE = 120


def reason_text(slot: Slot, spoken: Words) -> str:
    """Why a memory has its place: that it answers the message when it does, else what its stage goes by."""
    if slot.retrieved:
        how = _how(slot.reason, spoken)
        return spoken("reason.answers") + (f", {how}" if how else "")
    recent = spoken(f"recent.{slot.memory.kind.value}")
    if slot.stage == "backfill":
        return spoken("reason.backfill", recent=recent)
    return spoken.get(f"reason.{slot.stage}", recent)


def _how(reason: Reason, spoken: Words) -> str:
    """By what a memory answers: its meaning, words of the message, or both; empty when neither is known."""
    terms = reason.data.get("terms", ())
    found = [one_line(str(term)) for term in terms] if isinstance(terms, tuple) else []
    by_meaning = "cosine" in reason.data
    if not found:
        return spoken("reason.by_meaning") if by_meaning else ""
    shared = ", ".join(spoken("reason.word", word=word) for word in found)
    return spoken(f"reason.{'by_both' if by_meaning else 'by_words'}", n=len(found), words=shared)


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
            text.append(f"  ({', '.join(extra)})", style="dim")
        rows.append(
            (
                place,
                slot.memory.memory_id,
                spoken(f"kind.{slot.memory.kind.value}"),
                text,
                spoken.get(f"stage.{slot.stage}", spoken("stage.kind")),
                reason_text(slot, spoken),
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
    unread = context.selection is None  # off, or nothing was looked up
    if not context.slots and not context.rules and not unread:
        lines.append(spoken(empty))
    for one in context.said:
        day, text = one.line.at.astimezone().date(), short(one.line.text, _QUOTE)
        lines.append(spoken("context.said", day=day.isoformat(), text=text))
    if context.left_out:
        lines.append(spoken("context.left_out", count=context.left_out))
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
        case s.OverBudget(place, stage):
            return spoken("why_not.over_budget", place=place, stage=stage_text(stage, spoken))
        case s.RuleOverBudget():
            return spoken("why_not.rule_over_budget")


def why_not_json(outcome: WhyNot) -> dict[str, object]:
    """The same for `--json`: a code, and what it rests on."""
    from dataclasses import asdict

    data = {key: _value(value) for key, value in asdict(outcome).items()}
    return {"code": type(outcome).__name__, **data}


def _value(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
