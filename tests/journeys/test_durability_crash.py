"""Spine check A1: a program killed at any instant loses nothing that it had acknowledged."""

from __future__ import annotations

import os
import random
import select
import subprocess
import sys
from pathlib import Path

import pytest

from souvenance.domain import DEFAULT_SPACE, Address, CharacterId, PersonId, ThreadId, View
from souvenance.stores.sqlite import SqliteStore, open_store

#: Kills in the ordinary suite; SOUVENANCE_TRIALS asks for more.
KILLS = int(os.environ.get("SOUVENANCE_TRIALS") or 20)

HOME = Address(DEFAULT_SPACE, PersonId("ines"), CharacterId("bao"))

#: Four threads that commit exchanges and then write their number to the acknowledgement log, each
#: line in one write; the log is outside of the database.
WRITERS = """
import os, sys, threading
from datetime import datetime, UTC
from pathlib import Path
from souvenance.domain import *
from souvenance.stores.sqlite import open_store

path, log, round = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
home = Address(DEFAULT_SPACE, PersonId("ines"), CharacterId("bao"))
store = open_store(path)
acks = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

def write(thread):
    before, number = None, 0
    while True:
        name, now = f"{round}.{thread}.{number}", datetime.now(UTC)
        where = ThreadId(f"{round}.{thread}")
        said = Message(home, where, MessageId(name), before, "user", Redacted("words " * 40), now, "m")
        store.commit(home.space, home.person, [
            AddMessage(said),
            PutThread(Thread(home, where, MAIN_TIMELINE, said.message_id, None, now, now)),
            AddJob(Job(JobId(name), home, where, "reflect", (said.message_id,), now, now)),
            AddVersion(Memory(MemoryId(name), home, MAIN_TIMELINE, where, Kind.FACT,
                Redacted(f"fact {name}"), now, now, Cause("reflection", name)), None),
        ])
        os.write(acks, f"{name}\\n".encode())
        before, number = said.message_id, number + 1

for thread in range(4):
    threading.Thread(target=write, args=(thread,)).start()
print("writing", flush=True)
"""


def kill_while_writing(path: Path, log: Path, number: int, after_s: float) -> None:
    """Starts the writers and kills them, `after_s` after the first write was possible."""
    command = [sys.executable, "-c", WRITERS, str(path), str(log), str(number)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"writing\n"
        select.select([], [], [], after_s)
    finally:
        process.kill()
        process.wait()


def acknowledged(log: Path) -> set[str]:
    lines = log.read_text().splitlines() if log.exists() else []
    return set(lines)


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
        kill_while_writing(path, log, number, chance.uniform(0.0, 0.15))
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
        path = tmp_path / str(number) / "a.db"
        path.parent.mkdir()
        command = [sys.executable, "-c", WRITERS, str(path), str(path.with_suffix(".acks")), "0"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while not path.with_name("a.db.keys").exists() and process.poll() is None:
            select.select([], [], [], 0.0005)
        select.select([], [], [], number * 0.001)
        process.kill()
        process.wait()
        store = open_store(path)
        try:
            require_whole(store, acknowledged(path.with_suffix(".acks")))
        finally:
            store.close()
