"""A copy of the database while it is in use, through SQLite's backup API.

Copying the file itself while it is written loses rows.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import apsw

from souvenance.errors import StoreError, StoreUnusable
from souvenance.stores.sqlite.connection import READ_WRITE
from souvenance.stores.sqlite.faults import in_our_words
from souvenance.stores.sqlite.keys import keys_path


def copy_database(source: Path, target: Path, busy_timeout_s: float) -> None:
    """Copies the database to a new file (0600): complete and on disk, or not there at all.

    Errors: `StoreUnusable` when the target exists or cannot be made, `StoreError`.
    """
    _reserve(target)
    scratch = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        scratch.unlink(missing_ok=True)
        _reserve(scratch)
        with in_our_words(source):
            _copy(source, scratch, busy_timeout_s)
        _sync(scratch)
        scratch.replace(target)
        _sync(target.parent)
    except BaseException:
        scratch.unlink(missing_ok=True)
        target.unlink(missing_ok=True)
        raise


def backup(source: Path, target: Path, busy_timeout_s: float) -> None:
    """Copies the database, and its key file beside the copy; refuses to overwrite either.

    Errors: `StoreUnusable`, `StoreError`.
    """
    target = target.expanduser().absolute()
    target = target.parent.resolve() / target.name
    keys = keys_path(target)
    _reserve(keys)
    try:
        copy_database(source, target, busy_timeout_s)
        with keys_path(source).open("rb") as have, keys.open("wb") as want:
            shutil.copyfileobj(have, want)
            want.flush()
            os.fsync(want.fileno())
        _sync(target.parent)
    except OSError as e:
        keys.unlink(missing_ok=True)
        raise StoreError(f"the backup {target} could not be written ({e.strerror})") from e
    except BaseException:
        keys.unlink(missing_ok=True)
        raise


def _copy(source: Path, scratch: Path, busy_timeout_s: float) -> None:
    """Copies in one step, so that the copy is the database at one moment, whoever writes."""
    have = apsw.Connection(str(source), flags=READ_WRITE)
    want = apsw.Connection(str(scratch), flags=READ_WRITE)
    try:
        have.set_busy_timeout(round(busy_timeout_s * 1000))
        with want.backup("main", have, "main") as copying:
            copying.step(-1)
    finally:
        want.close()
        have.close()


def _reserve(path: Path) -> None:
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError as e:
        raise StoreUnusable(
            f"{path} exists already and is never overwritten: choose another name"
        ) from e
    except OSError as e:
        raise StoreUnusable(
            f"{path} cannot be created ({e.strerror}): choose an existing folder you can write to"
        ) from e
    os.fchmod(fd, 0o600)
    os.close(fd)


def _sync(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
