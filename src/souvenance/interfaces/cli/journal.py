"""`souvenance journal`: what was decided and why, recorded to a file, and decided again."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from souvenance.interfaces.cli import render
from souvenance.interfaces.cli.invocation import Asked, Invocation, invocation
from souvenance.interfaces.cli.notes import entry_reason
from souvenance.interfaces.cli.options import (
    AnyThreadOption,
    CharacterOption,
    JsonOption,
    PersonOption,
)
from souvenance.interfaces.cli.safe import one_line
from souvenance.interfaces.cli.said import reason_text

if TYPE_CHECKING:
    from souvenance.write.rehearsal import Difference, Line, Recording, Rehearsal

app = typer.Typer(help="journal", no_args_is_help=True, rich_markup_mode=None)


@app.command("list", help="journal_list")
def list_(
    ctx: typer.Context,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="limit", min=1)] = 50,
    json: JsonOption = False,
    person: PersonOption = None,
    character: CharacterOption = None,
    thread: AnyThreadOption = None,
) -> None:
    call = invocation(ctx)
    with call.talk(Asked(person, character, thread)) as (running, talk):
        entries = running.wait(call.hand(talk, thread).journal(limit=limit))
    if json:
        call.json({"journal": [render.entry_json(entry) for entry in entries]})
        return
    if entries:
        columns = ("when", "action", "id", "thread", "text", "reason")
        headers = [call.words(f"column.{c}") for c in columns]
        rows = [
            (
                render.minute(e.at),
                call.words(f"action.{e.action}"),
                e.memory_id or "",
                e.thread or "",
                e.text,
                entry_reason(e, call.words),
            )
            for e in entries
        ]
        call.show(render.table(headers, rows, wide=4))
    call.note(call.words("journal.count", n=len(entries)))


@app.command("record", help="journal_record")
def record(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE.jsonl", help="journal_file")],
    json: JsonOption = False,
    person: PersonOption = None,
    character: CharacterOption = None,
) -> None:
    from souvenance.errors import BadInput
    from souvenance.measure.journals import lines_of

    call = invocation(ctx)
    recorded = _recorded(call, person, character)
    text = "".join(f"{line}\n" for line in lines_of(recorded))
    try:
        # Private words: for the owner's eyes, and never over another file.
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise BadInput(call.words("journal.exists", file=file)) from error
    except OSError as error:
        raise BadInput(call.words("journal.unwritable", file=file, why=error.strerror)) from error
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        out.write(text)
    if json:
        call.json({"file": str(file), "steps": len(recorded.steps)})
        return
    call.show(call.words("journal.recorded", n=len(recorded.steps), file=one_line(str(file))))


@app.command("check", help="journal_check")
def check(
    ctx: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE.jsonl]", help="journal_check_file", show_default=False),
    ] = None,
    json: JsonOption = False,
    person: PersonOption = None,
    character: CharacterOption = None,
) -> None:
    from souvenance.write.rehearsal import rehearse

    call = invocation(ctx)
    recorded = _read(call, file) if file else _recorded(call, person, character)
    outcome = rehearse(recorded, call.settings.reflection.min_confidence)
    if json:
        differences = [_difference_json(d) for d in outcome.differences]
        counts = {"reflections": outcome.reflections, "erased": outcome.erased}
        call.json({**counts, "differences": differences})
    else:
        _show(call, outcome)
    if outcome.differences:
        raise typer.Exit(1)


def _recorded(call: Invocation, person: str | None, character: str | None) -> Recording:
    with call.talk(Asked(person, character, None)) as (running, talk):
        return running.wait(talk.memories.recording())


def _read(call: Invocation, file: Path) -> Recording:
    from souvenance.errors import BadInput
    from souvenance.measure.journals import parse

    try:
        return parse(file.read_text("utf-8").split("\n"))
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise BadInput(call.words("journal.unreadable", file=file, why=why)) from error


def _show(call: Invocation, outcome: Rehearsal) -> None:
    for difference in outcome.differences:
        call.show(call.words("journal.differs", job=one_line(difference.job_id)))
        for sign, lines in (("-", difference.then), ("+", difference.now)):
            other = difference.now if sign == "-" else difference.then
            for line in lines:
                if line not in other:
                    call.show(f"  {sign} {_line(call, line)}")
        if difference.then == difference.now:
            call.show(f"  {call.words('journal.other_states')}")
    if outcome.erased:
        call.note(call.words("journal.erased", n=outcome.erased))
    n, d = outcome.reflections, len(outcome.differences)
    call.show(call.words("journal.same" if not d else "journal.not_same", n=n, d=d))


def _line(call: Invocation, line: Line) -> str:
    action = call.words.get(f"action.{line.action}", line.action)
    return one_line(f"{action}: {line.text} ({reason_text(line.reason, call.words)})")


def _difference_json(difference: Difference) -> dict[str, Any]:
    return {
        "job": difference.job_id,
        "then": [asdict(line) for line in difference.then],
        "now": [asdict(line) for line in difference.now],
        "states_then": [render.memory_json(m) for m in difference.states_then],
        "states_now": [render.memory_json(m) for m in difference.states_now],
    }
