"""Vectors of memories' texts: derived, so whatever is not of a text in use is dropped on the way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from souvenance.domain import Address, Memory, MemoryId, PersonId, Seq, Space, View
from souvenance.ports import HeldVectors, VectorRow
from souvenance.stores.accepted import require_vectors
from souvenance.stores.sqlite import rows as convert
from souvenance.stores.sqlite.connection import Database, one, run
from souvenance.stores.sqlite.memories import current, lineage
from souvenance.stores.sqlite.pool import Readers, Writer


class SqliteVectors:
    """Implements `ports.Vectors`."""

    def __init__(self, readers: Readers, writer: Writer) -> None:
        self._readers = readers
        self._writer = writer

    def missing(self, embedder: str, limit: int) -> list[tuple[Address, Memory]]:
        with self._readers.reading() as db:
            found = run(db, "missing_vectors", {"embedder": embedder, "limit": limit})
        memories = [convert.to_memory(row) for row in found]
        return [(memory.address, memory) for memory in memories]

    def held(self) -> list[HeldVectors]:
        with self._readers.reading() as db:
            return [HeldVectors(*row) for row in run(db, "held_vectors")]

    def progress(self, embedder: str) -> tuple[int, int]:
        with self._readers.reading() as db:
            indexed, wanted = one(db, "index_progress", {"embedder": embedder}) or (0, 0)
        return indexed, wanted

    def drop(self, embedder: str, limit: int) -> int:
        with self._writer.transaction() as db:
            run(db, "drop_vectors_of", {"embedder": embedder, "limit": limit})
            return db.changes()

    def put(self, embedder: str, rows: Sequence[VectorRow]) -> None:
        require_vectors(rows)
        by_person: dict[tuple[Space, PersonId], list[VectorRow]] = defaultdict(list)
        for row in rows:
            by_person[row.address.space, row.address.person].append(row)
        if not rows:
            return
        with self._writer.transaction() as db:
            for (space, person), theirs in by_person.items():
                _put(db, embedder, space, person, theirs)

    def load(self, view: View, embedder: str, since: int = 0) -> list[VectorRow]:
        values = convert.seen_by(view) | {
            "timeline": view.timeline, "embedder": embedder, "since": since,
        }  # fmt: skip
        with self._readers.snapshot() as db:
            if len(lineage(db, view.address, view.timeline)) > 1:
                found = run(db, "all_vectors", values)
                by_text = {(row[0], row[1]): row for row in found}
                seen = [(m.memory_id, m.fingerprint) for m in current(db, view, Seq(0))]
                found = [by_text[key] for key in seen if key in by_text]
            else:
                found = run(db, "load_vectors", values)
        return [
            VectorRow(view.address, MemoryId(memory_id), fingerprint, convert.to_vector(blob))
            for memory_id, fingerprint, blob in found
        ]


def _put(
    db: Database, embedder: str, space: Space, person: PersonId, theirs: Sequence[VectorRow]
) -> None:
    """Stores those whose text is still in use, under one new stamp; drops those of older texts."""
    stamp = None
    for row in theirs:
        key = convert.at(row.address) | {"memory_id": row.memory_id}
        wanted = [fingerprint for (fingerprint,) in run(db, "wanted_fingerprints", key)]
        if row.fingerprint not in wanted:
            continue
        if stamp is None:
            (stamp,) = one(db, "next_vector_stamp", {"space": space, "person": person}) or (0,)
        key |= {"embedder": embedder}
        run(db, "drop_stale_vectors", key | {"wanted": convert.as_json(wanted)})
        vector = {
            "fingerprint": row.fingerprint, "dim": row.vector.size,
            "vector": convert.as_blob(row.vector), "stamp": stamp,
        }  # fmt: skip
        run(db, "put_vector", key | vector)
