"""A small seeded sample of the made corpus of `bench/identifiers.py`: counts, never times."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from identifier_corpus import corpus
from identifiers import SHAPES, alarms, pairs, recalls, splits
from souvenance.write.filters.identifiers import redact

SEED = 7


def share(groups: Mapping[str, tuple[int, int]]) -> float:
    return sum(k for k, _ in groups.values()) / sum(n for _, n in groups.values())


def test_canonical_identifiers_of_every_class_are_found() -> None:
    """Numbers of public plans and check sums, in sentences of both languages."""
    missed: list[str] = []
    groups = recalls(corpus.canonical(random.Random(SEED), 25), missed)
    assert len(groups) > 50
    assert share(groups) >= 0.995, missed
    assert {group: k / n for group, (k, n) in groups.items() if k / n < 0.95} == {}, missed


def test_disguised_identifiers_are_found_whatever_the_trick() -> None:
    """Spaces, signs, invisible characters, words for digits, words for signs."""
    missed: list[str] = []
    groups = recalls(corpus.disguised(random.Random(SEED), 25), missed)
    assert share(groups) >= 0.97, missed
    assert {trick: k / n for trick, (k, n) in groups.items() if k / n < 0.9} == {}, missed


def test_an_identifier_said_over_two_messages_is_found_in_the_second() -> None:
    """Half a number is no identifier; what was said before tells."""
    missed: list[str] = []
    groups = splits(corpus.split(random.Random(SEED), 25), missed)
    assert {sort: k / n for sort, (k, n) in groups.items() if k / n < 0.8} == {}, missed


def test_clean_texts_are_left_alone() -> None:
    """Dates, prices, scores, versions, order numbers: a hole in a memory is a loss."""
    heard: list[str] = []
    rng = random.Random(SEED)
    groups = alarms(corpus.untouched(rng, 600, 12), heard)
    ordinary = {g: groups.pop(g) for g in ("sentence", "sentence_en")}
    assert share(ordinary) <= 0.001, heard
    assert share(groups) <= 0.05, heard


def test_two_clean_messages_in_a_row_make_no_identifier() -> None:
    """Figures of one message and the next are not read together without a reason."""
    heard: list[str] = []
    rng = random.Random(SEED)
    clean = list(corpus.untouched(rng, 400, 40))
    rng.shuffle(clean)
    assert share(pairs(clean, heard)) <= 0.005, heard


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_adversarial_texts_pass_the_filter_whole(shape: str) -> None:
    """Long texts of one thing over and over come out with the same words, twice the same."""
    text = SHAPES[shape] * 300
    once = redact(text)
    assert redact(once.text).text == once.text
