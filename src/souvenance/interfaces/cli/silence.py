"""`souvenance memories never-recalled` and `report`: what never comes up, and whether it is always the same that does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from souvenance.interfaces.cli import render
from souvenance.interfaces.cli.invocation import Asked, Invocation, invocation
from souvenance.interfaces.cli.options import (
    AnyThreadOption,
    CharacterOption,
    JsonOption,
    PersonOption,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from souvenance.counts import TurnClock
    from souvenance.domain import MemoryId
    from souvenance.interfaces.cli.driven import Driven
    from souvenance.read.forgetting import Use
    from souvenance.read.selection import WhyNot
    from souvenance.turn import Talk

#: `read.forgetting.SILENT_TURNS`; that module is not loaded to print a help page.
_SILENT_TURNS = 50

#: Seconds for a cold embedder and the index to be ready before the last message is asked again. Chosen, not measured.
_READY_S = 10.0

#: Messages looked through for the last one that the person said. Chosen, not measured.
_RECENT = 20


def never_recalled(
    ctx: typer.Context,
    served: Annotated[bool, typer.Option("--served", help="never_served")] = False,
    min_turns: Annotated[
        int, typer.Option("--min-turns", metavar="N", help="min_turns", min=1)
    ] = _SILENT_TURNS,
    why: Annotated[bool, typer.Option("--why", help="never_why")] = False,
    json: JsonOption = False,
    person: PersonOption = None,
    character: CharacterOption = None,
    thread: AnyThreadOption = None,
) -> None:
    from souvenance.read import forgetting

    call = invocation(ctx)
    with call.talk(Asked(person, character, thread)) as (running, talk):
        hand = call.hand(talk, thread)
        used, today = running.wait(hand.usage()), running.wait(hand.today())
        found = forgetting.never_recalled(used, today, served=served, min_turns=min_turns)
        reasons = _reasons(running, talk, found) if why and found else {}
        now = running.engine.clock.now()
    clock = used.past.clock
    if json:
        rows = [_use_json(use, now, reasons) for use in found]
        counts = {"turns": clock.turns, "degraded": clock.degraded, "min_turns": min_turns}
        call.json({**counts, "memories": rows})
        return
    if found:
        call.show(_table(call, found, reasons))
        call.note(call.words(f"never.{'served' if served else 'recalled'}", n=len(found), turns=min_turns))  # fmt: skip
        return
    had = any(
        forgetting.can_come_up(u.memory, today) and u.candidate >= min_turns for u in used.uses
    )
    _say_none(call, clock, had=had, min_turns=min_turns, served=served)


def report(
    ctx: typer.Context,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="plot", show_default=False)
    ] = None,
    min_turns: Annotated[
        int, typer.Option("--min-turns", metavar="N", help="min_turns", min=1)
    ] = 1,
    json: JsonOption = False,
    person: PersonOption = None,
    character: CharacterOption = None,
    thread: AnyThreadOption = None,
) -> None:
    from souvenance.interfaces.cli import reported
    from souvenance.interfaces.cli.drawing import check_kind
    from souvenance.read import forgetting

    call = invocation(ctx)
    if plot is not None:
        check_kind(call, plot)
    with call.talk(Asked(person, character, thread)) as (running, talk):
        hand = call.hand(talk, thread)
        used, today = running.wait(hand.usage()), running.wait(hand.today())
    found = forgetting.report(used, today, min_turns=min_turns)
    if json:
        call.json(reported.as_json(found, min_turns))
    elif found.silence.memories:
        reported.show(call, found)
    else:
        _say_none(call, used.past.clock, had=False, min_turns=min_turns, served=True)
    if plot is not None:
        reported.draw(call, found, plot)


def _reasons(running: Driven, talk: Talk, found: Sequence[Use]) -> Mapping[MemoryId, WhyNot]:
    """What keeps each out of the context of the last message that the person said here, as things are now."""
    said = [m for m in running.wait(talk.history(_RECENT)) if m.role == "user"]
    if not said:
        return {}
    running.prepare(_READY_S)
    selection = running.wait(talk.context(said[-1].text)).selection
    if selection is None:
        return {}
    return {use.memory.memory_id: selection.why_not(use.memory.memory_id) for use in found}


def _table(call: Invocation, found: Sequence[Use], reasons: Mapping[MemoryId, WhyNot]) -> Any:
    from souvenance.interfaces.cli.reasons import why_not_text

    names = ["id", "kind", "text", "since", "candidate", "served", "retrieved"]
    rows = [
        [
            use.memory.memory_id, call.words(f"kind.{use.memory.kind.value}"), render.memory_text(use.memory),
            render.day(use.memory.born_at), use.candidate, use.served, use.retrieved,
            *([why_not_text(reasons[use.memory.memory_id], call.words)] if reasons else []),
        ]
        for use in found
    ]  # fmt: skip
    headers = [call.words(f"column.{name}") for name in (*names, *(["reason"] if reasons else []))]
    return render.table(headers, rows, wide=2, right=(4, 5, 6))


def _use_json(use: Use, now: datetime, reasons: Mapping[MemoryId, WhyNot]) -> dict[str, Any]:
    from souvenance.interfaces.cli.reasons import why_not_json

    why = reasons.get(use.memory.memory_id)
    age = (now - use.memory.born_at).total_seconds() / 86_400
    return {
        **render.memory_json(use.memory, use),
        "age_days": round(age, 1),
        **({"why": why_not_json(why)} if why is not None else {}),
    }


def _say_none(
    call: Invocation, clock: TurnClock, *, had: bool, min_turns: int, served: bool
) -> None:
    """Why a list of silent memories is empty: all came up, or none had turns enough."""
    if had:
        call.note(call.words(f"never.none_{'served' if served else 'recalled'}", n=min_turns))
    elif clock.degraded and not clock.turns:
        call.note(call.words("never.all_degraded", n=clock.degraded))
    else:
        call.note(call.words("never.too_early", n=min_turns, turns=clock.turns))
