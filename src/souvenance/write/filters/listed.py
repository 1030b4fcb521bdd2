"""Finds the entries of a word list among the words of a text, and tells when two words speak of one thing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from souvenance.lang import Language, fold, language, tokens

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
    found: list[Place] = []
    i = 0
    while i < len(said):
        length = at(said, i, words, name)
        if length:
            found.append((i, i + length))
        i += max(length, 1)
    return found


def has(text: str, words: Language, name: str) -> bool:
    """Whether an entry of the list stands in the text."""
    return bool(places(spoken(text), words, name))


@lru_cache(maxsize=8)
def _families(code: str) -> dict[str, frozenset[int]]:
    lang = language(code)
    found: dict[str, set[int]] = {}
    for n, line in enumerate(sorted(lang.words.get("related", ()))):
        for word in line.split():
            found.setdefault(lang.stem(fold(word).replace("-", "")), set()).add(n)
    return {stem: frozenset(lines) for stem, lines in found.items()}


#: Letters two stems must share from the start to speak of one thing ("kiné", "kinésithérapeute").
#: Chosen, not measured: shorter starts join strangers ("cont-").
_SHARED = 5


def akin(a: str, b: str, words: Language) -> bool:
    """Whether two stems speak of the same thing: equal, one start, or one family of the list."""
    if a == b:
        return True
    if words.code == "fr" and ("y" in a or "y" in b):  # "tutoie", "tutoyer"
        a, b = a.replace("y", "i"), b.replace("y", "i")
    need = min(_SHARED, max(4, min(len(a), len(b))))
    if a[:need] == b[:need] and min(len(a), len(b)) >= 4:
        return True
    short, long = sorted((a, b), key=len)
    if len(short) == 3 and long.startswith(short) and len(long) == 4:  # "marie" and "marier"
        return True
    families = _families(words.code)
    return bool(families.get(a, frozenset()) & families.get(b, frozenset()))
