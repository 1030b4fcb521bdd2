"""Reads a date written in figures alone as a day and its month: "le 14/09" is "le 14 septembre".

Where the order of day and month cannot be told ("04/05" in English), the figures are left as they stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from souvenance.lang import Language
from souvenance.write.words.decisive import Item

#: Two figures of a year below it are of this century, those above of the last. Chosen, not measured.
_PIVOT = 40


def numbered_date(
    items: Sequence[Item], at: int, text: str, words: Language
) -> tuple[tuple[Item, ...], int] | None:
    """The day, the month and the year that figures joined by strokes tell, and how many pieces they take."""
    run = [items[at]]
    while len(run) < 4 and at + len(run) < len(items):
        following = items[at + len(run)]
        if following.sort != "figure" or text[run[-1].end : following.start] != "/":
            break
        run.append(following)
    digits = [text[i.start : i.end] for i in run]
    if len(run) not in (2, 3) or not all(d.isdigit() for d in digits):
        return None
    if max(len(d) for d in digits[:2]) > 2:
        return None
    if len(run) == 2 and not _is_date(items, at, digits, words):
        return None
    order = _order(int(digits[0]), int(digits[1]), words)
    if order is None:
        return None
    day, month = (run[n] for n in order)
    first, second = sorted((day, month), key=lambda i: i.start)
    told = [
        replace(day, form=str(int(text[day.start : day.end])), start=first.start),
        replace(month, sort="month", form=str(int(text[month.start : month.end])), start=second.start, after_stop=False),
    ]  # fmt: skip
    if len(run) == 3:
        told.append(replace(run[2], form=_year(digits[2]), after_stop=False))
    return tuple(told), len(run)


def _is_date(items: Sequence[Item], at: int, digits: Sequence[str], words: Language) -> bool:
    """Whether two figures are a date: a zero or a word of date says so, "3/4" alone is a share."""
    before = items[at - 1].word if at else ""
    return digits[1].startswith("0") or before in words.words["numbered_date_leads"]


def _order(one: int, two: int, words: Language) -> tuple[int, int] | None:
    """Which figure is the day and which the month; None when neither reading, or either, is possible."""
    day_first, month_first = 1 <= one <= 31 and 1 <= two <= 12, 1 <= two <= 31 and 1 <= one <= 12
    written = words.traits.numeric_dates
    if written == "either" and day_first and month_first and one != two:
        return None
    if day_first and written != "month-day":
        return 0, 1
    return (1, 0) if month_first and written != "day-month" else None


def _year(digits: str) -> str:
    if len(digits) != 2:
        return digits.lstrip("0") or "0"
    return str(int(digits) + (2000 if int(digits) < _PIVOT else 1900))
