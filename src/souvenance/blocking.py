"""The same verbs without `async`: one thin façade that drives the async engine from a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from souvenance.again import Again
from souvenance.curate.hand import Hand
from souvenance.domain import Character, JournalEntry, Message, Thread, View
from souvenance.engine import Engine
from souvenance.errors import ModelError, StoreError
from souvenance.read.verbatim import Found
from souvenance.recording import Recorded, Said
from souvenance.tend.index import Indexed, Progress
from souvenance.turn import Context, Reply, Talk

T = TypeVar("T")


class _Loop:
    """An event loop in a daemon thread."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self.loop.run_forever, name="souvenance", daemon=True
        )
        self._thread.start()

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """What the coroutine returns; a Ctrl-C cancels it. Errors: `StoreError` once closed."""
        if self.loop.is_closed():
            work.close()
            raise StoreError("This engine is closed; open it again.")
        future: Future[T] = asyncio.run_coroutine_threadsafe(work, self.loop)
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            raise

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()


class BlockingEngine:
    """An `Engine` for scripts; the async one is `engine`."""

    def __init__(self, start: Callable[[], Coroutine[Any, Any, Engine]]) -> None:
        self._loop = _Loop()
        try:
            self.engine = self._loop.wait(start())
        except BaseException:
            self._loop.stop()
            raise

    def thread(
        self, person: str, character: str, thread: str = "main", **names: str | None
    ) -> BlockingTalk:
        """The conversation line of a person and a character."""
        return BlockingTalk(self._loop, self.engine.thread(person, character, thread, **names))

    def threads(self, person: str, character: str | None = None) -> list[Thread]:
        """The threads of a person, the last used first."""
        return self._loop.wait(self.engine.threads(person, character))

    def characters(self) -> list[Character]:
        """Every character by id."""
        return self._loop.wait(self.engine.characters())

    def put_character(self, character: Character) -> None:
        """Keeps a character as a row."""
        self._loop.wait(self.engine.put_character(character))

    def ready(self, timeout_s: float) -> bool:
        """Whether queries can be embedded; waits for the embedder to load."""
        return self._loop.wait(self.engine.ready(timeout_s))

    def index_once(self) -> Indexed:
        """Embeds one batch of what has no vector yet."""
        return self._loop.wait(self.engine.index_once())

    def index_progress(self) -> Progress | None:
        """How many memories have a vector, of how many."""
        return self._loop.wait(self.engine.index_progress())

    def drain(self, timeout_s: float) -> int:
        """Lets pending reflections finish; returns how many are left."""
        return self._loop.wait(self.engine.drain(timeout_s))

    @property
    def index_error(self) -> ModelError | None:
        """As `Engine.index_error`."""
        return self.engine.index_error

    @property
    def pending(self) -> int:
        """As `Engine.pending`."""
        return self.engine.pending

    def close(self) -> None:
        """Closes the engine and its thread."""
        if not self._loop.loop.is_closed():
            self._loop.wait(self.engine.close())
            self._loop.stop()


class BlockingTalk:
    """A `Talk` for scripts; the async one is `talk`."""

    def __init__(self, loop: _Loop, talk: Talk) -> None:
        self._loop, self.talk = loop, talk

    def context(self, message: str) -> Context:
        """As `Talk.context`."""
        return self._loop.wait(self.talk.context(message))

    def record(self, user: str, reply: str, **options: Any) -> Recorded:
        """As `Talk.record`."""
        return self._loop.wait(self.talk.record(user, reply, **options))

    def append(self, said: Sequence[Said]) -> Recorded:
        """As `Talk.append`."""
        return self._loop.wait(self.talk.append(said))

    def reflected(self, timeout_s: float) -> tuple[JournalEntry, ...]:
        """As `Talk.reflected`."""
        return self._loop.wait(self.talk.reflected(timeout_s))

    def history(self, limit: int = 50) -> list[Message]:
        """As `Talk.history`."""
        return self._loop.wait(self.talk.history(limit))

    def search_messages(self, query: str, limit: int = 10, **where: bool) -> tuple[Found, ...]:
        """As `Talk.search_messages`."""
        return self._loop.wait(self.talk.search_messages(query, limit, **where))

    def speakers(self) -> dict[str, str]:
        """As `Talk.speakers`."""
        return self._loop.wait(self.talk.speakers())

    def warm(self) -> None:
        """As `Talk.warm`."""
        self._loop.wait(self.talk.warm())

    def exists(self) -> bool:
        """As `Talk.exists`."""
        return self._loop.wait(self.talk.exists())

    def is_off(self) -> bool:
        """As `Talk.is_off`."""
        return self._loop.wait(self.talk.is_off())

    def view(self) -> View:
        """As `Talk.view`."""
        return self._loop.wait(self.talk.view())

    @property
    def last(self) -> Reply | None:
        """As `Talk.last`."""
        return self.talk.last

    def turn(self, message: str) -> Reply:
        """As `Talk.turn`."""
        return self._loop.wait(self.talk.turn(message))

    def stream(self, message: str) -> Iterator[str]:
        """As `Talk.stream`."""
        pieces = self.talk.stream(message)

        async def following() -> str | None:
            return await anext(pieces, None)

        while (piece := self._loop.wait(following())) is not None:
            yield piece

    def switch(self, *, off: bool, **where: Any) -> None:
        """As `Talk.switch`."""
        self._loop.wait(self.talk.switch(off=off, **where))

    @property
    def memories(self) -> Blocking:
        """The person's hand, without `async`."""
        return Blocking(self._loop, self.talk.memories)

    def again(self, **how: Any) -> Blocking:
        """As `Talk.again`, without `async`."""
        return Blocking(self._loop, self.talk.again(**how))


class Blocking:
    """A `Hand` or an `Again` for scripts: its methods, waited for, and its other attributes as they are."""

    def __init__(self, loop: _Loop, what: Hand | Again) -> None:
        self._loop, self._what = loop, what

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._what, name)
        if not callable(value):
            return value

        def waited(*args: Any, **options: Any) -> Any:
            async def call() -> Any:
                found = value(*args, **options)
                return Blocking(self._loop, found) if isinstance(found, Hand) else await found

            return self._loop.wait(call())

        return waited
