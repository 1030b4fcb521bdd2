"""Reflection jobs end exactly once: after a kill, a second delivery, or an answer that makes no sense."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import souvenance
from souvenance.models.fakes import HashEmbedder, ScriptedChat
from souvenance.settings import Settings

TRIALS = int(os.environ.get("SOUVENANCE_TRIALS", "8"))

SETTINGS = Settings.model_validate(
    {
        "chat": {"discover": False},
        "reflection": {"idle_s": 0.0, "lease_s": 0.5},
        "index": {"every_s": 3600},
    }
)

TALKING = """
import asyncio, sys, souvenance
from souvenance.settings import Settings
settings = Settings.model_validate({"chat": {"discover": False}, "turn": {"embedding_deadline_s": 10}, "embedder": {"kind": "none"}, "reflection": {"lease_s": 0.5}})
async def main():
    async with souvenance.open(sys.argv[1], settings=settings, chat=None) as engine:
        talk = engine.thread(person="ines", character="wren")
        for n in range(int(sys.argv[2]), 10_000):
            await talk.record(f"I keep {n} hives in Porto number {n}.", "Mind the gulls.", key=str(n))
            print(n, flush=True)
asyncio.run(main())
"""


async def test_a_kill_at_any_moment_loses_no_exchange_and_leaves_no_job_behind(
    tmp_path: Path,
) -> None:
    """SIGKILL while recording and reflecting, TRIALS times on one file: every acknowledged exchange is there
    and reflected once at the next start. Trials: 8 in the suite, more with SOUVENANCE_TRIALS."""
    path, acknowledged = tmp_path / "m.db", -1
    chance = random.Random(7)
    for _ in range(TRIALS):
        process = subprocess.Popen(
            [sys.executable, "-c", TALKING, str(path), str(acknowledged + 1)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(chance.uniform(0, 0.15))
        process.send_signal(signal.SIGKILL)
        lines = [first, *process.stdout.read().splitlines()]
        process.wait()
        acknowledged = max([acknowledged, *(int(line) for line in lines if line.strip())])
    time.sleep(0.6)  # the lease of the last kill runs out
    async with souvenance.open(
        path, settings=SETTINGS, chat=None, embedder=HashEmbedder()
    ) as engine:
        assert await engine.drain(60) == 0
        talk = engine.thread(person="ines", character="wren")
        said = {m.text for m in await talk.history(100_000)}
        texts = [
            m.text for m in await talk.memories.list(statuses=())
        ]  # a newer count closes the older
        for n in range(acknowledged + 1):
            assert f"I keep {n} hives in Porto number {n}." in said
            assert sum(f"number {n}." in f"{t}." or f"number {n} " in t for t in texts) <= 1
        assert len(texts) >= acknowledged + 1
        assert engine.store.check().problems == ()


@pytest.mark.parametrize("times", [3])
async def test_delivering_a_job_again_changes_nothing(tmp_path: Path, times: int) -> None:
    """A job that is run again (a lost lease, an impatient operator) leaves the same memories."""
    from souvenance.writes import RequeueJob

    async with souvenance.open(
        tmp_path / "m.db", settings=SETTINGS, chat=None, embedder=HashEmbedder()
    ) as engine:
        talk = engine.thread(person="ines", character="wren")
        recorded = await talk.record(
            "I keep bees in Porto. My brother Tomas repairs clocks.", "Good."
        )
        await talk.reflected(30)
        before = [(m.memory_id, m.text, m.seq_from) for m in await talk.memories.list(statuses=())]
        assert before and recorded.job
        for _ in range(times):
            engine.store.commit(
                talk.address.space,
                talk.address.person,
                [RequeueJob(recorded.job, engine.clock.now())],
            )
            assert await engine.drain(30) == 0
        assert [
            (m.memory_id, m.text, m.seq_from) for m in await talk.memories.list(statuses=())
        ] == before


ANSWERS = [
    "",
    "I would rather not.",
    "{",
    '{"candidates": [{"text": "Ines lives in Porto."',
    '```json\n{"candidates": []}\n```',
    '{"candidates": null}',
    '{"candidates": {"text": 3}}',
    "[]",
    "null",
    "42",
    json.dumps(
        {"candidates": [{"text": 3, "kind": [], "scope": {}, "confidence": "high", "quote": None}]}
    ),
    '{"candidates": [{"text": "\\ud800", "quote": "\\ud800"}]}',
    '{"candidates": [{"text": "a\\u0000b", "quote": "I live in Porto."}]}',
    "[" * 50_000,
    json.dumps({"candidates": [{"text": "Ines is a wolf.", "quote": "I am a wolf."}] * 3_000}),
    "x" * 2_000_000,
    '{"candidates": [], "candidates": [1, 2]}',
    "<think>{</think>",
    '{"reasoning": "nothing"}',
]


@pytest.mark.parametrize("answer", ANSWERS, ids=range(len(ANSWERS)))
async def test_a_senseless_answer_removes_nothing_and_raises_nothing(
    tmp_path: Path, answer: str
) -> None:
    """Whatever the model says, the reply stood, no memory goes, and the exchange ends stored, empty or parked."""
    chat = ScriptedChat(["Fine."], answers=[answer, answer])
    async with souvenance.open(
        tmp_path / "m.db", settings=SETTINGS, chat=chat, embedder=HashEmbedder()
    ) as engine:
        talk = engine.thread(person="ines", character="wren", name="Ines")
        kept = (await talk.memories.add("Ines keeps bees.")).memory
        assert (await talk.turn("I live in Porto.")).text == "Fine."
        await talk.reflected(30)
        assert engine.store.jobs.unfinished() == []
        listed = await talk.memories.list()
        assert kept.memory_id in [m.memory_id for m in listed]
        assert all("wolf" not in m.text for m in listed)
