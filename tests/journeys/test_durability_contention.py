"""Spine check A4: many programs on one file, all of them served, none told "locked"."""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_TIMELINE,
    Address,
    Cause,
    CharacterId,
    Kind,
    Memory,
    MemoryId,
    PersonId,
    Redacted,
    Seq,
    View,
)
from souvenance.errors import StoreBusy
from souvenance.stores.sqlite import SqliteStore, open_store
from souvenance.writes import AddVersion

#: Writes of each of the eight programs in the ordinary suite; SOUVENANCE_TRIALS asks for more.
WRITES = int(os.environ.get("SOUVENANCE_TRIALS") or 50)
WRITERS, READERS = 8, 4

HOME = Address(DEFAULT_SPACE, PersonId("ines"), CharacterId("bao"))


def remember(store: SqliteStore, name: str) -> None:
    now = datetime.now(UTC)
    memory = Memory(
        MemoryId(name), HOME, MAIN_TIMELINE, None, Kind.FACT, Redacted(f"fact {name}"), now, now,
        Cause("hand"),
    )  # fmt: skip
    store.commit(HOME.space, HOME.person, [AddVersion(memory, None)])


def write(path: Path, name: str) -> list[float]:
    """One program that writes without pause; how long each write took, in seconds."""
    waits, store = [], open_store(path)
    for number in range(WRITES):
        begun = time.perf_counter()
        remember(store, f"{name}-{number}")
        waits.append(time.perf_counter() - begun)
    store.close()
    return waits


def read(path: Path) -> list[float]:
    """One program that reads what is new until it has seen everything, each change in order."""
    seen, store = 0, open_store(path)
    while seen < WRITERS * WRITES:
        stamp = store.memories.stamp(View(HOME)).memory_seq
        fresh = store.memories.current(View(HOME), since=Seq(seen))
        assert [m.seq_from for m in fresh] == list(range(seen + 1, seen + 1 + len(fresh)))
        assert len(fresh) >= stamp - seen
        seen += len(fresh)
        time.sleep(0.005)
    store.close()
    return []


def started(work: Callable[[], list[float]]) -> tuple[int, int]:
    """Runs it in a process of its own; its id, and where its answer or its error can be read."""
    answer, says = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            told = json.dumps(work())
        except BaseException:
            told = traceback.format_exc()
        with os.fdopen(says, "w") as file:
            file.write(told)
        os._exit(0)
    os.close(says)
    return child, answer


def answer_of(child: int, answer: int) -> str:
    """Waits for a process and returns what it said; one that says nothing for long is killed."""
    try:
        if not select.select([answer], [], [], 300)[0]:
            os.kill(child, signal.SIGKILL)
        with os.fdopen(answer) as file:
            return file.read()
    finally:
        os.waitpid(child, 0)


def test_eight_programs_write_at_once_and_all_is_stored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Service, command line and agents may share one file.

    Trials: 8 programs of 50 writes (or SOUVENANCE_TRIALS) beside 4 that read every one of them,
    in order; the file is created by whoever comes first.
    """
    path = tmp_path / "a.db"
    programs = [started(partial(write, path, f"w{n}")) for n in range(WRITERS)]
    programs += [started(partial(read, path)) for _ in range(READERS)]
    answers = [answer_of(*program) for program in programs]
    assert [a for a in answers if not a.startswith("[")] == []
    waits = sorted(w for answer in answers for w in json.loads(answer))
    assert len(waits) == WRITERS * WRITES
    store = open_store(path)
    try:
        assert len(store.memories.current(View(HOME))) == WRITERS * WRITES
        assert store.check().problems == ()
    finally:
        store.close()
    middle, late = waits[len(waits) // 2], waits[len(waits) * 99 // 100]
    with capsys.disabled():
        sys.stdout.write(
            f"\n{len(waits)} writes by {WRITERS} programs: p50 {middle * 1000:.1f} ms, "
            f"p99 {late * 1000:.1f} ms, longest {waits[-1] * 1000:.0f} ms\n"
        )


def test_a_write_waits_then_says_who_is_in_the_way(tmp_path: Path) -> None:
    """Not "database is locked" at once, but one sentence after the busy timeout, and nothing lost."""
    path = tmp_path / "a.db"
    slow, quick = open_store(path), open_store(path, busy_timeout_s=0.2)
    try:
        with slow._writer.transaction():
            begun = time.monotonic()
            with pytest.raises(StoreBusy, match="another program has been writing"):
                remember(quick, "k1")
            assert time.monotonic() - begun >= 0.2
            assert quick.memories.current(View(HOME)) == []
        remember(quick, "k1")
        assert [m.memory_id for m in slow.memories.current(View(HOME))] == ["k1"]
    finally:
        slow.close()
        quick.close()


def test_readers_do_not_wait_for_a_writer(tmp_path: Path) -> None:
    """A turn reads while a dream or an import holds the write lock, several turns at once."""
    store = open_store(tmp_path / "a.db", busy_timeout_s=60)
    remember(store, "k1")
    gate = threading.Barrier(6)

    def look(_: int) -> int:
        gate.wait(timeout=30)
        return len(store.memories.current(View(HOME)))

    try:
        with store._writer.transaction(), ThreadPoolExecutor(6) as pool:
            assert list(pool.map(look, range(6))) == [1] * 6
    finally:
        store.close()
