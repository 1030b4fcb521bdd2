"""Vectors of messages amid their neighbours: told when missing, gone with the words, nobody else's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from souvenance.domain import MessageId, Redacted, Switch, ThreadId
from souvenance.errors import BadInput
from souvenance.ports import Store, Unwindowed, WindowRow
from souvenance.writes import AddMessage, PutThread, RedactMessage, SetSwitch

World = Any  # see conftest.World

MAIN = [ThreadId("main")]


def talked(store: Store, world: World, exchanges: int = 3, thread: str = "main") -> None:
    for number in range(exchanges):
        world.commit(store, *world.exchange(number, thread))


def due(store: Store, embedder: str = "e1") -> Unwindowed:
    (one,) = store.windows.due(embedder, 9)
    return one


def windowed(store: Store, world: World, *ids: str, embedder: str = "e1") -> None:
    """One row for each of these messages, and all done."""
    one = due(store, embedder)
    rows = [world.window(world.message(i), f"around {i}") for i in ids]
    assert store.windows.put(embedder, one, rows, one.thread.head)


def held(store: Store, world: World, embedder: str = "e1", since: int = 0) -> list[str]:
    return [row.message_id for row in store.windows.load(world.address, embedder, MAIN, since)]


def test_a_window_comes_back_bit_for_bit(store: Store, world: World) -> None:
    """Scores computed from it must not depend on where it rested."""
    talked(store, world, 1)
    values = np.random.default_rng(3).normal(size=256).astype(np.float32)
    row = WindowRow(world.address, MessageId("main-m0"), "narrow", "f1", values)
    assert store.windows.put("e1", due(store), [row], None)
    (back,) = store.windows.load(world.address, "e1", MAIN)
    assert back.vector.dtype == np.float32
    assert back.vector.tobytes() == values.tobytes()
    assert (back.address, back.message_id, back.window, back.fingerprint) == (
        world.address, "main-m0", "narrow", "f1",
    )  # fmt: skip


def test_a_thread_is_due_until_all_its_windows_are_there(store: Store, world: World) -> None:
    """The last used first, for each embedder apart, and again when somebody speaks."""
    talked(store, world, 2)
    assert due(store).done is None
    assert store.windows.put("e1", due(store), [], None)
    assert due(store).done is None
    windowed(store, world, "main-m0")
    assert store.windows.due("e1", 9) == []
    assert due(store, "e2").thread.thread == "main"
    world.commit(store, *world.exchange(2))
    assert due(store).done == "main-r1"
    world.commit(store, *world.exchange(0, "aside"))
    world.commit(
        store, PutThread(replace(world.thread("aside", "aside-r0"), last_at=world.later(5)))
    )
    assert [one.thread.thread for one in store.windows.due("e1", 9)] == ["aside", "main"]
    assert [one.thread.thread for one in store.windows.due("e1", 1)] == ["aside"]


def test_an_empty_thread_is_never_due(store: Store, world: World) -> None:
    """There is nothing to embed in it."""
    world.commit(store, PutThread(world.thread("main")))
    assert store.windows.due("e1", 9) == []
    assert store.windows.stamp(world.view()).heads == ()


@pytest.mark.parametrize("narrow", ["person", "character", "thread"])
def test_a_conversation_that_is_off_is_neither_due_nor_seen(
    store: Store, world: World, narrow: str
) -> None:
    """Off means nothing written and nothing served, at each width of the switch."""
    talked(store, world, 1)
    where = world.address
    character = None if narrow == "person" else where.character
    thread = ThreadId("main") if narrow == "thread" else None
    switch = Switch(where.space, where.person, character, thread, world.now)
    world.commit(store, SetSwitch(switch, True))
    assert store.windows.due("e1", 9) == []
    assert store.windows.stamp(world.view("main")).heads == ()
    world.commit(store, SetSwitch(switch, False))
    assert due(store).thread.thread == "main"
    assert store.windows.stamp(world.view("main")).heads == (("main", "main-r0"),)


def test_anothers_switch_leaves_mine_alone(store: Store, world: World) -> None:
    """One character is off, another is not."""
    talked(store, world, 1)
    other = world.at(character="noor")
    switch = Switch(
        other.address.space, other.address.person, other.address.character, None, world.now
    )
    world.commit(store, SetSwitch(switch, True))
    assert due(store).thread.address == world.address


def test_a_message_that_loses_words_loses_its_windows_and_its_neighbours(
    store: Store, world: World
) -> None:
    """They were made of those words; further ones were not, and stay."""
    talked(store, world, 4)
    ids = [f"main-{who}{n}" for n in range(4) for who in "mr"]
    windowed(store, world, *ids)
    edits = store.windows.stamp(world.view()).edits
    world.commit(store, RedactMessage(world.address, MessageId("main-r1"), Redacted("[phone]"), ()))
    assert sorted(held(store, world)) == sorted(["main-m0", "main-m3", "main-r3"])
    assert due(store).done is None, "what is left is looked at again"
    assert store.windows.stamp(world.view()).edits == edits + 1
    assert store.check().counts["windows"] == 3
    assert store.check().problems == ()


def test_what_was_read_before_words_were_taken_out_is_not_kept(store: Store, world: World) -> None:
    """An embedder that answers late would bring the old words back as figures."""
    talked(store, world, 1)
    late = due(store)
    row = world.window(world.message("main-m0"), "old words")
    world.commit(store, RedactMessage(world.address, MessageId("main-m0"), Redacted("new"), ()))
    assert not store.windows.put("e1", late, [row], late.thread.head)
    assert held(store, world) == []
    assert due(store).done is None


def test_a_later_window_of_a_message_takes_the_place_of_the_one_before(
    store: Store, world: World
) -> None:
    """The last message of a talk gets its follower later."""
    talked(store, world, 1)
    one = due(store)
    message = world.message("main-r0")
    store.windows.put("e1", one, [world.window(message, "alone", 1.0)], None)
    store.windows.put("e1", one, [world.window(message, "narrow", 1.0, window="narrow")], None)
    store.windows.put("e1", one, [world.window(message, "followed", 0.0, 1.0)], None)
    found = store.windows.load(world.address, "e1", MAIN)
    assert [(row.window, row.vector.tolist()) for row in found] == [
        ("narrow", [1.0]), ("wide", [0.0, 1.0]),
    ]  # fmt: skip
    assert store.windows.known(world.address, "e1", [message.message_id]) == {
        (row.message_id, row.window, row.fingerprint) for row in found
    }
    assert store.windows.known(world.address, "e2", [message.message_id]) == set()


def test_branches_keep_the_windows_of_both_sides(store: Store, world: World) -> None:
    """Otherwise each branch would take the other's away."""
    talked(store, world, 1)
    said = world.message("main-m0")
    store.windows.put("e1", due(store), [world.window(said, "first answer")], None)
    other = replace(world.message("main-x0", "main-m0"), role="character")
    world.commit(store, AddMessage(other), PutThread(world.thread(head="main-x0")))
    store.windows.put("e1", due(store), [world.window(said, "second answer")], None)
    assert held(store, world) == ["main-m0", "main-m0"]


