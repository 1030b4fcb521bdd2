"""Keeps what was said until the store has it, so that a reply never waits for another program's write.

A bounded number of exchanges may wait at once; each stays visible as pending and is tried again until it is stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from souvenance.errors import StoreBusy
from souvenance.log import logger

T = TypeVar("T")

_log = logger(__name__)

#: Exchanges of one engine that may wait for the store at once. Chosen, not measured: past it the next one is refused
#: aloud, because memory without a bound would end with all of them lost.
MOST_PENDING = 256

#: Seconds between two tries at a database that another program holds. Chosen, not measured.
_AGAIN_S = 0.2

#: Seconds after which one exchange is given up. Chosen, not measured: no program of ours holds the lock for minutes.
_PATIENCE_S = 900.0

#: Seconds that closing an engine waits for what is pending. Chosen, not measured.
CLOSING_S = 30.0


class Keeping:
    """The exchanges of one engine that are on their way into the store."""

    def __init__(self, most: int = MOST_PENDING) -> None:
        self._most = most
        self._tasks: set[asyncio.Task[object]] = set()

    @property
    def pending(self) -> int:
        """Exchanges that are not stored yet."""
        return len(self._tasks)

    def begin(self, store: Callable[[], Coroutine[Any, Any, T]]) -> asyncio.Task[T]:
        """The storing of one exchange, under way; who waits for it may leave. Errors: `StoreBusy` when too many wait."""
        if len(self._tasks) >= self._most:
            raise StoreBusy(
                f"{len(self._tasks)} exchanges are waiting for the database, which another program holds; "
                "this one is not kept: say it again in a moment."
            )
        task = asyncio.create_task(store(), name="souvenance-keep")
        self._tasks.add(task)
        task.add_done_callback(self._over)
        return task

    async def close(self, timeout_s: float = CLOSING_S) -> int:
        """Waits for what is pending; returns how many exchanges had to be given up."""
        left = set(self._tasks)
        if left:
            _, left = await asyncio.wait(left, timeout=timeout_s)
        for task in left:
            task.cancel()
        if left:
            await asyncio.gather(*left, return_exceptions=True)
            _log.warning("exchanges_not_stored", count=len(left))
        return len(left)

    def _over(self, task: asyncio.Task[object]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # seen here too, for a caller that left meanwhile


async def until_free(store: Callable[[], Awaitable[T]]) -> T:
    """What `store` returns once the database is free. Errors: those of `store`; `StoreBusy` after a long time."""
    loop = asyncio.get_running_loop()
    until = loop.time() + _PATIENCE_S
    while True:
        try:
            return await store()
        except StoreBusy:
            if loop.time() > until:
                raise
        await asyncio.sleep(_AGAIN_S)
