"""How a line about the person reads from their own mouth: "Ana's sister lives in Lyon" becomes "My sister …".

A message is said in the first person and a memory is told in the third: small embedders take that for a difference of
meaning, and the name that stands in every memory for a meaning of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from souvenance.lang import Language, tokens

#: What stands for the person's name in the `[voice]` table of a language.
NAME = "X"

#: Share of texts a name must stand in to be the person's own when nobody gave it, and texts there must be.
#: Chosen, not measured: on four sets of 440 and 1,060 memories the person's name stands in 35 to 60 %, the next
#: name in 5 to 21 %.
DOMINANT_SHARE = 0.25
DOMINANT_FROM = 8

_WORD = re.compile(r"(?<![\w'’])[^\W\d_][\w-]*")


def in_first_person(text: str, names: Sequence[str], language: Language) -> str:
    """The text as the person would say it; `names` are all they are called, their given name or "the user".

    A text without their name that is in the first person already stays as it is. For an embedder: grammar is not kept.
    """
    if not names or not language.voice:
        return text
    pattern, said = _pattern(tuple(names), tuple(language.voice.items()))
    says_i = language.words["first_person"] & {t.word for t in tokens(text)}
    if says_i and not _named(tuple(names)).search(text):
        return text

    def spoken(match: re.Match[str]) -> str:
        word = said[match.lastgroup or ""]
        return (
            word[0].upper() + word[1:]
            if match.group()[0].isupper() and match.start() == 0
            else word
        )

    return pattern.sub(spoken, text)


@lru_cache(maxsize=256)
def _pattern(
    names: tuple[str, ...], voice: tuple[tuple[str, str], ...]
) -> tuple[re.Pattern[str], dict[str, str]]:
    """One expression for every form, the longest first, and what each of its groups becomes."""
    called = "|".join(sorted((_loose(n) for n in names if n.strip()), key=len, reverse=True))
    parts, said = [], {}
    for n, (form, word) in enumerate(sorted(voice, key=lambda v: -len(v[0]))):
        before, found, after = form.partition(NAME)
        exact = (
            f"{_loose(before)}(?-i:{called}){_loose(after)}" if found else f"{_loose(form)}(?= \\w)"
        )
        parts.append(f"(?P<v{n}>(?<!\\w){exact}(?!\\w))")
        said[f"v{n}"] = word
    return re.compile("|".join(parts), re.IGNORECASE), said


@lru_cache(maxsize=256)
def _named(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(_loose, names))})(?!\w)")


def _loose(text: str) -> str:
    """The text as a pattern, with either apostrophe and any run of blanks."""
    return re.escape(text).replace("'", "['’]").replace(r"\ ", r"\s+")


def dominant_name(texts: Iterable[str]) -> str | None:
    """The name that stands in most of these texts, never in lower case, when it can only be the person's own."""
    held, small, count = Counter[str](), set[str](), 0
    for text in texts:
        words = set(_WORD.findall(text))
        held.update(w for w in words if w[0].isupper())
        small |= {w for w in words if w[0].islower()}
        count += 1
    for word, times in held.most_common():
        if count < DOMINANT_FROM or times < DOMINANT_SHARE * count:
            return None
        if word.lower() not in small:
            return word
    return None
