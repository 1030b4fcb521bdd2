"""`souvenance messages`: what was said, word for word, and found again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from souvenance.errors import BadInput
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
    from souvenance.read.verbatim import Found, Line

app = typer.Typer(help="messages", no_args_is_help=True, rich_markup_mode=None)

#: Seconds for a cold embedder and the index to be ready. Chosen, not measured, as for `context`.
_READY_S = 10.0


@app.callback()
def messages() -> None: ...  # a group even while it holds one command


@app.command("search", help="messages_search")
def search(
    ctx: typer.Context,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="query")],
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="found_limit")] = 10,
    json: JsonOption = False,
    person: PersonOption = None,
    character: CharacterOption = None,
    thread: AnyThreadOption = None,
) -> None:
    call = invocation(ctx)
    if not query.strip():
        raise BadInput(call.words("messages.no_query"))
    if limit < 1:
        raise BadInput(call.words("messages.bad_limit"))
    from souvenance.read.reminding import ENOUGH

    with call.talk(Asked(person, character, thread)) as (running, talk):
        off = running.wait(talk.is_off())
        running.prepare(_READY_S)
        here = thread is not None
        found = running.wait(talk.search_messages(query, limit, here=here))
        who = running.wait(talk.speakers())
    if json:
        call.json({"off": off, "messages": [_json(one) for one in found]})
        return
    for place, one in enumerate(found):
        if place:
            call.show()
        _show(call, one, who)
    call.note(call.words("messages.off" if off else "messages.count", n=len(found)))
    if not found and not off:
        call.note(call.words("messages.nothing"))
    if found and all(one.relevance < ENOUGH for one in found):
        call.note(call.words("messages.none_fits"))


def _show(call: Invocation, found: Found, who: dict[str, str]) -> None:
    """The day and the thread, then the message between those around it."""
    when, thread = render.minute(found.line.at), one_line(found.line.thread)
    call.quiet(call.words("messages.heading", when=when, thread=thread))
    for line in found.before:
        call.quiet(_spoken(call, "messages.beside", line, who))
    call.show(_spoken(call, "messages.found", found.line, who))
    for line in found.after:
        call.quiet(_spoken(call, "messages.beside", line, who))


def _spoken(call: Invocation, key: str, line: Line, who: dict[str, str]) -> str:
    return call.words(key, who=one_line(who[line.speaker]), text=one_line(line.text))


def _json(found: Found) -> dict[str, Any]:
    reasons = found.reasons
    return {
        **_line(found.line),
        "relevance": round(found.relevance, 4),
        "score": round(found.score, 4),
        "words": list(reasons.words),
        "meaning": None if reasons.meaning is None else round(reasons.meaning, 4),
        "before": _lines(found.before),
        "after": _lines(found.after),
    }


def said_json(found: Sequence[Found]) -> list[dict[str, Any]]:
    """The messages that a context quotes, as plain objects."""
    return [_json(one) for one in found]


def _lines(lines: Sequence[Line]) -> list[dict[str, Any]]:
    return [_line(line) for line in lines]


def _line(line: Line) -> dict[str, Any]:
    return {
        "id": line.message_id,
        "thread": line.thread,
        "at": line.at.isoformat(),
        "role": line.speaker,
        "text": line.text,
    }
