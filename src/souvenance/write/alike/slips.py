"""Tells a slip of hand or ear from another word: "surgury" is surgery, "poison" is not "poisson".

It is deliberately shy: names and figures are never slips, and known pairs of real words are listed.
"""

from __future__ import annotations

from functools import lru_cache

from souvenance.lang import Language, language
from souvenance.write.words.decisive import Item


def is_slip(a: Item, b: Item, words: Language) -> bool:
    """Whether one word is a credible misspelling of the other. Names and figures never are."""
    if a.sort != "word" or b.sort != "word":
        return False
    short, long = sorted((a.word, b.word), key=lambda w: (len(w), w))
    if len(short) < 6 or short[0] != long[0] or " " in short + long:
        return False
    if _are_words(short, long, words):
        return False
    return _one_slip(short, long, words) or _of_relative(short, long, words)


def _of_relative(short: str, long: str, words: Language) -> bool:
    """Whether a letter is left out inside the name of a relative, whichever it is ("dughter"): they are few."""
    if long not in words.words["circle"] or len(long) != len(short) + 1:
        return False
    at = next((i for i, c in enumerate(short) if c != long[i]), len(short))
    return long[at + 1 :] == short[at:] and at < len(short) - 1


def _are_words(short: str, long: str, words: Language) -> bool:
    """Whether both are listed as words of their own, whatever their number or ending."""
    known = _confusable(words.code)
    plain = (short.removesuffix("s"), long.removesuffix("s"))
    stems = (words.stem(short), words.stem(long))
    return any(frozenset(pair) in known for pair in ((short, long), plain, stems))


@lru_cache(maxsize=8)
def _confusable(code: str) -> frozenset[frozenset[str]]:
    lines = language(code).words.get("confusables", ())
    return frozenset(frozenset(s.strip() for s in line.split("=")) for line in lines)


_VOWELS = frozenset("aeiouy")
_HISSING, _NASAL = frozenset("csz"), frozenset("mn")


def _one_slip(short: str, long: str, words: Language) -> bool:
    """One slip of hand or ear: letters swapped or doubled, a letter left out, a like sound."""
    if len(short) == len(long):
        gaps = [i for i, (x, y) in enumerate(zip(short, long, strict=True)) if x != y]
        if len(gaps) == 2 and gaps[1] == gaps[0] + 1:
            return short[gaps[0]] == long[gaps[1]] and short[gaps[1]] == long[gaps[0]]
        return len(gaps) == 1 and _like_sound(short, long, gaps[0])
    if len(long) != len(short) + 1:
        return False
    at = next((i for i, c in enumerate(short) if c != long[i]), len(short))
    if long[at + 1 :] != short[at:] or at >= len(short):
        return False
    if at == len(short) - 1 and (long[at] in _VOWELS or long[at - 1] != long[at]):
        return False  # an ending is grammar, not a slip
    return _left_out(short, long, at, words)


def _like_sound(short: str, long: str, at: int) -> bool:
    """Whether one letter for another sounds alike. The first vowel of a word tells words apart."""
    pair = {short[at], long[at]}
    if at >= len(short) - 1:
        return False
    if pair == {"i", "y"}:
        return True
    if pair <= _VOWELS:
        return len(short) >= 7 and at > _first_vowels(long)
    return pair <= _HISSING or (pair <= _NASAL and len(short) >= 8)


def _left_out(short: str, long: str, at: int, words: Language) -> bool:
    extra = long[at]
    doubled = (at > 0 and long[at - 1] == extra) or long[at + 1] == extra
    early = at <= _first_vowels(long) + 2 and long[0] not in _VOWELS
    if doubled and extra not in _VOWELS:
        if extra == "s" and words.traits.s_between_vowels:
            return len(short) >= 9
        return not early or not words.ends(long, "doubling_endings")
    if extra in _VOWELS:
        return len(short) >= 7 and at > _first_vowels(long)
    inner = 2 <= at < len(long) - 2 and (long[at - 1] not in _VOWELS or long[at + 1] not in _VOWELS)
    return extra == "h" or (len(short) >= 8 and inner)


def _first_vowels(word: str) -> int:
    """The place of the last letter of a word's first run of vowels."""
    at = next((i for i, c in enumerate(word) if c in _VOWELS), len(word))
    while at + 1 < len(word) and word[at + 1] in _VOWELS:
        at += 1
    return at
