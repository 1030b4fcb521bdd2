"""Reads number words ("soixante-dix-huit", "double five") as digits with their place in the text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from souvenance.lang import language
from souvenance.write.filters.identifiers.cues import entries


@dataclass(frozen=True, slots=True)
class Atom:
    """A group of digits as typed or said; `said` when it was words."""

    digits: str
    start: int
    end: int
    said: bool = False


@lru_cache(maxsize=1)
def _values() -> dict[str, int]:
    pairs = (entry.split() for entry in entries("spelled_numbers"))
    return {word: int(value) for word, value in pairs}


@lru_cache(maxsize=1)
def _words() -> re.Pattern[str]:
    names = "|".join(sorted((*_values(), "double", "triple"), key=lambda w: (-len(w), w)))
    return re.compile(rf"(?<![a-z])(?:{names})(?![a-z])")


#: What may stand inside one number: "quatre-vingt", "vingt et un", "two hundred and six".
_INSIDE = re.compile(r"[ \-]{1,2}|[ \-](?:et|and)[ \-]")


def said_numbers(text: str) -> list[Atom]:
    """One atom for each number said in the text, in order."""
    atoms: list[Atom] = []
    value, start, end = -1, 0, 0
    times = 1
    for match in _words().finditer(text):
        word = match.group()
        if word in ("double", "triple"):
            times = 2 if word == "double" else 3
            _flush(atoms, value, start, end)
            value, start, end = -1, match.start(), match.end()
            continue
        if times > 1:
            atoms.append(Atom(str(_values()[word]) * times, start, match.end(), True))
            times = 1
            continue
        joined = None
        eighty = _values()[word] == 4 and text.startswith(("-vingt", " vingt"), match.end())
        if (
            value >= 0
            and not (eighty and value < 100)
            and _INSIDE.fullmatch(text, end, match.start())
        ):
            joined = _join(value, _values()[word], word, text[end : match.start()])
        if joined is None:
            _flush(atoms, value, start, end)
            value, start, end = _values()[word], match.start(), match.end()
        else:
            value, end = joined, match.end()
    _flush(atoms, value, start, end)
    return atoms


def _flush(atoms: list[Atom], value: int, start: int, end: int) -> None:
    if value >= 0:
        atoms.append(Atom(str(value), start, end, True))


def _join(value: int, new: int, word: str, gap: str) -> int | None:
    """The number both make when said as one, None when they are two ("six" then "douze")."""
    low = value % 100
    if new == 1000:
        return value * 1000 if 0 < value < 1000 else None
    if new == 100:
        unit = value % 1000
        return value - unit + unit * 100 if 0 < unit < 10 else None
    if word.startswith("vingt") and low == 4 and (value < 10 or value >= 100):  # quatre-vingt
        return value - 4 + 80
    if value >= 100 and low == 0 and 0 < new < 100:  # deux cent + 42, mille + 12
        return value + new
    if ("et" in gap) and new not in (1, 11):
        return None
    if 0 < new < 10 and low in (20, 30, 40, 50, 60, 70, 80, 90):
        return value + new
    if 10 <= new < 20 and low in (60, 80) and word in _french():
        return value + new
    return None


@lru_cache(maxsize=1)
def _french() -> frozenset[str]:
    """The French number words: "soixante-dix" is one number, "sixty ten" is two."""
    return frozenset(entry.split()[0] for entry in language("fr").words["spelled_numbers"])
