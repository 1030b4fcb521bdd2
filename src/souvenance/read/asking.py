"""Asks the embedder for the vector of a message under one outer deadline, behind a breaker.

A turn gets a vector or the reason why there is none; it never gets an exception and never waits longer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal

import numpy as np

from souvenance.errors import ModelError
from souvenance.log import logger
from souvenance.ports import UNDETERMINED, Embedder, Vector
from souvenance.read.breaker import Breaker

_log = logger(__name__)

#: Seconds that closing waits for tasks to take note of their cancellation. Chosen, not measured.
CLOSING_S = 1.0

Absence = Literal["absent", "late", "unreachable", "unusable", "dimension", "open"]


class EmbeddingDesk:
    """One embedder, its breaker, and the probe that runs beside the turns while the breaker is open."""

    def __init__(
        self, embedder: Embedder | None, *, deadline_s: float, monotonic: Callable[[], float]
    ) -> None:
        self.embedder, self._deadline_s, self._monotonic = embedder, deadline_s, monotonic
        self.breaker = Breaker()
        self.dimension: int | None = None  # that of the stored vectors, once one was seen
        self._probe: asyncio.Task[None] | None = None
        self._left_behind: set[asyncio.Task[Vector | Absence]] = set()

    async def vector(self, text: str, language: str | None = None) -> Vector | Absence:
        """The unit vector of a message, shape (dim,), or why there is none; at most one attempt.

        `language` is the character's; None (nobody knows it before the store is read) asks for `UNDETERMINED`.
        """
        if self.embedder is None:
            return "absent"
        if self.breaker.is_open:
            if self.breaker.may_probe(self._monotonic()):
                self._probe = asyncio.create_task(
                    self._probing(self.embedder, text), name="souvenance-probe"
                )
            return "open"
        return await self._asked(self.embedder, text, language or UNDETERMINED)

    def count(self, answer: Vector | Absence) -> Vector | Absence:
        """The answer as a turn may use it, after the breaker has taken note; not to be called for one not awaited."""
        if not isinstance(answer, str) and self.dimension not in (None, len(answer)):
            answer = "dimension"
        if not isinstance(answer, str):
            self.breaker.succeeded()
        elif answer not in ("absent", "open"):
            self.breaker.failed(self._monotonic())
        return answer

    async def close(self) -> None:
        """Ends the probe and whatever a deadline left behind."""
        tasks = [t for t in (self._probe, *self._left_behind) if t is not None and not t.done()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=CLOSING_S)

    async def _probing(self, embedder: Embedder, text: str) -> None:
        answer: Vector | Absence = "late"
        try:
            answer = await self._asked(embedder, text)
        finally:
            self.count(answer)

    async def _asked(
        self, embedder: Embedder, text: str, language: str = UNDETERMINED
    ) -> Vector | Absence:
        """Does not wait for a task that ignores its cancellation, which `asyncio.timeout` would."""
        task = asyncio.create_task(self._attempt(embedder, text, language), name="souvenance-embed")
        self._left_behind.add(task)
        task.add_done_callback(self._left_behind.discard)
        try:
            await asyncio.wait({task}, timeout=self._deadline_s)
        finally:
            if not task.done():
                task.cancel()
        return task.result() if task.done() and not task.cancelled() else "late"

    async def _attempt(self, embedder: Embedder, text: str, language: str) -> Vector | Absence:
        try:
            answer = await embedder.embed([text], timeout_s=self._deadline_s, query_in=language)
        except (ModelError, TimeoutError, OSError):
            return "unreachable"
        except Exception as error:  # noqa: BLE001 - border of the turn: the person still gets words and stages
            _log.warning("embedder_broken", error=type(error).__name__)
            return "unusable"
        return usable(answer)


def usable(answer: object) -> Vector | Absence:
    """The first row as a unit vector when it is one finite, non-zero row of figures."""
    try:
        rows = np.asarray(answer, dtype=np.float32)
    except (TypeError, ValueError):
        return "unusable"
    if rows.ndim != 2 or len(rows) != 1 or not rows.size or not np.isfinite(rows).all():
        return "unusable"
    length = float(np.linalg.norm(rows[0]))
    if length == 0 or not np.isfinite(length):
        return "unusable"
    unit: Vector = rows[0] / np.float32(length)
    return unit
