"""The experiment of `bench/source_experiment.py` asks what it says it asks, on sentences that are each there once."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree as Tree

import numpy as np
import pytest
from rich.console import Console

import experiment_cases
import source_experiment
from experiment_plot import Series, drawn
from experiment_vectors import embedded
from souvenance.ports import Vector

LANGUAGES = ("fr", "en")


class CountingEmbedder:
    """A vector for each text from its letters alone, and how many texts were asked for."""

    name = "counting/one"
    threshold = 0.2

    def __init__(self) -> None:
        self.asked = 0

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, query_in: str | None = None
    ) -> Vector:
        self.asked += len(texts)
        rows = [np.random.default_rng(zlib.crc32(t.encode())).standard_normal(16) for t in texts]
        units: Vector = np.array([r / np.linalg.norm(r) for r in rows], np.float32)
        return units

    async def close(self) -> None:
        """Nothing to close."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_experiment_has_18_memories_6_messages_and_10_to_find(language: str) -> None:
    """These are the figures of the experiment that is redone."""
    cases = experiment_cases.read(language)
    known = {line.line_id for line in cases.memories}
    assert (len(known), len(cases.messages)) == (18, 6)
    assert sum(len(m.relevant) for m in cases.messages) == 10
    assert all(m.relevant <= known for m in cases.messages)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_distractor_stands_once_in_its_set_and_comes_again_with_its_seed(
    language: str,
) -> None:
    """A repeated sentence would not be one more memory in the way."""
    cases = experiment_cases.read(language)
    assert len({text for _, text in cases.patterns}) >= 80
    one = [line.text for line in islice(cases.distractors(1), 9_982)]
    assert len(set(one)) == 9_982
    assert not any("{" in text or "  " in text for text in one)
    assert [line.text for line in islice(cases.distractors(1), 50)] == one[:50]
    assert [line.text for line in islice(cases.distractors(2), 50)] != one[:50]


@pytest.mark.parametrize(
    ("language", "names"),
    [("fr", ("Maëlys", "Ronan", "Brume")), ("en", ("Jory", "Denzil", "Pickle"))],
)
def test_no_distractor_speaks_of_those_the_messages_ask_about(
    language: str, names: tuple[str, ...]
) -> None:
    """A distractor that answered a message would make a right answer count as wrong."""
    texts = [line.text for line in islice(experiment_cases.read(language).distractors(0), 9_982)]
    assert not [text for text in texts if any(name in text for name in names)]


def test_vectors_kept_in_a_folder_are_not_computed_again(tmp_path: Path) -> None:
    """Fifty thousand sentences take minutes."""
    embedder, console = CountingEmbedder(), Console(stderr=True)

    def run(texts: Sequence[str]) -> dict[str, Vector]:
        return asyncio.run(
            embedded(texts, embedder, cache=tmp_path, name="fr x: ", console=console)
        )

    first = run(["a", "b", "a"])
    again = run(["b", "c", "a"])
    assert embedder.asked == 3
    assert all(np.array_equal(first[t], again[t]) for t in ("a", "b"))


def test_among_18_memories_every_one_is_in_the_context_and_chance_falls_with_their_number() -> None:
    """Below 24 memories no way of asking can lose one, so the row says nothing about the method."""
    cases = experiment_cases.read("en")
    asked = source_experiment.Asked((18, 60), prefixes_up_to=60)
    rows = asyncio.run(
        source_experiment.measured(cases, CountingEmbedder(), asked, Console(stderr=True))
    )
    by = {(r.condition, r.method, r.size): r for r in rows}
    assert all(by[c.name, "slots", 18].all == (1.0,) * 5 for c in source_experiment.CONDITIONS)
    chance = by["message alone", "random", 60]
    assert (chance.few[0], chance.all[0]) == (16 / 60, 24 / 60)
    assert len(rows) == 2 * 5 * len(source_experiment.CONDITIONS)


def test_the_plot_is_one_well_formed_drawing_with_every_line_named() -> None:
    """It is opened by whoever reads the page, without a drawing library."""
    series = [Series("one", ((18, 1.0, 1.0, 1.0), (100, 0.5, 0.4, 0.6)), False)]
    root = Tree.fromstring(drawn("Title", series, page=False))
    said = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert {"Title", "one", "18", "100"} <= set(said)
    assert drawn("Title", series, page=True).startswith(b"<!doctype html>")
