"""What is counted of turns: which memories came up, in whose thread, and what each block of turns served."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from souvenance.counts import BLOCK_TOP, BLOCK_TURNS, Counters, Stretch, Tally, TurnClock
from souvenance.domain import (
    MemoryId,
    ThreadId,
)
from souvenance.errors import Conflict
from souvenance.ports import Store
from souvenance.stores.sqlite import open_store
from souvenance.stores.sqlite.keys import Erasure, Ledger, keys_path, name_of
from souvenance.stores.sqlite.migrate import shipped_migrations
from souvenance.writes import AddVersion, CountTurn

World = Any  # see conftest.World

#: The step that began to note threads, first times and blocks.
(FORGETTING,) = [m for m in shipped_migrations() if "create table tallies" in m.script]

_TRIALS = count()


def turn(
    world: World,
    served: str = "",
    retrieved: str = "",
    *,
    thread: str = "main",
    at: datetime | None = None,
    degraded: bool = False,
) -> CountTurn:
    """A turn that served these memories, given as words."""
    first, second = (tuple(MemoryId(i) for i in ids.split()) for ids in (served, retrieved))
    return CountTurn(world.address, ThreadId(thread), first, second, at or world.now, degraded)


def remember(store: Store, world: World, *ids: str) -> None:
    world.commit(store, *[AddVersion(world.memory(i), None) for i in ids])


def test_a_turn_counts_what_it_served_once_and_what_was_retrieved_among_it(
    store: Store, world: World
) -> None:
    """A memory comes up at most once in a turn; nothing is retrieved that was not served."""
    remember(store, world, "k1", "k2", "k3")
    world.commit(store, turn(world, "k1 k2 k1 gone", "k2 k3 gone"))
    world.commit(store, turn(world, "k2", at=world.later(60)))
    world.commit(store, turn(world, "k2 k3", "k3", at=world.later(90)))
    assert store.memories.counters(world.view()) == {
        "k1": Counters(1, 0, None, 1, None),
        "k2": Counters(3, 1, world.now, 1, 1),
        "k3": Counters(1, 1, world.later(90), 3, 3),
    }


def test_a_degraded_turn_counts_nothing_but_itself(store: Store, world: World) -> None:
    """Served without scores, a memory did not come up: the stages alone put it there."""
    remember(store, world, "k1")
    world.commit(store, turn(world, "k1", "k1", degraded=True))
    assert store.memories.counters(world.view()) == {}
    assert store.conversations.clock(world.address) == TurnClock(0, 1, ())
    assert store.conversations.tallies(world.address) == []
    world.commit(store, turn(world, "k1"))
    world.commit(store, turn(world, "k1", degraded=True))
    assert store.memories.counters(world.view())["k1"].served == 1
    assert store.conversations.clock(world.address).degraded == 2
    assert store.check().counts["degraded_turns"] == 2
    assert store.check().problems == ()


def test_a_turn_whose_exchange_is_refused_counts_nothing(store: Store, world: World) -> None:
    """Counters share the fate of the exchange: neither a lost one nor a second try of it is counted twice."""
    remember(store, world, "k1")
    with pytest.raises(Conflict):
        world.commit(store, turn(world, "k1", "k1"), AddVersion(world.memory("k1", "again"), None))
    assert store.memories.counters(world.view()) == {}
    assert store.conversations.clock(world.address) == TurnClock()
    world.commit(store, *world.exchange(0), turn(world, "k1", "k1"))
    assert store.memories.counters(world.view())["k1"].served == 1


def test_the_clock_tells_whose_thread_each_turn_was(store: Store, world: World) -> None:
    """A memory of one thread cannot come up in another's turns."""
    for name in ("main", "main", "boats", "main"):
        world.commit(store, turn(world, thread=name))
        world.commit(store, turn(world, thread="boats", degraded=True))
    other = world.at(character="noor")
    other.commit(store, turn(other, thread="main"))
    clock = store.conversations.clock(world.address)
    assert [(s.first, s.thread, s.turns) for s in clock.stretches] == [
        (1, "main", 2), (3, "boats", 1), (4, "main", 1)
    ]  # fmt: skip
    assert (clock.turns, clock.degraded) == (4, 4)
    assert store.conversations.clock(other.address).turns == 1


