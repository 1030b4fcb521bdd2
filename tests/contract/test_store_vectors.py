"""Vectors are derived: what is missing is told, what is stale is not served."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from souvenance.domain import MemoryId, Person, Seq, Status, TimelineId
from souvenance.errors import BadInput
from souvenance.ports import Store, VectorRow
from souvenance.writes import PutPerson

World = Any  # see conftest.World


def missing(store: Store, embedder: str = "e1", limit: int = 99) -> list[str]:
    return [memory.text for _, memory in store.vectors.missing(embedder, limit)]


def loaded(store: Store, view: Any, embedder: str = "e1", since: int = 0) -> list[str]:
    return [row.memory_id for row in store.vectors.load(view, embedder, since)]


def test_a_vector_comes_back_bit_for_bit(store: Store, world: World) -> None:
    """Scores computed from it must not depend on where it rested."""
    memory = world.memory("k1")
    world.remember(store, memory)
    values = np.random.default_rng(7).normal(size=384).astype(np.float32)
    store.vectors.put(
        "e1", [VectorRow(world.address, memory.memory_id, memory.fingerprint, values)]
    )
    (row,) = store.vectors.load(world.view(), "e1")
    assert row.vector.dtype == np.float32
    assert row.vector.tobytes() == values.tobytes()
    assert (row.address, row.fingerprint) == (world.address, memory.fingerprint)


def test_what_has_no_vector_is_missing(store: Store, world: World) -> None:
    """Oldest first, over all people, up to a limit; closed memories need none."""
    other = world.at("oskar")
    other.remember(store, other.memory("o1", "older", changed_at=world.later(-60)))
    world.remember(store, world.memory("k1", "newer"))
    world.remember(store, world.memory("k2", "closed", status=Status.FORGOTTEN))
    assert missing(store) == ["older", "newer"]
    assert missing(store, limit=1) == ["older"]
    store.vectors.put("e1", [other.vector(other.memory("o1", "older"))])
    assert missing(store) == ["newer"]
    assert missing(store, "e2") == ["older", "newer"]


def test_a_changed_text_is_missing_again_and_not_served(store: Store, world: World) -> None:
    """The vector of other words would find the wrong memory."""
    before = world.memory("k1", "has a boat")
    first = world.remember(store, before)
    store.vectors.put("e1", [world.vector(before)])
    after = world.memory("k1", "has a red boat")
    world.remember(store, after, first)
    assert loaded(store, world.view()) == []
    assert missing(store) == ["has a red boat"]
    store.vectors.put("e1", [world.vector(before)])  # an embedder that answers late
    assert loaded(store, world.view()) == []
    store.vectors.put("e1", [world.vector(after)])
    assert loaded(store, world.view()) == ["k1"]
    assert missing(store) == []
    assert store.check().counts["vectors"] == 1


def test_a_closed_memory_keeps_its_vector(store: Store, world: World) -> None:
    """Undo finds it again at once."""
    memory = world.memory("k1")
    first = world.remember(store, memory)
    store.vectors.put("e1", [world.vector(memory)])
    world.remember(store, replace(memory, status=Status.FORGOTTEN), first)
    assert loaded(store, world.view()) == ["k1"]


def test_a_later_load_brings_what_is_new(store: Store, world: World) -> None:
    """The stamp tells when, and from where to go on."""
    one, two = world.memory("k1"), world.memory("k2")
    for memory in (one, two):
        world.remember(store, memory)
    stamps = [store.memories.stamp(world.view()).vector_stamp]
    for memory in (one, two):
        store.vectors.put("e1", [world.vector(memory)])
        stamps.append(store.memories.stamp(world.view()).vector_stamp)
    assert stamps == sorted(set(stamps))
    assert loaded(store, world.view(), since=stamps[0]) == ["k1", "k2"]
    assert loaded(store, world.view(), since=stamps[1]) == ["k2"]
    assert loaded(store, world.view(), since=stamps[2]) == []
    store.vectors.put("e1", [world.vector(one, 0.0, 1.0, 0.0)])
    (again,) = store.vectors.load(world.view(), "e1", since=stamps[2])
    assert again.vector.tolist() == [0.0, 1.0, 0.0]


def test_vectors_of_nothing_are_not_kept(store: Store, world: World) -> None:
    """A memory erased while it was embedded leaves no trace."""
    store.vectors.put("e1", [])
    store.vectors.put("e1", [world.vector(world.memory("never"))])
    world.remember(store, world.memory("k1"))
    store.vectors.put("e1", [world.vector(world.memory("never"))])
    assert store.check().counts["vectors"] == 0
    assert store.memories.stamp(world.view()).vector_stamp == 0


def test_embedders_stand_side_by_side(store: Store, world: World) -> None:
    """A new embedder fills its own rows while the old one serves."""
    memory = world.memory("k1")
    world.remember(store, memory)
    store.vectors.put("e1", [world.vector(memory, 1.0, 0.0)])
    store.vectors.put("e2", [world.vector(memory, 0.0, 1.0, 0.0)])
    assert [r.vector.size for r in store.vectors.load(world.view(), "e1")] == [2]
    assert [r.vector.size for r in store.vectors.load(world.view(), "e2")] == [3]


def test_a_view_loads_only_what_it_sees(store: Store, world: World) -> None:
    """Other threads, people and characters have their own."""
    mine, aside = world.memory("k1"), world.memory("k2", thread="aside")
    others = [world.at("oskar"), world.at(character="noor")]
    for who, memory in [(world, mine), (world, aside), *[(o, o.memory("k1")) for o in others]]:
        who.remember(store, memory)
        store.vectors.put("e1", [who.vector(memory)])
    assert loaded(store, world.view()) == ["k1", "k2"]
    assert loaded(store, world.view("main")) == ["k1"]
    assert loaded(store, world.view("aside", isolation="thread")) == ["k2"]
    assert loaded(store, others[0].view()) == ["k1"]


def test_a_fork_keeps_vectors_for_both_texts(store: Store, world: World) -> None:
    """Otherwise each side would take the other's away, and the index would never end."""
    trunk = world.memory("k1", "has a dog")
    first = world.remember(store, trunk)
    world.commit(store, world.fork("child", "main", 1))
    branch = replace(world.memory("k1", "has no dog"), timeline=TimelineId("child"))
    world.remember(store, branch, first)
    newer = world.memory("k1", "has two dogs")
    world.commit(store, world.fork("still", "main", 1))
    world.remember(store, newer, first)
    assert sorted(missing(store)) == ["has a dog", "has no dog", "has two dogs"]
    store.vectors.put("e1", [world.vector(m) for m in (trunk, branch, newer)])
    assert missing(store) == []
    for timeline, text in (("main", newer), ("child", branch), ("still", trunk)):
        (row,) = store.vectors.load(world.view(timeline=timeline), "e1")
        assert row.fingerprint == text.fingerprint


