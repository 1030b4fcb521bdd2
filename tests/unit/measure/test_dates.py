"""The bench of dates counts what is wrong apart from what is missed, and names bad lines."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from souvenance.errors import BadLine
from souvenance.interfaces.cli.app import app
from souvenance.measure.dates import measure


def item(id_: str, lang: str, text: str, expect: str | None, why: str = "") -> str:
    said = {"id": id_, "lang": lang, "text": text, "today": "2026-03-05 (Thursday)"}
    return json.dumps({**said, "expect": expect, "why": why})


@pytest.fixture
def cases(tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text(
        "\n".join([
            item("a", "en", "The kiln arrives next week.", "2026-03-09/2026-03-15", "next-week"),
            item("b", "fr", "Le four arrive le 9 avril.", "2026-04-09", "day-and-month"),
            item("c", "en", "The kiln hums.", None, "no date"),
            item("d", "en", "The kiln arrives tomorrow.", None, "marked wrongly"),
            item("e", "en", "The kiln arrives when the moon is full.", "2026-04-02", "the moon"),
        ])
    )  # fmt: skip
    return path


def test_wrong_and_missed_are_counted_apart(cases):
    """A wrong date is worse than none."""
    metrics = measure(cases).metrics
    assert (metrics["n"], metrics["right"], metrics["wrong"], metrics["missed"]) == (5, 3, 1, 1)
    assert measure(cases).failed == ["d", "e"]


def test_decisions_hold_the_days_as_the_file_writes_them(cases):
    """The judge compares them with `expect`."""
    values = {d["id"]: d["value"] for d in measure(cases).decisions}
    assert values == {
        "a": "2026-03-09/2026-03-15", "b": "2026-04-09", "c": None, "d": "2026-03-06", "e": None,
    }  # fmt: skip


def test_each_why_and_each_language_has_its_own_row(cases):
    """A mean hides the shape that is never read."""
    by = measure(cases).by
    assert by["fr"]["right"] == 1
    assert by["why: next-week"]["right"] == 1
    assert by["why: the moon"]["missed"] == 1


def test_reading_nothing_and_reading_plainly_are_measured_beside(cases):
    """A reader that is right less often than silence is worth nothing."""
    baselines = measure(cases).baselines
    assert (baselines["never reads"]["right"], baselines["never reads"]["wrong"]) == (2, 0)
    assert baselines["day and month only"]["right"] == 3


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        '{"id": "x", "lang": "fr", "text": 3, "today": "2026-03-05", "expect": null}',
        '{"id": "x", "lang": "fr", "text": "a", "today": "", "expect": null}',
        '{"id": "x", "lang": "fr", "text": "a", "today": "March", "expect": null}',
        '{"id": "x", "lang": "fr", "text": "a", "today": "2026-03-05", "expect": 3}',
        '{"id": "x", "lang": "fr", "text": "a", "today": "2026-03-05", "expect": "2026-04-09/2026-04-01"}',
        '{"id": "x", "lang": "fr", "text": "a", "today": "2026-03-05"}',
    ],
)
def test_a_bad_line_is_refused_by_its_number(tmp_path, line):
    """The reader must know which line to mend."""
    path = tmp_path / "cases.jsonl"
    path.write_text(item("fine", "fr", "Rien ici.", None) + "\n" + line + "\n")
    with pytest.raises(BadLine) as error:
        measure(path)
    assert error.value.line == 2


def test_the_command_prints_one_object(cases):
    """Scripts read it."""
    result = CliRunner().invoke(app, ["bench", "dates", str(cases), "--json"])
    assert result.exit_code == 0
    printed = json.loads(result.stdout)
    assert (printed["bench"], printed["n"], printed["metrics"]["wrong"]) == ("dates", 5, 1)


def test_the_command_prints_rates_with_their_interval(cases):
    """A rate on five items says little, and the table shows it."""
    result = CliRunner().invoke(app, ["bench", "dates", str(cases)])
    assert "0.600 (0.23–0.88)" in result.stdout
