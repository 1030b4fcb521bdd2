"""Locks that others hold, and parts that are stuck: the reply comes, what was said is pending, and nothing is lost."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import souvenance
from holding import held
from souvenance.errors import StoreBusy
from souvenance.keeping import MOST_PENDING, Keeping, until_free
from souvenance.models.fakes import HashEmbedder, ScriptedChat
from souvenance.ports import Vector
from souvenance.settings import Settings
from souvenance.stores.memory import MemoryStore
from souvenance.stores.sqlite import open_store

SETTINGS = Settings.model_validate({"chat": {"discover": False}, "index": {"every_s": 3600}})

NOTHING = '{"reasoning": "", "candidates": []}'


def opened(file: Path, chat: ScriptedChat | None = None) -> souvenance.opening.Opening:
    """An engine whose store gives up on another program's lock soon, so that it must try again."""
    store = open_store(file, busy_timeout_s=0.1)
    return souvenance.open(settings=SETTINGS, chat=chat, embedder=HashEmbedder(), store=store)


async def until_stored(engine: souvenance.Engine) -> None:
    while engine.pending:
        await asyncio.sleep(0.02)


async def said(talk: souvenance.Talk) -> list[str]:
    return [str(m.text) for m in await talk.history()]


# --- another program writes ---------------------------------------------------------------------


async def test_a_reply_comes_while_another_program_holds_the_write_lock(tmp_path: Path) -> None:
    """Its exchange is pending, enters the next prompt all the same, and is stored once the lock is free."""
    file = tmp_path / "m.db"
    chat = ScriptedChat(["Lovely town.", "By the river.", "I remember."], then=NOTHING)
    async with opened(file, chat) as engine:
        talk = engine.thread("ines", "wren")
        with held("write", file):
            first = await asyncio.wait_for(talk.turn("I live in Porto."), 30)
            second = await asyncio.wait_for(talk.turn("Where in it?"), 30)
            assert (first.text, second.text) == ("Lovely town.", "By the river.")
            assert first.recorded.pending and second.recorded.pending
            assert engine.pending == 2
            assert await said(talk) == []
            asked = [m.text for m in chat.for_replies[1]]
            assert asked[-3:] == ["I live in Porto.", "Lovely town.", "Where in it?"]
        await until_stored(engine)
        assert await said(talk) == [
            "I live in Porto.",
            "Lovely town.",
            "Where in it?",
            "By the river.",
        ]
        await talk.turn("And now?")
        prompt = [m.text for m in chat.for_replies[-1] if m.text == "I live in Porto."]
        assert engine.health.unrecorded_turns == 0
        assert len(prompt) <= 1


async def test_what_is_pending_stands_in_a_prompt_once(tmp_path: Path) -> None:
    """Stored between two turns, it is read from the store and no longer beside it."""
    file = tmp_path / "m.db"
    chat = ScriptedChat(["one", "two"], then=NOTHING)
    async with opened(file, chat) as engine:
        talk = engine.thread("ines", "wren")
        with held("write", file):
            await talk.turn("I live in Porto.")
        await until_stored(engine)
        await talk.turn("And you?")
        assert [m.text for m in chat.for_replies[1]].count("I live in Porto.") == 1


async def test_a_record_is_acknowledged_after_its_commit_and_not_before(tmp_path: Path) -> None:
    """Acknowledged means durable, however long another program writes."""
    file = tmp_path / "m.db"
    async with opened(file) as engine:
        talk = engine.thread("ines", "wren")
        await talk.record("I live in Porto.", "Lovely town.")
        with held("write", file):
            waiting = asyncio.create_task(talk.record("By the river.", "Which one?"))
            await asyncio.sleep(0.5)  # several tries
            assert not waiting.done() and engine.pending == 1
            assert not (await talk.context("where do I live?")).degraded
        recorded = await asyncio.wait_for(waiting, 30)
        assert len(recorded.messages) == 2 and not recorded.pending
        assert (await said(talk))[2:] == ["By the river.", "Which one?"]


async def test_who_stops_waiting_for_a_record_does_not_undo_it(tmp_path: Path) -> None:
    """A client that disconnects has said what it said."""
    file = tmp_path / "m.db"
    async with opened(file) as engine:
        talk = engine.thread("ines", "wren")
        with held("write", file):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(talk.record("By the river.", "Which one?"), 0.2)
            assert engine.pending == 1
        await until_stored(engine)
        assert await said(talk) == ["By the river.", "Which one?"]


