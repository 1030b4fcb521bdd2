"""Tells which day a moment is where a person lives, since "tomorrow" is theirs and not the server's."""

from __future__ import annotations

from datetime import UTC, date, datetime, tzinfo
from zoneinfo import ZoneInfo


def local_day(at: datetime, time_zone: str | None) -> date:
    """The day of `at` in an IANA time zone; in UTC when it is unknown, or no zone at all.

    A time without a zone is taken as UTC.
    """
    aware = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
    try:
        return aware.astimezone(_zone(time_zone)).date()
    except OverflowError:  # at the edges of the calendar
        return aware.date()


def _zone(name: str | None) -> tzinfo:
    try:
        return ZoneInfo(name) if name else UTC
    except (ValueError, OSError, LookupError):
        return UTC
