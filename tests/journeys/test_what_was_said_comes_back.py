"""What was said and no memory holds: found months later, never where it must not be, and never in the way."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import souvenance
from souvenance import Said, Status
from souvenance.domain import MessageId, Redacted
from souvenance.errors import ModelUnreachable, StoreError
from souvenance.models.fakes import HashEmbedder, ScriptedChat
from souvenance.ports import Store
from souvenance.read.context import strip_fences
from souvenance.read.quotes import parse_quotes
from souvenance.read.verbatim import Found
from souvenance.settings import Settings
from souvenance.stores.memory import MemoryStore
from souvenance.stores.sqlite import open_store
from souvenance.writes import AddMessage, PutThread, RedactMessage

START = datetime(2030, 1, 5, 9, tzinfo=UTC)


@dataclass(frozen=True)
class Tale:
    """An exchange of one language, a question about it months later, and small talk in between."""

    character: str
    said: str
    answered: str
    asked: str
    told: str  # a word that only the answer holds
    heading: str
    filler: tuple[str, str]


TALES = [
    Tale(
        "wren", "What was the name of the lighthouse keeper's dog?",
        "Pilot, a grey lurcher that slept on the stairs.",
        "Remind me, the keeper's dog, what was its name?", "Pilot", "Said earlier, word for word:",
        ("Tide number {n} was late again.", "Then I move table {n} a little."),
    ),
    Tale(
        "mira", "Comment s'appelait le chien du gardien de phare ?",
        "Brisquet, un lévrier gris qui dormait dans l'escalier.",
        "Rappelle-moi, le chien du gardien, il s'appelait comment ?", "Brisquet",
        "Dit plus tôt, mot pour mot :",
        ("La marée numéro {n} avait du retard.", "Alors je décale la table {n} un peu."),
    ),
]  # fmt: skip
BOTH = pytest.mark.parametrize("tale", TALES, ids=["en", "fr"])
EN = TALES[0]


def settings(**verbatim: Any) -> Settings:
    return Settings.model_validate(
        {
            "chat": {"discover": False},
            "turn": {"embedding_deadline_s": 10, "recent_messages": 6},
            "index": {"every_s": 3600},
            "verbatim": verbatim,
        }
    )


@asynccontextmanager
async def opened(
    path: Path, embedder: Any = None, store: Store | None = None, **verbatim: Any
) -> AsyncIterator[souvenance.Engine]:
    """An engine that reflects on nothing, so that no memory is in the way."""
    async with souvenance.open(
        path,
        settings=settings(**verbatim),
        chat=None,
        embedder=embedder or HashEmbedder(),
        store=store,
    ) as engine:
        await engine._worker.stop()
        yield engine


async def told(
    engine: souvenance.Engine, tale: Tale, person: str = "ines", thread: str = "main"
) -> souvenance.Talk:
    """The exchange, three months of small talk, and every window embedded."""
    talk = engine.thread(person, tale.character, thread)
    await talk.append([Said("user", tale.said, START), Said("character", tale.answered, START)])
    await chatted(talk, tale)
    await indexed(engine)
    return talk


async def chatted(talk: souvenance.Talk, tale: Tale, times: int = 10) -> None:
    for n in range(1, times + 1):
        at = START + timedelta(days=9 * n)
        said, answered = (text.format(n=n) for text in tale.filler)
        await talk.append([Said("user", said, at), Said("character", answered, at)])


async def indexed(engine: souvenance.Engine) -> int:
    done = 0
    while True:
        batch = await engine.index_once()
        done += batch.done
        if not batch.left:
            return done


def words(found: Sequence[Found]) -> str:
    """All that a search shows."""
    return " ".join(m.text for f in found for m in (*f.before, f.line, *f.after))


@BOTH
async def test_what_no_memory_holds_comes_back_months_later(tmp_path: Path, tale: Tale) -> None:
    """In a block of its own, with its day and who said it, in the character's language."""
    async with opened(tmp_path / "m.db") as engine:
        await told(engine, tale)
    async with opened(tmp_path / "m.db") as engine:
        talk = engine.thread("ines", tale.character)
        context = await talk.context(tale.asked)
        assert tale.heading in context.text
        quote = parse_quotes(context.text)[0]
        assert quote.day == START.date()
        assert [one.text for one in quote.spoken] == [tale.said, tale.answered]
        assert not context.slots and not context.degraded
        assert len(parse_quotes(context.text)) == len(context.said) <= 3


