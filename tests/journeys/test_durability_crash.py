"""Spine check A1: a program killed at any instant loses nothing that it had acknowledged."""

from __future__ import annotations

import os
import random
import select
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_TIMELINE,
    Address,
    Cause,
    CharacterId,
    Job,
    JobId,
    Kind,
    Memory,
    MemoryId,
    Message,
    MessageId,
    PersonId,
    Redacted,
    Thread,
    ThreadId,
    View,
)
from souvenance.stores.sqlite import SqliteStore, open_store
from souvenance.writes import AddJob, AddMessage, AddVersion, PutThread

#: Kills in the ordinary suite; SOUVENANCE_TRIALS asks for more.
KILLS = int(os.environ.get("SOUVENANCE_TRIALS") or 20)

HOME = Address(DEFAULT_SPACE, PersonId("ines"), CharacterId("bao"))


def write_without_end(store: SqliteStore, acks: int, name: str) -> None:
    """Commits exchanges in one thread and, after each, writes its number to the log in one write."""
    before, number, where = None, 0, ThreadId(name)
    while True:
        ref, now = f"{name}.{number}", datetime.now(UTC)
        said, text = MessageId(ref), Redacted("words " * 40)
        message = Message(HOME, where, said, before, "user", text, now, "mark")
        memory = Memory(
            MemoryId(ref), HOME, MAIN_TIMELINE, where, Kind.FACT, Redacted(f"fact {ref}"), now, now,
            Cause("reflection", ref),
        )  # fmt: skip
        store.commit(
            HOME.space,
            HOME.person,
            [
                AddMessage(message),
                PutThread(Thread(HOME, where, MAIN_TIMELINE, said, None, now, now)),
                AddJob(Job(JobId(ref), HOME, where, "reflect", (said,), now, now)),
                AddVersion(memory, None),
            ],
        )
        os.write(acks, f"{ref}\n".encode())
        before, number = said, number + 1


def be_the_program(path: Path, log: Path, number: int, ready: int) -> None:
    """What the killed process runs: four writers on one store; the log is outside of the database."""
    store = open_store(path)
    acks = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for thread in range(4):
        name = f"{number}-{thread}"
        threading.Thread(target=write_without_end, args=(store, acks, name)).start()
    os.write(ready, b"writing")
    threading.Event().wait()


@contextmanager
def running(path: Path, log: Path, number: int) -> Iterator[int]:
    """The program in a process of its own, killed at the end of the block; gives what it says."""
    says, ready = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            be_the_program(path, log, number, ready)
        finally:
            os._exit(1)
    os.close(ready)
    try:
        yield says
    finally:
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        os.close(says)
    assert os.WIFSIGNALED(status), "the program ended before it was killed"


def acknowledged(log: Path) -> set[str]:
    return set(log.read_text().splitlines()) if log.exists() else set()


def require_whole(store: SqliteStore, acks: set[str]) -> None:
    """Everything acknowledged is there, and nothing is there by half."""
    report = store.check()
    assert report.problems == ()
    memories = {m.memory_id for m in store.memories.current(View(HOME))}
    jobs = {job.job_id for job in store.jobs.unfinished()}
    assert acks <= memories
    assert memories == jobs
    assert report.counts["messages"] == len(memories)
    for thread in store.conversations.threads(HOME.space, HOME.person):
        path = store.conversations.path(HOME, ThreadId(thread.thread), 10**6)
        names = [f"{thread.thread}.{n}" for n in range(len(path))]
        assert [m.message_id for m in path] == names


@pytest.mark.parametrize("seed", [41])
def test_a_killed_program_loses_nothing_it_acknowledged(tmp_path: Path, seed: int) -> None:
    """A reply was delivered on the word of that commit.

    Trials: 20 kills at random instants (or SOUVENANCE_TRIALS), of a program with 4 writing threads,
    on one database that lives through all of them.
    """
    path, log = tmp_path / "a.db", tmp_path / "acks"
    chance = random.Random(seed)
    for number in range(KILLS):
        with running(path, log, number) as says:
            assert os.read(says, 7) == b"writing"
            select.select([], [], [], chance.uniform(0.0, 0.15))
        store = open_store(path)
        try:
            require_whole(store, acknowledged(log))
        finally:
            store.close()
    assert len(acknowledged(log)) > KILLS


def test_a_program_killed_while_it_creates_the_file_leaves_one_that_opens(tmp_path: Path) -> None:
    """The very first start may be the one that is interrupted.

    Trials: 8 kills spread over the time that a first start takes.
    """
    for number in range(8):
        path, log = tmp_path / str(number) / "a.db", tmp_path / f"{number}.acks"
        path.parent.mkdir()
        with running(path, log, 0):
            while not path.with_name("a.db.keys").exists():
                select.select([], [], [], 0.0002)
            select.select([], [], [], number * 0.001)
        store = open_store(path)
        try:
            require_whole(store, acknowledged(log))
        finally:
            store.close()
