"""A corpus moved forward step by step is the corpus built from everything at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from souvenance.domain import Kind, Memory, Status, View
from souvenance.lang import language
from souvenance.ports import VectorRow
from souvenance.read.calibrations import Calibration
from souvenance.read.corpus import Corpus
from souvenance.read.scores import read_query, score

Make = Callable[..., Memory]
MakeVector = Callable[..., VectorRow]

WORDS = ("geese", "Geese", "Canal", "canal", "Lantern", "mussels", "oar", "lock", "ferry", "quay")

states = st.fixed_dictionaries(
    {
        "name": st.sampled_from([f"m{n}" for n in range(8)]),
        "words": st.lists(st.sampled_from(WORDS), min_size=1, max_size=5),
        "kind": st.sampled_from([Kind.FACT, Kind.PROMISE, Kind.EPISODE, Kind.RULE]),
        "status": st.sampled_from([Status.ACTIVE, Status.ACTIVE, Status.ACTIVE, Status.FORGOTTEN]),
        "pinned": st.booleans(),
        "thread": st.sampled_from([None, "harbour"]),
        "confidence": st.sampled_from([0.5, 0.9]),
        "hours": st.integers(0, 3),
        "indexed": st.booleans(),
    }
)


def observed(corpus: Corpus) -> dict[str, Any]:
    """All that a reader can see of a corpus, by memory id and not by row."""
    question = np.linspace(1, 2, 8, dtype=np.float32)
    scores = score(
        corpus, read_query("geese on the canal", corpus.language, question), Calibration(0.3)
    )
    order = [corpus.memories[row] for row in corpus.order]
    return {
        "order": order,
        "cosine": {m.memory_id: float(scores.cosine[corpus.row_of[m.memory_id]]) for m in order},
        "words": {m.memory_id: float(scores.words[corpus.row_of[m.memory_id]]) for m in order},
        "rules": dict(corpus.rules),
        "closed": dict(corpus.inactive),
        "stems": {s: len(p.rows) for s, p in corpus.postings.by_stem.items()},
        "names": {s for s in corpus.postings.by_stem if corpus.postings.is_name(s)},
    }


def assert_equal(a: dict[str, Any], b: dict[str, Any]) -> None:
    for exact in ("order", "rules", "closed", "stems", "names"):
        assert a[exact] == b[exact]
    for close in ("cosine", "words"):
        assert a[close].keys() == b[close].keys()
        np.testing.assert_allclose(list(a[close].values()), list(b[close].values()), atol=2e-6)


@settings(max_examples=150, deadline=None)
@given(steps=st.lists(st.lists(states, min_size=1, max_size=4), min_size=1, max_size=10))
def test_steps_and_one_build_give_the_same_corpus(
    steps: list[list[dict[str, Any]]], memory: Make, vector: MakeVector, view: View
) -> None:
    """Edits, closings, returns, changes of kind and late vectors, in any order."""
    words = language("en")
    moved, latest, vectors = Corpus.empty(view, words), {}, {}
    for step in steps:
        changed, rows = {}, []
        for state in step:
            kept = {k: v for k, v in state.items() if k not in ("name", "words", "indexed")}
            one = memory(state["name"], " ".join(state["words"]), **kept)
            changed[one.memory_id] = one
            latest[one.memory_id] = one
            if state["indexed"]:
                vectors[one.memory_id] = vector(one)
                rows.append(vectors[one.memory_id])
        moved = moved.update(list(changed.values()), rows)
    assert_equal(
        observed(moved),
        observed(Corpus.build(view, words, list(latest.values()), list(vectors.values()))),
    )


def test_many_closed_memories_leave_no_weight_behind(
    memory: Make, vector: MakeVector, view: View
) -> None:
    """Dead rows are dropped in time, and what stays answers as before."""
    words = language("en")
    alive = [memory(f"a{n}", f"lantern {n} on the quay") for n in range(5)]
    corpus = Corpus.build(view, words, alive, [vector(m) for m in alive])
    for n in range(700):
        passing = memory(f"p{n}", f"ferry {n}")
        corpus = corpus.update([passing], [vector(passing)])
        corpus = corpus.update([replace(passing, status=Status.FORGOTTEN)])
    assert len(corpus.memories) < 400
    assert [m.memory_id for m in (corpus.memories[r] for r in corpus.order)] == [
        f"a{n}" for n in range(5)
    ]
    assert corpus.memory(alive[0].memory_id) == alive[0]
    assert len(corpus.inactive) == 700


def test_an_older_snapshot_does_not_see_what_came_later(
    memory: Make, vector: MakeVector, view: View
) -> None:
    """A turn reads one state from beginning to end, although snapshots share memory."""
    first = memory("a", "geese")
    before = Corpus.build(view, language("en"), [first], [vector(first)])
    one, other = memory("b", "oar"), memory("c", "lock")
    left, right = before.update([one], [vector(one)]), before.update([other], [vector(other)])
    assert before.size == 1
    assert [m.memory_id for m in left.memories] == ["a", "b"]
    assert [m.memory_id for m in right.memories] == ["a", "c"]
    np.testing.assert_array_equal(left.matrix.rows()[1], vector(one).vector)
    np.testing.assert_array_equal(right.matrix.rows()[1], vector(other).vector)


def test_a_vector_of_an_earlier_wording_is_not_used(
    memory: Make, vector: MakeVector, view: View
) -> None:
    """It would place the memory where its old text belonged; undoing the edit brings it back."""
    old = memory("a", "geese on the canal")
    corpus = Corpus.build(view, language("en"), [old], [vector(old)])
    edited = corpus.update([replace(old, text="mussels at the quay")])
    restored = edited.update([old])
    assert [c.columns.vector[c.row_of[old.memory_id]] >= 0 for c in (corpus, edited, restored)] == [
        True, False, True,
    ]  # fmt: skip


def test_rank_is_pin_then_thread_then_kind_then_confidence_then_newest_then_id(
    memory: Make, view: View
) -> None:
    """Backfill follows one order that nobody has to guess."""
    expected = [
        memory("pin", pinned=True),
        memory("here-promise", thread="harbour", kind=Kind.PROMISE),
        memory("here-fact", thread="harbour"),
        memory("promise", kind=Kind.PROMISE),
        memory("sure"),
        memory("newer", confidence=0.8, hours=2),
        memory("a-older", confidence=0.8),
        memory("b-older", confidence=0.8),
    ]
    corpus = Corpus.build(view, language("en"), expected[::-1])
    assert [corpus.memories[r].memory_id for r in corpus.order] == [m.memory_id for m in expected]


def test_a_vector_of_another_dimension_or_with_a_hole_is_left_out(
    memory: Make, vector: MakeVector, view: View
) -> None:
    """A damaged row costs one memory its meaning, not the turn."""
    good, short, holed = memory("good"), memory("short"), memory("holed")
    rows = [vector(good), vector(short, [1.0, 2.0]), vector(holed, [float("nan"), *[1.0] * 7])]
    corpus = Corpus.build(view, language("en"), [good, short, holed], rows)
    assert {m.memory_id: corpus.columns.vector[corpus.row_of[m.memory_id]] >= 0 for m in corpus.memories} == {
        "good": True, "short": False, "holed": False,
    }  # fmt: skip
