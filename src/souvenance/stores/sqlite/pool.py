"""The connections of one store: one that writes, in turn, and as many readers as read at once.

A reader never waits for the writer (WAL), nor for another reader (one more is opened).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import apsw

from souvenance.errors import StoreError
from souvenance.stores.sqlite.connection import Connect, Database, run
from souvenance.stores.sqlite.faults import busy, in_our_words
from souvenance.stores.sqlite.turns import Deadline, Queue, Turns

#: Readers kept open between uses. Chosen, not measured: a turn, the index loop, a page, a spare.
KEPT_READERS = 4


class Writer:
    """The one writing connection, used by one thread at a time, opened again after a fault."""

    def __init__(self, path: Path, queue: Path, connect: Connect, busy_timeout_s: float) -> None:
        """`queue` is the file whose lock orders the programs that write."""
        self._path = path
        self._connect = connect
        self._timeout_s = busy_timeout_s
        self._turns = Turns()
        self._deadline = Deadline()
        self._queue = Queue(queue, path)
        self._db: Database | None = None
        self._closed = False

    @contextmanager
    def transaction(self, *, queued: bool = False) -> Iterator[Database]:
        """Runs a block in one durable transaction: committed at its end, undone when it raises.

        `queued` is for who holds the lock of the queue's file already.
        Errors: `StoreBusy`, `StoreError`, and what the block raises.
        """
        until = time.monotonic() + self._timeout_s
        if not self._turns.take(self._timeout_s):
            raise busy(self._path)
        try:
            self._deadline.set(until - time.monotonic())
            with in_our_words(self._path):
                db = self._opened()
                try:
                    with nullcontext() if queued else self._queue.next_in_line(self._deadline):
                        run(db, "begin_write")
                    yield db
                    run(db, "commit")
                except BaseException:
                    self._undo(db)
                    raise
        finally:
            self._turns.give()

    def close(self) -> None:
        """Waits for the transaction under way, then closes."""
        self._turns.take(-1)
        try:
            if not self._closed:
                self._queue.close()
            self._closed = True
            if self._db is not None:
                self._db.close()
                self._db = None
        finally:
            self._turns.give()

    def _opened(self) -> Database:
        if self._closed:
            raise _closed(self._path)
        if self._db is None:
            self._db = self._connect(self._path, self._timeout_s, True)
            # From here on the deadline of each write counts, not the timeout that was read back.
            self._db.set_busy_handler(self._deadline)
        return self._db

    def _undo(self, db: Database) -> None:
        """Rolls back; a connection that cannot is dropped, and closing it rolls back."""
        try:
            if db.in_transaction:
                run(db, "rollback")
        except apsw.Error:
            self._db = None
            db.close()


class Readers:
    """Connections that read; each is used by one thread at a time."""

    def __init__(self, path: Path, connect: Connect, busy_timeout_s: float) -> None:
        self._path = path
        self._connect = connect
        self._timeout_s = busy_timeout_s
        self._free: list[Database] = []
        self._guard = threading.Lock()
        self._closed = False

    @contextmanager
    def reading(self) -> Iterator[Database]:
        """A connection for one statement. Errors: `StoreError`."""
        with in_our_words(self._path):
            db = self._taken()
            try:
                yield db
            finally:
                self._given(db)

    @contextmanager
    def snapshot(self) -> Iterator[Database]:
        """A connection for several statements that see the same moment. Errors: `StoreError`."""
        with self.reading() as db:
            run(db, "begin_read")
            try:
                yield db
            finally:
                run(db, "rollback")

    def close(self) -> None:
        with self._guard:
            self._closed = True
            free, self._free = self._free, []
        for db in free:
            db.close()

    def _taken(self) -> Database:
        with self._guard:
            if self._closed:
                raise _closed(self._path)
            if self._free:
                return self._free.pop()
        return self._connect(self._path, self._timeout_s, True)

    def _given(self, db: Database) -> None:
        with self._guard:
            if not self._closed and len(self._free) < KEPT_READERS and not db.in_transaction:
                self._free.append(db)
                return
        db.close()


def _closed(path: Path) -> StoreError:
    return StoreError(f"the store of {path} was closed: open it again")
