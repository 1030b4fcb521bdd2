"""A model's own figure counts for nothing unless somebody asks for it."""

from __future__ import annotations

from souvenance.domain import Dropped, Kept
from souvenance.settings import Settings

SAID = "I mend clocks."
TRUE = "Nadège mends clocks."


def test_no_limit_is_the_default(screened):
    """What the person doubted stands in the words; a figure of the model's does not carry it."""
    assert Settings().reflection.min_confidence == 0
    assert isinstance(screened("en", SAID, TRUE, confidence=0.01), Kept)


def test_a_limit_drops_what_is_below_it_under_its_own_name(screened):
    """The journal must tell it from what a filter read in the words."""
    verdict = screened("en", SAID, TRUE, confidence=0.4, min_confidence=0.5)
    assert isinstance(verdict, Dropped)
    assert verdict.filter == "confidence"
    assert "0.40" in verdict.reason


def test_a_limit_keeps_what_reaches_it(screened):
    """The limit itself is enough."""
    assert isinstance(screened("en", SAID, TRUE, confidence=0.5, min_confidence=0.5), Kept)


def test_a_filter_speaks_before_the_limit(screened):
    """The true reason is worth more than the figure."""
    verdict = screened("en", SAID, "Nadège does not mend clocks.", confidence=0.1, min_confidence=1)
    assert isinstance(verdict, Dropped)
    assert verdict.filter == "polarity"