@BOTH
async def test_a_search_finds_the_message_with_what_stands_around_it(
    tmp_path: Path, tale: Tale
) -> None:
    """For whoever asks on purpose: the person, an agent, a tool."""
    async with opened(tmp_path / "m.db") as engine:
        talk = await told(engine, tale)
        found = await talk.search_messages(tale.asked, 2)
        assert len(found) == 2
        around = {found[0].line.text, *(m.text for m in (*found[0].before, *found[0].after))}
        assert {tale.said, tale.answered} <= around
        assert found[0].line.at == START
        assert await talk.search_messages(" ") == ()
        assert await talk.search_messages(tale.asked, 0) == ()


@BOTH
async def test_with_a_dead_embedder_words_find_it(tmp_path: Path, tale: Tale) -> None:
    """The turn is degraded for its memories as ever, and the words of the question still lead back."""

    class Dead(HashEmbedder):
        async def embed(self, texts: Sequence[str], **_: Any) -> Any:
            raise ModelUnreachable("nobody there")

    async with opened(tmp_path / "m.db") as engine:
        await told(engine, tale)
    async with opened(tmp_path / "m.db", Dead()) as engine:
        talk = engine.thread("ines", tale.character)
        context = await talk.context(tale.asked)
        assert context.reason == "unreachable"
        assert tale.told in context.text
        found = await talk.search_messages(tale.asked, 3)
        assert tale.told in words(found)
        assert [f for f in found if not f.reasons.words] == []


async def test_two_people_and_two_characters_never_meet(tmp_path: Path) -> None:
    """Neither in a turn nor in a search, with names that look alike."""
    async with opened(tmp_path / "m.db") as engine:
        await told(engine, EN, "ines")
        others = [engine.thread(p, "wren") for p in ("ines1", "INES", "ines%", "_nes")]
        for talk in (*others, engine.thread("ines", "mira")):
            await chatted(talk, EN, 2)
            await indexed(engine)
            assert EN.told not in (await talk.context(EN.asked)).text
            assert EN.told not in words(await talk.search_messages(EN.asked, 24))


async def test_threads_of_an_address_share_it_unless_isolation_is_strict(tmp_path: Path) -> None:
    """Global memories follow the same rule."""
    async with opened(tmp_path / "m.db") as engine:
        await told(engine, EN)
        assert EN.told in (await engine.thread("ines", "wren", "aside").context(EN.asked)).text
        wren = await engine.known_character("wren")
        strict = replace(wren, character=type(wren.character)("hermit"), isolation="thread")
        await engine.put_character(strict)
        tale = replace(EN, character="hermit")
        talk = await told(engine, tale)
        assert EN.told in (await talk.context(EN.asked)).text
        aside = engine.thread("ines", "hermit", "aside")
        await chatted(aside, tale, 1)
        assert EN.told not in (await aside.context(EN.asked)).text
        assert all(f.line.thread == "aside" for f in await aside.search_messages(EN.asked, 24))


