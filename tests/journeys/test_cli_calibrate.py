"""`souvenance calibrate dedup` as a person uses it: looked at, labelled, interrupted, gone on with, measured."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Tree

import pytest
from typer.testing import CliRunner, Result

from souvenance.interfaces.cli import calibrate
from souvenance.interfaces.cli.app import app

Run = Callable[..., Result]

MEMORIES = {
    "ines": (
        "I keep bees on the roof.", "I keep bees on the roof of my house.", "My dentist is on Tuesday.",
        "My dentist is on Thursday.", "I repair old clarinets.",
    ),
    "noor": ("I keep goats on the roof.", "I keep geese on the roof."),
}  # fmt: skip


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command on a database with the memories of two people, in English."""
    monkeypatch.setenv("SOUVENANCE_EMBEDDER_KIND", "none")
    monkeypatch.chdir(tmp_path)

    def invoke(*args: str) -> Result:
        return CliRunner().invoke(app, [*args, "--db", "memory.db"])

    for person, texts in MEMORIES.items():
        for text in texts:
            assert invoke("memories", "add", text, "-p", person).exit_code == 0
    return invoke


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Makes this a terminal where these answers are typed; "^C" interrupts. Gives the questions asked."""

    def answers(*keys: str) -> list[str]:
        waiting: Iterator[str] = iter(keys)
        asked: list[str] = []

        def answer(question: str) -> str:
            asked.append(question)
            key = next(waiting, "q")
            if key == "^C":
                raise KeyboardInterrupt
            return key

        monkeypatch.setattr(calibrate, "at_terminal", lambda: True)
        monkeypatch.setattr("builtins.input", answer)
        return asked

    return answers


def _json(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_the_pairs_are_shown_with_what_to_do_next(run: Run) -> None:
    """Without labels there is a picture, the pairs that matter, and the command that goes on."""
    shown = run("calibrate", "dedup")
    assert shown.exit_code == 0
    assert "memories: 7 · pairs: 11" in shown.stdout
    assert "My dentist is on Thursday." in shown.stdout
    assert "souvenance --database memory.db calibrate dedup --labels" in shown.stderr
    assert "ressemblance" not in shown.stdout
    french = run("calibrate", "dedup", "--lang", "fr")
    assert "contenu commun" in french.stdout
    assert "Pour les étiqueter" in french.stderr


def test_one_person_is_measured_alone(run: Run) -> None:
    """Pairs never cross people, and `--person` leaves the others out."""
    found = _json(run("calibrate", "dedup", "-p", "noor", "--json"))
    assert (found["memories"], found["pairs"]) == (2, 1)
    (pair,) = found["nearest"]
    assert {pair["a"], pair["b"]} == set(MEMORIES["noor"])
    assert (pair["merges"], pair["same"]) == (False, None)
    everyone = _json(run("calibrate", "dedup", "--json"))
    assert not any("goats" in p["a"] + p["b"] and "bees" in p["a"] + p["b"] for p in everyone["nearest"])  # fmt: skip


def test_labels_are_kept_through_an_interruption_and_are_a_bench_file(
    run: Run, typing: Callable[..., list[str]]
) -> None:
    """An evening of answers must not hang on the last one, and is of use elsewhere."""
    decided = _json(run("calibrate", "dedup", "--json"))["nearest"][0]["merges"]
    asked = typing("perhaps", "n" if decided else "y", "^C")  # not what the product decides
    stopped = run("calibrate", "dedup", "--labels", "labels.jsonl")
    assert stopped.exit_code == 130
    assert len(asked) == 3
    assert "Labels kept in labels.jsonl: 1." in stopped.stdout
    assert "What Souvenance decides" in stopped.stdout
    first = json.loads(Path("labels.jsonl").read_text("utf-8"))
    assert first["same"] is not decided
    asked = typing("s", "y")
    went_on = run("calibrate", "dedup", "--labels", "labels.jsonl")
    assert went_on.exit_code == 0
    assert len(asked) == 2
    assert "Pairs to label: 2." in went_on.stdout
    said = "merges, and you say different" if decided else "does not merge, and you say the same"
    assert said in went_on.stdout
    lines = [json.loads(line) for line in Path("labels.jsonl").read_text("utf-8").splitlines()]
    assert [line["same"] for line in lines] == [not decided, True]
    assert _json(run("bench", "dedup", "labels.jsonl", "--json"))["n"] == 2


def test_what_the_labels_support_is_said_with_how_little_it_is(run: Run) -> None:
    """Thresholds, the product on the same pairs, and where they disagree; never a question in a pipe."""
    pairs = _json(run("calibrate", "dedup", "--json"))["nearest"]
    lines = [
        json.dumps({**pair, "same": pair["merges"] or "dentist" in pair["a"]}) for pair in pairs
    ]  # two days of an appointment, called the same: a label that the product does not share
    Path("labels.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    found = _json(run("calibrate", "dedup", "--labels", "labels.jsonl", "--json"))
    assert found["labels"]["n"] == len(pairs)
    assert found["labels"]["enough"] is False
    assert found["product"]["false_merges"] == 0
    assert [p["same"] for p in found["product"]["disagreements"]] == [True]
    steps = found["scores"]["shared"]["thresholds"]
    assert [s["threshold"] for s in steps] == sorted((s["threshold"] for s in steps), reverse=True)
    assert steps[-1]["false_merges"] == found["labels"]["different"]
    said = run("calibrate", "dedup", "--labels", "labels.jsonl")
    assert "That is a guess" in said.stdout
    assert "does not merge, and you say the same" in said.stdout


@pytest.mark.parametrize("name", ["plot.svg", "plot.html"])
def test_the_drawing_holds_no_word_of_a_memory(run: Run, name: str) -> None:
    """It is made to be shown around."""
    assert run("calibrate", "dedup", "--plot", name).exit_code == 0
    made = Path(name).read_text("utf-8")
    assert not any(word in made for word in ("bees", "dentist", "clarinets"))
    assert made.count("<rect") == 40
    if name.endswith(".svg"):
        Tree.fromstring(made)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--plot", "plot.png"], "un fichier .svg ou .html"),
        (["--plot", "none/plot.svg"], "choisissez un autre endroit"),
        (["--labels", "bad.jsonl"], "La ligne 1 n'est pas une paire"),
        (["--labels", "."], "ne peut pas être lu"),
    ],
)
def test_what_cannot_be_used_says_what_to_do(run: Run, args: list[str], said: str) -> None:
    """One sentence in the person's language, and code 2."""
    Path("bad.jsonl").write_text('{"id": "x"}\n', "utf-8")
    result = run("calibrate", "dedup", *args, "--lang", "fr")
    assert result.exit_code == 2
    assert said in result.stderr
    assert "Traceback" not in result.stderr


def test_an_empty_memory_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing to compare is not an error."""
    monkeypatch.setenv("SOUVENANCE_EMBEDDER_KIND", "none")
    database = ["--db", str(tmp_path / "new.db")]
    CliRunner().invoke(app, ["memories", "add", "I keep bees.", "-p", "ines", *database])
    result = CliRunner().invoke(
        app, ["calibrate", "dedup", "-p", "noor", *database, "--lang", "en"]
    )
    assert result.exit_code == 0
    assert "talk first" in result.stderr
