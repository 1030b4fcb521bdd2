"""What a turn loses to an embedder in every bad state, and to locks that others hold; and how late the loop runs.

Whole turns through the engine and a SQLite file. Every figure is beside the same turn in health, in the same run.
Faults are real sockets of a server in another process; locks on the file are held by another process.

Usage: python bench/turn_overhead.py [faults|locks|size|outage]... [--memories 300] [--seconds 5]
       [--lock WORDS] [--json]

  faults  each fault: first and second turn, then turns while the breaker is open, and how long recovery takes
  locks   each lock (or those whose name holds WORDS): the context and the reply of turns while it is held, for
          --seconds each; ends sooner when 200 exchanges are pending, short of the queue's bound
  size    the first turn of a view of 10,000 memories, and turns while those are indexed by the bundled embedder
  outage  one outage of two minutes, so that the breaker's pause is at its longest, and the recovery after it
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import shutil
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

import souvenance
from embedder_faults import FAULTS, Elsewhere, elsewhere
from holding import held
from loop_lag import LagProbe
from made_up import memories as memories_of
from made_up import sentence, vocabulary
from souvenance.domain import DEFAULT_SPACE, Address, CharacterId, PersonId
from souvenance.models.embed import BundledEmbedder
from souvenance.models.fakes import HashEmbedder, ScriptedChat
from souvenance.ports import Embedder, Vector
from souvenance.settings import Settings
from souvenance.stores.sqlite import open_store
from souvenance.writes import AddVersion

SETTINGS = Settings.model_validate(
    {"chat": {"discover": False}, "index": {"every_s": 3600}, "reflection": {"idle_s": 3600}}
)

#: Turns that say what one costs in health, before each trouble.
HEALTHY = 60

#: Seconds between two turns: a crowd of quick talkers, and room for the probes between them.
BETWEEN_S = 0.02

Row = dict[str, Any]


@dataclass
class Taken:
    """Milliseconds of the turns of one situation, and the lag of the loop meanwhile."""

    context_ms: list[float] = field(default_factory=list)
    reply_ms: list[float] = field(default_factory=list)
    lag: LagProbe = field(default_factory=LagProbe)


def percentiles(taken: Sequence[float], base: float) -> Row:
    """Distribution of the overhead over `base`, in milliseconds."""
    over = np.array(taken) - base
    p50, p95, p99 = np.percentile(over, [50, 95, 99])
    return {"turns": len(taken), "p50": p50, "p95": p95, "p99": p99, "max": float(over.max())}


async def timed(call: Awaitable[Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    found = await call
    return 1000 * (time.perf_counter() - began), found


async def reply_time(talk: souvenance.Talk, message: str) -> float:
    """Milliseconds until the turn is over for the person, its recording told or pending."""
    return (await timed(talk.turn(message)))[0]


async def filled(engine: souvenance.Engine, memories: int) -> None:
    talk = engine.thread("ines", "wren")
    for n in range(memories):
        await talk.memories.add(f"Hive number {n} stands near the chapel of saint {n * 7 % 101}.")
    while (await engine.index_once()).left:
        pass


async def until_whole(talk: souvenance.Talk) -> None:
    """Returns once a turn is not degraded."""
    while (await talk.context(question(0))).degraded:  # noqa: ASYNC110  (each asks anew)
        await asyncio.sleep(0.05)


def question(n: int) -> str:
    return f"what about hive number {n % 300}?"


# --- faults of the embedder ---------------------------------------------------------------------


async def of_fault(template: Path, fault: str, patient: Elsewhere) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(shutil.copytree(template, Path(folder) / "db")) / "m.db"
        async with souvenance.open(
            file, settings=SETTINGS, chat=None, embedder=patient.embedder()
        ) as engine:
            talk = engine.thread("ines", "wren")
            for n in range(10):
                await talk.context(question(n))
            base = float(
                np.median([(await timed(talk.context(question(n))))[0] for n in range(HEALTHY)])
            )
            patient.fall_ill(fault)
            open_ms: list[float] = []
            async with LagProbe() as lag:
                first, told = await timed(talk.context(question(1)))
                second, _ = await timed(talk.context(question(2)))
                await talk.context(question(3))
                state = engine.breaker
                until = time.perf_counter() + 3.0
                while time.perf_counter() < until:
                    open_ms.append((await timed(talk.context(question(len(open_ms)))))[0])
                    await asyncio.sleep(BETWEEN_S)
                patient.recover()
                back = time.perf_counter()
                await until_whole(talk)
                recovery = time.perf_counter() - back
            return {
                "trouble": fault, "reason": told.reason, "healthy": base, "first": first - base, "second": second - base,
                "breaker": state, **percentiles(open_ms, base), "recovery_s": recovery,
                "lag_p99": lag.p99_ms, "lag_max": lag.max_ms,
            }  # fmt: skip


async def faults(memories: int) -> list[Row]:
    rows = []
    with tempfile.TemporaryDirectory() as folder, elsewhere() as patient:
        template = Path(folder) / "template"
        template.mkdir(mode=0o700)
        async with souvenance.open(
            template / "m.db", settings=SETTINGS, chat=None, embedder=patient.embedder()
        ) as engine:
            await filled(engine, memories)
        for fault in FAULTS:
            rows.append(await of_fault(template, fault, patient))
    return rows


async def outage(memories: int) -> list[Row]:
    """Two minutes down, a turn every two seconds; then the seconds until a turn has its vector again."""
    with tempfile.TemporaryDirectory() as folder, elsewhere() as patient:
        async with souvenance.open(
            Path(folder) / "m.db", settings=SETTINGS, chat=None, embedder=patient.embedder()
        ) as engine:
            await filled(engine, memories)
            talk = engine.thread("ines", "wren")
            await talk.context("warm")
            patient.fall_ill("refused")
            until = time.perf_counter() + 120
            while time.perf_counter() < until:
                await talk.context("still there?")
                await asyncio.sleep(2)
            patient.recover()
            back = time.perf_counter()
            await until_whole(talk)
            return [{"trouble": "two minutes down", "recovery_s": time.perf_counter() - back}]


# --- locks --------------------------------------------------------------------------------------


class Gate:
    """A store some of whose calls wait while the gate is shut, in the thread that makes them."""

    def __init__(self, inner: Any, calls: frozenset[str], opened: threading.Event) -> None:
        self._inner, self._calls, self._opened = inner, calls, opened

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if name in ("conversations", "memories", "jobs", "vectors"):
            return Gate(found, self._calls, self._opened)
        if name not in self._calls:
            return found

        def call(*args: Any, **options: Any) -> Any:
            self._opened.wait()
            return found(*args, **options)

        return call


class BatchesHang(HashEmbedder):
    """Answers messages, and never a batch once `hang` is set."""

    hang = False

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, query_in: str | None = None
    ) -> Vector:
        if self.hang and query_in is None:
            await asyncio.sleep(timeout_s)
            raise TimeoutError
        return await super().embed(texts, timeout_s=timeout_s, query_in=query_in)


@dataclass(frozen=True)
class Lock:
    """One thing that somebody holds. `calls` of the store are stuck, `elsewhere` is what another process holds."""

    name: str
    calls: frozenset[str] = frozenset()
    batches_hang: bool = False
    elsewhere: str = ""
    corpus: bool = False
    index: bool = False


READS = frozenset(
    {"switches", "thread", "timelines", "stamp", "person", "path", "messages", "unfinished"}
)

LOCKS = (
    Lock("nobody holds anything"),
    Lock("index stuck in its embedder", batches_hang=True, index=True),
    Lock("index stuck in the write thread", calls=frozenset({"put"}), index=True),
    Lock("index stuck in a reader", calls=frozenset({"missing"}), index=True),
    Lock("a thread stuck on the view's corpus", corpus=True, index=True),
    Lock("another process writes", elsewhere="write"),
    Lock("another process reads", elsewhere="read"),
    Lock("another process checkpoints", elsewhere="checkpoint"),
    Lock("the store answers no read", calls=READS),
)


@asynccontextmanager
async def locked_world(
    file: Path, lock: Lock
) -> AsyncIterator[tuple[souvenance.Engine, BatchesHang, threading.Event]]:
    opened, embedder = threading.Event(), BatchesHang()
    opened.set()
    store: Any = Gate(open_store(file), lock.calls, opened)
    chat = ScriptedChat([], then="I see.")
    async with souvenance.open(
        settings=SETTINGS, chat=chat, embedder=embedder, store=store
    ) as engine:
        yield engine, embedder, opened


async def while_held(
    engine: souvenance.Engine, talk: souvenance.Talk, seconds: float, taken: Taken
) -> int:
    """Contexts and whole turns, one after the other; returns how many exchanges were begun."""
    turns = 0
    until = time.perf_counter() + seconds
    async with taken.lag:
        while time.perf_counter() < until and engine.pending < 200:
            ms, _ = await timed(talk.context(question(turns)))
            taken.context_ms.append(ms)
            taken.reply_ms.append(await reply_time(talk, question(turns)))
            turns += 1
            await asyncio.sleep(BETWEEN_S)
    return turns


async def of_lock(template: Path, lock: Lock, seconds: float) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(shutil.copytree(template, Path(folder) / "db")) / "m.db"
        async with locked_world(file, lock) as (engine, embedder, opened):
            talk = engine.thread("ines", "wren")
            for n in range(10):
                await talk.turn(question(n))
            healthy = Taken()
            for n in range(HEALTHY):
                healthy.context_ms.append((await timed(talk.context(question(n))))[0])
                healthy.reply_ms.append(await reply_time(talk, question(n)))
            if lock.index:
                await talk.memories.add("A hive that nobody indexed stands by the lock.")
            taken = Taken()
            other: AbstractContextManager[Any] = (
                held(lock.elsewhere, file) if lock.elsewhere else nullcontext()
            )
            entry = next(iter(engine._recall._cache._entries.values())).lock
            with other, entry if lock.corpus else nullcontext():
                embedder.hang = lock.batches_hang
                if lock.calls:
                    opened.clear()
                index = asyncio.create_task(engine.index_once()) if lock.index else None
                turns = await while_held(engine, talk, seconds, taken)
                pending = engine.pending
                opened.set()
            embedder.hang = False
            if index is not None:
                index.cancel()
                await asyncio.gather(index, return_exceptions=True)
            while engine.pending:  # noqa: ASYNC110  (there is nothing to wait on)
                await asyncio.sleep(0.02)
            stored = len(await talk.history(10**6))
            expected = 2 * (10 + HEALTHY + turns)
        context = percentiles(taken.context_ms, float(np.median(healthy.context_ms)))
        reply = percentiles(taken.reply_ms, float(np.median(healthy.reply_ms)))
        return {
            "trouble": lock.name, "turns": turns, "healthy": float(np.median(healthy.reply_ms)),
            "context_p50": context["p50"], "context_p99": context["p99"], "context_max": context["max"],
            "reply_p50": reply["p50"], "reply_p99": reply["p99"], "reply_max": reply["max"],
            "lag_p99": taken.lag.p99_ms, "lag_max": taken.lag.max_ms,
            "pending": pending, "stored": f"{stored}/{expected}",
        }  # fmt: skip


async def locks(memories: int, seconds: float, words: str) -> list[Row]:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        template = Path(folder) / "template"
        template.mkdir(mode=0o700)
        async with souvenance.open(
            template / "m.db", settings=SETTINGS, chat=None, embedder=HashEmbedder()
        ) as engine:
            await filled(engine, memories)
        for lock in (one for one in LOCKS if words in one.name):
            rows.append(await of_lock(template, lock, seconds))
    return rows


# --- size ---------------------------------------------------------------------------------------


def crowd(file: Path, count: int) -> None:
    """A file with one view of that many memories."""
    rng = random.Random(5)
    words, weights = vocabulary(rng, 4000)
    made = memories_of(rng, [sentence(rng, words, weights) for _ in range(count)])
    at = Address(DEFAULT_SPACE, PersonId("ines"), CharacterId("wren"))
    store = open_store(file)
    for start in range(0, count, 1000):
        few = [AddVersion(replace(m, address=at), None) for m in made[start : start + 1000]]
        store.commit(at.space, at.person, few)
    store.close()


async def sized() -> list[Row]:
    rows: list[Row] = [await _control("nothing at all", busy=False)]
    rows.append(await _control("a thread that counts", busy=True))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "m.db"
        await asyncio.to_thread(crowd, file, 10_000)
        embedder: Embedder = BundledEmbedder()
        async with souvenance.open(file, settings=SETTINGS, chat=None, embedder=embedder) as engine:
            await engine.ready(30)
            rows.append(await _first(engine, "first turn, 10,000 memories, none indexed"))
            taken = Taken()
            index = asyncio.create_task(_all_indexed(engine))
            talk = engine.thread("ines", "wren")
            began = time.perf_counter()
            async with taken.lag:
                while not index.done():
                    ms, _ = await timed(talk.context(question(len(taken.context_ms))))
                    taken.context_ms.append(ms)
                    await asyncio.sleep(BETWEEN_S)
            await index
            took = time.perf_counter() - began
            rows.append(_of_size(f"turns while 10,000 are indexed ({took:.0f} s)", taken))
        async with souvenance.open(
            file, settings=SETTINGS, chat=None, embedder=BundledEmbedder()
        ) as engine:
            await engine.ready(30)
            rows.append(await _first(engine, "first turn, 10,000 memories, all indexed"))
            talk, taken = engine.thread("ines", "wren"), Taken()
            async with taken.lag:
                for n in range(100):
                    taken.context_ms.append((await timed(talk.context(question(n))))[0])
                    await asyncio.sleep(BETWEEN_S)
            rows.append(_of_size("turns after it", taken))
    return rows


async def _control(name: str, *, busy: bool) -> Row:
    """The lag of an idle loop, and beside one thread of plain Python: what this machine and Python give as they are."""
    over = threading.Event()

    def count() -> None:
        while not over.is_set():
            sum(range(1000))

    thread = threading.Thread(target=count)
    if busy:
        thread.start()
    async with LagProbe() as lag:
        await asyncio.sleep(3)
    over.set()
    if busy:
        thread.join()
    row = dict.fromkeys(("turns", "p50", "p95", "p99", "max"), "")
    return {"trouble": name, **row, "lag_p99": lag.p99_ms, "lag_max": lag.max_ms}


async def _all_indexed(engine: souvenance.Engine) -> None:
    while (await engine.index_once()).left:
        pass


async def _first(engine: souvenance.Engine, name: str) -> Row:
    taken = Taken()
    async with taken.lag:
        taken.context_ms.append(
            (await timed(engine.thread("ines", "wren").context(question(1))))[0]
        )
    return _of_size(name, taken)


def _of_size(name: str, taken: Taken) -> Row:
    return {
        "trouble": name,
        **percentiles(taken.context_ms, 0.0),
        "lag_p99": taken.lag.p99_ms,
        "lag_max": taken.lag.max_ms,
    }


# --- as a program -------------------------------------------------------------------------------


def shown(rows: Sequence[Row]) -> str:
    """The rows as a table; figures are milliseconds unless their name says seconds."""
    names = list(rows[0])
    cells = [[_cell(row.get(name)) for name in names] for row in rows]
    widths = [max(len(name), *(len(c[n]) for c in cells)) for n, name in enumerate(names)]
    lines = [
        "  ".join(
            name.rjust(w) if n else name.ljust(w)
            for n, (name, w) in enumerate(zip(names, widths, strict=True))
        )
    ]
    for row in cells:
        lines.append(
            "  ".join(
                c.rjust(w) if n else c.ljust(w)
                for n, (c, w) in enumerate(zip(row, widths, strict=True))
            )
        )
    return "\n".join(lines)


def _cell(value: object) -> str:
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=["faults", "locks", "size"])
    parser.add_argument("--memories", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--lock", default="")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    parts: dict[str, Callable[[], Any]] = {
        "faults": lambda: faults(given.memories),
        "locks": lambda: locks(given.memories, given.seconds, given.lock),
        "size": sized,
        "outage": lambda: outage(given.memories),
    }
    found = {part: asyncio.run(parts[part]()) for part in given.parts}
    if given.json:
        print(json.dumps(found))
        return
    for part, rows in found.items():
        print(f"{part}: overhead over a turn in health, in milliseconds\n{shown(rows)}\n")


if __name__ == "__main__":
    main()
