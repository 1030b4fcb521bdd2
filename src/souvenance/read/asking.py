"""Asks the embedder for the vector of a message under one outer deadline, behind a breaker.

A turn gets a vector or the reason why there is none; it never gets an exception and never waits longer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal

import numpy as np

from souvenance.errors import BadAnswer, ModelError, ModelRefused
from souvenance.log import logger
from souvenance.ports import UNDETERMINED, Embedder, Vector
from souvenance.read.breaker import Breaker

_log = logger(__name__)

#: Seconds that closing waits for tasks to take note of their cancellation. Chosen, not measured.
CLOSING_S = 1.0

#: Seconds of a turn's deadline that are left to rank and render once the embedder is given up. Chosen: five times
#: what both take at 10,000 memories.
REST_S = 0.05

#: What a probe embeds: nobody's words, because it may be asked while nobody speaks.
PROBE = "."

Absence = Literal["absent", "late", "unreachable", "refused", "unusable", "dimension", "open"]


class EmbeddingDesk:
    """One embedder, its breaker, and the probes that find out, beside the turns, that it is back."""

    def __init__(
        self, embedder: Embedder | None, *, deadline_s: float, monotonic: Callable[[], float]
    ) -> None:
        self.embedder, self._monotonic = embedder, monotonic
        self._wait_s = deadline_s - min(REST_S, deadline_s / 10)
        self.breaker = Breaker()
        self.dimension: int | None = None  # that of the stored vectors, once one was seen
        self._probe: asyncio.Task[None] | None = None
        self._watch: asyncio.Task[None] | None = None
        self._left_behind: set[asyncio.Task[Vector | Absence]] = set()

    async def vector(self, text: str, language: str | None = None) -> Vector | Absence:
        """The unit vector of a message, shape (dim,), or why there is none; at most one attempt.

        `language` is the character's; None (nobody knows it before the store is read) asks for `UNDETERMINED`.
        """
        if self.embedder is None:
            return "absent"
        if self.breaker.is_open:
            self._begin_probe(self.embedder)  # due already after a sleep of the machine
            return "open"
        return await self._asked(self.embedder, text, language or UNDETERMINED)

    def count(self, answer: Vector | Absence) -> Vector | Absence:
        """The answer as a turn may use it, after the breaker has taken note; not to be called for one not awaited."""
        if not isinstance(answer, str) and self.dimension not in (None, len(answer)):
            answer = "dimension"
        if not isinstance(answer, str):
            self.breaker.succeeded()
        elif answer not in ("absent", "open"):
            self.breaker.failed(self._monotonic(), waited=answer == "late")
            if self.breaker.is_open and (self._watch is None or self._watch.done()):
                self._watch = asyncio.create_task(self._watching(), name="souvenance-watch")
        return answer

    async def close(self) -> None:
        """Ends the probes and whatever a deadline left behind."""
        every = (self._watch, self._probe, *self._left_behind)
        tasks = [t for t in every if t is not None and not t.done()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=CLOSING_S)

    async def _watching(self) -> None:
        """Probes after each pause until the embedder is back, so that the first turn after its return has it."""
        while self.embedder is not None and self.breaker.is_open:
            await asyncio.sleep(self.breaker.pause_s)
            self._begin_probe(self.embedder)
            if self._probe is not None:
                await asyncio.wait({self._probe})

    def _begin_probe(self, embedder: Embedder) -> None:
        if self.breaker.may_probe(self._monotonic()):
            self._probe = asyncio.create_task(self._probing(embedder), name="souvenance-probe")

    async def _probing(self, embedder: Embedder) -> None:
        answer: Vector | Absence = "late"
        try:
            answer = await self._asked(embedder, PROBE, UNDETERMINED)
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
            await asyncio.wait({task}, timeout=self._wait_s)
        finally:
            if not task.done():
                task.cancel()
        return task.result() if task.done() and not task.cancelled() else "late"

    async def _attempt(self, embedder: Embedder, text: str, language: str) -> Vector | Absence:
        try:
            # A little longer than we wait, so that who is late is always called late.
            answer = await embedder.embed(
                [text], timeout_s=self._wait_s + REST_S, query_in=language
            )
        except BadAnswer:
            return "unusable"
        except ModelRefused:
            return "refused"
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
