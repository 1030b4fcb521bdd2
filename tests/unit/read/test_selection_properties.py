"""What holds of the slots whatever is remembered, and the two histories that shaped the companion plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from souvenance.domain import Kind, Memory, Status, View
from souvenance.lang import language
from souvenance.ports import VectorRow
from souvenance.read.calibrations import Calibration
from souvenance.read.context import fit
from souvenance.read.corpus import Corpus
from souvenance.read.plan import AGENT, COMPANION, PLANS, Plan, quarter
from souvenance.read.scores import read_query, score
from souvenance.read.selection import (
    Closed,
    Ended,
    NoPlace,
    NotSeen,
    OverBudget,
    RuleOverBudget,
    SameAs,
    Selection,
    Served,
    ServedAsRule,
    select,
)  # fmt: skip
from souvenance.write.alike.similarity import tells_one_fact

Make = Callable[..., Memory]
MakeVector = Callable[..., VectorRow]
TODAY = date(2026, 4, 1)
EAST = (1, 0, 0, 0, 0, 0, 0, 0)
NORTH = (0, 1, 0, 0, 0, 0, 0, 0)
WORDS = (
    "anchor",
    "beacon",
    "canal",
    "dredger",
    "estuary",
    "ferry",
    "gull",
    "harbour",
    "inlet",
    "jetty",
    "keel",
    "lock",
)


def chosen(
    view: View,
    memories: Sequence[Memory],
    vectors: Sequence[VectorRow] = (),
    plan: Plan = COMPANION,
) -> Selection:
    corpus = Corpus.build(view, language("en"), memories, vectors)
    query = read_query("?", corpus.language, np.array(EAST, np.float32) if vectors else None)
    return select(corpus, score(corpus, query, Calibration(0.5)), plan, TODAY, tells_one_fact)


def stages(found: Selection) -> dict[str, int]:
    return dict(Counter(slot.stage for slot in found.slots))


drawn_memories = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join),
            "kind": st.sampled_from([*Kind]),
            "thread": st.sampled_from([None, "harbour"]),
            "pinned": st.sampled_from([False, False, True]),
            "importance": st.integers(1, 5),
            "confidence": st.sampled_from([0.5, 0.9]),
            "status": st.sampled_from([Status.ACTIVE] * 6 + [Status.SUPERSEDED, Status.FORGOTTEN]),
            "starts": st.sampled_from([None, None, date(2026, 3, 1), TODAY, date(2026, 5, 1)]),
            "until": st.sampled_from([None, None, None, date(2026, 3, 31), TODAY]),
            "direction": st.sampled_from([EAST, NORTH, None]),
            "hours": st.integers(0, 9),
        }
    ),
    max_size=80,
)
plans = st.sampled_from([COMPANION, AGENT, replace(COMPANION, slots=5, reserve=quarter(5))])


def drawn(
    raw: list[dict[str, Any]], memory: Make, vector: MakeVector
) -> tuple[list[Memory], list[VectorRow]]:
    notes, rows = [], []
    for n, one in enumerate(raw):
        fields = dict(one)
        direction = fields.pop("direction")
        note = memory(f"m{n:02d}", **fields)
        notes.append(note)
        rows += [vector(note, direction)] if direction else []
    return notes, rows


@settings(max_examples=150, deadline=None)
@given(raw=drawn_memories, plan=plans)
def test_each_memory_that_is_out_is_told_what_kept_it_out(
    raw: list[dict[str, Any]], plan: Plan, memory: Make, vector: MakeVector, view: View
) -> None:
    """Only a stage that exists, ran out of places and had this memory before it may be named."""
    notes, rows = drawn(raw, memory, vector)
    found = chosen(view, notes, rows, plan)
    named = {stage.name: stage for stage in plan.stages}
    for note in notes:
        match found.why_not(note.memory_id):
            case Served(place):
                assert found.slots[place - 1].memory == note
            case ServedAsRule():
                assert note.kind is Kind.RULE and note in found.rules
            case Closed(status):
                assert status is note.status is not Status.ACTIVE
            case Ended(until):
                assert until == note.until and until < TODAY
            case SameAs(other):
                assert other in found.ids
            case NoPlace(lost):
                assert len(found.slots) == plan.slots
                assert lost[-1].stage == plan.stages[-1].name
                for one in lost:
                    assert one.stage in named and one.position > one.places
                kinds = [named[one.stage].kinds for one in lost if named[one.stage].pool == "kind"]
                assert all(note.kind in some for some in kinds)
            case other:
                raise AssertionError(f"{note.memory_id} is told {other}")


@settings(max_examples=150, deadline=None)
@given(raw=drawn_memories, plan=plans)
def test_no_place_is_kept_empty_while_something_could_take_it(
    raw: list[dict[str, Any]], plan: Plan, memory: Make, vector: MakeVector, view: View
) -> None:
    """The reserve and the quotas hold places back, never for nobody; and never are there more than the slots."""
    notes, rows = drawn(raw, memory, vector)
    found = chosen(view, notes, rows, plan)
    assert len(found.slots) <= plan.slots
    for stage in plan.stages:
        taken = stages(found).get(stage.name, 0)
        assert stage.places is None or taken <= stage.places
    waiting = [n for n in notes if isinstance(found.why_not(n.memory_id), NoPlace)]
    assert not waiting or len(found.slots) == plan.slots


@settings(max_examples=150, deadline=None)
@given(raw=drawn_memories, plan=plans)
def test_every_pin_is_served_while_there_is_room(
    raw: list[dict[str, Any]], plan: Plan, memory: Make, vector: MakeVector, view: View
) -> None:
    """A hand's mark comes before all else but the reserve; no memory without one may take a pin's place beyond it."""
    notes, rows = drawn(raw, memory, vector)
    found = chosen(view, notes, rows, plan)
    out = [n for n in notes if n.pinned and isinstance(found.why_not(n.memory_id), NoPlace)]
    unmarked = [s for s in found.slots if not s.memory.pinned]
    assert not out or len(unmarked) <= plan.reserve


@settings(max_examples=150, deadline=None)
@given(raw=drawn_memories, plan=plans)
def test_what_the_message_calls_goes_before_a_warm_stranger(
    raw: list[dict[str, Any]], plan: Plan, memory: Make, vector: MakeVector, view: View
) -> None:
    """In a stage ordered by relevance nobody below one half is served while somebody above waits for it."""
    notes, rows = drawn(raw, memory, vector)
    found = chosen(view, notes, rows, plan)
    corpus = Corpus.build(view, language("en"), notes, rows)
    scores = score(
        corpus, read_query("?", corpus.language, np.array(EAST, np.float32)), Calibration(0.5)
    )
    called = {
        n.memory_id: n for n in notes
        if n.memory_id in corpus.row_of and scores.relevance[corpus.row_of[n.memory_id]] >= 0.5
    }  # fmt: skip
    if rows:
        waiting = [n for i, n in called.items() if isinstance(found.why_not(i), NoPlace)]
        for slot in found.slots:
            if slot.stage == "recalled":
                assert slot.retrieved
            if slot.stage == "global" and not slot.retrieved:
                assert not [n for n in waiting if n.thread is None]


@settings(max_examples=100, deadline=None)
@given(raw=drawn_memories, plan=plans, seed=st.randoms(use_true_random=False))
def test_the_order_of_arrival_changes_nothing(
    raw: list[dict[str, Any]], plan: Plan, seed: Any, memory: Make, vector: MakeVector, view: View
) -> None:
    """Same memories, scores and day: same slots in the same order, for the same reasons."""
    notes, rows = drawn(raw, memory, vector)
    first = chosen(view, notes, rows, plan)
    seed.shuffle(notes)
    seed.shuffle(rows)
    again = chosen(view, notes, rows, plan)
    assert again.slots == first.slots
    assert again.rules == first.rules


@settings(max_examples=100, deadline=None)
@given(raw=drawn_memories)
def test_what_is_upcoming_is_marked_and_what_is_over_is_out(
    raw: list[dict[str, Any]], memory: Make, vector: MakeVector, view: View
) -> None:
    """A character must speak neither of next month's move as done nor of last month's as present."""
    notes, rows = drawn(raw, memory, vector)
    for slot in chosen(view, notes, rows).slots:
        one = slot.memory
        assert slot.upcoming is (one.starts is not None and one.starts > TODAY)
        assert one.until is None or one.until >= TODAY


@settings(max_examples=60, deadline=None)
@given(raw=drawn_memories, budget=st.integers(0, 900))
def test_what_a_budget_keeps_out_is_told_so_and_nothing_else_is(
    raw: list[dict[str, Any]], budget: int, memory: Make, vector: MakeVector, view: View
) -> None:
    """A memory that was chosen and never reached the prompt is not said to be there."""
    notes, rows = drawn(raw, memory, vector)
    found = chosen(view, notes, rows)
    made = fit(found, language="en", budget_tokens=budget)
    shown = found.within(made.slots, made.rules)
    assert shown.slots == found.slots[: made.slots]
    assert len(found.slots) - len(shown.slots) == made.slots_left_out
    for place, slot in enumerate(found.slots, 1):
        answer = shown.why_not(slot.memory.memory_id)
        expected = Served(place) if place <= made.slots else OverBudget(place, slot.stage)
        assert answer == expected
    for n, rule in enumerate(found.rules):
        expected_rule = ServedAsRule() if n < made.rules else RuleOverBudget()
        assert shown.why_not(rule.memory_id) == expected_rule


# --- the histories behind the plan -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("pins", "known", "expected"),
    [
        (26, 10, {"pinned": 18, "global": 6}),
        (26, 2, {"pinned": 22, "global": 2}),
        (26, 0, {"pinned": 24}),
        (10, 10, {"pinned": 10, "global": 6, "preference": 4}),
    ],
)
def test_many_pins_leave_a_quarter_to_what_could_use_it(
    pins: int, known: int, expected: dict[str, int], memory: Make, view: View
) -> None:
    """Twenty-six pins of one story once left nothing of ten global memories that mattered; two do not freeze six."""
    notes = [
        memory(f"p{n:02d}", f"Pin w{n:02d}p.", pinned=True, thread="harbour", hours=n)
        for n in range(pins)
    ]
    notes += [
        memory(f"g{n:02d}", f"Known w{n:02d}g.", kind=Kind.PREFERENCE, hours=n)
        for n in range(known)
    ]
    assert stages(chosen(view, notes)) == expected


def test_the_reserve_counts_what_the_message_calls_in_this_thread_too(
    memory: Make, vector: MakeVector, view: View
) -> None:
    """Recalled memories of the story are candidates of the reserve as well as global ones."""
    pins = [
        memory(f"p{n:02d}", f"Pin w{n:02d}p.", pinned=True, thread="harbour") for n in range(26)
    ]
    called = [memory(f"c{n}", f"Called w{n}c.", thread="harbour") for n in range(4)]
    found = chosen(view, [*pins, *called], [vector(m, EAST) for m in called])
    assert stages(found) == {"pinned": 20, "recalled": 4}


def test_nineteen_rules_leave_all_the_slots_to_the_others(
    memory: Make, vector: MakeVector, view: View
) -> None:
    """Rules once took 19 of 24 slots, and no setting of recall changed anything any more."""
    rules = [memory(f"r{n:02d}", f"Rule w{n:02d}r.", kind=Kind.RULE) for n in range(19)]
    called = [memory(f"c{n:02d}", f"Called w{n:02d}c.", thread="harbour") for n in range(20)]
    known = [memory(f"g{n:02d}", f"Known w{n:02d}g.") for n in range(10)]
    found = chosen(view, [*rules, *called, *known], [vector(m, EAST) for m in called])
    assert len(found.rules) == 19
    assert stages(found) == {"global": 6, "recalled": 16, "fact": 2}


def test_places_that_a_kind_does_not_use_go_to_the_backfill(memory: Make, view: View) -> None:
    """Nothing says which other kind would need them, and guessing wrong costs more than rank."""
    kinds = (Kind.FACT, Kind.EPISODE)
    notes = [
        memory(f"{k}{n:02d}", f"{k.value} w{n:02d}{k.value[0]}.", kind=k, thread="harbour", hours=n)
        for k in kinds
        for n in range(20)
    ]
    found = stages(chosen(view, notes))
    assert found == {"fact": 6, "episode": 5, "backfill": 13}


@pytest.mark.parametrize(("slots", "kept"), [(24, 6), (20, 5), (10, 2), (3, 1), (1, 1)])
def test_the_reserve_is_a_quarter_and_never_nothing(slots: int, kept: int) -> None:
    """Even a tiny context keeps one place for what is durable."""
    assert quarter(slots) == kept


def test_an_id_of_nowhere_is_not_seen(memory: Make, view: View) -> None:
    """There is no stage to name."""
    found = chosen(view, [memory("a", "Anchor.")])
    assert found.why_not(memory("elsewhere").memory_id) == NotSeen()


def test_every_plan_is_a_value_found_by_its_name() -> None:
    """A character chooses by name."""
    assert {"companion": COMPANION, "agent": AGENT} == PLANS
