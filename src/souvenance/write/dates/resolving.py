"""Turns a form that was found ("ahead", with 3 and week) into days, from the day it was said.

What has two readings on that day ("next Friday" on a Monday) gives None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date

from souvenance.write.dates import almanac
from souvenance.write.dates.almanac import Span
from souvenance.write.dates.forms import Match
from souvenance.write.dates.tense import Tense

#: Above so many years "ten years ago" is no day any more. Chosen, not measured.
_YEARS_TO_THE_DAY = 3

#: Days of the early, middle and late part of a month: the first of each, then the day after the last.
_PARTS = {"early": (1, 10), "mid": (11, 20), "late": (21, 31)}


@dataclass(frozen=True, slots=True)
class Said:
    """When and how a form was said."""

    today: date
    tense: Tense
    role: str
    rounds: Mapping[int, int]  # "huit jours" is a week in French


@dataclass(frozen=True, slots=True)
class Days:
    """What a form stands for; `exact` is false when it only tells about when."""

    start: date
    end: date
    exact: bool = True


def resolve(match: Match, said: Said) -> Days | None:
    """The days of a form, None when they cannot be told with certainty."""
    label, *rest = match.means.split()
    reader = _READERS.get(label)
    if reader is None:
        return None
    found = reader(match.slots, said, [int(n) if n.lstrip("-").isdigit() else n for n in rest])
    if found is None or isinstance(found, Days):
        return found
    return Days(*found)


Slots = Mapping[str, int | str]
Args = list[int | str]
Read = Span | Days | None


def _one(found: date | None) -> Span | None:
    return (found, found) if found else None


def _int(slots: Slots, name: str) -> int:
    return int(slots[name])


# --- so many days, weeks, months --------------------------------------------------------------------


def moved(start: date, n: int, unit: str, rounds: Mapping[int, int]) -> date | None:
    """The day `n` units later, earlier when negative."""
    if unit == "day":
        sign = -1 if n < 0 else 1
        return almanac.plus_days(start, sign * rounds.get(abs(n), abs(n)))
    if unit in ("week", "fortnight"):
        return almanac.plus_days(start, n * (7 if unit == "week" else 14))
    return almanac.plus_months(start, n * (12 if unit == "year" else 1))


def _offset(slots: Slots, said: Said, args: Args) -> Read:
    return _one(almanac.plus_days(said.today, int(args[0])))


def _counted(sign: int) -> Callable[[Slots, Said, Args], Read]:
    def read(slots: Slots, said: Said, args: Args) -> Read:
        n, unit = _int(slots, "n"), str(slots["unit"])
        if sign > 0 and said.tense == "past":
            return None  # "I read it in two days": how long it took
        on = moved(said.today, sign * n, unit, said.rounds)
        if on is None:
            return None
        days = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}[unit] * n
        return Days(on, on, exact=days <= 365 * _YEARS_TO_THE_DAY)

    return read


def _ago_exactly(slots: Slots, said: Said, args: Args) -> Read:
    return _one(moved(said.today, -_int(slots, "n"), str(slots["unit"]), said.rounds))


def _lasting(slots: Slots, said: Said, args: Args) -> Read:
    """ "For three weeks now": when it began, about."""
    on = moved(said.today, -_int(slots, "n"), str(slots["unit"]), said.rounds)
    return Days(on, on, exact=False) if on else None


# --- weekdays ---------------------------------------------------------------------------------------


def _weekday(slots: Slots, said: Said, args: Args) -> Read:
    return _bare_weekday(_int(slots, "weekday"), said)


def _bare_weekday(weekday: int, said: Said) -> Read:
    if said.tense == "both":
        return None
    back = said.tense == "past"
    return _one((almanac.preceding if back else almanac.following)(said.today, weekday))


def _weekday_last(slots: Slots, said: Said, args: Args) -> Read:
    return _one(almanac.preceding(said.today, _int(slots, "weekday")))


def _weekday_coming(slots: Slots, said: Said, args: Args) -> Read:
    weekday = _int(slots, "weekday")
    return None if weekday == said.today.weekday() else _one(almanac.following(said.today, weekday))


def _weekday_this(slots: Slots, said: Said, args: Args) -> Read:
    weekday = _int(slots, "weekday")
    if weekday == said.today.weekday():
        return _one(said.today)
    return _bare_weekday(weekday, said)


def _weekday_next(slots: Slots, said: Said, args: Args) -> Read:
    """The one of the next week; not certain while this week's is still to come, for some mean that one."""
    weekday = _int(slots, "weekday")
    on = almanac.following(said.today, weekday)
    return Days(on, on, exact=said.today.weekday() >= weekday) if on else None


