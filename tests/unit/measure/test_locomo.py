"""The bench of long talks counts what it says, on a talk short enough to count by hand."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from souvenance.errors import BadInput
from souvenance.measure.locomo import measure
from souvenance.measure.locomofile import read, turns_named

FIRST = [
    ("Ines", "I bought a loom from a widow in Cork."),
    ("Noor", "A loom! What will you weave?"),
    ("Ines", "Blankets for the lambing shed."),
    ("Noor", "My boat leaks again."),
]
FILLER = [("Ines" if n % 2 else "Noor", f"The tide turned at {n} past.") for n in range(30)]


class ByWord:
    """A direction of its own for each text, and one shared by those that speak of weaving."""

    name = "by-word"
    threshold = 0.5

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, query_in: str | None = None
    ) -> np.ndarray:
        seeds = [np.random.default_rng(zlib.crc32(text.encode())) for text in texts]
        rows = np.stack([0.1 * seed.standard_normal(12) for seed in seeds]).astype(np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[0] += any(word in text for word in ("loom", "weave", "Blankets", "woven"))
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    async def close(self) -> None:
        """Nothing to close."""


def turns(session: int, said: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [
        {"speaker": who, "dia_id": f"D{session}:{n}", "text": text}
        for n, (who, text) in enumerate(said, 1)
    ]


def question(text: str, category: int, *evidence: str) -> dict[str, Any]:
    return {"question": text, "category": category, "evidence": list(evidence), "answer": "-"}


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    conversation = {
        "speaker_a": "Ines",
        "speaker_b": "Noor",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": turns(1, FIRST),
        "session_2_date_time": "9:05 am on 3 June, 2023",
        "session_2": turns(2, FILLER),
    }
    asked = [
        question("What did Ines buy from a widow?", 4, "D1:1"),
        question("What has Ines woven, and whose boat leaks?", 1, "D1:3; D1:4"),
        question("Where is the lighthouse?", 3, "D9:9"),
        question("What did Noor weave?", 5, "D1:3"),
    ]
    path = tmp_path / "talks.json"
    path.write_text(
        json.dumps([{"sample_id": "t", "conversation": conversation, "qa": asked}]), "utf-8"
    )
    return path


def test_it_counts_the_turns_found(talks: Path) -> None:
    """Both questions with a turn that exists are counted, and the others are not."""
    report = measure(talks, embedder=ByWord()).as_json()
    assert report["metrics"]["questions"] == report["n"] == 2
    assert report["metrics"]["recall@24"] == 1
    assert [d["id"] for d in report["decisions"]] == ["t:0", "t:1"]
    assert report["decisions"][0]["ranked"][0] == "D1:1"
    assert all(len(d["ranked"]) == 24 for d in report["decisions"])
    assert {"words alone", "random"} <= set(report["baselines"])
    assert report["baselines"]["random"]["recall@5"] == pytest.approx(5 / 34)
    assert report["by"]["1 (several turns)"]["questions"] == 1


def test_evidence_is_read_however_it_was_written() -> None:
    """Several ids in one string, a stray colon, a zero, a repetition, and what is no id."""
    assert turns_named(["D8:6; D9:17", "D:11:26", "D30:05", "D8:6", "D"]) == [
        "D8:6", "D9:17", "D11:26", "D30:5",
    ]  # fmt: skip


def test_turns_keep_their_order_and_their_session(talks: Path) -> None:
    """The first turn has the date of its session; what nobody said is no evidence."""
    (talk,) = read(talks)
    assert [line.text for line in talk.lines[:4]] == [text for _, text in FIRST]
    assert talk.lines[0].at.isoformat() == "2023-05-08T13:56:00+00:00"
    assert talk.lines[4].at.day == 3
    assert talk.unusable == 1


@pytest.mark.parametrize("content", ["", "{}", "[]", '[{"qa": []}]', "[1]", '["a"]'])
def test_a_file_of_another_format_is_refused_with_what_it_lacks(
    tmp_path: Path, content: str
) -> None:
    """Whoever gives the wrong file is told, and sees no trace of code."""
    path = tmp_path / "other.json"
    path.write_text(content, "utf-8")
    with pytest.raises(BadInput, match=r"other\.json"):
        measure(path, embedder=ByWord())
