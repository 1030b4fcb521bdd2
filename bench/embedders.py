"""Prints what each embedder of this process costs: loading, room, a message, an indexing run, and what waits meanwhile.

Run: python bench/embedders.py [--texts N] [--messages N] [--json] [KIND…]. French and English sentences of the experiment,
half and half (CPU is what the process computed, which a busy machine leaves as it is); asserts nothing about time. Each kind runs in a process of its own, one after the other, so that none
finds the room or the caches of another; the bundled one is measured in the same run, and the rest as multiples of it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

# One BLAS thread, before numpy loads.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from rich.console import Console
from rich.table import Table

from experiment_cases import read
from souvenance.models.embed.choice import assembled, missing, parts_of
from souvenance.models.embed.local import LocalEmbedder
from souvenance.ports import Embedder

KINDS = ("bundled", "e5", "minilm", "blend")
LANGUAGES = ("fr", "en")

#: Seconds between two looks of the event loop, and those anything here may take: a bench waits.
TICK_S, WAIT_S = 0.005, 600.0

#: Characters of a long message, as much as a person pastes.
LONG = 2_000

Figures = dict[str, Any]


def texts(count: int) -> tuple[list[str], list[tuple[str, str]]]:
    """Sentences to store, and messages with their language."""
    cases = [read(language) for language in LANGUAGES]
    stored = [
        line.text for some in cases for line in islice(some.distractors(0), count // len(cases))
    ]
    return stored, [(m.text, some.language) for some in cases for m in some.messages]


def room() -> float | None:
    """MB of memory that this process holds; None where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def spread(seconds: Sequence[float]) -> Figures:
    """Median, 95th percentile and maximum in milliseconds."""
    p50, p95, most = np.percentile(np.array(seconds) * 1000, [50, 95, 100])
    return {
        "p50_ms": round(float(p50), 2),
        "p95_ms": round(float(p95), 2),
        "max_ms": round(float(most), 2),
    }


# --- one kind, in a process of its own ----------------------------------------------------------


