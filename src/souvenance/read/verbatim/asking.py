"""What a query asks for: its words, whose turns, which days, and whether it wants to know when.

Words that only make it a question ("what", "how many", "te souviens-tu") tell nothing of the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from souvenance.lang import Language, Token, fold, tokens
from souvenance.ports import Vector
from souvenance.read.verbatim.days import days_named
from souvenance.read.verbatim.records import Cast


@dataclass(frozen=True, slots=True)
class Query:
    """A message as the search reads it: content stems with the words as typed, and what else it asks for.

    `telling` holds the stems that are not small talk, which come back in every talk and find nothing by themselves.
    """

    words: Mapping[str, str] = field(default_factory=dict)
    telling: frozenset[str] = frozenset()
    vector: Vector | None = None
    asked: str | None = None  # the one speaker it names
    meant: str | None = None  # without a name, the one its pronouns point to
    days: tuple[date, date] | None = None
    when: bool = False  # it asks for a time
    asks: bool = False  # it is or holds a question


def read_query(
    text: str, language: Language, *, vector: Vector | None = None, cast: Cast | None = None
) -> Query:
    """The query of a message; `vector` is that of its text, None to search by words alone."""
    found = tokens(text)
    cast = cast or Cast()
    asks = "?" in text
    asked = speaker_asked(found, language, cast)
    words = content(found, language, cast)
    small = language.words["small_talk"]
    return Query(
        words,
        frozenset(stem for stem, raw in words.items() if fold(raw) not in small),
        vector,
        asked,
        speaker_meant(found, language, cast, asks=asks) if asked is None else None,
        days_named(text, language),
        asks and asks_when(found, language),
        asks,
    )


def content(found: list[Token], language: Language, cast: Cast) -> dict[str, str]:
    """Each content stem of a query with the word as first typed.

    Left out: question words, and the names of those who talk, for they are said to call somebody, not to tell.
    """
    lists = language.words
    skip = lists["function_words"] | lists["questions"] | lists["asking_words"]
    skip |= {word for names in cast.names.values() for word in _words(names)}
    words: dict[str, str] = {}
    for token in found:
        if token.word not in skip:
            words.setdefault(language.stem(token.word), token.raw)
    return words


def speaker_asked(found: list[Token], language: Language, cast: Cast) -> str | None:
    """Whose turns are asked for; None when it could be either.

    The first one named is the subject ("What does Ana think of Leo's plan?"), unless "and" joins them.
    """
    places = {who: _first_place(found, names) for who, names in cast.names.items()}
    named = sorted((place, who) for who, place in places.items() if place is not None)
    if not named:
        return None
    if len(named) > 1:
        between = {t.word for t in found[named[0][0] : named[1][0] + 2]}
        if between & language.words["asking_both"]:
            return None
    return named[0][1]


def speaker_meant(found: list[Token], language: Language, cast: Cast, *, asks: bool) -> str | None:
    """Whose turns a message without names is about: "my" is who asks, "your" alone the other one.

    What is told without either is about who tells it; what is asked without either could be from both.
    """
    said = {token.word for token in found}
    others = [who for who in cast.names if who != cast.asking]
    if cast.asking is None or said & language.words["first_person"]:
        return cast.asking
    if len(others) == 1 and said & language.words["second_person"]:
        return others[0]
    return None if asks else cast.asking


def asks_when(found: list[Token], language: Language) -> bool:
    """Whether a question asks for a time or a duration, by one of its first words."""
    return any(token.word in language.words["asking_when"] for token in found[:4])


def _first_place(found: list[Token], names: tuple[str, ...]) -> int | None:
    words = _words(names)
    return next((n for n, token in enumerate(found) if token.word in words), None)


def _words(names: tuple[str, ...]) -> set[str]:
    return {token.word for name in names for token in tokens(fold(name))}
