"""How late an event loop runs what is due: a task that sleeps a millisecond at a time and notes what it took."""

from __future__ import annotations

import asyncio
import time
from types import TracebackType
from typing import Self

import numpy as np

#: Seconds of each sleep.
_STEP_S = 0.001


class LagProbe:
    """Measures while the block runs; milliseconds beyond the sleep itself."""

    def __init__(self) -> None:
        self.late_ms: list[float] = []

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._watch())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await asyncio.sleep(0.01)  # what was held back is seen too
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    @property
    def p99_ms(self) -> float:
        """The 99th percentile."""
        return float(np.percentile(self.late_ms, 99)) if self.late_ms else 0.0

    @property
    def max_ms(self) -> float:
        """The longest."""
        return max(self.late_ms, default=0.0)

    async def _watch(self) -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(_STEP_S)
            self.late_ms.append(1000 * (time.perf_counter() - began - _STEP_S))