async def test_while_memory_is_off_nothing_is_embedded_nor_served(tmp_path: Path) -> None:
    """Not of this conversation, nor to it; switched on again, what was said before is there."""
    embedder = Recording()
    async with opened(tmp_path / "m.db", embedder) as engine:
        talk = engine.thread("ines", "wren")
        await talk.append([Said("user", EN.said, START), Said("character", EN.answered, START)])
        await chatted(talk, EN)
        await talk.switch(off=True)
        assert await indexed(engine) == 0
        assert embedder.sent == []
        context = await talk.context(EN.asked)
        assert (context.off, context.text, context.said) == (True, "", ())
        assert await talk.search_messages(EN.asked) == ()
        other = engine.thread("ines", "wren", "aside")
        assert EN.told not in (await other.context(EN.asked)).text
        assert await other.search_messages(EN.asked) == ()
        await talk.switch(off=False)
        assert await indexed(engine) == 2 * 22
        assert EN.told in (await talk.context(EN.asked)).text


class Recording(HashEmbedder):
    """Keeps what it was sent."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[str] = []

    async def embed(self, texts: Sequence[str], **how: Any) -> Any:
        self.sent += texts
        return await super().embed(texts, **how)


async def test_switched_off_by_a_setting_messages_are_left_alone(tmp_path: Path) -> None:
    """No vector and no block; a search on purpose still goes by words."""
    async with opened(tmp_path / "m.db", enabled=False) as engine:
        talk = await told(engine, EN)
        assert engine.store.check().counts["windows"] == 0
        assert (await talk.context(EN.asked)).text == ""
        assert EN.told in words(await talk.search_messages(EN.asked))
    async with opened(tmp_path / "m.db", messages=0) as engine:
        talk = engine.thread("ines", "wren")
        assert (await talk.context(EN.asked)).text == ""
        assert await indexed(engine) == 2 * 22
    async with opened(tmp_path / "m.db", messages=1) as engine:
        assert len((await engine.thread("ines", "wren").context("Tide number 2?")).said) == 1


async def test_what_stands_in_the_prompt_already_is_not_quoted(tmp_path: Path) -> None:
    """Saying it twice would take the room of what is further back."""
    async with opened(tmp_path / "m.db") as engine:
        talk = await told(engine, EN)
        now = START + timedelta(days=200)
        again = f"As I said: {EN.answered}"  # the same words would take one place together
        await talk.append([Said("user", EN.said, now), Said("character", again, now)])
        await indexed(engine)
        assert {f.line.at for f in (await talk.context(EN.asked)).said if EN.told in str(f)} == {
            START
        }
        elsewhere = await engine.thread("ines", "wren", "aside").context(EN.asked)
        assert {f.line.at for f in elsewhere.said if EN.told in str(f)} == {START, now}


@pytest.mark.parametrize("kind", ["sqlite", "memory"])
async def test_a_regenerated_answer_takes_the_place_of_the_one_before(
    tmp_path: Path, kind: str
) -> None:
    """Only the branch that is current was said; the other one is found by nobody."""
    store: Store = MemoryStore() if kind == "memory" else open_store(tmp_path / "m.db")
    async with opened(tmp_path / "m.db", store=store) as engine:
        talk = engine.thread("ines", "wren")
        await talk.append([Said("user", EN.said, START), Said("character", EN.answered, START)])
        await indexed(engine)
        aside = engine.thread("ines", "wren", "aside")
        assert EN.told in (await aside.context(EN.asked)).text
        answered = (await talk.history())[1]
        other = replace(
            answered, message_id=MessageId("other"), text=Redacted("Skipper, a brown terrier.")
        )
        (row,) = await engine.threads("ines")
        writes = [AddMessage(other), PutThread(replace(row, head=other.message_id))]
        store.commit(row.address.space, row.address.person, writes)
        await indexed(engine)
        context = await aside.context(EN.asked)
        assert EN.told not in context.text
        assert "Skipper" in context.text
        assert EN.told not in words(await aside.search_messages(EN.asked, 24))


@pytest.mark.parametrize("kind", ["sqlite", "memory"])
async def test_words_taken_out_of_a_message_are_found_no_more(tmp_path: Path, kind: str) -> None:
    """Neither by word nor through the figures that were made of them, at once and in a process that had read them."""
    store: Store = MemoryStore() if kind == "memory" else open_store(tmp_path / "m.db")
    async with opened(tmp_path / "m.db", store=store) as engine:
        talk = await told(engine, EN)
        assert EN.told in (await talk.context(EN.asked)).text
        answered = (await talk.history(99))[1]
        row = (await engine.threads("ines"))[0]
        gone = RedactMessage(row.address, answered.message_id, Redacted("[phone]"))
        before = store.check().counts["windows"]
        store.commit(row.address.space, row.address.person, [gone])
        assert store.check().counts["windows"] < before
        assert EN.told not in (await talk.context(EN.asked)).text
        await indexed(engine)
        assert store.check().counts["windows"] == before
        assert EN.told not in words(await talk.search_messages(EN.asked, 24))


async def test_what_a_memory_tells_is_not_quoted_and_what_was_forgotten_is_not_brought_back(
    tmp_path: Path,
) -> None:
    """Forgetting a fact and finding its sentence in the next context would be a broken promise."""
    async with souvenance.open(
        tmp_path / "m.db", settings=settings(), chat=None, embedder=HashEmbedder()
    ) as engine:
        talk = engine.thread("ines", "wren")
        fact = "I keep eleven hives of black bees on my roof."
        await talk.append([Said("user", fact, START), Said("character", "Mind the gulls.", START)])
        await engine.drain(30)
        await chatted(talk, EN)
        await engine.drain(30)
        await indexed(engine)
        asked = "How many hives of bees do I keep on my roof?"
        (memory,) = [m for m in await talk.memories.list() if "hives" in m.text]
        context = await talk.context(asked)
        assert memory.memory_id in [s.memory.memory_id for s in context.slots]
        assert fact not in [f.line.text for f in context.said]
        await talk.memories.forget(memory.memory_id)
        assert "hives" not in (await talk.context(asked)).text
        assert fact not in words(await talk.search_messages("hives bees roof", 24))
        await talk.memories.restore(memory.memory_id)
        assert fact in words(await talk.search_messages("hives bees roof", 24))
        assert [m.status for m in await talk.memories.list() if "hives" in m.text] == [
            Status.ACTIVE
        ]


class Failing(MemoryStore):
    """Everything can be read but what the search of messages reads."""

    class _Windows:
        def __getattr__(self, name: str) -> Any:
            raise StoreError("these rows cannot be read")

    def fail(self) -> None:
        self.windows = self._Windows()  # type: ignore[assignment]


async def test_a_search_that_fails_leaves_the_turn_as_it_is(tmp_path: Path) -> None:
    """The memories are served, and the turn is not degraded by what it never promised."""
    store = Failing()
    async with opened(tmp_path / "m.db", store=store) as engine:
        talk = await told(engine, EN)
        await talk.memories.add("Ines keeps bees on the roof.")
        store.fail()
        context = await talk.context("How are the bees? And the keeper's dog?")
        assert "bees" in context.text
        assert (context.said, context.degraded) == ((), False)
        assert engine.health.degraded_turns == 0


async def test_what_was_quoted_is_not_learnt_again(tmp_path: Path) -> None:
    """The block goes with its fence, so that a client that echoes it teaches nothing."""
    async with opened(tmp_path / "m.db") as engine:
        talk = await told(engine, EN)
        context = await talk.context(EN.asked)
        assert EN.told in context.text
        assert strip_fences(f"before {context.text} after") == "before  after"


async def test_the_model_is_given_the_quotes(tmp_path: Path) -> None:
    """They stand in its last message, before what is said now."""
    chat = ScriptedChat(then="Pilot.")
    async with opened(tmp_path / "m.db") as engine:
        await told(engine, EN)
    async with souvenance.open(
        tmp_path / "m.db", settings=settings(), chat=chat, embedder=HashEmbedder()
    ) as engine:
        await engine.thread("ines", "wren").turn(EN.asked)
    assert EN.answered in chat.for_replies[0][-1].text
