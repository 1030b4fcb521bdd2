"""Reads number words ("soixante-dix-huit", "double five") as digits with their place in the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from souvenance.lang import codes, language, of_all_languages
from souvenance.write.filters.identifiers.cues import entries
from souvenance.write.filters.identifiers.view import View


@dataclass(frozen=True, slots=True)
class Atom:
    """A group of digits as typed or said; `said` when it was words."""

    digits: str
    start: int
    end: int
    said: bool = False


@of_all_languages
@lru_cache(maxsize=1)
def _values() -> dict[str, int]:
    pairs = (entry.split() for entry in entries("spelled_numbers"))
    return {word: int(value) for word, value in pairs}


@of_all_languages
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
    tens_end = unit_at = 0  # where the tens of a joined number end, and where its unit starts
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
        if (
            word in ("cent", "cents")
            and 20 < value < 100
            and value % 10
            and text[unit_at - 1] == " "
        ):
            # "trente quatre cent" is 30, then 400
            _flush(atoms, value - value % 10, start, tens_end)
            value, start = value % 10, unit_at
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
            tens_end, unit_at = end, match.start()
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
        if value >= 1000 and unit == 0:  # mille cent
            return value + 100
        return value - unit + unit * 100 if 0 < unit < 10 else None
    if word.startswith("vingt") and low == 4 and (value < 10 or value >= 100):  # quatre-vingt
        return value - 4 + 80
    if value >= 100 and low == 0 and 0 < new < 100:  # deux cent + 42, mille + 12
        return value + new
    if ("et" in gap) and new not in (1, 11):
        return None
    if 0 < new < 10 and low in (20, 30, 40, 50, 60, 70, 80, 90):
        return value + new
    if low == 10 and 7 <= new < 10 and word in _by_scores():  # dix-huit
        return value + new
    if 10 <= new < 20 and low in (60, 80) and word in _by_scores():
        return value + new
    return None


_PAIR = re.compile(r"[ ,.\-]{1,3}[0-9]{1,3}(?![0-9a-z])")
#: What may stand between two numbers said in a row.
_NEXT = re.compile(r"[ ,.\-;/]{0,3}")


def in_digits(view: View, atoms: Sequence[Atom]) -> View:
    """The view with its said numbers as digits, so that a pattern reads "20 AB douze mille" as typed.

    An article ("un 12AB34567") stays a word: a lone one counts only beside another short number.
    """
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for i, atom in enumerate(atoms):
        if atom.digits == "1" and not _accompanied(view.text, atoms, i):
            continue
        n = len(atom.digits)
        pieces += [view.text[at : atom.start], atom.digits]
        starts += [*view.starts[at : atom.start], *[view.starts[atom.start]] * n]
        ends += [*view.ends[at : atom.start], *[view.ends[atom.end - 1]] * n]
        at = atom.end
    pieces.append(view.text[at:])
    return View("".join(pieces), [*starts, *view.starts[at:]], [*ends, *view.ends[at:]])


def _accompanied(text: str, atoms: Sequence[Atom], i: int) -> bool:
    """Whether another number is said right before or after this one, or a short one is typed after."""
    before = i > 0 and _NEXT.fullmatch(text, atoms[i - 1].end, atoms[i].start)
    after = i + 1 < len(atoms) and _NEXT.fullmatch(text, atoms[i].end, atoms[i + 1].start)
    return bool(before or after or _PAIR.match(text, atoms[i].end))


@of_all_languages
@lru_cache(maxsize=1)
def _by_scores() -> frozenset[str]:
    """The number words of languages that go by scores: "soixante-dix" is one number, "sixty ten" is two."""
    counting = (language(c) for c in codes() if language(c).traits.numbers_by_scores)
    return frozenset(e.split()[0] for words in counting for e in words.words["spelled_numbers"])
