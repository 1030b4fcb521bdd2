"""What goes to an embedder and what may come back, checked before anything is stored or compared.

One vector with a NaN makes every score NaN; one of another dimension breaks the matrix of all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from souvenance.errors import BadAnswer
from souvenance.ports import Vector

#: Characters of a text that count. A memory is one line; of a message of 1 MB the beginning tells the subject.
MAX_CHARS = 2_000


def readable(text: str) -> str:
    """The text as any embedder takes it: its beginning, without half surrogates or NUL, and never empty.

    Servers refuse an empty text, or give no vector for it; a full stop stands for it.
    """
    text = text[:MAX_CHARS].replace("\0", " ").encode("utf-8", "replace").decode("utf-8").strip()
    return text or "."


def unit_rows(rows: Sequence[Any], *, count: int, dim: int | None, server: str) -> Vector:
    """The rows at unit length. Shape (count, dim).

    Errors: `BadAnswer` for a wrong count or dimension, and for rows that are not finite numbers or all zero.
    """
    if len(rows) != count:
        raise _bad(server, f"gave {len(rows)} vectors for {count} texts")
    widths = {len(row) if isinstance(row, list) else -1 for row in rows}
    if len(widths) != 1 or min(widths) < 1:
        raise _bad(server, "gave vectors of different dimensions, or something that is not vectors")
    if dim is not None and widths != {dim}:
        raise _bad(server, f"gave vectors of dimension {widths.pop()} where they had {dim} before")
    try:
        # In float64 first: a value that overflows float32 is a bad value, not an infinity in disguise.
        matrix = np.asarray(rows, dtype=np.float64)
    except (ValueError, TypeError, OverflowError):
        raise _bad(server, "gave vectors with values that are not numbers") from None
    with np.errstate(over="ignore", invalid="ignore"):
        lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    if matrix.ndim != 2 or not np.isfinite(lengths).all():
        raise _bad(server, "gave vectors with values that are not finite")
    if not (lengths > 0).all():
        raise _bad(server, "gave a vector of zeros")
    unit: Vector = (matrix / lengths).astype(np.float32)
    return unit


def _bad(server: str, what: str) -> BadAnswer:
    return BadAnswer(
        f"the embedder at {server} {what}; check its model, or use the bundled embedder", raw=""
    )
