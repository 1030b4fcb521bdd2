"""What a view sees of what is remembered: now, then, and across forks."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from souvenance.domain import (
    Cause,
    Kind,
    MemoryId,
    MessageId,
    Redacted,
    Seq,
    Source,
    Stamp,
    Status,
    TimelineId,
)
from souvenance.errors import Conflict
from souvenance.ports import Store
from souvenance.writes import AddJournal, AddVersion, PutThread

World = Any  # see conftest.World


def texts(memories: list[Any]) -> list[str]:
    return [m.text for m in memories]


def on(timeline: str, memory: Any) -> Any:
    return replace(memory, timeline=TimelineId(timeline))


def test_every_field_comes_back(store: Store, world: World) -> None:
    """A memory is shown, exported and compared by what was written."""
    full = world.memory(
        "k1",
        "plays the viola on Thursdays",
        "main",
        kind=Kind.PREFERENCE,
        born_at=world.later(-9),
        cause=Cause("merge", "k0", "more detail"),
        status=Status.SUPERSEDED,
        source=Source.CHARACTER,
        importance=4,
        confidence=0.625,
        pinned=True,
        edited=True,
        quote=Redacted("on Thursdays"),
        messages=(MessageId("m1"), MessageId("m2")),
        entity="viola",
        attribute="day",
        value="Thursday",
        starts=date(2031, 4, 1),
        until=date(2031, 6, 30),
        successor=MemoryId("k2"),
        born_turn=17,
    )
    seq = world.remember(store, full)
    assert store.memories.current(world.view()) == [replace(full, seq_from=seq)]


def test_a_change_closes_the_state_before_it(store: Store, world: World) -> None:
    """Nothing is overwritten: the earlier words can be read, and read as of then."""
    first = world.remember(store, world.memory("k1", "lives in Brest"))
    between = world.remember(store, world.memory("k2"))
    second = world.remember(store, world.memory("k1", "lives in Vannes"), first)
    third = world.remember(
        store, world.memory("k1", "lives in Vannes", status=Status.FORGOTTEN), second
    )
    history = store.memories.history(world.view(), MemoryId("k1"))
    assert [(m.text, m.seq_from, m.seq_to) for m in history] == [
        ("lives in Brest", first, second),
        ("lives in Vannes", second, third),
        ("lives in Vannes", third, None),
    ]
    assert texts(store.memories.as_of(world.view(), between)) == ["lives in Brest", "what k2 says"]
    assert texts(store.memories.as_of(world.view(), Seq(0))) == []
    assert [m.status for m in store.memories.current(world.view())] == ["active", "forgotten"]
    assert store.memories.history(world.view(), MemoryId("never")) == []


def test_a_delta_holds_what_changed_since(store: Store, world: World) -> None:
    """A cache asks for little and is told all of it."""
    first = world.remember(store, world.memory("k1", "one"))
    world.remember(store, world.memory("k2", "two"))
    world.remember(store, world.memory("k1", "one, better"), first)
    assert texts(store.memories.current(world.view(), since=Seq(1))) == ["two", "one, better"]
    assert texts(store.memories.current(world.view(), since=Seq(2))) == ["one, better"]
    assert store.memories.current(world.view(), since=Seq(3)) == []
    assert store.memories.stamp(world.view()) == Stamp(Seq(3), 0, 0)


def test_the_stamp_moves_with_memories_only(store: Store, world: World) -> None:
    """Messages do not make a cache of memories stale."""
    assert store.memories.stamp(world.view()) == Stamp(Seq(0), 0, 0)
    world.remember(store, world.memory("k1"))
    world.commit(store, *world.exchange(0))
    assert store.memories.stamp(world.view()) == Stamp(Seq(1), 0, 0)


@pytest.mark.parametrize(
    ("thread", "isolation", "seen"),
    [
        (None, "character", ["everywhere", "in one", "in two"]),
        (None, "thread", ["everywhere", "in one", "in two"]),
        ("one", "character", ["everywhere", "in one"]),
        ("one", "thread", ["in one"]),
        ("three", "character", ["everywhere"]),
        ("three", "thread", []),
    ],
)
def test_a_view_sees_its_thread_and_what_is_global(
    store: Store, world: World, thread: str | None, isolation: str, seen: list[str]
) -> None:
    """Strict isolation leaves the globals out; a list of everything leaves nothing out."""
    where = {"everywhere": None, "in one": "one", "in two": "two"}
    for text, scope in where.items():
        world.remember(store, world.memory(text, text, scope))
        world.commit(store, AddJournal(world.entry("added", scope, text=Redacted(text))))
    view = world.view(thread, isolation=isolation)
    assert texts(store.memories.current(view)) == seen
    assert texts(store.memories.as_of(view, Seq(99))) == seen
    assert texts(store.memories.journal(view)[::-1]) == seen
    for text in where:
        history = store.memories.history(view, MemoryId(text))
        assert texts(history) == ([text] if text in seen else [])


def test_a_view_never_sees_another_address(store: Store, world: World) -> None:
    """Not the same person with another character, nor another person whose name begins the same."""
    world.remember(store, world.memory("k1", "mine"))
    for other in (world.at("ines2"), world.at("ine"), world.at(character="bao2"), world.at("%")):
        assert store.memories.current(other.view()) == []
        assert store.memories.history(other.view(), MemoryId("k1")) == []
        other.remember(store, other.memory("k1", "theirs"))
    assert texts(store.memories.current(world.view())) == ["mine"]


def test_the_journal_gives_the_newest_first(store: Store, world: World) -> None:
    """What was just noted is what a person asks about."""
    for action in ("added", "dropped", "merged"):
        first, second = (
            world.entry(action, text=Redacted(f"{action} {part}"), reason="why", ref="job-1")
            for part in "ab"
        )
        world.commit(store, AddJournal(first), AddJournal(second))
    read = store.memories.journal
    assert texts(read(world.view(), limit=3)) == ["merged b", "merged a", "dropped b"]
    assert texts(read(world.view(), actions=["added", "merged"])) == [
        "merged b",
        "merged a",
        "added b",
        "added a",
    ]


# --- forks ---------------------------------------------------------------------------------------


def test_a_fork_sees_its_parent_as_of_the_fork(store: Store, world: World) -> None:
    """It copies nothing, and what either side writes later stays there."""
    first = world.remember(store, world.memory("k1", "has a dog"))
    world.remember(store, world.memory("k2", "likes fog"))
    world.commit(store, world.fork("child", "main", 2))
    world.remember(store, world.memory("k1", "has two dogs"), first)
    world.remember(store, world.memory("k3", "moved away"))
    child = world.view(timeline="child")
    assert [(m.text, m.seq_to) for m in store.memories.current(child)] == [
        ("has a dog", None),
        ("likes fog", None),
    ]
    world.remember(store, on("child", world.memory("k1", "gave the dog away")), first)
    world.remember(store, on("child", world.memory("k4", "stayed")))
    assert texts(store.memories.current(child)) == ["likes fog", "gave the dog away", "stayed"]
    assert texts(store.memories.current(world.view())) == [
        "likes fog",
        "has two dogs",
        "moved away",
    ]
    history = store.memories.history(child, MemoryId("k1"))
    assert [(m.text, m.seq_from, m.seq_to) for m in history] == [
        ("has a dog", 1, 6),
        ("gave the dog away", 6, None),
    ]
    assert store.check().problems == ()


def test_a_grandchild_sees_the_earliest_fork_on_its_way(store: Store, world: World) -> None:
    """A fork made of a child's past does not see what the parent said to the child since."""
    for number in range(1, 5):
        world.remember(store, world.memory(f"k{number}"))
    world.commit(store, world.fork("child", "main", 3))
    world.remember(store, on("child", world.memory("own of child")))
    world.commit(store, world.fork("before", "child", 2), world.fork("after", "child", 6))
    read = store.memories.current
    assert [m.memory_id for m in read(world.view(timeline="before"))] == ["k1", "k2"]
    assert [m.memory_id for m in read(world.view(timeline="after"))] == [
        "k1",
        "k2",
        "k3",
        "own of child",
    ]