async def measured(kind: Any, count: int, messages: int) -> Figures:
    """Every figure of one kind."""
    stored, asked = texts(count)
    asked = (asked * (messages // len(asked) + 1))[:messages]
    before, began = room(), time.perf_counter()
    embedder = assembled(parts_of(kind))
    first = await embedder.embed(["."], timeout_s=WAIT_S)
    loaded_s, after = time.perf_counter() - began, room()
    alone = [await _timed(embedder, text, language) for text, language in asked]
    long = (" ".join(stored) * 2)[:LONG]
    of_long = [await _timed(embedder, long, "fr") for _ in range(5)]
    run = await _indexing(embedder, stored, asked)
    figures = {
        "kind": kind, "embedder": embedder.name, "dimension": int(first.shape[1]),
        "load_ms": round(loaded_s * 1000), "message": spread(alone), "long_message": spread(of_long), **run,
        "room_mb": _difference(after, before), "room_after_mb": _difference(room(), before),
        "by_leg_ms": await _legs(embedder, stored),
    }  # fmt: skip
    await embedder.close()
    return figures


def _difference(after: float | None, before: float | None) -> int | None:
    return None if after is None or before is None else round(after - before)


async def _timed(embedder: Embedder, text: str, language: str) -> float:
    began = time.perf_counter()
    await embedder.embed([text], timeout_s=WAIT_S, query_in=language)
    return time.perf_counter() - began


async def _indexing(
    embedder: Embedder, stored: list[str], asked: Sequence[tuple[str, str]]
) -> Figures:
    """An indexing run, with a message now and then, and how long the event loop had to wait for its turn."""
    idle: list[float] = []
    lags: list[float] = []
    watching = asyncio.create_task(_watched(idle))
    await asyncio.sleep(1)
    await _stopped(watching)
    watching = asyncio.create_task(_watched(lags))
    began, cpu = time.perf_counter(), time.process_time()
    await embedder.embed(stored, timeout_s=WAIT_S)
    taken, used = time.perf_counter() - began, time.process_time() - cpu
    run = asyncio.create_task(embedder.embed(stored, timeout_s=WAIT_S))
    waited: list[float] = []
    for text, language in asked:
        await asyncio.sleep(TICK_S)
        if run.done():
            break
        waited.append(await _timed(embedder, text, language))
    await _stopped(run)
    await _stopped(watching)
    return {
        "text_ms": round(taken / len(stored) * 1000, 2),
        "text_cpu_ms": round(used / len(stored) * 1000, 2),
        "message_while_indexing": spread(waited) if waited else None,
        "loop_lag_idle": _lag(idle),
        "loop_lag": _lag(lags),
    }


def _lag(seconds: Sequence[float]) -> Figures:
    p99, most = np.percentile(np.array(seconds) * 1000, [99, 100])
    return {"p99_ms": round(float(p99), 2), "max_ms": round(float(most), 2)}


async def _stopped(task: asyncio.Task[Any]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def _watched(lags: list[float]) -> None:
    while True:
        began = time.perf_counter()
        await asyncio.sleep(TICK_S)
        lags.append(time.perf_counter() - began - TICK_S)


async def _legs(embedder: Embedder, stored: list[str]) -> Figures:
    """Milliseconds a text of each leg of a blend, one leg at a time."""
    found = {}
    for leg in getattr(embedder, "legs", ()):
        assert isinstance(leg, LocalEmbedder)
        began = time.perf_counter()
        await leg.embed(stored, timeout_s=WAIT_S)
        found[leg.name] = round((time.perf_counter() - began) / len(stored) * 1000, 2)
    return found


# --- all of them --------------------------------------------------------------------------------


def run_of(kind: str, count: int, messages: int) -> Figures:
    """The figures of one kind from a process of its own."""
    command = [
        sys.executable, __file__, "--inside", "--json", "--texts", str(count), "--messages", str(messages), kind,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    figures: Figures = json.loads(done.stdout)
    return figures


def printed(found: Figures, console: Console) -> None:
    """A table with one row for each kind."""
    table = Table(
        title=f"{found['texts']} sentences, one process each; ms, and MB of memory", box=None
    )
    for name in (
        "kind", "dim", "load", "room", "after", "sentence", "CPU", "× CPU", "message p50", "p95", "×",
        "2,000 chars", "message while indexing p50", "p95", "loop lag p99", "max", "idle p99",
    ):  # fmt: skip
        table.add_column(name, justify="left" if name == "kind" else "right")
    base = found["kinds"][0]
    for one in found["kinds"]:
        meanwhile = one["message_while_indexing"] or {}
        cells = (
            one["kind"], one["dimension"], one["load_ms"], one["room_mb"], one["room_after_mb"], one["text_ms"],
            one["text_cpu_ms"], f"{one['text_cpu_ms'] / base['text_cpu_ms']:.1f}", one["message"]["p50_ms"], one["message"]["p95_ms"],
            f"{one['message']['p50_ms'] / base['message']['p50_ms']:.1f}", one["long_message"]["p50_ms"],
            meanwhile.get("p50_ms", "-"), meanwhile.get("p95_ms", "-"), one["loop_lag"]["p99_ms"], one["loop_lag"]["max_ms"],
            one["loop_lag_idle"]["p99_ms"],
        )  # fmt: skip
        table.add_row(*(str(c) for c in cells))
    console.print(table)
    for one in found["kinds"]:
        if one["by_leg_ms"]:
            legs = ", ".join(f"{name} {ms}" for name, ms in one["by_leg_ms"].items())
            console.print(f"{one['kind']}, each leg alone, ms a sentence: {legs}")
    for name in found["not_installed"]:
        console.print(f"{name}: not installed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--texts", type=int, default=200)
    parser.add_argument("--messages", type=int, default=24)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.inside:
        print(json.dumps(asyncio.run(measured(chosen.kinds[0], chosen.texts, chosen.messages))))
        return
    wanted = ["bundled", *(k for k in chosen.kinds or KINDS if k != "bundled")]
    there = [k for k in wanted if not missing(k)]  # type: ignore[arg-type]
    found = {
        "bench": "embedders", "texts": chosen.texts,
        "kinds": [run_of(kind, chosen.texts, chosen.messages) for kind in there],
        "not_installed": [k for k in wanted if k not in there],
    }  # fmt: skip
    if chosen.json:
        print(json.dumps(found))
    else:
        printed(found, Console(width=None if sys.stdout.isatty() else 200))


if __name__ == "__main__":
    main()
