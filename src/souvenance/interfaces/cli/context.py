"""`souvenance context`: what the character would be given to answer a message, and why."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

import typer

from souvenance.errors import BadInput, StoreError
from souvenance.interfaces.cli import render
from souvenance.interfaces.cli.invocation import Asked, invocation
from souvenance.interfaces.cli.messages import said_json
from souvenance.interfaces.cli.options import (
    CharacterOption,
    JsonOption,
    PersonOption,
    ThreadOption,
)

#: Seconds for a cold embedder and the index to be ready: one question has no second turn. Chosen, not measured.
_READY_S = 10.0


def context(
    ctx: typer.Context,
    message: Annotated[str, typer.Argument(metavar="MESSAGE", help="message")],
    why_not: Annotated[
        str | None, typer.Option("--why-not", metavar="ID", help="why_not", show_default=False)
    ] = None,
    show_text: Annotated[bool, typer.Option("--show-text", help="show_text")] = False,
    json: JsonOption = False,
    person: PersonOption = None,
    character: CharacterOption = None,
    thread: ThreadOption = None,
) -> None:
    from souvenance.interfaces.cli import reasons

    call = invocation(ctx)
    if not message.strip():
        raise BadInput(call.words("context.no_message"))
    with call.talk(Asked(person, character, thread)) as (running, talk):
        asked = running.wait(talk.memories.find(why_not)) if why_not is not None else None
        running.prepare(_READY_S)
        with suppress(StoreError):  # the context says what cannot be read
            running.wait(talk.warm())
        found = running.wait(talk.context(message))
    outcome = None
    if asked is not None and found.selection is not None:
        outcome = found.selection.why_not(asked.memory_id)
    if json:
        call.json(
            {
                "off": found.off,
                "degraded": found.degraded,
                "reason": found.reason,
                "rules": [render.memory_json(rule) for rule in found.rules],
                "slots": [render.slot_json(i, slot) for i, slot in enumerate(found.slots, 1)],
                "left_out": found.left_out,
                "said": said_json(found.said),
                "text": found.text,
                **({"why_not": reasons.why_not_json(outcome)} if outcome is not None else {}),
            }
        )
        return
    for rule in found.rules:
        call.show(call.words("context.rule", text=render.memory_text(rule)))
    if found.slots:
        call.show(reasons.slots_table(found.slots, call.words))
    for line in reasons.context_lines(found, call.words):
        call.note(line)
    if show_text and found.text:
        call.show("", render.paragraph(found.text))
    if asked is not None:
        why = (
            reasons.why_not_text(outcome, call.words)
            if outcome is not None
            else call.words("why_not.unknown")
        )
        call.show("", call.words("why_not.line", text=render.memory_text(asked), why=why))
