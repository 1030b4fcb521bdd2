"""Stored text must be unable to act on a terminal, and must lose nothing in JSON."""

from __future__ import annotations

import io
import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from souvenance.interfaces.cli.invocation import _console
from souvenance.interfaces.cli.render import table
from souvenance.interfaces.cli.safe import as_json, block, one_line, short

HOSTILE = [
    ("clear the screen", "a\x1b[2Jb", "a␛[2Jb"),
    ("retitle the window", "\x1b]0;owned\x07", "␛]0;owned␇"),
    ("hidden link (OSC 8)", "\x1b]8;;http://evil.test\x1b\\click\x1b]8;;\x1b\\",
     "␛]8;;http://evil.test␛\\click␛]8;;␛\\"),
    ("C1 CSI", "a\x9b31mred", "a\ufffd31mred"),
    ("C1 OSC", "a\x9d0;x\x9c", "a\ufffd0;x\ufffd"),
    ("bell", "ding\x07", "ding␇"),
    ("backspace over what came before", "safe\x08\x08\x08\x08evil", "safe␈␈␈␈evil"),
    ("carriage return over the line", "safe\revil", "safe␍evil"),
    ("DEL", "a\x7fb", "a␡b"),
    ("NUL", "a\x00b", "a␀b"),
    ("right-to-left override", "\u202egnp.exe", "\ufffdgnp.exe"),
    ("isolate", "a\u2067b\u2069c", "a\ufffdb\ufffdc"),
    ("zero width inside a word", "pass\u200bword", "password"),
    ("byte order mark", "\ufeffhello", "hello"),
    ("soft hyphen", "sou\u00advenir", "souvenir"),
    ("invisible tags", "hi\U000e0041\U000e0042", "hi"),
    ("lone surrogate", "a\ud800b", "a\ufffdb"),
    ("two lines in a one-line place", "first\nsecond", "first second"),
    ("line separator", "first\u2028second", "first second"),
    ("shift out of the character set", "\x0eabc", "␎abc"),
]  # fmt: skip


@pytest.mark.parametrize(("attack", "text", "shown"), HOSTILE, ids=[h[0] for h in HOSTILE])
def test_what_a_terminal_would_obey_is_shown_instead(attack: str, text: str, shown: str) -> None:
    """Anybody can write a memory: an import, another person's message, a model."""
    assert one_line(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "Élodie aime le thé « bien noir » à 5 €",
        "naïve – œuvre’s",
        "日本語のメモ",
        "שלום",
        "🐝🪻",
        "x\u00a0y",
    ],
)
def test_ordinary_writing_is_left_alone(text: str) -> None:
    """Accents, other scripts and emoji are not an attack."""
    assert block(text) == text


@given(st.text(alphabet=st.characters()))
def test_nothing_that_acts_remains(text: str) -> None:
    """Whatever is stored, no control, format or surrogate character comes out, and a line is one line."""
    for char in one_line(text):
        assert unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp")
    assert all(char == "\n" or unicodedata.category(char) != "Cc" for char in block(text))


@given(st.lists(st.text(alphabet=st.characters()), max_size=4))
def test_a_stream_in_pieces_is_as_harmless_as_the_whole(pieces: list[str]) -> None:
    """A model may cut an escape sequence between two pieces."""
    assert "".join(map(block, pieces)) == block("".join(pieces))


@given(st.text(alphabet=st.characters()))
def test_json_keeps_everything_and_acts_on_nothing(text: str) -> None:
    """A program must get exactly what is stored; a person who runs it at a terminal must be safe."""
    written = as_json({"text": text})
    assert json.loads(written) == {"text": text}
    assert all(unicodedata.category(c) not in ("Cc", "Cs", "Zl", "Zp") for c in written)
    assert not set(written) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b")


def test_json_stays_readable() -> None:
    """French in JSON is read by people too."""
    assert as_json({"t": "Élodie – 5 €"}) == '{"t": "Élodie – 5 €"}'


@pytest.mark.parametrize(
    "text", ["[bold]hi[/bold]", "[link=http://evil.test]x[/link]", "[/]", ":bee:", "[red]"]
)
def test_markup_is_text(text: str) -> None:
    """Rich markup in a memory must neither style, nor link, nor crash."""
    stream = io.StringIO()
    console = _console(stream)
    console.file = stream
    console.print(table(["id", "text"], [("1", text)], wide=1))
    console.print(text)
    assert stream.getvalue().count(text) == 2
    assert "\x1b" not in stream.getvalue()


def test_a_narrow_terminal_folds_and_loses_nothing() -> None:
    """At 30 columns every word must still be there."""
    stream = io.StringIO()
    text = "the long story of a lighthouse keeper and his seven goats"
    console = Console(file=stream, width=30, markup=False)
    console.print(table(["id", "kind", "text"], [("0123456789", "fact", text)], wide=2))
    flat = "".join(stream.getvalue().split())
    assert all(letter in flat for letter in set(text) - {" "})
    assert max(map(len, stream.getvalue().splitlines())) <= 30


def test_a_long_text_is_cut_with_an_ellipsis() -> None:
    """The quiet line after a turn is a line."""
    assert short("abcdef", 4) == "abc…"
    assert short("abc", 4) == "abc"
