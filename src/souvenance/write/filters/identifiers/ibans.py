"""Finds IBANs by the structure of each country and the checksum, whatever separates their groups."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import product

from souvenance.write.filters.identifiers.view import Span, View

#: What may stand between two groups, at most three at a time.
_BETWEEN = r"[ .\-/_·:,;()]{0,3}"
_START = re.compile(rf"(?<![a-z0-9])[a-z]{_BETWEEN}[a-z]{_BETWEEN}[0-9o]{_BETWEEN}(?=[0-9o])")
_PIECE = re.compile(rf"([a-z0-9])(?:{_BETWEEN}(?=[a-z0-9]))?")
_LETTERS = {c: str(ord(c) - 87) for c in "abcdefghijklmnopqrstuvwxyz"}

#: Letters O that may be zeros, at most: each one doubles the sums to try.
_DOUBTS = 5

#: A run of letters that no account holds but a sentence does ("lu 1004 pages").
_WORD = re.compile(r"(?<![a-z0-9])[a-z]{3,}(?![a-z0-9])")


#: What each sort of place may hold; a letter O typed for a zero is forgiven.
_SORTS = {
    "n": frozenset("0123456789o"),
    "a": frozenset(_LETTERS),
    "c": frozenset(_LETTERS) | frozenset("0123456789"),
}


@lru_cache(maxsize=1)
def _plans() -> dict[str, tuple[str, ...]]:
    """The sort of every place after the country code (n digit, a letter, c either), by country."""
    table = files("souvenance.write.filters.identifiers").joinpath("iban_plans.txt")
    rows = [line.split() for line in table.read_text("utf-8").splitlines() if line[:1] != "#"]
    return {
        row[0]: ("n", "n", *(part[-1] for part in row[1:] for _ in range(int(part[:-1]))))
        for row in rows
        if row
    }


def find_ibans(view: View) -> list[Span]:
    """IBANs in order. Source: ISO 13616 (structure), ISO 7064 (mod 97)."""
    spans: list[Span] = []
    last = 0
    for start in _START.finditer(view.text):
        if start.start() < last:
            continue
        country = "".join(c for c in start.group() if c.isalpha())[:2]
        if country not in _plans():
            continue
        end = _read(view.text, start.start(), country)
        if end is not None:
            spans.append(Span(start.start(), end, "iban"))
            last = end
    return spans


#: Places of an IBAN that must stand at the end of a message to say that the rest follows. Chosen, not measured: the
#: country, the check digits and two groups of four but one.
_BEGUN = 10


def begun(view: View) -> tuple[int, int] | None:
    """Where an IBAN starts that breaks off at the end of the text, and how many places it lacks; None without one."""
    for start in _START.finditer(view.text):
        country = "".join(c for c in start.group() if c.isalpha())[:2]
        if country not in _plans():
            continue
        plan = ("a", "a", *_plans()[country])
        at, read = start.start(), 0
        for sort in plan:
            piece = _PIECE.match(view.text, at)
            if piece is None or piece.group(1) not in _SORTS[sort]:
                break
            at, read = piece.end(), read + 1
        if _BEGUN <= read < len(plan) and not view.text[at:].strip(" .,;:…"):
            return start.start(), len(plan) - read
    return None


def _read(text: str, start: int, country: str) -> int | None:
    """The end of the IBAN that starts there, None when its structure or its sum is wrong."""
    plan = ("a", "a", *_plans()[country])
    kept: list[str] = []
    at = end = start
    for sort in plan:
        piece = _PIECE.match(text, at)
        if piece is None or piece.group(1) not in _SORTS[sort]:
            return None
        char = piece.group(1)
        kept.append("0" if sort == "n" and char == "o" else char)
        at, end = piece.end(), piece.start() + 1
    if at == end and text[end : end + 1].isalnum():
        return None
    return end if _sums("".join(kept), plan) and not _worded(text[start:end]) else None


def _worded(text: str) -> bool:
    """Whether a word of a sentence stands in what was read; groups of four letters are no words."""
    groups = re.findall(r"[a-z0-9]+", text)
    if all(len(g) == 4 for g in groups[:-1]) and len(groups[-1]) <= 4:
        return False
    return any(w.start() > 8 for w in _WORD.finditer(text))


def _sums(code: str, plan: Sequence[str]) -> bool:
    """Whether the check digits are right; a letter O where either may stand is tried as a zero too."""
    doubtful = [i for i, c in enumerate(code) if c == "o" and plan[i] == "c"][:_DOUBTS]
    for zeros in product((False, True), repeat=len(doubtful)):
        tried = list(code)
        for i, zero in zip(doubtful, zeros, strict=True):
            tried[i] = "0" if zero else "o"
        number = "".join(_LETTERS.get(c, c) for c in (*tried[4:], *tried[:4]))
        if int(number) % 97 == 1:
            return True
    return False
