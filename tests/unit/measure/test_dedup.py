"""The dedup bench counts false and true merges apart, beside the published method."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from souvenance.errors import BadInput, BadLine
from souvenance.measure.dedup import measure, pairs_of

PAIRS = [
    ("p1", "fr", "Son cours de danse est lundi.", "Son cours de danse est mardi.", False, "weekday"),
    ("p2", "en", "She plays the harp.", "She plays the harp!", True, "punctuation"),
    ("p3", "en", "Hugo taught Ines the long harvest song.",
     "Ines taught Hugo the long harvest song.", False, "roles"),
]  # fmt: skip


def written(folder: Path, *lines: str) -> Path:
    path = folder / "pairs.jsonl"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def as_line(pair: tuple[object, ...]) -> str:
    return json.dumps(dict(zip(("id", "lang", "a", "b", "same", "why"), pair, strict=True)))


def test_the_report_counts_both_errors_and_prints_the_baseline(tmp_path: Path) -> None:
    """A false merge erases a fact and a missed one repeats it: they are never added up."""
    report = measure(written(tmp_path, *map(as_line, PAIRS))).as_json()
    assert report["metrics"] == {
        "distinct": 2, "false_merges": 0, "false_merge_rate": 0.0,
        "variants": 1, "true_merges": 1, "true_merge_rate": 1.0,
    }  # fmt: skip
    assert report["baselines"]["published score"]["false_merges"] == 1
    assert [(d["id"], d["merge"]) for d in report["decisions"]] == [
        ("p1", False), ("p2", True), ("p3", False),
    ]  # fmt: skip
    assert report["failed"] == []


def test_a_missing_file_is_bad_input(tmp_path: Path) -> None:
    """One clear sentence, not a traceback."""
    with pytest.raises(BadInput):
        pairs_of(tmp_path / "none.jsonl")


@pytest.mark.parametrize("bad", ["{", '{"id": "x"}', '{"id":"x","a":1,"b":"y","same":true}', "[]"])
def test_a_bad_line_is_named_by_its_number(tmp_path: Path, bad: str) -> None:
    """A user can mend the line that is named."""
    with pytest.raises(BadLine) as caught:
        pairs_of(written(tmp_path, as_line(PAIRS[0]), bad))
    assert caught.value.line == 2
