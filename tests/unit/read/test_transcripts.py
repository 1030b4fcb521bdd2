"""A transcript moved forward is the transcript built anew, whatever happened in between."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_TIMELINE,
    Address,
    Cause,
    CharacterId,
    Kind,
    Memory,
    MemoryId,
    Message,
    MessageId,
    PersonId,
    Redacted,
    Status,
    Switch,
    Thread,
    ThreadId,
    View,
)
from souvenance.read.transcripts import TAIL, Talked, TranscriptCache, whole
from souvenance.read.verbatim import WindowKind
from souvenance.stores.memory import MemoryStore
from souvenance.tend.windows import waiting, window_rows
from souvenance.writes import AddMessage, AddVersion, PutThread, RedactMessage, SetSwitch

#: Lives tried in the ordinary suite; SOUVENANCE_TRIALS asks for more.
TRIALS = int(os.environ.get("SOUVENANCE_TRIALS") or 40)

START = datetime(2030, 1, 5, 9, tzinfo=UTC)
AT = Address(DEFAULT_SPACE, PersonId("ines"), CharacterId("wren"))
VIEW = View(AT, MAIN_TIMELINE, ThreadId("one"))
EMBEDDER = "e"


class World:
    """A store in memory and what happens in it."""

    def __init__(self) -> None:
        self.store = MemoryStore(b"k" * 32)
        self.count = 0
        self.states: dict[str, Any] = {}

    def commit(self, *writes: Any) -> Any:
        return self.store.commit(AT.space, AT.person, writes)

    def head(self, thread: str) -> MessageId | None:
        row = self.store.conversations.thread(AT, ThreadId(thread))
        return row.head if row else None

    def say(self, thread: str, *texts: str, after: MessageId | None = None) -> None:
        """Adds messages behind the last one of a thread, or behind another one of it."""
        parent, writes = after or self.head(thread), []
        for text in texts:
            self.count += 1
            at = START + timedelta(hours=self.count)
            name = MessageId(f"m{self.count}")
            role = "user" if self.count % 2 else "character"
            message = Message(AT, ThreadId(thread), name, parent, role, Redacted(text), at, "")
            writes.append(AddMessage(message))
            parent = name
        row = Thread(AT, ThreadId(thread), MAIN_TIMELINE, parent, None, START, START)
        self.commit(*writes, PutThread(row))

    def path(self, thread: str) -> list[Message]:
        return self.store.conversations.path(AT, ThreadId(thread), 10_000)

    def index(self, size: int = 100) -> None:
        for due in self.store.windows.due(EMBEDDER, 1):
            batch, rest = waiting(self.store, due, EMBEDDER).split(size)
            vectors = np.array([[len(w.text), 1.0, hash(w.text) % 97] for w in batch], np.float32)
            rows = window_rows(due, batch, vectors.reshape(-1, 3))
            self.store.windows.put(EMBEDDER, due, rows, None if rest.windows else due.thread.head)

    def remember(self, name: str, status: Status, *messages: MessageId) -> None:
        memory = Memory(
            MemoryId(name), AT, MAIN_TIMELINE, None, Kind.FACT, Redacted("x"), START, START,
            Cause("hand"), status=status, messages=messages,
        )  # fmt: skip
        self.states[name] = self.commit(AddVersion(memory, self.states.get(name)))


def read(talked: Talked) -> dict[str, Any]:
    """All that a search can tell apart, in an order of its own."""
    transcript = talked.transcript
    lines = sorted(transcript.lines, key=lambda line: (line.thread, line.at))
    held = {(w.message_id, w.kind, w.fingerprint): w.vector.tolist() for w in transcript.held()}
    beside = {
        line.message_id: [m.message_id for m in transcript.beside(row, 3, 3)]
        for row, line in enumerate(transcript.lines)
    }
    return {"lines": lines, "held": held, "beside": beside, "closed": sorted(talked.closed)}


def fresh(cache: TranscriptCache, view: View = VIEW) -> dict[str, Any]:
    return read(cache.fresh(view, "en", 1.0))


TEXTS = ["the dog", "a boat in may", "two dogs?", "été", " "]
THREADS = st.sampled_from(["one", "two"])
Step = Callable[[World], None]


@st.composite
def steps(draw: Any) -> Step:
    what = draw(st.sampled_from(["say", "say", "say", "index", "index", "branch", "redact", "memory", "off"]))  # fmt: skip
    thread, number = draw(THREADS), draw(st.integers(0, 5))
    said = draw(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=4))
    status = draw(st.sampled_from([Status.ACTIVE, Status.FORGOTTEN, Status.SUPERSEDED]))
    off = draw(st.booleans())

    def done(world: World) -> None:
        path = world.path(thread)
        some = path[number % len(path)] if path else None
        if what == "say" or some is None:
            world.say(thread, *said)
        elif what == "index":
            world.index(number + 1 if off else 100)
        elif what == "branch":
            world.say(thread, *said, after=some.message_id)
        elif what == "redact":
            world.commit(RedactMessage(AT, some.message_id, Redacted("[phone]")))
        elif what == "memory":
            world.remember(f"k{number % 2}", status, some.message_id)
        else:
            switch = Switch(AT.space, AT.person, None, ThreadId(thread), START)
            world.commit(SetSwitch(switch, off))

    done.__name__ = f"{what} {thread} {number}"
    return done


@settings(max_examples=TRIALS, deadline=None)
@given(st.lists(steps(), max_size=14), st.sets(st.integers(0, 13)))
def test_moved_forward_is_built_anew(life: list[Step], looked: set[int]) -> None:
    """Whatever is said, indexed, regenerated, taken out, forgotten or switched off, and whenever somebody looks."""
    world = World()
    cache = TranscriptCache(world.store, EMBEDDER)
    for n, step in enumerate(life):
        step(world)
        if n in looked:
            fresh(cache)
    assert fresh(cache) == fresh(TranscriptCache(world.store, EMBEDDER))


def test_only_the_current_branch_is_in_it() -> None:
    """A reply that was regenerated was never said."""
    world = World()
    world.say("one", "hello", "first answer", "thanks")
    cache = TranscriptCache(world.store, EMBEDDER)
    fresh(cache)
    world.say("one", "second answer", after=MessageId("m1"))
    assert [line.text for line in fresh(cache)["lines"]] == ["hello", "second answer"]


def test_a_long_silence_of_the_cache_is_made_up_for() -> None:
    """Another process may have talked for a week: the end of the thread no longer tells, and all is read again."""
    world = World()
    world.say("one", "hello")
    cache = TranscriptCache(world.store, EMBEDDER)
    fresh(cache)
    world.say("one", *(f"line {n}" for n in range(TAIL + 5)))
    assert len(fresh(cache)["lines"]) == TAIL + 6


def test_what_did_not_change_is_not_read_again() -> None:
    """A turn pays for what was said since the last one."""
    world = World()
    world.say("one", "hello", "hi")
    cache = TranscriptCache(world.store, EMBEDDER)
    first = cache.fresh(VIEW, "en", 1.0)
    assert cache.fresh(VIEW, "en", 1.0).transcript is first.transcript
    world.commit(SetSwitch(Switch(AT.space, AT.person, CharacterId("mira"), None, START), True))
    assert cache.fresh(VIEW, "en", 1.0).transcript is first.transcript


def test_threads_share_one_transcript_unless_isolation_is_strict() -> None:
    """A person with thirty threads needs one of it, not thirty."""
    two = replace(VIEW, thread=ThreadId("two"))
    assert whole(VIEW) == whole(two)
    strict = replace(VIEW, isolation="thread")
    assert whole(strict) == strict
    world = World()
    world.say("one", "hello")
    world.say("two", "good evening")
    cache = TranscriptCache(world.store, EMBEDDER, limit=2)
    assert len(fresh(cache)["lines"]) == len(fresh(cache, two)["lines"]) == 2
    assert len(cache) == 1
    assert [line.text for line in fresh(cache, strict)["lines"]] == ["hello"]
    fresh(cache, replace(two, isolation="thread"))
    assert len(cache) == 2
    cache.forget()
    assert len(cache) == 0


def test_vectors_of_kinds_that_are_not_searched_any_more_are_passed_over() -> None:
    """A file may hold windows of an older version."""
    world = World()
    world.say("one", "hello")
    (due,) = world.store.windows.due(EMBEDDER, 1)
    (window, _) = waiting(world.store, due, EMBEDDER).windows
    rows = window_rows(due, [window], np.ones((1, 3), np.float32))
    strange = replace(rows[0], window="whole-session")
    world.store.windows.put(EMBEDDER, due, [*rows, strange], None)
    assert [key[1] for key in fresh(TranscriptCache(world.store, EMBEDDER))["held"]] == [
        window.kind
    ]
    assert isinstance(window.kind, WindowKind)


@pytest.mark.parametrize("embedder", [None, "another"])
def test_without_vectors_of_this_embedder_there_are_words(embedder: str | None) -> None:
    """Vectors of another embedder are never compared with this one's."""
    world = World()
    world.say("one", "hello", "hi")
    world.index()
    found = fresh(TranscriptCache(world.store, embedder))
    assert (len(found["lines"]), found["held"]) == (2, {})
