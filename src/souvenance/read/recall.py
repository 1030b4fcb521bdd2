"""Answers "what belongs in the context of this message?", the read path from message to slots.

The only file of the path that touches the store and the embedder. It never raises for either and never waits
past its deadline: what is late or broken makes a degraded turn, with its reason.
"""

from __future__ import annotations

import asyncio
import threading
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

from souvenance.domain import Memory, MemoryId, View
from souvenance.lang import language as read_language
from souvenance.lang.everyday import in_plain_words
from souvenance.log import logger
from souvenance.ports import Embedder, Run, Store, Vector
from souvenance.read.asking import Absence, EmbeddingDesk
from souvenance.read.cache import CACHED_VIEWS, CacheBusy, CorpusCache
from souvenance.read.calibrations import Calibration, calibration_of
from souvenance.read.corpus import Corpus
from souvenance.read.plan import COMPANION, Plan
from souvenance.read.reminding import Ask, Wanted
from souvenance.read.said import SaidDesk
from souvenance.read.sameness import Same, equal_words
from souvenance.read.scores import read_query, score
from souvenance.read.selection import Selection, select
from souvenance.read.verbatim import Cast, Found

_log = logger(__name__)

#: Seconds a turn waits for the store and the embedder together. A setting; chosen, not measured.
DEADLINE_S = 1.5

#: Characters of a message that are embedded and searched; what a person means stands at the start. Chosen.
MESSAGE_CHARS = 2_000

#: Memories from which scoring leaves the event loop. Measured 2026-11-30: about 1 ms of work at 1,000.
OFF_LOOP_FROM = 1_000

#: Seconds that scoring waits for a free worker before it runs in place. Chosen, not measured.
QUEUE_S = 0.2


@dataclass(frozen=True, slots=True)
class Timings:
    """Seconds of one recall. Store and embedding run side by side."""

    store_s: float
    embed_s: float
    score_s: float
    total_s: float


@dataclass(frozen=True, slots=True)
class Recalled:
    """What a turn is served. `reason` is a short code, None unless `degraded`:

    `absent` (no embedder), `late`, `unreachable`, `refused`, `unusable` (the embedder), `open` (its breaker),
    `dimension` (not that of the stored vectors), `store-late`, `store-failed` (nothing read: no slot at all).
    """

    selection: Selection
    rules: tuple[Memory, ...]
    degraded: bool
    reason: str | None
    timings: Timings
    said: tuple[Found, ...] = ()  # messages beside the memories, for what none of them tells

    @property
    def served(self) -> tuple[MemoryId, ...]:
        """The memories in slots, in order."""
        return self.selection.ids

    @property
    def retrieved(self) -> tuple[MemoryId, ...]:
        """Those of them that the message itself called, before any prior."""
        return tuple(s.memory.memory_id for s in self.selection.slots if s.retrieved)


