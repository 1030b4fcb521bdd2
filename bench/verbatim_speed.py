"""Prints what quoting earlier messages adds to a turn, as a ratio to the same turns of the same file without.

Run: python bench/verbatim_speed.py [--messages N…] [--turns N] [--json].
Seeded and made up; asserts nothing about time. A turn is a context asked for and an exchange recorded, so that the
transcript moves forward each time. Turns with and without alternate, in two engines over one file; the memories, the
bundled embedder and all else are the same. The first turn of a process, the index and the room are printed beside.
Most windows have made-up vectors: what a search costs does not depend on what they mean.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

# One BLAS thread, before numpy loads, for both columns alike.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from rich.console import Console
from rich.table import Table

import souvenance
from recall_speed import resident_mb, spread
from souvenance import Said
from souvenance.settings import Settings
from souvenance.tend.windows import waiting, window_rows

SIZES = (600, 10_000)
START = datetime(2029, 1, 1, 8, tzinfo=UTC)
WHO = ("tide", "keeper", "lantern", "cousin", "baker", "ferry", "orchard", "violin", "doctor", "garden", "letter",
       "winter", "market", "brother", "kitchen", "harbour", "train", "window", "school", "river")  # fmt: skip
DID = ("lost", "found", "mended", "painted", "forgot", "sold", "carried", "opened", "heard", "promised", "bought",
       "left", "called", "kept", "wrote", "moved")  # fmt: skip
Figures = dict[str, Any]


def settings(*, quoting: bool) -> Settings:
    return Settings.model_validate(
        {
            "chat": {"discover": False},
            "reflection": {"mode": "extractive"},
            "index": {"every_s": 3600},
            "turn": {"embedding_deadline_s": 60},
            "verbatim": {"enabled": quoting},
        }
    )


def sentence(numbers: np.random.Generator) -> str:
    """A made-up sentence of some dozen words."""
    one, two, three = numbers.choice(WHO, 3)
    return (
        f"The {one} {numbers.choice(DID)} the {two} near the {three} on day "
        f"{numbers.integers(1, 400)}, and nobody {numbers.choice(DID)} it since."
    )


async def fill(path: Path, messages: int, memories: int) -> None:
    """A talk of many sessions, and memories by hand; nothing is reflected on."""
    numbers = np.random.default_rng(7)
    async with souvenance.open(path, settings=settings(quoting=True), chat=None) as engine:
        await engine._worker.stop()
        talk = engine.thread("ines", "wren")
        for n in range(0, messages, 50):
            at = START + timedelta(hours=n)
            roles = ("user", "character") * 25
            await talk.append([Said(role, sentence(numbers), at) for role in roles])  # type: ignore[arg-type]
        for _ in range(memories):
            await talk.memories.add(sentence(numbers))


async def indexed(engine: souvenance.Engine, batches: int = 4) -> tuple[int, float]:
    """How many vectors the index makes in some batches, and in how many seconds."""
    began, done = time.perf_counter(), 0
    while (batches := batches - 1) >= 0:
        done += (await engine.index_once()).done
    return done, time.perf_counter() - began


async def rest(engine: souvenance.Engine) -> None:
    """Made-up vectors for the windows that are left, which take the index minutes at ten thousand messages."""
    assert engine.embedder is not None
    name, store = engine.embedder.name, engine.store
    (due,) = store.windows.due(name, 1)
    left = waiting(store, due, name).windows
    dimension = (await engine.embedder.embed(["."], timeout_s=60)).shape[1]
    vectors = np.random.default_rng(3).standard_normal((len(left), dimension)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    rows = window_rows(due, left, vectors)
    for n in range(0, len(rows), 2_000):
        store.windows.put(name, due, rows[n : n + 2_000], None)
    store.windows.put(name, due, [], due.thread.head)


async def lag(seconds: list[float]) -> None:
    """Notes how late the event loop wakes, every five milliseconds."""
    while True:
        began = time.perf_counter()
        await asyncio.sleep(0.005)
        seconds.append(max(0.0, time.perf_counter() - began - 0.005))


async def measured(messages: int, turns: int, folder: Path) -> Figures:
    """One size."""
    path = folder / f"{messages}.db"
    await fill(path, messages, memories=300)
    numbers = np.random.default_rng(11)
    gc.collect()
    before = resident_mb()
    async with souvenance.open(path, settings=settings(quoting=True), chat=None) as quoting:
        await quoting._worker.stop()
        await quoting.ready(60)
        vectors, took = await indexed(quoting)
        await rest(quoting)
        cold, late = await first_turn(path)
        talk = quoting.thread("ines", "wren")
        await talk.context("warm")
        await quoting._recall.warm_said(await talk.view(), "en")
        room = resident_mb() - before
        async with souvenance.open(path, settings=settings(quoting=False), chat=None) as plain:
            await plain._worker.stop()
            await plain.ready(60)
            await plain.thread("ines", "wren").context("warm")
            taken: dict[bool, list[float]] = {True: [], False: []}
            quoted, lags = 0, list[float]()
            watching = asyncio.create_task(lag(lags))
            for n in range(2 * turns):
                with_quotes = n % 2 == 0
                one = (quoting if with_quotes else plain).thread("ines", "wren")
                said = sentence(numbers)
                began = time.perf_counter()
                context = await one.context(said)
                taken[with_quotes].append(time.perf_counter() - began)
                quoted += bool(context.said)
                await one.record(said, sentence(numbers))
                await quoting.index_once()
            watching.cancel()
    with_, without = (spread(taken[which]) for which in (True, False))
    return {
        "messages": messages, "turns": turns, "with_quotes": with_, "without": without,
        "ratio_p50": round(with_["p50_ms"] / without["p50_ms"], 2),
        "ratio_p95": round(with_["p95_ms"] / without["p95_ms"], 2),
        "adds_p50_ms": round(with_["p50_ms"] - without["p50_ms"], 2),
        "turns_with_a_quote": round(quoted / turns, 2), "first_turn": cold, "loop_lag": late,
        "lag_meanwhile": spread(lags) | {"p99_ms": round(1000 * float(np.percentile(lags, 99)), 2)},
        "vectors": vectors, "index_ms_each": round(1000 * took / max(vectors, 1), 3),
        "room_mb": round(room, 1),
    }  # fmt: skip


async def first_turn(path: Path) -> tuple[Figures, Figures]:
    """Milliseconds of the first context of an engine with and without, until the transcript is read; and loop lag."""
    found: Figures = {}
    lags: list[float] = []
    for quoting in (False, True):
        async with souvenance.open(path, settings=settings(quoting=quoting), chat=None) as engine:
            await engine._worker.stop()
            await engine.ready(60)
            talk = engine.thread("ines", "wren")
            watching = asyncio.create_task(lag(lags))
            began = time.perf_counter()
            await talk.context("the keeper lost the lantern")
            found["with_quotes" if quoting else "without"] = round(
                1000 * (time.perf_counter() - began), 1
            )
            if quoting:
                await engine._recall.warm_said(await talk.view(), "en")
                found["transcript_read"] = round(1000 * (time.perf_counter() - began), 1)
            watching.cancel()
    percentiles = np.percentile(np.array(lags) * 1000, [99, 100])
    return found, {
        name: round(float(ms), 1)
        for name, ms in zip(("p99_ms", "max_ms"), percentiles, strict=True)
    }


def printed(rows: Sequence[Figures], console: Console) -> None:
    """The table for people; times in milliseconds."""
    table = Table("messages", "without p50", "p95", "with p50", "p95", "ratio p50", "p95", "quoted", "first turn without",
                  "with", "transcript read", "loop lag p99 / max", "index, each", "room MB")  # fmt: skip
    for row in rows:
        plain, quoting, first = row["without"], row["with_quotes"], row["first_turn"]
        table.add_row(
            f"{row['messages']:,}", f"{plain['p50_ms']:.2f}", f"{plain['p95_ms']:.2f}", f"{quoting['p50_ms']:.2f}",
            f"{quoting['p95_ms']:.2f}", f"{row['ratio_p50']:.2f}", f"{row['ratio_p95']:.2f}",
            f"{row['turns_with_a_quote']:.0%}", f"{first['without']:.0f}", f"{first['with_quotes']:.0f}",
            f"{first['transcript_read']:.0f}", f"{row['loop_lag']['p99_ms']:.0f} / {row['loop_lag']['max_ms']:.0f}",
            f"{row['index_ms_each']:.2f}", f"{row['room_mb']:.0f}",
        )  # fmt: skip
    console.print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--turns", type=int, default=100)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        rows = [asyncio.run(measured(n, args.turns, Path(made))) for n in args.messages]
    if args.json:
        print(json.dumps({"bench": "verbatim_speed", "rows": rows}))
    else:
        printed(rows, Console(width=200))


if __name__ == "__main__":
    main()
