"""People, characters, threads and their messages, read from the file."""

from __future__ import annotations

from collections.abc import Sequence

from souvenance.counts import BLOCK_TOP, Stretch, Tally, TurnClock
from souvenance.domain import (
    Address,
    Character,
    CharacterId,
    Message,
    MessageId,
    Person,
    PersonId,
    Space,
    Switch,
    Thread,
    ThreadId,
    Timeline,
)
from souvenance.stores.accepted import require_clean
from souvenance.stores.sqlite import rows
from souvenance.stores.sqlite.connection import one, run
from souvenance.stores.sqlite.pool import Readers, Writer


class SqliteConversations:
    """Implements `ports.Conversations`."""

    def __init__(self, readers: Readers, writer: Writer) -> None:
        self._readers = readers
        self._writer = writer

    def person(self, space: Space, person: PersonId) -> Person | None:
        with self._readers.reading() as db:
            row = one(db, "person", {"space": space, "person": person})
        return None if row is None else rows.to_person(row)

    def people(self, space: Space) -> list[Person]:
        with self._readers.reading() as db:
            return [rows.to_person(row) for row in run(db, "people", {"space": space})]

    def character(self, space: Space, character: CharacterId) -> Character | None:
        with self._readers.reading() as db:
            row = one(db, "character", {"space": space, "character": character})
        return None if row is None else rows.to_character(row)

    def characters(self, space: Space) -> list[Character]:
        with self._readers.reading() as db:
            return [rows.to_character(row) for row in run(db, "characters", {"space": space})]

    def put_character(self, character: Character) -> None:
        require_clean(character)
        with self._writer.transaction() as db:
            run(db, "add_space", {"space": character.space})
            run(db, "put_character", rows.of_character(character))

    def timelines(self, address: Address) -> list[Timeline]:
        with self._readers.reading() as db:
            return [rows.to_timeline(row) for row in run(db, "timelines", rows.at(address))]

    def thread(self, address: Address, thread: ThreadId) -> Thread | None:
        with self._readers.reading() as db:
            row = one(db, "thread", rows.at(address) | {"thread": thread})
        return None if row is None else rows.to_thread(row)

    def threads(
        self, space: Space, person: PersonId, character: CharacterId | None = None
    ) -> list[Thread]:
        where = {"space": space, "person": person, "character": character}
        with self._readers.reading() as db:
            return [rows.to_thread(row) for row in run(db, "threads", where)]

    def path(
        self, address: Address, thread: ThreadId, limit: int, upto: MessageId | None = None
    ) -> list[Message]:
        where = rows.at(address)
        with self._readers.snapshot() as db:
            if upto is None:
                row = one(db, "thread", where | {"thread": thread})
                upto = None if row is None else rows.to_thread(row).head
            if upto is None or limit <= 0:
                return []
            found = run(db, "path", where | {"end": upto, "limit": limit})
        return [rows.to_message(row) for row in found]

    def messages(self, address: Address, ids: Sequence[MessageId]) -> list[Message]:
        values = rows.at(address) | {"ids": rows.as_json(ids)}
        with self._readers.reading() as db:
            return [rows.to_message(row) for row in run(db, "messages", values)]

    def switches(self, space: Space, person: PersonId) -> list[Switch]:
        with self._readers.reading() as db:
            found = run(db, "switches", {"space": space, "person": person})
        return [rows.to_switch(row) for row in found]

    def turns(self, address: Address) -> int:
        with self._readers.reading() as db:
            row = one(db, "turns", rows.at(address))
        return 0 if row is None else int(row[0])

    def clock(self, address: Address) -> TurnClock:
        with self._readers.snapshot() as db:
            turns, degraded = one(db, "turns", rows.at(address)) or (0, 0)
            stretches = tuple(Stretch(*row) for row in run(db, "stretches", rows.at(address)))
        return TurnClock(turns, degraded, stretches)

    def tallies(self, address: Address) -> list[Tally]:
        where = rows.at(address)
        with self._readers.snapshot() as db:
            found = run(db, "tallies", where)
            if found:  # the figures of the last block are still in the counters
                block = where | {"block": found[-1][0], "most": BLOCK_TOP}
                found[-1] = (*found[-1][:4], *run(db, "tally", block)[0])
        return [rows.to_tally(row) for row in found]