class Recall:
    """The read path of one store and one embedder."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        *,
        plan: Plan = COMPANION,
        deadline_s: float = DEADLINE_S,
        run: Run = asyncio.to_thread,
        think: Run | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        cached_views: int = CACHED_VIEWS,
        run_aside: Run = asyncio.to_thread,
        same: Same = equal_words,
        calibration: Callable[[str], Calibration] | None = None,
    ) -> None:
        """`run_aside` runs what no turn waits for: a reading of what was said, which may be long.

        `calibration` replaces the embedder's own, by code of the language.
        """
        name = embedder.name if embedder is not None else None
        self._cache = CorpusCache(store, name, cached_views)
        self._said = SaidDesk(store, embedder, run=run_aside, think=think or run)
        self._desk = EmbeddingDesk(embedder, deadline_s=deadline_s, monotonic=monotonic)
        self._calibration = calibration or partial(_own, embedder)
        self._plan, self._run, self.deadline_s = plan, run, deadline_s
        self._think, self._same = think or run, same
        self._blas = ThreadpoolController()
        self._degraded: Counter[str] = Counter()

    @property
    def degraded_turns(self) -> Mapping[str, int]:
        """Turns served without scores of meaning or without memory since this began, by reason."""
        return dict(self._degraded)

    @property
    def breaker_state(self) -> str:
        """Whether turns ask the embedder: closed (yes), open (no) or half-open (no, a probe asks beside them)."""
        return self._desk.breaker.state

    async def recall(
        self,
        view: View,
        message: str,
        *,
        now: datetime,
        language: str | None = None,
        plan: Plan | None = None,
        wanted: Wanted | None = None,
    ) -> Recalled:
        """The slots for a message, within the deadline whatever the store and the embedder do.

        With `wanted`, messages said earlier too; they are left out when they would delay the slots.

        `now` is the person's own time: its day decides what is upcoming or over.
        `language` is the character's; None reads it from the stored character.
        """
        began = time.perf_counter()
        text = normalise(message)
        asked = asyncio.create_task(self._timed_vector(text, language))
        reading = self._said.begin(view, language) if wanted and language and text else None
        try:
            corpus, store_s = await self._corpus(view, language)
            answer, embed_s = await asked if isinstance(corpus, Corpus) else (None, 0.0)
        finally:
            asked.cancel()
        if not isinstance(corpus, Corpus):
            empty = Selection((), plan or self._plan)
            return self._counted(
                empty, corpus, Timings(store_s, embed_s, 0.0, time.perf_counter() - began)
            )
        vector, reason = self._judged(answer, corpus)
        scoring = time.perf_counter()
        selection = await self._selection(corpus, text, vector, plan or self._plan, now)
        end = time.perf_counter()
        served = self._counted(
            selection, reason, Timings(store_s, embed_s, end - scoring, end - began)
        )
        if reading is None or wanted is None or language is None:
            return served
        ask = Ask(view, text, vector, language, wanted.cast)
        told = [*selection.rules, *(slot.memory for slot in selection.slots)]
        left_s = self.deadline_s - (end - began)
        return replace(served, said=await self._said.found(reading, ask, wanted, told, left_s))

    async def search(
        self, view: View, query: str, *, language: str, limit: int, cast: Cast | None = None
    ) -> tuple[Found, ...]:
        """The messages that a query finds, best first; by words alone when the embedder does not answer.

        What a forgotten memory rests on is not found. Errors: `StoreError`.
        """
        text = normalise(query)
        if not text:
            return ()
        answer, _ = await self._timed_vector(text, language)
        judged = answer if answer is None else self._desk.count(answer)
        vector = None if isinstance(judged, str) else judged
        return await self._said.search(
            view, Ask(view, text, vector, language, cast or Cast()), limit
        )

    async def warm(self, view: View, language: str | None = None) -> None:
        """Brings the corpus of a view up to date outside a turn. Errors: `StoreError`."""
        await self._run(self._cache.fresh, view, language, 60.0)

    async def warm_said(self, view: View, language: str) -> None:
        """Brings the transcript of a view up to date outside a turn. Errors: `StoreError`."""
        await self._said.fresh(view, language)

    def drop_caches(self) -> None:
        """Forgets every corpus; the next turns read the store again."""
        self._cache.forget()
        self._said.forget()

    async def close(self) -> None:
        """Ends what still runs in the background."""
        await self._said.close()
        await self._desk.close()

    def _judged(
        self, answer: Vector | Absence | None, corpus: Corpus
    ) -> tuple[Vector | None, str | None]:
        if corpus.dimension is not None:
            self._desk.dimension = corpus.dimension
        judged = answer if answer is None else self._desk.count(answer)
        return (None, judged) if isinstance(judged, str) else (judged, None)

    async def _timed_vector(
        self, text: str, language: str | None
    ) -> tuple[Vector | Absence | None, float]:
        began = time.perf_counter()
        plain = text if language is None else in_plain_words(text, read_language(language))
        answer = await self._desk.vector(plain, language) if text else None
        return answer, time.perf_counter() - began

    async def _corpus(self, view: View, code: str | None) -> tuple[Corpus | str, float]:
        began = time.perf_counter()
        found: Corpus | str
        try:
            async with asyncio.timeout(self.deadline_s):
                found = await self._run(self._cache.fresh, view, code, self.deadline_s)
        except (TimeoutError, CacheBusy):
            found = "store-late"
        except Exception as error:  # noqa: BLE001 - border of the turn: the person still gets a reply, without memory
            _log.warning("memory_unreadable", error=type(error).__name__)
            found = "store-failed"
        return found, time.perf_counter() - began

    async def _selection(
        self, corpus: Corpus, text: str, vector: Vector | None, plan: Plan, now: datetime
    ) -> Selection:
        begun = threading.Event()

        def work() -> Selection:
            begun.set()
            return self._select(corpus, text, vector, plan, now)

        if corpus.size < OFF_LOOP_FROM:
            return work()
        scoring = asyncio.ensure_future(self._think(work))
        try:
            await asyncio.wait({scoring}, timeout=QUEUE_S)
            if begun.is_set():  # slow is not stuck: twice would be slower still, and hold the loop
                return await scoring
        finally:
            scoring.cancel()
        return (
            work()
        )  # every worker is held by something slow: a few milliseconds here beat waiting for one

    def _select(
        self, corpus: Corpus, text: str, vector: Vector | None, plan: Plan, now: datetime
    ) -> Selection:
        query = read_query(text, corpus.language, vector)
        # One thread: on a small machine more only wait for each other, and another product is a moment away.
        with self._blas.limit(limits=1, user_api="blas"):
            scores = score(corpus, query, self._calibration(corpus.language.code))
            return select(corpus, scores, plan, now.date(), self._same)

    def _counted(self, selection: Selection, reason: str | None, timings: Timings) -> Recalled:
        if reason is not None:
            self._degraded[reason] += 1
        return Recalled(selection, selection.rules, reason is not None, reason, timings)


def _own(embedder: Embedder | None, code: str) -> Calibration:
    if embedder is None:
        return Calibration(1.0)  # never compared with: there is no cosine
    return calibration_of(embedder.name, code, embedder.threshold)


def normalise(message: str) -> str:
    """The start of a message in one Unicode form, without control characters, its blanks single."""
    start = unicodedata.normalize("NFKC", message[: 2 * MESSAGE_CHARS])
    clean = "".join(" " if unicodedata.category(c) in ("Cc", "Cs", "Cf") else c for c in start)
    return " ".join(clean.split())[:MESSAGE_CHARS].rstrip()
