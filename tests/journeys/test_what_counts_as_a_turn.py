"""What moves the counters of a memory: a turn that served it, recorded, with scores. Nothing else does."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import souvenance
from souvenance.counts import Counters
from souvenance.domain import (
    MemoryId,
)
from souvenance.errors import ModelError
from souvenance.models.fakes import HashEmbedder, ScriptedChat
from souvenance.recording import Said
from souvenance.settings import Settings
from souvenance.turn import Talk

SETTINGS = Settings.model_validate(
    {
        "chat": {"discover": False},
        "turn": {"embedding_deadline_s": 10},
        "index": {"every_s": 3600},
        "reflection": {"idle_s": 3600},
    }
)


async def _known(engine: souvenance.Engine, *texts: str, thread: str = "main") -> Talk:
    talk = engine.thread(person="ines", character="wren", thread=thread)
    for text in texts:
        await talk.memories.add(text)
    while (await engine.index_once()).left:
        pass
    return talk


async def _counted(talk: Talk) -> Mapping[MemoryId, Counters]:
    return await talk.memories.counters()


async def _turns(engine: souvenance.Engine, talk: Talk) -> int:
    return engine.store.conversations.turns(talk.address)


async def test_a_recorded_turn_counts_and_looking_does_not(tmp_path: Path) -> None:
    """Reading is not a proof: lists, histories and a context that nobody answers leave the counters alone."""
    async with souvenance.open(
        tmp_path / "m.db", settings=SETTINGS, chat=None, embedder=HashEmbedder()
    ) as engine:
        talk = await _known(engine, "Ines keeps bees.", "Ines sails on Sundays.")
        for question in ("bees?", "sailing?", "bees?"):
            await talk.context(question)
        await talk.memories.list()
        await talk.memories.recording()
        assert await _counted(talk) == {}
        await talk.record("How are my bees?", "Busy.")
        assert (
            sorted((c.served, c.first_served) for c in (await _counted(talk)).values())
            == [(1, 1)] * 2
        )
        await talk.append([Said("user", "I moved."), Said("character", "Where to?")])
        assert await _turns(engine, talk) == 1, "what is brought in was no turn"


async def test_a_turn_is_counted_by_its_own_context(tmp_path: Path) -> None:
    """A context looked at before or while a reply streams belongs to no turn, now or later."""
    chat = ScriptedChat(["Busy.", "Fine."])
    async with souvenance.open(
        tmp_path / "m.db", settings=SETTINGS, chat=chat, embedder=HashEmbedder()
    ) as engine:
        talk = engine.thread(person="ines", character="wren")
        await talk.context("anything?")  # there was no memory yet
        await _known(engine, "Ines keeps bees.")
        await talk.turn("How are my bees?")
        assert [c.served for c in (await _counted(talk)).values()] == [1]
        async for _ in talk.stream("And the hives?"):
            await talk.context("bees?")
        assert [c.served for c in (await _counted(talk)).values()] == [2]
        await talk.append([Said("user", "I moved."), Said("character", "Where to?")])
        assert await _turns(engine, talk) == 2


async def test_a_reply_that_fails_counts_nothing_then_or_later(tmp_path: Path) -> None:
    """Nothing was said, so nothing came up; the next exchange is not served by what the failed one was."""

    class Failing(ScriptedChat):
        async def stream(self, messages, *, max_tokens=None):  # type: ignore[no-untyped-def]
            raise ModelError("no reply")
            yield ""

    async with souvenance.open(
        tmp_path / "m.db", settings=SETTINGS, chat=Failing([]), embedder=HashEmbedder()
    ) as engine:
        talk = await _known(engine, "Ines keeps bees.")
        with pytest.raises(ModelError):
            await talk.turn("How are my bees?")
        await talk.append([Said("user", "I moved."), Said("character", "Where to?")])
        assert (await _counted(talk), await _turns(engine, talk)) == ({}, 0)


async def test_a_degraded_turn_counts_as_degraded_alone(tmp_path: Path) -> None:
    """Without scores the stages serve what they always serve: that is no sign of use."""
    async with souvenance.open(
        tmp_path / "m.db", settings=SETTINGS, chat=None, embedder=None
    ) as engine:
        talk = await _known_without_index(engine, "Ines keeps bees.")
        context = await talk.context("How are my bees?")
        assert context.degraded and len(context.slots) == 1
        await talk.record("How are my bees?", "Busy.")
        clock = engine.store.conversations.clock(talk.address)
        assert (await _counted(talk), clock.turns, clock.degraded) == ({}, 0, 1)


async def _known_without_index(engine: souvenance.Engine, text: str) -> Talk:
    talk = engine.thread(person="ines", character="wren")
    await talk.memories.add(text)
    return talk


async def test_what_the_budget_left_out_was_not_served(tmp_path: Path) -> None:
    """A slot that never reached the prompt is as silent as no slot at all."""
    settings = SETTINGS.model_copy(
        update={"turn": SETTINGS.turn.model_copy(update={"budget_tokens": 600})}
    )
    async with souvenance.open(
        tmp_path / "m.db", settings=settings, chat=None, embedder=HashEmbedder()
    ) as engine:
        long = "and then the ferry to the island was late because of the fog over the sound " * 4
        talk = await _known(engine, *[f"Story {n}: {long}" for n in range(12)])
        context = await talk.context("Which story?")
        assert context.slots and context.left_out
        await talk.record("Which story?", "That one.")
        served = {i for i, c in (await _counted(talk)).items() if c.served}
        assert served == {s.memory.memory_id for s in context.slots}


async def test_a_resent_exchange_and_a_silent_one_count_nothing_more(tmp_path: Path) -> None:
    """A client that retries, and a person who switched memory off, do not move the clock."""
    async with souvenance.open(
        tmp_path / "m.db", settings=SETTINGS, chat=None, embedder=HashEmbedder()
    ) as engine:
        talk = await _known(engine, "Ines keeps bees.")
        for _ in range(2):
            await talk.context("How are my bees?")
            await talk.record("How are my bees?", "Busy.", key="one")
        assert await _turns(engine, talk) == 1
        await talk.switch(off=True)
        await talk.context("And now?")
        await talk.record("And now?", "Nothing.")
        assert await _turns(engine, talk) == 1
        assert [c.served for c in (await _counted(talk)).values()] == [1]
