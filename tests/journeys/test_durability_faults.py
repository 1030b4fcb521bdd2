"""Spine check A3: whatever call fails during a commit, the store is unchanged or fully changed."""

from __future__ import annotations

import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apsw
import pytest

from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_THREAD,
    MAIN_TIMELINE,
    Address,
    Cause,
    CharacterId,
    Job,
    JobId,
    JournalEntry,
    Kind,
    Memory,
    MemoryId,
    Message,
    MessageId,
    PersonId,
    Redacted,
    Seq,
    Thread,
    View,
)
from souvenance.errors import StoreBusy, StoreError
from souvenance.stores.sqlite import SqliteStore, open_store
from souvenance.stores.sqlite.connection import Database, connect_writer
from souvenance.stores.sqlite.keys import Ledger, keys_path
from souvenance.writes import AddJob, AddJournal, AddMessage, AddVersion, PutThread, Write

HOME = Address(DEFAULT_SPACE, PersonId("ines"), CharacterId("bao"))
NOW = datetime(2031, 4, 9, 20, 15, tzinfo=UTC)
VIEW = View(HOME)


def turn(number: int, size: int = 40, expected: Seq | None = None) -> list[Write]:
    """What one turn commits: messages, head, job, a new memory, and a changed one."""
    message = MessageId(f"m{number}")
    text = Redacted("words " * size)

    def memory(name: str, text: str) -> Memory:
        cause = Cause("reflection", message)
        return Memory(
            MemoryId(name), HOME, MAIN_TIMELINE, None, Kind.FACT, Redacted(text), NOW, NOW, cause
        )

    before = MessageId(f"m{number - 1}") if number else None
    return [
        AddMessage(Message(HOME, MAIN_THREAD, message, before, "user", text, NOW, "mark")),
        PutThread(Thread(HOME, MAIN_THREAD, MAIN_TIMELINE, message, None, NOW, NOW)),
        AddJob(Job(JobId(f"j{number}"), HOME, MAIN_THREAD, "reflect", (message,), NOW, NOW)),
        AddVersion(memory(f"k{number}", f"fact {number}"), None),
        AddVersion(memory("often", f"changed {number} times"), expected),
        AddJournal(JournalEntry(HOME, MAIN_THREAD, NOW, "added")),
    ]


class Faulty:
    """A connection whose statement number `at` fails, before or after it ran."""

    def __init__(self, db: Database, error: type[apsw.Error]) -> None:
        self._db = db
        self._error = error
        self.at = 0
        self.after = False

    def execute(self, statements: str, bindings: Any = None) -> Any:
        self.at -= 1
        if self.at != 0:
            return self._db.execute(statements, bindings)
        if self.after:
            list(self._db.execute(statements, bindings))
        raise self._error("made to fail")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)


def everything(store: SqliteStore) -> list[object]:
    """All that a turn changes."""
    return [
        store.memories.current(VIEW),
        store.memories.history(VIEW, MemoryId("often")),
        store.memories.journal(VIEW),
        store.memories.stamp(VIEW),
        store.jobs.unfinished(),
        store.conversations.path(HOME, MAIN_THREAD, 99),
    ]


@contextmanager
def failing_store(
    path: Path, error: type[apsw.Error]
) -> Iterator[tuple[SqliteStore, Callable[[int, bool], None]]]:
    """A store, and what makes its next statement number n fail."""
    open_store(path).close()
    made: list[Faulty] = []

    def connect(path: Path, busy_timeout_s: float, foreign_keys: bool) -> Any:
        made.append(Faulty(connect_writer(path, busy_timeout_s, foreign_keys), error))
        return made[-1]

    def arm(at: int, after: bool) -> None:
        made[-1].at, made[-1].after = at, after

    store = SqliteStore(path, Ledger(keys_path(path)), connect=connect)
    try:
        yield store, arm
    finally:
        store.close()


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(
    "error", [apsw.FullError, apsw.IOError, apsw.BusyError], ids=["full", "io", "busy"]
)
def test_a_failed_statement_leaves_all_or_nothing(
    tmp_path: Path, error: type[apsw.Error], after: bool
) -> None:
    """A reply without its job, or a closed state without its successor, must not exist.

    Trials: each of the statements of one commit in turn, for three errors, before and after it ran.
    """
    with failing_store(tmp_path / "a.db", error) as (store, arm):
        last = store.commit(HOME.space, HOME.person, turn(0))
        tried, failed, number = 0, True, 1
        while failed:
            before = everything(store)
            tried += 1
            arm(tried, after)
            try:
                last = store.commit(HOME.space, HOME.person, turn(number, expected=last))
                failed = False
            except StoreError as e:
                assert isinstance(e, StoreBusy) == (error is apsw.BusyError)
                if everything(store) != before:
                    last = store.memories.stamp(VIEW).memory_seq
                    assert len(store.jobs.unfinished()) == number + 1
                    assert store.memories.history(VIEW, MemoryId("often"))[-1].seq_from == last
                    number += 1
                arm(0, False)
                last = store.commit(HOME.space, HOME.person, turn(number, expected=last))
            number += 1
            assert store.check().problems == ()
        assert tried > 20  # every statement of the turn had its failure


def test_a_disk_that_fills_up_leaves_all_or_nothing(tmp_path: Path) -> None:
    """The file system refuses the bytes themselves, at every page of the commit in turn.

    Trials: one commit for each 2 KiB of room left, until one goes through.
    """
    store = open_store(tmp_path / "a.db")
    wal = tmp_path / "a.db-wal"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    refused, number = 0, 1
    try:
        last = store.commit(HOME.space, HOME.person, turn(0))
        went_through = False
        while not went_through:
            before = everything(store)
            room = wal.stat().st_size + refused * 2048
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
            try:
                store.commit(HOME.space, HOME.person, turn(number, 4000, expected=last))
                went_through = True
            except StoreError:
                refused += 1
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            if not went_through:
                assert everything(store) == before
            assert store.check().problems == ()
        assert refused > 5
        last = store.memories.stamp(VIEW).memory_seq
        assert store.commit(HOME.space, HOME.person, turn(number + 1, expected=last)) == last + 1
    finally:
        store.close()


def test_a_write_that_raises_in_its_middle_is_undone(tmp_path: Path) -> None:
    """Also when what failed is ours: the connection serves the next write."""
    store = open_store(tmp_path / "a.db")
    try:
        with pytest.raises(ZeroDivisionError), store._writer.transaction() as db:
            db.execute("insert into spaces (space) values ('half')")
            raise ZeroDivisionError
        assert store.commit(HOME.space, HOME.person, turn(0)) == 1
        rows = list(apsw.Connection(str(store.path)).execute("select space from spaces"))
        assert rows == [("default",)]
    finally:
        store.close()
