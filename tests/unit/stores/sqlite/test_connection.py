"""Spine check A5: no connection without its settings read back, no SQLite that loses writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw
import pytest

from souvenance.errors import StoreError, StoreUnusable
from souvenance.stores.sqlite import open_store
from souvenance.stores.sqlite.connection import (
    PRAGMAS,
    connect_reader,
    connect_writer,
    read_pragmas,
    require_pragmas,
    require_sqlite,
)


@pytest.mark.parametrize("version", ["3.51.2", "3.7.0", "3.50.9", "2.8.17", "3.9"])
def test_a_sqlite_that_loses_writes_is_refused(version: str) -> None:
    """Two connections that write and checkpoint at once could lose a committed memory."""
    with pytest.raises(StoreUnusable, match=r"3\.51\.3 or newer.*pip install --upgrade apsw"):
        require_sqlite(version)


@pytest.mark.parametrize("version", ["3.51.3", "3.52.0", "3.54.1", "4.0", "3.51.3.1"])
def test_a_sqlite_that_keeps_writes_is_taken(version: str) -> None:
    """Figures are compared, not letters: 3.100 is newer than 3.51."""
    require_sqlite(version)
    require_sqlite("3.100.0")


def test_opening_asks_which_sqlite_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is written."""
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: "3.51.2")
    with pytest.raises(StoreUnusable, match=r"3\.51\.2 can lose"):
        open_store(tmp_path / "a.db")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("connect", [connect_writer, connect_reader])
def test_every_connection_reads_its_settings_back(tmp_path: Path, connect: Any) -> None:
    """What SQLite answers is what counts, on each connection anew."""
    open_store(tmp_path / "a.db").close()
    for _ in range(2):
        db = connect(tmp_path / "a.db", 2.5, True)
        try:
            assert read_pragmas(db, list(PRAGMAS)) == PRAGMAS
            assert read_pragmas(db, ["busy_timeout"]) == {"busy_timeout": 2500}
        finally:
            db.close()


def test_a_setting_that_did_not_take_is_named() -> None:
    """On some network disks WAL silently stays off."""
    read = {**PRAGMAS, "journal_mode": "delete", "secure_delete": 0}
    with pytest.raises(StoreUnusable, match="journal_mode is 'delete' instead of 'wal'; secure_de"):
        require_pragmas(Path("a.db"), PRAGMAS, read)


def test_a_database_that_cannot_be_wal_is_refused(tmp_path: Path) -> None:
    """Someone holding it in another mode keeps us out rather than unsafe."""
    open_store(tmp_path / "a.db").close()
    other = apsw.Connection(str(tmp_path / "a.db"))
    other.pragma("journal_mode", "delete")
    other.execute("begin immediate")
    try:
        with pytest.raises(StoreError):
            open_store(tmp_path / "a.db", busy_timeout_s=0.1)
    finally:
        other.execute("rollback")
        other.close()


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    """A slip in a read would otherwise bypass the one writer."""
    open_store(tmp_path / "a.db").close()
    db = connect_reader(tmp_path / "a.db", 1, True)
    try:
        with pytest.raises(apsw.ReadOnlyError):
            db.execute("insert into spaces values ('x')")
    finally:
        db.close()


def test_deleted_bytes_do_not_stay_in_the_file(tmp_path: Path) -> None:
    """`secure_delete` is per connection: the pragma read back is also seen at work."""
    secret = "a sentence that nobody may find again"
    open_store(tmp_path / "a.db").close()
    db: Any = connect_writer(tmp_path / "a.db", 1, True)
    db.execute("insert into spaces values (?)", (secret,))
    db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    assert secret.encode() in (tmp_path / "a.db").read_bytes()
    db.execute("delete from spaces")
    db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    db.close()
    assert secret.encode() not in (tmp_path / "a.db").read_bytes()
