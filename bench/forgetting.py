"""Prints what never comes up of 300 and 1,000 memories, what counting costs a turn, and whether memory stays flat.

Whole turns (`context`, then `record`) through the engine and a SQLite file, in French and English, on made-up memories
of forty topics asked about unevenly (the n-th topic 1/n as often, one message in three about none). Beside the shares
stands what they would be, were 24 memories drawn at random for each turn.
Usage: python bench/forgetting.py [--json] [--turns N] [--pinned N] [--long N]. Seeded; asserts nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

# One BLAS thread, before numpy loads.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import souvenance
from souvenance.counts import BLOCK_TURNS
from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_THREAD,
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
)
from souvenance.models.fakes import HashEmbedder
from souvenance.read.forgetting import Report, report
from souvenance.settings import Settings
from souvenance.stores.sqlite import open_store
from souvenance.writes import AddJob, AddMessage, AddVersion, CountTurn, PutThread, Write

SIZES = (300, 1_000)
CASES = Path(__file__).parent / "cases" / "forgetting"
AT = Address(DEFAULT_SPACE, PersonId("bench"), CharacterId("wren"))
NOW = datetime(2026, 6, 1, tzinfo=UTC)
KINDS = (Kind.FACT, Kind.PREFERENCE, Kind.PROMISE, Kind.EPISODE)
SLOTS, CALLED = 24, 8


def settings(language: str) -> Settings:
    return Settings.model_validate(
        {
            "language": language,
            "chat": {"discover": False},
            "turn": {"embedding_deadline_s": 30},
            "index": {"every_s": 3600},
            "reflection": {"idle_s": 3600},
        }
    )


class Sentences:
    """Memories and messages of one language, drawn with a seed."""

    def __init__(self, language: str) -> None:
        self.rng = random.Random(f"forgetting/{language}")
        self.cases = json.loads((CASES / f"{language}.json").read_text("utf-8"))
        self.topics = self.cases["topics"]

    def memories(self, size: int) -> list[str]:
        """Different ones, each about a topic: all topics alike."""
        every = [
            form.format(t=topic, T=topic[0].upper() + topic[1:])
            for form in self.cases["memories"]
            for topic in self.topics
        ]
        self.rng.shuffle(every)
        return every[:size]

    def message(self) -> str:
        """One about a topic two times of three, the first topics the most often."""
        if self.rng.random() < 1 / 3:
            return str(self.rng.choice(self.cases["small"]))
        weights = [1 / (n + 1) for n in range(len(self.topics))]
        (topic,) = self.rng.choices(self.topics, weights)
        return str(self.rng.choice(self.cases["questions"]).format(t=topic))


def remembered(texts: list[str], rng: random.Random, pinned: int) -> list[Write]:
    """A third of this thread, some pinned, born an hour apart."""
    made: list[Write] = []
    for n, text in enumerate(texts):
        born = NOW - timedelta(hours=len(texts) - n)
        where = MAIN_THREAD if n % 3 == 0 else None
        memory = Memory(
            MemoryId(f"m{n:05d}"), AT, MAIN_TIMELINE, where, rng.choice(KINDS), Redacted(text), born, born,
            Cause("import"), importance=rng.randint(1, 5), pinned=n < pinned,
        )  # fmt: skip
        made.append(AddVersion(memory, None))
    return made


async def talked(language: str, size: int, turns: int, pinned: int, folder: Path) -> Report:
    """The report after so many turns with the embedder of the settings."""
    said = Sentences(language)
    path = folder / "talk.db"
    async with souvenance.open(path, settings=settings(language), chat=None) as engine:
        engine.store.commit(AT.space, AT.person, remembered(said.memories(size), said.rng, pinned))
        await engine.ready(60)
        while (await engine.index_once()).left:
            pass
        talk = engine.thread(AT.person, AT.character)
        for _ in range(turns):
            message = said.message()
            await talk.context(message)
            await talk.record(message, "…")
        used = await talk.memories.usage()
        return report(used, NOW.date())


def evenly(size: int, turns: int) -> dict[str, float]:
    """What the shares would be, were 24 memories drawn at random for each turn."""
    served = np.zeros(size, int)
    rng = np.random.default_rng(size)
    for _ in range(turns):
        served[rng.choice(size, SLOTS, replace=False)] += 1
    top = np.sort(served)[::-1][:20].sum() / served.sum()
    effective = served.sum() ** 2 / (served**2).sum()
    return {
        "never_served": float((served == 0).mean()),
        "top_share": float(top),
        "effective": float(effective),
    }


def figures(found: Report) -> dict[str, Any]:
    """Shares now and after each block."""
    s, even = found.silence, found.concentration
    return {
        "turns": found.turns,
        "degraded": found.degraded,
        "never_served": s.never_served / s.memories,
        "never_retrieved": s.never_retrieved / s.memories,
        "top_share": even.top / even.slots,
        "effective": even.effective,
        "gini": found.gini,
        "by_kind": {
            kind.value: g.never_retrieved / g.memories for kind, g in found.by_kind.items()
        },
        "by_scope": {
            scope.value: g.never_retrieved / g.memories for scope, g in found.by_scope.items()
        },
        "blocks": [
            {
                "last_turn": p.last,
                "never_served": p.silence.never_served / p.silence.memories,
                "never_retrieved": p.silence.never_retrieved / p.silence.memories,
                "top_share": p.concentration.top / p.concentration.slots,
                "effective": p.concentration.effective,
            }
            for p in found.points
        ],
    }


# --- cost -----------------------------------------------------------------------------------------


def exchange(n: int) -> list[Write]:
    """What a turn commits without its counters: two messages, the thread, the job."""
    ids = [MessageId(f"q{n}"), MessageId(f"r{n}")]
    before = MessageId(f"r{n - 1}") if n else None
    asked = Message(
        AT, MAIN_THREAD, ids[0], before, "user", Redacted("How are the bees?"), NOW, "m"
    )
    told = replace(asked, message_id=ids[1], parent=ids[0], role="character")
    thread = Thread(AT, MAIN_THREAD, MAIN_TIMELINE, ids[1], None, NOW, NOW)
    job = Job(JobId(f"j{n}"), AT, MAIN_THREAD, "reflect", tuple(ids), NOW, NOW)
    return [PutThread(thread), AddMessage(asked), AddMessage(told), AddJob(job)]


def cost(size: int, turns: int, folder: Path) -> dict[str, Any]:
    """Milliseconds of the transaction of an exchange, every other one with its counters."""
    rng = random.Random(size)
    store = open_store(folder / "cost.db")
    said = Sentences("en")
    store.commit(AT.space, AT.person, remembered(said.memories(size), rng, 0))
    ids = [MemoryId(f"m{n:05d}") for n in range(size)]
    taken: dict[str, list[float]] = {"bare": [], "counted": [], "closing": []}
    counted = 0
    for n in range(2 * turns):
        served = tuple(rng.sample(ids, SLOTS))
        writes = exchange(n)
        name = "bare"
        if n % 2:
            name = "closing" if counted and counted % BLOCK_TURNS == 0 else "counted"
            writes.append(CountTurn(AT, MAIN_THREAD, served, served[:CALLED], NOW, False))
            counted += 1
        began = time.perf_counter()
        store.commit(AT.space, AT.person, writes)
        taken[name].append(1000 * (time.perf_counter() - began))
    store.close()
    rows = {name: [float(x) for x in np.percentile(v, [50, 95])] for name, v in taken.items() if v}
    return {
        "memories": size,
        "turns": turns,
        "bare_ms": rows["bare"],
        "counted_ms": rows["counted"],
        "closing_ms": rows.get("closing"),
        "extra_p50_ms": rows["counted"][0] - rows["bare"][0],
        "ratio_p50": rows["counted"][0] / rows["bare"][0],
    }


def places() -> dict[str, str | None]:
    """Where the file may lie: on the disk, and where nothing waits for one, so that only the work is timed."""
    shared = Path("/dev/shm")
    return {"disk": None, **({"memory": str(shared)} if os.access(shared, os.W_OK) else {})}


# --- memory ---------------------------------------------------------------------------------------


def resident_mb() -> float:
    """Megabytes of this process that are in memory now."""
    status = Path("/proc/self/status").read_text("ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line[:6] == "VmRSS:") / 1024


async def flat(marks: list[int], folder: Path, *, told: bool) -> list[dict[str, float]]:
    """Resident memory after so many turns: recalled and counted, and when `told` recorded and reflected on as well.

    Every recorded message is another one: what is kept of messages, and the caches of read texts, grow with them.
    """
    said = Sentences("en")
    quick = settings("en").model_copy(
        update={"reflection": settings("en").reflection.model_copy(update={"idle_s": 0.0})}
    )
    rows: list[dict[str, float]] = []
    async with souvenance.open(
        folder / "long.db", settings=quick, chat=None, embedder=HashEmbedder()
    ) as engine:
        engine.store.commit(AT.space, AT.person, remembered(said.memories(300), said.rng, 4))
        while (await engine.index_once()).left:
            pass
        talk = engine.thread(AT.person, AT.character)
        for n in range(1, marks[-1] + 1):
            context = await talk.context(said.message())
            if told:
                await talk.record(f"Shall we go on with part {n}?", "…")
            else:
                served = tuple(slot.memory.memory_id for slot in context.slots)
                count = CountTurn(AT, MAIN_THREAD, served, served[:CALLED], NOW, False)
                await asyncio.to_thread(engine.store.commit, AT.space, AT.person, [count])
            if n in marks:
                left = await engine.drain(60)
                kept = len(await talk.memories.list())
                rows.append({"turns": n, "mb": resident_mb(), "memories": kept, "pending": left})
    return rows


def apart(marks: list[int], *, told: bool) -> list[dict[str, float]]:
    """The same in a process of its own, so that nothing measured before weighs on it."""
    command = [sys.executable, __file__, *(["--told"] if told else []), "--flat", *map(str, marks)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    found: list[dict[str, float]] = json.loads(ran.stdout)
    return found


# --- printing -------------------------------------------------------------------------------------


def printed(result: dict[str, Any]) -> None:
    print("what never comes up, shipped embedder        never     never   top 20   as even")
    print("lang  memories  turns  degraded             served    called  of slots      as    Gini")
    for row in result["talks"]:
        f, even = row["figures"], row["at_random"]
        print(
            f"{row['lang']:>4} {row['memories']:>9} {f['turns']:>6} {f['degraded']:>9}"
            f" {f['never_served']:>17.0%} {f['never_retrieved']:>9.0%} {f['top_share']:>9.0%}"
            f" {f['effective']:>7.0f} {f['gini']:>7.2f}"
        )
        print(
            f"      24 at random{even['never_served']:>30.0%} {'':>9} {even['top_share']:>9.0%}"
            f" {even['effective']:>7.0f}"
        )
        kinds = {**f["by_kind"], **f["by_scope"]}
        print("      never called: " + ", ".join(f"{k} {v:.0%}" for k, v in kinds.items()))
        print(
            "      after block: "
            + " · ".join(
                f"{b['last_turn']}: {b['never_served']:.0%}/{b['never_retrieved']:.0%}, top {b['top_share']:.0%}"
                for b in f["blocks"]
            )
        )
    print(
        "\ncounters: the transaction of an exchange without and with them, milliseconds p50 (p95)"
    )
    for row in result["cost"]:
        closing = row["closing_ms"]
        told = f", a block closed {closing[0]:.2f} ({closing[1]:.2f})" if closing else ""
        bare, with_them = row["bare_ms"], row["counted_ms"]
        print(
            f"{row['memories']:>6} memories, on {row['on']:<6}: {bare[0]:.2f} ({bare[1]:.2f}) → {with_them[0]:.2f}"
            f" ({with_them[1]:.2f}): +{row['extra_p50_ms']:.3f}, × {row['ratio_p50']:.2f}{told}"
        )
    print(
        "\nresident memory, 300 memories; recorded: every message another one, reflections beside"
    )
    for name, rows in result["flat"].items():
        for row in rows:
            print(
                f"{name:>9} {row['turns']:>6.0f} turns: {row['mb']:.1f} MB"
                f" ({row['memories']:.0f} memories, {row['pending']:.0f} jobs pending)"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument("--turns", type=int, default=400, help="of each talk")
    parser.add_argument("--pinned", type=int, default=4, help="memories pinned in each talk")
    parser.add_argument("--long", type=int, default=10_000, help="of the long one; 0 leaves it out")
    parser.add_argument("--flat", type=int, nargs="+", help=argparse.SUPPRESS)
    parser.add_argument("--told", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.flat:
        with tempfile.TemporaryDirectory() as folder:
            print(json.dumps(asyncio.run(flat(chosen.flat, Path(folder), told=chosen.told))))
        return
    result: dict[str, Any] = {"bench": "forgetting", "talks": [], "cost": [], "flat": {}}
    for size in SIZES:
        for language in ("en", "fr"):
            with tempfile.TemporaryDirectory() as folder:
                found = asyncio.run(
                    talked(language, size, chosen.turns, chosen.pinned, Path(folder))
                )
            row = {"lang": language, "memories": size, "figures": figures(found)}
            result["talks"].append({**row, "at_random": evenly(size, chosen.turns)})
        for name, where in places().items():
            with tempfile.TemporaryDirectory(dir=where) as folder:
                result["cost"].append({"on": name, **cost(size, 600, Path(folder))})
    if chosen.long:
        marks = [n for n in (1_000, 5_000, 10_000) if n < chosen.long] + [chosen.long]
        result["flat"] = {
            "counted": apart(marks, told=False),
            "recorded": apart(marks, told=True),
        }
    if chosen.json:
        print(json.dumps(result))
    else:
        printed(result)


if __name__ == "__main__":
    main()
