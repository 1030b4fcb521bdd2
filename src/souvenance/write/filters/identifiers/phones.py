"""Tells telephone numbers by country plan, by grouping, and by the words that announce them.

The plans come from `phonenumbers`; only its patterns are used, so that a window costs a match and no parse.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Group:
    """One group of digits; `plus` when an international plus stands before it, `said` when in words."""

    digits: str
    start: int
    end: int
    plus: bool
    said: bool


#: Countries whose numbers are recognised as dialled at home. Chosen, not measured: French- and
#: English-speaking ones and their neighbours.
_HOME = (
    "FR", "BE", "CH", "LU", "CA", "US", "GB", "IE", "DE", "ES", "IT", "PT", "NL", "AT", "DK", "SE",
    "NO", "FI", "PL", "MA", "DZ", "TN", "SN", "CI", "AU", "NZ", "IN", "BR", "MX", "JP", "ZA", "MC",
)  # fmt: skip

_AMERICAN = re.compile(r"1?[2-9][0-9]{2}[2-9][0-9]{6}")
_AMERICAN_GROUPS = ([3, 3, 4], [1, 3, 3, 4])
_LOCAL = re.compile(r"[2-9][0-9]{6}")
#: Digits of the shortest number dialled in a whole country (Denmark).
_NATIONAL = 8
_FRENCH = re.compile(r"0[1-9][0-9]{8}")


@lru_cache(maxsize=1)
def _plans() -> dict[str, tuple[re.Pattern[str], ...]]:
    """National patterns by calling code."""
    from phonenumbers import COUNTRY_CODE_TO_REGION_CODE, PhoneMetadata

    plans: dict[str, tuple[re.Pattern[str], ...]] = {}
    for code, regions in COUNTRY_CODE_TO_REGION_CODE.items():
        found = (PhoneMetadata.metadata_for_region(r, None) for r in regions)
        texts = {m.general_desc.national_number_pattern for m in found if m and m.general_desc}
        plans[str(code)] = tuple(re.compile(t) for t in sorted(t for t in texts if t))
    return plans


@lru_cache(maxsize=1)
def _home_plans() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Trunk prefix and national pattern of each home country."""
    from phonenumbers import PhoneMetadata

    plans: list[tuple[str, re.Pattern[str]]] = []
    for region in _HOME:
        data = PhoneMetadata.metadata_for_region(region, None)
        if data is not None and data.general_desc is not None:
            plans.append(
                (
                    data.national_prefix or "",
                    re.compile(data.general_desc.national_number_pattern or "$"),
                )
            )
    return tuple(plans)


@lru_cache(maxsize=4096)
def international_lengths(prefix: str, plus: bool) -> frozenset[int]:
    """How many digits a number with this calling code may have, the 00 counted when there is no plus."""
    from phonenumbers import COUNTRY_CODE_TO_REGION_CODE, PhoneMetadata

    opened = 0 if plus else 2
    for length in (1, 2, 3):
        code = prefix[opened : opened + length]
        regions = COUNTRY_CODE_TO_REGION_CODE.get(int(code)) if code.isdigit() else None
        if not regions or len(code) < length:
            continue
        found = (PhoneMetadata.metadata_for_region(r, None) for r in regions)
        most = {n for m in found if m and m.general_desc for n in m.general_desc.possible_length}
        return frozenset(opened + length + n + trunk for n in most for trunk in (0, 1))
    return frozenset()


def is_phone(groups: Sequence[Group], digits: str, *, sure: bool, announced: bool) -> bool:
    """Whether the window is a telephone number.

    `sure` asks for forms that nothing else has; without it, American groupings and numbers that words
    announce count too.
    """
    if sure:
        return _international(groups, digits) or _french(groups, digits)
    if _coded(groups, digits, announced):
        return True
    if not groups[0].plus and (
        _american(groups, digits, announced) or _trunk(groups, digits, announced)
    ):
        return True
    return announced and (_at_home(groups, digits) or _local(groups, digits))


def _international(groups: Sequence[Group], digits: str) -> bool:
    """A plus or 00, a calling code and a number of that country's plan."""
    if not groups[0].plus:
        if not digits.startswith("00"):
            return False
        digits = digits[2:]
    for length in (1, 2, 3):
        plans = _plans().get(digits[:length])
        if plans is None:
            continue
        national = digits[length:]
        trunk = national.startswith("0") and national[1:]
        return any(p.fullmatch(national) or (trunk and p.fullmatch(trunk)) for p in plans)
    return False


#: How "33 7 81 22 90 14" is grouped: a French number whose plus was left out.
_CODED = [2, 1, 2, 2, 2, 2]


def _coded(groups: Sequence[Group], digits: str, announced: bool) -> bool:
    """A calling code of a home country without its plus, announced or grouped as nothing else is."""
    if groups[0].plus or len(digits) < 11:
        return False
    french = digits.startswith("33") and _sizes(groups) == _CODED
    return (french or announced) and any(
        digits.startswith(code) and plan.fullmatch(digits[len(code) :])
        for code, plan in _home_codes()
    )


@lru_cache(maxsize=1)
def _home_codes() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Calling code and national pattern of each home country."""
    from phonenumbers import PhoneMetadata

    found = (PhoneMetadata.metadata_for_region(region, None) for region in _HOME)
    return tuple(
        (str(m.country_code), re.compile(m.general_desc.national_number_pattern or "$"))
        for m in found
        if m is not None and m.general_desc is not None
    )


def _sizes(groups: Sequence[Group]) -> list[int]:
    return [len(g.digits) for g in groups]


def _french(groups: Sequence[Group], digits: str) -> bool:
    """Ten digits from 01 to 09 in a grouping somebody would write."""
    if not _FRENCH.fullmatch(digits) or groups[0].plus:
        return False
    if any(g.said for g in groups):
        return True
    sizes = _sizes(groups)
    if sizes[0] == 1 and len(groups) < 10:
        return sizes in ([1, 3, 3, 3], [1, 1, 2, 2, 2, 2], [1, 9])
    return max(sizes[1:], default=0) <= 8


def _american(groups: Sequence[Group], digits: str, announced: bool) -> bool:
    """Area, exchange and line in three groups, or ten digits in a row that words announce."""
    if not _AMERICAN.fullmatch(digits) or len(digits) != 10 + digits.startswith("1"):
        return False
    sizes = _sizes(groups)
    if sizes in _AMERICAN_GROUPS or any(g.said for g in groups):
        return True
    return announced


def _trunk(groups: Sequence[Group], digits: str, announced: bool) -> bool:
    """A number dialled with the zero of some home country, grouped, or in a row and announced."""
    if digits[0] != "0" or not 9 <= len(digits) <= 12 or len(groups[0].digits) == 1:
        return False
    if not announced and not 2 <= len(groups) <= 6:
        return False
    return any(t == "0" and p.fullmatch(digits[1:]) for t, p in _home_plans())


def _at_home(groups: Sequence[Group], digits: str) -> bool:
    """A number of a home country's plan as dialled there."""
    if len(digits) < _NATIONAL:
        return False
    if len(groups) > 1 and min(_sizes(groups)) == 1 and max(_sizes(groups)) > 4:
        return False
    return any(
        p.fullmatch(digits) or (t and digits.startswith(t) and p.fullmatch(digits[len(t) :]))
        for t, p in _home_plans()
    )


def _local(groups: Sequence[Group], digits: str) -> bool:
    """An American number without its area ("555-0123"), in two groups or dictated."""
    shaped = _sizes(groups) == [3, 4] or all(g.said for g in groups)
    return shaped and _LOCAL.fullmatch(digits) is not None
