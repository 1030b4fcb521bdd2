"""Tells when two words speak of one thing: one stem, one start, or one family of the list `related`.

A text is compared by its keys, so that the cost grows with its length and not with its square.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from souvenance.lang import Language, fold, language

#: Letters two stems must share from the start to speak of one thing ("content", "contentement"); all four of a
#: stem of four. Chosen, not measured: shorter starts join strangers ("cont-").
_SHARED = 5


def akin(a: str, b: str, words: Language) -> bool:
    """Whether two stems speak of the same thing."""
    return a == b or not _asked(a, words.code).isdisjoint(_held(b, words.code))


class Kin:
    """Stems to be asked, again and again, which of them speak of the same thing as another."""

    def __init__(self, stems: Iterable[str], words: Language) -> None:
        self._code = words.code
        self._by: dict[str, list[str]] = {}
        for stem in dict.fromkeys(stems):
            for key in _held(stem, self._code):
                self._by.setdefault(key, []).append(stem)

    def knows(self, stem: str) -> bool:
        """Whether one of them does."""
        return any(key in self._by for key in _asked(stem, self._code))

    def of(self, stem: str) -> list[str]:
        """Those that do, each once."""
        found = (s for key in _asked(stem, self._code) for s in self._by.get(key, ()))
        return list(dict.fromkeys(found))


@lru_cache(maxsize=100_000)
def _held(stem: str, code: str) -> frozenset[str]:
    """The keys under which a stem is found."""
    stem = _even(stem, code)
    keys = {stem, *_families(code).get(stem, ())}
    if len(stem) >= 4:
        keys.add("4" + stem[:4])
    if len(stem) == 4:
        keys |= {"4." + stem, "3" + stem[:3]}
    if len(stem) == 3:
        keys.add("3." + stem)
    if len(stem) >= _SHARED:
        keys.add("5" + stem[:_SHARED])
    return frozenset(keys)


@lru_cache(maxsize=100_000)
def _asked(stem: str, code: str) -> frozenset[str]:
    """The keys by which a stem looks for its kin."""
    stem = _even(stem, code)
    keys = {stem, *_families(code).get(stem, ())}
    if len(stem) >= 4:
        keys.add("4." + stem[:4])
    if len(stem) == 4:
        keys |= {"4" + stem, "3." + stem[:3]}
    if len(stem) == 3:  # "marie" and "marier"
        keys.add("3" + stem)
    if len(stem) >= _SHARED:
        keys.add("5" + stem[:_SHARED])
    return frozenset(keys)


def _even(stem: str, code: str) -> str:
    """The stem with a y that turns into i ("tutoyer", "tutoie") read as one."""
    return stem.replace("y", "i") if language(code).traits.y_turns_to_i else stem


@lru_cache(maxsize=8)
def _families(code: str) -> dict[str, frozenset[str]]:
    lang = language(code)
    found: dict[str, set[str]] = {}
    for n, line in enumerate(sorted(lang.words.get("related", ()))):
        for word in line.split():
            stem = _even(lang.stem(fold(word).replace("-", "")), code)
            found.setdefault(stem, set()).add(f"#{n}")
    return {stem: frozenset(lines) for stem, lines in found.items()}
