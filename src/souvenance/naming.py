"""By which names a person is told of in the memories of an address, and in which language.

The index says those memories as the person would, before they are embedded; see `souvenance.lang.voice`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from souvenance.domain import (
    MAIN_THREAD,
    MAIN_TIMELINE,
    Address,
    Character,
    CharacterId,
    Memory,
    Person,
    Space,
    View,
)
from souvenance.lang import Language, language
from souvenance.lang.voice import dominant_name, in_first_person
from souvenance.ports import Run, Store


@dataclass(frozen=True, slots=True)
class Called:
    """The names of one person, and the language their memories are told in."""

    names: tuple[str, ...]
    language: Language

    def spoken(self, memory: Memory) -> str:
        """The text of a memory as the person would say it."""
        return in_first_person(str(memory.text), self.names, self.language)


def called(person: Person | None, words: Language, dominant: str | None = None) -> Called:
    """Given names first, then the name that stands in most memories, and what a nameless person is called."""
    named = person.names if person is not None else ()
    found = named or ((dominant,) if dominant else ())
    return Called((*found, words.the_user), words)


@dataclass(frozen=True, slots=True)
class Naming:
    """Looks names up in a store."""

    store: Store
    read: Run
    find_character: Callable[[Space, CharacterId], Awaitable[Character]]

    async def __call__(self, address: Address) -> Called:
        """How the person of an address is called there. Errors: `StoreError`."""
        character = await self.find_character(address.space, address.character)
        find = self.store.conversations.person
        person = await self.read(find, address.space, address.person)
        named = person is not None and person.names
        dominant = None if named else await self.read(self._dominant, address)
        return called(person, language(character.language), dominant)

    def _dominant(self, address: Address) -> str | None:
        view = View(address, MAIN_TIMELINE, MAIN_THREAD)
        return dominant_name(str(m.text) for m in self.store.memories.current(view))
