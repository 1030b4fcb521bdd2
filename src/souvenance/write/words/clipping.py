"""Tells whether a short word is a longer one that everyday speech cut: "physio", "hand" for handball.

A shared beginning alone says nothing: "card" is no cardio, and a harp no harpsichord.
"""

from __future__ import annotations

from functools import lru_cache

from souvenance.lang import Language, language

#: A word cut short has at least this many letters ("kine", "prof"). Chosen, not measured.
_SHORT = 3


def are_one_word(a: str, b: str, words: Language) -> bool:
    """Whether one of two forms is the other one cut short."""
    short, long = sorted((a, b), key=len)
    if len(short) < _SHORT or not long.startswith(short):
        return False
    return _is_whole(short, long, words.code)


@lru_cache(maxsize=2_048)
def _is_whole(short: str, long: str, code: str) -> bool:
    words = language(code)
    return any(
        words.stem(short + end) == long or short + end == long
        for end in words.words["clipped_endings"]
    )
