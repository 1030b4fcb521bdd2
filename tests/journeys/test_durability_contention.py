"""Spine check A4: many programs on one file, all of them served, none told "locked"."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
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
    View,
)
from souvenance.errors import StoreBusy
from souvenance.stores.sqlite import SqliteStore, open_store
from souvenance.writes import AddVersion

#: Writes of each of the eight programs in the ordinary suite; SOUVENANCE_TRIALS asks for more.
WRITES = int(os.environ.get("SOUVENANCE_TRIALS") or 50)
WRITERS, READERS = 8, 4

HOME = Address(DEFAULT_SPACE, PersonId("ines"), CharacterId("bao"))

WRITER = """
import sys, time, json
from datetime import datetime, UTC
from pathlib import Path
from souvenance.domain import *
from souvenance.stores.sqlite import open_store

path, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
home = Address(DEFAULT_SPACE, PersonId("ines"), CharacterId("bao"))
waits = []
store = open_store(path)
for number in range(count):
    now = datetime.now(UTC)
    memory = Memory(MemoryId(f"{name}-{number}"), home, MAIN_TIMELINE, None, Kind.FACT,
                    Redacted(f"line {number} of {name}"), now, now, Cause("hand"))
    begun = time.perf_counter()
    store.commit(home.space, home.person, [AddVersion(memory, None)])
    waits.append(time.perf_counter() - begun)
store.close()
print(json.dumps(waits))
"""

READER = """
import sys, json, time
from pathlib import Path
from souvenance.domain import *
from souvenance.stores.sqlite import open_store

home = Address(DEFAULT_SPACE, PersonId("ines"), CharacterId("bao"))
store = open_store(Path(sys.argv[1]))
seen, reads = 0, 0
while seen < int(sys.argv[2]):
    stamp = store.memories.stamp(View(home)).memory_seq
    fresh = store.memories.current(View(home), since=seen)
    assert [m.seq_from for m in fresh] == list(range(seen + 1, seen + 1 + len(fresh)))
    assert len(fresh) >= stamp - seen
    seen, reads = seen + len(fresh), reads + 1
    time.sleep(0.005)
store.close()
print(json.dumps(reads))
"""


def started(script: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", script, *[str(a) for a in arguments]]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_eight_programs_write_at_once_and_all_is_stored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Service, command line and agents may share one file.

    Trials: 8 programs of 50 writes (or SOUVENANCE_TRIALS) beside 4 that read every one of them,
    in order; the file is created by whoever comes first.
    """
    path = tmp_path / "a.db"
    writers = [started(WRITER, path, f"w{n}", WRITES) for n in range(WRITERS)]
    readers = [started(READER, path, WRITERS * WRITES) for _ in range(READERS)]
    everyone = [*writers, *readers]
    try:
        answers = [process.communicate(timeout=300) for process in everyone]
    finally:
        for process in everyone:
            process.kill()
    assert [error for _, error in answers] == [""] * (WRITERS + READERS)
    waits = sorted(w for out, _ in answers[:WRITERS] for w in json.loads(out))
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


def remember(store: SqliteStore, name: str, text: str = "a line") -> None:
    now = datetime(2031, 4, 9, tzinfo=UTC)
    memory = Memory(
        MemoryId(name),
        HOME,
        MAIN_TIMELINE,
        None,
        Kind.FACT,
        Redacted(text),
        now,
        now,
        Cause("hand"),
    )
    store.commit(HOME.space, HOME.person, [AddVersion(memory, None)])


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

    def read(_: int) -> int:
        gate.wait(timeout=30)
        return len(store.memories.current(View(HOME)))

    try:
        with store._writer.transaction(), ThreadPoolExecutor(6) as pool:
            assert list(pool.map(read, range(6))) == [1] * 6
    finally:
        store.close()
