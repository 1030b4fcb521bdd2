"""The bench of private identifiers scores by type and by overlap, and names bad lines."""

from __future__ import annotations

import json

import pytest

from souvenance.errors import BadInput, BadLine
from souvenance.measure.pii import measure


def item(id_: str, text: str, *marked: tuple[str, str], **more: object) -> str:
    spans = [
        {"start": text.index(part), "end": text.index(part) + len(part), "type": type_}
        for part, type_ in marked
    ]
    return json.dumps({"id": id_, "lang": "fr", "text": text, "spans": spans, **more})


@pytest.fixture
def cases(tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text(
        "\n".join(
            [
                item("a", "Écris à zelie@maison.fr ou appelle le 07 45 12 90 33.",
                     ("zelie@maison.fr", "email"), ("07 45 12 90 33", "phone")),
                item("b", "Son casier porte le numéro 7-B.", ("7-B", "other_id")),
                item("c", "Rendez-vous le 04/11/2031 à 10 h 15."),
                item("d", "Mon fixe est le 02 45 12 90 33."),
            ]
        )
    )  # fmt: skip
    return path


def test_recall_and_precision_are_counted_apart(cases):
    """A leak and a hole are two faults."""
    metrics = measure(cases).metrics
    assert (metrics["spans"], metrics["found"]) == (3, 2)
    assert (metrics["predicted"], metrics["correct"]) == (3, 2)
    assert (metrics["clean_items"], metrics["clean_items_touched"]) == (2, 1)
    assert measure(cases).failed == ["b", "d"]


def test_each_type_has_its_own_row(cases):
    """An average hides the form that is never found."""
    by = measure(cases).by
    assert by["email"]["recall"] == 1.0
    assert by["other_id"]["recall"] == 0.0
    assert by["phone"]["precision"] == 0.5


def test_decisions_hold_the_spans_in_offsets_of_the_text(cases):
    """The judge recounts from them."""
    text = "Écris à zelie@maison.fr ou appelle le 07 45 12 90 33."
    spans = measure(cases).decisions[0]["spans"]
    assert [text[s["start"] : s["end"]] for s in spans] == ["zelie@maison.fr", "07 45 12 90 33"]


def test_the_plain_patterns_are_measured_beside(cases):
    """What an afternoon's patterns reach is the least to beat."""
    assert measure(cases).baselines["plain patterns"]["spans"] == 3


@pytest.mark.parametrize(
    "line",
    [
        "{",
        '{"id": "x", "lang": "fr", "text": 3, "spans": []}',
        '{"id": "x", "lang": "fr", "text": "ab", "spans": [{"start": 1, "end": 9, "type": "card"}]}',
        '{"id": "x", "lang": "fr", "text": "ab"}',
    ],
)
def test_a_bad_line_is_refused_by_its_number(tmp_path, line):
    """The reader must know which line to mend."""
    path = tmp_path / "cases.jsonl"
    path.write_text(item("fine", "Rien ici.") + "\n" + line + "\n")
    with pytest.raises(BadLine) as error:
        measure(path)
    assert error.value.line == 2


def test_a_file_that_is_not_text_is_refused_in_one_sentence(tmp_path):
    """A wrong file is ordinary."""
    path = tmp_path / "cases.jsonl"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInput, match="Cannot read"):
        measure(path)
