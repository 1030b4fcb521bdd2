"""A memory yields its slot only to one that says all of it; in doubt both are served."""

import pytest

from souvenance.lang import language
from souvenance.read.sameness import repeats, signature

SAME = [
    ("en", "Noor keeps two geese.", "Noor keeps two geese"),
    ("en", "Noor keeps the spare oar in a shed.", "Noor keeps a spare oar in the shed."),
    ("fr", "Noor élève deux oies.", "noor eleve deux oies"),
    ("fr", "Noor range l’aviron dans la remise.", "Noor range un aviron dans une remise"),
]

DIFFERENT = [
    ("en", "Noor eats mussels.", "Noor never eats mussels."),
    ("en", "Noor can swim.", "Noor can't swim."),
    ("en", "Ines calls Omar.", "Omar calls Ines."),
    ("en", "The ferry from Calais is late.", "The ferry to Calais is late."),
    ("en", "The mooring costs 40 euros.", "The mooring costs 45 euros."),
    ("en", "The lock opens on Tuesday.", "The lock opens on Thursday."),
    ("en", "Omar works with Noor.", "Omar works without Noor."),
    ("fr", "Noor mange des moules.", "Noor ne mange pas de moules."),
    ("fr", "Noor part avec sa sœur.", "Noor part avec ta sœur."),
]


@pytest.mark.parametrize(("code", "a", "b"), SAME)
def test_articles_accents_and_points_do_not_tell_two_texts_apart(code: str, a: str, b: str) -> None:
    """One slot is enough for one sentence written twice."""
    words = language(code)
    assert repeats(signature(a, words), signature(b, words), None)


@pytest.mark.parametrize(("code", "a", "b"), DIFFERENT)
def test_a_difference_that_may_matter_keeps_both(code: str, a: str, b: str) -> None:
    """However close their vectors, a negation, a role, a figure or a day is another fact."""
    first, second = (signature(text, language(code)) for text in (a, b))
    assert not repeats(first, second, 0.999)
    assert not repeats(second, first, 0.999)


def test_a_shorter_wording_yields_to_a_near_equal_longer_one_but_not_the_other_way() -> None:
    """What the longer one adds would be lost."""
    words = language("en")
    short = signature("Noor rows on the canal.", words)
    long = signature("Noor often rows on the canal.", words)
    assert repeats(short, long, 0.97)
    assert not repeats(long, short, 0.97)


def test_a_shorter_wording_with_another_meaning_is_kept() -> None:
    """ "Noor lives in Brest" is not said by "Noor's cousin lives in Brest"."""
    words = language("en")
    short, long = (
        signature("Noor lives in Brest", words),
        signature("Noor cousin lives in Brest", words),
    )
    assert not repeats(short, long, 0.86)


def test_texts_without_a_content_word_repeat_nothing() -> None:
    """Two empty signatures say nothing about what the texts mean."""
    empty = signature("it is what it is", language("en"))
    assert not repeats(empty, empty, 1.0)