def _weekday_plus(slots: Slots, said: Said, args: Args) -> Read:
    on = almanac.following(said.today, _int(slots, "weekday"))
    return _one(almanac.plus_days(on, 7 * int(args[0]))) if on else None


def _weekday_weeks(slots: Slots, said: Said, args: Args) -> Read:
    """ "Three weeks on Saturday": so many weeks after the coming one."""
    if slots["unit"] not in ("week", "fortnight"):
        return None
    on = almanac.following(said.today, _int(slots, "weekday"))
    return _one(moved(on, _int(slots, "n"), str(slots["unit"]), {})) if on else None


def _weekday_in_week(slots: Slots, said: Said, args: Args) -> Read:
    whole = almanac.week(said.today, int(args[0]))
    return _one(almanac.plus_days(whole[0], _int(slots, "weekday"))) if whole else None


# --- weeks, months, years ---------------------------------------------------------------------------


def _period(slots: Slots, said: Said, args: Args) -> Read:
    return _whole(said.today, str(args[0]), int(args[1]))


def _whole(today: date, unit: str, ahead: int) -> Span | None:
    if unit == "week":
        return almanac.week(today, ahead)
    if unit == "year":
        return almanac.year_of(today.year + ahead)
    on = almanac.plus_months(today.replace(day=1), ahead)
    return almanac.month(on.year, on.month) if on else None


def _period_end(slots: Slots, said: Said, args: Args) -> Read:
    """ "By the end of the month" is its last day; "at the end of the month" its last part."""
    whole = _whole(said.today, str(args[0]), int(args[1]))
    if whole is None:
        return None
    if said.role in ("by", "until"):
        return whole[1], whole[1]
    return _part(whole, "late") if args[0] == "month" else None


def _period_part(slots: Slots, said: Said, args: Args) -> Read:
    whole = _whole(said.today, "month", int(args[0]))
    return _part(whole, str(slots["part"])) if whole else None


def _part(whole: Span, part: str) -> Span:
    first, last = _PARTS[part]
    return whole[0].replace(day=first), whole[0].replace(day=min(last, whole[1].day))


def _weekend(slots: Slots, said: Said, args: Args) -> Read:
    """The weekend that is near: this one, and last week's when it is over and told as past."""
    if said.tense == "both":
        return None
    back = said.tense == "past" and said.today.weekday() < 5
    return almanac.weekend(said.today, -1 if back else 0)


def _weekend_last(slots: Slots, said: Said, args: Args) -> Read:
    return almanac.weekend(said.today, -1)


def _weekend_next(slots: Slots, said: Said, args: Args) -> Read:
    """As with weekdays: unread from Monday to Friday."""
    return almanac.weekend(said.today, 1) if said.today.weekday() >= 5 else None


def _year(slots: Slots, said: Said, args: Args) -> Read:
    return almanac.year_of(_int(slots, "year"))


# --- days of a month --------------------------------------------------------------------------------


def _pick(candidates: Iterable[Span | None], said: Said) -> Read:
    """The nearest on the side that the tense tells; None when today may be meant."""
    if said.tense == "both":
        return None
    for found in candidates:
        if found is None:
            continue
        if found[0] <= said.today <= found[1]:
            return None
        if (found[1] < said.today) == (said.tense == "past"):
            return found
    return None


def _years(said: Said) -> Iterable[int]:
    return almanac.years_from(said.today, said.tense == "past")


def _day_month(slots: Slots, said: Said, args: Args) -> Read:
    number, month = _int(slots, "day"), _int(slots, "month")
    if "year" in slots:
        on = almanac.day(_int(slots, "year"), month, number)
        return _one(on) if on and _agrees(on, slots) else None
    if "weekday" in slots:
        return _dated_weekday(number, month, slots, said)
    return _pick((_one(almanac.day(y, month, number)) for y in _years(said)), said)


