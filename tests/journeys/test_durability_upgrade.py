"""Spine check A7: an upgrade killed anywhere loses nothing, and older programs refuse its result."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import apsw
import pytest

from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_TIMELINE,
    Address,
    Cause,
    CharacterId,
    Kind,
    Memory,
    MemoryId,
    PersonId,
    Redacted,
    View,
)
from souvenance.errors import NewerDatabase, StoreError, StoreUnusable
from souvenance.stores.sqlite import SqliteStore, open_store
from souvenance.stores.sqlite.connection import connect_writer
from souvenance.stores.sqlite.keys import Ledger, keys_path
from souvenance.stores.sqlite.migrate import Migration, shipped_migrations, upgrade
from souvenance.writes import AddVersion

HOME = Address(DEFAULT_SPACE, PersonId("ines"), CharacterId("bao"))
NOW = datetime(2031, 4, 9, 20, 15, tzinfo=UTC)

#: A made-up next version: a column, a table that is built again, rows that move.
NEXT = Migration(
    len(shipped_migrations()) + 1,
    f"""
    alter table messages add column mood text;
    create table counted (
      space text not null, person text not null, character text not null, memory_id text not null,
      served integer not null default 0, retrieved integer not null default 0,
      last_retrieved_at text, opened integer not null default 0,
      primary key (space, person, character, memory_id),
      foreign key (space, person, character) references addresses on delete cascade
    ) strict, without rowid;
    insert into counted select space, person, character, memory_id, served, retrieved, last_retrieved_at, 0
      from counters;
    drop table counters;
    alter table counted rename to counters;
    update persons set aliases = '["renamed"]';
    pragma user_version = {len(shipped_migrations()) + 1};
    """,
)
STEPS = (*shipped_migrations(), NEXT)
NOW_AT, NEXT_AT = NEXT.version - 1, NEXT.version


def filled(path: Path) -> list[Memory]:
    """A database of the first version, and what it remembers."""
    store = open_store(path)
    for number in range(12):
        memory = Memory(
            MemoryId(f"k{number}"), HOME, MAIN_TIMELINE, None, Kind.FACT,
            Redacted(f"fact {number}"), NOW, NOW, Cause("hand"),
        )  # fmt: skip
        store.commit(HOME.space, HOME.person, [AddVersion(memory, None)])
    memories = store.memories.current(View(HOME))
    store.close()
    return memories


def remembered(path: Path) -> list[Memory]:
    """What a program that knows its schema reads, the database found sound."""
    store = SqliteStore(path, Ledger(keys_path(path)))
    try:
        assert store.check().problems == ()
        return store.memories.current(View(HOME))
    finally:
        store.close()


def version(path: Path) -> int:
    db = apsw.Connection(str(path))
    try:
        return int(db.pragma("user_version"))
    finally:
        db.close()


def in_a_child(work: Callable[[], object]) -> int:
    """Runs it in a process of its own; the signal that ended it, 0 when it came to its end."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except BaseException:
            os._exit(3)
    _, status = os.waitpid(child, 0)
    assert not os.WIFEXITED(status) or os.WEXITSTATUS(status) == 0
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def upgrade_killed_at(path: Path, statement: int) -> None:
    """Upgrades until that statement is about to run, then dies as from a power cut."""

    def connect(path: Path, busy_timeout_s: float, foreign_keys: bool) -> Any:
        db: Any = connect_writer(path, busy_timeout_s, foreign_keys)
        left = statement

        def count(cursor: object, sql: str, bindings: object) -> bool:
            nonlocal left
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return True

        db.exec_trace = count
        return db

    upgrade(path, STEPS, busy_timeout_s=5, connect=connect)


