"""The slots of a context: who is served, in which stage, and what kept the others out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from souvenance.domain import Kind, Memory, MemoryId, Status, View
from souvenance.lang import language
from souvenance.ports import VectorRow
from souvenance.read.calibrations import Calibration
from souvenance.read.corpus import Corpus
from souvenance.read.plan import AGENT, COMPANION, Plan
from souvenance.read.scores import read_query, score
from souvenance.read.selection import (
    Closed,
    Ended,
    NoPlace,
    NotSeen,
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

#: Distinct words, so that no two made-up notes repeat each other.
NAMES = tuple(
    f"{a}{b}"
    for a in ("bel", "cor", "dal", "fen", "gar", "hol", "jun", "kel")
    for b in ("ba", "di", "mo", "nu", "ra", "so", "ti", "vu")
)


def chosen(
    view: View,
    memories: Sequence[Memory],
    vectors: Sequence[VectorRow] = (),
    message: str = "?",
    plan: Plan = COMPANION,
) -> Selection:
    corpus = Corpus.build(view, language("en"), memories, vectors)
    query = read_query(message, corpus.language, np.array(EAST, np.float32) if vectors else None)
    scores = score(corpus, query, Calibration(0.5))
    return select(corpus, scores, plan, TODAY, tells_one_fact)


def many(memory: Make, prefix: str, count: int, **changes: Any) -> list[Memory]:
    return [
        memory(f"{prefix}{n:02d}", f"{prefix} {NAMES[n]}", hours=n, **changes) for n in range(count)
    ]


def stages(selection: Selection) -> dict[str, int]:
    counts: dict[str, int] = {}
    for slot in selection.slots:
        counts[slot.stage] = counts.get(slot.stage, 0) + 1
    return counts


# --- the companion plan --------------------------------------------------------------------------


def test_pins_leave_a_quarter_to_global_memories(memory: Make, view: View) -> None:
    """Twenty-six pins of one story once hid all that was durable about a person."""
    pins = many(memory, "pin", 26, pinned=True, thread="harbour")
    served = chosen(view, [*pins, *many(memory, "known", 10)])
    assert stages(served) == {"pinned": 18, "global": 6}


def test_the_reserve_is_no_larger_than_what_could_use_it(memory: Make, view: View) -> None:
    """Two global memories do not freeze six slots."""
    pins = many(memory, "pin", 26, pinned=True, thread="harbour")
    served = chosen(view, [*pins, *many(memory, "known", 2)])
    assert stages(served) == {"pinned": 22, "global": 2}


def test_recalled_memories_take_up_to_sixteen_slots(
    memory: Make, vector: MakeVector, view: View
) -> None:
    """A message that calls many things still leaves room for what is durable."""
    called = many(memory, "called", 30, thread="harbour")
    rows = [vector(m, EAST) for m in called]
    served = chosen(view, [*called, *many(memory, "known", 8)], rows)
    assert stages(served)["recalled"] == 16
    assert stages(served)["global"] == 6


def test_each_kind_has_its_quota_then_rank_decides(memory: Make, view: View) -> None:
    """Without any call, the kinds share the slots and the rest goes by rank."""
    kinds = (Kind.FACT, Kind.PREFERENCE, Kind.PROMISE, Kind.EPISODE)
    notes = [m for kind in kinds for m in many(memory, kind.value, 8, kind=kind, thread="harbour")]
    served = chosen(view, notes)
    assert stages(served) == {"fact": 6, "preference": 5, "promise": 4, "episode": 5, "backfill": 4}
    assert [s.memory.kind for s in served.slots if s.stage == "backfill"] == [Kind.PROMISE] * 4


def test_the_agent_plan_counts_by_its_own_kinds(memory: Make, view: View) -> None:
    """An agent needs its plans and decisions before a person's tastes."""
    kinds = (Kind.PLAN, Kind.DECISION, Kind.FACT, Kind.PREFERENCE, Kind.IDEA)
    notes = [m for kind in kinds for m in many(memory, kind.value, 8, kind=kind)]
    served = stages(chosen(view, notes, plan=AGENT))
    assert served == {
        "plan": 4,
        "decision": 4,
        "fact": 4,
        "preference": 3,
        "other": 3,
        "backfill": 6,
    }


