"""`souvenance db`: the database file itself."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from souvenance.interfaces.cli import render
from souvenance.interfaces.cli.invocation import invocation
from souvenance.interfaces.cli.options import JsonOption
from souvenance.interfaces.cli.safe import one_line

app = typer.Typer(help="db", no_args_is_help=True, rich_markup_mode=None)


@app.command("backup", help="db_backup")
def backup(
    ctx: typer.Context,
    target: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="backup_target", show_default=False)
    ] = None,
) -> None:
    from souvenance.errors import BadInput

    call = invocation(ctx)
    source = call.require_database()
    if target is None:
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        target = source.with_name(f"{source.stem}-{stamp}.backup.db")
    if target.exists():
        raise BadInput(call.words("db.target_exists", file=target))
    store = _open(source)
    try:
        store.backup(target)
    finally:
        store.close()
    call.show(call.words("db.backed_up", file=target))


@app.command("check", help="db_check")
def check(ctx: typer.Context, json: JsonOption = False) -> None:
    call = invocation(ctx)
    source = call.require_database()
    store = _open(source)
    try:
        report = store.check()
    finally:
        store.close()
    if json:
        call.json(
            {
                "database": str(source),
                "sound": not report.problems,
                "problems": list(report.problems),
                "sqlite": report.sqlite_version,
                "schema": report.schema_version,
                "pragmas": dict(report.pragmas),
                "counts": dict(report.counts),
            }
        )
    else:
        call.show(call.words("db.sound" if not report.problems else "db.unsound", file=source))
        for problem in report.problems:
            call.show(f"  {one_line(problem)}")
        rows = [("SQLite", report.sqlite_version), (call.words("db.schema"), report.schema_version)]
        rows += list(report.pragmas.items()) + list(report.counts.items())
        call.show("", render.table(["", ""], rows, wide=1))
    if report.problems:
        raise typer.Exit(1)


@app.command("migrate", help="db_migrate")
def migrate(ctx: typer.Context) -> None:
    from souvenance.stores.sqlite import migrate as run

    call = invocation(ctx)
    source = call.require_database()
    report = run(source)
    if report.from_version == report.to_version:
        call.show(call.words("db.current", file=source, version=report.to_version))
        return
    versions = {"before": report.from_version, "after": report.to_version}
    call.show(call.words("db.migrated", file=source, backup=report.backup, **versions))


def _open(path: Path) -> Any:
    from souvenance.stores.sqlite import open_store

    return open_store(path)
