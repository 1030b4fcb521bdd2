"""A copy of the database while it is in use, through SQLite's backup API.

Copying the file itself while it is written loses rows. A copy gets its name only once it is whole
and on disk, so that a file with that name is a good one, whatever was interrupted.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import apsw

from souvenance.errors import StoreError, StoreUnusable
from souvenance.stores.sqlite.connection import READ_WRITE, run
from souvenance.stores.sqlite.faults import in_our_words
from souvenance.stores.sqlite.keys import keys_path


def copy_database(source: Path, target: Path, busy_timeout_s: float) -> None:
    """Copies the database to a new file (0600).

    Errors: `StoreUnusable` when the target exists or cannot be made, `StoreError`.
    """

    def fill(scratch: Path) -> None:
        with in_our_words(source):
            _copy(source, scratch, busy_timeout_s)

    _make_whole(target, fill)


def backup(source: Path, target: Path, busy_timeout_s: float) -> None:
    """Copies the key file, then the database, to new files; refuses to overwrite either.

    Errors: `StoreUnusable`, `StoreError`.
    """
    target = target.expanduser().absolute()
    target = target.parent.resolve() / target.name
    _require_free(target)
    content = keys_path(source).read_bytes()
    _make_whole(keys_path(target), lambda scratch: _write(scratch, content))
    try:
        copy_database(source, target, busy_timeout_s)
    except BaseException:
        keys_path(target).unlink(missing_ok=True)
        raise


def _make_whole(target: Path, fill: Callable[[Path], None]) -> None:
    """Makes `target` under another name, and gives it its own once it is on disk."""
    _require_free(target)
    scratch = target.with_name(f".{target.name}.{os.getpid()}.part")
    scratch.unlink(missing_ok=True)
    try:
        os.close(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
        scratch.chmod(0o600)
        fill(scratch)
        _sync(scratch)
        _publish(scratch, target)
        _sync(target.parent)
    except (FileNotFoundError, PermissionError, NotADirectoryError) as e:
        raise StoreUnusable(
            f"{target} cannot be created ({e.strerror}): choose an existing folder you can write to"
        ) from e
    except OSError as e:
        raise StoreError(
            f"{target} could not be written ({e.strerror}): nothing was kept of it"
        ) from e
    finally:
        scratch.unlink(missing_ok=True)


def _publish(scratch: Path, target: Path) -> None:
    """Renames without ever overwriting; by a plain rename on file systems that have no links."""
    try:
        os.link(scratch, target)
    except FileExistsError as e:
        raise _taken(target) from e
    except OSError:
        _require_free(target)
        scratch.rename(target)


def _copy(source: Path, scratch: Path, busy_timeout_s: float) -> None:
    """Copies in one step, so that the copy is the database at one moment, whoever writes."""
    have = apsw.Connection(str(source), flags=READ_WRITE)
    want = apsw.Connection(str(scratch), flags=READ_WRITE)
    try:
        have.set_busy_timeout(round(busy_timeout_s * 1000))
        with want.backup("main", have, "main") as copying:
            copying.step(-1)
        if [line for (line,) in run(want, "quick_check")] != ["ok"]:
            raise StoreError(
                f"{source} is damaged, so no backup was made: `souvenance db check` says where; "
                "copy the file itself before anything else"
            )
    finally:
        want.close()
        have.close()


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def _require_free(target: Path) -> None:
    if target.exists() or target.is_symlink():
        raise _taken(target)


def _taken(target: Path) -> StoreUnusable:
    return StoreUnusable(f"{target} exists already and is never overwritten: choose another name")


def _sync(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
