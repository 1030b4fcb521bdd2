"""What is read of somebody's memories enters their settings file, and everything else in it stays as it was."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from souvenance.errors import BadSetting
from souvenance.settings import load
from souvenance.settingsfile import with_section, write_section

VALUES = {"embedder": "nomic", "threshold": 0.61, "spread": 0.04, "word_weight": 1.2, "slots": 12}

THEIRS = """\
# my settings, do not lose this
space = "club"   # ours

[chat]
url = "http://127.0.0.1:8080"
model = "m" # the small one
"""


def test_every_other_line_stays(tmp_path: Path) -> None:
    """Comments are what a person wrote to themselves."""
    path = tmp_path / "s.toml"
    path.write_text(THEIRS, "utf-8")
    path.chmod(0o640)
    write_section(path, "recall.fr", VALUES, ["Read on a day."])
    text = path.read_text("utf-8")
    assert text.startswith(THEIRS)
    assert "# Read on a day." in text
    assert path.stat().st_mode & 0o777 == 0o640
    read = load(file=path, env={}).settings
    assert (read.recall.fr.threshold, read.recall.fr.slots, read.space) == (0.61, 12, "club")
    assert [p.name for p in tmp_path.iterdir()] == ["s.toml"]


def test_the_next_one_takes_the_place_of_the_last(tmp_path: Path) -> None:
    """Also between other lines, and without touching the section of another language."""
    path = tmp_path / "s.toml"
    path.write_text(THEIRS, "utf-8")
    write_section(path, "recall.fr", VALUES, ["One."])
    write_section(path, "recall.en", VALUES, ["Other."])
    path.write_text(path.read_text("utf-8") + "\n[turn] # mine\nrecent_messages = 9\n", "utf-8")
    write_section(path, "recall.fr", {**VALUES, "threshold": 0.5}, ["Two."])
    text = path.read_text("utf-8")
    assert text.startswith(THEIRS)
    assert "One." not in text
    assert "[turn] # mine" in text
    read = tomllib.loads(text)
    assert (read["recall"]["fr"]["threshold"], read["recall"]["en"]["threshold"]) == (0.5, 0.61)
    assert read["turn"] == {"recent_messages": 9}
    write_section(path, "recall.fr", {**VALUES, "threshold": 0.5}, ["Two."])
    assert len(path.read_text("utf-8").splitlines()) == len(text.splitlines())


def test_a_file_is_made_where_there_is_none(tmp_path: Path) -> None:
    """And only its owner reads it."""
    path = tmp_path / "new" / "souvenance.toml"
    write_section(path, "recall.en", {**VALUES, "embedder": 'a "b"\\c'}, [])
    assert load(file=path, env={}).settings.recall.en.embedder == 'a "b"\\c'
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "text",
    [
        "[recall.fr]\nembedder = 'x'\n",
        "recall = {}\n",
        with_section("", "recall.fr", VALUES, []) + "slots_by_hand = 3\n",  # type: ignore[operator]
    ],
)
def test_a_table_by_other_hands_is_left_alone(tmp_path: Path, text: str) -> None:
    """Refused with what to do, and not a byte is changed."""
    path = tmp_path / "s.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(BadSetting, match=r"its own \[recall\.fr\]"):
        write_section(path, "recall.fr", VALUES, [])
    assert path.read_text("utf-8") == text


def test_what_cannot_be_read_or_written_says_so(tmp_path: Path) -> None:
    """A broken file is mended by its owner, not overwritten."""
    path = tmp_path / "s.toml"
    path.write_text("space = ", "utf-8")
    with pytest.raises(BadSetting, match="not valid TOML"):
        write_section(path, "recall.fr", VALUES, [])
    assert path.read_text("utf-8") == "space = "
    with pytest.raises(BadSetting, match="cannot be written"):
        write_section(tmp_path, "recall.fr", VALUES, [])


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """People keep their settings elsewhere and link to them."""
    path, link = tmp_path / "s.toml", tmp_path / "link.toml"
    path.write_text(THEIRS, "utf-8")
    link.symlink_to(path)
    write_section(link, "recall.fr", VALUES, [])
    assert link.is_symlink()
    assert "recall.fr" in path.read_text("utf-8")
