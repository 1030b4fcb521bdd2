"""Connections whose settings were read back, and the checks on the file they open.

SQLite accepts a pragma it does not apply without a word, so nothing is assumed here.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import apsw

from souvenance.errors import StoreUnusable
from souvenance.stores.sqlite.queries import QUERIES

#: The first SQLite without the fault that loses committed writes when two connections write and
#: checkpoint at once (3.7.0 to 3.51.2). Source: SQLite release notes.
OLDEST_SQLITE = (3, 51, 3)

#: "SOUV", in the header of every database of ours.
APPLICATION_ID = 0x534F5556

#: How every connection opens: the file must exist, and not be a link.
READ_WRITE = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_NOFOLLOW

#: What each pragma must answer on every connection. 2 is FULL; temp tables stay in memory.
PRAGMAS: Mapping[str, object] = {
    "journal_mode": "wal",
    "synchronous": 2,
    "foreign_keys": 1,
    "secure_delete": 1,
    "trusted_schema": 0,
    "temp_store": 2,
    "fullfsync": 1,
    "checkpoint_fullfsync": 1,
}

Row = tuple[Any, ...]


class Database(Protocol):
    """The few things the store asks of a connection; `apsw.Connection` has them."""

    def execute(self, statements: str, bindings: Any = None) -> Any: ...
    @property
    def in_transaction(self) -> bool: ...
    def changes(self) -> int: ...
    def set_busy_handler(self, callable: Callable[[int], bool] | None) -> None: ...
    def close(self) -> None: ...


Connect = Callable[[Path, float, bool], Database]


def run(db: Database, name: str, values: Mapping[str, Any] | None = None) -> list[Row]:
    """The rows of a named statement."""
    return list(db.execute(QUERIES[name], values))


def one(db: Database, name: str, values: Mapping[str, Any] | None = None) -> Row | None:
    """The first row of a named statement, None when there is none."""
    rows = run(db, name, values)
    return rows[0] if rows else None


def connect_writer(path: Path, busy_timeout_s: float, foreign_keys: bool = True) -> Database:
    """A connection that writes, its settings applied and read back. The file must exist.

    Errors: `StoreUnusable`, and apsw's.
    """
    db = apsw.Connection(str(path), flags=READ_WRITE)
    db.set_busy_timeout(round(busy_timeout_s * 1000))
    _settle(db, path, busy_timeout_s, {**PRAGMAS, "foreign_keys": int(foreign_keys)})
    return db


def connect_reader(path: Path, busy_timeout_s: float, foreign_keys: bool = True) -> Database:
    """A connection that cannot write, its settings applied and read back.

    Errors: `StoreUnusable`, and apsw's.
    """
    db = apsw.Connection(str(path), flags=READ_WRITE)
    db.set_busy_timeout(round(busy_timeout_s * 1000))
    _settle(db, path, busy_timeout_s, {**PRAGMAS, "query_only": 1})
    return db


def read_pragmas(db: Database, names: Sequence[str]) -> dict[str, object]:
    """The values of these pragmas, as the connection answers."""
    answers = {name: one(db, f"read_{name}") for name in names}
    return {name: None if row is None else row[0] for name, row in answers.items()}


def _settle(db: Database, path: Path, busy_timeout_s: float, wanted: Mapping[str, object]) -> None:
    try:
        for name, value in wanted.items():
            off = name == "foreign_keys" and not value
            run(db, _SETTERS[name] + ("_off" if off else ""))
        wanted = {**wanted, "busy_timeout": round(busy_timeout_s * 1000)}
        require_pragmas(path, wanted, read_pragmas(db, list(wanted)))
    except BaseException:
        db.close()
        raise


_SETTERS = {
    **{name: f"set_{name}" for name in (*PRAGMAS, "query_only")},
    "journal_mode": "set_wal",
}


def require_pragmas(path: Path, wanted: Mapping[str, object], read: Mapping[str, object]) -> None:
    """Returns when every setting reads as wanted. Errors: `StoreUnusable`, naming those that differ."""
    wrong = [
        f"{name} is {read.get(name)!r} instead of {value!r}"
        for name, value in wanted.items()
        if read.get(name) != value
    ]
    if wrong:
        raise StoreUnusable(
            f"{path} does not take the settings that keep it safe ({'; '.join(wrong)}): "
            "keep the database on a local disk that you can write to"
        )


def require_sqlite(version: str) -> None:
    """Returns when this SQLite is safe to write with. Errors: `StoreUnusable`."""
    if tuple(int(part) for part in version.split(".")) < OLDEST_SQLITE:
        oldest = ".".join(str(part) for part in OLDEST_SQLITE)
        raise StoreUnusable(
            f"SQLite {version} can lose committed writes; {oldest} or newer is needed: "
            "pip install --upgrade apsw"
        )


# --- the file ------------------------------------------------------------------------------------


def settled_path(path: Path) -> Path:
    """The absolute path of the database, links followed where that is safe, its folder existing.

    Makes the folder (0700) when only that one is missing. Errors: `StoreUnusable`.
    """
    path = path.expanduser().absolute()
    folder = path.parent
    if not folder.exists():
        _make_folder(folder)
    if not folder.is_dir():
        raise StoreUnusable(
            f"{folder} is not a folder: choose another place for {path.name}",
            code="not_a_folder",
            fields={"folder": folder, "file": path.name},
        )
    if path.is_symlink() and folder.stat().st_mode & stat.S_IWOTH:
        raise StoreUnusable(
            f"{path} is a link in a folder that everybody can write to, so anybody could redirect "
            "it: give the path of the file itself, or move it to a folder of your own"
        )
    path = path.resolve()
    if path.is_dir():
        raise StoreUnusable(
            f"{path} is a folder: give the path of a file",
            code="is_a_folder",
            fields={"path": path},
        )
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise StoreUnusable(
            f"the folder {path.parent} cannot be written to: choose another one",
            code="folder_read_only",
            fields={"folder": path.parent},
        )
    return path


def _make_folder(folder: Path) -> None:
    if not folder.parent.is_dir():
        raise StoreUnusable(
            f"the folder {folder} does not exist: create it, or choose another one",
            code="no_folder",
            fields={"folder": folder},
        )
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        return
    except OSError as e:
        raise StoreUnusable(
            f"the folder {folder} cannot be created ({e.strerror}): choose another one",
            code="folder_not_made",
            fields={"folder": folder, "why": e.strerror},
        ) from e
    folder.chmod(0o700)


def make_private(path: Path) -> bool:
    """Makes the file (0600) when it is not there, and takes others' rights away; True when made.

    An existing database is never opened here: closing that descriptor would drop SQLite's locks.
    Errors: `StoreUnusable`.
    """
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError:
        _take_rights_away(path)
        return False
    except OSError as e:
        raise StoreUnusable(
            f"{path} cannot be created ({e.strerror}): choose another folder",
            code="file_not_made",
            fields={"path": path, "why": e.strerror},
        ) from e
    os.fchmod(fd, 0o600)
    os.close(fd)
    return True


def _take_rights_away(path: Path) -> None:
    for name in (path.name, path.name + "-wal", path.name + "-shm"):
        file = path.with_name(name)
        try:
            found = file.lstat()
        except FileNotFoundError:
            continue
        others = found.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
        if others and stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid():
            file.chmod(0o600)
