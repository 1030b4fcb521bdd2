"""The journal as a person uses it: read, written to a private file, and decided again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from souvenance.interfaces.cli.app import app

Run = Callable[..., Result]
WHO = ("-p", "Colombe", "-c", "mira")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command on a database that holds one short conversation."""
    monkeypatch.setenv("SOUVENANCE_DATABASE", str(tmp_path / "memory.db"))
    monkeypatch.setenv("SOUVENANCE_EMBEDDER_KIND", "none")
    monkeypatch.chdir(tmp_path)
    said = ["Je suis relieuse à Angers.", "Je n'aime pas le latex.", "Mon chat s'appelle Bulle."]
    messages = [
        {"role": role, "at": f"2031-02-0{n + 1}T19:00:0{k}+01:00", "text": text}
        for n, one in enumerate(said)
        for k, (role, text) in enumerate((("user", one), ("character", "Ah.")))
    ]
    line = {
        "id": "c",
        "lang": "fr",
        "character": "Mira",
        "user_name": "Colombe",
        "messages": messages,
    }
    (tmp_path / "said.jsonl").write_text(json.dumps(line, ensure_ascii=False) + "\n", "utf-8")

    def invoke(*args: str) -> Result:
        return CliRunner().invoke(app, list(args))

    assert invoke("replay", "said.jsonl", *WHO).exit_code == 0
    return invoke


def _json(result: Result) -> Any:
    return json.loads(result.stdout)


def test_the_journal_lists_what_was_decided_with_its_reason(run: Run) -> None:
    """The newest first, the closing lines of reflections among them."""
    entries = _json(run("journal", "list", "--json", *WHO, "-t", "c"))["journal"]
    assert {e["action"] for e in entries} >= {"added", "reflected"}
    assert any("relieuse" in e["text"] for e in entries)
    shown = run("journal", "list", "--lang", "fr", *WHO, "-t", "c")
    assert "ajouté" in shown.stdout and "relieuse" in shown.stdout


def test_a_recorded_journal_is_private_and_never_written_over(run: Run, tmp_path: Path) -> None:
    """It holds what was said."""
    assert run("journal", "record", "j.jsonl", *WHO).exit_code == 0
    assert (tmp_path / "j.jsonl").stat().st_mode & 0o777 == 0o600
    before = (tmp_path / "j.jsonl").read_bytes()
    again = run("journal", "record", "j.jsonl", *WHO)
    assert again.exit_code == 2 and "exists already" in again.stderr
    assert (tmp_path / "j.jsonl").read_bytes() == before


def test_everything_decided_is_decided_the_same_again(run: Run) -> None:
    """From the database and from the file, a hand's actions in between included."""
    (memory, *_) = _json(run("memories", "list", "--json", *WHO, "-t", "c"))["memories"]
    assert run("memories", "forget", memory["id"], *WHO, "-t", "c").exit_code == 0
    assert run("journal", "record", "j.jsonl", *WHO).exit_code == 0
    for source in ((), ("j.jsonl",)):
        checked = run("journal", "check", *source, "--json", *WHO)
        assert checked.exit_code == 0, checked.output
        assert _json(checked) == {"reflections": 3, "erased": 0, "differences": []}


def test_a_decision_that_differs_is_shown_and_ends_with_one(run: Run, tmp_path: Path) -> None:
    """So that a script notices."""
    assert run("journal", "record", "j.jsonl", *WHO).exit_code == 0
    text = (tmp_path / "j.jsonl").read_text("utf-8")
    (tmp_path / "k.jsonl").write_text(
        text.replace('"reason": "new"', '"reason": "old"', 1), "utf-8"
    )
    checked = run("journal", "check", "k.jsonl")
    assert checked.exit_code == 1
    assert "decides otherwise" in checked.stdout and "- added" in checked.stdout


@pytest.mark.parametrize(("text", "words"), [(None, "cannot be read"), ("{}", "first line")])
def test_a_file_that_cannot_be_used_says_what_to_do(
    run: Run, tmp_path: Path, text: str | None, words: str
) -> None:
    """A wrong path, or another kind of file."""
    if text is not None:
        (tmp_path / "x.jsonl").write_text(text, "utf-8")
    checked = run("journal", "check", "x.jsonl")
    assert checked.exit_code == 2 and words in checked.stderr