def test_a_fork_read_as_of_before_it_is_its_parent_then(store: Store, world: World) -> None:
    """Time travel goes through the fork."""
    first = world.remember(store, world.memory("k1", "one"))
    second = world.remember(store, world.memory("k1", "one, better"), first)
    world.commit(store, world.fork("child", "main", 2))
    world.remember(store, on("child", world.memory("k1", "one, best")), second)
    child = world.view(timeline="child")
    assert texts(store.memories.as_of(child, Seq(1))) == ["one"]
    assert texts(store.memories.as_of(child, Seq(3))) == ["one, better"]
    assert texts(store.memories.as_of(child, Seq(4))) == ["one, best"]


def test_a_fork_decides_on_what_it_sees(store: Store, world: World) -> None:
    """The state a child changes is the one it inherited, not the parent's newest."""
    first = world.remember(store, world.memory("k1", "one"))
    world.commit(store, world.fork("child", "main", 1))
    newer = world.remember(store, world.memory("k1", "one, in main"), first)
    changed = on("child", world.memory("k1", "one, in child"))
    for stale in (None, newer):
        with pytest.raises(Conflict):
            world.remember(store, changed, stale)
    own = world.remember(store, changed, first)
    with pytest.raises(Conflict):
        world.remember(store, changed, first)
    world.remember(store, on("child", world.memory("k1", "again")), own)


def test_a_memory_a_fork_closed_stays_closed_there(store: Store, world: World) -> None:
    """Forgetting on one side hides the inherited state, and only there."""
    first = world.remember(store, world.memory("k1", "one", "main"))
    world.commit(store, PutThread(world.thread()), world.fork("child", "main", 1))
    gone = on("child", world.memory("k1", "one", "main", status=Status.FORGOTTEN))
    world.remember(store, gone, first)
    (seen,) = store.memories.current(world.view("main", "child"))
    assert seen.status is Status.FORGOTTEN
    (kept,) = store.memories.current(world.view("main"))
    assert kept.status is Status.ACTIVE


def test_a_delta_works_across_a_fork(store: Store, world: World) -> None:
    """A cache of a branch learns what changed there, and nothing of the trunk."""
    first = world.remember(store, world.memory("k1"))
    world.commit(store, world.fork("child", "main", 1))
    world.commit(store, AddVersion(world.memory("trunk only"), None))
    world.remember(store, on("child", world.memory("k1", "changed")), first)
    assert texts(store.memories.current(world.view(timeline="child"), since=Seq(1))) == ["changed"]
