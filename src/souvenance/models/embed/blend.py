"""Several embedders as one: the weighted sum of their cosines, as the product of two ordinary vectors.

What is stored is the legs' unit vectors side by side; a query is the same with each leg times its weight for the
language. The product of both is the weighted sum of the legs' cosines up to a factor, so that nothing else in the
product knows that there are several, and weights can change without making a stored vector anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from souvenance.errors import BadAnswer
from souvenance.models.embed.local import LocalEmbedder
from souvenance.ports import Embedder, Vector

Weights = Mapping[str, float]

#: What a leg's cosine counts, by the language of the message; of an embedder that is not named, 1. The cosines of E5
#: lie five times closer together than those of the bundled one, so that 4 counts a little less than as much.
#: Weights near these (3; 1.1 and 0.75) give the same within chance.
#: Read on 2026-11-30 with `bench/recall_fusion.py`, recall at 24 of 440 and 1,060 memories (three sets).
WEIGHTS: Mapping[str, Weights] = MappingProxyType(
    {
        "fr": {"use-multilingual-3": 1.0, "e5-small-q4": 4.0, "all-minilm-l6-v2-int8": 0.0},
        "en": {"use-multilingual-3": 1.0, "e5-small-q4": 1.5, "all-minilm-l6-v2-int8": 0.55},
    }
)

#: For every other language, and when it is not known: leaves out the leg that reads English alone.
ELSEWHERE = WEIGHTS["fr"]


class BlendedEmbedder:
    """An `Embedder` over several, all asked at once. Owns its legs: closing it closes them."""

    def __init__(
        self,
        legs: Sequence[Embedder],
        *,
        threshold: float,
        weights: Mapping[str, Weights] = WEIGHTS,
        elsewhere: Weights = ELSEWHERE,
    ) -> None:
        self.legs = tuple(legs)
        self._threshold = threshold
        self._weights, self._elsewhere = weights, elsewhere
        self._light_dim = 0  # of the first leg, known once it has answered

    @property
    def name(self) -> str:
        """The names of the legs in order: one leg less makes other vectors."""
        return "+".join(leg.name for leg in self.legs)

    @property
    def threshold(self) -> float:
        """The cosine from which two texts count as related."""
        return self._threshold

    @property
    def light(self) -> Embedder:
        """The first leg: on long talks the others found no more of what was said, at 25 times its cost.

        Read on 2026-11-30 with `souvenance bench locomo`, two talks of four: .77/.84/.91 at 5, 10 and 24 for all, .77/.83/.91
        for the bundled one.
        """
        return self.legs[0]

    def light_part(self, vector: Vector) -> Vector:
        """What the first leg gave to a vector of all, at unit length; zero when it counted for nothing."""
        part = vector[: self._light_dim]
        length = float(np.linalg.norm(part))
        unit: Vector = part / np.float32(length or 1.0)
        return unit

    def warm(self) -> None:
        """Begins to load every leg that has something to load, and returns at once."""
        for leg in self.legs:
            if isinstance(leg, LocalEmbedder):
                leg.warm()

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, query_in: str | None = None
    ) -> Vector:
        """Shape (len(texts), sum of the legs'), rows of unit length, in order.

        Errors: `ModelError` of the first leg that fails; the others are then no longer waited for.
        """
        weights = self._weight(query_in)
        asked = [
            asyncio.create_task(
                _part(leg, weight, texts, timeout_s=timeout_s, query_in=query_in),
                name=f"souvenance-embed-{leg.name}",
            )
            for leg, weight in zip(self.legs, weights, strict=True)
        ]
        try:
            parts = await asyncio.gather(*asked)
            self._light_dim = parts[0].shape[1]
        finally:
            for task in asked:
                task.cancel()
        return joined(parts, weights)

    async def close(self) -> None:
        """Closes every leg."""
        await asyncio.gather(*(leg.close() for leg in self.legs))

    def _weight(self, query_in: str | None) -> list[float]:
        if query_in is None:
            return [1.0] * len(self.legs)
        weights = self._weights.get(query_in, self._elsewhere)
        return [weights.get(leg.name, 1.0) for leg in self.legs]


async def _part(
    leg: Embedder, weight: float, texts: Sequence[str], *, timeout_s: float, query_in: str | None
) -> Vector:
    """The rows of one leg; zeros, without asking it, where they count nothing and its width is known.

    Errors: `ModelError`; `BadAnswer` names the leg whose rows could not stand beside the others'.
    """
    if weight == 0 and isinstance(leg, LocalEmbedder):
        return np.zeros((len(texts), leg.dim), np.float32)
    rows = await leg.embed(texts, timeout_s=timeout_s, query_in=query_in)
    if rows.ndim != 2 or len(rows) != len(texts) or not np.isfinite(rows).all():
        raise BadAnswer(
            f"the embedder {leg.name} gave no finite vector for each text; leave it out of the blend",
            raw="",
        )
    return rows


def joined(parts: Sequence[Vector], weights: Sequence[float]) -> Vector:
    """Unit rows side by side, each part times its weight, at unit length together."""
    whole = np.concatenate([p * np.float32(w) for p, w in zip(parts, weights, strict=True)], axis=1)
    length = np.sqrt(sum(w * w for w in weights))
    unit: Vector = (whole / length).astype(np.float32, copy=False)
    return unit