@pytest.mark.parametrize(
    "vector",
    [np.zeros((2, 2)), np.zeros(0), np.array([1.0, np.nan]), np.array([np.inf])],
    ids=["matrix", "empty", "nan", "infinite"],
)
def test_a_vector_that_is_none_is_refused(store: Store, world: World, vector: Any) -> None:
    """One figure that is none would spoil every score."""
    memory = world.memory("k1")
    world.remember(store, memory)
    bad = VectorRow(world.address, MemoryId("k1"), memory.fingerprint, vector.astype(np.float32))
    with pytest.raises(BadInput):
        store.vectors.put("e1", [world.vector(memory), bad])
    assert loaded(store, world.view()) == []
    assert store.memories.stamp(world.view()).memory_seq == Seq(1)


def test_progress_counts_what_has_a_vector_and_what_should(store: Store, world: World) -> None:
    """Of current active memories, over all people, for one embedder."""
    other = world.at("oskar")
    other.remember(store, other.memory("o1", "older"))
    world.remember(store, world.memory("k1", "newer"))
    world.remember(store, world.memory("k2", "closed", status=Status.FORGOTTEN))
    assert store.vectors.progress("e1") == (0, 2)
    store.vectors.put("e1", [other.vector(other.memory("o1", "older"))])
    assert (store.vectors.progress("e1"), store.vectors.progress("e2")) == ((1, 2), (0, 2))


def test_what_is_held_is_told_by_embedder_and_dropped_a_few_at_a_time(
    store: Store, world: World
) -> None:
    """Vectors of an embedder that is no longer used only take room; those of others stay."""
    notes = [world.memory(f"k{n}", f"note {n}") for n in range(5)]
    for note in notes:
        world.remember(store, note)
    for name in ("e1", "e2"):
        store.vectors.put(name, [world.vector(note) for note in notes])
    size = len(world.vector(notes[0]).vector)
    held = [(h.embedder, h.dimension, h.rows, h.bytes) for h in store.vectors.held()]
    assert held == [("e1", size, 5, 20 * size), ("e2", size, 5, 20 * size)]
    assert [store.vectors.drop("e1", 3) for _ in range(3)] == [3, 2, 0]
    assert [h.embedder for h in store.vectors.held()] == ["e2"]
    assert (missing(store, "e1"), len(loaded(store, world.view(), "e2"))) == (
        [n.text for n in notes],
        5,
    )


def test_another_name_makes_all_vectors_anew(store: Store, world: World) -> None:
    """Memories are embedded as the person would say them, and their name is part of that."""
    other, memory = world.at("oskar"), world.memory("k1", "keeps bees")
    for one in (world, other):
        kept = one.memory("k1", "keeps bees")
        one.remember(store, kept)
        store.vectors.put("e1", [one.vector(kept)])

    def call(name: str, time_zone: str | None = None) -> None:
        at = world.address
        named = Person(at.space, at.person, name, time_zone=time_zone)
        store.commit(at.space, at.person, [PutPerson(named)])

    call("Ines")
    assert missing(store) == ["keeps bees"]
    store.vectors.put("e1", [world.vector(memory)])
    call("Ines", "Europe/Lisbon")
    assert missing(store) == []
    assert loaded(store, other.view()) == ["k1"]
