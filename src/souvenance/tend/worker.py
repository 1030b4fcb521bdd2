"""The two loops behind the turns: reflections when a pause comes, and the index every few seconds.

The only file of this folder with I/O. A turn has the right of way: it cancels a reflection that asks a model.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TypeVar

import numpy as np

from souvenance.domain import Address, ThreadId, View, is_off
from souvenance.errors import BadAnswer, ModelError, SouvenanceError, StoreError
from souvenance.log import logger
from souvenance.naming import Called
from souvenance.ports import Clock, Embedder, Run, Store, Vector, WindowRow, for_messages
from souvenance.tend.index import Dimension, Indexed, Progress, rows
from souvenance.tend.windows import Waiting, waiting, window_rows, without_identifiers
from souvenance.write.remember import Batch, Outcome, Remember

T = TypeVar("T")

#: Seconds to wait before trying a failed reflection again, by attempt; the last one repeats. Chosen, not measured.
_BACKOFF_S = (5, 30, 120, 600, 3600)

#: Exchanges further apart are reflected on separately: "tomorrow" means another day. Chosen, not measured.
_TOGETHER = timedelta(hours=1)

#: Seconds before a job is looked at again while memory is off for its person. Chosen, not measured.
_OFF_S = 60.0

#: Seconds between two looks at the queue when nothing woke the worker. Chosen, not measured.
_POLL_S = 5.0

#: Seconds for one batch of the index, whose embedder may be remote. Chosen, not measured.
_EMBED_S = 60.0

#: Seconds more for an embedder that does not keep its deadline, before it is given up. Chosen, not measured.
_EMBED_MORE_S = 5.0

#: Vectors deleted in one transaction, which writers of replies wait for. Chosen, not measured.
_DROPPED_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Pace:
    """How the worker paces itself; see the settings of the same names. Seconds, and counts.

    `windows` says whether messages are embedded too.
    """

    idle_s: float = 2.0
    batch: int = 6
    attempts: int = 5
    lease_s: float = 60.0
    index_every_s: float = 45.0
    index_batch: int = 64
    windows: bool = True


class Worker:
    """Runs reflections and the index of one process."""

    def __init__(
        self,
        *,
        store: Store,
        read: Run,
        write: Run,
        clock: Clock,
        embedder: Embedder | None,
        remember: Remember,
        find_view: Callable[[Address, ThreadId], Awaitable[View]],
        on_stored: Callable[[View], Awaitable[None]],
        find_called: Callable[[Address], Awaitable[Called]],
        owner: str,
        pace: Pace,
    ) -> None:
        self._store, self._read, self._write = store, read, write
        self._clock, self._embedder, self._remember = clock, embedder, remember
        self._find_view, self._on_stored = find_view, on_stored
        self._find_called = find_called
        self._called: dict[Address, Called] = {}  # while one index run lasts
        self._owner, self._pace = owner, pace
        self._log = logger("souvenance.worker")
        self._woken = asyncio.Event()
        self._index_now = asyncio.Event()
        self._turns = 0
        self._quiet_from = 0.0
        self._reflecting: asyncio.Task[bool] | None = None
        self._one_at_a_time = asyncio.Lock()
        self._batch_done = asyncio.Condition()
        self._loops: list[asyncio.Task[None]] = []
        self._waiting: Waiting | None = None
        self.index_error: ModelError | None = None
        self._dimension = Dimension()
        self._of_messages = for_messages(embedder)
        same = self._of_messages is embedder
        self._window_dimension = self._dimension if same else Dimension()
        self._is_doubted = False

    # --- life ---------------------------------------------------------------------------------

    def start(self) -> None:
        """Starts both loops in the running event loop."""
        self._loops = [
            asyncio.create_task(self._reflect_loop()),
            asyncio.create_task(self._index_loop()),
        ]

    async def stop(self) -> None:
        """Stops both loops; a reflection under way goes back to the queue."""
        for task in self._loops:
            task.cancel()
        await asyncio.gather(*self._loops, return_exceptions=True)
        self._loops = []

    def wake(self) -> None:
        """Says that there may be work."""
        self._woken.set()

    # --- turns have the right of way ----------------------------------------------------------

    def turn_begins(self) -> None:
        """A person waits: a reflection that asks a model gives way at once."""
        self._turns += 1
        if self._reflecting and self._remember.uses_model:
            self._reflecting.cancel()

    def turn_ends(self) -> None:
        """The reply is there: reflection may start after a pause."""
        self._turns -= 1
        self._quiet_from = asyncio.get_running_loop().time()
        self.wake()

    def _pause_left(self) -> float:
        """Seconds until the pause is long enough; 0 without a model, which costs nobody anything."""
        if not self._remember.uses_model:
            return 0.0
        if self._turns:
            return _POLL_S
        return max(0.0, self._quiet_from + self._pace.idle_s - asyncio.get_running_loop().time())

    # --- reflections --------------------------------------------------------------------------

    async def drain(self, timeout_s: float) -> int:
        """Reflects on what is due without waiting for a pause; returns how many jobs are left."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                while await self._step():
                    pass
        return len(await self._read(self._store.jobs.unfinished))

    async def next_batch(self, timeout_s: float) -> None:
        """Returns when this process finished a batch, or after `timeout_s` seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s), self._batch_done:
                await self._batch_done.wait()

    async def _reflect_loop(self) -> None:
        while True:
            self._woken.clear()
            left = self._pause_left()
            if left == 0 and await self._step():
                continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left or _POLL_S):
                    await self._woken.wait()

    async def _step(self) -> bool:
        """Does one batch; False when none is due. One at a time in this process, cancellable by a turn."""
        async with self._one_at_a_time:
            self._reflecting = task = asyncio.create_task(self._one_batch())
            try:
                return await asyncio.shield(task)
            except asyncio.CancelledError:
                if asyncio.current_task().cancelling():  # type: ignore[union-attr]  # we run in a task
                    task.cancel()
                    await asyncio.gather(task, return_exceptions=True)
                    raise
                return False  # a turn took the right of way
            finally:
                self._reflecting = None
                async with self._batch_done:
                    self._batch_done.notify_all()

    async def _one_batch(self) -> bool:
        """Does one batch. The border of background jobs: whatever fails is logged, and its job stays queued."""
        try:
            batch = await self._claimed()
            if batch is None:
                return False
            if await self._is_off(batch):
                await self._give_back(batch, _OFF_S, count_attempt=False)
            else:
                await self._reflect(batch)
            return True
        except Exception as error:  # noqa: BLE001  (the replies are out; the next look tries again)
            self._log.warning("worker_stumbled", kind=type(error).__name__)
            return False

    async def _claimed(self) -> Batch | None:
        """A claim that a turn cannot cut in two: what was leased is given back when one begins."""
        claiming = asyncio.create_task(self._claim())
        try:
            return await asyncio.shield(claiming)
        except asyncio.CancelledError:
            if (batch := await claiming) is not None:
                await self._give_back(batch, 0.0, count_attempt=False)
            raise

    async def _reflect(self, batch: Batch) -> None:
        beat = asyncio.create_task(self._heartbeat(batch))
        first = batch.jobs[0].job_id
        try:
            outcome = await self._remember.reflect(batch)
        except asyncio.CancelledError:
            await asyncio.shield(self._give_back(batch, 0.0, count_attempt=False))
            raise
        except Exception as error:  # noqa: BLE001  (counted as an attempt; the inbox after the last)
            await self._failed(batch, error)
        else:
            self._log.info("reflected", job=first, state=outcome.state, stored=outcome.stored)
            await self._after(batch, outcome)
        finally:
            beat.cancel()

    async def _claim(self) -> Batch | None:
        now = self._clock.now()
        claim = self._store.jobs.claim
        first = await self._write(claim, self._owner, now, self._pace.lease_s)
        if first is None:
            return None
        jobs = [first]
        while self._remember.uses_model and len(jobs) < self._pace.batch:
            following = await self._write(
                self._store.jobs.claim_next, jobs[-1], self._owner, now, self._pace.lease_s
            )
            if following is None:
                break
            if following.created_at - first.created_at > _TOGETHER:
                await self._write(
                    self._store.jobs.release,
                    following.job_id,
                    self._owner,
                    now,
                    count_attempt=False,
                )
                break
            jobs.append(following)
        return Batch(tuple(jobs), self._owner, await self._find_view(first.address, first.thread))

    async def _is_off(self, batch: Batch) -> bool:
        address = batch.view.address
        switches = await self._read(
            self._store.conversations.switches, address.space, address.person
        )
        return is_off(switches, address, batch.jobs[0].thread)

    async def _heartbeat(self, batch: Batch) -> None:
        while True:
            await asyncio.sleep(self._pace.lease_s / 3)
            for job in batch.jobs:
                await self._write(
                    self._store.jobs.heartbeat,
                    job.job_id,
                    self._owner,
                    self._clock.now(),
                    self._pace.lease_s,
                )

    async def _give_back(self, batch: Batch, delay_s: float, *, count_attempt: bool) -> None:
        not_before = self._clock.now() + timedelta(seconds=delay_s)
        for job in batch.jobs:
            await self._write(
                self._store.jobs.release,
                job.job_id,
                self._owner,
                not_before,
                count_attempt=count_attempt,
            )

    async def _failed(self, batch: Batch, error: Exception) -> None:
        attempts = max(job.attempts for job in batch.jobs)
        known = isinstance(error, SouvenanceError)
        reason = str(error) if known else f"{type(error).__name__} in reflection"
        self._log.warning(
            "reflection_failed",
            job=batch.jobs[0].job_id,
            attempts=attempts,
            kind=type(error).__name__,
        )
        try:
            if attempts >= self._pace.attempts:
                await self._remember.park(batch, reason)
            else:
                delay = _BACKOFF_S[min(attempts, len(_BACKOFF_S)) - 1]
                await self._give_back(batch, delay, count_attempt=True)
        except StoreError as trouble:  # the lease runs out and the job is tried again
            self._log.warning("queue_unavailable", kind=type(trouble).__name__)

    async def _after(self, batch: Batch, outcome: Outcome) -> None:
        if outcome.state == "stored":
            self._index_now.set()
            await self._on_stored(batch.view)

    # --- index --------------------------------------------------------------------------------

    async def _index_loop(self) -> None:
        while True:
            self._index_now.clear()
            self._called.clear()
            left = False
            try:
                left = (await self.index_once()).left
            except Exception as error:  # noqa: BLE001  (the job border: turns go on with words alone)
                self._log.warning("index_failed", kind=type(error).__name__)
            if left:
                continue
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._pace.index_every_s):
                    await self._index_now.wait()

    async def index_once(self) -> Indexed:
        """Embeds one batch of what has no vector yet, memories first. Errors: `ModelError`, `StoreError`."""
        if self._embedder is None:
            return Indexed(0, left=False)
        name = self._embedder.name
        made = await self._index_memories(name)
        if made.left or not self._pace.windows:
            return made
        windows = await self._index_windows(self._pace.index_batch - made.done)
        return Indexed(made.done + windows.done, windows.left)

    async def _index_memories(self, name: str) -> Indexed:
        size = self._pace.index_batch
        missing = await self._read(self._store.vectors.missing, name, size)
        if not missing and not self._is_doubted:
            return Indexed(0, left=False)
        texts = [(await self._call(at)).spoken(m) for at, m in missing] or ["."]
        vectors = await self._embedded(self._embedder, texts)
        made = self._checked(partial(rows, missing, vectors if missing else vectors[:0]))
        if await self._is_another_model(name, vectors.shape[1], self._dimension):
            return Indexed(0, left=True)
        self._is_doubted = False
        await self._write(self._store.vectors.put, name, made)
        return Indexed(len(made), left=len(missing) == size)

    async def _index_windows(self, size: int) -> Indexed:
        """Embeds the next windows of the thread used last that has any; never of a conversation that is off."""
        assert self._of_messages is not None
        store, name = self._store.windows, self._of_messages.name
        due = next(iter(await self._read(store.due, name, 1)), None)
        if due is None:
            self._waiting = None
            return Indexed(0, left=False)
        if self._waiting is None or self._waiting.due != due:
            self._waiting = await self._read(waiting, self._store, due, name)
        batch, rest = self._waiting.split(size)
        clean = await self._read(without_identifiers, batch)
        made: list[WindowRow] = []
        if clean:
            vectors = await self._embedded(self._of_messages, [window.text for window in clean])
            if await self._is_another_model(name, vectors.shape[1], self._window_dimension):
                return Indexed(0, left=True)
            made = self._checked(partial(window_rows, due, clean, vectors))
        done = None if rest.windows else due.thread.head
        kept = await self._write(store.put, name, due, made, done)
        self._waiting = rest if kept and rest.windows else None
        return Indexed(len(made) if kept else 0, left=True)

    async def _embedded(self, embedder: Embedder | None, texts: list[str]) -> Vector:
        """The vectors of an embedder that may be anybody's; `index_error` says why there are none.

        Errors: `ModelError`.
        """
        assert embedder is not None
        try:
            # Longer than it is told to take: an embedder that keeps its deadline says better what was late.
            async with asyncio.timeout(_EMBED_S + _EMBED_MORE_S):
                answer = await embedder.embed(texts, timeout_s=_EMBED_S)
            return np.asarray(answer, np.float32)
        except ModelError as error:
            self.index_error = error
            raise
        except Exception as error:
            self.index_error = BadAnswer(
                f"The embedder {embedder.name} failed ({type(error).__name__}) and keeps no promise of the port.",
                raw="",
            )
            raise self.index_error from error

    def _checked(self, make: Callable[[], list[T]]) -> list[T]:
        """The rows of an answer; `index_error` says whether it could be used."""
        try:
            made = make()
        except ModelError as error:
            self.index_error = error
            raise
        self.index_error = None
        return made

    async def _call(self, address: Address) -> Called:
        if address not in self._called:
            self._called[address] = await self._find_called(address)
        return self._called[address]

    def doubt_dimension(self) -> None:
        """A turn was given a vector of another dimension than the stored ones: the index looks who is right."""
        self._is_doubted = True
        if self._dimension.others == 0:
            self._index_now.set()

    async def progress(self) -> Progress | None:
        """How far the index is; None without an embedder. Errors: `StoreError`."""
        if self._embedder is None:
            return None
        name = self._embedder.name
        return Progress(name, *await self._read(self._store.vectors.progress, name))

    async def _is_another_model(self, name: str, given: int, known: Dimension) -> bool:
        """Whether the vectors of this name were dropped just now, because another model answers to it."""
        if known.stored != given:
            held = [h for h in await self._read(self._store.vectors.held) if h.embedder == name]
            known.stored = max(held, key=lambda h: h.rows).dimension if held else None
        if not known.changed(given):
            return False
        self._log.warning("embedder_changed", dimension=given)
        for drop in (self._store.vectors.drop, self._store.windows.drop):
            while await self._write(drop, name, _DROPPED_AT_ONCE):
                pass
        return True