def test_windows_of_messages_that_are_not_there_are_passed_over(store: Store, world: World) -> None:
    """A message erased while it was embedded leaves no trace."""
    talked(store, world, 1)
    one = due(store)
    rows = [world.window(world.message(i), i) for i in ("never", "main-m0")]
    assert store.windows.put("e1", one, rows, None)
    assert held(store, world) == ["main-m0"]


def test_a_later_load_brings_what_is_new(store: Store, world: World) -> None:
    """The stamp tells when, and from where to go on."""
    talked(store, world, 2)
    stamps = [store.windows.stamp(world.view()).windows]
    for message_id in ("main-m0", "main-m1"):
        row = world.window(world.message(message_id), message_id)
        store.windows.put("e1", due(store), [row], None)
        stamps.append(store.windows.stamp(world.view()).windows)
    assert stamps == sorted(set(stamps))
    assert held(store, world, since=stamps[0]) == ["main-m0", "main-m1"]
    assert held(store, world, since=stamps[1]) == ["main-m1"]
    assert held(store, world, since=stamps[2]) == []
    assert held(store, world, embedder="e2") == []


def test_a_view_sees_the_threads_of_its_own(store: Store, world: World) -> None:
    """Other people, characters, timelines, and other threads under strict isolation have their own."""
    talked(store, world, 1)
    talked(store, world, 1, "aside")
    others = [world.at("oskar"), world.at(character="noor")]
    for other in others:
        talked(store, other, 1)
    world.commit(store, world.fork("child", "main", 1))
    world.commit(store, PutThread(world.thread("branch", "main-r0", "child")))

    def threads(view: Any) -> list[str]:
        return [thread for thread, _ in store.windows.stamp(view).heads]

    assert threads(world.view("main")) == ["aside", "main"]
    assert threads(world.view()) == ["aside", "main"]
    assert threads(world.view("main", isolation="thread")) == ["main"]
    assert threads(world.view("branch", "child")) == ["branch"]
    assert threads(others[0].view("main")) == ["main"]
    for one in store.windows.due("e1", 9):
        for message_id in ("main-m0", "aside-m0"):
            row = WindowRow(
                one.thread.address, MessageId(message_id), "wide", "f", np.ones(2, np.float32)
            )
            store.windows.put("e1", one, [row], None)
    assert held(store, world) == ["main-m0"]
    aside = store.windows.load(world.address, "e1", [ThreadId("aside")])
    assert [row.message_id for row in aside] == ["aside-m0"]
    for other in others:
        assert held(store, other) == ["main-m0"]


@pytest.mark.parametrize("vector", [np.zeros((2, 2)), np.zeros(0), np.array([np.nan])])
def test_a_window_that_is_no_vector_is_refused(store: Store, world: World, vector: Any) -> None:
    """One figure that is none would spoil every score."""
    talked(store, world, 1)
    row = world.window(world.message("main-m0"), "x")
    with pytest.raises(BadInput):
        store.windows.put("e1", due(store), [row, replace(row, vector=vector)], None)
    assert held(store, world) == []


def test_a_window_of_another_address_is_refused(store: Store, world: World) -> None:
    """One thread's rows come together, and are its own."""
    talked(store, world, 1)
    other = world.at("oskar")
    with pytest.raises(BadInput):
        store.windows.put("e1", due(store), [other.window(other.message("main-m0"), "x")], None)


def test_the_windows_of_an_embedder_can_be_dropped_a_few_at_a_time(
    store: Store, world: World
) -> None:
    """When another model answers to its name; the other embedders keep theirs, and all is due again."""
    talked(store, world, 1)
    windowed(store, world, "main-m0", "main-r0")
    windowed(store, world, "main-m0", embedder="e2")
    late, edits = due(store, "e3"), store.windows.stamp(world.view()).edits
    sizes = {one.embedder: (one.rows, one.bytes) for one in store.vectors.held()}
    assert sizes == {"e1": (2, 24), "e2": (1, 12)}
    assert [store.windows.drop("e1", 1) for _ in range(3)] == [1, 1, 0]
    assert (held(store, world), held(store, world, "e2")) == ([], ["main-m0"])
    assert due(store).done is None
    assert store.windows.due("e2", 9) == []
    assert store.windows.stamp(world.view()).edits > edits, "a cache must not keep them"
    assert not store.windows.put("e1", late, [], None)
