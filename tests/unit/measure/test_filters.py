"""The bench of the filters counts the two kinds of error apart and names bad lines."""

from __future__ import annotations

import json

import pytest

from souvenance.errors import BadInput, BadLine
from souvenance.measure.filters import measure


def item(
    id_: str, expect: str, text: str, said: str, confidence: float = 0.9, **more: object
) -> str:
    return json.dumps(
        {
            "id": id_,
            "lang": "en",
            "character": "Corbin",
            "user_name": None,
            "exchange": [{"role": "user", "text": said}, {"role": "character", "text": "Right."}],
            "candidate": {
                "text": text, "kind": "fact", "scope": "story", "confidence": confidence, "quote": said,
            },
            "expect": expect,
            "defect": "none" if expect == "keep" else "negation_flip",
            **more,
        }
    )  # fmt: skip


@pytest.fixture
def cases(tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text(
        "\n".join(
            [
                item("kept", "keep", "User paints boats.", "I paint boats."),
                item("turned", "drop", "User sells boats.", "I don't sell boats."),
                item("unfair", "drop", "User mends boats.", "I mend boats.", 0.5),
                "",
                item("lost", "keep", "User hates boats.", "I love boats."),
            ]
        )
    )
    return path


def test_missed_drops_and_lost_keeps_are_counted_apart(cases):
    """They never have the same price."""
    report = measure(cases)
    assert report.metrics == {
        "drops": 2, "missed_drops": 1, "missed_drop_rate": 0.5,
        "keeps": 2, "lost_keeps": 1, "lost_keep_rate": 0.5,
    }  # fmt: skip
    assert report.failed == ["unfair", "lost"]


def test_the_baselines_are_measured_in_the_same_run(cases):
    """A figure alone says nothing."""
    baselines = measure(cases).baselines
    assert baselines["keep everything"]["missed_drops"] == 2
    assert baselines["keep everything"]["lost_keeps"] == 0
    assert baselines["confidence >= 0.85"]["missed_drops"] == 1


def test_each_decision_is_there_with_its_reason(cases):
    """The judge works from the raw decisions."""
    decisions = {d["id"]: d for d in measure(cases).decisions}
    assert decisions["kept"] == {"id": "kept", "keep": True, "reason": ""}
    assert decisions["turned"]["keep"] is False
    assert decisions["turned"]["reason"].startswith("polarity: ")


def test_the_groups_are_languages_and_defects(cases):
    """An average hides the defect that is never caught."""
    by = measure(cases).by
    assert by["negation_flip"]["drops"] == 2
    assert by["en"]["keeps"] == 2


def test_the_confusion_table_tells_which_filter_refused_which_defect(cases):
    """A filter that drops good memories is found by its row."""
    tables = measure(cases).tables
    assert tables["drops by filter"] == {"polarity": {"made": 2, "right": 1, "wrong": 1}}
    assert tables["filter by defect"] == {
        "(kept)": {"negation_flip": 1, "none": 1},
        "polarity": {"negation_flip": 1, "none": 1},
    }


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        "[1]",
        '{"id": "x"}',
        item("x", "maybe", "a", "b"),
        item("x", "keep", "a", "b", exchange=[{"role": "tool", "text": "b"}]),
        item("x", "keep", "a", "b", candidate={"text": "a"}),
    ],
)
def test_a_bad_line_is_refused_by_its_number(tmp_path, line):
    """The reader must know which line to mend."""
    path = tmp_path / "cases.jsonl"
    path.write_text(item("fine", "keep", "User paints.", "I paint.") + "\n" + line + "\n")
    with pytest.raises(BadLine) as error:
        measure(path)
    assert error.value.line == 2
    assert "Line 2" in str(error.value)


def test_a_file_that_is_not_there_is_refused_in_one_sentence(tmp_path):
    """A path mistyped is ordinary."""
    with pytest.raises(BadInput, match="Cannot read"):
        measure(tmp_path / "none.jsonl")


def test_an_item_without_a_defect_is_in_a_group_that_says_so(tmp_path):
    """A group called "None" looks like a mistake of ours."""
    path = tmp_path / "cases.jsonl"
    path.write_text(item("kept", "keep", "User paints boats.", "I paint boats.", defect=None))
    assert set(measure(path).by) == {"en", "(none)"}
