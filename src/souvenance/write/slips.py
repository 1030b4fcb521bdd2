"""Tells a slip of hand or ear from another word: "surgury" is surgery, "poison" is not "poisson".

It is deliberately shy: names and figures are never slips, and known pairs of real words are listed.
"""

from __future__ import annotations

from functools import lru_cache

from souvenance.lang import Language, language
from souvenance.write.decisive import Item


def is_slip(a: Item, b: Item, words: Language) -> bool:
    """Whether one word is a credible misspelling of the other. Names and figures never are."""
    if a.sort != "word" or b.sort != "word":
        return False
    short, long = sorted((a.word, b.word), key=lambda w: (len(w), w))
    if len(short) < 6 or short[0] != long[0] or " " in short + long:
        return False
    return frozenset((short, long)) not in _confusable(words.code) and _one_slip(short, long)


@lru_cache(maxsize=8)
def _confusable(code: str) -> frozenset[frozenset[str]]:
    lines = language(code).words.get("confusables", ())
    return frozenset(frozenset(s.strip() for s in line.split("=")) for line in lines)


_VOWELS = frozenset("aeiouy")
_SOUNDS = (frozenset("aeiouy"), frozenset("csz"), frozenset("mn"))


def _one_slip(short: str, long: str) -> bool:
    """One slip of hand or ear: two letters swapped, a letter doubled or a vowel left out, a like sound."""
    if len(short) == len(long):
        gaps = [i for i, (x, y) in enumerate(zip(short, long, strict=True)) if x != y]
        if len(gaps) == 2 and gaps[1] == gaps[0] + 1:
            return short[gaps[0]] == long[gaps[1]] and short[gaps[1]] == long[gaps[0]]
        if len(gaps) == 1 and gaps[0] < len(short) - 1:
            pair = {short[gaps[0]], long[gaps[0]]}
            return any(pair <= sound for sound in _SOUNDS)
        return False
    if len(long) != len(short) + 1:
        return False
    at = next((i for i, c in enumerate(short) if c != long[i]), len(short))
    if long[at + 1 :] != short[at:] or at == len(short):
        return False
    extra = long[at]
    doubled = (at > 0 and long[at - 1] == extra) or (at + 1 < len(long) and long[at + 1] == extra)
    return doubled or extra in _VOWELS or extra == "h" or (extra == "r" and len(short) >= 10)
