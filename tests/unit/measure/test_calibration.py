"""What labels support is counted, never guessed, and every pair that is near is looked at."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from souvenance.measure.calibration import (
    ENOUGH,
    SCORES,
    Line,
    Scored,
    Shelf,
    drawn,
    histogram,
    identity,
    judge,
    nearest,
    scored,
)

TEXTS = (
    "I keep bees on the roof.", "I keep bees on the roof of my house.", "My dentist is on Tuesday.",
    "My dentist is on Thursday.", "I repair old clarinets.", "Odile lives in Lyon.",
)  # fmt: skip


def shelf(*texts: str) -> Shelf:
    return Shelf.of("en", [Line(text) for text in texts])


def pair(name: str, shared: float, merges: bool = False) -> Scored:
    return Scored(name, "en", name, name + "!", shared, 1 - shared, merges, "why")


def test_every_pair_is_scored_while_there_are_few() -> None:
    """A distribution of a sample is only right when the whole cannot be had."""
    assert len(list(drawn([shelf(*TEXTS)]))) == 15


def test_many_pairs_are_drawn_the_same_each_time() -> None:
    """Two runs on the same memories must show the same picture."""
    shelves = [shelf(*TEXTS), shelf(*TEXTS[:3])]
    once, again = ([p.pair_id for p in drawn(shelves, most=8)] for _ in range(2))
    assert once == again
    assert len(once) == 8


def test_memories_of_two_threads_are_never_a_pair() -> None:
    """They can never merge, so they say nothing of a threshold."""
    lines = [Line(TEXTS[0], "harbour"), Line(TEXTS[1], "market"), Line(TEXTS[1])]
    found = {frozenset((p.a, p.b)) for p in drawn([Shelf.of("en", lines)])}
    assert found == {frozenset(TEXTS[:2]), frozenset(TEXTS[1:2])}
    assert len(nearest([Shelf.of("en", lines[:2])], 5)) == 0


def test_the_same_text_twice_is_one_memory() -> None:
    """There is nothing to ask about two texts that only spelling sets apart."""
    assert len(shelf("I keep bees.", "i keep BEES.", "I keep goats.").lines) == 2


def test_a_pair_keeps_its_name_and_scores_whichever_text_comes_first() -> None:
    """A label given yesterday must be found again today."""
    assert scored(*TEXTS[:2], "en") == scored(TEXTS[1], TEXTS[0], "en")
    assert identity("a", "b", "en") == identity("b", "a", "en") != identity("a", "b", "fr")


def test_the_nearest_pairs_come_first_by_either_score() -> None:
    """A person labels few pairs: those on which a threshold turns."""
    near = nearest([shelf(*TEXTS)], 2)
    assert {frozenset((p.a, p.b)) for p in near} == {frozenset(TEXTS[:2]), frozenset(TEXTS[2:4])}


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_no_pair_nearer_than_those_shown_is_passed_over(seed: int) -> None:
    """The pairs are found through the words they share; none with a higher share may be missed."""
    rng = random.Random(seed)
    words = ("bees", "roof", "clarinet", "harbour", "lantern", "oar", "walnut")
    texts = {"I keep " + " ".join(rng.sample(words, rng.randint(1, 4))) + "." for _ in range(12)}
    made = shelf(*sorted(texts))
    best = max((p.shared for p in drawn([made])), default=0)
    near = nearest([made], 4)
    assert not best or max(p.shared for p in near) == best


def test_a_score_of_one_falls_in_the_last_bin() -> None:
    """Twins are the pairs one looks for first."""
    assert histogram([0, 0.049, 0.05, 0.999, 1], bins=20) == [2, 1, *[0] * 17, 2]


def test_each_threshold_counts_both_errors() -> None:
    """False and right merges are counted apart at every score that occurs."""
    labelled = [(pair("a", 0.9), True), (pair("b", 0.8), True), (pair("c", 0.7), False), (pair("d", 0.6), True)]  # fmt: skip
    support = judge(labelled).support["shared"]
    assert [(s.threshold, s.false_merges, s.true_merges) for s in support.steps] == [
        (0.9, 0, 1), (0.8, 0, 2), (0.7, 1, 2), (0.6, 1, 3),
    ]  # fmt: skip
    assert support.lowest is not None
    assert support.lowest.threshold == 0.8


def test_no_threshold_is_supported_when_the_nearest_pair_differs() -> None:
    """A high score on two facts leaves no place to put the line."""
    labelled = [(pair("a", 0.9), False), (pair("b", 0.8), True)]
    verdict = judge(labelled)
    assert verdict.support["shared"].lowest is None
    assert (
        verdict.support["published"].lowest is not None
    )  # there the two scores are the other way round


def test_few_labels_are_called_few() -> None:
    """None wrong of three pairs proves next to nothing."""
    few = judge([(pair(str(n), 0.2), False) for n in range(3)])
    many = judge([(pair(str(n), 0.2), False) for n in range(ENOUGH)])
    assert not few.is_enough
    assert few.could_be > 0.5
    assert many.is_enough
    assert 0.1 < many.could_be < 0.12
    assert judge([]).could_be == 1.0


def test_the_product_is_judged_by_the_same_labels() -> None:
    """Disagreements name the false merges first: they lose a fact."""
    labelled = [(pair("a", 0.9), True), (pair("b", 0.8, merges=True), False), (pair("c", 0.8, merges=True), True)]  # fmt: skip
    verdict = judge(labelled)
    assert (verdict.false_merges, verdict.true_merges) == (1, 1)
    assert [p.pair_id for p, _ in verdict.disagreements] == ["b", "a"]


def test_a_label_is_the_pair_with_an_answer() -> None:
    """What is labelled here is measured by `bench dedup` there."""
    made = scored(*TEXTS[:2], "en")
    assert replace(made.label(same=True), why="") == replace(
        made.label(same=False), same=True, why=""
    )
    assert set(SCORES) == {"shared", "published"}
