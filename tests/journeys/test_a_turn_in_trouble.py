"""When a part is slow, dead or wrong: the reply is served, the trouble is visible, and nothing is lost."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import souvenance
from souvenance.errors import ModelError, ModelUnreachable, StoreError
from souvenance.models.fakes import HashEmbedder, ScriptedChat
from souvenance.ports import ChatMessage, Vector
from souvenance.settings import Settings
from souvenance.stores.memory import MemoryStore

SETTINGS = Settings.model_validate(
    {
        "chat": {"discover": False},
        "turn": {"embedding_deadline_s": 1.0},
        "reflection": {"idle_s": 0.0, "attempts": 2},
        "index": {"every_s": 3600},
    }
)

#: Reflection stays out of the way: its commits are not to fail in the place of a turn's.
UNHURRIED = SETTINGS.model_copy(
    update={"reflection": SETTINGS.reflection.model_copy(update={"idle_s": 3600})}
)


class Troubled:
    """An embedder that works until `trouble` says otherwise."""

    def __init__(self) -> None:
        self.inner, self.trouble, self.calls = HashEmbedder(), "", 0
        self.name, self.threshold = self.inner.name, self.inner.threshold

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, query_in: str | None = None
    ) -> Vector:
        self.calls += 1
        if self.trouble == "hung":
            await asyncio.sleep(3600)
        if self.trouble == "dead":
            raise ModelUnreachable("nobody there")
        vectors = await self.inner.embed(texts, timeout_s=timeout_s, query_in=query_in)
        if self.trouble == "dimension":
            return np.ascontiguousarray(vectors[:, :-1])
        return vectors * np.float32("nan") if self.trouble == "nan" else vectors

    async def close(self) -> None: ...


async def _with_one_memory(engine: souvenance.Engine) -> souvenance.Talk:
    talk = engine.thread(person="ines", character="wren")
    await talk.memories.add("Ines keeps bees on the roof.")
    while (await engine.index_once()).left:
        pass
    return talk


@pytest.mark.parametrize("trouble", ["hung", "dead", "dimension", "nan"])
async def test_a_broken_embedder_gives_a_plainer_context(tmp_path: Path, trouble: str) -> None:
    """The turn is served by words and fixed stages, says so, and is counted."""
    embedder = Troubled()
    async with souvenance.open(
        tmp_path / "m.db", settings=SETTINGS, chat=None, embedder=embedder
    ) as engine:
        talk = await _with_one_memory(engine)
        assert not (await talk.context("how are the bees?")).degraded
        embedder.trouble = trouble
        context = await talk.context("and the bees now?")
        assert context.degraded and context.reason
        assert "bees" in context.text
        assert engine.health.degraded_turns == 1


async def test_an_open_breaker_stops_asking_a_dead_embedder(tmp_path: Path) -> None:
    """After two failures the next turns do not touch the embedder at all."""
    embedder = Troubled()
    async with souvenance.open(
        tmp_path / "m.db", settings=SETTINGS, chat=None, embedder=embedder
    ) as engine:
        talk = await _with_one_memory(engine)
        embedder.trouble = "dead"
        for question in ("one bee?", "two bees?", "three bees?"):
            await talk.context(question)
        assert engine.breaker == "open"
        calls = embedder.calls
        for question in ("four bees?", "five bees?"):
            assert (await talk.context(question)).degraded
        assert embedder.calls == calls


GOOD = json.dumps(
    {
        "reasoning": "she says where she lives",
        "candidates": [
            {
                "text": "Ines lives in Porto.",
                "kind": "fact",
                "scope": "global",
                "confidence": 0.9,
                "quote": "I live in Porto.",
            }
        ],
    }
)


async def test_a_model_replies_and_then_reflects(tmp_path: Path) -> None:
    """The whole loop with a chat model: reply first, then a memory in the model's words."""
    chat = ScriptedChat(["Lovely town."], answers=[GOOD])
    async with souvenance.open(
        tmp_path / "m.db", settings=SETTINGS, chat=chat, embedder=HashEmbedder()
    ) as engine:
        talk = engine.thread(person="ines", character="wren", name="Ines")
        reply = await talk.turn("I live in Porto.")
        assert reply.text == "Lovely town."
        await talk.reflected(30)
        assert [m.text for m in await talk.memories.list()] == ["Ines lives in Porto."]


