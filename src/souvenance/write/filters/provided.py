"""Tells a memory that says "with" of what the person said "without" ("without my glasses I see nothing").

Both sentences deny, and share every word but that one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from souvenance.lang import Language
from souvenance.write.filters.kin import akin
from souvenance.write.filters.listed import spoken
from souvenance.write.filters.signs import read_signs
from souvenance.write.words.sentences import sentences

_Said = tuple[str, int]
"""A stem, and whether it is affirmed or denied."""

#: Words after "without" within which its thing is named ("without my old glasses"). Chosen, not measured.
_NEAR = 4


def swapped(text: str, passage: str, words: Language) -> bool:
    """Whether the text says with a thing what the passage says without it, and does not say with it."""
    proposed = spoken(text)
    things = _things(proposed, words, "having")
    if not things:
        return False
    lacked = _things(spoken(passage), words, "lacking")
    shared = [t for t in things if any(akin(t, thing, words) for thing in lacked)]
    if not shared:
        return False
    mine = [(stem, holds) for stem, holds in _signs(text, words) if stem not in shared]
    for sentence in sentences(passage, words):
        said = spoken(sentence.plain)
        here = _things(said, words, "lacking")
        if not any(akin(t, thing, words) for t in shared for thing in here):
            continue
        without, having = _halves(said, words)
        lacking, with_it = _signs(without, words), _signs(having, words)
        if _agree(mine, lacking, words) and not _agree(mine, with_it, words):
            return True
    return False


def _agree(a: Iterable[_Said], b: Iterable[_Said], words: Language) -> bool:
    """Whether the two say, or deny, the same of one thing."""
    return any(h == k and akin(s, t, words) for s, h in a for t, k in b)


def _things(said: Sequence[str], words: Language, name: str) -> list[str]:
    """The stem of what each entry of the list is followed by: the last word of its name."""
    skip = words.words["function_words"]
    found = []
    for i, word in enumerate(said):
        if word in words.words[name]:
            named = ""
            for near in said[i + 1 : i + 1 + _NEAR]:
                if near not in skip and len(near) > 1:
                    named = near
                elif named:
                    break
            found += [words.stem(named)] if named else []
    return found


def _halves(said: Sequence[str], words: Language) -> tuple[str, str]:
    """What stands around "without", and what from "with" on."""
    cut = next((i for i, w in enumerate(said) if w in words.words["having"]), len(said))
    first = next((i for i, w in enumerate(said) if w in words.words["lacking"]), 0)
    if cut < first:
        return " ".join(said[first:]), " ".join(said[cut:first])
    return " ".join(said[:cut]), " ".join(said[cut:])


def _signs(text: str, words: Language) -> set[tuple[str, int]]:
    return {(s.stem, s.holds) for clause in read_signs(text, words) for s in clause if s.holds}
