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
    """A message as the search reads it: content stems with the words as typed, and what else it asks for."""

    words: Mapping[str, str] = field(default_factory=dict)
    vector: Vector | None = None
    asked: str | None = None  # the one speaker it asks about
    days: tuple[date, date] | None = None
    when: bool = False  # it asks for a time


def read_query(
    text: str, language: Language, *, vector: Vector | None = None, cast: Cast | None = None
) -> Query:
    """The query of a message; `vector` is that of its text, None to search by words alone."""
    found = tokens(text)
    cast = cast or Cast()
    return Query(
        content(found, language),
        vector,
        speaker_asked(found, language, cast),
        days_named(text, language),
        asks_when(found, language),
    )


def content(found: list[Token], language: Language) -> dict[str, str]:
    """Each content stem of a query with the word as first typed; question words left out."""
    lists = language.words
    skip = lists["function_words"] | lists["questions"] | lists["asking_words"]
    words: dict[str, str] = {}
    for token in found:
        if token.word not in skip:
            words.setdefault(language.stem(token.word), token.raw)
    return words


def speaker_asked(found: list[Token], language: Language, cast: Cast) -> str | None:
    """Whose turns are asked for: the one speaker named, else by pronouns; None when it could be either."""
    said = {token.word for token in found}
    named = [who for who, names in cast.names.items() if said & _words(names)]
    if named:
        return named[0] if len(named) == 1 else None
    if cast.asking is None:
        return None
    if said & language.words["first_person"]:
        return cast.asking
    others = [who for who in cast.names if who != cast.asking]
    if len(others) == 1 and said & language.words["second_person"]:
        return others[0]
    return None


def asks_when(found: list[Token], language: Language) -> bool:
    """Whether it asks for a day or an hour."""
    return any(token.word in language.words["asking_when"] for token in found[:4])


def _words(names: tuple[str, ...]) -> set[str]:
    return {token.word for name in names for token in tokens(fold(name))}
