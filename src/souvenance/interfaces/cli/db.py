"""`souvenance db`: the database file itself."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from souvenance.interfaces.cli import render
from souvenance.interfaces.cli.invocation import invocation
from souvenance.interfaces.cli.options import JsonOption
from souvenance.interfaces.cli.safe import one_line

#: Vectors deleted in one transaction. Chosen, not measured.
DROPPED_AT_ONCE = 500

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


@app.command("vectors", help="db_vectors")
def vectors(
    ctx: typer.Context,
    drop: Annotated[
        str | None, typer.Option("--drop", metavar="NAME", help="vectors_drop", show_default=False)
    ] = None,
    json: JsonOption = False,
) -> None:
    from souvenance.errors import Unknown

    call = invocation(ctx)
    store = _open(call.require_database())
    try:
        held = store.vectors.held()
        if drop is not None and drop not in {h.embedder for h in held}:
            raise Unknown(call.words("db.no_vectors", name=one_line(drop)))
        dropped = _dropped(store, drop) if drop is not None else 0
        held = store.vectors.held() if dropped else held
    finally:
        store.close()
    if json:
        call.json({"dropped": dropped, "held": [asdict(h) for h in held]})
        return
    if drop is not None:
        call.show(call.words("db.vectors_dropped", name=one_line(drop), n=dropped))
        return
    headers = [
        call.words(f"column.{name}") for name in ("embedder", "dimension", "vectors", "size")
    ]
    rows = [(one_line(h.embedder), h.dimension, h.rows, render.megabytes(h.bytes)) for h in held]
    call.show(render.table(headers, rows, wide=0) if rows else call.words("db.vectors_none"))


def _dropped(store: Any, name: str) -> int:
    """How many vectors were deleted, a few in each transaction so that a reply never waits for all of them."""
    total = 0
    for drop in (store.vectors.drop, store.windows.drop):
        while gone := drop(name, DROPPED_AT_ONCE):
            total += gone
    return total


def _open(path: Path) -> Any:
    from souvenance.stores.sqlite import open_store

    return open_store(path)
