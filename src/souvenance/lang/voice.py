"""How a line about the person reads from their own mouth: "Ana's sister lives in Lyon" becomes "My sister …".

A message is said in the first person and a memory is told in the third: small embedders take that for a difference of
meaning, and the name that stands in every memory for a meaning of its own.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import lru_cache

from souvenance.lang import Language, tokens

#: What stands for the person's name in the `[voice]` table of a language.
NAME = "X"

#: Share of texts a name must stand in to be the person's own when nobody gave it, and texts there must be.
#: Chosen, not measured: on four sets of 440 and 1,060 memories the person's name stands in 35 to 60 %, the next
#: name in 5 to 21 %.
DOMINANT_SHARE = 0.25
DOMINANT_FROM = 8

#: Characters of a name that is looked for; a longer one is no name, and would cost as a pattern. Chosen, not measured.
NAME_CHARS = 200

#: Letters from which a name in capitals may also stand in a text as a name does; shorter ones are initials ("AJ").
_SHOUTED_FROM = 3

#: Where a whole word begins and ends; "Jean-Pierre" is neither Jean nor Pierre.
_STARTS, _ENDS = r"(?<!\w)(?<!\w-)", r"(?!\w)(?!-\w)"

_WORD = re.compile(r"(?<![\w'’])[^\W\d_][\w-]*")


def in_first_person(text: str, names: Sequence[str], language: Language) -> str:
    """The text as the person would say it; `names` are all they are called, their given name or "the user".

    A text without their name that is in the first person already stays as it is. For an embedder: grammar is not kept.
    """
    known = tuple(_spelled(names, language.words["function_words"]))
    if not known or not language.voice:
        return text
    text = unicodedata.normalize("NFC", text)
    pattern, said = _pattern(known, tuple(language.voice.items()))
    says_i = language.words["first_person"] & {t.word for t in tokens(text)}
    if says_i and not _named(known).search(text):
        return text

    def spoken(match: re.Match[str]) -> str:
        word = said[match.lastgroup or ""]
        if unicodedata.category(text[match.end() : match.end() + 1] or " ").startswith("M"):
            return match.group()  # a sign drawn on its last letter: another word
        return (
            word[0].upper() + word[1:]
            if match.group()[0].isupper() and match.start() == 0
            else word
        )

    return pattern.sub(spoken, text)


def _spelled(names: Sequence[str], grammar: Set[str]) -> Iterator[str]:
    """Each name as it may stand in a text, once: as given, with a capital ("the user"), and not all in capitals.

    What is a word of `grammar` in small letters ("will") is a name with its capital alone.
    """
    seen = set(grammar)
    for given in names:
        name = " ".join(unicodedata.normalize("NFC", given).split())
        shouted = name.title() if name.isupper() and len(name) >= _SHOUTED_FROM else name
        for one in (name, name[:1].upper() + name[1:], shouted):
            if one and len(one) <= NAME_CHARS and one not in seen:
                seen.add(one)
                yield one


@lru_cache(maxsize=256)
def _pattern(
    names: tuple[str, ...], voice: tuple[tuple[str, str], ...]
) -> tuple[re.Pattern[str], dict[str, str]]:
    """One expression for every form, the longest first, and what each of its groups becomes."""
    called = "|".join(sorted(map(_loose, names), key=len, reverse=True))
    parts, said = [], {}
    for n, (form, word) in enumerate(sorted(voice, key=lambda v: -len(v[0]))):
        before, found, after = form.partition(NAME)
        exact = f"{_loose(before)}(?-i:{called}){_loose(after)}" if found else _loose(form)
        # An apostrophe at the end may close a quotation; a possessive has its thing after it.
        owns = "" if found and not after.endswith("'") else r"(?=\s\w)"
        parts.append(f"(?P<v{n}>{_STARTS}{exact}{_ENDS}{owns})")
        said[f"v{n}"] = word
    return re.compile("|".join(parts), re.IGNORECASE), said


@lru_cache(maxsize=256)
def _named(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"{_STARTS}(?:{'|'.join(map(_loose, names))}){_ENDS}")


def _loose(text: str) -> str:
    """The text as a pattern, with either apostrophe and any blanks.

    A run of blanks is one pattern: two beside each other would be tried in every way of sharing the blanks.
    """
    parts = (re.escape(part).replace("'", "['’]") for part in re.split(r"\s+", text))
    return r"\s+".join(parts)


def dominant_name(texts: Iterable[str]) -> str | None:
    """The name that stands in most of these texts, never in lower case, when it can only be the person's own."""
    held, small, count = Counter[str](), set[str](), 0
    for text in texts:
        words = set(_WORD.findall(text))
        held.update(w for w in words if w[0].isupper())
        small |= {w for w in words if w[0].islower()}
        count += 1
    for word, times in sorted(held.items(), key=lambda h: (-h[1], h[0])):
        if count < DOMINANT_FROM or times < DOMINANT_SHARE * count:
            return None
        if word.lower() not in small:
            return word
    return None