def _agrees(on: date, slots: Slots) -> bool:
    return "weekday" not in slots or on.weekday() == _int(slots, "weekday")


#: How far a weekday and a day that agree may be, in days, when nothing says the year. Chosen, not measured.
_NEAR = 300


def _dated_weekday(number: int, month: int, slots: Slots, said: Said) -> Read:
    """ "Tuesday 12 May": the near year in which it is a Tuesday, on the side that the tense tells."""
    years = (said.today.year + n for n in (-1, 0, 1))
    days = [d for y in years if (d := almanac.day(y, month, number)) and _agrees(d, slots)]
    near = [d for d in days if abs((d - said.today).days) <= _NEAR]
    if said.tense in ("past", "future"):
        near = [d for d in near if (d < said.today) == (said.tense == "past")]
    return _one(near[0]) if len(near) == 1 else None


def _day(slots: Slots, said: Said, args: Args) -> Read:
    """A bare day of the month: the next one after today, or the last one before."""
    if said.tense == "both":
        return None
    step = -1 if said.tense == "past" else 1
    for months in range(3):
        first = almanac.plus_months(said.today.replace(day=1), step * months)
        on = almanac.day(first.year, first.month, _int(slots, "day")) if first else None
        after = on is not None and (on > said.today if step > 0 else on < said.today)
        if on and after:
            return _one(on) if _agrees(on, slots) else None
    return None


def _day_of_period(slots: Slots, said: Said, args: Args) -> Read:
    whole = _whole(said.today, "month", int(args[0]))
    number = _int(slots, "day")
    return _one(almanac.day(whole[0].year, whole[0].month, number)) if whole else None


def _ranked(slots: Slots, said: Said, args: Args) -> Read:
    def on(year: int) -> Span | None:
        number, weekday = _int(slots, "month"), _int(slots, "weekday")
        return _one(almanac.ranked(year, number, weekday, _int(slots, "rank")))

    return on(_int(slots, "year")) if "year" in slots else _pick(map(on, _years(said)), said)


def _week_of(slots: Slots, said: Said, args: Args) -> Read:
    found = _day_month(slots, said, args) if "month" in slots else _day(slots, said, args)
    return almanac.week(found[0], 0) if isinstance(found, tuple) else None


def _weekend_of(slots: Slots, said: Said, args: Args) -> Read:
    found = _day_month(slots, said, args) if "month" in slots else _day(slots, said, args)
    inside = isinstance(found, tuple) and found[0].weekday() >= 5
    return almanac.weekend(found[0], 0) if inside and isinstance(found, tuple) else None


# --- months -----------------------------------------------------------------------------------------


def _month(slots: Slots, said: Said, args: Args) -> Read:
    number = _int(slots, "month")
    if "year" in slots:
        return almanac.month(_int(slots, "year"), number)
    return _pick((almanac.month(y, number) for y in _years(said)), said)


def _month_side(tense: Tense) -> Callable[[Slots, Said, Args], Read]:
    def read(slots: Slots, said: Said, args: Args) -> Read:
        return _month(slots, replace(said, tense=tense), args)

    return read


def _month_of_year(slots: Slots, said: Said, args: Args) -> Read:
    return almanac.month(said.today.year + int(args[0]), _int(slots, "month"))


def _month_part(slots: Slots, said: Said, args: Args) -> Read:
    number, part = _int(slots, "month"), str(slots["part"])

    def of(year: int) -> Span | None:
        whole = almanac.month(year, number)
        return _part(whole, part) if whole else None

    found = of(_int(slots, "year")) if "year" in slots else _pick(map(of, _years(said)), said)
    if isinstance(found, tuple) and part == "late" and said.role in ("by", "until"):
        return found[1], found[1]
    return found


# --- feasts -----------------------------------------------------------------------------------------


def _feast(slots: Slots, said: Said, args: Args) -> Read:
    rule = str(slots["feast"])
    if "year" in slots:
        return _one(almanac.feast(rule, _int(slots, "year")))
    return _pick((_one(almanac.feast(rule, y)) for y in _years(said)), said)


