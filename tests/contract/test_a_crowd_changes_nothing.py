"""What one person is served does not depend, to the last byte, on ten thousand memories of anybody else.

On every store: ids, order, scores, reasons, what is left out and why, the rendered context and the counters, in a
world without the others and in worlds with them, before and after they come, and while they talk.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

from hypothesis import HealthCheck, given
from hypothesis import settings as trials
from hypothesis import strategies as st

import souvenance
from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_THREAD,
    Address,
    CharacterId,
    Kind,
    Memory,
    PersonId,
    Space,
    View,
)
from souvenance.models.fakes import FixedClock, HashEmbedder
from souvenance.ports import Store, VectorRow
from souvenance.settings import Settings
from souvenance.stores.memory import MemoryStore
from souvenance.writes import AddVersion

World = Any  # see conftest.World

SETTINGS = Settings.model_validate({"chat": {"discover": False}, "index": {"every_s": 3600}})
EMBEDDER = HashEmbedder(64)

INES = Address(DEFAULT_SPACE, PersonId("ines"), CharacterId("bao"))

#: Who else there may be: each shares something with Inès and Bao.
NEIGHBOURS = {
    "another person": replace(INES, person=PersonId("omar")),
    "another character": replace(INES, character=CharacterId("wren")),
    "another space": replace(INES, space=Space("elsewhere")),
    "a look-alike": replace(INES, person=PersonId("inès")),
}

WORDS = (
    "organ",
    "sails",
    "lock",
    "Ottoline",
    "quay",
    "bees",
    "orgue",
    "voiles",
    "écluse",
    "ruche",
    "Noor",
    "brass",
)
MESSAGES = ("Did Ottoline tune the organ?", "les voiles de Noor, et la ruche ?", "hello")


def texts(seed: int, count: int) -> list[str]:
    """Short notes of few words, so that rare ones of one crowd are common in another."""
    drawn = random.Random(seed)
    return [" ".join(drawn.choices(WORDS, k=4)) + f" {drawn.randint(1, 60)}" for _ in range(count)]


def memories(world: World, at: Address, said: Sequence[str], prefix: str) -> list[Memory]:
    """One memory a text: of several kinds, some pinned, some rules, some of a thread."""
    kinds = (Kind.FACT, Kind.PREFERENCE, Kind.PROMISE, Kind.EPISODE)
    return [
        replace(
            world.memory(f"{prefix}{n}", text),
            address=at,
            thread=MAIN_THREAD if n % 3 == 0 else None,
            kind=Kind.RULE if n % 40 == 39 else kinds[n % 4],
            pinned=n % 17 == 0,
            importance=1 + n % 5,
            born_at=world.now + timedelta(minutes=n),
        )
        for n, text in enumerate(said)
    ]


def remember(store: Store, some: Sequence[Memory], *, indexed: bool = True) -> None:
    """Committed a thousand at a time; the same text has the same vector, whoever said it."""
    for start in range(0, len(some), 1000):
        few = some[start : start + 1000]
        store.commit(
            few[0].address.space, few[0].address.person, [AddVersion(m, None) for m in few]
        )
    if indexed:
        rows = [
            VectorRow(m.address, m.memory_id, m.fingerprint, EMBEDDER._vector(m.text)) for m in some
        ]
        store.vectors.put(EMBEDDER.name, rows)


@asynccontextmanager
async def opened(store: Store, world: World) -> AsyncIterator[souvenance.Engine]:
    clock = FixedClock(world.now + timedelta(days=90))
    async with souvenance.open(
        settings=SETTINGS, chat=None, embedder=EMBEDDER, store=store, clock=clock
    ) as engine:
        await engine._worker.stop()  # the vectors are those that were put
        yield engine


async def served(engine: souvenance.Engine, at: Address = INES) -> list[Any]:
    """Everything that a person may see of their turns, messages one after the other."""
    talk = engine.thread(at.person, at.character, space=at.space)
    seen: list[Any] = []
    for message in MESSAGES:
        found = await talk.context(message)
        assert found.reason is None and found.selection is not None
        slots = [
            (s.memory.memory_id, s.stage, s.reason, s.relevance, s.retrieved) for s in found.slots
        ]
        view = await talk.view()
        every = [m.memory_id for m in engine.store.memories.current(view)]
        why_not = [repr(found.selection.why_not(i)) for i in sorted(every)]
        rules = [r.memory_id for r in found.rules]
        seen.append((found.text.encode(), slots, rules, why_not))
    return seen


async def taken_turns(engine: souvenance.Engine, at: Address, count: int) -> None:
    """Turns that are recorded, and so counted."""
    talk = engine.thread(at.person, at.character, space=at.space)
    for n in range(count):
        await talk.context(MESSAGES[n % len(MESSAGES)])
        await talk.record(MESSAGES[n % len(MESSAGES)], "I see.", key=f"turn {n}")


def counted(store: Store) -> Any:
    counters = sorted(store.memories.counters(View(INES)).items())
    return store.conversations.turns(INES), counters, store.conversations.tallies(INES)


async def alone(world: World, make_store: Callable[[str], Store], own: Sequence[Memory]) -> Any:
    """What Inès is served and what is counted of it, in a world of her own."""
    store = make_store("alone")
    remember(store, own)
    async with opened(store, world) as engine:
        first = await served(engine)
        await taken_turns(engine, INES, 4)
        return first, await served(engine), counted(store)


async def test_ten_thousand_memories_of_others_change_nothing(
    world: World, make_store: Callable[[str], Store]
) -> None:
    """Of another person, another character, another space and a look-alike name; her own texts and vectors among them."""
    said = texts(1, 150)
    own = memories(world, INES, said, "own")
    crowd = {
        name: memories(world, at, [*said, *texts(n, 2350)], f"far{n}-")
        for n, (name, at) in enumerate(NEIGHBOURS.items(), 2)
    }
    assert sum(map(len, crowd.values())) == 10_000
    expected = await alone(world, make_store, own)
    store = make_store("crowded")
    for some in list(crowd.values())[:2]:  # two were there before her, two come while she is known
        remember(store, some, indexed=False)
        remember_vectors(store, some[:400])
    remember(store, own)
    async with opened(store, world) as engine:
        assert await served(engine) == expected[0]
        for some in list(crowd.values())[2:]:
            remember(store, some, indexed=False)
            remember_vectors(store, some[:400])
        assert await served(engine) == expected[0]
        await taken_turns(engine, INES, 4)
        for at in NEIGHBOURS.values():
            await taken_turns(engine, at, 2)
        assert await served(engine) == expected[1]
        assert counted(store) == expected[2]
        engine._recall.drop_caches()
        assert await served(engine) == expected[1]


def remember_vectors(store: Store, some: Sequence[Memory]) -> None:
    rows = [
        VectorRow(m.address, m.memory_id, m.fingerprint, EMBEDDER._vector(m.text)) for m in some
    ]
    store.vectors.put(EMBEDDER.name, rows)


async def test_others_who_talk_at_the_same_time_change_nothing(
    world: World, make_store: Callable[[str], Store]
) -> None:
    """Turns and writes of all neighbours run side by side with hers, through the same threads and caches."""
    own = memories(world, INES, texts(1, 120), "own")
    expected, _, _ = await alone(world, make_store, own)
    store = make_store("crowded")
    remember(store, own)
    for n, at in enumerate(NEIGHBOURS.values(), 2):
        remember(store, memories(world, at, texts(n, 120), f"far{n}-"))

    async def busy(engine: souvenance.Engine, at: Address) -> None:
        hand = engine.thread(at.person, at.character, space=at.space).memories
        for n in range(6):
            await asyncio.gather(
                taken_turns(engine, at, 2), hand.add(f"Ottoline, the organ and lock {n}")
            )

    async with opened(store, world) as engine:
        others = [asyncio.create_task(busy(engine, at)) for at in NEIGHBOURS.values()]
        rounds = 0
        while rounds < 5 or not all(task.done() for task in others):
            found = await asyncio.gather(served(engine), served(engine))
            assert found == [expected, expected]
            rounds += 1
        await asyncio.gather(*others)


NOTES = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join), max_size=12
)


@trials(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(own=NOTES, far=NOTES, neighbour=st.sampled_from(sorted(NEIGHBOURS)), indexed=st.booleans())
def test_whatever_anybody_else_keeps_changes_nothing(
    world: World, own: list[str], far: list[str], neighbour: str, indexed: bool
) -> None:
    """Small worlds of every sort, empty ones included."""

    async def both() -> tuple[Any, Any]:
        found = []
        for crowd in ([], far):
            store = MemoryStore()
            if crowd:
                remember(
                    store, memories(world, NEIGHBOURS[neighbour], crowd, "far"), indexed=indexed
                )
            if own:
                remember(store, memories(world, INES, own, "own"))
            async with opened(store, world) as engine:
                found.append(await served(engine))
        return found[0], found[1]

    without, beside = asyncio.run(both())
    assert without == beside


def test_a_look_alike_name_is_another_person() -> None:
    """The table above would prove nothing if two of its addresses were one."""
    assert len({INES, *NEIGHBOURS.values()}) == 1 + len(NEIGHBOURS)
