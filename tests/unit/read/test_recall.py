"""A turn always gets its answer: late, broken or wrong parts make it plainer and say so."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from souvenance.domain import Memory, View
from souvenance.errors import BadAnswer, ModelRefused, ModelUnreachable
from souvenance.read.asking import PROBE
from souvenance.read.breaker import FIRST_PAUSE_S, LONGEST_PAUSE_S
from souvenance.read.recall import MESSAGE_CHARS, Recall, normalise

Make = Callable[..., Memory]
NOW = datetime(2026, 4, 1, 12, tzinfo=UTC)
EAST = np.array([[1, 0, 0, 0, 0, 0, 0, 0]], np.float32)


class Answering:
    """An embedder whose next answers are given: an array, an error to raise, or seconds to hang."""

    name = "answering"
    threshold = 0.4

    def __init__(self, *answers: Any, deaf: bool = False) -> None:
        self.answers, self.deaf = list(answers), deaf
        self.asked: list[str] = []

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, query_in: str | None = None
    ) -> Any:
        self.asked += texts
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        while isinstance(answer, float):
            try:
                await asyncio.sleep(answer)
            except asyncio.CancelledError:
                if not self.deaf:
                    raise
                answer = EAST
        return answer

    async def close(self) -> None:
        """Nothing to close."""


@pytest.fixture
def told(store: Any, memory: Make) -> Any:
    """A store that remembers three things, indexed."""
    store.write(
        memory("a", "Ottoline tunes the organ"),
        memory("b", "Noor mends sails"),
        memory("c", "Quay 4"),
    )
    return store


async def test_a_turn_with_everything_in_order_is_not_degraded(told: Any, view: View) -> None:
    """The ordinary case: slots, no reason, nothing counted."""
    recall = Recall(told, Answering(EAST))
    found = await recall.recall(view, "Ottoline?", now=NOW)
    assert (found.degraded, found.reason, set(found.served)) == (False, None, {"a", "b", "c"})
    assert "a" in found.retrieved
    assert recall.degraded_turns == {}


BROKEN = [
    (ModelUnreachable("refused"), "unreachable"),
    (BadAnswer("not vectors", raw="?"), "unusable"),
    (ModelRefused("overloaded", status=503), "refused"),
    (ZeroDivisionError("a fault of the embedder"), "unusable"),
    (np.full((1, 8), np.nan, np.float32), "unusable"),
    (np.zeros((1, 8), np.float32), "unusable"),
    (np.ones((2, 8), np.float32), "unusable"),
    (np.ones(8, np.float32), "unusable"),
    ([["not", "figures"]], "unusable"),
    (np.ones((1, 5), np.float32), "dimension"),
    (30.0, "late"),
]


@pytest.mark.parametrize(
    ("answer", "reason"), BROKEN, ids=[f"{r}-{n}" for n, (_, r) in enumerate(BROKEN)]
)
async def test_a_broken_embedder_makes_a_degraded_turn_with_its_reason(
    answer: Any, reason: str, told: Any, view: View
) -> None:
    """Words and rank still serve, and the turn says what it lacked."""
    # Long enough for a busy machine to read the store; only the answer that never comes waits for it.
    recall = Recall(told, Answering(answer), deadline_s=2.0)
    found = await recall.recall(view, "Ottoline?", now=NOW)
    assert (found.degraded, found.reason) == (True, reason)
    assert set(found.served) == {"a", "b", "c"}
    assert found.retrieved == ("a",)
    assert recall.degraded_turns == {reason: 1}
    await recall.close()


async def test_an_embedder_deaf_to_cancellation_does_not_hold_the_turn(
    told: Any, view: View
) -> None:
    """A library that swallows cancellation would otherwise make the person wait for it."""
    recall = Recall(told, Answering(30.0, deaf=True), deadline_s=0.05)
    found = await asyncio.wait_for(recall.recall(view, "hello", now=NOW), 5)
    assert found.reason == "late"
    await recall.close()


@pytest.mark.parametrize("answer", [ModelUnreachable("down"), np.ones((1, 5), np.float32)])
async def test_after_two_failures_the_embedder_is_left_alone_then_probed_beside_a_turn(
    answer: Any, told: Any, view: View
) -> None:
    """Open, nothing is asked; once the pause is over one turn starts a probe and does not wait for it."""
    clock = [0.0]
    embedder = Answering(answer)
    recall = Recall(told, embedder, monotonic=lambda: clock[0])
    reasons = [(await recall.recall(view, "hello", now=NOW)).reason for _ in range(4)]
    assert reasons[2:] == ["open", "open"]
    assert (len(embedder.asked), recall.breaker_state) == (2, "open")
    embedder.answers = [EAST]
    clock[0] = FIRST_PAUSE_S + 1
    assert (await recall.recall(view, "hello", now=NOW)).reason == "open"
    for _ in range(20):
        await asyncio.sleep(0)
    assert recall.breaker_state == "closed"
    assert (await recall.recall(view, "hello", now=NOW)).reason is None


async def test_an_embedder_that_returns_is_found_without_a_turn(
    told: Any, view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long nobody spoke, the first turn a minute after its return has it again."""
    clock, slept = [0.0], [0.0]

    async def sleep(seconds: float) -> None:
        clock[0] += seconds
        slept[0] += seconds
        await real(0)

    real = asyncio.sleep
    embedder = Answering(ModelUnreachable("down"))
    recall = Recall(told, embedder, monotonic=lambda: clock[0])
    for _ in range(2):
        await recall.recall(view, "hello", now=NOW)
    monkeypatch.setattr("souvenance.read.asking.asyncio.sleep", sleep)
    while slept[0] < 3600:
        await real(0)
    pause = recall._desk.breaker.pause_s
    asked, embedder.answers = len(embedder.asked), [EAST]
    while recall.breaker_state != "closed":
        await real(0)
    assert pause == LONGEST_PAUSE_S < 60
    assert len(embedder.asked) <= asked + 2
    assert set(embedder.asked[2:]) == {PROBE}
    monkeypatch.undo()
    assert (await recall.recall(view, "hello", now=NOW)).reason is None


