"""Who a candidate speaks of: the person, the character, in which order."""

from __future__ import annotations

from dataclasses import dataclass

from souvenance.domain import Exchange
from souvenance.lang import Language
from souvenance.write.filters.listed import places, spoken

#: Words before a subject that are no part of it ("Le capitaine", "In the story,").
_NEAR = 3


@dataclass(frozen=True, slots=True)
class Mentions:
    """Places (in words) of the first mention of each; None when there is none."""

    said: tuple[str, ...]
    person: int | None
    character: int | None

    @property
    def character_leads(self) -> bool:
        """Whether the character is what the candidate is about: named first, before the person."""
        if self.character is None:
            return False
        return self.person is None or self.character < self.person


def mentions(text: str, exchange: Exchange, words: Language) -> Mentions:
    """Who the text mentions first. The person counts by name, alias, or a word such as "user"."""
    said = spoken(text)
    named = [exchange.person.display_name or "", *exchange.person.aliases]
    person = [_first_name(said, n) for n in named if n]
    person += [p[0] for p in places(said, words, "user_words")[:1]]
    character = [_first_name(said, exchange.character.name)]
    character += [p[0] for p in places(said, words, "character_words")[:1]]
    return Mentions(tuple(said), _least(person), _least(character))


def _least(found: list[int | None]) -> int | None:
    known = [f for f in found if f is not None]
    return min(known) if known else None


def _first_name(said: list[str], name: str) -> int | None:
    """Where the whole name stands, else its longest word."""
    parts = spoken(name)
    if not parts:
        return None
    for i in range(len(said) - len(parts) + 1):
        if said[i : i + len(parts)] == parts:
            return i
    longest = max(parts, key=len)
    return said.index(longest) if len(parts) > 1 and longest in said else None


def own_words(exchange: Exchange, words: Language) -> frozenset[str]:
    """Folded words that only name the two who talk, or the frame a memory puts around what was said."""
    found = set(words.words.get("frame_words", ())) | set(words.words.get("user_words", ()))
    found |= set(words.words.get("character_words", ()))
    for name in (
        exchange.person.display_name or "",
        exchange.character.name,
        *exchange.person.aliases,
    ):
        found |= set(spoken(name))
    return frozenset(found)
