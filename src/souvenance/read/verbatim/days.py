"""The days that a query names: "in May 2023", "le 3 mars", "on 12 June".

A plain reader of months, days and years; what is relative to today is left to the words.
"""

from __future__ import annotations

import calendar
from datetime import date
from functools import lru_cache

from souvenance.lang import Language, tokens

#: Years that a figure of four digits may be. Chosen, not measured.
FIRST_YEAR, LAST_YEAR = 1900, 2100


def days_named(text: str, language: Language) -> tuple[date, date] | None:
    """First and last day of the one month or day that a text names with its year; None without a year."""
    found = tokens(text)
    months = month_numbers(language)
    for n, token in enumerate(found):
        month = months.get(token.word)
        if month is None or (language.traits.capital_dates and token.raw[0].islower()):
            continue
        beside = [t.word for t in (*found[max(n - 2, 0) : n], *found[n + 1 : n + 3])]
        figures = [int(word) for word in map(_figure, beside) if word]
        year = next((f for f in figures if FIRST_YEAR <= f <= LAST_YEAR), None)
        day = next((f for f in figures if 1 <= f <= 31), None)
        if year is not None:
            return _days(year, month, day)
    return None


def _figure(word: str) -> str:
    return word if word.isdecimal() and len(word) <= 4 else ""


def _days(year: int, month: int, day: int | None) -> tuple[date, date] | None:
    last = calendar.monthrange(year, month)[1]
    if day is None:
        return date(year, month, 1), date(year, month, last)
    return (date(year, month, day),) * 2 if day <= last else None


def month_numbers(language: Language) -> dict[str, int]:
    """Folded month names to their numbers."""
    return _numbers(language.words["months"])


@lru_cache(maxsize=16)
def _numbers(entries: frozenset[str]) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for entry in entries:
        *names, number = (part.strip() for part in entry.split("="))
        numbers.update(dict.fromkeys(names, int(number)))
    return numbers