async def test_a_thread_held_at_a_corpus_holds_no_turn(
    told: Any, view: View, memory: Make, closed: Callable[[Memory], Memory]
) -> None:
    """The turn goes on from the last corpus by itself: what was written, closed or erased meanwhile counts."""
    recall = Recall(told, Answering(EAST))
    await recall.warm(view)
    entry = recall._cache._entry(view, None)
    with entry.lock:
        found = await recall.recall(view, "hello", now=NOW)
        assert (set(found.served), found.reason) == ({"a", "b", "c"}, None)
        told.write(memory("d", "The lock is shut"), closed(memory("b", "Noor mends sails")))
        assert set((await recall.recall(view, "hello", now=NOW)).served) == {"a", "c", "d"}
        told.erase("a")
        assert set((await recall.recall(view, "hello", now=NOW)).served) == {"c", "d"}


async def test_vectors_of_another_dimension_take_the_place_of_the_old_ones(
    told: Any, view: View
) -> None:
    """Made anew by another model under the same name, they are read from the start."""
    recall = Recall(told, Answering(np.eye(1, 5, dtype=np.float32)))
    await recall.warm(view)
    assert (await recall.recall(view, "hello", now=NOW)).reason == "dimension"
    told.vector_seq += 1
    told.vector_rows = [
        (told.vector_seq, replace(row, vector=np.ones(5, np.float32) / np.float32(5**0.5)))
        for _, row in told.vector_rows
    ]
    found = await recall.recall(view, "hello", now=NOW)
    corpus = found.selection._corpus
    assert corpus is not None
    assert (found.reason, corpus.dimension, corpus.matrix.count) == (None, 5, 3)


async def test_a_probe_that_fails_keeps_the_next_turns_free(told: Any, view: View) -> None:
    """The embedder is asked once per pause, not once per turn."""
    clock = [0.0]
    embedder = Answering(ModelUnreachable("down"))
    recall = Recall(told, embedder, monotonic=lambda: clock[0])
    for _ in range(3):
        await recall.recall(view, "hello", now=NOW)
    clock[0] = FIRST_PAUSE_S + 1
    for _ in range(5):
        await recall.recall(view, "hello", now=NOW)
        await asyncio.sleep(0.01)
    assert len(embedder.asked) == 3


async def test_without_any_embedder_words_and_rank_serve(told: Any, view: View) -> None:
    """No model at all is a plainer memory, said as such."""
    found = await Recall(told, None).recall(view, "Ottoline?", now=NOW)
    assert (found.reason, found.retrieved, len(found.served)) == ("absent", ("a",), 3)


async def test_a_store_that_fails_gives_an_empty_degraded_turn(told: Any, view: View) -> None:
    """Rather nothing than something stale: a forgotten memory must not come back because of a lock."""
    recall = Recall(told, Answering(EAST))
    await recall.recall(view, "hello", now=NOW)
    told.broken = True
    found = await recall.recall(view, "hello", now=NOW)
    assert (found.served, found.rules, found.reason) == ((), (), "store-failed")


async def test_a_store_that_hangs_gives_an_empty_degraded_turn(told: Any, view: View) -> None:
    """The deadline covers the wait for the store, and for the thread that reads it."""
    told.gate = threading.Event()
    recall = Recall(told, Answering(EAST), deadline_s=0.05)
    first = await recall.recall(view, "hello", now=NOW)
    second = await recall.recall(view, "hello", now=NOW)
    assert [first.reason, second.reason] == ["store-late", "store-late"]
    told.gate.set()


