"""What embedders that compute in this process have in common: a thread of their own, small slices, queries first.

The event loop never waits for a model, and the query of a turn waits for one slice at most, however long the
queue of an indexing run is.
"""

from __future__ import annotations

import asyncio
import itertools
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

import numpy as np

from souvenance.errors import ModelUnreachable
from souvenance.models.embed.checks import MAX_CHARS, readable
from souvenance.ports import Vector

#: The vectors of some texts, in order and of any length above zero; True when they look for others.
Encode = Callable[[list[str], bool], Vector]


#: Seconds after which `warm()` loads. Chosen: longer than a command that only reads keeps an engine open (it would
#: wait for models that it never asks, 1.2 s of computing for all of them), short of the first message of a talk.
WARM_AFTER_S = 0.3


@dataclass(order=True, slots=True)
class _Slice:
    """One piece of work; queries come before indexing, then the first asked."""

    rank: int
    order: int
    texts: list[str] = field(compare=False)
    query: bool = field(compare=False)
    done: Future[Vector] = field(compare=False)


class LocalEmbedder:
    """An `Embedder` over a model in this process, loaded in its thread at the first use or by `warm()`."""

    name: str
    dim: int

    #: The cosine from which two texts count as related, unless another is given.
    threshold: float

    #: What pip installs to have the model, for who is told that it is broken.
    package: str

    #: Characters of a text that count.
    max_chars = MAX_CHARS

    #: Characters of a slice: what a query may have to wait for.
    slice_chars: int

    def __init__(self, *, threshold: float | None = None) -> None:
        if threshold is not None:
            self.threshold = threshold
        self._work: queue.PriorityQueue[_Slice] = queue.PriorityQueue()
        self._orders = itertools.count()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._warming: threading.Timer | None = None
        self._closed = False

    @classmethod
    def is_installed(cls) -> bool:
        """Whether the model is there and can run here; loads nothing."""
        return True

    def load(self) -> Encode:
        """The model as a function; called in the thread of this embedder, again after a failure."""
        raise NotImplementedError

    def warm(self) -> None:
        """Loads the model in a moment and returns at once, so that the first turn finds it ready.

        Nothing is loaded when it is closed before.
        """
        with self._starting:
            if self._closed or self._warming is not None:
                return
            self._warming = threading.Timer(WARM_AFTER_S, self._put, (["."],), {"query": False})
            self._warming.daemon = True
            self._warming.start()

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, query_in: str | None = None
    ) -> Vector:
        """Shape (len(texts), dim), rows of unit length, in order; each text counts up to `max_chars`.

        What is a query comes before what is to be stored.
        Errors: `ModelUnreachable` when it takes longer than `timeout_s`, when the model fails, or after `close()`.
        """
        ready = [readable(readable(t)[: self.max_chars]) for t in texts]
        query = query_in is not None
        waiting = [self._put(part, query=query) for part in slices(ready, self.slice_chars)]
        try:
            async with asyncio.timeout(timeout_s):
                rows = [await asyncio.wrap_future(done) for done in waiting]
        except TimeoutError:
            raise ModelUnreachable(
                f"the embedder {self.name} did not answer in time; the machine is busy, or raise the deadline"
            ) from None
        finally:
            for done in waiting:
                done.cancel()  # what has not begun is not computed for nobody
        return np.concatenate(rows) if rows else np.empty((0, self.dim), np.float32)

    async def close(self) -> None:
        """Stops the thread after the slice it is at; what waits fails with `ModelUnreachable`."""
        with self._starting:
            self._closed = True
            thread = self._thread
            if self._warming is not None:
                self._warming.cancel()
        if thread is not None:
            self._work.put(_Slice(-1, 0, [], False, Future()))
            await asyncio.to_thread(thread.join)

    def _put(self, texts: list[str], *, query: bool) -> Future[Vector]:
        done: Future[Vector] = Future()
        with self._starting:
            if self._closed:
                done.set_exception(self._closed_error())
                return done
            if self._thread is None:
                name = f"embedder-{self.name}"
                self._thread = threading.Thread(target=self._run, name=name, daemon=True)
                self._thread.start()
            self._work.put(_Slice(0 if query else 1, next(self._orders), texts, query, done))
        return done

    def _run(self) -> None:
        encode: Encode | None = None
        while True:
            job = self._work.get()
            if self._closed:
                break
            if not job.done.set_running_or_notify_cancel():
                continue
            try:
                encode = encode or self.load()
                rows = _unit(encode(job.texts, job.query), (len(job.texts), self.dim))
            except Exception as error:  # noqa: BLE001 - border of the thread: models raise what they like, and nobody may wait forever
                job.done.set_exception(self._failed(error))
            else:
                job.done.set_result(rows)
        while not self._work.empty():
            waiting = self._work.get()
            if waiting.done.set_running_or_notify_cancel():
                waiting.done.set_exception(self._closed_error())

    def _failed(self, error: Exception) -> ModelUnreachable:
        why = str(error) if isinstance(error, ModelUnreachable) else type(error).__name__
        return ModelUnreachable(
            f"the embedder {self.name} failed ({why}); reinstall {self.package}, or choose another embedder.kind"
        )

    def _closed_error(self) -> ModelUnreachable:
        return ModelUnreachable(f"the embedder {self.name} is closed; open the engine again")


def _unit(vectors: Vector, shape: tuple[int, int]) -> Vector:
    """The rows at unit length. Errors: `ValueError` when they are not of this shape, not finite, or zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if vectors.shape != shape or not np.isfinite(lengths).all() or not (lengths > 0).all():
        raise ValueError("vectors of another shape, or with values that are no figures")
    unit: Vector = (vectors / lengths).astype(np.float32, copy=False)
    return unit


def slices(texts: Sequence[str], chars: int) -> Iterator[list[str]]:
    """The texts in order, cut into lists of at most so many characters (a longer text alone)."""
    part: list[str] = []
    size = 0
    for text in texts:
        cost = max(len(text), 20)  # a short text costs as much as a few words do
        if part and size + cost > chars:
            yield part
            part, size = [], 0
        part.append(text)
        size += cost
    if part:
        yield part
