"""What somebody who adds a language is told about their folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from souvenance.lang import codes
from souvenance.lang.__main__ import main, progress


def test_each_language_there_is_has_nearly_every_list() -> None:
    """A language is complete when what it leaves empty has no use in it."""
    for code in codes():
        missing = [one.name for one in progress(code) if one.missing]
        assert len(missing) <= 6, (code, missing)


def test_a_list_without_entries_is_done_when_it_says_that_none_is_needed(tmp_path: Path) -> None:
    """An empty file is work to do; `# None.` in it is a decision."""
    (tmp_path / "articles.txt").write_text("# Articles.\n# None.\n", "utf-8")
    (tmp_path / "months.txt").write_text("# Months.\n", "utf-8")
    by_name = {one.name: one for one in progress("fi", tmp_path)}
    assert not by_name["articles"].missing and by_name["months"].missing


def test_every_list_says_what_it_is_for() -> None:
    """The first line of the English file is what a translator reads."""
    assert [one.name for one in progress("en") if not one.purpose] == []


def test_a_new_folder_shows_what_is_missing_and_what_is_odd(tmp_path: Path) -> None:
    """Two entries that are one without accents are pointed at; a missing list counts as empty."""
    (tmp_path / "articles.txt").write_text("# Artículos.\nel\nél\nla\n", "utf-8")
    (tmp_path / "own_list.txt").write_text("# Only here.\nx\n", "utf-8")
    by_name = {one.name: one for one in progress("es", tmp_path)}
    assert (by_name["articles"].entries, by_name["articles"].odd) == (3, ("el = él",))
    assert by_name["months"].entries == 0 and by_name["months"].in_english >= 12
    assert by_name["own_list"].purpose == "Only here."


def test_the_command_says_which_folders_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    """And ends with 1 while a list is missing."""
    assert main(["en"]) == 0
    assert "function_words" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["zz"])
    assert "copy `en`" in capsys.readouterr().err


def test_the_command_tells_of_everyday_words_and_of_the_voice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both are optional, so a folder without them is told so and nothing more."""
    bare, full = tmp_path / "bare" / "es", tmp_path / "full" / "es"
    for where in (bare, full):
        where.mkdir(parents=True)
        (where / "language.toml").write_text('name = "Español"\nstemmer = "spanish"\n', "utf-8")
    (full / "everyday.toml").write_text('"curro" = "trabajo"\n"peque" = "niño"\n', "utf-8")
    with (full / "language.toml").open("a", encoding="utf-8") as file:
        file.write('[voice]\n"X" = "yo"\n')
    main([str(bare)])
    said = capsys.readouterr().out
    assert "everyday.toml: no entries" in said and "[voice]: no entries" in said
    main([str(full)])
    said = capsys.readouterr().out
    assert "everyday.toml: 2 entries" in said and "[voice]: 1 entries" in said
