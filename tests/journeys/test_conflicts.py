"""What the code is not sure of: both memories stay, and the person is offered the choice."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from souvenance.interfaces.cli.app import app

Run = Callable[..., Result]
WHO = ("-p", "Dara", "-c", "wren")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command on a database of its own, without an embedder, in English."""
    monkeypatch.setenv("SOUVENANCE_DATABASE", str(tmp_path / "memory.db"))
    monkeypatch.setenv("SOUVENANCE_EMBEDDER_KIND", "none")
    monkeypatch.chdir(tmp_path)
    return lambda *args: CliRunner().invoke(app, list(args))


def say(run: Run, name: str, *said: tuple[str, str]) -> None:
    """Replays a conversation of its own: pairs of a day and what was said on it."""
    messages = [
        {"role": role, "at": f"{day}T19:00:0{k}+00:00", "text": text}
        for day, one in said
        for k, (role, text) in enumerate((("user", one), ("character", "I see.")))
    ]
    line = {"id": "c", "lang": "en", "character": "Wren", "user_name": "Dara", "messages": messages}
    Path(f"{name}.jsonl").write_text(json.dumps(line) + "\n", "utf-8")
    assert run("replay", f"{name}.jsonl", *WHO).exit_code == 0


def memories(run: Run) -> dict[str, dict[str, Any]]:
    found = run("memories", "list", "--all", "--json", *WHO, "-t", "c")
    return {m["text"]: m for m in json.loads(found.stdout)["memories"]}


def pairs(run: Run) -> list[dict[str, Any]]:
    found = run("memories", "conflicts", "--json", *WHO, "-t", "c")
    assert found.exit_code == 0, found.output
    return list(json.loads(found.stdout)["conflicts"])


@pytest.fixture
def held(run: Run) -> tuple[str, str]:
    """A pinned budget and a newer one beside it: the ids, newer first."""
    old, new = "My budget for the roof is 900 euros.", "My budget for the roof is now 1200 euros."
    first = [("2021-03-01", old)]
    say(run, "one", *first)
    older = memories(run)[old]["id"]
    assert run("memories", "pin", older, *WHO, "-t", "c").exit_code == 0
    say(run, "two", *first, ("2021-03-05", new))
    return memories(run)[new]["id"], older


def test_a_new_value_of_a_pinned_memory_is_left_to_the_person(
    run: Run, held: tuple[str, str]
) -> None:
    """No model or rule closes what a hand holds; the person is told that two values stand."""
    (pair,) = pairs(run)
    assert (pair["newer"]["id"], pair["older"]["id"]) == held
    assert pair["sort"] == "doubted" and "pinned" in pair["reason"]
    shown = run("memories", "conflicts", *WHO, "-t", "c")
    assert f"settle {held[0]} {held[1]} --keep" in shown.stdout and "1 pair" in shown.stderr


@pytest.mark.parametrize(
    ("keep", "statuses"),
    [
        ("newer", ("active", "superseded")),
        ("older", ("forgotten", "active")),
        ("both", ("active", "active")),
    ],
)
def test_what_the_person_says_is_done_and_the_pair_is_gone(
    run: Run, held: tuple[str, str], keep: str, statuses: tuple[str, str]
) -> None:
    """The one that does not hold is closed, never deleted."""
    settled = run("memories", "settle", *held, "--keep", keep, *WHO, "-t", "c")
    assert settled.exit_code == 0, settled.output
    by_id = {m["id"]: m for m in memories(run).values()}
    assert tuple(by_id[i]["status"] for i in held) == statuses
    assert pairs(run) == []
    if keep == "newer":
        assert by_id[held[1]]["successor"] == held[0]
        assert by_id[held[1]]["until"] == "2021-03-05"
        assert run("memories", "restore", held[1], *WHO, "-t", "c").exit_code == 0
        assert {m["id"]: m["status"] for m in memories(run).values()}[held[1]] == "active"


def test_a_pair_of_which_one_is_closed_is_no_longer_offered(
    run: Run, held: tuple[str, str]
) -> None:
    """Forgetting one settles it too."""
    assert run("memories", "forget", held[0], *WHO, "-t", "c").exit_code == 0
    assert pairs(run) == []
    refused = run("memories", "settle", *held, "--keep", "both", *WHO, "-t", "c")
    assert refused.exit_code == 2 and "restore it first" in refused.stderr


@pytest.mark.parametrize("keep", ["", "neither"])
def test_a_choice_that_does_not_exist_is_refused(
    run: Run, held: tuple[str, str], keep: str
) -> None:
    """With those that do."""
    refused = run("memories", "settle", *held, "--keep", keep, *WHO, "-t", "c")
    assert refused.exit_code == 2 and "newer, older, both" in refused.stderr


def test_two_memories_that_nobody_doubted_are_no_pair(run: Run, held: tuple[str, str]) -> None:
    """A slip of the hand must not close an unrelated memory; nor the wrong one of a pair."""
    earlier = [("2021-03-01", "As before."), ("2021-03-05", "As before.")]
    say(run, "three", *earlier, ("2021-03-09", "I love tea."))
    tea = memories(run)["I love tea."]["id"]
    for pair in ((tea, held[1]), (held[1], held[0]), (held[0], held[0])):
        refused = run("memories", "settle", *pair, "--keep", "newer", *WHO, "-t", "c")
        assert refused.exit_code == 2 and "no pair" in refused.stderr, pair


def test_forgetting_an_announcement_takes_the_end_back_that_it_had_set(run: Run) -> None:
    """Else the home would be served no more on a day on which nobody moved."""
    said = [("2026-11-01", "I live in Hull."), ("2026-11-02", "I'm moving to Derby on 1 May 2031.")]
    say(run, "one", *said)
    found = memories(run)
    assert found["I live in Hull."]["until"] == "2031-05-01"
    plan = found["I'm moving to Derby on 1 May 2031."]["id"]
    assert run("memories", "forget", plan, *WHO, "-t", "c").exit_code == 0
    assert memories(run)["I live in Hull."]["until"] is None
