"""Which texts still need a vector, and the rows made of them; pure, so that it can be tested without a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from souvenance.domain import Address, Memory
from souvenance.errors import BadAnswer
from souvenance.ports import Vector, VectorRow


@dataclass(frozen=True, slots=True)
class Indexed:
    """How many vectors were written, and whether some are still missing."""

    done: int
    left: bool


def rows(missing: Sequence[tuple[Address, Memory]], vectors: Vector) -> list[VectorRow]:
    """One row for each missing memory, in order.

    Shapes: `vectors` is (len(missing), dim). Errors: `BadAnswer` when it is not, or holds NaN or infinities.
    """
    if vectors.ndim != 2 or len(vectors) != len(missing):
        raise BadAnswer(f"{len(missing)} texts gave vectors of shape {vectors.shape}.", raw="")
    if not np.isfinite(vectors).all():
        raise BadAnswer("The embedder returned numbers that are not finite.", raw="")
    return [
        VectorRow(address, memory.memory_id, memory.fingerprint, vector)
        for (address, memory), vector in zip(missing, vectors, strict=True)
    ]
