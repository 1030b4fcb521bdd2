"""What leaves the machine holds no identifier: never to the embedder, never to reflection, and to no model when asked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import souvenance
from souvenance.domain import fingerprint
from souvenance.errors import FilterBroken
from souvenance.models.fakes import HashEmbedder, ScriptedChat
from souvenance.settings import Settings
from souvenance.write.filters import identifiers

CANARIES = (
    "06 98 41 27 31",
    "odile@exemple.fr",
    "4539 1488 0343 6467",
    "FR76 3000 6000 0112 3456 7890 189",
)
SAID = f"J'adore le fenouil. Retiens {', '.join(CANARIES)}."
ANSWER = json.dumps(
    {
        "reasoning": "",
        "candidates": [
            {
                "text": f"Ines adore le fenouil, {CANARIES[0]}.", "kind": "preference", "scope": "global",
                "confidence": 0.9, "quote": "J'adore le fenouil.",
            }
        ],
    }
)  # fmt: skip


class RecordingEmbedder(HashEmbedder):
    """Remembers every text that it was sent."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[str] = []

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, query_in: str | None = None
    ) -> Any:
        self.sent += texts
        return await super().embed(texts, timeout_s=timeout_s, query_in=query_in)


def settings(**turn: Any) -> Settings:
    return Settings.model_validate(
        {
            "chat": {"discover": False},
            "turn": {"embedding_deadline_s": 10, **turn},
            "reflection": {"idle_s": 0.0},
            "index": {"every_s": 3600},
        }
    )


def held(texts: Sequence[str]) -> list[str]:
    return [c for c in CANARIES for t in texts if c in t]


async def test_neither_the_embedder_nor_reflection_is_sent_an_identifier(tmp_path: Path) -> None:
    """Both may be remote: they get what the database would, by hand and by reflection alike."""
    chat, embedder = ScriptedChat([f"Noté : {SAID}"], then=ANSWER), RecordingEmbedder()
    async with souvenance.open(
        tmp_path / "m.db", settings=settings(), chat=chat, embedder=embedder
    ) as engine:
        talk = engine.thread(person="ines", character="wren")
        await talk.turn(SAID)
        await talk.memories.add(SAID)
        await engine.drain(30)
        await engine.index_once()
        await talk.context(f"fenouil {SAID}")
    assert any("fenouil" in t for t in embedder.sent)
    assert held(embedder.sent) == []
    reflections = [
        m.text for asked, s in zip(chat.asked, chat.schemas, strict=True) if s for m in asked
    ]
    assert any("fenouil" in t for t in reflections)
    assert held(reflections) == []


async def test_no_window_of_messages_sent_to_the_embedder_holds_an_identifier(
    tmp_path: Path,
) -> None:
    """Neither one said at once, nor the pieces of one said over several messages, nor one the character repeats."""
    embedder = RecordingEmbedder()
    number = ["06 98 41", "27 31"]
    async with souvenance.open(
        tmp_path / "m.db", settings=settings(), chat=None, embedder=embedder
    ) as engine:
        talk = engine.thread(person="ines", character="wren")
        await talk.record(SAID, f"Noté : {SAID}")
        await talk.record(f"Mon numéro commence par {number[0]}", f"{number[0]}, et la suite ?")
        await talk.record(number[1], f"{' '.join(number)}, bien.")
        await engine.drain(30)
        while (await engine.index_once()).left:
            pass
        windows = [text for text in embedder.sent if "\n" in text]
        assert windows and any("fenouil" in text for text in windows)
        assert held(embedder.sent) == []
        assert [text for text in embedder.sent for piece in number if piece in text] == []
        kept = engine.store.check().counts["windows"]
        await talk.record("mon numéro c'est 06 12", "Oui ?")
        while (await engine.index_once()).left:
            pass
        assert engine.store.check().counts["windows"] > kept
        await talk.record("34 56 78", "Noté.")
        texts = {w.fingerprint for w in engine.store.windows.load(talk.address, embedder.name, [talk.thread])}  # fmt: skip
        told = [text for text in embedder.sent if "06 12" in text]
        assert told, "the first piece was nothing yet"
        assert texts.isdisjoint(map(fingerprint, told)), "its figures went with it"


