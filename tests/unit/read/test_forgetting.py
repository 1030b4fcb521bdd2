"""What never comes up: candidates counted by who could see them, shares, and how even the places are."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from souvenance.counts import Counters, Stretch, Tally, TurnClock
from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_TIMELINE,
    Address,
    Cause,
    CharacterId,
    Kind,
    Memory,
    MemoryId,
    PersonId,
    Redacted,
    Scope,
    Status,
    Thread,
    ThreadId,
    TimelineId,
)
from souvenance.read.forgetting import (
    Past,
    Silence,
    concentration,
    gini,
    never_recalled,
    report,
    usage,
)

AT = Address(DEFAULT_SPACE, PersonId("ines"), CharacterId("bao"))
NOW = datetime(2031, 4, 9, 20, 15, tzinfo=UTC)
TODAY = date(2031, 4, 9)


def memory(name: str, born_turn: int = 0, thread: str | None = None, **more: Any) -> Memory:
    born = NOW + timedelta(minutes=born_turn)
    where = None if thread is None else ThreadId(thread)
    plain = Memory(
        MemoryId(name), AT, MAIN_TIMELINE, where, Kind.FACT, Redacted(name), born, born, Cause("hand"),
    )  # fmt: skip
    return replace(plain, born_turn=born_turn, **more)


def thread(name: str, timeline: str = MAIN_TIMELINE) -> Thread:
    return Thread(AT, ThreadId(name), TimelineId(timeline), None, None, NOW, NOW)


def past(*runs: tuple[str | None, int], degraded: int = 0, **seen: list[str]) -> Past:
    """Turns in this order; `seen` tells what each timeline sees when there are several."""
    stretches, first = [], 1
    for name, turns in runs:
        stretches.append(Stretch(first, None if name is None else ThreadId(name), turns))
        first += turns
    threads = [thread("main"), thread("boats"), thread("forked", "child")]
    lines = {TimelineId(k): [MemoryId(i) for i in ids] for k, ids in seen.items()}
    return Past(TurnClock(first - 1, degraded, tuple(stretches)), threads, lines)


@pytest.mark.parametrize(
    ("one", "turns"),
    [
        (memory("from the start"), 9),
        (memory("born later", 4), 5),
        (memory("born at the end", 9), 0),
        (memory("of one thread", 0, "main"), 5),
        (memory("of one thread, later", 4, "main"), 3),
        (memory("of one thread, in its stretch", 1, "main"), 4),
        (memory("of another", 0, "boats"), 4),
        (memory("of another, in its stretch", 5, "boats"), 1),
        (memory("of none that spoke", 0, "trees"), 0),
    ],
)
def test_a_memory_is_a_candidate_where_it_is_seen_since_it_was_born(
    one: Memory, turns: int
) -> None:
    """Nobody misses a memory in a thread that never sees it: main 2, boats 4, main 3."""
    assert past(("main", 2), ("boats", 4), ("main", 3)).turns_of(one, 9) == turns


def test_turns_of_no_known_thread_count_for_all() -> None:
    """What an older version counted is not thrown away."""
    before = past((None, 10), ("main", 2))
    assert before.turns_of(memory("a", 4, "boats"), 12) == 6
    assert before.turns_of(memory("b", 4, "main"), 12) == 8


def test_the_turns_of_a_fork_count_for_what_it_sees() -> None:
    """A memory born on the main line after the fork is no candidate in it, and the other way round."""
    runs = past(
        ("main", 3), ("forked", 4), ("main", 2),
        main=["inherited", "mine"], child=["inherited", "theirs"],
    )  # fmt: skip
    assert runs.turns_of(memory("inherited"), 9) == 9
    assert runs.turns_of(memory("mine", 3), 9) == 2
    assert runs.turns_of(memory("theirs", 3), 9) == 4


def test_the_silent_ones_are_listed_oldest_first() -> None:
    """Closed, ended and new memories and rules are silent for another reason."""
    some = [
        memory("new", 12),
        memory("second", 2),
        memory("first", 1),
        memory("called", 1),
        memory("served"),
        memory("rule", kind=Kind.RULE),
        memory("closed", status=Status.FORGOTTEN),
        memory("over", until=date(2031, 4, 8)),
        memory("its last day", 3, until=TODAY),
    ]
    counters = {
        MemoryId("called"): Counters(3, 2, NOW, 4, 5),
        MemoryId("served"): Counters(9, 0, None, 2, None),
    }
    used = usage(some, counters, [], past(("main", 20)))
    assert [u.memory.memory_id for u in never_recalled(used, TODAY, min_turns=10)] == [
        "served", "first", "second", "its last day",
    ]  # fmt: skip
    never_served = never_recalled(used, TODAY, served=True, min_turns=10)
    assert [u.memory.memory_id for u in never_served] == ["first", "second", "its last day"]
    assert never_recalled(used, TODAY) == ()
    assert "new" in [u.memory.memory_id for u in never_recalled(used, TODAY, min_turns=8)]


def test_a_report_tells_now_by_kind_and_scope_and_block_by_block() -> None:
    """What closed since was silent while it was there; what came up later was silent until then."""
    some = [
        memory("early"),
        memory("late", 0, kind=Kind.PROMISE),
        memory("here", 0, "main"),
        memory("gone", status=Status.FORGOTTEN, changed_at=NOW + timedelta(hours=3)),
        memory("born in the second block", 60),
    ]
    counters = {
        MemoryId("early"): Counters(40, 9, NOW, 1, 30),
        MemoryId("late"): Counters(2, 1, NOW, 70, 75),
    }
    blocks = [
        Tally(0, NOW, NOW + timedelta(hours=2), 50, 80, 9, 2, 80, 40**2 * 2),
        Tally(1, NOW, NOW + timedelta(hours=4), 30, 42, 10, 1, 42, 42**2),
    ]
    found = report(usage(some, counters, blocks, past(("main", 80), degraded=3)), TODAY)
    assert (found.turns, found.degraded) == (80, 3)
    assert found.silence == Silence(4, 2, 2)
    assert found.by_kind == {Kind.FACT: Silence(3, 2, 2), Kind.PROMISE: Silence(1, 0, 0)}
    assert found.by_scope == {Scope.GLOBAL: Silence(3, 1, 1), Scope.THREAD: Silence(1, 1, 1)}
    first, second = found.points
    assert (first.first, first.last, second.first, second.last) == (1, 50, 51, 80)
    assert first.silence == Silence(4, 3, 3)
    assert second.silence == Silence(4, 2, 2)
    assert (first.concentration.effective, second.concentration.effective) == (2, 1)


def test_the_figures_of_evenness_have_their_known_ends() -> None:
    """Served alike, n memories are as even as n; one that takes all is as even as one."""
    assert concentration([5] * 40).effective == 40
    assert concentration([5] * 40).top == 100
    assert concentration([7, 0, 0]).effective == 1
    assert concentration([]).effective == 0
    assert gini([3, 3, 3]) == pytest.approx(0)
    assert gini([0] * 99 + [5]) == pytest.approx(0.99)
    assert (gini([]), gini([0, 0])) == (0, 0)


@given(st.lists(st.integers(0, 50), min_size=1, max_size=60))
def test_evenness_stays_within_its_bounds(served: list[int]) -> None:
    """No more effective memories than memories; Gini in [0, 1)."""
    even = concentration(served)
    assert 0 <= even.top <= even.slots == sum(served)
    assert even.effective <= even.memories + 1e-9
    assert -1e-9 <= gini(served) < 1


@given(
    st.lists(st.tuples(st.sampled_from(["main", "boats"]), st.integers(1, 9)), max_size=12),
    st.integers(0, 60),
    st.sampled_from([None, "main", "boats"]),
)
def test_candidates_add_up_over_time(
    runs: list[tuple[str, int]], born: int, where: str | None
) -> None:
    """Turn by turn, each is counted once, and only where the memory is seen."""
    time = past(*runs)
    each = [name for name, turns in runs for _ in range(turns)]
    one = memory("k", born, where)
    for upto in range(len(each) + 1):
        told = sum(where in (None, name) for name in each[born:upto])
        assert time.turns_of(one, upto) == told


@given(st.data())
def test_the_past_is_told_as_if_each_block_were_looked_at_by_itself(data: st.DataObject) -> None:
    """Found by halving, checked by walking: who was there, and who had not come up yet."""
    turns = data.draw(st.integers(1, 170))
    names = data.draw(st.lists(st.sampled_from(["main", "boats"]), min_size=turns, max_size=turns))
    time, min_turns = past(*[(name, 1) for name in names]), data.draw(st.integers(1, 60))
    ended = [NOW + timedelta(days=n) for n in range(-(-turns // 50))]
    blocks = [Tally(n, at, at, min(50, turns - 50 * n)) for n, at in enumerate(ended)]
    some, counters = [], {}
    for n in range(data.draw(st.integers(0, 6))):
        closed = data.draw(st.none() | st.integers(-1, 4))
        status = Status.ACTIVE if closed is None else Status.FORGOTTEN
        until = data.draw(st.none() | st.integers(-1, 4))
        one = memory(
            f"k{n}", data.draw(st.integers(0, turns)), data.draw(st.sampled_from([None, "main"])),
            status=status, changed_at=NOW + timedelta(days=closed or 0),
            until=None if until is None else TODAY + timedelta(days=until),
        )  # fmt: skip
        some.append(one)
        came = data.draw(st.none() | st.integers(0, turns))
        if came is not None:
            counters[one.memory_id] = Counters(1, 0, None, came, None)
    found = report(usage(some, counters, blocks, time), TODAY, min_turns=min_turns)
    for point, at in zip(found.points, ended, strict=True):
        there = [
            m
            for m in some
            if time.turns_of(m, point.last) >= min_turns
            and not (m.status is not Status.ACTIVE and m.changed_at <= at)
            and (m.until is None or m.until >= at.date())
        ]
        first = {i: c.first_served or 0 for i, c in counters.items()}
        silent = [m for m in there if first.get(m.memory_id, turns + 1) > point.last]
        assert point.silence == Silence(len(there), len(silent), len(there))
