"""An application's event loop belongs to the application: no call of ours sleeps, reads a file or a database in it."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

import souvenance
from never_blocking import OffLoopOnly, never_blocking
from souvenance.models.chat import OpenAIChat
from souvenance.models.embed import BundledEmbedder, OpenAIEmbedder
from souvenance.models.scripted import Hang, Say, ScriptedServer
from souvenance.ports import Embedder
from souvenance.settings import Settings
from souvenance.stores.sqlite import open_store

SETTINGS = Settings.model_validate(
    {
        "chat": {"discover": False},
        "index": {"every_s": 3600},
        "reflection": {"idle_s": 0.0},
        "turn": {"embedding_deadline_s": 5},
    }
)


async def a_day(engine: souvenance.Engine) -> None:
    """Everything an application does: turns, records, the person's hand, reflection, the index, progress, threads."""
    talk = engine.thread("ines", "wren", name="Ines")
    await talk.turn("I live in Porto, near the river.")
    await talk.context("where do I live?")
    await talk.record("I keep bees.", "On the roof?", key="k")
    await talk.reflected(10)
    hand = talk.memories
    added = (await hand.add("Ines plays the viola.")).memory
    await hand.edit(added.memory_id, "Ines plays the viola on Sundays.")
    await hand.pin(added.memory_id)
    await hand.list()
    await hand.forget(added.memory_id)
    await engine.drain(10)
    while (await engine.index_once()).left:
        pass
    await engine.index_progress()
    await engine.threads("ines")
    await engine.characters()
    await talk.switch(off=True)
    await talk.context("anything?")
    await talk.switch(off=False)


@pytest.mark.parametrize("embedder", ["bundled", "remote", "hanging"])
async def test_nothing_blocks_the_loop_of_an_application(tmp_path: Path, embedder: str) -> None:
    """With the embedder that ships, one behind a server, and one that does not answer."""
    store = open_store(tmp_path / "m.db")
    steps = [Hang(30)] * 50 if embedder == "hanging" else []
    settings = SETTINGS
    if embedder == "hanging":
        settings = SETTINGS.model_copy(
            update={"turn": SETTINGS.turn.model_copy(update={"embedding_deadline_s": 0.2})}
        )
    with ScriptedServer([Say("Lovely.")], embeddings=steps) as server:
        chosen: Embedder = (
            BundledEmbedder() if embedder == "bundled" else OpenAIEmbedder(server.url, "any")
        )
        chat = OpenAIChat(server.url, "any")
        with never_blocking() as found:
            watched = OffLoopOnly(store, found)
            async with souvenance.open(
                settings=settings, chat=chat, embedder=chosen, store=watched
            ) as engine:
                if embedder == "hanging":
                    talk = engine.thread("ines", "wren")
                    await talk.turn("I live in Porto.")
                    await talk.turn("Where do I live?")
                else:
                    await a_day(engine)
    assert found == [], "\n".join(found)


async def test_a_turn_opens_the_database_of_its_path_off_the_loop(tmp_path: Path) -> None:
    """Opening checks the file, migrates it and reads the key beside it."""
    with never_blocking() as found:
        async with souvenance.open(
            tmp_path / "m.db", settings=SETTINGS, chat=None, embedder=None
        ) as engine:
            await engine.thread("ines", "mira").context("bonjour")
    assert found == [], "\n".join(found)


async def test_the_watch_itself_sees_what_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A guard that never barks guards nothing."""
    store = open_store(tmp_path / "m.db")
    monkeypatch.setattr("never_blocking._OURS", "tests")
    with never_blocking() as found:
        time.sleep(0)
        (tmp_path / "x").write_text("x")
        OffLoopOnly(store, found).jobs.unfinished()
        await asyncio.to_thread(time.sleep, 0)
    store.close()
    assert [f.split()[0] for f in found] == ["time.sleep", "open", "store.unfinished"]
