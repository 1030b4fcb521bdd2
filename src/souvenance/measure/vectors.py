"""Embeds the texts of a measurement, each once, and says how far it is: a slow embedder takes minutes."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from souvenance.ports import Embedder, Vector

#: Texts embedded at once and the seconds one batch may take: a bench waits, a turn would not. A text took the slowest
#: embedder 0.16 s on two busy cores (2026-11-30); chosen with room for a machine ten times as busy.
BATCH = 32
BATCH_S = 600.0

#: Called after each batch with how many texts it embedded, and first with 0 and how many there are.
Progress = Callable[[int, int], None]


def quiet(done: int, total: int) -> None:
    """Says nothing."""


async def embedded(
    texts: Iterable[str],
    embedder: Embedder,
    query_in: str | None = None,
    progress: Progress = quiet,
) -> dict[str, Vector]:
    """The vector of each text, as one to be stored, or as a query in a language. Errors: `ModelError`."""
    wanted = list(dict.fromkeys(texts))
    vectors: dict[str, Vector] = {}
    progress(0, len(wanted))
    for start in range(0, len(wanted), BATCH):
        some = wanted[start : start + BATCH]
        rows = await embedder.embed(some, timeout_s=BATCH_S, query_in=query_in)
        vectors.update(zip(some, rows, strict=True))
        progress(len(some), len(wanted))
    return vectors
