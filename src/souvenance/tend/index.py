"""The rows made of texts that need a vector, how far that is, and whether the model behind a name is still the same.

Pure, so that it can be tested without a model.
"""

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


#: Answers in a row of another dimension than the stored vectors, after which the model behind the name counts as
#: another one and all is embedded again. Chosen, not measured: with the pause between two rounds it takes a minute
#: and a half, and prefers a plainer minute to embedding everything twice for a server that stumbled.
ANSWERS_TO_BELIEVE = 3


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of the current memories have a vector by `embedder`, and how many should."""

    embedder: str
    indexed: int
    wanted: int


@dataclass(slots=True)
class Dimension:
    """The dimension of the stored vectors of one name, and how often in a row the embedder gave another one."""

    stored: int | None = None
    others: int = 0

    def changed(self, given: int) -> bool:
        """Whether an answer of that dimension makes it certain that the model behind the name is another one.

        Errors: `BadAnswer` while it is not, and the answer cannot be stored beside the others.
        """
        if self.stored in (None, given):
            self.stored, self.others = given, 0
            return False
        self.others += 1
        if self.others < ANSWERS_TO_BELIEVE:
            raise BadAnswer(
                f"The embedder gave vectors of dimension {given} where the stored ones have {self.stored}. "
                "If its model was changed, wait: all is embedded again once it has answered so a few times.",
                raw="",
            )
        self.stored, self.others = None, 0
        return True


def rows(missing: Sequence[tuple[Address, Memory]], vectors: Vector) -> list[VectorRow]:
    """One row for each missing memory, in order.

    Shapes: `vectors` is (len(missing), dim). Errors: `BadAnswer` when it is not, or holds NaN or infinities.
    """
    require_answer(vectors, len(missing))
    return [
        VectorRow(address, memory.memory_id, memory.fingerprint, vector)
        for (address, memory), vector in zip(missing, vectors, strict=True)
    ]


def require_answer(vectors: Vector, texts: int) -> None:
    """Returns when there is one finite vector for each text.

    Errors: `BadAnswer`.
    """
    if vectors.ndim != 2 or len(vectors) != texts:
        raise BadAnswer(f"{texts} texts gave vectors of shape {vectors.shape}.", raw="")
    if not np.isfinite(vectors).all():
        raise BadAnswer("The embedder returned numbers that are not finite.", raw="")
