"""Prints what a turn's memory costs: the read path, the message's vector, the counters, the first read, the room.

Run: python bench/recall_speed.py [--turns N] [--long-turns N] [--embedder KIND[:MODEL]…] [--json].
Seeded and made up; asserts nothing about time. The read path is given the vector of the message: finding the corpus
up to date, scores and slots. The bare product of the same matrix is timed between the turns of the same run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

# One BLAS thread, before numpy loads, for both columns alike.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from rich.console import Console
from rich.table import Table

from made_up import AT, DIMENSION, NOW, VIEW, ReadyEmbedder, filled, questions, remember, unit_rows
from souvenance.domain import MAIN_THREAD, Person
from souvenance.errors import ModelError
from souvenance.opening import choose_embedder
from souvenance.ports import Embedder, Store
from souvenance.read.recall import Recall, Recalled
from souvenance.settings import EmbedderSettings, Settings
from souvenance.writes import CountTurn, PutPerson

#: Memories, and the milliseconds asked of the median of the read path there.
ASKED_MS = {300: 2.0, 1_000: 3.0, 10_000: 10.0}
#: What the read path may cost at 10,000 as a multiple of the bare product, and the counters of a turn at 300.
ASKED_TIMES, ASKED_COUNTERS_MS = 3.0, 0.36
#: Turns at which the room is read.
MARKS = (0.1, 0.2, 0.5, 1.0)

Figures = dict[str, Any]


def spread(seconds: Sequence[float]) -> Figures:
    """Median and 95th percentile in milliseconds."""
    p50, p95 = np.percentile(np.array(seconds) * 1000, [50, 95])
    return {"p50_ms": round(float(p50), 3), "p95_ms": round(float(p95), 3)}


# --- the read path -------------------------------------------------------------------------------


async def path(size: int, turns: int, folder: Path) -> Figures:
    """The read path at one size beside the bare product, and what one new memory and the first read cost."""
    store, some, vectors = filled(folder, size, spare=20)
    asked = unit_rows(np.random.default_rng(1), turns)
    recall = Recall(store, ReadyEmbedder(asked), deadline_s=60)
    await recall.warm(VIEW, "en")
    whole, bare, stages = [], [], []
    for question, vector in zip(questions(turns), asked, strict=True):
        timings = (await recall.recall(VIEW, question, now=NOW, language="en")).timings
        whole.append(timings.total_s)
        stages.append((timings.store_s, timings.score_s))
        began = time.perf_counter()
        vectors[:size] @ vector
        bare.append(time.perf_counter() - began)
    after = []
    for n in range(size, len(some)):
        remember(store, some[n : n + 1], vectors[n : n + 1])
        began = time.perf_counter()
        await recall.warm(VIEW, "en")
        after.append(time.perf_counter() - began)
    await recall.close()
    first = await first_read(store)
    store.close()
    skipped = turns // 10
    of_store, of_scores = (spread([s[n] for s in stages[skipped:]]) for n in (0, 1))
    return {
        "memories": size, "turns": turns, "recall": spread(whole[skipped:]), "bare_product": spread(bare[skipped:]),
        "up_to_date": of_store, "scores_and_slots": of_scores, "after_one_new_memory": spread(after), **first,
    }  # fmt: skip


async def first_read(store: Store, times: int = 5) -> Figures:
    """Milliseconds until a view that nobody read yet is there, and how long the event loop then waited at most."""
    taken: list[float] = []
    lags: list[float] = []
    for _ in range(times):
        recall = Recall(store, ReadyEmbedder(unit_rows(np.random.default_rng(1), 2)), deadline_s=60)
        watching = asyncio.create_task(_watched(lags))
        began = time.perf_counter()
        await recall.warm(VIEW, "en")
        taken.append(time.perf_counter() - began)
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
        await recall.close()
    lag = np.percentile(np.array(lags or [0.0]) * 1000, [99, 100])
    return {
        "first_read": spread(taken),
        "loop_lag_meanwhile": {
            "p99_ms": round(float(lag[0]), 1),
            "max_ms": round(float(lag[1]), 1),
        },
    }


async def _watched(lags: list[float], every_s: float = 0.002) -> None:
    """Notes by how much each short sleep is late."""
    while True:
        began = time.perf_counter()
        await asyncio.sleep(every_s)
        lags.append(time.perf_counter() - began - every_s)


# --- the message's vector ------------------------------------------------------------------------


def chosen_embedders(names: Sequence[str]) -> list[Embedder]:
    """Those named, or every kind of the settings that needs no server."""
    annotation = EmbedderSettings.model_fields["kind"].annotation
    found = []
    for name in names or [k for k in get_args(annotation) if k != "none"]:
        kind, _, model = name.partition(":")
        with suppress(ValueError):
            asked = EmbedderSettings.model_validate({"kind": kind, "model": model or None})
            embedder = choose_embedder(Settings().model_copy(update={"embedder": asked}))
            found += [embedder] if embedder is not None else []
    return found


async def query_embedding(embedder: Embedder, turns: int) -> Figures:
    """One message at a time, after a first one that loads the model."""
    taken = []
    try:
        await embedder.embed(["."], timeout_s=120, query_in="en")
        for question in questions(turns):
            began = time.perf_counter()
            await embedder.embed([question], timeout_s=120, query_in="en")
            taken.append(time.perf_counter() - began)
    except ModelError as error:
        return {"embedder": embedder.name, "failed": type(error).__name__}
    finally:
        await embedder.close()
    return {"embedder": embedder.name, "turns": turns, **spread(taken)}


# --- the counters --------------------------------------------------------------------------------


async def counters(turns: int, folder: Path, size: int = 300) -> Figures:
    """What counting a turn adds to the transaction that records it anyway, one with and one without in turn."""
    store, *_ = filled(folder, size)
    recall = Recall(store, ReadyEmbedder(unit_rows(np.random.default_rng(1), turns)), deadline_s=60)
    plain: list[float] = []
    counted: list[float] = []
    for n, question in enumerate(questions(turns)):
        found = await recall.recall(VIEW, question, now=NOW, language="en")
        named = PutPerson(Person(AT.space, AT.person, f"P{n}"))
        for into, extra in ((plain, False), (counted, True)):
            began = time.perf_counter()
            store.commit(AT.space, AT.person, [named, counting(found)] if extra else [named])
            into.append(time.perf_counter() - began)
    await recall.close()
    store.close()
    more = 1000 * (statistics.median(counted) - statistics.median(plain))
    return {"memories": size, "turns": turns, "recording": spread(plain), "and_counting": spread(counted),
            "counting_adds_ms": round(more, 3)}  # fmt: skip


def counting(found: Recalled) -> CountTurn:
    """The counters that a turn moves."""
    return CountTurn(
        AT, MAIN_THREAD, found.served, found.retrieved, datetime.now(UTC), found.degraded
    )


# --- the room ------------------------------------------------------------------------------------


async def room(turns: int, folder: Path, size: int = 300) -> Figures:
    """Megabytes in use after a tenth, a fifth, half and all of many turns, each recalled and counted."""
    store, *_ = filled(folder, size)
    recall = Recall(store, ReadyEmbedder(unit_rows(np.random.default_rng(1), 500)), deadline_s=60)
    asked = questions(500)
    marks = {max(1, int(turns * share)): 0.0 for share in MARKS}
    for n in range(1, turns + 1):
        found = await recall.recall(VIEW, asked[n % len(asked)], now=NOW, language="en")
        store.commit(AT.space, AT.person, [counting(found)])
        if n in marks:
            marks[n] = round(resident_mb(), 1)
    await recall.close()
    store.close()
    return {"memories": size, "rows": [{"turns": n, "rss_mb": mb} for n, mb in marks.items()]}


def resident_mb() -> float:
    """The room this process takes now; where the system does not say, the most it took."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
        1e6 if sys.platform == "darwin" else 1e3
    )


