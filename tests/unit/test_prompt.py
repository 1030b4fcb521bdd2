"""The prompt of a turn: what changes least first, nothing remembered in the system message, roles that alternate."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from souvenance.domain import DEFAULT_SPACE, Character, CharacterId
from souvenance.ports import ChatMessage
from souvenance.prompt import Budget, Notes, build_prompt
from souvenance.read.context import estimate_tokens

WREN = Character(DEFAULT_SPACE, CharacterId("wren"), "Wren", "You are Wren, a lock keeper.")
NOTES = Notes("<rules>", "<slots>")
WIDE = Budget(tokens=100_000)


def talk(exchanges: int) -> list[ChatMessage]:
    said = []
    for n in range(exchanges):
        said.append(ChatMessage("user", f"Question {n} about the barge."))
        said.append(ChatMessage("assistant", f"Answer {n} about the barge."))
    return said


def written(prompt: list[ChatMessage]) -> str:
    return "".join(f"\0{one.role}\n{one.text}" for one in prompt)


def common(one: str, other: str) -> int:
    return next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )


def test_only_the_persona_speaks_as_the_system() -> None:
    """What a person said must not gain the authority of who made the character."""
    prompt = build_prompt(WREN, NOTES, talk(3), "And now?", WIDE)
    assert [m.text for m in prompt if m.role == "system"] == [WREN.persona]


def test_the_memories_stand_right_before_what_is_asked() -> None:
    """They change at each turn; after them nothing can be reused."""
    prompt = build_prompt(WREN, NOTES, talk(3), "And now?", WIDE)
    assert prompt[-1] == ChatMessage("user", "<slots>\n\nAnd now?")
    assert prompt[1].text == "<rules>\n\nQuestion 0 about the barge."


@pytest.mark.parametrize("said", [[], talk(2), [ChatMessage("assistant", "Ahoy."), *talk(2)]])
def test_roles_alternate_from_the_person_on(said: list[ChatMessage]) -> None:
    """Several chat templates refuse two messages of one role in a row, or an answer that comes first."""
    roles = [m.role for m in build_prompt(WREN, NOTES, said, "And now?", WIDE)]
    assert roles[:2] == ["system", "user"]
    assert all(a != b for a, b in pairwise(roles))


def test_persona_and_rules_are_the_same_bytes_at_every_turn() -> None:
    """A server keeps what it computed for a prefix only while not one byte of it changes."""
    budget = Budget(tokens=900, recent_messages=12)
    stable = f"\0system\n{WREN.persona}\0user\n<rules>"
    for turn in range(40):
        notes = Notes("<rules>", f"<slots of turn {turn}>")
        prompt = build_prompt(WREN, notes, talk(turn)[-12:], f"Question {turn}", budget)
        assert written(prompt).startswith(stable)


def test_a_window_that_moves_on_keeps_its_first_message_for_several_turns() -> None:
    """Dropping the oldest message at each turn would make the server read all the others anew."""
    firsts = []
    for turn in range(30, 60):
        prompt = build_prompt(WREN, NOTES, talk(turn)[-40:], f"Question {turn}", WIDE)
        firsts.append(prompt[1].text)
    moves = sum(a != b for a, b in pairwise(firsts))
    assert moves <= 15


def test_a_talk_that_fits_is_given_whole() -> None:
    """Nothing is left out for the sake of a cache while there is room for all."""
    prompt = build_prompt(WREN, NOTES, talk(15), "And now?", WIDE)
    assert len(prompt) == 32


@given(exchanges=st.integers(0, 30), tokens=st.integers(60, 1_200), recent=st.integers(2, 40))
def test_a_prompt_keeps_its_budget_and_at_least_three_quarters_of_what_fits(
    exchanges: int, tokens: int, recent: int
) -> None:
    """The new message is always whole; what is kept of the others is an unbroken end of the talk."""
    said = talk(exchanges)[-recent:]
    prompt = build_prompt(WREN, Notes(), said, "And now?", Budget(tokens, recent))
    assert prompt[-1] == ChatMessage("user", "And now?")
    kept = prompt[1:-1]
    assert kept == said[len(said) - len(kept) :]
    assert sum(estimate_tokens(m.text) for m in prompt) <= tokens
    room = tokens - estimate_tokens(WREN.persona) - estimate_tokens("And now?")
    fits = min(len(said), room // estimate_tokens("Question 10 about the barge."))
    assert len(kept) >= fits - max(1, round(fits / 4))


def test_the_same_talk_with_other_slots_shares_all_but_the_last_message() -> None:
    """What the slots cost is the last message and no more."""
    one = written(build_prompt(WREN, NOTES, talk(5), "And now?", WIDE))
    other = written(build_prompt(WREN, Notes("<rules>", "other"), talk(5), "And now?", WIDE))
    assert one[common(one, other) :].startswith("<slots>")
