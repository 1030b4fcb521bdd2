"""The async engine driven from a plain function, so that the main thread can wait for the keyboard meanwhile."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from souvenance.errors import ModelError

if TYPE_CHECKING:
    from souvenance.engine import Engine
    from souvenance.ports import Store
    from souvenance.settings import Settings

T = TypeVar("T")

#: Seconds that an interrupted coroutine has to let go. Chosen, not measured.
_LET_GO_S = 5.0


class Driven:
    """An engine in an event loop of its own; `wait` runs one of its coroutines to the end."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._started: list[Future[Any]] = []
        self.engine: Engine

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """What the coroutine returns; Ctrl-C cancels it, waits for it to let go, and is raised again."""
        over = threading.Event()

        async def to_the_end() -> T:
            try:
                return await work
            finally:
                over.set()

        future = asyncio.run_coroutine_threadsafe(to_the_end(), self._loop)
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            over.wait(_LET_GO_S)
            raise

    def start(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """The coroutine under way, cancelled at the latest when the engine closes."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        self._started.append(future)
        return future

    def stop_started(self) -> None:
        """Cancels what `start` began and is not over."""
        for future in self._started:
            future.cancel()

    def prepare(self, timeout_s: float) -> None:
        """Waits for a cold embedder and for the index to catch up; what is late or broken is left to the turn."""

        async def catch_up() -> None:
            async with asyncio.timeout(timeout_s):
                if await self.engine.ready(timeout_s):  # the embedder loads before a turn is timed
                    while (await self.engine.index_once()).left:
                        pass

        with suppress(TimeoutError, ModelError):
            self.wait(catch_up())

    def each(self, pieces: AsyncIterator[T]) -> Iterator[T]:
        """The pieces of an async iterator as they come; leaving early closes it."""

        async def following() -> tuple[T] | None:
            async for piece in pieces:
                return (piece,)
            return None

        try:
            while (piece := self.wait(following())) is not None:
                yield piece[0]
        finally:
            close = getattr(pieces, "aclose", None)
            if close is not None:
                with suppress(RuntimeError):  # it has not let go yet: it ends with the loop
                    self.wait(close())


@contextmanager
def driven(settings: Settings, store: Store | None = None) -> Iterator[Driven]:
    """An open engine, over the database of the settings unless a store is given.

    At the end it is closed, and what is not reflected yet waits for the next start.
    """
    import souvenance

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="souvenance-cli", daemon=True)
    thread.start()
    running = Driven(loop)
    opening = souvenance.open(settings.database, settings=settings, store=store)
    try:
        running.engine = running.wait(opening.__aenter__())
        try:
            yield running
        finally:
            running.stop_started()
            running.wait(opening.__aexit__(None, None, None))
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
