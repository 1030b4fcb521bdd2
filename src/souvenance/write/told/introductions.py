"""Reads the name that somebody introduces themself by, where nothing else is told: "Moi c'est Samir.", "Sam here."

"This is Bristol" names a place only where the lists say so: a bare name after such a turn is taken for a first name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from souvenance.lang import Language, Token, tokens
from souvenance.write.words.decisive import phrase, read

#: Words of a name ("Sam", "Marie-Lou", "Ana Reyes"). Chosen, not measured.
_NAME = 3

#: Words of a greeting with who is greeted ("Hello again dear Wren"). Chosen, not measured.
_GREETING = 4


def introduced(text: str, words: Language) -> str | None:
    """The name that a text says is the person's, as typed; None when it tells anything else too, or no name."""
    spoken = tokens(text)
    greeting = _greeting(text, spoken, words)
    for start in dict.fromkeys((greeting, 0)):
        name = _named(text, spoken[start:], bool(start), words)
        if name is not None:
            return name
    return None


def _greeting(text: str, spoken: Sequence[Token], words: Language) -> int:
    """How many words a greeting takes at the start, up to its comma; none when there is no greeting."""
    used = _first(spoken, words.words["greetings"])
    if not used:
        return 0
    for n in range(used, min(len(spoken), used + _GREETING)):
        if any(c in ",!.:;" for c in text[spoken[n - 1].end : spoken[n].start]):
            return n
    return used


def _named(text: str, spoken: Sequence[Token], greeted: bool, words: Language) -> str | None:
    lists = words.words
    turn = _first(spoken, lists["introductions"])
    weak = 0 if turn else _first(spoken, lists["greeted_introductions"])
    rest = list(spoken[turn or weak :])
    tail = _last(rest, lists["speaking_here"])
    name = rest[: len(rest) - tail]
    sure = bool(turn) or (bool(weak) and (greeted or bool(tail))) or (bool(tail) and not weak)
    if not sure or not 1 <= len(name) <= _NAME or not all(_is_name(t, words) for t in name):
        return None
    return text[name[0].start : name[-1].end]


def _is_name(token: Token, words: Language) -> bool:
    """Whether a word is written as a name and is none of what has a capital anyway: a day, a country, a people."""
    piece = read(token.raw, words).items
    common = ("attribute_no_names", "attribute_countries", "demonyms", "attribute_regions")
    return (
        token.raw[:1].isupper()
        and len(token.raw) > 1
        and all(i.sort in ("word", "name") for i in piece)
        and not any(token.word in words.words[name] for name in common)
    )


def _first(spoken: Sequence[Token], entries: Iterable[str]) -> int:
    """How many words the longest of the entries takes at the start."""
    return max((len(e) for e in map(phrase, entries) if e == _said(spoken[: len(e)])), default=0)


def _last(spoken: Sequence[Token], entries: Iterable[str]) -> int:
    """How many words the longest of the entries takes at the end."""
    return max((len(e) for e in map(phrase, entries) if e == _said(spoken[-len(e) :])), default=0)


def _said(spoken: Sequence[Token]) -> tuple[str, ...]:
    return tuple(t.word for t in spoken)
