"""A date in figures is read where its order is sure, and left alone where it is not."""

from __future__ import annotations

import pytest

from souvenance.lang import language
from souvenance.write.alike.similarity import compare


@pytest.mark.parametrize(
    ("code", "a", "b"),
    [
        ("fr", "Son bail finit le 07/11.", "Son bail finit le 7 novembre."),
        ("fr", "Il est né le 5/12/1969.", "Il est né le 5 décembre 1969."),
        ("fr", "Il est né le 05/12/69.", "Il est né le 5 décembre 1969."),
        ("fr", "Son visa finit le 31/1.", "Son visa finit le 31 janvier."),
        ("en", "Her lease ends on 27/11.", "Her lease ends on 27 November."),
        ("en", "Her lease ends on 11/27/2031.", "Her lease ends on November 27, 2031."),
        ("en", "The test is on 09/09.", "The test is on 9 September."),
    ],
)
def test_a_date_in_figures_is_the_same_date(code: str, a: str, b: str) -> None:
    """People write a date both ways within one conversation."""
    compared = compare(a, b, language(code))
    assert compared.same, compared.why


@pytest.mark.parametrize(
    ("code", "a", "b"),
    [
        ("fr", "Son bail finit le 07/11.", "Son bail finit le 11 juillet."),
        ("fr", "Il est né le 5/12/1969.", "Il est né le 5 décembre 1970."),
        ("fr", "Il boit 3/4 de litre.", "Il boit le 3 avril."),
        ("fr", "Sa tension est de 12/8.", "Sa tension est de 8/12."),
        ("en", "Her lease ends on 04/05.", "Her lease ends on 4 May."),
        ("en", "Her lease ends on 04/05.", "Her lease ends on April 5."),
        ("en", "Her lease ends on 27/11.", "Her lease ends on 27/10."),
        ("en", "Her flat is 31/12.", "Her flat is 31 December."),
    ],
)
def test_figures_of_unsure_order_are_no_date(code: str, a: str, b: str) -> None:
    """A date read in the wrong order would be merged with another day."""
    assert not compare(a, b, language(code)).same
