"""Reads whom a familiar turn stands for ("my other half", "mon grand"), so that a memory may name them plainly.

It only widens what may be said: a turn stands for several, and which of them it was is the model's reading.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from souvenance.lang import Language, language
from souvenance.write.filters.listed import spoken


def circle_turns(text: str, words: Language) -> str:
    """The plain words for those whom the text calls by a familiar turn, to be added to it; may be empty."""
    turns = _turns(words.code)
    said = spoken(text)
    found: dict[str, None] = {}
    for i, word in enumerate(said):
        for phrase, plain in turns.get(word, ()):
            after = said[i + len(phrase)] if i + len(phrase) < len(said) else ""
            if tuple(said[i : i + len(phrase)]) == phrase and after not in words.words["circle"]:
                found[plain] = None
    return "".join(f"\n{plain}" for plain in found)


@lru_cache(maxsize=4)
def _turns(code: str) -> Mapping[str, list[tuple[tuple[str, ...], str]]]:
    """The turns by their first word."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for entry in sorted(language(code).words["circle_turns"]):
        turn, _, plain = entry.partition("=")
        phrase = tuple(spoken(turn))
        found.setdefault(phrase[0], []).append((phrase, plain.strip()))
    return found
