"""A label is on disk before the next question is asked, in the format of `bench dedup`."""

from __future__ import annotations

from pathlib import Path

import pytest

from souvenance.errors import BadInput, BadLine
from souvenance.measure.dedup import Pair, measure, pairs_of
from souvenance.measure.labels import add_label, read_labels

PAIR = Pair("p1", "fr", "J'élève des abeilles.", "J'élève des oies.", False, "labelled by hand")


def test_no_file_holds_no_label(tmp_path: Path) -> None:
    """The first run starts from nothing."""
    assert read_labels(tmp_path / "none.jsonl") == []


def test_labels_come_back_and_are_a_bench_file(tmp_path: Path) -> None:
    """Labelling once serves both commands."""
    path = tmp_path / "labels.jsonl"
    add_label(path, PAIR)
    assert read_labels(path) == [PAIR]
    assert measure(path).n == 1
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_last_answer_counts_whichever_text_came_first(tmp_path: Path) -> None:
    """Changing one's mind is adding a line."""
    path = tmp_path / "labels.jsonl"
    add_label(path, PAIR)
    add_label(path, Pair("p1", "fr", PAIR.b, PAIR.a, True, ""))
    assert [p.same for p in read_labels(path)] == [True]


def test_a_file_without_a_last_newline_is_added_to_on_a_new_line(tmp_path: Path) -> None:
    """Editors differ; an answer glued to the line before would lose two."""
    path = tmp_path / "labels.jsonl"
    add_label(path, PAIR)
    path.write_text(path.read_text("utf-8").rstrip("\n"), "utf-8")
    add_label(path, Pair("p2", "en", "a", "b", True, ""))
    assert [p.pair_id for p in pairs_of(path)] == ["p1", "p2"]


def test_a_file_that_cannot_be_used_says_what_to_do(tmp_path: Path) -> None:
    """A wrong path is bad input, not a traceback."""
    with pytest.raises(BadInput, match="folder you can write to"):
        add_label(tmp_path / "none" / "labels.jsonl", PAIR)
    path = tmp_path / "bad.jsonl"
    path.write_text('{"id": "x"}\n', "utf-8")
    with pytest.raises(BadLine):
        read_labels(path)
