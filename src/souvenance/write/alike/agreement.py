"""Tells whether two forms of a word are its masculine and its feminine: "voisin" and "voisine", "amigo" and "amiga".

The pairs of endings are a list of each language; a language that marks no gender has none.
"""

from __future__ import annotations

from functools import lru_cache

from souvenance.lang import Language, language


def one_of_two_genders(a: str, b: str, words: Language) -> bool:
    """Whether one word is the masculine of the other."""
    pairs = _pairs(words.code)
    return any(_is_feminine(y, x, *pair) for pair in pairs for x, y in ((a, b), (b, a)))


def _is_feminine(feminine: str, masculine: str, ending: str, other: str) -> bool:
    """Whether a feminine is that of a masculine; `*` is any last letter but e, which already marks it."""
    if ending == "*":
        ending = masculine[-1:]
        if ending in ("", "e"):
            return False
        other = other.replace("*", ending)
    return masculine.endswith(ending) and feminine == masculine.removesuffix(ending) + other


@lru_cache(maxsize=8)
def _pairs(code: str) -> tuple[tuple[str, str], ...]:
    lines = (line.split("=") for line in sorted(language(code).words["gender_endings"]))
    return tuple((man.strip(), woman.strip()) for man, woman in lines)
