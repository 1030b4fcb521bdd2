"""What one view can be served from: its active memories, their words, their vectors and their order of rank.

Built once and then moved forward by what changed, so that a turn pays for the message and not for the past.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
from numpy.typing import NDArray

from souvenance.domain import KINDS, Kind, Memory, MemoryId, Status, View
from souvenance.lang import Language
from souvenance.ports import VectorRow
from souvenance.read.matrix import Matrix
from souvenance.read.postings import Postings
from souvenance.read.sameness import Signature, signature

#: Pinned, of this thread, kind, confidence, newest, id: smaller comes first.
RankKey = tuple[bool, bool, int, float, float, str]

#: Kinds by position, for the `kind` column.
KIND_ORDER: tuple[Kind, ...] = tuple(KINDS)
_PLACE_OF = {kind: place for place, kind in enumerate(KIND_ORDER)}

#: Columns are rebuilt whole when more rows than this share of them changed. Chosen, not measured.
SORT_AGAIN = 0.125

#: Dead rows (closed memories, replaced vectors) beyond half of all and this many: built anew. Chosen, not measured.
DEAD_ROWS = 256

_FAR = date.max.toordinal()


@dataclass(frozen=True, slots=True)
class Columns:
    """One value for each row. Dead rows keep theirs; `alive` tells them apart."""

    alive: NDArray[np.bool_]
    pinned: NDArray[np.bool_]
    world: NDArray[np.bool_]  # of global scope
    kind: NDArray[np.int8]  # place in KIND_ORDER
    importance: NDArray[np.float32]
    starts: NDArray[np.int32]  # ordinal of the day it begins to hold, 0 when open
    until: NDArray[np.int32]  # ordinal of the last day it holds, far away when open
    group: NDArray[np.int64]  # equal for equal signatures
    vector: NDArray[np.int32]  # row of the matrix, -1 when not indexed

    @staticmethod
    def of(rows: int) -> Columns:
        """Columns of that many dead rows."""
        return Columns(
            np.zeros(rows, np.bool_), np.zeros(rows, np.bool_), np.zeros(rows, np.bool_),
            np.zeros(rows, np.int8), np.zeros(rows, np.float32), np.zeros(rows, np.int32),
            np.full(rows, _FAR, np.int32), np.zeros(rows, np.int64), np.full(rows, -1, np.int32),
        )  # fmt: skip

    def grown(self, rows: int) -> Columns:
        """A copy with dead rows added at the end, to be written to before anybody reads it."""
        new = Columns.of(rows)
        n = len(self.alive)
        for name in Columns.__slots__:
            getattr(new, name)[:n] = getattr(self, name)
        return new

    def write(
        self, rows: Sequence[int], memories: Sequence[Memory], words: Sequence[Signature]
    ) -> None:
        """Fills the rows of living memories, their vectors apart; a column at a time, for rows come by thousands."""
        at = np.array(rows, np.intp)
        self.alive[at] = True
        self.pinned[at] = [m.pinned for m in memories]
        self.world[at] = [m.thread is None for m in memories]
        self.kind[at] = [_PLACE_OF[m.kind] for m in memories]
        self.importance[at] = [m.importance for m in memories]
        self.starts[at] = [m.starts.toordinal() if m.starts else 0 for m in memories]
        self.until[at] = [m.until.toordinal() if m.until else _FAR for m in memories]
        self.group[at] = [
            hash(text if text.stems else memory.memory_id)
            for memory, text in zip(memories, words, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Corpus:
    """One snapshot of one view; never changes, `update` returns the next one."""

    view: View
    language: Language
    memories: tuple[Memory, ...]  # by row
    signatures: tuple[Signature, ...]  # by row
    row_of: Mapping[MemoryId, int]
    columns: Columns
    order: NDArray[np.int32]  # living rows, best rank first
    rank: NDArray[np.int32]  # by row: place in `order`
    postings: Postings
    matrix: Matrix
    vector_of: Mapping[MemoryId, tuple[str, int]]  # fingerprint of the text and row of the matrix
    rules: Mapping[MemoryId, Memory]
    inactive: Mapping[MemoryId, Memory]  # closed ones, to answer "why not this one?"

    @staticmethod
    def empty(view: View, language: Language) -> Corpus:
        """A corpus without memories."""
        none = np.empty(0, np.int32)
        return Corpus(
            view, language, (), (), {}, Columns.of(0), none, none, Postings.empty(), Matrix.empty(), {}, {}, {},
        )  # fmt: skip

    @staticmethod
    def build(
        view: View,
        language: Language,
        memories: Sequence[Memory],
        vectors: Sequence[VectorRow] = (),
    ) -> Corpus:
        """A corpus of the current states of memories (of any status) and of their vectors."""
        return Corpus.empty(view, language).update(memories, vectors)

    @property
    def size(self) -> int:
        """How many memories can take a slot."""
        return len(self.order)

    @property
    def dimension(self) -> int | None:
        """The length of the stored vectors, None while there is none."""
        return self.matrix.dimension

    def memory(self, memory_id: MemoryId) -> Memory | None:
        """The memory of that id, rules and closed ones included."""
        row = self.row_of.get(memory_id)
        if row is not None and self.columns.alive[row]:
            return self.memories[row]
        return self.rules.get(memory_id) or self.inactive.get(memory_id)

    def update(self, memories: Sequence[Memory] = (), vectors: Sequence[VectorRow] = ()) -> Corpus:
        """The snapshot after these memories (in any state) and vectors replaced or joined those here.

        The same as one built from everything at once, whatever the steps.
        Vectors of another dimension than the first one seen are left out.
        """
        latest = {m.memory_id: m for m in memories}
        changed = {i: m for i, m in latest.items() if self.memory(i) != m}
        moved = self._with_memories(changed) if changed else self
        moved = moved._with_vectors(vectors, changed)
        return moved._compacted() if moved._is_wasteful() else moved

    def _with_memories(self, changed: Mapping[MemoryId, Memory]) -> Corpus:
        rules = {i: m for i, m in self.rules.items() if i not in changed}
        inactive = {i: m for i, m in self.inactive.items() if i not in changed}
        row_of, kept = dict(self.row_of), list(self.memories)
        signatures = list(self.signatures)
        living: list[int] = []
        removed: dict[int, Signature] = {}
        for memory_id, memory in changed.items():
            row = row_of.get(memory_id)
            if row is not None and self.columns.alive[row]:
                removed[row] = signatures[row]
            if memory.status is not Status.ACTIVE:
                inactive[memory_id] = memory
            elif memory.kind is Kind.RULE:
                rules[memory_id] = memory
            else:
                row = row_of.setdefault(memory_id, len(kept))
                if row == len(kept):
                    kept.append(memory)
                    signatures.append(Signature((), ()))
                kept[row], signatures[row] = memory, signature(memory.text, self.language)
                living.append(row)
        columns = self.columns.grown(len(kept))
        columns.alive[list(removed)] = False
        columns.write(living, [kept[r] for r in living], [signatures[r] for r in living])
        order = self._reordered(kept, set(removed), living)
        rank = np.zeros(len(kept), np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        postings = self.postings.update(
            removed, {row: signatures[row] for row in living}, len(kept), len(order)
        )
        return replace(
            self, memories=tuple(kept), signatures=tuple(signatures), row_of=row_of, columns=columns, order=order,
            rank=rank, postings=postings, rules=rules, inactive=inactive,
        )  # fmt: skip

    def _reordered(
        self, memories: Sequence[Memory], gone: set[int], living: Sequence[int]
    ) -> NDArray[np.int32]:
        def key(row: int) -> RankKey:
            return rank_key(memories[row], self.view)

        order = [r for r in self.order.tolist() if r not in gone] if gone else self.order.tolist()
        if len(living) > 8 + SORT_AGAIN * len(order):
            order = sorted([*order, *living], key=key)
        else:
            for row in living:
                order.insert(bisect_left(order, key(row), key=key), row)
        return np.array(order, np.int32)

    def _with_vectors(self, vectors: Sequence[VectorRow], changed: Iterable[MemoryId]) -> Corpus:
        usable, rows = self._usable(vectors)
        if not usable and not changed:
            return self
        matrix = self.matrix.append(rows)
        vector_of = dict(self.vector_of)
        for n, (memory_id, row) in enumerate(usable.items()):
            vector_of[memory_id] = (row.fingerprint, self.matrix.count + n)
        column = self.columns.vector.copy()
        for memory_id in {*usable, *changed}:
            at = self.row_of.get(memory_id)
            if at is None:
                continue
            fingerprint, place = vector_of.get(memory_id, ("", -1))
            column[at] = place if fingerprint == self.memories[at].fingerprint else -1
        return replace(
            self, matrix=matrix, vector_of=vector_of, columns=replace(self.columns, vector=column)
        )

    def _usable(
        self, vectors: Sequence[VectorRow]
    ) -> tuple[dict[MemoryId, VectorRow], NDArray[np.float32]]:
        """The last finite vector of each memory in the dimension in use (or that of the first), and all as rows."""
        dimension = self.dimension or (len(vectors[0].vector) if vectors else 0)
        fitting = [v for v in vectors if v.vector.shape == (dimension,)]
        if not fitting:
            return {}, np.empty((0, dimension), np.float32)
        rows: NDArray[np.float32] = np.stack([v.vector for v in fitting])
        finite = np.flatnonzero(np.isfinite(rows).all(axis=1)).tolist()
        last = {fitting[n].memory_id: n for n in finite}
        if len(last) < len(fitting):
            rows = rows[np.array(list(last.values()), np.intp)]
        return {i: fitting[n] for i, n in last.items()}, rows

    def _is_wasteful(self) -> bool:
        dead = len(self.memories) - self.size
        stale = self.matrix.count - len(self.vector_of)
        return max(dead, stale) > max(DEAD_ROWS, self.size)

    def _compacted(self) -> Corpus:
        living = [m for r, m in enumerate(self.memories) if self.columns.alive[r]]
        everything = [*living, *self.rules.values(), *self.inactive.values()]
        fresh = Corpus.empty(self.view, self.language)._with_memories(
            {m.memory_id: m for m in everything}
        )
        rows = np.array([place for _, place in self.vector_of.values()], np.int32)
        vector_of = {
            i: (fingerprint, n) for n, (i, (fingerprint, _)) in enumerate(self.vector_of.items())
        }
        carried = replace(fresh, matrix=self.matrix.keep(rows), vector_of=vector_of)
        return carried._with_vectors((), list(vector_of))


def rank_key(memory: Memory, view: View) -> RankKey:
    """The order of backfill in this view: pinned, of its thread, kind, confidence, newest, then id."""
    return (
        not memory.pinned,
        memory.thread is None or memory.thread != view.thread,
        KINDS[memory.kind].rank,
        -memory.confidence,
        -memory.born_at.timestamp(),
        str(memory.memory_id),
    )
