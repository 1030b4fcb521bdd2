"""Tells card numbers and the French register number (NIR) by their digits and check sums."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

#: Brand prefixes and the lengths they come in. Source: ISO/IEC 7812 ranges as published by the brands.
_BRANDS: tuple[tuple[re.Pattern[str], frozenset[int]], ...] = tuple(
    (re.compile(prefix), frozenset(lengths))
    for prefix, lengths in (
        (r"4", (13, 16, 19)),  # Visa
        (r"5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)", (16,)),  # Mastercard
        (r"3[47]", (15,)),  # American Express
        (r"6(?:011|4[4-9]|5)", (16, 19)),  # Discover
        (r"3(?:0[0-5]|6|8|9)", (14,)),  # Diners Club
        (r"35(?:2[89]|[3-8])", (16,)),  # JCB
        (r"62|81", (16, 17, 18, 19)),  # UnionPay
        (r"50|5[6-8]|6(?:0[^1]|1|3|7|9)", (16, 18, 19)),  # Maestro
    )
)  # fmt: skip

#: How a firm writes its SIRET; a Diners number is never grouped so.
_SIRET = [3, 3, 3, 5]

_DOUBLED = {str(d): sum(map(int, str(2 * d))) for d in range(10)}

_NIR_STARTS = re.compile(r"[1-478][0-9]{2}(?:[01]|[2-9])")
_NIR = re.compile(r"[1-478][0-9]{2}(?:0[1-9]|1[0-2]|[2-9][0-9])(?:[0-9]{2}|2[ab])[0-9]{8}")


@lru_cache(maxsize=4096)
def lengths_from(prefix: str) -> frozenset[int]:
    """The lengths in which a card or a register number may start with these digits (four or more)."""
    found = {n for pattern, lengths in _BRANDS if pattern.match(prefix) for n in lengths}
    return frozenset(found | ({15} if _NIR_STARTS.match(prefix) else set()))


def is_card(digits: str, groups: Sequence[int], said: bool) -> bool:
    """Whether these digits, in groups of these sizes, are a payment card's. Source: Luhn."""
    if not any(len(digits) in n and p.match(digits) for p, n in _BRANDS):
        return False
    if not said and (list(groups) == _SIRET or not _grouped_evenly(groups)):
        return False
    return _luhn(digits)


def _grouped_evenly(groups: Sequence[int]) -> bool:
    """Groups as people write a card: glued, all of one size but the last, or 4-6-5 and 4-6-4."""
    if len(groups) == 1 or list(groups) in (
        [4, 6, 5],
        [4, 6, 4],
        [4, 4, 5],
        [4, 3, 3, 3],
        [6, 13],
        [6, 10],
        [8, 8],
    ):
        return True
    return len(set(groups[:-1])) == 1 and groups[-1] <= max(groups[0], 4)


def _luhn(digits: str) -> bool:
    total = sum(map(int, digits[-1::-2])) + sum(_DOUBLED[d] for d in digits[-2::-2])
    return total % 10 == 0 and len(set(digits)) > 1


def is_french_register_number(code: str) -> bool:
    """Whether this is a NIR with its key (97, Corsican counties 2A and 2B). Source: INSEE."""
    if len(code) != 15 or not _NIR.fullmatch(code):
        return False
    body = code[:13].replace("2a", "19").replace("2b", "18")
    return body.isdigit() and code[13:].isdigit() and 97 - int(body) % 97 == int(code[13:])