def _feast_side(tense: Tense) -> Callable[[Slots, Said, Args], Read]:
    def read(slots: Slots, said: Said, args: Args) -> Read:
        return _feast(slots, replace(said, tense=tense), args)

    return read


# --- ranges -----------------------------------------------------------------------------------------


def _days(slots: Slots, said: Said, args: Args) -> Read:
    """ "From 3 to 9 October", "from 28 October to 3 November"; without a month, the next such days."""
    first, last = _int(slots, "day"), _int(slots, "day2")
    if "month" not in slots:
        start = _day({"day": first}, said, args)
        return _until(start[0], last, None) if isinstance(start, tuple) else None
    month = _int(slots, "month")
    months = (month, _int(slots, "month2")) if "month2" in slots else (month, month)

    def span(year: int) -> Span | None:
        start = almanac.day(year, months[0], first)
        later = year + (months[1] < months[0])
        end = almanac.day(later, months[1], last)
        return (start, end) if start and end and start < end else None

    if "year" in slots:
        year = _int(slots, "year")
        return span(year - (months[1] < months[0]))
    return _pick(map(span, _years(said)), said)


def _until(start: date, number: int, month: int | None) -> Span | None:
    on = almanac.day(start.year, start.month, number)
    if on is None or on <= start:
        first = almanac.plus_months(start.replace(day=1), 1)
        on = almanac.day(first.year, first.month, number) if first else None
    return (start, on) if on and on > start else None


def _months(slots: Slots, said: Said, args: Args) -> Read:
    one, other = _int(slots, "month"), _int(slots, "month2")

    def span(year: int) -> Span | None:
        start = almanac.month(year, one)
        end = almanac.month(year + (other < one), other)
        return (start[0], end[1]) if start and end and one != other else None

    if "year" in slots:
        return span(_int(slots, "year") - (other < one))
    return _pick(map(span, _years(said)), said)


def _year_range(slots: Slots, said: Said, args: Args) -> Read:
    start, end = almanac.year_of(_int(slots, "year")), almanac.year_of(_int(slots, "year2"))
    return (start[0], end[1]) if start and end and start < end else None


def _weekdays(slots: Slots, said: Said, args: Args) -> Read:
    start = _bare_weekday(_int(slots, "weekday"), said)
    if not isinstance(start, tuple) or said.tense == "past":
        return None
    end = almanac.following(start[0], _int(slots, "weekday2"))
    return (start[0], end) if end else None


_READERS: dict[str, Callable[[Slots, Said, Args], Read]] = {
    "offset": _offset, "offset-by": _offset, "ahead": _counted(1), "ago": _counted(-1), "ago-exactly": _ago_exactly,
    "ahead-by": _counted(1), "lasting": _lasting,
    "weekday": _weekday, "weekday-last": _weekday_last, "weekday-next": _weekday_next,
    "weekday-this": _weekday_this, "weekday-coming": _weekday_coming,
    "weekday-plus": _weekday_plus, "weekday-weeks": _weekday_weeks, "weekend-of": _weekend_of, "weekday-week": _weekday_in_week,
    "period": _period, "period-end": _period_end, "period-part": _period_part,
    "weekend": _weekend, "weekend-last": _weekend_last, "weekend-next": _weekend_next,
    "year": _year, "day-month": _day_month, "day": _day, "day-led": _day,
    "day-of-period": _day_of_period, "ranked": _ranked, "week-of": _week_of,
    "month": _month, "month-year": _month, "month-last": _month_side("past"),
    "month-next": _month_side("future"), "month-of-year": _month_of_year,
    "month-part": _month_part, "feast": _feast, "feast-day": _feast, "feast-this": _feast, "feast-last": _feast_side("past"),
    "feast-next": _feast_side("future"), "days": _days, "months": _months,
    "years": _year_range, "weekdays": _weekdays,
}  # fmt: skip

LABELS = frozenset(_READERS)

#: Labels of forms that are matched so that no part of them is read: an hour table, a decade.
UNREAD = frozenset({"open-weekdays", "decade"})