async def test_an_unusable_reflection_waits_in_the_inbox_and_can_be_retried(tmp_path: Path) -> None:
    """Repaired once, then parked with the model's words; a retry runs it again."""
    chat = ScriptedChat(["Lovely town."], answers=["no json here", "still none", GOOD])
    async with souvenance.open(
        tmp_path / "m.db", settings=SETTINGS, chat=chat, embedder=HashEmbedder()
    ) as engine:
        talk = engine.thread(person="ines", character="wren", name="Ines")
        await talk.turn("I live in Porto.")
        await talk.reflected(30)
        (failure,) = await talk.memories.failed()
        assert failure.raw == "still none"
        assert await talk.memories.list() == []
        assert await talk.memories.retry() == 1
        await engine.drain(30)
        assert await talk.memories.failed() == []
        assert [m.text for m in await talk.memories.list()] == ["Ines lives in Porto."]


async def test_a_failing_reply_records_nothing_and_says_so(tmp_path: Path) -> None:
    """A half reply is not a reply: the person can simply say it again."""
    chat = ScriptedChat([ModelUnreachable("the model went away")])
    async with souvenance.open(
        tmp_path / "m.db", settings=SETTINGS, chat=chat, embedder=HashEmbedder()
    ) as engine:
        talk = engine.thread(person="ines", character="wren")
        with pytest.raises(ModelError):
            await talk.turn("I live in Porto.")
        assert not await talk.exists()


class Slow(ScriptedChat):
    """A chat model whose reflections last until they are cancelled, the first time."""

    def __init__(self, answers: list[str]) -> None:
        super().__init__(answers)
        self.cancelled = 0
        self.started = asyncio.Event()

    async def answer_json(self, *args: object, **options: object) -> str:
        if not self.cancelled:
            self.started.set()
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                self.cancelled += 1
                raise
        return GOOD


async def test_a_turn_takes_the_right_of_way(tmp_path: Path) -> None:
    """The person never waits behind a reflection: it is cancelled, keeps its attempt, and runs later."""
    chat = Slow(["Lovely town.", "It rains there."])
    async with souvenance.open(
        tmp_path / "m.db", settings=SETTINGS, chat=chat, embedder=HashEmbedder()
    ) as engine:
        talk = engine.thread(person="ines", character="wren", name="Ines")
        await talk.turn("I live in Porto.")
        await asyncio.wait_for(chat.started.wait(), 30)
        reply = await asyncio.wait_for(talk.turn("Does it rain in Porto?"), 30)
        assert reply.text == "It rains there."
        assert chat.cancelled == 1
        await talk.reflected(30)
        assert [m.text for m in await talk.memories.list()] == ["Ines lives in Porto."]


async def test_a_hand_wins_over_a_reflection_under_way(tmp_path: Path) -> None:
    """What a person corrects while the model is thinking is not overwritten by what the model then proposes."""
    started, go = asyncio.Event(), asyncio.Event()

    class Waiting(ScriptedChat):
        async def answer_json(self, *args: object, **options: object) -> str:
            started.set()
            await go.wait()
            return GOOD

    chat = Waiting(["Lovely town."])
    async with souvenance.open(
        tmp_path / "m.db", settings=SETTINGS, chat=chat, embedder=HashEmbedder()
    ) as engine:
        talk = engine.thread(person="ines", character="wren", name="Ines")
        kept = (await talk.memories.add("Ines lives in Porto, by the river.")).memory
        await talk.turn("I live in Porto.")
        await asyncio.wait_for(started.wait(), 30)
        await talk.memories.edit(kept.memory_id, "Ines lives in Porto, on the hill.")
        go.set()
        await talk.reflected(30)
        texts = [m.text for m in await talk.memories.list()]
        assert "Ines lives in Porto, on the hill." in texts
        assert "Ines lives in Porto, by the river." not in texts


