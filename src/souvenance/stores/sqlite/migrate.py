"""Numbered migrations: each in one transaction, after a backup of the database as it was.

A process killed at any statement leaves the database at the version before, or after, that step.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import apsw

from souvenance.errors import NewerDatabase, StoreUnusable
from souvenance.stores.sqlite.backup import copy_database
from souvenance.stores.sqlite.connection import (
    APPLICATION_ID,
    READ_WRITE,
    Connect,
    Database,
    connect_writer,
    make_private,
    one,
    run,
)
from souvenance.stores.sqlite.faults import in_our_words

_NAME = re.compile(r"(\d{4})_\w+\.sql")


@dataclass(frozen=True, slots=True)
class Migration:
    """One step to schema `version`."""

    version: int
    script: str


@dataclass(frozen=True, slots=True)
class MigrationReport:
    """What a migration did; `backup` is the copy made before, None when nothing was there to copy."""

    from_version: int
    to_version: int
    backup: Path | None


def shipped_migrations() -> tuple[Migration, ...]:
    """The migrations of this version, in order."""
    folder = files("souvenance.stores.sqlite") / "migrations"
    found = [(_NAME.fullmatch(entry.name), entry) for entry in folder.iterdir()]
    return tuple(
        sorted(
            (Migration(int(m[1]), entry.read_text("utf-8")) for m, entry in found if m),
            key=lambda migration: migration.version,
        )
    )


def upgrade(
    path: Path,
    migrations: Sequence[Migration],
    *,
    busy_timeout_s: float,
    connect: Connect = connect_writer,
) -> MigrationReport:
    """Brings the database to the last of `migrations`, creating it (0600) when it is not there.

    Errors: `NewerDatabase`, `StoreUnusable`, `StoreBusy`, `StoreError`.
    """
    latest = migrations[-1].version
    make_private(path)
    with in_our_words(path):
        db = connect(path, busy_timeout_s, False)
        try:
            before = _version(db, path, latest)
            steps = [m for m in migrations if m.version > before]
            backup = _backup(path, steps[0].version, busy_timeout_s) if before and steps else None
            for step in steps:
                _take(db, path, step)
        finally:
            db.close()
    return MigrationReport(before, latest, backup)


def is_current(path: Path, latest: int) -> bool:
    """Whether the file is a database of ours at that version: then nothing has to be locked."""
    if not path.exists() or not path.stat().st_size:
        return False
    with in_our_words(path):
        db = apsw.Connection(str(path), flags=READ_WRITE)
        try:
            db.set_busy_timeout(1000)
            marks = [one(db, name) for name in ("application_id", "user_version")]
            return marks == [(APPLICATION_ID,), (latest,)]
        finally:
            db.close()


def _version(db: Database, path: Path, latest: int) -> int:
    """The schema version of a database that is ours, 0 for an empty file."""
    (version,), (application,), (tables,) = (
        one(db, name) or (0,) for name in ("user_version", "application_id", "any_table")
    )
    if application != APPLICATION_ID and (tables or version or application):
        raise StoreUnusable(
            f"{path} is another program's database: choose another file for Souvenance",
            code="other_database",
            fields={"path": path},
        )
    if version > latest:
        raise NewerDatabase(
            f"{path} was written by a newer Souvenance (schema {version}, this one knows {latest}): "
            "upgrade Souvenance, or open another file",
            code="newer_database",
            fields={"path": path, "version": version, "latest": latest},
        )
    return int(version)


def _backup(path: Path, version: int, busy_timeout_s: float) -> Path:
    """A copy beside the database, under a name that no earlier copy has."""
    target = path.with_name(f"{path.name}.before-v{version}.bak")
    number = 2
    while target.exists():
        target = path.with_name(f"{path.name}.before-v{version}-{number}.bak")
        number += 1
    copy_database(path, target, busy_timeout_s)
    return target


def _take(db: Database, path: Path, step: Migration) -> None:
    """Runs one step; foreign keys are off meanwhile, and checked before it is committed."""
    run(db, "begin_write")
    try:
        list(db.execute(step.script))
        orphans = run(db, "foreign_key_check")
        if orphans or (one(db, "user_version") or (0,))[0] != step.version:
            raise StoreUnusable(
                f"{path} cannot be brought to schema {step.version} "
                f"({len(orphans)} rows name a missing one); it was left as it was: "
                "run a check, and restore a backup if it finds damage"
            )
        run(db, "commit")
    except BaseException:
        if db.in_transaction:
            run(db, "rollback")
        raise
