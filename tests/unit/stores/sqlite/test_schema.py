"""The schema one reads is the schema the migrations build, and statements keep to their rules."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import apsw
import pytest

from souvenance.stores.sqlite import open_store
from souvenance.stores.sqlite.connection import APPLICATION_ID
from souvenance.stores.sqlite.migrate import shipped_migrations
from souvenance.stores.sqlite.queries import QUERIES, parse

SQL = files("souvenance.stores.sqlite")
SCHEMA = (SQL / "schema.sql").read_text("utf-8")


def built(*scripts: str) -> tuple[object, ...]:
    """What a fresh database holds after these scripts."""
    db = apsw.Connection(":memory:")
    for script in scripts:
        db.execute(script)
    objects = sorted(
        (kind, name, re.sub(r"\s+", " ", re.sub(r"--.*", "", sql or "")))
        for kind, name, sql in db.execute("select type, name, sql from sqlite_schema")
    )
    marks = (db.pragma("user_version"), db.pragma("application_id"))
    db.close()
    return (*objects, marks)


def test_the_schema_is_what_the_migrations_build() -> None:
    """Who reads schema.sql reads the truth."""
    assert built(SCHEMA) == built(*[m.script for m in shipped_migrations()])


def test_migrations_are_numbered_without_holes() -> None:
    """The last number is the version of the schema."""
    steps = shipped_migrations()
    assert [m.version for m in steps] == list(range(1, len(steps) + 1))
    assert built(SCHEMA)[-1] == (len(steps), APPLICATION_ID)


def test_space_and_person_lead_every_key_of_a_persons_rows() -> None:
    """Nothing is found, nor laid out on disk, without saying whose it is."""
    db = apsw.Connection(":memory:")
    db.execute(SCHEMA)
    tables = [n for (n,) in db.execute("select name from sqlite_schema where type = 'table'")]
    for table in tables:
        columns = {row[1]: row[5] for row in db.execute(f"pragma table_info({table})")}
        key = sorted((place, name) for name, place in columns.items() if place)
        if "person" in columns and table != "switches":
            assert [name for _, name in key][:2] == ["space", "person"], table
    db.close()


def test_every_statement_can_be_prepared() -> None:
    """A statement that nobody runs in tests is still a statement of this schema."""
    db = apsw.Connection(":memory:")
    db.execute(SCHEMA)
    for name, statement in QUERIES.items():
        if not statement.startswith(("begin", "commit", "rollback", "pragma")):
            values = dict.fromkeys(re.findall(r":(\w+)", statement))
            list(db.execute(f"explain {statement}", values)), name
    db.close()


def test_statements_on_a_persons_rows_say_whose() -> None:
    """The others are marked "admin" in the file, and few."""
    text = (SQL / "queries.sql").read_text("utf-8")
    tables = "|".join(
        [
            "persons",
            "addresses",
            "timelines",
            "threads",
            "messages",
            "versions",
            "jobs",
            "failures",
            "journal",
            "proposals",
            "counters",
            "stretches",
            "tallies",
            "switches",
            "vectors",
            "windows",
            "windowed",
            "tombstones",
        ]
    )
    blocks = re.split(r"^-- name: ", text.split("-- === own invariants")[0], flags=re.MULTILINE)
    for block in blocks[1:]:
        touches = re.search(rf"\b(from|into|update|join)\s+({tables})\b", block)
        if touches and "-- admin" not in block and not block.startswith("counts"):
            assert ":space" in block and ":person" in block, block.split("\n")[0]
    assert sum("-- admin" in block for block in blocks) <= 22


def test_hot_reads_use_an_index(tmp_path: Path) -> None:
    """At ten thousand memories, asking what is new must not read what is old."""
    store = open_store(tmp_path / "a.db")
    store.close()
    db = apsw.Connection(str(tmp_path / "a.db"))
    wanted = {
        "stamp": "SEARCH persons USING PRIMARY KEY",
        "current_own": "versions_current (space=? AND person=? AND character=? AND timeline=? AND seq_from>?)",
        "load_vectors": "vectors_stamp (space=? AND person=? AND character=? AND embedder=? AND stamp>?)",
        "load_windows": "windows_stamp (space=? AND person=? AND character=? AND embedder=? AND stamp>?)",
        "head": "versions_head (space=? AND person=? AND character=? AND timeline=? AND memory_id=?)",
    }
    for name, index in wanted.items():
        values = dict.fromkeys(re.findall(r":(\w+)", QUERIES[name]), "x")
        plan = " ".join(row[3] for row in db.execute(f"explain query plan {QUERIES[name]}", values))
        assert index in plan, (name, plan)
        assert "SCAN" not in plan.replace("SCAN json_each", ""), (name, plan)
    db.close()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("-- name: a\nselect 1\n-- name: a\nselect 2\n", "a is defined twice"),
        ("-- name: a\nselect {b}\n", "columns of b"),
    ],
)
def test_a_queries_file_that_contradicts_itself_is_refused(text: str, words: str) -> None:
    """The later of two statements would win in silence."""
    with pytest.raises(ValueError, match=words):
        parse(text)


def test_comments_and_column_lists_are_resolved() -> None:
    """What SQLite is given is the statement alone."""
    text = "-- about\n-- columns: two\na, b\n-- name: q\n-- why\nselect {two}\nfrom t\n"
    assert parse(text) == {"q": "select a, b\nfrom t"}
