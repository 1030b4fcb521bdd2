"""The language of the interface and the plural of its messages."""

from __future__ import annotations

import pytest

from souvenance.interfaces.cli.wording import early, from_locale, words

LOCALES = [
    ({"LANG": "fr_FR.UTF-8"}, "fr"),
    ({"LANG": "fr_CA"}, "fr"),
    ({"LANG": "en_GB.UTF-8"}, "en"),
    ({"LANG": "C.UTF-8"}, "en"),
    ({"LANG": "de_DE.UTF-8"}, "en"),
    ({"LC_ALL": "en_US.UTF-8", "LANG": "fr_FR.UTF-8"}, "en"),
    ({"LC_MESSAGES": "fr_BE.UTF-8", "LANG": "en_US.UTF-8"}, "fr"),
    ({"LC_ALL": "", "LANG": "fr_FR"}, "fr"),
    ({}, "en"),
]


@pytest.mark.parametrize(("env", "language"), LOCALES)
def test_the_locale_chooses_the_language(env: dict[str, str], language: str) -> None:
    """LC_ALL beats LC_MESSAGES, which beats LANG; what is neither French nor English is English."""
    assert from_locale(env) == language


def test_what_is_asked_beats_the_locale() -> None:
    """The nearest wish wins, even before any settings file is read: help needs a language too."""
    env = {"LANG": "fr_FR.UTF-8"}
    assert early(["--help"], env) == "fr"
    assert early(["--help"], {**env, "SOUVENANCE_LANGUAGE": "en"}) == "en"
    assert early(["chat", "--lang", "fr"], {"SOUVENANCE_LANGUAGE": "en"}) == "fr"
    assert early(["--lang=en"], env) == "en"
    assert early(["--lang", "xx"], env) == "fr"


@pytest.mark.parametrize(
    ("language", "n", "said"),
    [("fr", 0, "0 souvenir"), ("fr", 1, "1 souvenir"), ("fr", 2, "2 souvenirs"),
     ("en", 0, "0 memories"), ("en", 1, "1 memory"), ("en", 2, "2 memories")],
)  # fmt: skip
def test_each_language_counts_its_own_way(language: str, n: int, said: str) -> None:
    """Zero is singular in French and plural in English."""
    assert words(language)("memories.count", n=n) == said  # type: ignore[arg-type]


def test_stored_text_is_never_read_as_a_template() -> None:
    """A memory that holds braces must be shown as it is."""
    assert "{thread.__class__}" in words("en")("slash.new", thread="{thread.__class__}")
