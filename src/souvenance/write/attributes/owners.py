"""Reads whose attribute a clause tells: the person's, a relative's, an animal's of theirs.

A relative with a name is somebody in particular; without one, only unique relations (a mother, a wife) are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from types import MappingProxyType

from souvenance.lang import Language, fold, language, tokens
from souvenance.write.attributes.spoken import Words


@dataclass(frozen=True, slots=True)
class Owner:
    """Who a clause is of, and the words that follow: a verb of theirs, or (`owned`) a thing of theirs."""

    entity: str
    rest: Words
    owned: bool = False
    sure: bool = True  # the person, somebody named, or a relation that one has once


@dataclass(frozen=True, slots=True)
class Telling:
    """Who speaks and how the person is called: the root of entities, and whether the text says "I"."""

    root: str
    names: frozenset[str]
    first: bool


def telling(text: str, words: Language, root: str, called: Collection[str]) -> Telling:
    """How a text speaks of the person: as "I", or, when it never does, by their name and "user"."""
    spoken = [t.word for t in tokens(text)]
    first = any(w in words.words["first_person"] for w in spoken)
    names = {t.word for name in called for t in tokens(name)[:1]} if not first else set()
    return Telling(root, frozenset(names), first)


@lru_cache(maxsize=8)
def _relations(code: str) -> Mapping[tuple[str, ...], tuple[str, bool]]:
    """Each spelling of a relation with its name, and whether somebody has only one."""
    found: dict[tuple[str, ...], tuple[str, bool]] = {}
    for line in language(code).words["attribute_relations"]:
        name, _, spellings = line.partition("=")
        unique = name.strip().endswith("!")
        for spelling in spellings.split(","):
            found[tuple(t.word for t in tokens(spelling))] = (name.strip(" !"), unique)
    return MappingProxyType(found)


#: The longest spelling of a relation, in words ("mother in law").
_LONGEST = 4


def relation(said: Words, words: Language) -> tuple[str, bool, int] | None:
    """The relation that opens these words, whether it is unique, and how many words it takes."""
    known = _relations(words.code)
    for size in range(min(_LONGEST, len(said)), 0, -1):
        found = known.get(tuple(w.word for w in said[:size]))
        if found is not None and not any(w.stop for w in said[1:size]):
            return *found, size
    return None


def owners(said: Words, words: Language, told: Telling, last: Owner | None) -> list[Owner]:
    """Everybody the clause may be of, the fullest reading first; `last` is whom a pronoun points at."""
    if not said:
        return []
    first = said[0].word
    following = said[1].word if len(said) > 1 else ""
    if first in words.words["attribute_emphatics"] and following in words.words["subjects"]:
        return owners(said[1:], words, told, last)
    if told.first and first in words.words["subjects"]:
        return [Owner(told.root, said[1:])]
    if told.first and first in words.words["attribute_mine"]:
        return _of(told.root, said[1:], words)
    if first in words.words["attribute_pronouns"] and last is not None:
        return [Owner(last.entity, said[1:], sure=last.sure)]
    if not told.first and first in words.words["their"] and last is not None:
        return _of(last.entity, said[1:], words) if last.entity == told.root else []
    named = _named(said, words, told)
    if named is not None:
        rest = said[named:]
        owned = _of(told.root, rest[1:], words) if _is_genitive(rest, words) else []
        return [*owned, Owner(told.root, rest)]
    return _by_complement(said, words, told, last)


def _named(said: Words, words: Language, told: Telling) -> int | None:
    """How many words name the person ("the user", "L'utilisatrice", their name); None when none do."""
    if told.first:
        return None
    lead = 1 if said[0].word in words.words["articles"] and len(said) > 1 else 0
    word = said[lead]
    if word.word in words.words["user_words"] or (word.word in told.names and word.capital):
        return lead + 1
    return None


def _of(entity: str, said: Words, words: Language) -> list[Owner]:
    """What follows a possessive: a relative (or theirs, in a chain), or a thing of the entity's own."""
    found = relation(said, words)
    things = [Owner(entity, said, owned=True)]
    if found is None:
        return things
    name, unique, size = found
    rest = said[size:]
    called = _name(rest)
    theirs = f"{entity}/{name}"
    sure = unique or bool(called)
    if called:
        theirs, rest = f"{theirs}:{fold(called)}", rest[1:]
    chained = _of(theirs, rest[1:], words) if _is_genitive(rest, words) else []
    chained = [Owner(o.entity, o.rest, o.owned, o.sure and sure) for o in chained]
    return [*chained, Owner(theirs, rest, sure=sure), *things]


def _is_genitive(rest: Words, words: Language) -> bool:
    return words.traits.possessive_s and bool(rest) and rest[0].word == "s" and rest[0].tied


def _name(rest: Words) -> str:
    """The name that follows a relation at once ("my sister Ines lives")."""
    if not rest or rest[0].stop or not rest[0].capital or rest[0].figure or len(rest[0].raw) < 2:
        return ""
    return rest[0].raw


def _by_complement(said: Words, words: Language, told: Telling, last: Owner | None) -> list[Owner]:
    """ "L'anniversaire de ma sœur est…": the thing, then of whom."""
    if said[0].word not in words.words["attribute_the"]:
        return []
    links = words.words["attribute_of"]
    things = list(takewhile(lambda w: w.word not in links and not w.stop, said[1:5]))
    at = 1 + len(things)
    if not things or at + 1 >= len(said) or said[at].word not in links:
        return []
    found: list[Owner] = []
    for owner in owners(said[at + 1 :], words, told, last):
        if owner.owned:
            continue
        theirs = relation(tuple(things), words)
        if theirs is not None and theirs[2] == len(things):
            name, unique, _ = theirs
            found.append(Owner(f"{owner.entity}/{name}", owner.rest, sure=unique and owner.sure))
        else:
            found.append(Owner(owner.entity, (*things, *owner.rest), True, owner.sure))
    return found