# --- printing ------------------------------------------------------------------------------------


def printed(found: Figures, console: Console) -> None:
    """The tables for people; all times in milliseconds."""
    table = Table("memories", "recall p50", "p95", "asked p50", "bare product p50", "times", "up to date",
                  "scores and slots", "one new memory", "first read", "loop lag p99 / max")  # fmt: skip
    for row in found["sizes"]:
        p50, bare, lag = (
            row["recall"]["p50_ms"],
            row["bare_product"]["p50_ms"],
            row["loop_lag_meanwhile"],
        )
        table.add_row(
            f"{row['memories']:,}", f"{p50:.2f}", f"{row['recall']['p95_ms']:.2f}", f"{ASKED_MS[row['memories']]:.0f}",
            f"{bare:.3f}", f"{p50 / bare:.1f}", f"{row['up_to_date']['p50_ms']:.2f}",
            f"{row['scores_and_slots']['p50_ms']:.2f}", f"{row['after_one_new_memory']['p50_ms']:.2f}",
            f"{row['first_read']['p50_ms']:.0f}", f"{lag['p99_ms']:.0f} / {lag['max_ms']:.0f}",
        )  # fmt: skip
    console.print(table)
    console.print(
        f"milliseconds, dimension {DIMENSION}; asked at 10,000: at most {ASKED_TIMES:.0f} times the product"
    )
    for row in found["query_embedding"]:
        figures = row.get("failed") or f"p50 {row['p50_ms']:.2f}, p95 {row['p95_ms']:.2f} ms"
        console.print(f"vector of the message, {row['embedder']}: {figures}", highlight=False)
    row = found["counters"]
    console.print(
        f"counters at {row['memories']}: {row['counting_adds_ms']:.3f} ms a turn beside a transaction of "
        f"{row['recording']['p50_ms']:.2f} ms (asked: {ASKED_COUNTERS_MS})", highlight=False,
    )  # fmt: skip
    for row in found["room"]["rows"]:
        console.print(f"after {row['turns']:>6,} turns: {row['rss_mb']:.1f} MB", highlight=False)


async def measured(turns: int, long_turns: int, names: Sequence[str]) -> Figures:
    """Everything, each part on a store of its own."""
    with tempfile.TemporaryDirectory() as made:
        folders = [Path(made) / str(n) for n in range(len(ASKED_MS) + 2)]
        for folder in folders:
            folder.mkdir()
        # The room first: what earlier parts left behind would hide what turns add.
        rows = await room(long_turns, folders[0])
        return {
            "bench": "recall_speed", "dimension": DIMENSION,
            "sizes": [await path(n, turns, f) for n, f in zip(ASKED_MS, folders[2:], strict=True)],
            "query_embedding": [await query_embedding(e, turns) for e in chosen_embedders(names)],
            "counters": await counters(turns, folders[1]), "room": rows,
        }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument("--turns", type=int, default=300)
    parser.add_argument(
        "--long-turns", type=int, default=10_000, help="turns over which the room is read"
    )
    parser.add_argument(
        "--embedder", action="append", default=[], help="kind of the settings, with its model"
    )
    chosen = parser.parse_args()
    found = asyncio.run(measured(chosen.turns, chosen.long_turns, chosen.embedder))
    if chosen.json:
        print(json.dumps(found))
    else:
        printed(found, Console(width=None if sys.stdout.isatty() else 160))


if __name__ == "__main__":
    main()
