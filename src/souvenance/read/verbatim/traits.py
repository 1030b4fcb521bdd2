"""What tells an answer from a question among the lines of a transcript, read once when a line comes.

A question holds the words of a later question more often than the answer does, and is of less use.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from souvenance.lang import Language

_SENTENCE_END = re.compile(r"[.!?…]+")


@dataclass(frozen=True, slots=True)
class Manner:
    """Of one line: the share of its sentences that ask, whether it tells a time, and its count of words."""

    asking: float
    timed: bool
    words: int


def manner(text: str, words: Sequence[str], times: frozenset[str]) -> Manner:
    """How a line is said: its text, its words folded, and those that tell a time (`time_words`)."""
    ends = _SENTENCE_END.findall(text) or [""]
    asking = sum("?" in end for end in ends) / len(ends)
    return Manner(asking, not times.isdisjoint(words), len(words))


def time_words(language: Language) -> frozenset[str]:
    """Folded single words that tell a time."""
    lists = language.words
    return _singles(lists["weekdays"] | lists["months"] | lists["date_units"] | lists["time_told"])


@lru_cache(maxsize=16)
def _singles(entries: frozenset[str]) -> frozenset[str]:
    return frozenset(
        word
        for entry in entries
        for part in entry.split("=")
        for word in (part.strip(),)
        if word and not word.isdecimal()
    )
