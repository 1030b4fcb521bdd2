"""Reads the slots that hold figures: an age, a sum, a count, a date, a day and hour, a deal."""

from __future__ import annotations

import re

from souvenance.lang import Language
from souvenance.write.attributes.spoken import Words

Read = list[tuple[tuple[str, ...], int]]

#: No person or animal is older. Source: the longest life on record is 122 years.
_OLDEST = 122


def _after(said: Words, at: int) -> int:
    """Where the words go on after the figure at that place."""
    return next(
        (n for n in range(at, len(said)) if said[n].start >= said[at].figure_end), len(said)
    )


def _number(said: Words, at: int) -> tuple[str, str] | None:
    """The figure at a place: its number and its unit."""
    if at >= len(said) or said[at].sort != "figure":
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(.*)", said[at].figure)
    return (found[1], found[2]) if found else None


def age(said: Words, at: int, words: Language) -> Read:
    """An age, its unit said or not: years, or months and weeks of a baby ("34", "7 months old")."""
    found = _number(said, at)
    if found is None or "." in found[0] or int(found[0]) > _OLDEST:
        return []
    number, unit = found
    end = _after(said, at)
    follows = said[end].word if end < len(said) and not said[end].stop else ""
    if not unit and follows in words.words["attribute_age_units"]:
        unit, end = follows, end + 1
    if not unit or unit in words.words["attribute_years"]:
        shows = number
    elif unit in words.words["attribute_age_units"]:
        shows = f"{number} {unit}"
    else:
        return []
    old = end < len(said) and said[end].word in words.words["attribute_old"]
    if words.words["attribute_old"] and shows != number and not old:
        return []  # "I'm 7 months pregnant"
    return [((shows,), end + 1 if old else end)]


def aged(said: Words, at: int, words: Language) -> Read:
    """An age with its unit, where a bare figure is none ("j'ai 34 ans", not "j'ai 34")."""
    found = _number(said, at)
    if found is None:
        return []
    units = words.words["attribute_age_units"]
    end = _after(said, at)
    follows = said[end].word if end < len(said) else ""
    return age(said, at, words) if found[1] in units or follows in units else []


def count(said: Words, at: int, words: Language) -> Read:
    """A whole number of people or animals."""
    found = _number(said, at)
    if found is None or "." in found[0]:
        return []
    whole = said[at].figure_end == said[at].end or found[1] == ""
    return [((found[0],), _after(said, at))] if whole else []


def year(said: Words, at: int, words: Language) -> Read:
    """A year of birth."""
    found = _number(said, at)
    if found is None or not re.fullmatch(r"(?:19|20)\d\d", found[0]):
        return []
    return [((found[0],), at + 1)]


#: What stands for thousands after a sum.
_THOUSANDS = frozenset({"k"})


def money(said: Words, at: int, words: Language) -> Read:
    """A sum of money, with or without its currency ("700", "700 €", "£30k")."""
    start = at
    signs = words.words["attribute_money"]
    if at < len(said) and said[at].word in words.words["attribute_about"]:
        at += 1
    if at + 1 < len(said) and said[at].word in signs and not said[at].figure:
        at += 1
    found = _number(said, at)
    if found is None:
        return []
    end = _after(said, at)
    if end < len(said) and said[end].word in _THOUSANDS and not said[end].stop:
        end += 1
    if end < len(said) and said[end].word in signs and not said[end].stop:
        end += 1
    unit = found[1]
    if unit and unit not in signs and unit not in "€$£¥":
        return []
    if end < len(said) and not said[end].stop and said[end].word in words.words["units"] - signs:
        return []  # "j'ai 700 km"
    return [((shown(said, start, end),), end)]


def priced(said: Words, at: int, words: Language) -> Read:
    """A sum of money with its currency."""
    signs = words.words["attribute_money"]
    return [
        (values, end)
        for values, end in money(said, at, words)
        if any(w.word in signs for w in said[at:end]) or any(s in values[0] for s in "€$£¥")
    ]


def date(said: Words, at: int, words: Language) -> Read:
    """A day of the year, with its year or without ("12 mars 1990", "March 3rd")."""
    links = words.words["attribute_date_links"]
    end, month, day = at, 0, 0
    while end < len(said) and not (said[end].stop and end > at and not said[end].figure):
        word = said[end]
        if word.sort == "month":
            month += 1
        elif word.sort == "figure":
            day += 1
        elif word.word not in links or not (day or month):
            break
        end += 1
    while end > at and said[end - 1].word in links and not said[end - 1].tied:
        end -= 1
    return [((shown(said, at, end),), end)] if month == 1 and 1 <= day <= 2 else []


def when(said: Words, at: int, words: Language) -> Read:
    """A day, an hour, or both ("jeudi 14h", "the 3rd of May at noon")."""
    links = words.words["attribute_when_links"]
    end, dated = at, False
    while end < len(said) and (not said[end].stop or end == at):
        word = said[end]
        if word.sort in ("day", "month", "moment"):
            dated = True
        elif word.sort == "figure":
            timed = re.sub(r"[\d.]", "", word.figure) in ("", "h", "hour", "heure")
            dated = dated or timed
        elif word.word not in links and not (word.tied and word.word in links):
            break
        end += 1
    while end > at and said[end - 1].word in words.words["attribute_when_inner"]:
        end -= 1
    start = at
    while start < end and said[start].word in words.words["attribute_when_inner"]:
        start += 1
    return [((shown(said, start, end),), end)] if dated and start < end else []


def deal(said: Words, at: int, words: Language) -> Read:
    """So many of something at a price ("10 séances à 200 €")."""
    found = _number(said, at)
    end = _after(said, at)
    if found is None or end + 1 >= len(said) or said[end].sort or said[end].stop:
        return []
    if said[end + 1].word not in words.words["attribute_at"]:
        return []
    for _, last in priced(said, end + 2, words):
        return [((shown(said, at, last),), last)]
    return []


def shown(said: Words, start: int, end: int) -> str:
    """The words as they were written, with what tied them."""
    text = "".join(w.mark + w.raw for w in said[start:end])
    return text.removeprefix(said[start].mark) if start < end else ""
