"""Puts the command groups together; `main` is what the `souvenance` command runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from souvenance.interfaces.cli import (
    again,
    bench,
    calibrate,
    chat,
    context,
    db,
    doctor,
    journal,
    memories,
    messages,
    people,
    replay,
)
from souvenance.interfaces.cli.border import Border
from souvenance.interfaces.cli.invocation import Invocation

app = typer.Typer(
    cls=Border,
    help="app",
    invoke_without_command=True,  # `souvenance` alone, or with options alone, is a question: what can it do?
    add_completion=False,
    rich_markup_mode=None,  # plain help loads in a third of the time
    pretty_exceptions_enable=False,  # tracebacks with locals would print what was said
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("chat", help="chat")(chat.chat)
app.command("replay", help="replay")(replay.replay)
app.command("context", help="context")(context.context)
app.add_typer(memories.app, name="memories")
app.add_typer(messages.app, name="messages")
app.command("reflect", help="reflect")(again.reflect)
app.add_typer(journal.app, name="journal")
app.command("threads", help="threads")(people.threads)
app.add_typer(people.characters_app, name="characters")
app.command("doctor", help="doctor")(doctor.doctor)
app.add_typer(bench.app, name="bench")
app.add_typer(calibrate.app, name="calibrate")
app.add_typer(db.app, name="db")


def _version(asked: bool) -> None:
    if asked:
        from souvenance import __version__

        typer.echo(f"souvenance {__version__}")
        raise typer.Exit


@app.callback(epilog="app_epilog")
def _globals(
    ctx: typer.Context,
    database: Annotated[
        str | None,
        typer.Option("--database", "--db", metavar="FILE", help="database", show_default=False),
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="config", show_default=False)
    ] = None,
    lang: Annotated[
        str | None, typer.Option("--lang", metavar="fr|en", help="lang", show_default=False)
    ] = None,
    space: Annotated[
        str | None, typer.Option("--space", metavar="NAME", help="space", show_default=False)
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="verbose")] = False,
    version: Annotated[
        bool, typer.Option("--version", help="version", callback=_version, is_eager=True)
    ] = False,
) -> None:
    ctx.obj = Invocation(
        config=config, verbose=verbose, database=database, language=lang, space=space
    )
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())
        raise typer.Exit


def main() -> None:
    """Runs the command line."""
    app(prog_name="souvenance")
