"""All people's states and the lock around them."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from souvenance.domain import Address, Character, CharacterId, Person, PersonId, Space
from souvenance.errors import StoreError
from souvenance.stores.memory.state import PersonState

Who = tuple[Space, PersonId]


class Tables:
    """What the parts of one store share. Characters belong to a space, all else to a person."""

    def __init__(self) -> None:
        self.characters: dict[tuple[Space, CharacterId], Character] = {}
        self._people: dict[Who, PersonState] = {}
        self._lock = threading.RLock()
        self._closed = False

    @contextmanager
    def reading(self) -> Iterator[Mapping[Who, PersonState]]:
        """Everybody, unchanged while the block runs. Errors: `StoreError` once closed."""
        with self._lock:
            if self._closed:
                raise StoreError("the store was closed: open another one")
            yield self._people

    @contextmanager
    def state(self, address: Address) -> Iterator[PersonState]:
        """The state of the person of an address, an empty one when unknown; not to be changed."""
        with self.reading() as people:
            yield people.get((address.space, address.person)) or _nobody(
                address.space, address.person
            )

    @contextmanager
    def changing(self, space: Space, person: PersonId) -> Iterator[PersonState]:
        """A copy of a person's state, which takes its place unless the block raises."""
        with self.reading() as people:
            copy = (people.get((space, person)) or _nobody(space, person)).copied()
            yield copy
            self._people[space, person] = copy

    def close(self) -> None:
        with self._lock:
            self._closed = True


def _nobody(space: Space, person: PersonId) -> PersonState:
    return PersonState(Person(space, person))
