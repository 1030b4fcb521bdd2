"""Counts in the calendar: months that are added, weeks, weekends, Easter and the days that depend on it.

Everything is a pure function of days; what falls outside the calendar is None, never an error.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta

Span = tuple[date, date]
"""The first and the last day; the same twice for one day."""


def day(year: int, month: int, number: int) -> date | None:
    """That day, None when the month has no such day."""
    try:
        return date(year, month, number)
    except ValueError:
        return None


def plus_days(start: date, days: int) -> date | None:
    """The day so many days later (earlier when negative), None outside the calendar."""
    try:
        return start + timedelta(days=days)
    except OverflowError:
        return None


def plus_months(start: date, months: int) -> date | None:
    """The same day so many months later; the last day of a month that is too short."""
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        return None
    return date(year, month + 1, min(start.day, monthrange(year, month + 1)[1]))


def month(year: int, number: int) -> Span | None:
    """A whole month."""
    if not 1 <= year <= 9999:
        return None
    return date(year, number, 1), date(year, number, monthrange(year, number)[1])


def year_of(number: int) -> Span | None:
    """A whole year."""
    return (date(number, 1, 1), date(number, 12, 31)) if 1 <= number <= 9999 else None


def week(start: date, ahead: int) -> Span | None:
    """The week of a day, or one so many weeks later, from Monday to Sunday."""
    monday = plus_days(start, 7 * ahead - start.weekday())
    sunday = plus_days(monday, 6) if monday else None
    return (monday, sunday) if monday and sunday else None


def weekend(start: date, ahead: int) -> Span | None:
    """The Saturday and Sunday that end the week of a day, or one so many weeks later."""
    whole = week(start, ahead)
    return (date.fromordinal(whole[1].toordinal() - 1), whole[1]) if whole else None


def following(start: date, weekday: int) -> date | None:
    """The first such weekday after a day."""
    return plus_days(start, (weekday - start.weekday() - 1) % 7 + 1)


def preceding(start: date, weekday: int) -> date | None:
    """The last such weekday before a day."""
    return plus_days(start, -((start.weekday() - weekday - 1) % 7 + 1))


def ranked(year: int, number: int, weekday: int, rank: int) -> date | None:
    """The first (1), second (2)… or last (-1) such weekday of a month."""
    whole = month(year, number)
    if whole is None:
        return None
    first, last = whole
    if rank < 0:
        return plus_days(last, -((last.weekday() - weekday) % 7))
    found = plus_days(first, (weekday - first.weekday()) % 7 + 7 * (rank - 1))
    return found if found is not None and found <= last else None


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar. Source: the "anonymous" method, Nature, 1876."""
    golden, (century, rest) = year % 19, divmod(year, 100)
    d, e = divmod(century, 4)
    g = (century - (century + 8) // 25 + 1) // 3
    h = (19 * golden + century - d - g + 15) % 30
    i, k = divmod(rest, 4)
    weekday = (32 + 2 * e + 2 * i - h - k) % 7
    m = (golden + 11 * h + 22 * weekday) // 451
    number, before = divmod(h + weekday - 7 * m + 114, 31)
    return date(year, number, before + 1)


def feast(rule: str, year: int) -> date | None:
    """The day of a feast in a year. `rule` is "12-25", "easter+39", or "nth 11 3 4 1" (4th Thursday, one later)."""
    if not 1900 <= year <= 2200:  # what the rules below were checked on
        return None
    if rule.startswith("easter"):
        return plus_days(easter(year), int(rule.removeprefix("easter") or 0))
    if rule.startswith("nth"):
        number, weekday, rank, *more = (int(part) for part in rule.split()[1:])
        found = ranked(year, number, weekday, rank)
        return plus_days(found, sum(more)) if found else None
    of, _, on = rule.partition("-")
    return day(year, int(of), int(on))


def years_from(today: date, back: bool) -> Iterator[int]:
    """The years to try, nearest first. Eight: a 29th of February can be that far (1896 to 1904)."""
    steps = range(9)
    return (today.year - n if back else today.year + n for n in steps)
