"""The words around a number that say what it is, in every language at once.

A message in French may hold an English form and the reverse, so the lists of all languages count.
"""

from __future__ import annotations

import re
from functools import lru_cache

from souvenance.lang import codes, language, of_all_languages

#: Characters read before a number for a cue. Chosen, not measured: about seven words.
REACH = 48


@of_all_languages
@lru_cache(maxsize=32)
def entries(name: str) -> frozenset[str]:
    """The entries of that list in every language."""
    return frozenset().union(*(language(c).words.get(name, frozenset()) for c in codes()))


@of_all_languages
@lru_cache(maxsize=16)
def pattern(name: str) -> re.Pattern[str]:
    """Matches any entry of that list as whole words in folded text."""
    longest_first = sorted(entries(name), key=lambda e: (-len(e), e))
    return re.compile(
        r"(?<![a-z0-9])(?:" + "|".join(map(re.escape, longest_first)) + r")(?![a-z0-9])"
    )


def cued(name: str, text: str, start: int, reach: int = REACH) -> bool:
    """Whether an entry of that list stands at most `reach` characters before `start`, same line."""
    before = text[max(0, start - reach) : start]
    return pattern(name).search(before[before.rfind("\n") + 1 :]) is not None


_OWNER = "my|the|his|her|their|our|mon|ma|mes|son|sa|ses|notre|leur|le|la"
_IS = "is|it's|that's|this is|est|c'est|voila"
_LEAD = rf"[ ,;:\-(]{{0,3}}(?:(?:{_IS}|=) )?(?:(?:{_OWNER}) |l')(?:(?:work|new|own|personal|old|nouveau|nouvelle) )?"

#: What stands between a number and the word that names it afterwards ("… c'est mon passeport").
LEAD_BACK = re.compile(_LEAD + r"\Z")


@of_all_languages
@lru_cache(maxsize=8)
def _after(name: str) -> re.Pattern[str]:
    return re.compile(_LEAD + pattern(name).pattern)


def told_after(name: str, text: str, end: int) -> bool:
    """Whether an entry of that list names what ends at `end` ("… is my number")."""
    return _after(name).match(text, end, end + REACH) is not None


#: Signs that make a figure before them a price, a share, an angle or a temperature.
_SIGNS = frozenset("€$£%°")


def counted(text: str, end: int) -> bool:
    """Whether what the figure counts follows it: a unit, a sign, people or things."""
    after = text[end : end + 16].lstrip(" ")
    return after[:1] in _SIGNS or any(pattern(n).match(after) for n in ("units", "counted_things"))
