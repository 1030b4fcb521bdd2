"""Spine check H4: only the owner reads the files, and nobody can redirect them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from souvenance.domain import DEFAULT_SPACE, Person, PersonId
from souvenance.errors import StoreUnusable
from souvenance.stores.sqlite import open_store
from souvenance.stores.sqlite.migrate import Migration, shipped_migrations, upgrade
from souvenance.writes import PutPerson

INES = PersonId("ines")


@pytest.fixture(params=[0o000, 0o022, 0o077], ids=["open", "usual", "closed"])
def _umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("_umask")
def test_files_are_for_their_owner_whatever_the_umask(tmp_path: Path) -> None:
    """Database, log, index of the log, key, backup and its key, and the folder we make."""
    folder = tmp_path / "made"
    store = open_store(folder / "a.db")
    try:
        store.commit(DEFAULT_SPACE, INES, [PutPerson(Person(DEFAULT_SPACE, INES))])
        store.backup(folder / "b.db")
        names = {"a.db", "a.db-wal", "a.db-shm", "a.db.keys", "b.db", "b.db.keys"}
        assert {p.name: mode(p) for p in folder.iterdir()} == dict.fromkeys(names, 0o600)
        assert mode(folder) == 0o700
    finally:
        store.close()
    steps = (*shipped_migrations(), Migration(99, "pragma user_version = 99"))
    copy = upgrade(folder / "a.db", steps, busy_timeout_s=1).backup
    assert copy is not None
    assert mode(copy) == 0o600


def test_rights_given_to_others_are_taken_back(tmp_path: Path) -> None:
    """A file copied by hand often comes with the wide rights of a download."""
    path = tmp_path / "a.db"
    open_store(path).close()
    for name in (path, tmp_path / "a.db.keys"):
        name.chmod(0o666)
    open_store(path).close()
    assert (mode(path), mode(tmp_path / "a.db.keys")) == (0o600, 0o600)


def test_a_link_where_everybody_can_write_is_refused(tmp_path: Path) -> None:
    """Anybody there could point it elsewhere between two starts."""
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    (shared / "a.db").symlink_to(tmp_path / "real.db")
    with pytest.raises(StoreUnusable, match="is a link in a folder that everybody can write to"):
        open_store(shared / "a.db")
    assert not (tmp_path / "real.db").exists()


def test_a_link_in_a_folder_of_ones_own_is_followed(tmp_path: Path) -> None:
    """Keeping the data on another disk is ordinary; the key stands beside the data."""
    real = tmp_path / "disk"
    real.mkdir()
    (tmp_path / "a.db").symlink_to(real / "a.db")
    open_store(tmp_path / "a.db").close()
    assert {p.name for p in real.iterdir()} == {"a.db", "a.db.keys"}


def test_a_key_file_that_is_a_link_is_refused(tmp_path: Path) -> None:
    """It would write the key wherever the link says."""
    (tmp_path / "a.db.keys").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreUnusable, match="key file"):
        open_store(tmp_path / "a.db")
    assert not (tmp_path / "elsewhere").exists()


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    """A mistyped path must not grow a tree of folders."""
    with pytest.raises(StoreUnusable, match="does not exist: create it"):
        open_store(tmp_path / "no" / "such" / "a.db")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_place_of_a_file_is_named(tmp_path: Path) -> None:
    """And a file in place of a folder."""
    (tmp_path / "file").write_text("text")
    with pytest.raises(StoreUnusable, match="is a folder"):
        open_store(tmp_path)
    with pytest.raises(StoreUnusable, match="is not a folder"):
        open_store(tmp_path / "file" / "a.db")


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """The person is told which one, before a stack of system calls is."""
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StoreUnusable, match="cannot be written to"):
            open_store(tmp_path / "a.db")
        with pytest.raises(StoreUnusable, match="cannot be created"):
            open_store(tmp_path / "new" / "a.db")
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.parametrize("content", [b"just some notes\n" * 99, b"SQLite format 3\0" + b"x" * 4080])
def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path, content: bytes) -> None:
    """A wrong path on the command line must not cost a text."""
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(StoreUnusable, match="choose another file"):
        open_store(path)
    assert path.read_bytes() == content


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    """Its tables are not ours to add to."""
    path = tmp_path / "photos.db"
    db = apsw.Connection(str(path))
    db.execute("create table photos (name)")
    db.close()
    content = path.read_bytes()
    with pytest.raises(StoreUnusable, match="another program's database"):
        open_store(path)
    db = apsw.Connection(str(path))
    assert db.pragma("user_version") == 0
    assert [name for (name,) in db.execute("select name from sqlite_schema")] == ["photos"]
    db.close()
    assert content[:16] == path.read_bytes()[:16]
