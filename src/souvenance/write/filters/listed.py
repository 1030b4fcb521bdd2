"""Finds the entries of a word list among the words of a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from souvenance.lang import Language, language, tokens

Place = tuple[int, int]


@lru_cache(maxsize=256)
def _phrases(code: str, name: str) -> dict[str, list[tuple[tuple[str, ...], bool]]]:
    """Entries by first word, longest first; the flag is True for those marked "-" in the list."""
    found: dict[str, list[tuple[tuple[str, ...], bool]]] = {}
    for entry in language(code).words.get(name, ()):
        phrase = tuple(spoken(entry.removeprefix("-")))
        if phrase:
            found.setdefault(phrase[0], []).append((phrase, entry.startswith("-")))
    for entries in found.values():
        entries.sort(key=lambda e: (-len(e[0]), e[0]))
    return found


def spoken(text: str) -> list[str]:
    """The folded words of a text; an English "n't" is a word of its own ("do", "nt")."""
    return list(_spoken(text))


@lru_cache(maxsize=64)
def _spoken(text: str) -> tuple[str, ...]:
    found: list[str] = []
    for token in tokens(text):
        if token.word == "t" and found and found[-1].endswith("n") and len(found[-1]) > 2:
            if found[-1] not in ("can", "bien", "rien"):
                found[-1] = found[-1].removesuffix("n")
            found.append("nt")
        else:
            found.append(token.word)
    return tuple(found)


def at(said: Sequence[str], i: int, words: Language, name: str) -> int:
    """How many words an entry of the list takes at place i; 0 when none stands there."""
    for phrase, _ in _phrases(words.code, name).get(said[i], ()):
        if tuple(said[i : i + len(phrase)]) == phrase:
            return len(phrase)
    return 0


def marked(said: Sequence[str], i: int, words: Language, name: str) -> bool:
    """Whether the entry at place i is one of those the list marks with "-"."""
    for phrase, minus in _phrases(words.code, name).get(said[i], ()):
        if tuple(said[i : i + len(phrase)]) == phrase:
            return minus
    return False


def places(said: Sequence[str], words: Language, name: str) -> list[Place]:
    """Where entries of the list stand, in order, apart."""
    known = _phrases(words.code, name)
    found: list[Place] = []
    end = 0
    for i, word in enumerate(said):
        if i >= end and word in known and (length := at(said, i, words, name)):
            end = i + length
            found.append((i, end))
    return found


@lru_cache(maxsize=32)
def heads(code: str, names: tuple[str, ...]) -> Mapping[str, frozenset[str]]:
    """For each word that opens an entry of one of these lists, the names of those lists."""
    found: dict[str, set[str]] = {}
    for name in names:
        for word in _phrases(code, name):
            found.setdefault(word, set()).add(name)
    return {word: frozenset(lists) for word, lists in found.items()}


def has(text: str, words: Language, name: str) -> bool:
    """Whether an entry of the list stands in the text."""
    return bool(places(spoken(text), words, name))
