"""Another embedder over a memory of 10,000: the index killed at several points, what each start then finds, its end.

Usage: python bench/another_embedder.py [--memories 10000] [--json]

The old rows are drawn at random under the name "old"; the new embedder is the bundled one, in a process that is
killed (SIGKILL) once that share is indexed. Each row: seconds until the engine of a new process is open and until its
first turn is served, why that turn was degraded, memories and vectors there, and what a check of the file says.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import souvenance
from souvenance.domain import DEFAULT_SPACE, Address, CharacterId, PersonId, View
from souvenance.models.embed import BundledEmbedder
from souvenance.ports import VectorRow
from souvenance.stores.sqlite import open_store
from turn_overhead import SETTINGS, crowd, question, shown

SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
AT = Address(DEFAULT_SPACE, PersonId("ines"), CharacterId("wren"))
DIM = 512
Row = dict[str, Any]


def with_old_rows(file: Path, memories: int) -> None:
    """The memories, each with a vector of the old embedder."""
    crowd(file, memories)
    store, rng = open_store(file), np.random.default_rng(7)
    some = store.memories.current(View(AT))
    for start in range(0, len(some), 1000):
        raw = rng.standard_normal((1000, DIM)).astype(np.float32)
        units = raw / np.linalg.norm(raw, axis=1, keepdims=True)
        few = zip(some[start : start + 1000], units, strict=False)
        store.vectors.put("old", [VectorRow(AT, m.memory_id, m.fingerprint, v) for m, v in few])
    store.close()


async def index(file: Path) -> None:
    """Indexes, and says after each batch how many are there."""
    async with souvenance.open(
        file, settings=SETTINGS, chat=None, embedder=BundledEmbedder()
    ) as engine:
        await engine._worker.stop()
        done = 0
        while True:
            batch = await engine.index_once()
            done += batch.done
            print(done, flush=True)
            if not batch.left:
                return


def killed_at(file: Path, rows: int) -> None:
    """Another process indexes that many and is killed in the next batch."""
    child = subprocess.Popen(
        [sys.executable, __file__, "--index", str(file)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    while int(child.stdout.readline() or rows) < rows:
        pass
    time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()


async def started(file: Path, name: str) -> Row:
    """What a new process finds."""
    began = time.perf_counter()
    embedder = BundledEmbedder()
    async with souvenance.open(file, settings=SETTINGS, chat=None, embedder=embedder) as engine:
        opened = time.perf_counter() - began
        await engine._worker.stop()
        first = await engine.thread("ines", "wren").context(question(1))
        served = time.perf_counter() - began
        again = await engine.thread("ines", "wren").context(question(2))
        progress = await engine.index_progress()
        assert progress is not None
        report = engine.store.check()
        held = {h.embedder: h.rows for h in engine.store.vectors.held()}
    return {
        "killed at": name, "open_s": opened, "first_turn_s": served, "reason": first.reason or "-", "second": again.reason or "-",
        "slots": len(first.slots), "memories": progress.wanted, "new": progress.indexed, "old": held.get("old", 0),
        "problems": len(report.problems),
    }  # fmt: skip


def measured(memories: int) -> tuple[list[Row], str]:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "m.db"
        with_old_rows(file, memories)
        rows.append(asyncio.run(started(file, "never")))
        before = rows[-1]["new"]
        for share in SHARES:
            killed_at(file, int(share * memories) - before)
            rows.append(asyncio.run(started(file, f"{share:.0%}")))
            before = rows[-1]["new"]
        asyncio.run(index(file))
        rows.append(asyncio.run(started(file, "finished")))
        store, size = open_store(file), file.stat().st_size
        began = time.perf_counter()
        while store.vectors.drop("old", 500):
            pass
        took = time.perf_counter() - began
        store.close()
    return (
        rows,
        f"dropping {memories} old vectors took {took:.1f} s, 500 at a time; the file was {size / 1e6:.0f} MB",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--index", help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.index:
        asyncio.run(index(Path(given.index)))
        return
    rows, note = measured(given.memories)
    print(json.dumps({"rows": rows, "note": note}) if given.json else f"{shown(rows)}\n{note}")


if __name__ == "__main__":
    main()