class Failing:
    """A store whose next commits fail as a full disk makes them, and then work again."""

    def __init__(self, inner: MemoryStore) -> None:
        self._inner, self.failures = inner, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def commit(self, *args: Any) -> Any:
        if self.failures:
            self.failures -= 1
            raise StoreError("the disk is full; make room and say it again")
        return self._inner.commit(*args)


async def test_a_full_disk_costs_the_memory_and_not_the_reply() -> None:
    """The reply was paid for and read: it stands, the failure is said and counted, and the next turn is kept."""
    store = Failing(MemoryStore())
    chat = ScriptedChat(["Lovely town.", "By the river?"], answers=[GOOD])
    async with souvenance.open(
        settings=SETTINGS, chat=chat, embedder=HashEmbedder(), store=store
    ) as engine:
        talk = engine.thread(person="ines", character="wren", name="Ines")
        store.failures = 1
        reply = await talk.turn("I live in Porto.")
        assert reply.text == "Lovely town."
        assert reply.recorded.failed and "disk" in reply.recorded.failed
        assert engine.health.unrecorded_turns == 1
        again = await talk.turn("I live in Porto.")
        assert again.recorded.failed is None
        assert len(await talk.history()) == 2
        assert any("Lovely town." in m.text for m in chat.for_replies[1])


async def test_what_was_lost_stands_in_the_next_prompts_where_it_was_said() -> None:
    """Behind all that came later, it would be answered again at every turn."""
    store = Failing(MemoryStore())
    chat = ScriptedChat([f"Answer {n}." for n in range(5)])
    async with souvenance.open(
        settings=UNHURRIED, chat=chat, embedder=HashEmbedder(), store=store
    ) as engine:
        talk = engine.thread(person="ines", character="wren")
        for n in range(5):
            store.failures = int(n in (0, 2))
            reply = await talk.turn(f"Question {n}?")
            assert bool(reply.recorded.failed) == (n in (0, 2))
        said = [m.text for m in chat.for_replies[4] if m.role != "system"]
        expected = [text for n in range(4) for text in (f"Question {n}?", f"Answer {n}.")]
        assert said[:8] == expected
        assert "Question 4?" in said[8]


async def test_what_is_said_while_memory_is_off_is_kept_as_far_as_a_prompt_reaches() -> None:
    """A process that talks for months must not grow, and it is gone when memory is on again."""
    settings = SETTINGS.model_copy(
        update={"turn": SETTINGS.turn.model_copy(update={"recent_messages": 4})}
    )
    chat = ScriptedChat([f"Answer {n}." for n in range(9)])
    async with souvenance.open(
        settings=settings, chat=chat, embedder=None, store=MemoryStore()
    ) as engine:
        talk = engine.thread(person="ines", character="wren")
        await talk.turn("Question 0?")
        await talk.switch(off=True)
        for n in range(1, 8):
            await talk.turn(f"Question {n}?")
        told = [m.text for m in chat.for_replies[7] if m.role != "system"]
        assert told[-3:] == ["Question 6?", "Answer 6.", "Question 7?"]
        assert len(talk._unkept.among([])) == 4
        await talk.switch(off=False)
        await talk.turn("Question 8?")
        assert "Question 7?" not in "".join(m.text for m in chat.for_replies[8])


async def test_what_is_said_while_memory_is_off_stays_out_when_it_is_on_by_the_reply() -> None:
    """It was said in confidence, whenever its turn to be stored comes."""

    class Switching(ScriptedChat):
        async def stream(self, messages: Sequence[ChatMessage], **more: Any) -> AsyncIterator[str]:
            await talk.switch(off=False)
            async for piece in super().stream(messages, **more):
                yield piece

    async with souvenance.open(
        settings=SETTINGS,
        chat=Switching(["Not a word."]),
        embedder=HashEmbedder(),
        store=MemoryStore(),
    ) as engine:
        talk = engine.thread(person="ines", character="wren")
        await talk.switch(off=True)
        reply = await talk.turn("I am in love with Odile.")
        assert reply.recorded.off
        assert await talk.history() == []
