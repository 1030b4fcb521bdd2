"""A conversation that is remembered, through the Python library, with a real database file."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import souvenance
from souvenance.models.fakes import HashEmbedder
from souvenance.settings import Settings

SETTINGS = Settings.model_validate(
    {"chat": {"discover": False}, "turn": {"embedding_deadline_s": 10}, "index": {"every_s": 3600}}
)


def opened(path: Path, **parts: object) -> object:
    """An engine on `path` without a chat model, whatever runs on this machine."""
    return souvenance.open(path, settings=SETTINGS, chat=None, embedder=HashEmbedder(), **parts)  # type: ignore[arg-type]


async def test_what_was_said_comes_back_with_its_reason(tmp_path: Path) -> None:
    """The main job: a fact said today is in tomorrow's context, and the context says why."""
    async with opened(tmp_path / "m.db") as engine:
        talk = engine.thread(person="ines", character="wren")
        recorded = await talk.record(
            "I keep bees on the roof of my house.", "Mind the gulls, then."
        )
        assert recorded.job is not None
        noted = await talk.reflected(30)
        assert [e.action for e in noted if e.action == "added"] == ["added"]
    async with opened(tmp_path / "m.db") as engine:
        context = await engine.thread(person="ines", character="wren").context("How are my bees?")
        assert "bees on the roof" in context.text
        assert context.slots[0].stage
        assert not context.degraded


async def test_nothing_is_lost_between_the_reply_and_the_reflection(tmp_path: Path) -> None:
    """A process that dies right after recording leaves a job, and the next start runs it."""
    async with opened(tmp_path / "m.db") as engine:
        await engine._worker.stop()
        talk = engine.thread(person="ines", character="wren")
        await talk.record("My brother Tomas repairs clocks.", "A patient man.")
        assert len(engine.store.jobs.unfinished()) == 1
    async with opened(tmp_path / "m.db") as engine:
        assert await engine.drain(30) == 0
        listed = await engine.thread(person="ines", character="wren").memories.list()
        assert any("Tomas" in m.text for m in listed)


async def test_the_same_key_is_recorded_once(tmp_path: Path) -> None:
    """A client that retries after a lost answer must not make the person say things twice."""
    async with opened(tmp_path / "m.db") as engine:
        talk = engine.thread(person="ines", character="wren")
        first = await talk.record("I moved to Porto.", "Sunny.", key="exchange-1")
        again = await talk.record("I moved to Porto.", "Sunny.", key="exchange-1")
        assert (first.known, again.known) == (False, True)
        assert len(await talk.history()) == 2


async def test_off_is_really_off_and_on_reads_nothing_of_it(tmp_path: Path) -> None:
    """What is said while memory is off leaves no byte, is never served, and is not read afterwards."""
    path = tmp_path / "m.db"
    async with opened(path) as engine:
        talk = engine.thread(person="ines", character="wren")
        await talk.record("I collect tide tables from Lisbon.", "So do I.")
        await talk.reflected(30)
        await talk.switch(off=True)
        off = await talk.record("My secret garden is in Setubalito.", "I will not note it.")
        assert off.off
        context = await talk.context("tide tables")
        assert (context.text, context.off) == ("", True)
        await talk.switch(off=False)
        await engine.drain(30)
        assert "Lisbon" in (await talk.context("tide tables")).text
        assert not [m for m in await talk.memories.list(statuses=()) if "Setubalito" in m.text]
    found = b"".join(p.read_bytes() for p in tmp_path.iterdir())
    assert b"Lisbon" in found
    assert b"Setubalito" not in found


async def test_a_person_never_sees_anothers_memory(tmp_path: Path) -> None:
    """Two people and one character share nothing, even with look-alike names."""
    async with opened(tmp_path / "m.db") as engine:
        await engine.thread(person="user", character="wren").record(
            "I am allergic to kiwi.", "Noted."
        )
        await engine.drain(30)
        for other in ("user1", "use_", "USER", "user%"):
            context = await engine.thread(person=other, character="wren").context("kiwi allergy")
            assert "kiwi" not in context.text


async def test_the_hand_corrects_forgets_and_brings_back(tmp_path: Path) -> None:
    """A wrong line is mended in one call, stays mended, and every step can be undone."""
    async with opened(tmp_path / "m.db") as engine:
        talk = engine.thread(person="ines", character="wren")
        hand = talk.memories
        added = (await hand.add("Ines plays the cello.")).memory
        await hand.edit(added.memory_id, "Ines plays the viola.")
        assert "viola" in (await talk.context("music")).text
        await hand.forget(added.memory_id)
        assert "viola" not in (await talk.context("music")).text
        await hand.restore(added.memory_id)
        assert "viola" in (await talk.context("music")).text
        states = await hand.history(added.memory_id)
        assert [m.status for m in states] == ["active", "active", "forgotten", "active"]


