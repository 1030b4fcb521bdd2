"""Vectors of messages amid their neighbours: derived, and gone with the words that they were made of."""

from __future__ import annotations

from collections.abc import Sequence

from souvenance.domain import Address, MessageId, ThreadId, View
from souvenance.ports import WINDOW_REACH, SaidStamp, Unwindowed, WindowRow
from souvenance.stores.accepted import require_windows
from souvenance.stores.sqlite import rows as convert
from souvenance.stores.sqlite.connection import Database, one, run
from souvenance.stores.sqlite.pool import Readers, Writer


class SqliteWindows:
    """Implements `ports.Windows`."""

    def __init__(self, readers: Readers, writer: Writer) -> None:
        self._readers = readers
        self._writer = writer

    def stamp(self, view: View) -> SaidStamp:
        only = view.thread if view.isolation == "thread" else None
        values = convert.at(view.address) | {"timeline": view.timeline, "only": only}
        who = {"space": view.address.space, "person": view.address.person}
        with self._readers.snapshot() as db:
            windows, edits = one(db, "said_stamps", who) or (0, 0)
            found = run(db, "said_heads", values)
        heads = tuple((ThreadId(thread), MessageId(head)) for thread, head in found)
        return SaidStamp(heads, windows, edits)

    def due(self, embedder: str, limit: int) -> list[Unwindowed]:
        with self._readers.reading() as db:
            found = run(db, "unwindowed", {"embedder": embedder, "limit": max(limit, 0)})
        return [
            Unwindowed(convert.to_thread(tuple(row)), done, edits) for *row, done, edits in found
        ]

    def known(
        self, address: Address, embedder: str, ids: Sequence[MessageId]
    ) -> set[tuple[MessageId, str, str]]:
        values = convert.at(address) | {"embedder": embedder, "ids": convert.as_json(ids)}
        with self._readers.reading() as db:
            return {(MessageId(row[0]), row[1], row[2]) for row in run(db, "known_windows", values)}

    def put(
        self, embedder: str, due: Unwindowed, rows: Sequence[WindowRow], done: MessageId | None
    ) -> bool:
        address = due.thread.address
        require_windows(address, rows)
        who = {"space": address.space, "person": address.person}
        with self._writer.transaction() as db:
            _, edits = one(db, "said_stamps", who) or (0, None)
            if edits != due.edits:
                return False
            if rows:
                (stamp,) = one(db, "next_window_stamp", who) or (0,)
                for row in rows:
                    _put(db, embedder, row, stamp)
            if done is not None:
                values = {"thread": due.thread.thread, "embedder": embedder, "done": done}
                run(db, "put_windowed", convert.at(address) | values)
        return True

    def load(
        self, address: Address, embedder: str, threads: Sequence[ThreadId], since: int = 0
    ) -> list[WindowRow]:
        values = convert.at(address) | {
            "embedder": embedder, "since": since, "threads": convert.as_json(threads),
        }  # fmt: skip
        with self._readers.reading() as db:
            found = run(db, "load_windows", values)
        return [
            WindowRow(address, MessageId(row[0]), row[1], row[2], convert.to_vector(row[3]))
            for row in found
        ]

    def drop(self, embedder: str, limit: int) -> int:
        with self._writer.transaction() as db:
            run(db, "forget_windowed_by", {"embedder": embedder})
            run(db, "drop_windows_of", {"embedder": embedder, "limit": limit})
            gone = db.changes()
            if gone:
                run(db, "count_edits")
        return gone


def forget_words(db: Database, address: Address, message_id: MessageId) -> None:
    """Drops every window that may hold the words of a message, inside the transaction that takes them out."""
    where = convert.at(address)
    run(db, "drop_windows_around", where | {"message_id": message_id, "reach": WINDOW_REACH})
    run(db, "forget_windowed", where)
    run(db, "count_edit", {"space": address.space, "person": address.person})


def _put(db: Database, embedder: str, row: WindowRow, stamp: int) -> None:
    key = convert.at(row.address) | {
        "message_id": row.message_id, "window": row.window, "embedder": embedder,
        "fingerprint": row.fingerprint,
    }  # fmt: skip
    run(db, "drop_stale_windows", key | {"reach": WINDOW_REACH})
    vector = {"dim": row.vector.size, "vector": convert.as_blob(row.vector), "stamp": stamp}
    run(db, "put_window", key | vector)
