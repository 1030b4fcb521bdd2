"""Tells words of opposite meaning, and acts or things that exclude each other ("bought", "sold").

A wrong verb on the right object shares nearly every word with what was said: only such pairs give it away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from souvenance.lang import Language, language, tokens

Family = tuple[int, int]
"""A line of a list, and which of its families."""


def contrary(a: str, b: str, words: Language) -> bool:
    """Whether one stem says the opposite of the other."""
    return _apart(a, b, families(words.code, "contraries"))


def rivals(a: str, b: str, words: Language) -> bool:
    """Whether two stems name acts or things of which one excludes the other."""
    return _apart(a, b, families(words.code, "rivals"))


def opposites(stems: Iterable[str], words: Language, name: str = "contraries") -> Opposites:
    """The stems of a text by what excludes them."""
    return Opposites(stems, families(words.code, name))


class Opposites:
    """Stems to be asked, again and again, which of them another excludes."""

    def __init__(self, stems: Iterable[str], known: Mapping[str, frozenset[Family]]) -> None:
        self._known = known
        self._lines: dict[int, list[str]] = {}
        for stem in dict.fromkeys(stems):
            for line in {line for line, _ in known.get(stem, ())}:
                self._lines.setdefault(line, []).append(stem)

    def of(self, stem: str) -> list[str]:
        """Those that the stem excludes."""
        mine = self._known.get(stem)
        if not mine:
            return []
        near = (s for line in {line for line, _ in mine} for s in self._lines.get(line, ()))
        return [s for s in dict.fromkeys(near) if not mine & self._known[s]]


def _apart(a: str, b: str, known: Mapping[str, frozenset[Family]]) -> bool:
    mine, theirs = known.get(a, frozenset()), known.get(b, frozenset())
    if not mine or not theirs or mine & theirs:
        return False
    return bool({line for line, _ in mine} & {line for line, _ in theirs})


@lru_cache(maxsize=16)
def families(code: str, name: str) -> Mapping[str, frozenset[Family]]:
    """The families of each stem of a list whose lines read "a b / c d"."""
    lang = language(code)
    found: dict[str, set[Family]] = {}
    for line, entry in enumerate(sorted(lang.words[name])):
        for side, family in enumerate(entry.split("/")):
            for token in tokens(family):
                found.setdefault(lang.stem(token.word), set()).add((line, side))
    return {stem: frozenset(places) for stem, places in found.items()}
