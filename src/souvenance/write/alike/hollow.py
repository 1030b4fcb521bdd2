"""Finds the words that say nothing of their own: "owns a boat" is "has a boat", "works as a cook" "is a cook".

What is paid at fixed times is one fact in whatever order the sum and its name are told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from souvenance.lang import Language, language
from souvenance.write.words.decisive import Item, Pair, Reading


def said_anyway(rich: Reading, poor: Reading, extra: Sequence[Item], words: Language) -> list[Item]:
    """What one text adds, less the verbs that only say what "is" or "has" says in the other."""
    hollow = _hollow(words.code)
    return [
        i for i in extra if i.word not in hollow or not _holds(hollow[i.word], i, rich, poor, words)
    ]


@lru_cache(maxsize=8)
def _hollow(code: str) -> Mapping[str, str]:
    lines = (line.split("=") for line in language(code).words["hollow"])
    return {left.strip(): right.strip() for left, right in lines}


def _holds(needs: str, item: Item, rich: Reading, poor: Reading, words: Language) -> bool:
    plain = {i.word for i in poor.items if not i.has_content}
    have, be = words.words["hollow_have"], words.words["be_now"]
    if needs == "have":
        return bool(plain & have)
    if needs == "hold":
        return bool(plain & (have | be))
    if needs == "as":
        after = [i.word for i in rich.items if i.start > item.start][:2]
        return bool(words.words["as_words"] & set(after)) and bool(plain & be)
    named = bool({i.word for i in rich.content} & words.words["dues"])
    return (
        bool(plain & be)
        and any(i.sort == "figure" for i in rich.items)
        and (named or needs == "be")
    )


def dues(pairs: Sequence[Pair], words: Language) -> bool:
    """Whether texts only tell what is paid at fixed times: one sum, what it is for, how often."""
    known = words.words["dues"] | words.words["calendar"]
    figures = 0
    for side in zip(*pairs, strict=True):
        said = sorted(side, key=lambda i: i.start)
        for n, item in enumerate(said):
            figures += item.sort == "figure"
            beside = {i.word for i in said[max(0, n - 1) : n + 2]} & words.words["dues"]
            if item.sort != "figure" and item.word not in known and not beside:
                return False  # only what the due is for may stand beside it
    return figures == 2 and any(x.word in words.words["dues"] for x, _ in pairs)