async def test_the_next_turn_costs_one_question_to_the_store(told: Any, view: View) -> None:
    """Nothing changed, so nothing is read again."""
    recall = Recall(told, Answering(EAST))
    await recall.warm(view)
    told.reads.clear()
    await recall.recall(view, "hello", now=NOW)
    assert told.reads == ["stamp"]


async def test_what_was_written_closed_or_erased_since_shows_in_the_next_turn(
    told: Any, view: View, memory: Make, closed: Callable[[Memory], Memory]
) -> None:
    """The cache is never older than the store."""
    recall = Recall(told, Answering(EAST))
    await recall.warm(view)
    told.write(memory("d", "The lock is shut"), indexed=False)
    told.write(closed(memory("b", "Noor mends sails")))
    assert set((await recall.recall(view, "hello", now=NOW)).served) == {"a", "c", "d"}
    told.erase("a")
    found = await recall.recall(view, "hello", now=NOW)
    assert set(found.served) == {"c", "d"}
    assert type(found.selection.why_not("a")).__name__ == "NotSeen"  # type: ignore[arg-type]


async def test_a_memory_that_comes_from_elsewhere_brings_its_older_vector(
    told: Any, view: View, memory: Make
) -> None:
    """Shared by its thread long after it was indexed, it would otherwise have no meaning here."""
    shared = memory("s", "Noor swims at dawn")
    told.index(shared)
    recall = Recall(told, Answering(EAST))
    await recall.warm(view)
    told.write(replace(shared, changed_at=NOW), indexed=False)
    found = await recall.recall(view, "hello", now=NOW)
    corpus = found.selection._corpus
    assert corpus is not None
    assert corpus.columns.vector[corpus.row_of[shared.memory_id]] >= 0


async def test_only_the_views_used_last_stay_cached(told: Any, view: View) -> None:
    """A service with many threads must not keep them all."""
    recall = Recall(told, Answering(EAST), cached_views=2)
    for name in ("one", "two", "three"):
        await recall.warm(replace(view, thread=name))  # type: ignore[arg-type]
    assert len(recall._cache) == 2


async def test_only_the_start_of_the_message_is_embedded(told: Any, view: View) -> None:
    """A pasted page costs what a long paragraph costs."""
    embedder = Answering(EAST)
    await Recall(told, embedder).recall(view, "quay \u0000\u202e " * 200_000, now=NOW)
    assert len(embedder.asked) == 1
    assert len(embedder.asked[0]) <= MESSAGE_CHARS
    assert "\u202e" not in embedder.asked[0]


async def test_a_blank_message_asks_nothing_and_is_not_degraded(told: Any, view: View) -> None:
    """There is no meaning to look for; the stages serve."""
    embedder = Answering(ModelUnreachable("down"))
    found = await Recall(told, embedder).recall(view, " \n\t", now=NOW)
    assert (found.degraded, embedder.asked, len(found.served)) == (False, [], 3)


async def test_a_cancelled_turn_leaves_nothing_running(told: Any, view: View) -> None:
    """A person who leaves takes the question with them."""
    embedder = Answering(30.0)
    recall = Recall(told, embedder)
    turn = asyncio.create_task(recall.recall(view, "hello", now=NOW))
    while not embedder.asked:
        await asyncio.sleep(0.001)
    turn.cancel()
    await asyncio.gather(turn, return_exceptions=True)
    await asyncio.sleep(0.01)
    assert not [t for t in asyncio.all_tasks() if t.get_name() == "souvenance-embed"]


async def test_two_turns_of_one_view_build_its_corpus_once(told: Any, view: View) -> None:
    """The second waits for the first instead of reading everything again."""
    recall = Recall(told, Answering(EAST))
    await asyncio.gather(*(recall.recall(view, "hello", now=NOW) for _ in range(5)))
    assert told.reads.count("load") == 1


async def test_scoring_goes_on_when_every_worker_is_held(
    told: Any, view: View, memory: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large corpus is scored off the loop when there is room, in place when there is none."""
    monkeypatch.setattr("souvenance.read.recall.OFF_LOOP_FROM", 1)
    monkeypatch.setattr("souvenance.read.recall.QUEUE_S", 0.01)
    calls: list[object] = []

    async def run(call: Callable[..., Any], *args: Any) -> Any:
        calls.append(call)
        if len(calls) > 1:
            await asyncio.sleep(30)
        return call(*args)

    found = await Recall(told, Answering(EAST), run=run).recall(view, "hello", now=NOW)
    assert (len(found.served), found.degraded) == (3, False)


def test_a_message_is_read_in_one_form() -> None:
    """Full-width letters and stray controls are typing, not meaning."""
    assert normalise("  Ｎｏｏｒ\u0007 \u200b mends\r\n sails ") == "Noor mends sails"
