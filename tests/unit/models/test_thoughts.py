"""Thoughts are taken out, whole or in pieces, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from souvenance.models.thoughts import Thoughts, without_thoughts

CASES = [
    ("Hello.", "Hello."),
    ("<think>a</think>Hello.", "Hello."),
    ("<THINK>a</Think>\n\nHello.", "Hello."),
    ("<thinking>a</thinking>Hello.", "Hello."),
    ("<think>a</think>Hello <think>b</think>you.", "Hello you."),
    ("<think>a", ""),
    ("Hello.<think>a", "Hello."),
    ("a < b, <b>bold</b>, <thin ice>", "a < b, <b>bold</b>, <thin ice>"),
    ("the end <thi", "the end <thi"),
    ("\n\n  Hello.", "Hello."),
]


def streamed(pieces: list[str]) -> str:
    thoughts = Thoughts()
    return "".join([thoughts.feed(p) for p in pieces]) + thoughts.rest()


@pytest.mark.parametrize(("text", "shown"), CASES)
def test_a_text_is_shown_without_its_thoughts(text: str, shown: str) -> None:
    """Whole, and one character at a time."""
    assert streamed([text]) == shown
    assert streamed(list(text)) == shown
    assert without_thoughts(text).strip() == shown


@given(
    st.lists(
        st.sampled_from(["<", "think", ">", "/", "</think>", "<think>", "a", " ", "\n", "é"]),
        max_size=25,
    )
)
def test_where_a_stream_is_cut_changes_nothing(pieces: list[str]) -> None:
    """Servers cut anywhere, inside a tag too."""
    text = "".join(pieces)
    assert streamed(pieces) == streamed([text]) == streamed(list(text))


def test_a_piece_is_shown_at_once_unless_it_may_be_a_tag() -> None:
    """A reader should not wait for the end of the reply."""
    thoughts = Thoughts()
    assert thoughts.feed("Hello <") == "Hello "
    assert thoughts.feed("3") == "<3"
    assert thoughts.feed(" <th") == " "
    assert thoughts.feed("ree>") == "<three>"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("hm, goats</think>Yes.", "Yes."),
        ('so {x}</think>\n{"a": 1}', '{"a": 1}'),
        ('<think>{"a": 0}</think>{"a": "</think>"}', '{"a": "</think>"}'),
        ('```json\n{"a": "<think>"}\n```', '```json\n{"a": "<think>"}\n```'),
    ],
)
def test_a_whole_answer_shows_where_its_thought_ended(text: str, answer: str) -> None:
    """Some servers swallow the opening tag; a tag inside JSON is somebody's words."""
    assert without_thoughts(text) == answer
