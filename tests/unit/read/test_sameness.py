"""A memory yields its slot only to one that says all of it; in doubt both are served."""

from __future__ import annotations

from functools import partial
from itertools import permutations
from pathlib import Path

import pytest

from souvenance.lang import language
from souvenance.read.sameness import Outline, equal_words, outline, signature, worth_comparing
from souvenance.write.alike.similarity import compare, tells_one_fact

CASES = Path(__file__).parent / "cases"

SAME = [
    ("en", "Noor keeps two geese.", "Noor keeps two geese"),
    ("en", "Noor keeps the spare oar in a shed.", "Noor keeps a spare oar in the shed."),
    ("fr", "Noor élève deux oies.", "noor eleve deux oies"),
    ("fr", "Noor range l’aviron dans la remise.", "Noor range un aviron dans une remise"),
]


def groups(code: str) -> list[list[str]]:
    """The phrasings of each fact."""
    lines = (CASES / f"same_{code}.txt").read_text("utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#"))
    return [block.strip().splitlines() for block in text.split("\n\n") if block.strip()]


def pairs(code: str) -> list[tuple[str, str]]:
    """The pairs that look alike and are not."""
    lines = (CASES / f"differ_{code}.txt").read_text("utf-8").splitlines()
    split = [line.split(" | ") for line in lines if line and not line.startswith("#")]
    return [(one, other) for one, other, _ in split]


@pytest.mark.parametrize(("code", "a", "b"), SAME)
def test_articles_accents_and_points_do_not_tell_two_texts_apart(code: str, a: str, b: str) -> None:
    """One slot is enough for one sentence written twice."""
    assert equal_words(a, b, language(code))


@pytest.mark.parametrize("code", ["fr", "en"])
def test_two_facts_that_look_alike_never_yield_to_each_other(code: str) -> None:
    """A name, a figure, a day, a denial, a role, a time: what differs is the fact."""
    words = language(code)
    for a, b in pairs(code):
        assert not tells_one_fact(a, b, words), (a, b)
        assert not equal_words(a, b, words), (a, b)


@pytest.mark.parametrize("code", ["fr", "en"])
def test_no_pair_that_is_the_same_is_passed_over_to_save_time(code: str) -> None:
    """The cheap look at the words in common must not decide."""
    words = language(code)

    def seen(text: str) -> Outline:
        return outline(signature(text, words))

    for group in groups(code):
        for later, earlier in permutations(group, 2):
            longer = len(signature(later, words).stems) > len(signature(earlier, words).stems) + 1
            if tells_one_fact(later, earlier, words) and not longer:
                assert worth_comparing(seen(later), seen(earlier))


def test_what_is_kept_of_a_comparison_is_what_it_says() -> None:
    """The answer is the one that settles what may merge, in whichever order it is asked."""
    words = language("en")
    for a, b in pairs("en"):
        told = partial(tells_one_fact, words=words)
        assert told(a, b) == told(b, a) == compare(a, b, words).same


def test_a_text_with_more_to_say_is_not_even_compared() -> None:
    """What it adds would be lost."""
    words = language("en")
    short = signature("Noor rows on the canal.", words)
    long = signature("Noor rows on the canal at dawn with her two geese.", words)
    assert worth_comparing(outline(short), outline(long))
    assert not worth_comparing(outline(long), outline(short))


def test_texts_without_a_content_word_repeat_nothing() -> None:
    """Two empty signatures say nothing about what the texts mean."""
    words = language("en")
    empty = signature("it is what it is", words)
    assert not worth_comparing(outline(empty), outline(empty))
    assert not equal_words("it is what it is", "it is what it is", words)