def test_a_block_of_turns_is_told_in_figures(store: Store, world: World) -> None:
    """Is it always the same twenty? One small row for each fifty turns answers for later."""
    names = [f"k{n:02d}" for n in range(BLOCK_TOP + 4)]
    remember(store, world, *names)
    for n in range(BLOCK_TURNS):
        rare = names[BLOCK_TOP + n % 4] if n < 8 else ""
        common = names[:BLOCK_TOP] if n % 2 else names[:1]
        served = " ".join([*common, rare])
        world.commit(store, turn(world, served, names[0] if n % 5 == 0 else "", at=world.later(n)))
    top = 50 + 25 * (BLOCK_TOP - 1)
    squares = 50**2 + 25**2 * (BLOCK_TOP - 1) + 4 * 2**2
    full = Tally(0, world.now, world.later(49), 50, top + 8, 10, BLOCK_TOP + 4, top, squares)
    assert store.conversations.tallies(world.address) == [full]
    world.commit(store, turn(world, "k00 k23", "k23", at=world.later(99)))
    begun = Tally(1, world.later(99), world.later(99), 1, 2, 1, 2, 2, 2)
    assert store.conversations.tallies(world.address) == [full, begun]


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_no_memory_is_retrieved_more_than_served_nor_served_more_than_it_could_be(
    make_store: Callable[[str], Store], world: World, data: st.DataObject
) -> None:
    """Whatever is counted, in whatever order: retrieved <= served <= turns since its birth."""
    store = make_store(f"trial-{next(_TRIALS)}")
    ids, degraded = ["k1", "k2", "k3"], 0
    some = st.lists(st.sampled_from(ids), max_size=4)
    born: dict[str, int] = {}
    for n in range(data.draw(st.integers(1, 20))):
        if n % 4 == 0 and len(born) < 3:
            name = ids[len(born)]
            born[name] = store.conversations.turns(world.address)
            world.commit(store, AddVersion(world.memory(name, born_turn=born[name]), None))
        plain = data.draw(st.booleans())
        degraded += not plain
        said = turn(world, " ".join(data.draw(some)), " ".join(data.draw(some)), degraded=not plain)
        world.commit(store, said)
    clock = store.conversations.clock(world.address)
    assert clock.degraded == degraded
    assert sum(s.turns for s in clock.stretches) == clock.turns
    for memory_id, counters in store.memories.counters(world.view()).items():
        assert counters.retrieved <= counters.served <= clock.turns - born[memory_id]
        assert counters.served > 0 and counters.first_served is not None
        assert (counters.first_retrieved is None) == (counters.retrieved == 0)
    tallies = store.conversations.tallies(world.address)
    assert sum(t.turns for t in tallies) == clock.turns
    served = sum(c.served for c in store.memories.counters(world.view()).values())
    assert sum(t.slots for t in tallies) == served


def test_counters_survive_a_restart(tmp_path: Path, world: World) -> None:
    """What came up last month is known next month."""
    before = open_store(tmp_path / "a.db")
    remember(before, world, "k1")
    for n in range(BLOCK_TURNS + 2):
        called = "k1" if n % 2 else ""
        world.commit(before, turn(world, "k1", called, at=world.later(n)))
    before.close()
    after = open_store(tmp_path / "a.db")
    assert after.memories.counters(world.view())["k1"].served == BLOCK_TURNS + 2
    clock = after.conversations.clock(world.address)
    assert clock.stretches == (Stretch(1, ThreadId("main"), BLOCK_TURNS + 2),)
    assert [t.turns for t in after.conversations.tallies(world.address)] == [BLOCK_TURNS, 2]
    world.commit(after, turn(world, "k1"))
    assert after.conversations.tallies(world.address)[-1].slots == 3
    after.close()


def test_counts_of_degraded_turns_are_taken_back_by_the_migration(
    tmp_path: Path, world: World
) -> None:
    """An older file counted them as serving without moving the clock: nothing came up more often than it could."""
    path = tmp_path / "a.db"
    store = open_store(path)
    world.commit(store, AddVersion(world.memory("k1", born_turn=2), None))
    remember(store, world, "k2")
    store.close()
    db = apsw.Connection(str(path))
    now = db.pragma("user_version")
    db.execute("drop table stretches; drop table tallies; update addresses set turns = 5")
    for column in ("first_served", "first_retrieved", "block", "block_served", "block_retrieved"):
        db.execute(f"alter table counters drop column {column}")
    for values in (("k1", 9, 7), ("k2", 4, 0)):
        db.execute(
            "insert into counters select space, person, character, ?, ?, ?, null from addresses",
            values,
        )
    db.execute(FORGETTING.script)
    db.pragma("user_version", now)
    db.close()
    store = open_store(path)
    assert store.memories.counters(world.view()) == {
        "k1": Counters(3, 3, None, 0, 0), "k2": Counters(4, 0, None, 0, None)
    }  # fmt: skip
    assert store.conversations.clock(world.address).stretches == (Stretch(1, None, 5),)
    world.commit(store, turn(world, "k2"))
    assert [s.thread for s in store.conversations.clock(world.address).stretches] == [None, "main"]
    assert store.check().problems == ()
    store.close()


def test_what_was_counted_of_a_person_is_erased_with_them(tmp_path: Path, world: World) -> None:
    """The name of a thread is a word of theirs, and figures are theirs too."""
    path, other = tmp_path / "a.db", world.at("oskar")
    store = open_store(path)
    for whose in (world, other):
        remember(store, whose, "k1", "k2")
        for n in range(3):
            name = f"the talk with {whose.address.person}"
            whose.commit(store, turn(whose, "k1 k2", "k1", thread=name, at=whose.later(n)))
    store.close()
    ledger = Ledger(keys_path(path))
    ledger.append(Erasure("person", ledger.mark(name_of("default", "oskar")), world.now))
    space, person, character = world.address.space, world.address.person, world.address.character
    ledger.append(
        Erasure("memory", ledger.mark(name_of(space, person, character, "k1")), world.now)
    )
    store = open_store(path)
    assert store.conversations.clock(other.address) == TurnClock()
    assert store.conversations.tallies(other.address) == []
    assert store.memories.counters(other.view()) == {}
    assert list(store.memories.counters(world.view())) == ["k2"]
    (left,) = store.conversations.tallies(world.address)
    assert (left.turns, left.slots, left.memories) == (3, 3, 1)
    assert store.check().problems == ()
    store.close()
    assert b"the talk with oskar" not in path.read_bytes()
    assert b"the talk with ines" in path.read_bytes()
