"""Finds what was said earlier for a turn, beside the memories and never instead of them.

It is absent rather than late: whatever happens here, the turn is served as it would be without it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from souvenance.domain import Memory, View
from souvenance.log import logger
from souvenance.ports import Blended, Embedder, Run, Store, for_messages
from souvenance.read.cache import CacheBusy
from souvenance.read.calibrations import Calibration, calibration_of
from souvenance.read.reminding import Ask, Wanted, reminders, searched
from souvenance.read.transcripts import Talked, TranscriptCache, whole
from souvenance.read.verbatim import Found

_log = logger(__name__)

#: Seconds that a turn whose memories are chosen waits for the transcript, within its deadline: only the first turn
#: of a long conversation in a process is ever that late. Chosen, not measured.
GRACE_S = 0.25

#: Messages from which searching leaves the event loop. Chosen like that of memories: about a millisecond of work.
OFF_LOOP_FROM = 1_000


class SaidDesk:
    """What was said, for one store and one embedder or none."""

    def __init__(self, store: Store, embedder: Embedder | None, *, run: Run, think: Run) -> None:
        """`run` reads the store, for as long as it takes; `think` computes."""
        messages = for_messages(embedder)
        self._cache = TranscriptCache(store, messages.name if messages is not None else None)
        self._messages = messages
        self._embedder = embedder
        self._run, self._think = run, think
        self._under_way: dict[tuple[View, str], asyncio.Task[Talked]] = {}

    def begin(self, view: View, code: str) -> asyncio.Task[Talked]:
        """Starts to bring the transcript of a view up to date; one that is under way serves for this turn too."""
        key = (whole(view), code)
        if key not in self._under_way:
            reading = asyncio.create_task(self.fresh(view, code), name="souvenance-said")
            self._under_way[key] = reading
            reading.add_done_callback(partial(self._ended, key))
        return self._under_way[key]

    async def fresh(self, view: View, code: str, wait_s: float = 60.0) -> Talked:
        """The transcript of a view, however long it takes. Errors: `StoreError`, `CacheBusy`."""
        return await self._run(self._cache.fresh, view, code, wait_s)

    async def found(
        self,
        reading: asyncio.Task[Talked],
        ask: Ask,
        wanted: Wanted,
        memories: Iterable[Memory],
        left_s: float,
    ) -> tuple[Found, ...]:
        """The messages worth a place beside these memories, best first; empty when they are late or unreadable."""
        try:
            async with asyncio.timeout(max(0.0, min(GRACE_S, left_s))):
                await asyncio.wait({reading})
                talked = reading.result()
                asked = self._of_messages(ask)
                read = self._calibration(ask.code)
                work = partial(reminders, talked, asked, wanted, list(memories), read)
                if len(talked.transcript.lines) < OFF_LOOP_FROM:
                    return work()
                found: tuple[Found, ...] = await self._think(work)
                return found
        except (TimeoutError, CacheBusy):
            return ()
        except Exception as error:  # noqa: BLE001 - border of the turn: the person still gets the memories
            _log.warning("messages_unreadable", error=type(error).__name__)
            return ()

    async def search(self, view: View, ask: Ask, limit: int) -> tuple[Found, ...]:
        """The messages that a query finds, best first, but those behind what was forgotten. Errors: `StoreError`."""
        talked = await self.fresh(view, ask.code)
        return await self._think(
            searched, talked, self._of_messages(ask), limit, self._calibration(ask.code)
        )

    def _calibration(self, code: str) -> Calibration:
        """How the cosines of the messages are read in a language; of no use without an embedder."""
        if self._messages is None:
            return Calibration(1.0)
        return calibration_of(self._messages.name, code, self._messages.threshold)

    def _of_messages(self, ask: Ask) -> Ask:
        """The query with the vector that messages are compared with."""
        if ask.vector is None or not isinstance(self._embedder, Blended):
            return ask
        return replace(ask, vector=self._embedder.light_part(ask.vector))

    def forget(self) -> None:
        """Drops every transcript."""
        self._cache.forget()

    async def close(self) -> None:
        """Ends what still runs in the background."""
        readings = list(self._under_way.values())
        for reading in readings:
            reading.cancel()
        await asyncio.gather(*readings, return_exceptions=True)

    def _ended(self, key: tuple[View, str], reading: asyncio.Task[Talked]) -> None:
        del self._under_way[key]
        if not reading.cancelled():
            reading.exception()  # seen here too, for a turn that did not wait for it