async def test_closing_stores_what_is_pending(tmp_path: Path) -> None:
    """An engine that is closed the moment a reply is out loses nothing."""
    file = tmp_path / "m.db"
    chat = ScriptedChat(["Lovely town."], then=NOTHING)
    async with opened(file, chat) as engine:
        with held("write", file):
            reply = await engine.thread("ines", "wren").turn("I live in Porto.")
            assert reply.recorded.pending
    async with opened(file) as engine:
        assert await said(engine.thread("ines", "wren")) == ["I live in Porto.", "Lovely town."]


async def test_one_exchange_too_many_is_refused_aloud(tmp_path: Path) -> None:
    """The queue has a bound: past it the reply still comes, its exchange is told as not kept, and counted."""
    file = tmp_path / "m.db"
    chat = ScriptedChat(["Lovely town."], then=NOTHING)
    async with opened(file, chat) as engine:
        with held("write", file):
            crowd = engine.thread("noor", "wren")
            waiting = [
                asyncio.create_task(crowd.record(f"note {n}", "yes")) for n in range(MOST_PENDING)
            ]
            await asyncio.sleep(0)
            assert engine.pending == MOST_PENDING
            reply = await engine.thread("ines", "wren").turn("I live in Porto.")
            assert reply.text == "Lovely town."
            assert reply.recorded.failed and "waiting for the database" in reply.recorded.failed
            assert engine.health.unrecorded_turns == 1
            with pytest.raises(StoreBusy):
                await engine.thread("ines", "wren").record("I live in Porto.", "Oh.")
        await asyncio.wait_for(asyncio.gather(*waiting), 60)
        stored = [str(m.text) for m in await crowd.history(2 * MOST_PENDING)]
        assert stored[::2] == [f"note {n}" for n in range(MOST_PENDING)]


async def test_what_cannot_be_stored_in_the_end_is_counted() -> None:
    """Closing waits for a while and then says how much it had to give up."""
    keeping = Keeping()

    async def busy() -> None:
        raise StoreBusy("held")

    task = keeping.begin(lambda: until_free(busy))
    assert await keeping.close(timeout_s=0.05) == 1
    assert task.cancelled() and keeping.pending == 0


@pytest.mark.parametrize("kind", ["read", "checkpoint"])
async def test_a_long_read_or_a_checkpoint_elsewhere_keeps_nobody(
    tmp_path: Path, kind: str
) -> None:
    """In the write-ahead log neither of them stands in the way of a turn or of a commit."""
    file = tmp_path / "m.db"
    async with opened(file) as engine:
        talk = engine.thread("ines", "wren")
        await talk.memories.add("Ines keeps bees.")
        with held(kind, file):
            for n in range(20):
                context = await talk.context(f"the bees, {n}?")
                assert "bees" in context.text and context.reason is None
                await talk.record(f"the bees, {n}?", "They hum.")
        assert len(await said(talk)) == 40


# --- the index is stuck -------------------------------------------------------------------------


class StuckAtBatches(HashEmbedder):
    """An embedder that never comes back from a batch, and answers single questions."""

    def __init__(self) -> None:
        super().__init__()
        self.reached = asyncio.Event()

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, query_in: str | None = None
    ) -> Vector:
        if len(texts) > 1:
            self.reached.set()
            await asyncio.sleep(3600)
        return await super().embed(texts, timeout_s=timeout_s, query_in=query_in)


async def test_an_index_stuck_in_its_embedder_keeps_nobody(tmp_path: Path) -> None:
    """Turns embed their own message, write, and remember while the index hangs on its batch."""
    embedder = StuckAtBatches()
    async with souvenance.open(
        tmp_path / "m.db", settings=SETTINGS, chat=None, embedder=embedder
    ) as engine:
        talk = engine.thread("ines", "wren")
        await talk.memories.add("Ines keeps bees.")
        await talk.memories.add("Ines plays the viola.")
        index = asyncio.create_task(engine.index_once())
        await asyncio.wait_for(embedder.reached.wait(), 30)
        context = await talk.context("the bees?")
        assert "bees" in context.text and context.reason is None
        await talk.record("the bees?", "They hum.")
        index.cancel()
        await asyncio.gather(index, return_exceptions=True)


