"""People, characters, threads and the tree of messages, as every store reads them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from souvenance.domain import (
    Bounds,
    Character,
    CharacterId,
    MessageId,
    Space,
    ThreadId,
    Timeline,
    TimelineId,
)
from souvenance.errors import BadInput, Conflict
from souvenance.ports import Store
from souvenance.writes import AddMessage, PutThread, PutTimeline

World = Any  # see conftest.World


def ids(messages: list[Any]) -> list[str]:
    return [m.message_id for m in messages]


def test_a_path_is_the_active_one(store: Store, world: World) -> None:
    """A regenerated reply leaves the earlier one beside the path, not on it."""
    world.commit(
        store,
        AddMessage(world.message("hi")),
        AddMessage(world.message("first answer", "hi")),
        AddMessage(world.message("second answer", "hi")),
        AddMessage(world.message("thanks", "second answer")),
        PutThread(world.thread(head="thanks")),
    )
    thread = world.thread().thread
    read = store.conversations.path
    assert ids(read(world.address, thread, 10)) == ["hi", "second answer", "thanks"]
    assert ids(read(world.address, thread, 2)) == ["second answer", "thanks"]
    other = read(world.address, thread, 10, upto=MessageId("first answer"))
    assert ids(other) == ["hi", "first answer"]
    assert read(world.address, thread, 0) == []


def test_a_path_crosses_into_the_thread_it_branched_from(store: Store, world: World) -> None:
    """A branch keeps what was said before it."""
    world.commit(store, *world.exchange(0))
    world.commit(
        store,
        AddMessage(world.message("aside", "main-m0", thread="branch")),
        PutThread(world.thread("branch", head="aside")),
    )
    assert ids(store.conversations.path(world.address, ThreadId("branch"), 9)) == [
        "main-m0",
        "aside",
    ]


def test_what_is_not_there_reads_as_nothing(store: Store, world: World) -> None:
    """An unknown person is not an error for a reader."""
    nowhere = ThreadId("nowhere")
    assert store.conversations.path(world.address, nowhere, 5) == []
    assert store.conversations.path(world.address, nowhere, 5, upto=MessageId("no")) == []
    assert store.conversations.thread(world.address, nowhere) is None
    assert store.conversations.messages(world.address, [MessageId("no")]) == []
    assert store.conversations.threads(world.address.space, world.address.person) == []
    assert store.conversations.timelines(world.address) == []
    assert store.conversations.turns(world.address) == 0
    assert store.conversations.switches(world.address.space, world.address.person) == []


def test_messages_come_by_seq_whatever_the_order_asked(store: Store, world: World) -> None:
    """And those of one commit in the order they were written."""
    for number in range(2):
        world.commit(store, *world.exchange(number))
    asked = [MessageId(m) for m in ("main-r1", "nowhere", "main-m0", "main-m1", "main-m0")]
    assert ids(store.conversations.messages(world.address, asked)) == [
        "main-m0",
        "main-m1",
        "main-r1",
    ]


def test_messages_of_another_address_are_not_seen(store: Store, world: World) -> None:
    """The same message id at two addresses is two messages."""
    other = world.at(character="noor")
    world.commit(store, AddMessage(world.message("m1", text="to bao")), PutThread(world.thread()))
    other.commit(store, AddMessage(other.message("m1", text="to noor")), PutThread(other.thread()))
    (seen,) = store.conversations.messages(other.address, [MessageId("m1")])
    assert seen.text == "to noor"


def test_threads_come_last_used_first(store: Store, world: World) -> None:
    """The one to go on with is on top; names decide ties."""
    quiet, busy = world.thread("quiet"), replace(world.thread("busy"), last_at=world.later(5))
    noor = world.at(character="noor")
    world.commit(store, PutThread(quiet), PutThread(busy), PutThread(noor.thread("apart")))
    who = (world.address.space, world.address.person)
    assert store.conversations.threads(*who) == [busy, quiet, noor.thread("apart")]
    assert store.conversations.threads(*who, noor.address.character) == [noor.thread("apart")]
    renamed = replace(quiet, title="the boat", last_at=world.later(9))
    world.commit(store, PutThread(renamed))
    assert store.conversations.thread(world.address, quiet.thread) == renamed


def test_characters_are_rows_that_can_be_replaced(store: Store) -> None:
    """A persona is edited in place; it is not a memory."""
    here = Space("studio")
    bao = Character(
        here,
        CharacterId("bao"),
        "Bao",
        "A ferryman who collects weather.",
        "fr",
        "thread",
        "agent",
        "Bonsoir.",
        {"trust": Bounds(0.0, 1.0, 0.25)},
    )
    noor = Character(here, CharacterId("noor"), "Noor", "Keeps bees.")
    for character in (noor, bao, replace(noor, persona="Keeps wasps.")):
        store.conversations.put_character(character)
    assert store.conversations.characters(here) == [bao, replace(noor, persona="Keeps wasps.")]
    assert store.conversations.character(here, bao.character) == bao
    assert store.conversations.character(Space("elsewhere"), bao.character) is None


def test_one_timeline_is_the_main_one(store: Store, world: World) -> None:
    """Making another one the main one takes it from the first."""
    world.commit(store, *world.exchange(0))
    fork = world.fork("what if", "main", 1)
    world.commit(store, fork)
    world.commit(store, PutTimeline(replace(fork.timeline, is_main=True)))
    mains = {t.timeline: t.is_main for t in store.conversations.timelines(world.address)}
    assert mains == {"main": False, "what if": True}
    assert store.check().problems == ()


def test_a_fork_never_moves(store: Store, world: World) -> None:
    """What a timeline inherited would change under it."""
    world.commit(store, *world.exchange(0), world.fork("what if", "main", 0))
    with pytest.raises(Conflict):
        world.commit(store, world.fork("what if", "main", 1))
    with pytest.raises(BadInput):
        half = Timeline(
            world.address, TimelineId("half"), TimelineId("main"), None, False, world.now
        )
        world.commit(store, PutTimeline(half))
