"""The small file beside the database: the key of message marks, and the ledger of erasures.

They live apart from the database so that restoring a backup of it cannot bring back what was
erased. JSON lines: the key first, then one line for each erasure, holding no text and no name.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, cast

from souvenance.errors import NewerDatabase, StoreBusy, StoreUnusable
from souvenance.stores.accepted import keyed_mark
from souvenance.stores.sqlite.turns import Deadline, take_file

#: Bytes of the random key: as long as the digest it feeds is strong. Chosen, not measured.
KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class Erasure:
    """One line of the ledger: what sort of thing was erased, its keyed name, and when."""

    kind: Literal["person", "memory"]
    mark: str
    at: datetime


class Ledger:
    """The key-and-ledger file of one database; safe between threads and processes."""

    def __init__(self, path: Path, *, timeout_s: float = 5.0) -> None:
        """Reads the key, making the file (0600) when it is not there. Errors: `StoreUnusable`."""
        self.path = path
        self._timeout_s = timeout_s
        self.key = _key_of(self._first_line(), path)

    @property
    def key_id(self) -> str:
        """Identifies the key without telling it."""
        return hashlib.blake2b(b"souvenance key id", key=self.key, digest_size=8).hexdigest()

    def mark(self, text: str) -> str:
        """The keyed hash of a text."""
        return keyed_mark(self.key, text)

    def entries(self) -> list[Erasure]:
        """Every erasure, oldest first. Errors: `NewerDatabase` for a kind this version does not know."""
        fd = _open(self.path)
        try:
            return self.read(fd)
        finally:
            os.close(fd)

    def append(self, entry: Erasure) -> None:
        """Adds one erasure; returns once it is on disk."""
        line = {"erased": entry.kind, "mark": entry.mark, "at": entry.at.isoformat()}
        with self.locked() as fd:
            _append(fd, json.dumps(line))

    @contextmanager
    def locked(self) -> Iterator[int]:
        """Holds the file's lock, shared by no other process, around a block; gives its descriptor.

        Errors: `StoreBusy`, `StoreUnusable`.
        """
        fd = _open(self.path)
        try:
            if not take_file(fd, Deadline(self._timeout_s)):
                raise StoreBusy(
                    f"another program is opening or upgrading the database of {self.path}: "
                    "wait for it to finish, then retry"
                )
            yield fd
        finally:
            os.close(fd)

    def read(self, fd: int) -> list[Erasure]:
        """As `entries`, from the descriptor of who holds the lock."""
        return [self._erasure(line) for line in _whole_lines(fd)[1:]]

    def _first_line(self) -> str:
        """The line that holds the key; whoever finds none writes it, one program at a time."""
        fd = _open(self.path)
        try:
            lines = _whole_lines(fd)
        finally:
            os.close(fd)
        if lines:
            return lines[0]
        with self.locked() as fd:
            lines = _whole_lines(fd)
            if not lines:
                lines = [json.dumps({"key": secrets.token_bytes(KEY_BYTES).hex()})]
                _append(fd, lines[0])
                _sync_folder(self.path.parent)
        return lines[0]

    def _erasure(self, line: str) -> Erasure:
        try:
            entry = json.loads(line)
            kind, mark = entry["erased"], entry["mark"]
            at = datetime.fromisoformat(entry["at"])
        except (ValueError, KeyError, TypeError) as e:
            raise StoreUnusable(
                f"{self.path} holds a line that cannot be read: restore this file from a backup"
            ) from e
        if kind not in ("person", "memory"):
            raise NewerDatabase(
                f"{self.path} was written by a newer Souvenance (it erased a {kind}): upgrade first"
            )
        return Erasure(cast('Literal["person", "memory"]', kind), mark, at)


def name_of(*parts: str) -> str:
    """The text whose mark names a person or a memory in the ledger; no two lists give the same."""
    return json.dumps(parts, ensure_ascii=True)


def keys_path(database: Path) -> Path:
    """Where the key-and-ledger file of a database stands."""
    return database.with_name(database.name + ".keys")


def _open(path: Path) -> int:
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as e:
        raise StoreUnusable(
            f"the key file {path} cannot be opened ({e.strerror}): check its owner and folder"
        ) from e
    if stat.S_IMODE(os.fstat(fd).st_mode) != 0o600 and os.fstat(fd).st_uid == os.geteuid():
        os.fchmod(fd, 0o600)
    return fd


def _whole(fd: int) -> bytes:
    """What was written up to the end of a line; a torn last line was never acknowledged."""
    os.lseek(fd, 0, os.SEEK_SET)
    content = b""
    while piece := os.read(fd, 1 << 16):
        content += piece
    return content[: content.rfind(b"\n") + 1]


def _whole_lines(fd: int) -> list[str]:
    return _whole(fd).decode("utf-8", "replace").splitlines()


def _append(fd: int, line: str) -> None:
    """Writes one line after the last whole one, cutting off a torn one, and syncs it."""
    end = len(_whole(fd))
    os.ftruncate(fd, end)
    os.lseek(fd, end, os.SEEK_SET)
    data = memoryview((line + "\n").encode())
    while data:
        data = data[os.write(fd, data) :]
    os.fsync(fd)


def _sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _key_of(line: str, path: Path) -> bytes:
    try:
        key = bytes.fromhex(json.loads(line)["key"])
    except (ValueError, KeyError, TypeError) as e:
        raise StoreUnusable(
            f"{path} does not begin with a key: restore it from a backup, or move it away "
            "(resent messages will then not be recognised)"
        ) from e
    if len(key) != KEY_BYTES:
        raise StoreUnusable(f"the key in {path} is not {KEY_BYTES} bytes long: restore the file")
    return key
