"""Vectors of one scope as rows of one growing float32 matrix, shared by successive snapshots.

Appending one vector to ten thousand must not copy twenty megabytes, so rows are written once and never changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from souvenance.ports import Vector

#: Rows kept free after a copy, as a share of those in use. Chosen, not measured.
SPARE = 0.25


@dataclass(slots=True)
class _Buffer:
    """The memory behind one or more snapshots; `used` rows are written, by whoever appended last."""

    rows: NDArray[np.float32]
    used: int


@dataclass(frozen=True, slots=True)
class Matrix:
    """The first `count` rows of a buffer. Rows are never rewritten, so older snapshots stay true."""

    buffer: _Buffer
    count: int

    @staticmethod
    def empty() -> Matrix:
        """A matrix without rows whose dimension is that of the first vector appended."""
        return Matrix(_Buffer(np.empty((0, 0), np.float32), 0), 0)

    @property
    def dimension(self) -> int | None:
        """The length of a row, None while there is none."""
        return int(self.buffer.rows.shape[1]) if self.count else None

    def rows(self) -> NDArray[np.float32]:
        """Shape (count, dimension), not to be written to."""
        return self.buffer.rows[: self.count]

    def append(self, vectors: Sequence[Vector] | NDArray[np.float32]) -> Matrix:
        """A matrix with these rows after the present ones; vectors of another dimension are the caller's error."""
        if not len(vectors):
            return self
        whole = vectors if isinstance(vectors, np.ndarray) else np.stack(vectors)
        added = np.asarray(whole, np.float32)
        total = self.count + len(added)
        buffer = self.buffer
        if buffer.used != self.count or total > len(buffer.rows):
            room = np.empty((total + int(total * SPARE), added.shape[1]), np.float32)
            if self.count:
                room[: self.count] = self.rows()
            buffer = _Buffer(room, self.count)
        buffer.rows[self.count : total] = added
        buffer.used = total
        return Matrix(buffer, total)

    def keep(self, rows: NDArray[np.int32]) -> Matrix:
        """A matrix of those rows only, in that order."""
        if not len(rows):
            return Matrix.empty()
        kept = self.rows()[rows]
        return Matrix(_Buffer(kept, len(kept)), len(kept))
