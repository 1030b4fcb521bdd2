"""Finds IBANs by country length and checksum, whatever separates their groups."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

from souvenance.write.filters.identifiers.view import Span, View

_START = re.compile(r"(?<![a-z0-9])[a-z] ?[a-z][ .\-]?[0-9o][ .\-]?[0-9o]")
#: What may stand between two groups.
_BETWEEN = frozenset(" .-/_·:,")
_LETTERS = {c: str(ord(c) - 87) for c in "abcdefghijklmnopqrstuvwxyz"}


@lru_cache(maxsize=1)
def _lengths() -> dict[str, int]:
    table = (
        files("souvenance.write.filters.identifiers")
        .joinpath("iban_lengths.txt")
        .read_text("utf-8")
    )
    rows = (line.split("#")[0].split() for line in table.splitlines())
    return {row[0]: int(row[1]) for row in rows if row}


def find_ibans(view: View) -> list[Span]:
    """IBANs in order. Source: ISO 13616 (lengths), ISO 7064 (mod 97)."""
    spans: list[Span] = []
    last = 0
    for start in _START.finditer(view.text):
        length = _lengths().get(start.group().replace(" ", "")[:2])
        if length is None or start.start() < last:
            continue
        end = _read(view.text, start.start(), length)
        if end is not None:
            spans.append(Span(start.start(), end, "iban"))
            last = end
    return spans


def _read(text: str, start: int, length: int) -> int | None:
    """The end of the IBAN of `length` characters that starts there, None when the sum is wrong."""
    kept: list[str] = []
    gap = 0
    for at in range(start, min(len(text), start + 3 * length)):
        char = text[at]
        if char.isascii() and char.isalnum():
            kept.append(char)
            gap = 0
            if len(kept) == length:
                after = text[at + 1 : at + 2]
                whole = not (after.isascii() and after.isalnum())
                return at + 1 if whole and _sums("".join(kept)) else None
        elif char in _BETWEEN and gap < 2:
            gap += 1
        else:
            return None
    return None


def _sums(code: str) -> bool:
    """Whether the check digits are right; a letter O typed for a zero is forgiven."""
    for tried in {code, code[:2] + code[2:].replace("o", "0")}:
        number = "".join(_LETTERS.get(c, c) for c in tried[4:] + tried[:4])
        if int(number) % 97 == 1:
            return True
    return False
