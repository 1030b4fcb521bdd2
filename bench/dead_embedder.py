"""What a turn costs when the embedder is healthy, dead, hung, or left alone by the breaker.

Whole `context` calls through the engine and a SQLite file, 300 memories; the baseline is an engine without embedder.
Usage: python bench/dead_embedder.py [--json]
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import souvenance
from souvenance.errors import ModelUnreachable
from souvenance.models.fakes import HashEmbedder
from souvenance.ports import Vector
from souvenance.settings import Settings

TURNS = 200
SETTINGS = Settings.model_validate({"chat": {"discover": False}, "index": {"every_s": 3600}})


class Patient:
    """An embedder that answers, dies or hangs as `state` says."""

    def __init__(self) -> None:
        self.inner, self.state = HashEmbedder(), "healthy"
        self.name, self.threshold = self.inner.name, self.inner.threshold

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, query_in: str | None = None
    ) -> Vector:
        if self.state == "hung":
            await asyncio.sleep(3600)
        if self.state == "dead":
            raise ModelUnreachable("dead")
        return await self.inner.embed(texts, timeout_s=timeout_s, query_in=query_in)

    async def close(self) -> None: ...


async def timed(talk: souvenance.Talk, turns: int) -> dict[str, float]:
    """p50, p95 and longest of `turns` contexts, in milliseconds."""
    taken = []
    for n in range(turns):
        began = time.perf_counter()
        await talk.context(f"what about hive number {n % 300}?")
        taken.append(1000 * (time.perf_counter() - began))
    p50, p95 = np.percentile(taken, [50, 95])
    return {"turns": turns, "p50_ms": float(p50), "p95_ms": float(p95), "max_ms": max(taken)}


async def filled(engine: souvenance.Engine) -> souvenance.Talk:
    talk = engine.thread("ines", "wren")
    for n in range(300):
        await talk.memories.add(f"Hive number {n} stands near the chapel of saint {n * 7 % 101}.")
    while (await engine.index_once()).left:
        pass
    await talk.context("warm")
    return talk


async def main() -> dict[str, dict[str, float]]:
    rows: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        none = souvenance.open(
            Path(folder) / "none.db", settings=SETTINGS, chat=None, embedder=None
        )
        async with none as engine:
            rows["without embedder (baseline)"] = await timed(await filled(engine), TURNS)
        for state in ("dead", "hung"):
            patient = Patient()
            path = Path(folder) / f"{state}.db"
            async with souvenance.open(
                path, settings=SETTINGS, chat=None, embedder=patient
            ) as engine:
                talk = await filled(engine)
                rows[f"healthy, before it is {state}"] = await timed(talk, TURNS)
                patient.state = state
                rows[f"{state}, the first two turns"] = await timed(talk, 2)
                rows[f"{state}, breaker {engine.breaker}"] = await timed(talk, TURNS)
    return rows


if __name__ == "__main__":
    found = asyncio.run(main())
    if "--json" in sys.argv:
        print(json.dumps(found))
    else:
        print(f"{'':36}{'p50 ms':>9}{'p95 ms':>9}{'max ms':>9}")
        for name, row in found.items():
            print(f"{name:36}{row['p50_ms']:9.2f}{row['p95_ms']:9.2f}{row['max_ms']:9.2f}")
