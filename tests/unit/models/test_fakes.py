"""The stand-ins behave as their ports promise, exactly."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from souvenance.errors import ModelUnreachable
from souvenance.models.fakes import FixedClock, HashEmbedder, ScriptedChat, StepClock
from souvenance.ports import ChatMessage

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
HELLO = [ChatMessage("user", "Hello.")]


async def test_shared_words_bring_hashed_texts_near() -> None:
    """Enough meaning for a test of recall, and the same on every machine."""
    rows = await HashEmbedder().embed(
        ["The goat is in the barn", "the GOAT is in the mill", "Nothing alike whatsoever"],
        timeout_s=1,
    )
    embedder = HashEmbedder()
    assert rows[0] @ rows[1] > embedder.threshold > abs(rows[0] @ rows[2])


async def test_a_scripted_chat_says_its_lines_and_keeps_what_it_was_asked() -> None:
    """Tests read there what was sent."""
    chat = ScriptedChat(
        ["One two.", ModelUnreachable("gone")], answers=[lambda m: m[-1].text.upper()]
    )
    assert [p async for p in chat.stream(HELLO)] == ["One", " two."]
    with pytest.raises(ModelUnreachable):
        await anext(chat.stream(HELLO))
    assert await chat.answer_json(HELLO, schema={"a": 1}, schema_name="s", max_tokens=1) == "HELLO."
    assert chat.asked == [tuple(HELLO)] * 3
    assert chat.schemas == [None, None, {"a": 1}]
    assert chat.for_replies == [tuple(HELLO)] * 2
    with pytest.raises(LookupError, match="lines"):
        await anext(chat.stream(HELLO))


async def test_a_scripted_reply_is_not_taken_by_who_asks_for_json() -> None:
    """A reflection in the background asks whenever it comes to it, and the test still hears its own replies."""
    chat = ScriptedChat(["One.", "Two."], answers=["{}"])
    ask = {"schema": {"a": 1}, "schema_name": "s", "max_tokens": 1}
    assert await chat.answer_json(HELLO, **ask) == "{}"
    with pytest.raises(LookupError, match="answers"):
        await chat.answer_json(HELLO, **ask)
    assert [p for _ in range(2) async for p in chat.stream(HELLO)] == ["One.", "Two."]


async def test_a_scripted_chat_can_go_on_for_ever() -> None:
    """Long conversations need no list as long as they are."""
    chat = ScriptedChat(["First."], then="Then.")
    said = [[p async for p in chat.stream(HELLO)] for _ in range(3)]
    assert said == [["First."], ["Then."], ["Then."]]


def test_clocks_move_only_as_told() -> None:
    """A test that depends on the time of day fails at night."""
    fixed, steps = FixedClock(NOON), StepClock(NOON, timedelta(minutes=1))
    assert fixed.now() == fixed.now() == NOON
    fixed.advance(timedelta(days=1))
    assert fixed.now() == NOON + timedelta(days=1)
    assert [steps.now().minute for _ in range(3)] == [0, 1, 2]
