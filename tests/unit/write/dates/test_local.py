"""The day of a message is the day where the person lives."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from souvenance.write.dates import local_day

#: Half past eleven in the evening, UTC.
LATE = datetime(2026, 3, 14, 23, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("Europe/Paris", date(2026, 3, 15)),
        ("America/New_York", date(2026, 3, 14)),
        ("Pacific/Auckland", date(2026, 3, 15)),
        ("UTC", date(2026, 3, 14)),
        (None, date(2026, 3, 14)),
        ("", date(2026, 3, 14)),
        ("Mars/Olympus", date(2026, 3, 14)),
        ("../../etc/passwd", date(2026, 3, 14)),
        ("Europe", date(2026, 3, 14)),
    ],
)
def test_midnight_is_the_persons(zone, day):
    """ "Tomorrow", said at half past midnight in Paris, is not the server's tomorrow."""
    assert local_day(LATE, zone) == day


def test_a_time_without_a_zone_is_taken_as_utc():
    """It must not depend on the machine."""
    assert local_day(datetime(2026, 3, 14, 23, 30), "Europe/Paris") == date(2026, 3, 15)


@given(st.datetimes(), st.text(max_size=30))
def test_no_zone_is_an_error(at, zone):
    """A profile may hold anything."""
    assert abs((local_day(at, zone) - at.date()).days) <= 1


@pytest.mark.parametrize("at", [datetime.min, datetime.max])
def test_the_edges_of_the_calendar_are_days(at):
    """A time zone would step out of it."""
    assert local_day(at.replace(tzinfo=UTC), "America/New_York")
    assert local_day(at.replace(tzinfo=UTC), "Pacific/Auckland")
