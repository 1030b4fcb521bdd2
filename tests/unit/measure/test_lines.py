"""Files that people write by hand hold every kind of mistake: each gets one sentence, with its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from souvenance.errors import BadInput, BadLine
from souvenance.measure import conversations, dedup, filters, pii, recall
from souvenance.measure.runs import exchanges

READERS: list[Callable[[Path], Any]] = [
    conversations.read,
    dedup.measure,
    filters.measure,
    pii.measure,
    recall.measure,
]

NOT_ITEMS = ["[" * 100_000, "[]", "null", "3", '"text"', "{", '{"id": 3}', "nothing"]


@pytest.mark.parametrize("reader", READERS, ids=lambda r: r.__module__.rsplit(".", 1)[-1])
@pytest.mark.parametrize("line", NOT_ITEMS, ids=range(len(NOT_ITEMS)))
def test_what_is_not_an_item_gets_a_sentence(
    reader: Callable[[Path], Any], line: str, tmp_path: Path
) -> None:
    """Too deep, of another shape, or not JSON at all: never a traceback, never Python's own words for it."""
    path = tmp_path / "given.jsonl"
    path.write_text(line, "utf-8")
    with pytest.raises(BadInput) as caught:
        reader(path)
    assert "Error(" not in str(caught.value)


def talk(**changed: Any) -> str:
    message = {"role": "user", "at": "2026-05-04T20:00:00+02:00", "text": "I keep bees."}
    return json.dumps(
        {"id": "c1", "lang": "en", "messages": [message | changed.pop("message", {})], **changed}
    )


@pytest.mark.parametrize(
    "line",
    [
        talk(message={"at": "0001-01-01T00:00:00+14:00"}),
        talk(message={"at": "9999-12-31T23:59:59+00:00"}),
        talk(message={"text": "half \ud800"}),
        talk(id="a\nb"),
        talk(id="x" * 300),
        talk(id="\x1b[31m"),
        talk(id=" "),
    ],
    ids=[
        "the first year",
        "the last year",
        "half a character",
        "a newline",
        "too long",
        "an escape",
        "blank",
    ],
)
def test_what_a_store_would_refuse_is_refused_with_its_line(line: str, tmp_path: Path) -> None:
    """A replay keeps the other lines, so each error has to say which line it is about."""
    path = tmp_path / "given.jsonl"
    path.write_text(f"{talk(id='fine')}\n{line}\n", "utf-8")
    kept, bad = conversations.read_lenient(path)
    assert [c.conversation_id for c in kept] == ["fine"]
    assert [type(e) for e in bad] == [BadLine]
    assert bad[0].line == 2
    assert len(exchanges(kept[0])) == 1
