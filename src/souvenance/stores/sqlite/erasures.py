"""Applies the ledger of erasures to a database that has not seen all of it (a restored backup)."""

from __future__ import annotations

from collections.abc import Sequence

from souvenance.stores.sqlite.connection import Database, one, run
from souvenance.stores.sqlite.keys import Erasure, Ledger, name_of
from souvenance.stores.sqlite.pool import Readers, Writer

_OTHER_KEY = (
    "the key file is not the one this database was written with: resent messages will not be "
    "recognised, and earlier erasures are not known (restore the .keys file if you have it)"
)
_SHORT_LEDGER = (
    "the key file holds fewer erasures than this database has seen: "
    "restore the newest .keys file if you have it"
)

#: In this order: what was proposed is found through the states that came of it.
_ERASED = (
    "erase_proposals",
    "erase_vectors",
    "erase_counters",
    "erase_journal",
    "erase_versions",
)


def settle_identity(writer: Writer, readers: Readers, ledger: Ledger) -> tuple[str, ...]:
    """Applies the erasures this database has not seen; returns what a check should report.

    The ledger's lock is taken before the database's, by everybody, so that none waits in a ring.
    """
    if _is_settled(readers, ledger, ledger.entries()):
        return ()
    with ledger.locked() as fd:
        entries = ledger.read(fd)
        with writer.transaction(queued=True) as db:
            return _settle(db, ledger, entries)


def _is_settled(readers: Readers, ledger: Ledger, entries: Sequence[Erasure]) -> bool:
    with readers.reading() as db:
        return one(db, "identity") == (ledger.key_id, len(entries))


def _settle(db: Database, ledger: Ledger, entries: Sequence[Erasure]) -> tuple[str, ...]:
    run(db, "add_identity", {"key_id": ledger.key_id, "applied": len(entries)})
    key_id, applied = one(db, "identity") or (ledger.key_id, 0)
    if key_id != ledger.key_id:
        return (_OTHER_KEY,)
    if len(entries) < applied:
        return (_SHORT_LEDGER,)
    _erase(db, ledger, entries[applied:])
    run(db, "erasures_applied", {"applied": len(entries)})
    return ()


def _erase(db: Database, ledger: Ledger, entries: Sequence[Erasure]) -> None:
    people = {entry.mark for entry in entries if entry.kind == "person"}
    memories = {entry.mark for entry in entries if entry.kind == "memory"}
    for space, person in run(db, "everybody") if people else []:
        if ledger.mark(name_of(space, person)) in people:
            run(db, "erase_person", {"space": space, "person": person})
    for space, person, character, memory_id in run(db, "every_memory") if memories else []:
        if ledger.mark(name_of(space, person, character, memory_id)) in memories:
            key = {"space": space, "person": person}
            one_memory = key | {"character": character, "memory_id": memory_id}
            for name in _ERASED:
                run(db, name, one_memory)
            run(db, "count_erasure", key)
