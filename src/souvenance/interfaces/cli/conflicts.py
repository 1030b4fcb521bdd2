"""`souvenance memories conflicts` and `settle`: what the code was not sure of, offered to the person."""

from __future__ import annotations

import sys
from collections.abc import Sequence
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
from souvenance.interfaces.cli.safe import one_line

if TYPE_CHECKING:
    from souvenance.curate.conflicts import Keep, Pair
    from souvenance.curate.hand import Hand
    from souvenance.interfaces.cli.driven import Driven

#: What the person may answer, by the first letter in either language.
_ANSWERS = {"n": "newer", "o": "older", "b": "both", "r": "newer", "a": "older", "d": "both"}
_KEEP = ("newer", "older", "both")


def conflicts(
    ctx: typer.Context,
    json: JsonOption = False,
    person: PersonOption = None,
    character: CharacterOption = None,
    thread: AnyThreadOption = None,
) -> None:
    call = invocation(ctx)
    with call.talk(Asked(person, character, thread)) as (running, talk):
        hand = call.hand(talk, thread)
        found = running.wait(hand.conflicts())
        if json:
            call.json({"conflicts": [_pair_json(pair) for pair in found]})
            return
        if found and sys.stdin.isatty() and sys.stdout.isatty():
            _ask(call, running, hand, found)
            return
    show_pairs(call, found)


def settle(
    ctx: typer.Context,
    newer: Annotated[str, typer.Argument(metavar="NEWER", help="settle_newer")],
    older: Annotated[str, typer.Argument(metavar="OLDER", help="settle_older")],
    keep: Annotated[str, typer.Option("--keep", metavar="newer|older|both", help="settle_keep")],
    json: JsonOption = False,
    person: PersonOption = None,
    character: CharacterOption = None,
    thread: AnyThreadOption = None,
) -> None:
    from souvenance.errors import BadInput

    call = invocation(ctx)
    if keep not in _KEEP:
        choices = ", ".join(_KEEP)
        told = {"option": "--keep", "value": one_line(keep), "choices": choices}
        raise BadInput(call.words("bad_choice", **told))
    with call.talk(Asked(person, character, thread)) as (running, talk):
        change = running.wait(call.hand(talk, thread).settle(newer, older, _keep(keep)))
    if json:
        call.json(render.memory_json(change.memory))
        return
    call.show(call.words(f"conflicts.kept.{keep}"))


def show_pairs(call: Invocation, found: Sequence[Pair]) -> None:
    """The pairs one below the other, each with why it is there and how to settle it."""
    for pair in found:
        show_pair(call, pair)
        call.quiet(f"    {_command(pair)}")
    call.note(call.words("conflicts.count", n=len(found)))


def show_pair(call: Invocation, pair: Pair) -> None:
    """The two memories, newer first, and why they are left to the person."""
    rows = [
        (
            call.words(f"conflicts.{name}"),
            m.memory_id,
            render.memory_text(m),
            render.day(m.born_at),
            render.marks(m, call.words),
        )
        for name, m in (("newer", pair.newer), ("older", pair.older))
    ]
    call.show(render.table([""] * 5, rows, wide=2))
    call.quiet(f"    {call.words(f'conflicts.why.{pair.sort}')}")


def _command(pair: Pair) -> str:
    return (
        f"souvenance memories settle {pair.newer.memory_id} {pair.older.memory_id} "
        "--keep newer|older|both"
    )


def _ask(call: Invocation, running: Driven, hand: Hand, found: Sequence[Pair]) -> None:
    """Each pair in turn; Enter leaves it for another time. What an answer closed is not asked again."""
    closed: set[str] = set()
    for pair in found:
        if closed & {pair.newer.memory_id, pair.older.memory_id}:
            continue
        show_pair(call, pair)
        answer = typer.prompt(call.words("conflicts.ask"), default="", show_default=False)
        keep = _ANSWERS.get(answer.strip().lower()[:1])
        if keep is not None:
            ids = (pair.newer.memory_id, pair.older.memory_id)
            running.wait(hand.settle(*ids, _keep(keep)))
            closed |= set(ids[1:] if keep == "newer" else ids[:1] if keep == "older" else ())
            call.show(call.words(f"conflicts.kept.{keep}"))


def _keep(value: str) -> Keep:
    return "newer" if value == "newer" else "older" if value == "older" else "both"


def _pair_json(pair: Pair) -> dict[str, Any]:
    return {
        "sort": pair.sort,
        "reason": pair.reason,
        "newer": render.memory_json(pair.newer),
        "older": render.memory_json(pair.older),
    }