def test_rules_take_no_slot(memory: Make, view: View) -> None:
    """Nineteen rules once left five slots for everything else."""
    rules = many(memory, "rule", 19, kind=Kind.RULE)
    served = chosen(view, [*rules, *many(memory, "known", 30)])
    assert len(served.slots) == 24
    assert [r.memory_id for r in served.rules] == [r.memory_id for r in rules]
    assert served.why_not(rules[0].memory_id) == ServedAsRule()


def test_what_the_message_calls_goes_before_other_globals(
    memory: Make, vector: MakeVector, view: View
) -> None:
    """Globals are ordered by relevance, then by rank."""
    known = many(memory, "known", 12)
    rows = [vector(m, EAST if m.memory_id == "known00" else NORTH) for m in known]
    first = chosen(view, known, rows).slots[0]
    assert (first.memory.memory_id, first.retrieved) == ("known00", True)
    assert first.reason.data["cosine"] == 1.0


def test_a_memory_without_a_vector_is_still_served(
    memory: Make, vector: MakeVector, view: View
) -> None:
    """What was noted during the last turn is not indexed yet."""
    old, new = many(memory, "old", 3), memory("new", "just noted", thread="harbour")
    assert "new" in chosen(view, [*old, new], [vector(m, NORTH) for m in old]).ids


def test_a_found_word_is_named_in_the_reason(memory: Make, view: View) -> None:
    """ "Why this one?" is answered with the word as the person typed it."""
    notes = [
        *many(memory, "note", 20, thread="harbour"),
        memory("w", "Ottoline tunes organs", thread="harbour"),
    ]
    slot = next(
        s for s in chosen(view, notes, message="And Ottoline?").slots if s.memory.memory_id == "w"
    )
    assert (slot.stage, slot.reason.code, slot.reason.data["terms"]) == (
        "recalled",
        "words",
        ("Ottoline",),
    )


# --- time ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("until", "served"), [(date(2026, 3, 31), False), (TODAY, True), (None, True)]
)
def test_what_is_over_is_not_served_as_current(
    until: date | None, served: bool, memory: Make, view: View
) -> None:
    """The last day itself still counts."""
    one = memory("a", until=until)
    found = chosen(view, [one])
    assert (found.ids == ("a",)) is served
    assert served or found.why_not(one.memory_id) == Ended(date(2026, 3, 31))


@pytest.mark.parametrize(
    ("starts", "upcoming"), [(date(2026, 4, 2), True), (TODAY, False), (None, False)]
)
def test_what_has_not_begun_is_marked_upcoming(
    starts: date | None, upcoming: bool, memory: Make, view: View
) -> None:
    """A move announced for May is true, but not yet."""
    assert chosen(view, [memory("a", starts=starts)]).slots[0].upcoming is upcoming


# --- why not -------------------------------------------------------------------------------------


def test_a_repetition_yields_its_slot_and_says_to_whom(memory: Make, view: View) -> None:
    """Two wordings of one sentence would cost a slot."""
    first = memory("first", "Noor keeps two geese.", pinned=True)
    served = chosen(view, [first, memory("second", "Noor keeps two geese")])
    assert served.ids == ("first",)
    assert served.why_not(MemoryId("second")) == SameAs(first.memory_id)


def test_another_wording_yields_without_any_vector(memory: Make, view: View) -> None:
    """Six phrasings of one fact once took six slots; a degraded turn must not bring them back."""
    long = memory("long", "Noor often rows on the canal", pinned=True)
    short = memory("short", "On the canal, Noor frequently rows.")
    served = chosen(view, [long, short])
    assert served.ids == ("long",)
    assert served.why_not(short.memory_id) == SameAs(long.memory_id)


def test_opposite_statements_are_both_served(memory: Make, vector: MakeVector, view: View) -> None:
    """Their vectors are nearly equal and their meanings opposite."""
    pair = [memory("yes", "Noor eats mussels"), memory("no", "Noor does not eat mussels")]
    assert len(chosen(view, pair, [vector(m, EAST) for m in pair]).slots) == 2


def test_a_closed_memory_names_what_took_its_place(memory: Make, view: View) -> None:
    """The person sees that nothing was lost."""
    old = memory("old", status=Status.SUPERSEDED, successor="new")
    assert chosen(view, [old, memory("new")]).why_not(old.memory_id) == Closed(
        Status.SUPERSEDED, MemoryId("new")
    )


