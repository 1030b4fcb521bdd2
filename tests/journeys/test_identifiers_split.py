"""A number said over two messages: both pieces go, the person is told, the rest stays."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import souvenance
from souvenance.recording import Said
from souvenance.settings import Settings

SETTINGS = Settings.model_validate(
    {"chat": {"discover": False}, "embedder": {"kind": "none"}, "reflection": {"idle_s": 0.0}}
)
AT = datetime(2031, 5, 4, 20, 0, tzinfo=UTC)


def opened(path: Path) -> object:
    return souvenance.open(path, settings=SETTINGS, chat=None, embedder=None)


async def texts(talk: object) -> list[str]:
    return [m.text for m in await talk.history()]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("first", "second", "left", "now", "kind"),
    [
        ("Mon numéro est le 06 12 34", "56 78 et j'adore le fenouil", "Mon numéro est le [phone]", "[phone] et j'adore le fenouil", "phone"),
        ("My card is 4539 1488", "then 0343 6467", "My card is [card]", "then [card]", "card"),
        ("Mon mail : lea.martin", "@exemple.fr", "Mon mail : [email]", "[email]", "email"),
    ],
)  # fmt: skip
async def test_both_pieces_leave_the_store_and_the_person_is_told(
    tmp_path: Path, first: str, second: str, left: str, now: str, kind: str
) -> None:
    """The first message is stored already when the second makes a number of it: it is overwritten."""
    async with opened(tmp_path / "m.db") as engine:
        talk = engine.thread(person="ines", character="wren")
        before = await talk.record(first, "Go on.")
        recorded = await talk.record(second, "I forget it at once.")
        assert (before.removed, recorded.removed) == ((), (kind,))
        assert await texts(talk) == [left, "Go on.", now, "I forget it at once."]
        journal = await talk.memories.journal()
        assert left in [e.text for e in journal if e.ref == "identifiers_split"]
        await engine.drain(30)
        every = await talk.memories.list(statuses=())
        assert not [m for m in every if first[-5:] in m.text or second[:5] in m.text]


async def test_a_memory_made_of_the_first_piece_is_mended(tmp_path: Path) -> None:
    """Reflection may have been quicker than the person: what it kept of the piece is taken out too."""
    async with opened(tmp_path / "m.db") as engine:
        talk = engine.thread(person="ines", character="wren")
        await talk.record("J'habite à Sète et mon numéro commence par 06 12 34", "Et ?")
        await engine.drain(30)
        kept = await talk.memories.list()
        assert any("06 12 34" in m.text for m in kept), "reflection kept the sentence"
        await talk.record("56 78", "Oublié.")
        after = await talk.memories.list()
        assert [m for m in after if "Sète" in m.text]
        assert not [m for m in after if "06 12 34" in m.text + m.quote]


async def test_what_was_said_long_before_is_not_joined(tmp_path: Path) -> None:
    """Half an hour later, two figures are two figures."""
    async with opened(tmp_path / "m.db") as engine:
        talk = engine.thread(person="ines", character="wren")
        await talk.append([Said("user", "Mon numéro est le 06 12 34", AT)])
        await talk.append([Said("user", "56 78", AT + timedelta(hours=1))])
        assert await texts(talk) == ["Mon numéro est le 06 12 34", "56 78"]


async def test_messages_recorded_together_are_joined_too(tmp_path: Path) -> None:
    """An import brings whole conversations at once."""
    async with opened(tmp_path / "m.db") as engine:
        talk = engine.thread(person="ines", character="wren")
        said = [
            Said("user", "Mon numéro est le 06 12 34", AT),
            Said("character", "Et la suite ?", AT),
            Said("user", "56 78", AT),
        ]
        recorded = await talk.append(said)
        assert recorded.removed == ("phone",)
        assert await texts(talk) == ["Mon numéro est le [phone]", "Et la suite ?", "[phone]"]
    stored = b"".join(p.read_bytes() for p in tmp_path.iterdir())
    assert b"06 12 34" not in stored
