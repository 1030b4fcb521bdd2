"""Reads dates written in figures only: 2026-05-12, 12/05/2026, 12.05.2026, "le 12/05".

Their order is a trait of the language; where it may be either, only dates with one reading are read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from souvenance.lang import Language
from souvenance.write.dates.almanac import day

_DATE = re.compile(
    r"(?<![\w.,/:-])(?:"
    r"(?P<y>\d{4})(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})"
    r"|(?P<a>\d{1,2})(?P<t>[-/.])(?P<b>\d{1,2})(?:(?P=t)(?P<z>\d{4}|\d{2}))?"
    r")(?=T\d\d:\d\d|[.,:]?(?:[^\w/.,:-]|$))",
    re.ASCII,
)

#: A year of two figures up to this is of this century ("12/05/31"). Chosen, not measured.
_CENTURY = 69


@dataclass(frozen=True, slots=True)
class Figures:
    """A date in figures: where it stands; its day; or its day and month when no year is written."""

    start: int
    end: int
    on: date | None
    day: int = 0
    month: int = 0


def figures(text: str, words: Language) -> list[Figures]:
    """The dates in figures of a text, those that cannot be read with certainty left out."""
    return [
        f
        for match in _DATE.finditer(text)
        if (f := _read(match, words.traits.numeric_dates)) is not None
    ]


def _read(match: re.Match[str], order: str) -> Figures | None:
    start, end = match.span()
    if match["y"]:
        on = day(int(match["y"]), int(match["m"]), int(match["d"])) if int(match["y"]) else None
        return Figures(start, end, on) if on else None
    a, b = int(match["a"]), int(match["b"])
    number, month = (b, a) if order == "month-day" or (order == "either" and b > 12) else (a, b)
    if not 1 <= month <= 12 or not 1 <= number <= 31:
        return None
    if order == "either" and a <= 12 and b <= 12 and a != b:
        return None  # 4/5 is in April or in May
    if match["z"] is None:
        # "12.5" and "12-5" are a figure and a score.
        return Figures(start, end, None, number, month) if match["t"] == "/" else None
    if match["t"] == "." and (len(match["a"]) < 2 or len(match["b"]) < 2):
        return None  # a version: 1.2.2024
    year = int(match["z"])
    if len(match["z"]) == 2:
        year += 2000 if year <= _CENTURY else 1900
    on = day(year, month, number) if year else None
    return Figures(start, end, on) if on else None