async def test_an_identifier_never_reaches_the_file(tmp_path: Path) -> None:
    """Messages, memories and what a hand writes are redacted before they are stored, and the caller is told."""
    async with opened(tmp_path / "m.db") as engine:
        talk = engine.thread(person="ines", character="wren")
        recorded = await talk.record(
            "I live in Porto, write to ines.verlaine@mail.example.",
            "I wrote to ines.verlaine@mail.example.",
        )
        change = await talk.memories.add("Reach Ines at ines.verlaine@mail.example.")
        assert recorded.removed == ("email",)
        assert change.removed == ("email",)
        await talk.reflected(30)
    assert b"ines.verlaine" not in b"".join(p.read_bytes() for p in tmp_path.iterdir())


async def test_a_message_of_one_megabyte_is_stored_whole(tmp_path: Path) -> None:
    """A pasted book is cut for embedding, not for the record."""
    book = "The tide table of the harbour says nothing of love. " * 20_000
    async with opened(tmp_path / "m.db") as engine:
        talk = engine.thread(person="ines", character="wren")
        context = await talk.context(book)
        await talk.record(book, "That was long.")
        assert (await talk.history())[0].text == book
        assert not context.degraded


def test_scripts_get_the_same_verbs_without_async(tmp_path: Path) -> None:
    """A teacher's notebook has no event loop."""
    with opened(tmp_path / "m.db") as engine:
        talk = engine.thread(person="ines", character="wren")
        talk.record("I keep bees on the roof.", "Mind the gulls.")
        assert engine.drain(30) == 0
        assert "bees" in talk.context("my bees").text
        assert [m.text for m in talk.memories.list()]


@pytest.mark.parametrize("isolation", ["character", "thread"])
async def test_isolation_decides_whether_threads_share(tmp_path: Path, isolation: str) -> None:
    """A strict character keeps each thread to itself, whatever reflection proposes."""
    from dataclasses import replace

    from souvenance.characters import unwritten

    async with opened(tmp_path / "m.db") as engine:
        plain = unwritten("lone", "default", "en")  # type: ignore[arg-type]
        await engine.put_character(replace(plain, isolation=isolation))  # type: ignore[arg-type]
        await engine.thread(person="ines", character="lone", thread="a").record(
            "I am allergic to kiwi.", "Noted."
        )
        await engine.drain(30)
        context = await engine.thread(person="ines", character="lone", thread="b").context("kiwi")
        assert ("kiwi" in context.text) == (isolation == "character")


async def test_a_closed_memory_is_not_corrected_by_mistake(tmp_path: Path) -> None:
    """Pinning or forgetting what is closed would change nothing that the person sees: it says so instead."""
    async with opened(tmp_path / "m.db") as engine:
        hand = engine.thread(person="ines", character="wren").memories
        identity = (await hand.add("Ines plays the cello.")).memory.memory_id
        await hand.forget(identity)
        for act in (hand.forget, hand.pin):
            with pytest.raises(souvenance.BadInput, match="already"):
                await act(identity)


@pytest.mark.parametrize(
    ("person", "character", "thread"),
    [
        ("", "wren", "main"),
        ("ines", " ", "main"),
        ("ines", "wren", "\n"),
        ("\ud800", "wren", "main"),
    ],
)
async def test_a_blank_name_is_refused(
    tmp_path: Path, person: str, character: str, thread: str
) -> None:
    """A blank name is a caller's bug: it would gather everybody's memories in one place."""
    async with opened(tmp_path / "m.db") as engine:
        with pytest.raises(souvenance.BadInput):
            engine.thread(person, character, thread)


def test_the_blocking_verbs_are_those_of_the_async_ones() -> None:
    """What a script can do is what an application can do."""
    from souvenance.blocking import BlockingEngine, BlockingTalk
    from souvenance.engine import Engine
    from souvenance.turn import Talk

    def verbs(one: type) -> set[str]:
        return {name for name in vars(one) if not name.startswith("_")}

    assert verbs(Talk) <= verbs(BlockingTalk)
    wired = {"breaker", "character", "known_character"}
    assert verbs(Engine) - wired <= verbs(BlockingEngine)


