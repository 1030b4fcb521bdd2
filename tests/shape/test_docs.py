"""The pages of docs/ that list things: what exists is in them, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from souvenance.interfaces.cli.wording import words
from souvenance.lang.__main__ import progress
from souvenance.measure.pii import TYPES
from souvenance.settings import Loaded, Settings

ROOT = Path(__file__).parents[2]
#: Their defaults depend on the machine.
_PLACES = {"database", "characters"}


def test_every_setting_is_in_its_page_with_its_default() -> None:
    """A setting that no page names is one that nobody finds."""
    page = (ROOT / "docs/settings.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `([a-z_.]+)` \| (.+?) \| \S", page, re.MULTILINE))
    shown = Loaded(Settings(), {}).shown()
    assert set(rows) == set(shown)
    told = {key: value.strip("`") for key, value in rows.items() if key not in _PLACES}
    assert told == {key: value for key, value in shown.items() if key not in _PLACES}


def test_the_page_of_languages_says_about_how_many_lists_there_are() -> None:
    """Whoever starts a language should know the size of the work; the command counts exactly."""
    page = (ROOT / "docs/adding-a-language.md").read_text("utf-8")
    found = re.search(r"about (\d+) lists", page)
    assert found is not None
    assert int(found[1]) == pytest.approx(len(progress("en")), rel=0.1)


@pytest.mark.parametrize("page", ["README.md", "README.fr.md"])
@pytest.mark.parametrize("command", ["settle", "souvenance threads", "souvenance characters"])
def test_the_readme_lists_the_commands_that_are_looked_for(page: str, command: str) -> None:
    """A command that is in no page is found by nobody."""
    assert command in (ROOT / page).read_text("utf-8")


@pytest.mark.parametrize(
    ("code", "key"), [("kind", "column.kind"), ("scope", "said.no_scope"), ("kind", "said.no_kind")]
)
def test_the_screens_and_the_glossary_have_one_word_for_one_idea(code: str, key: str) -> None:
    """Two words for one thing look like two things."""
    rows = re.findall(r"^\| (\w+) \| (\w+) \|", (ROOT / "GLOSSARY.md").read_text("utf-8"), re.M)
    french = {english: word for word, english in rows}
    spoken = words("fr")
    assert french[code] in spoken.get(key) + spoken.errors.get(key, "")


@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_type_of_identifier_has_a_name(language: str) -> None:
    """What the bench accepts as a type is what the screens can name."""
    messages = words(language).messages  # type: ignore[arg-type]
    named = {key.removeprefix("identifier.") for key in messages if key.startswith("identifier.")}
    assert named == set(TYPES)
