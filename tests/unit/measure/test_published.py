"""The method ours is measured against: its score as published, and its decision at less cost."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from souvenance.lang import language
from souvenance.measure.published import PUBLISHED_THRESHOLD, published_merges, published_score


def test_the_published_score_is_capped_when_a_date_differs() -> None:
    """The baseline must be the published method, decisive words included."""
    words = language("fr")
    a, b = (
        f"Il a promis de rappeler le notaire de la commune {d} prochain."
        for d in ("mardi", "jeudi")
    )
    assert published_score(a, b, words) == pytest.approx(PUBLISHED_THRESHOLD - 0.01)
    assert published_score(a, a, words) == 1.0


def test_the_published_score_counts_containment() -> None:
    """The shorter text, word for word inside the longer, merges in that method."""
    assert published_score("He likes owls.", "He likes owls and bats.", language("en")) == 1.0


SAID = (
    "the clock on mantel is repaired by her uncle tuesday 12 with brass hinges and "
    "walnut oil june tomorrow slowly every winter he keeps owls bats in barn near river"
)


@settings(max_examples=400, deadline=None)
@given(seed=st.integers(0, 10**9), changes=st.integers(0, 6))
def test_the_bounds_never_change_what_the_published_method_decides(seed: int, changes: int) -> None:
    """A baseline made faster must stay the baseline."""
    rng, known = random.Random(seed), SAID.split()
    spoken = rng.choices(known, k=rng.randint(3, 24))
    again = list(spoken)
    for _ in range(changes):
        at = rng.randrange(len(again))
        again[at] = rng.choice([again[at][::-1], rng.choice(known), again[at] + "s", ""])
    a, b, words = " ".join(spoken), " ".join(again), language("en")
    assert published_merges(a, b, words) == (published_score(a, b, words) >= PUBLISHED_THRESHOLD)