def test_an_unknown_memory_and_one_of_elsewhere_give_the_same_answer(
    memory: Make, view: View
) -> None:
    """The answer must not tell whether another person's memory exists."""
    assert chosen(view, [memory("a")]).why_not(MemoryId("b")) == NotSeen()


def test_a_memory_that_lost_every_stage_has_its_place_in_each(memory: Make, view: View) -> None:
    """The thirtieth fact was seventh for six places, then behind in the backfill."""
    facts = many(memory, "fact", 30, thread="harbour")
    answer = chosen(view, facts).why_not(facts[0].memory_id)
    assert isinstance(answer, NoPlace)
    assert [(lost.stage, lost.position, lost.places) for lost in answer.lost] == [
        ("fact", 30, 6), ("backfill", 24, 18),
    ]  # fmt: skip


# --- properties ----------------------------------------------------------------------------------

memories_drawn = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.lists(st.sampled_from(NAMES[:12]), min_size=1, max_size=3).map(" ".join),
            "kind": st.sampled_from([*Kind]),
            "thread": st.sampled_from([None, "harbour"]),
            "pinned": st.booleans(),
            "importance": st.integers(1, 5),
            "status": st.sampled_from([Status.ACTIVE] * 5 + [Status.MERGED]),
            "until": st.sampled_from([None, None, None, date(2026, 1, 1)]),
            "direction": st.sampled_from([EAST, NORTH, None]),
            "hours": st.integers(0, 5),
        }
    ),
    max_size=70,
)


@settings(max_examples=150, deadline=None)
@given(drawn=memories_drawn, plan=st.sampled_from([COMPANION, AGENT]))
def test_whatever_is_remembered_the_slots_keep_their_promises(
    drawn: list[dict[str, Any]], plan: Plan, memory: Make, vector: MakeVector, view: View
) -> None:
    """Never too many, never twice, never a rule or a closed one, pins first, everything explained, always the same."""
    notes, rows = [], []
    for n, one in enumerate(drawn):
        direction = one.pop("direction")
        note = memory(f"m{n}", **one)
        notes.append(note)
        rows += [vector(note, direction)] if direction else []
    found = chosen(view, notes, rows, plan=plan)
    assert len(found.slots) <= plan.slots
    assert len(set(found.ids)) == len(found.ids)
    by_id = {m.memory_id: m for m in notes}
    for served in found.ids:
        assert by_id[served].kind is not Kind.RULE
        assert by_id[served].status is Status.ACTIVE
        assert by_id[served].until is None
    assert chosen(view, notes[::-1], rows[::-1], plan=plan).ids == found.ids
    for note in notes:
        answer = found.why_not(note.memory_id)
        assert isinstance(answer, Served) is (note.memory_id in found.ids)
        if isinstance(answer, NoPlace):
            assert all(lost.position > lost.places for lost in answer.lost)
            assert answer.lost[-1].stage == "backfill"
            assert len(found.slots) == plan.slots
        if isinstance(answer, SameAs):
            assert answer.other in found.ids
    assert_pins_first(found, [m for m in notes if m.pinned], plan)


def assert_pins_first(found: Selection, pins: list[Memory], plan: Plan) -> None:
    """Pinned memories open the slots, as many as their stage may take; the others say why they are out."""
    first = [s for s in found.slots if s.stage == "pinned"]
    assert list(found.slots[: len(first)]) == first
    if len(first) < plan.slots - plan.reserve:
        for pin in pins:
            answer = found.why_not(pin.memory_id)
            assert not isinstance(answer, NoPlace)


def test_thousands_of_equal_vectors_do_not_all_get_compared(
    memory: Make, vector: MakeVector, view: View
) -> None:
    """Past a number of comparisons memories are kept whatever they repeat: the turn matters more."""
    long = memory("long", "Noor often rows on the canal", pinned=True)
    short = [memory(f"s{n:03d}", f"Noor rows the canal {'very ' * n}") for n in range(400)]
    found = chosen(view, [long, *short], [vector(m, EAST) for m in (long, *short)])
    assert len(found.slots) <= 24


def test_the_same_memory_under_another_row_order_gives_the_same_slots(
    memory: Make, view: View
) -> None:
    """Order of arrival in the store is not an argument."""
    notes = many(memory, "note", 40)
    again = [replace(m) for m in reversed(notes)]
    assert chosen(view, notes).ids == chosen(view, again).ids
