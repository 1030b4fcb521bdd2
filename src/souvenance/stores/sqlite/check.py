"""Whether a database is sound: SQLite's own checks, and what must hold between our rows."""

from __future__ import annotations

from souvenance.ports import CheckReport
from souvenance.stores.sqlite.connection import PRAGMAS, Database, one, read_pragmas, run
from souvenance.stores.sqlite.queries import QUERIES

#: What is counted, in the order of the `counts` statement.
COUNTED = (
    "people",
    "characters",
    "timelines",
    "threads",
    "messages",
    "memories",
    "versions",
    "jobs",
    "failures",
    "journal",
    "proposals",
    "vectors",
    "windows",
    "degraded_turns",
)

#: Every invariant is a statement whose rows are the problems.
_INVARIANTS = tuple(name for name in QUERIES if name.startswith("invariant_"))


def report(db: Database, sqlite_version: str, notes: tuple[str, ...]) -> CheckReport:
    """The outcome of every check, with `notes` (what opening noticed) among its problems."""
    problems = [line for (line,) in run(db, "integrity_check") if line != "ok"]
    problems += [
        f"{table}: row {rowid} names a row of {parent} that does not exist"
        for table, rowid, parent, _ in run(db, "foreign_key_check")
    ]
    for name in _INVARIANTS:
        problems += [line for (line,) in run(db, name)]
    pragmas = read_pragmas(db, [*PRAGMAS, "busy_timeout"])
    (version,) = one(db, "user_version") or (0,)
    counts = one(db, "counts") or (0,) * len(COUNTED)
    return CheckReport(
        sqlite_version=sqlite_version,
        schema_version=version,
        pragmas={name: str(value) for name, value in pragmas.items()},
        problems=(*notes, *problems),
        counts=dict(zip(COUNTED, counts, strict=True)),
    )
