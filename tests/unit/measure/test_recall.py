"""The recall bench counts what it says, on a file small enough to count by hand."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from souvenance.errors import BadInput
from souvenance.measure.recall import measure
from souvenance.measure.recallfile import read

MEMORIES = [
    ("m1", "Ottoline tunes the organ."),
    ("m2", "Noor moors at quay 4."),
    ("m3", "Ines bakes rye bread."),
]
POOL = [(f"x{n}", f"The keeper Aldous counted {n + 10} buoys near Roscoff.") for n in range(30)]


class ByWord:
    """A direction per subject: close texts share one of a few words."""

    name = "by-word"
    threshold = 0.5

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, query_in: str | None = None
    ) -> np.ndarray:
        seeds = [np.random.default_rng(zlib.crc32(text.encode())) for text in texts]
        rows = np.stack([0.1 * seed.standard_normal(12) for seed in seeds]).astype(np.float32)
        for row, text in zip(rows, texts, strict=True):
            for axis, words in enumerate(
                (("organ", "music"), ("quay", "boat"), ("bread", "flour"))
            ):
                row[axis] += any(w in text for w in words)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    async def close(self) -> None:
        """Nothing to close."""


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    data = {
        "lang": "en",
        "memories": [{"id": i, "text": t, "kind": "fact"} for i, t in MEMORIES],
        "distractor_pool": [{"id": i, "text": t, "kind": "fact"} for i, t in POOL],
        "queries": [
            {"id": "q1", "text": "Any music tonight?", "relevant": ["m1"], "style": "paraphrase"},
            {"id": "q2", "text": "Ottoline again", "relevant": ["m1", "m3"], "style": "name_only"},
        ],
    }
    path = tmp_path / "questions.json"
    path.write_text(json.dumps(data), "utf-8")
    return path


def test_recall_is_the_mean_share_of_expected_memories(questions: Path) -> None:
    """One question finds its memory, the other its named one: 1 and at least a half."""
    report = measure(questions, embedder=ByWord())
    assert (report.n, report.metrics["queries"]) == (2, 2)
    assert report.by["paraphrase"]["recall@5"] == 1.0
    assert report.by["name_only"]["recall@24"] >= 0.5
    assert report.decisions[0]["id"] == "q1"
    assert report.decisions[0]["ranked"][0] == "m1"
    assert all(len(d["ranked"]) == 24 for d in report.decisions)


def test_the_other_methods_stand_beside_in_the_same_run(questions: Path) -> None:
    """A figure alone says little."""
    report = measure(questions, embedder=ByWord())
    assert {"words alone", "cosine alone", "equal reciprocal ranks"} <= set(report.baselines)
    assert report.baselines["cosine alone"]["recall@5"] is not None
    assert report.baselines["words alone"]["queries"] == 2


def test_a_size_gives_five_draws_and_their_spread(questions: Path) -> None:
    """One draw could be luck."""
    report = measure(questions, embedder=ByWord(), size=70)
    assert [name for name in report.by if name.startswith("draw ")] == [
        f"draw {n}" for n in range(1, 6)
    ]
    assert sum("over 5 draws" in note for note in report.notes) == 4
    assert "among 73 memories" in report.notes[0]


def test_beyond_the_pool_names_and_figures_are_changed(questions: Path) -> None:
    """The same sentence twice would be one distractor, not two."""
    file = read(questions)
    drawn = file.drawn(70, seed=1)
    assert len({i.item_id for i in drawn}) == 70
    copies = [i for i in drawn if "~" in i.item_id]
    originals = {i.text for i in file.pool}
    assert len(copies) == 40
    assert sum(c.text in originals for c in copies) < 10
    assert file.drawn(70, seed=1) == drawn != file.drawn(70, seed=2)


@pytest.mark.parametrize(
    "content",
    [
        "not json",
        "[]",
        '{"memories": []}',
        '{"memories": [], "queries": [{"id": "q", "text": "?", "relevant": ["gone"]}]}',
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_one_sentence(
    content: str, tmp_path: Path
) -> None:
    """The person learns what the file lacks."""
    path = tmp_path / "bad.json"
    path.write_text(content, "utf-8")
    with pytest.raises(BadInput, match=r"bad\.json"):
        measure(path, embedder=ByWord())
