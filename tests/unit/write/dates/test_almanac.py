"""Feasts and moving days fall where calendars print them."""

from __future__ import annotations

from datetime import date

import pytest

from souvenance.lang import language
from souvenance.write.dates import almanac
from souvenance.write.dates.forms import lexicon


@pytest.mark.parametrize(
    ("year", "day"),
    [
        (1818, (3, 22)), (1943, (4, 25)), (1954, (4, 18)), (1981, (4, 19)), (2000, (4, 23)),
        (2008, (3, 23)), (2011, (4, 24)), (2024, (3, 31)), (2025, (4, 20)), (2026, (4, 5)),
        (2027, (3, 28)), (2038, (4, 25)),
    ],
)  # fmt: skip
def test_easter_falls_where_calendars_print_it(year, day):
    """The earliest, the latest, and the exceptions of 1954 and 1981 are among them."""
    assert almanac.easter(year) == date(year, *day)


@pytest.mark.parametrize(
    ("rule", "day"),
    [
        ("12-25", date(2026, 12, 25)),
        ("easter+39", date(2026, 5, 14)),
        ("easter-47", date(2026, 2, 17)),
        ("nth 11 3 4", date(2026, 11, 26)),
        ("nth 11 3 4 1", date(2026, 11, 27)),
        ("2-29", None),
    ],
)
def test_a_rule_gives_its_day(rule, day):
    """Fixed days, days from Easter, and weekdays of a month."""
    assert almanac.feast(rule, 2026) == day


@pytest.mark.parametrize("code", ["fr", "en"])
def test_every_feast_of_the_lists_has_a_day(code):
    """A rule that is spelled wrong would never be read."""
    lists = lexicon(language(code).code)
    rules = {*lists.feasts.values(), *lists.feastdays.values()}
    assert all(any(almanac.feast(r, y) for y in range(2024, 2029)) for r in rules)


def _all(forms):
    return [*forms.by_figure, *(f for some in forms.by_word.values() for f in some)]


@pytest.mark.parametrize("code", ["fr", "en"])
def test_every_form_means_something_that_is_resolved(code):
    """A label without a reader is a line that does nothing."""
    from souvenance.write.dates.resolving import LABELS, UNREAD

    lists = lexicon(code)
    assert {f.means.split()[0] for f in _all(lists.forms)} <= LABELS | UNREAD


def test_a_month_that_is_too_short_ends_on_its_last_day():
    """ "In a month", on the 31st of January."""
    assert almanac.plus_months(date(2026, 1, 31), 1) == date(2026, 2, 28)
    assert almanac.plus_months(date(2026, 1, 31), -2) == date(2025, 11, 30)


def test_a_count_beyond_the_calendar_is_none():
    """No error, whatever is typed."""
    assert almanac.plus_days(date.max, 1) is None
    assert almanac.plus_months(date.min, -1) is None
    assert almanac.week(date.max, 3) is None
    assert almanac.month(10_000, 1) is None
    assert almanac.ranked(2026, 2, 0, 5) is None