def test_a_text_with_an_odd_line_end_is_recorded_and_checked(run: Run, tmp_path: Path) -> None:
    """U+2028 ends a line for some readers, and is one character of a text for JSON."""
    added = run(
        "memories", "add", "J'adore le fenouil\u2028et les bouilloires bleues.", *WHO, "-t", "c"
    )
    assert added.exit_code == 0
    text = "Je suis relieuse à Angers\u2028et j'adore le fenouil."
    line = {"id": "d", "lang": "fr", "character": "Mira", "user_name": "Colombe", "messages": [
        {"role": "user", "at": "2031-03-01T19:00:00+01:00", "text": text},
        {"role": "character", "at": "2031-03-01T19:00:01+01:00", "text": "Ah."}]}  # fmt: skip
    (tmp_path / "more.jsonl").write_text(json.dumps(line, ensure_ascii=False) + "\n", "utf-8")
    assert run("replay", "more.jsonl", *WHO).exit_code == 0
    assert run("journal", "record", "j.jsonl", *WHO).exit_code == 0
    checked = run("journal", "check", "j.jsonl", "--json")
    assert checked.exit_code == 0, checked.output


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ('"turn": 0', '"turn": "x"'),
        ('"isolation": "character"', '"isolation": 5'),
        ('"aliases": []', '"aliases": "fr"'),
        ('"confidence": 0.8', '"confidence": "high"'),
        ('"status": "active"', '"status": "lost"'),
        ('"action": "added"', '"action": 3'),
        ('"fresh": [', '"fresh": [[], '),
    ],
)
def test_a_journal_with_other_types_names_the_line(
    run: Run, tmp_path: Path, was: str, now: str
) -> None:
    """Never a traceback: somebody may have edited it."""
    assert run("journal", "record", "j.jsonl", *WHO).exit_code == 0
    text = (tmp_path / "j.jsonl").read_text("utf-8")
    assert was in text
    (tmp_path / "k.jsonl").write_text(text.replace(was, now, 1), "utf-8")
    checked = run("journal", "check", "k.jsonl")
    assert checked.exit_code == 2 and "Line 2" in checked.stderr


def test_a_journal_as_deep_as_a_well_is_refused(run: Run, tmp_path: Path) -> None:
    """A bomb for the parser is no journal."""
    (tmp_path / "deep.jsonl").write_text("[" * 200_000, "utf-8")
    assert run("journal", "check", "deep.jsonl").exit_code == 2


def test_without_a_thread_the_journal_and_what_was_dropped_are_of_all_threads(
    run: Run, tmp_path: Path
) -> None:
    """What happened in another thread must not look as if it had not happened; the row says which."""
    line = {
        "id": "d", "lang": "fr", "character": "Mira", "user_name": "Colombe",
        "messages": [{"role": "user", "at": "2031-03-01T19:00:00+01:00", "text": "On dit que mon voisin Aimé est boulanger à Dole."}],
    }  # fmt: skip
    (tmp_path / "more.jsonl").write_text(json.dumps(line, ensure_ascii=False) + "\n", "utf-8")
    assert run("replay", "more.jsonl", *WHO).exit_code == 0
    entries = _json(run("journal", "list", "--json", *WHO))["journal"]
    assert {e["thread"] for e in entries if e["action"] == "reflected"} == {"c", "d"}
    dropped = _json(run("memories", "dropped", "--json", *WHO))["dropped"]
    assert {e["thread"] for e in dropped} == {"d"}
    assert _json(run("memories", "dropped", "--json", *WHO, "-t", "c"))["dropped"] == []
    (row,) = [r for r in run("memories", "dropped", *WHO).stdout.splitlines() if "Dole" in r]
    assert " d " in row


def test_reasons_are_said_in_french(run: Run) -> None:
    """The journal keeps them in English; a French reader reads French."""
    shown = run("journal", "list", "--lang", "fr", *WHO).stdout
    assert "nouveau" in shown and "gardés : 1, écartés : 0" in shown
    assert " new " not in shown and "stored" not in shown
    assert "stored" in run("journal", "list", "--lang", "en", *WHO).stdout
    identity = _json(run("memories", "list", "--json", *WHO))["memories"][0]["id"]
    assert "nouveau" in run("memories", "show", identity, "--lang", "fr", *WHO).stdout


@pytest.mark.parametrize("cut", ["in a line", "between lines"])
@pytest.mark.parametrize(("language", "said"), [("en", "cut short"), ("fr", "coupé")])
def test_a_journal_that_was_cut_short_is_known_for_one(
    run: Run, tmp_path: Path, cut: str, language: str, said: str
) -> None:
    """Half a copy would otherwise check as sound."""
    run("journal", "record", "whole.jsonl", *WHO)
    whole = (tmp_path / "whole.jsonl").read_text("utf-8")
    lines = whole.splitlines(keepends=True)
    left = whole[:-40] if cut == "in a line" else "".join(lines[:-1])
    (tmp_path / "half.jsonl").write_text(left, "utf-8")
    shown = run("journal", "check", "half.jsonl", "--lang", language)
    assert shown.exit_code == 2
    assert said in shown.stderr
