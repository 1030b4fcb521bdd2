"""`souvenance threads` and `souvenance characters`: which conversations there are, and with whom."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from souvenance.interfaces.cli import nobody, render
from souvenance.interfaces.cli.invocation import Asked, invocation
from souvenance.interfaces.cli.options import CharacterOption, JsonOption, PersonOption
from souvenance.interfaces.cli.safe import one_line, short

characters_app = typer.Typer(help="characters", invoke_without_command=True, rich_markup_mode=None)


def threads(
    ctx: typer.Context,
    json: JsonOption = False,
    person: PersonOption = None,
    character: CharacterOption = None,
) -> None:
    call = invocation(ctx)
    who = call.who(Asked(person, character))
    call.require_database()
    with call.engine() as running:
        found = running.wait(
            running.engine.threads(who.person, who.character if character else None)
        )
        unknown = nobody.hint(call, running, who.person)
        others = nobody.others(call, running, who.person)
    if json:
        rows = [
            {
                "id": t.thread,
                "character": t.address.character,
                "title": t.title,
                "created_at": t.created_at.isoformat(),
                "last_at": t.last_at.isoformat(),
            }
            for t in found
        ]
        call.json({"person": who.person, "threads": rows})
        return
    if found:
        headers = [call.words(f"column.{c}") for c in ("thread", "character", "last", "title")]
        cells = [
            (t.thread, t.address.character, render.minute(t.last_at), t.title or "") for t in found
        ]
        call.show(render.table(headers, cells, wide=3))
    call.note(call.words("threads.count", n=len(found), person=one_line(who.person)))
    if not found and (line := unknown or others):
        call.note(line)


@characters_app.callback()
def characters(ctx: typer.Context, json: JsonOption = False) -> None:
    if ctx.invoked_subcommand is None:
        list_(ctx, json)


@characters_app.command("list", help="characters_list")
def list_(ctx: typer.Context, json: JsonOption = False) -> None:
    call = invocation(ctx)
    with call.reading() as running:
        found = running.wait(running.engine.characters())
    if json:
        rows = [
            {"id": c.character, "name": c.name, "language": c.language, "plan": c.plan}
            for c in found
        ]
        call.json({"characters": rows})
        return
    headers = [call.words(f"column.{c}") for c in ("id", "name", "language", "persona")]
    cells = [(c.character, c.name, c.language, short(c.persona, 200)) for c in found]
    call.show(render.table(headers, cells, wide=3))
    call.note(call.words("characters.folder", folder=call.settings.characters))


@characters_app.command("show", help="characters_show")
def show(
    ctx: typer.Context,
    character: Annotated[str, typer.Argument(metavar="ID", help="character_id")],
    json: JsonOption = False,
) -> None:
    call = invocation(ctx)
    with call.reading() as running:
        found = running.wait(running.engine.known_character(character))
    if json:
        state = {
            k: {"low": b.low, "high": b.high, "start": b.start} for k, b in found.state.items()
        }
        call.json(
            {
                "id": found.character,
                "name": found.name,
                "language": found.language,
                "isolation": found.isolation,
                "plan": found.plan,
                "greeting": found.greeting,
                "persona": found.persona,
                "state": state,
            }
        )
        return
    lines = [
        ("name", found.name),
        ("id", found.character),
        ("language", found.language),
        ("isolation", found.isolation),
        ("plan", found.plan),
        ("greeting", found.greeting or "-"),
        ("persona", found.persona),
    ]
    rows = [(call.words(f"column.{name}"), value) for name, value in lines]
    call.show(render.table(["", ""], rows, wide=1))


@characters_app.command("add", help="characters_add")
def add(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="character_file")],
) -> None:
    from souvenance.characters import read_character, slug
    from souvenance.domain import Space
    from souvenance.errors import BadInput, StoreUnusable

    call = invocation(ctx)
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "UTF-8"
        raise BadInput(call.words("file.unreadable", file=file, why=why)) from error
    found = read_character(
        text, space=Space(call.settings.space), origin=str(file), fallback_id=slug(file.stem)
    )
    target = call.settings.characters / f"{slug(found.character)}.toml"
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise BadInput(call.words("characters.exists", file=target)) from error
    except OSError as error:
        raise StoreUnusable(
            call.words("file.unwritable", file=target, why=error.strerror)
        ) from error
    with os.fdopen(descriptor, "w", encoding="utf-8") as out:
        out.write(text)
    call.show(
        call.words(
            "characters.added", name=one_line(found.name), id=one_line(found.character), file=target
        )
    )
