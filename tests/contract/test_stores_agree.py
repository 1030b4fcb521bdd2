"""The store in memory and the SQLite store, given the same random life, read the same."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from souvenance.domain import (
    Failure,
    JobId,
    JobState,
    MemoryId,
    MessageId,
    Redacted,
    Seq,
    Status,
    Switch,
    ThreadId,
    TimelineId,
)
from souvenance.errors import SouvenanceError
from souvenance.pieces import Piece
from souvenance.ports import Store
from souvenance.stores.memory import MemoryStore
from souvenance.stores.sqlite import open_store
from souvenance.writes import (
    AddFailure,
    AddJob,
    AddJournal,
    AddMessage,
    AddProposal,
    AddVersion,
    CountTurn,
    EndJob,
    ExpectMessages,
    PutThread,
    PutTimeline,
    RedactMessage,
    RequeueJob,
    ResolveFailure,
    SetSwitch,
)

World = Any  # see conftest.World

#: Lives tried in the ordinary suite; SOUVENANCE_TRIALS asks for more.
TRIALS = int(os.environ.get("SOUVENANCE_TRIALS") or 40)

PLACES = [("ines", "bao"), ("ines", "noor"), ("oskar", "bao")]
THREADS = st.sampled_from(["one", "two"])
TIMELINES = st.sampled_from(["main", "main", "child", "grandchild"])
MEMORIES = st.sampled_from(["k1", "k2", "k3"])
MESSAGES = st.sampled_from(["m1", "m2", "m3", "m4"])
TEXTS = st.sampled_from(["a dog", "two dogs", "no dog", "l’été 🌊", "a\x00b"])
#: Words of the texts that a redaction takes out of what rests on a message.
PIECES = (Piece("dog", "[phone]"), Piece("two", "[card]"), Piece("why", "[email]"))
SECONDS = st.integers(0, 90)
WORKERS = st.sampled_from(["w1", "w2"])
WINDOWS = st.sampled_from(["narrow", "wide"])


@st.composite
def writes(draw: Any, world: World) -> Any:
    """One write at one of a few places, so that they meet often."""
    kind = draw(st.sampled_from(WRITES))
    return kind(draw, world)


def _thread(draw: Any, world: World) -> Any:
    head = draw(st.none() | MESSAGES)
    timeline = draw(st.sampled_from(["main", "main", "main", "child"]))
    thread = world.thread(draw(THREADS), head, timeline)
    return PutThread(replace(thread, last_at=world.later(draw(SECONDS))))


def _message(draw: Any, world: World) -> Any:
    message = world.message(draw(MESSAGES), draw(st.none() | MESSAGES), draw(THREADS), draw(TEXTS))
    return AddMessage(message)


def _redaction(draw: Any, world: World) -> Any:
    if draw(st.booleans()):
        message = world.message(draw(MESSAGES))
        return ExpectMessages(world.address, ((message.message_id, Redacted(draw(TEXTS))),))
    pieces = draw(st.lists(st.sampled_from(PIECES), max_size=2))
    message_id = world.message(draw(MESSAGES)).message_id
    return RedactMessage(world.address, message_id, Redacted(draw(TEXTS)), tuple(pieces))


def _fork(draw: Any, world: World) -> Any:
    name, parent = draw(st.sampled_from([("child", "main"), ("grandchild", "child")]))
    fork = world.fork(name, parent, draw(st.integers(0, 8)))
    main = draw(st.integers(0, 9)) == 0
    return PutTimeline(replace(fork.timeline, is_main=main))


def _version(draw: Any, world: World) -> Any:
    memory = world.memory(
        draw(MEMORIES),
        draw(TEXTS),
        draw(st.none() | THREADS),
        timeline=TimelineId(draw(TIMELINES)),
        status=draw(st.sampled_from([Status.ACTIVE, Status.ACTIVE, Status.FORGOTTEN])),
        messages=tuple(draw(st.lists(MESSAGES.map(MessageId), max_size=1))),
        changed_at=world.later(draw(SECONDS)),
    )
    # "right" is replaced by the state that stands when the write is done.
    expected = draw(st.sampled_from(["right", "right", "right", "right", None, 1]))
    return AddVersion(memory, expected)


def _journal(draw: Any, world: World) -> Any:
    action = draw(st.sampled_from(["added", "dropped"]))
    of = draw(st.none() | MEMORIES.map(MemoryId))
    where = draw(st.none() | THREADS)
    entry = world.entry(action, where, text=Redacted(draw(TEXTS)), memory_id=of)
    return AddJournal(replace(entry, ref=draw(st.just("") | st.just(_job_id(draw, world)))))


def _job(draw: Any, world: World) -> Any:
    at = world.later(draw(SECONDS))
    where = f"{world.address.person}-{world.address.character}"
    job = world.job(f"{where}-j{draw(st.integers(1, 3))}", thread=draw(THREADS))
    return AddJob(replace(job, created_at=at, not_before=at))


def _job_id(draw: Any, world: World) -> JobId:
    where = f"{world.address.person}-{world.address.character}"
    return JobId(f"{where}-j{draw(st.integers(1, 3))}")


def _end(draw: Any, world: World) -> Any:
    state = draw(st.sampled_from([JobState.DONE, JobState.PARKED, JobState.CANCELLED]))
    return EndJob(_job_id(draw, world), draw(WORKERS), state, "why")


def _requeue(draw: Any, world: World) -> Any:
    return RequeueJob(_job_id(draw, world), world.later(draw(SECONDS)))


def _failure(draw: Any, world: World) -> Any:
    name = f"f{draw(st.integers(1, 2))}"
    if draw(st.booleans()):
        return ResolveFailure(name)
    where = (world.address, ThreadId(draw(THREADS)), _job_id(draw, world), world.now)
    return AddFailure(Failure(name, *where, "not JSON", Redacted(draw(TEXTS))))


def _proposal(draw: Any, world: World) -> Any:
    texts = draw(st.lists(TEXTS, max_size=2))
    shown = tuple(draw(st.lists(MESSAGES.map(MessageId), max_size=2)))
    return AddProposal(replace(world.proposal(*texts, thread=draw(THREADS)), shown=shown))


def _switch(draw: Any, world: World) -> Any:
    where = world.address
    character = draw(st.sampled_from([None, where.character]))
    thread = draw(st.none() | THREADS)
    at = world.later(draw(SECONDS))
    return SetSwitch(Switch(where.space, where.person, character, thread, at), draw(st.booleans()))


def _turn(draw: Any, world: World) -> Any:
    served = tuple(draw(st.lists(MEMORIES, max_size=2)))
    retrieved = tuple(draw(st.lists(MEMORIES, max_size=2)))
    at, thread = world.later(draw(SECONDS)), ThreadId(draw(THREADS))
    return CountTurn(world.address, thread, served, retrieved, at, draw(st.booleans()))


WRITES = [
    *[_version] * 5,
    *[_thread, _message, _fork, _journal, _job] * 2,
    _end,
    _requeue,
    _failure,
    _proposal,
    _redaction,
    _switch,
    _turn,
]


@st.composite
def steps(draw: Any, worlds: list[World]) -> Any:
    """A commit, or one use of the queue or of the vectors; as a function of a store,
    written so that a failure prints what it did."""
    world = draw(st.sampled_from(worlds))
    uses = ["claim", "claim", "beat", "release", "embed", "window", "window"]
    what = draw(st.sampled_from(["commit"] * 6 + uses))
    owner, at, job_id = draw(WORKERS), world.later(draw(SECONDS)), _job_id(draw, world)
    if what == "commit":
        return partial(_commit, world, draw(st.lists(writes(world), max_size=4)))
    if what == "claim":
        address = draw(st.sampled_from([None, world.address]))
        return partial(_claim, owner, at, address)
    if what == "beat":
        return partial(_beat, job_id, owner, at)
    if what == "release":
        return partial(_release, job_id, owner, at, draw(st.booleans()))
    if what == "window":
        rows = draw(st.lists(_windows(world), max_size=3))
        return partial(_window, rows, draw(st.integers(0, 2)), draw(st.booleans()))
    memory = world.memory(draw(MEMORIES), draw(TEXTS))
    return partial(_embed, world.vector(memory, float(at.second)))


@st.composite
def _windows(draw: Any, world: World) -> Any:
    """The vector of a window of some message, there or not."""
    row = world.window(world.message(draw(MESSAGES)), draw(TEXTS), window=draw(WINDOWS))
    return replace(row, vector=row.vector * draw(st.sampled_from([1, 2])))


def _commit(world: World, changes: list[Any], store: Store) -> object:
    return world.commit(store, *[_decided(store, world, change) for change in changes])


def _claim(owner: str, at: Any, address: Any, store: Store) -> object:
    return store.jobs.claim(owner, at, 20, address)


def _beat(job_id: JobId, owner: str, at: Any, store: Store) -> object:
    return store.jobs.heartbeat(job_id, owner, at, 20)


def _release(job_id: JobId, owner: str, at: Any, counts: bool, store: Store) -> object:
    return store.jobs.release(job_id, owner, at, count_attempt=counts)


def _embed(row: Any, store: Store) -> object:
    return store.vectors.put("e", [row])


def _window(rows: Any, which: int, late: bool, store: Store) -> object:
    """As the index loop does, of one of the threads that are due; perhaps with words taken out meanwhile."""
    due = store.windows.due("e", 9)
    if len(due) <= which:
        return None
    one = replace(due[which], edits=due[which].edits - late)
    theirs = [replace(row, address=one.thread.address) for row in rows]
    return store.windows.put("e", one, theirs, None if len(rows) == 2 else one.thread.head)


def _decided(store: Store, world: World, change: Any) -> Any:
    if not isinstance(change, AddVersion) or change.expected != "right":
        return change
    view = world.view(timeline=change.memory.timeline)
    seen = {m.memory_id: m.seq_from for m in store.memories.current(view)}
    return replace(change, expected=seen.get(change.memory.memory_id))


def outcome(step: Any, store: Store) -> object:
    """What a step returned, or which error it raised."""
    try:
        return step(store)
    except SouvenanceError as e:
        return type(e)


def everything(store: Store, worlds: list[World]) -> dict[str, object]:
    """All that can be read, at every place of this small world."""
    read: dict[str, object] = {"jobs": store.jobs.unfinished()}
    read["people"] = store.conversations.people(worlds[0].address.space)
    read["missing"] = store.vectors.missing("e", 99)
    read["due"] = [store.windows.due("e", 99), store.windows.due("e", 1), store.windows.due("f", 9)]
    for world in worlds:
        at = f"{world.address.person}/{world.address.character}"
        who = (world.address.space, world.address.person)
        talk = store.conversations
        read[f"{at} threads"] = talk.threads(*who, world.address.character)
        read[f"{at} switches"] = talk.switches(*who)
        read[f"{at} timelines"] = talk.timelines(world.address)
        read[f"{at} turns"] = talk.turns(world.address)
        read[f"{at} clock"] = talk.clock(world.address)
        read[f"{at} tallies"] = talk.tallies(world.address)
        messages = [MessageId(f"m{n}") for n in range(1, 5)]
        read[f"{at} messages"] = talk.messages(world.address, messages)
        read[f"{at} known"] = store.windows.known(world.address, "e", messages)
        for some in (["one"], ["one", "two"]):
            threads = [ThreadId(thread) for thread in some]
            for since in (0, 1):
                loaded = store.windows.load(world.address, "e", threads, since)
                read[f"{at} windows {some} {since}"] = [
                    (row.message_id, row.window, row.fingerprint, row.vector.tolist())
                    for row in loaded
                ]
        for thread in (None, "one", "two"):
            if thread is not None:
                for upto in (None, MessageId("m2")):
                    path = talk.path(world.address, ThreadId(thread), 3, upto)
                    read[f"{at} path {thread} {upto}"] = path
            for timeline in ("main", "child", "grandchild"):
                for isolation in ("character", "thread") if thread else ("character",):
                    view = world.view(thread, timeline, isolation=isolation)
                    read[f"{at} {view}"] = seen_through(store, view)
    return read


def seen_through(store: Store, view: Any) -> list[object]:
    memories = store.memories
    return [
        memories.stamp(view),
        memories.current(view),
        memories.current(view, since=Seq(3)),
        [memories.as_of(view, Seq(n)) for n in (1, 2, 4, 7)],
        [memories.history(view, MemoryId(f"k{n}")) for n in (1, 2, 3)],
        memories.journal(view, limit=3),
        memories.journal(view, actions=["dropped"]),
        memories.failures(view),
        memories.failures(view, resolved=True),
        memories.proposals(view),
        memories.counters(view),
        store.windows.stamp(view),
        [
            (row.memory_id, row.fingerprint, row.vector.tolist())
            for since in (0, 1)
            for row in store.vectors.load(view, "e", since)
        ],
    ]


@contextmanager
def both() -> Iterator[tuple[Store, Store]]:
    with TemporaryDirectory() as folder:
        stores = (MemoryStore(), open_store(Path(folder) / "a.db"))
        try:
            yield stores
        finally:
            for store in stores:
                store.close()


@settings(
    max_examples=TRIALS,
    deadline=timedelta(seconds=20),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_both_stores_live_the_same_life(world: World, data: st.DataObject) -> None:
    """Two independent writings of one contract: where they differ, one of them is wrong.

    Trials: 40 random lives of up to 25 steps, or SOUVENANCE_TRIALS.
    """
    worlds = [world.at(*place) for place in PLACES]
    life = data.draw(st.lists(steps(worlds), min_size=1, max_size=25))
    with both() as (one, other):
        for step in life:
            assert outcome(step, one) == outcome(step, other)
        assert everything(one, worlds) == everything(other, worlds)
        assert one.check().problems == ()
        assert other.check().problems == ()
        counts, others = one.check().counts, other.check().counts
        assert counts == others