class Gated:
    """A store one of whose calls waits for a gate, wherever it stands."""

    def __init__(self, inner: Any, gate: threading.Event, calls: frozenset[str]) -> None:
        self._inner, self._gate, self._calls = inner, gate, calls

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if name in ("conversations", "memories", "jobs", "vectors", "windows"):
            return Gated(found, self._gate, self._calls)
        if name not in self._calls:
            return found

        def call(*args: Any, **options: Any) -> Any:
            self._gate.wait(60)
            return found(*args, **options)

        return call


def gated(*calls: str) -> tuple[Gated, threading.Event]:
    gate = threading.Event()
    gate.set()
    return Gated(MemoryStore(), gate, frozenset(calls)), gate


async def test_an_index_stuck_in_the_write_thread_keeps_no_reply() -> None:
    """The one writer is held by the index: contexts are whole, the reply comes, its exchange waits its turn."""
    store, gate = gated("put")
    chat = ScriptedChat(["They hum."], then=NOTHING)
    async with souvenance.open(
        settings=SETTINGS, chat=chat, embedder=HashEmbedder(), store=store
    ) as engine:
        talk = engine.thread("ines", "wren")
        await talk.memories.add("Ines keeps bees.")
        gate.clear()
        index = asyncio.create_task(engine.index_once())
        await asyncio.sleep(0.1)
        assert "bees" in (await talk.context("the bees?")).text
        reply = await asyncio.wait_for(talk.turn("the bees?"), 30)
        assert (reply.text, reply.recorded.pending) == ("They hum.", True)
        gate.set()
        await index
        await until_stored(engine)
        assert await said(talk) == ["the bees?", "They hum."]


async def test_a_long_reading_of_what_was_said_keeps_no_reply() -> None:
    """It is absent, however often it is asked for meanwhile; the memories are whole and no turn is degraded."""
    store, gate = gated("known", "path")
    settings = SETTINGS.model_copy(
        update={"turn": SETTINGS.turn.model_copy(update={"recent_messages": 2})}
    )
    async with souvenance.open(
        settings=settings, chat=None, embedder=HashEmbedder(), store=store
    ) as engine:
        await engine._worker.stop()
        talk = engine.thread("ines", "wren")
        await talk.memories.add("Ines keeps bees.")
        await talk.record(
            "The ferryman called his boat Marigold, after an aunt in Genoa.", "A good name."
        )
        for n in range(20):
            await talk.record(f"Tide {n}.", f"Table {n}.")
        while (await engine.index_once()).left:
            pass
        gate.clear()
        question = "Do the bees know the ferryman's boat Marigold?"
        for _ in range(6):
            context = await asyncio.wait_for(talk.context(question), 30)
            assert "Ines keeps bees" in context.text
            assert (context.said, context.degraded) == ((), False)
        gate.set()
        await talk.warm()
        assert "called his boat Marigold" in (await talk.context(question)).text


async def test_a_store_that_does_not_answer_costs_memory_and_not_the_reply() -> None:
    """Every reader is stuck: contexts are empty and say so, replies come, and all is kept once it answers."""
    store, gate = gated("switches", "thread", "stamp", "path", "person", "timelines")
    chat = ScriptedChat(["one", "two", "three", "four"], then=NOTHING)
    settings = SETTINGS.model_copy(
        update={"turn": SETTINGS.turn.model_copy(update={"embedding_deadline_s": 0.2})}
    )
    async with souvenance.open(
        settings=settings, chat=chat, embedder=HashEmbedder(), store=store
    ) as engine:
        talk = engine.thread("ines", "wren")
        await talk.memories.add("Ines keeps bees.")
        gate.clear()
        for n in range(4):
            reply = await asyncio.wait_for(talk.turn(f"bees, {n}?"), 30)
            assert reply.context.reason == "store-late" and reply.recorded.pending
        assert engine.health.degraded_turns == 4
        gate.set()
        await until_stored(engine)
        assert len(await said(talk)) == 8
        while (await talk.context("the bees?")).degraded:
            await asyncio.sleep(0.02)


async def test_a_conversation_can_be_read_before_its_first_turn() -> None:
    """Who opens one early has its memories in hand when the person has typed."""
    store, gate = gated("current")
    async with souvenance.open(
        settings=SETTINGS, chat=None, embedder=HashEmbedder(), store=store
    ) as engine:
        talk = engine.thread("ines", "wren")
        await talk.memories.add("Ines keeps bees.")
        await talk.warm()
        gate.clear()  # nothing more is read of what did not change
        context = await talk.context("the bees?")
        assert "bees" in context.text and context.reason is None
        gate.set()
