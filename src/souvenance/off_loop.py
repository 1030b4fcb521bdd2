"""Blocking calls, run off the event loop: readers side by side, writers one after the other, and work without I/O.

Pools of their own, so that a read in a turn never waits behind a write that waits for another process, nor behind a
long reading that no turn waits for, and what only computes never waits behind a disk.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from souvenance.errors import StoreBusy, StoreError

P = ParamSpec("P")
T = TypeVar("T")

#: Writes that may wait at once. Chosen, not measured: past it the caller is told instead of piling up.
MAX_WAITING = 512

#: Threads for work without I/O: they share one interpreter lock. Chosen, not measured.
THINKERS = 2


class OffLoop:
    """The threads of one engine."""

    def __init__(self, readers: int = 4) -> None:
        self._readers = ThreadPoolExecutor(readers, thread_name_prefix="souvenance-read")
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="souvenance-write")
        self._thinkers = ThreadPoolExecutor(THINKERS, thread_name_prefix="souvenance-think")
        self._aside = ThreadPoolExecutor(1, thread_name_prefix="souvenance-aside")
        self.waiting = 0
        self._closed = False

    async def read(self, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """What the call returns, from a reader thread."""
        self._require_open()
        return await asyncio.get_running_loop().run_in_executor(
            self._readers, partial(call, *args, **kwargs)
        )

    async def think(self, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """What a call that touches neither store nor network returns, from a thread that nothing else holds."""
        self._require_open()
        return await asyncio.get_running_loop().run_in_executor(
            self._thinkers, partial(call, *args, **kwargs)
        )

    async def aside(self, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """What the call returns, from the thread of long readings, one after the other."""
        self._require_open()
        return await asyncio.get_running_loop().run_in_executor(
            self._aside, partial(call, *args, **kwargs)
        )

    async def write(self, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """What the call returns, from the one writer thread, in order.

        A cancelled caller does not undo it: the transaction ends whole. Errors: `StoreBusy` when too many wait.
        """
        self._require_open()
        if self.waiting >= MAX_WAITING:
            raise StoreBusy(
                f"{self.waiting} writes are waiting for the database; try again in a moment."
            )
        self.waiting += 1
        future = asyncio.get_running_loop().run_in_executor(
            self._writer, partial(call, *args, **kwargs)
        )
        future.add_done_callback(self._written)
        return await asyncio.shield(future)

    def _written(self, future: asyncio.Future[T]) -> None:
        self.waiting -= 1
        if not future.cancelled():
            future.exception()  # seen here too, for a caller that was cancelled meanwhile

    def _require_open(self) -> None:
        if self._closed:
            raise StoreError("This engine is closed; open it again.")

    def close(self) -> None:
        """Lets what is under way end, and stops the threads."""
        self._closed = True
        self._thinkers.shutdown(wait=True, cancel_futures=True)
        self._aside.shutdown(wait=True, cancel_futures=True)
        self._readers.shutdown(wait=True, cancel_futures=True)
        self._writer.shutdown(wait=True)