async def test_a_closed_engine_says_so(tmp_path: Path) -> None:
    """A bot that outlives its engine gets a sentence, or a degraded context, and not the words of a thread pool."""
    async with opened(tmp_path / "m.db") as engine:
        talk = engine.thread(person="ines", character="wren")
    with pytest.raises(souvenance.StoreError, match="closed"):
        await talk.record("I keep bees.", "Good.")
    with pytest.raises(souvenance.StoreError, match="closed"):
        await talk.memories.list()
    assert (await talk.context("bees?")).degraded
    with opened(tmp_path / "m.db") as blocking:
        late = blocking.thread(person="ines", character="wren")
    with pytest.raises(souvenance.StoreError, match="closed"):
        late.context("bees?")


async def test_nothing_is_added_by_hand_while_memory_is_off(tmp_path: Path) -> None:
    """Off means nothing written, by anybody; what exists can still be corrected and forgotten."""
    async with opened(tmp_path / "m.db") as engine:
        talk = engine.thread(person="ines", character="wren")
        kept = (await talk.memories.add("Ines keeps bees.")).memory.memory_id
        await talk.switch(off=True)
        with pytest.raises(souvenance.BadInput, match="off"):
            await talk.memories.add("Ines plays the viola.")
        await talk.memories.forget(kept)


async def test_a_name_that_is_an_address_is_redacted(tmp_path: Path) -> None:
    """Front-ends often give an e-mail as the name to show."""
    async with opened(tmp_path / "m.db") as engine:
        talk = engine.thread(person="ines", character="wren", name="ines.verlaine@mail.example")
        await talk.record("I keep bees.", "Good.")
    assert b"ines.verlaine" not in b"".join(p.read_bytes() for p in tmp_path.iterdir())


async def test_two_programs_that_speak_at_once_lose_no_message_of_the_thread(
    tmp_path: Path,
) -> None:
    """A service and a command line may serve one thread: what both said is on its one path, each exchange whole."""
    path = tmp_path / "m.db"
    async with opened(path) as one, opened(path) as other:
        talks = [e.thread(person="ines", character="wren") for e in (one, other)]
        await asyncio.gather(
            *(
                talk.record(f"I keep hive {n} of side {side}.", f"Hive {n} of side {side}, then.")
                for n in range(12)
                for side, talk in enumerate(talks)
            )
        )
        path_read = [m.text for m in await talks[0].history(1_000)]
    assert len(path_read) == 48
    pairs = list(zip(path_read[::2], path_read[1::2], strict=True))
    assert all(said.removeprefix("I keep hive")[:-1] in reply for said, reply in pairs)


async def test_what_answers_the_message_says_so_whatever_its_stage(tmp_path: Path) -> None:
    """ "Known everywhere" says where a memory may be served; the person asks why it is there now."""
    async with opened(tmp_path / "m.db") as engine:
        talk = engine.thread(person="ines", character="wren")
        await talk.memories.add("Ines keeps bees on the roof.")
        await talk.memories.add("Ines was born in Porto.")
        while (await engine.index_once()).left:
            pass
        context = await talk.context("Where do the bees live, on the roof?")
        reasons = {slot.memory.text: slot.reason.code for slot in context.slots}
        assert reasons["Ines keeps bees on the roof."] in ("meaning", "meaning+words", "words")


async def test_undoing_passes_over_what_was_only_said_again(tmp_path: Path) -> None:
    """Somebody who undoes an edit wants the words back, not a count of evidence."""
    async with opened(tmp_path / "m.db") as engine:
        talk = engine.thread(person="ines", character="wren")
        for _ in range(3):
            await talk.record("I keep bees on the roof.", "Mind the gulls.")
            assert await engine.drain(30) == 0
        (memory,) = await talk.memories.list()
        assert len(memory.messages) == 3
        await talk.memories.pin(memory.memory_id)
        await talk.memories.unpin(memory.memory_id)
        back = await talk.memories.restore(memory.memory_id)
        assert back.memory.pinned and len(back.memory.messages) == 3


def test_a_script_reflects_again_without_async(tmp_path: Path) -> None:
    """The same verbs, waited for; by rules there is nothing to change."""
    with opened(tmp_path / "m.db") as engine:
        talk = engine.thread(person="ines", character="wren")
        talk.record("I keep bees on the roof.", "Mind the gulls.")
        assert engine.drain(30) == 0
        again = talk.again(chat=None)
        (one,) = again.exchanges()
        again.take(again.propose(one), one.messages)
        compared = again.compare(one.messages)
        assert (again.by, compared.lines, compared.reflected) == ("rules", (), 1)
        assert talk.memories.conflicts() == []