@pytest.mark.parametrize("redacted", [True, False])
async def test_the_replying_model_is_asked_without_identifiers_when_that_is_set(
    tmp_path: Path, redacted: bool
) -> None:
    """Off by default: a character cannot dial a number that it never saw, and the model may be one's own."""
    chat = ScriptedChat(then=f"Bien. {SAID}")
    async with souvenance.open(
        tmp_path / "m.db",
        settings=settings(redact_before_model=redacted),
        chat=chat,
        embedder=HashEmbedder(),
    ) as engine:
        talk = engine.thread(person="ines", character="wren")
        await talk.switch(
            off=True
        )  # what is said meanwhile is kept in this process as it was typed
        await talk.turn(SAID)
        await talk.turn("Mon numéro est le 06 12 34")
        await talk.turn("56 78")
    replies = [m.text for asked in chat.for_replies for m in asked]
    assert (held(replies) == []) is redacted
    last = [m.text for m in chat.for_replies[-1]]
    assert ("[phone]" in last) is redacted
    assert any("06 12 34" in t for t in last) is not redacted


async def test_a_broken_filter_asks_no_model_when_it_should_redact(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It fails closed: no answer is better than a number sent away."""
    chat = ScriptedChat(then="Bien.")
    async with souvenance.open(
        tmp_path / "m.db", settings=settings(redact_before_model=True), chat=chat, embedder=None
    ) as engine:
        talk = engine.thread(person="ines", character="wren")
        monkeypatch.setattr(identifiers, "view_of", _broken)
        with pytest.raises(FilterBroken):
            await talk.turn(SAID)
    assert chat.asked == []


def _broken(_: str) -> Any:
    raise ZeroDivisionError


async def test_a_broken_filter_writes_nothing_at_any_border(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Recording, the hand, reflection and recalling: each says so, and no byte is kept or sent."""
    chat, embedder = ScriptedChat([f"Noté : {SAID}"], then=ANSWER), RecordingEmbedder()
    async with souvenance.open(
        tmp_path / "m.db", settings=settings(), chat=chat, embedder=embedder
    ) as engine:
        talk = engine.thread(person="ines", character="wren")
        added = await talk.memories.add("J'habite à Sète.")
        monkeypatch.setattr(identifiers, "view_of", _broken)
        for refused in (
            talk.record(SAID, "Bien."),
            talk.memories.add(SAID),
            talk.memories.edit(added.memory.memory_id, SAID),
        ):
            with pytest.raises(FilterBroken):
                await refused
        embedder.sent.clear()
        context = await talk.context(SAID)
        assert (context.text, context.reason, embedder.sent) == ("", "filter-failed", [])
        reply = await talk.turn(SAID)  # the reply stands; nothing of it is recorded
        assert reply.recorded.failed
        assert await talk.history() == []
        assert [m.text for m in await talk.memories.list(statuses=())] == ["J'habite à Sète."]
    stored = b"".join(p.read_bytes() for p in tmp_path.iterdir())
    assert b"fenouil" not in stored


async def test_a_filter_that_breaks_during_reflection_parks_it_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exchange waits in the failure inbox and can be reflected on again."""
    chat = ScriptedChat(then=ANSWER)
    async with souvenance.open(
        tmp_path / "m.db", settings=settings(), chat=chat, embedder=None
    ) as engine:
        talk = engine.thread(person="ines", character="wren")
        monkeypatch.setattr("souvenance.write.filters.private.redact", _broken_filter)
        await talk.record("J'adore le fenouil.", "Bien.")
        await engine.drain(30)
        assert await talk.memories.list(statuses=()) == []
        (failure,) = await talk.memories.failed()
        assert "filter failed" in failure.reason
        assert failure.raw == ""


def _broken_filter(_: str) -> Any:
    raise FilterBroken("The private-identifier filter failed; nothing was written.")