def test_an_upgrade_killed_at_any_statement_loses_nothing(tmp_path: Path) -> None:
    """It is at the version before, or after, and goes on when it is started again.

    Trials: one kill before each statement of the upgrade, its checks included.
    """
    first = tmp_path / "first.db"
    memories = filled(first)
    statement, killed_by = 0, int(signal.SIGKILL)
    while killed_by:
        path = tmp_path / f"{statement}.db"
        shutil.copy(first, path)
        shutil.copy(keys_path(first), keys_path(path))
        killed_by = in_a_child(partial(upgrade_killed_at, path, statement))
        if version(path) < NEXT.version:
            assert remembered(path) == memories
        assert upgrade(path, STEPS, busy_timeout_s=5).to_version == version(path) == NEXT.version
        assert remembered(path) == memories
        for copy in tmp_path.glob(f"{statement}.db.before-v{NEXT_AT}*.bak"):
            assert version(copy) == NEXT.version - 1
            shutil.copy(keys_path(path), keys_path(copy))
            assert remembered(copy) == memories
        statement += 1
    assert statement > 10


def test_an_upgrade_keeps_a_copy_of_what_was_before(tmp_path: Path) -> None:
    """Someone who must go back has a file to go back to; a second one never replaces it."""
    path = tmp_path / "a.db"
    memories = filled(path)
    earlier = tmp_path / f"a.db.before-v{NEXT_AT}.bak"
    earlier.write_text("an older copy")
    report = upgrade(path, STEPS, busy_timeout_s=5)
    assert (report.from_version, report.to_version) == (NOW_AT, NEXT_AT)
    assert report.backup == tmp_path / f"a.db.before-v{NEXT_AT}-2.bak"
    assert earlier.read_text() == "an older copy"
    shutil.copy(keys_path(path), keys_path(report.backup))
    assert remembered(report.backup) == memories
    assert upgrade(path, STEPS, busy_timeout_s=5).backup is None


def test_an_older_program_refuses_a_newer_file(tmp_path: Path) -> None:
    """It would write rows that the newer one cannot read; it changes nothing and says what to do."""
    path = tmp_path / "a.db"
    filled(path)
    upgrade(path, STEPS, busy_timeout_s=5)
    before = path.read_bytes()
    with pytest.raises(
        NewerDatabase, match=rf"schema {NEXT_AT}, this one knows {NOW_AT}\): upgrade"
    ):
        open_store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("script", "error"),
    [
        ("alter table messages add column mood text; select no_such_function();", StoreError),
        (f"delete from addresses; pragma user_version = {NEXT_AT};", StoreUnusable),
        ("alter table messages add column mood text;", StoreUnusable),
    ],
    ids=["fails", "orphans", "forgets its number"],
)
def test_an_upgrade_that_goes_wrong_is_undone(
    tmp_path: Path, script: str, error: type[Exception]
) -> None:
    """A step that leaves rows without their parent is not a step forward."""
    path = tmp_path / "a.db"
    memories = filled(path)
    with pytest.raises(error):
        upgrade(path, (*shipped_migrations(), Migration(NEXT_AT, script)), busy_timeout_s=5)
    assert version(path) == NOW_AT
    assert remembered(path) == memories


@pytest.mark.parametrize("version", range(1, len(shipped_migrations())))
def test_a_database_of_every_earlier_version_is_brought_here(tmp_path: Path, version: int) -> None:
    """Somebody who skipped versions keeps everything, and the copy made before is of their version."""
    path, earlier = tmp_path / "a.db", shipped_migrations()[:version]
    upgrade(path, earlier, busy_timeout_s=5)
    db = apsw.Connection(str(path))
    db.execute(
        "insert into spaces values ('default');"
        "insert into persons (space, person, seq) values ('default', 'ines', 1);"
    )
    db.close()
    report = upgrade(path, shipped_migrations(), busy_timeout_s=5)
    assert (report.from_version, report.to_version) == (version, shipped_migrations()[-1].version)
    assert report.backup is not None
    store = open_store(path)
    assert [p.person for p in store.conversations.people(DEFAULT_SPACE)] == ["ines"]
    assert store.check().problems == ()
    store.close()
