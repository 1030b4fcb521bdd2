"""Which windows wait for a vector: all that changed, and nothing that an embedder must not see."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_TIMELINE,
    Address,
    CharacterId,
    Message,
    MessageId,
    PersonId,
    Redacted,
    Thread,
    ThreadId,
)
from souvenance.errors import BadAnswer
from souvenance.ports import WINDOW_REACH, Unwindowed
from souvenance.read.transcripts import lines_of
from souvenance.read.verbatim import Window, WindowKind, windows
from souvenance.read.verbatim.windows import SPAN
from souvenance.stores.memory import MemoryStore
from souvenance.tend.windows import (
    TAIL,
    unsettled,
    waiting,
    window_rows,
    without_identifiers,
)
from souvenance.writes import AddMessage, PutThread

AT = Address(DEFAULT_SPACE, PersonId("ines"), CharacterId("wren"))
MAIN = ThreadId("main")
START = datetime(2030, 1, 5, tzinfo=UTC)


def messages(*texts: str, first: int = 0) -> list[Message]:
    return [
        Message(
            AT, MAIN, MessageId(f"m{n}"), MessageId(f"m{n - 1}") if n else None, "user",
            Redacted(text), START + timedelta(minutes=n), "",
        )
        for n, text in enumerate(texts, first)
    ]  # fmt: skip


def stored(store: MemoryStore, said: list[Message]) -> Unwindowed:
    head = Thread(AT, MAIN, MAIN_TIMELINE, said[-1].message_id, None, START, START)
    store.commit(AT.space, AT.person, [*map(AddMessage, said), PutThread(head)])
    (due,) = store.windows.due("e", 1)
    return due


def embedded(store: MemoryStore, due: Unwindowed) -> list[Window]:
    """What waited, embedded."""
    batch = waiting(store, due, "e").windows
    rows = window_rows(due, batch, np.ones((len(batch), 2), np.float32))
    assert store.windows.put("e", due, rows, due.thread.head)
    return list(batch)


def test_no_window_reaches_further_than_the_store_forgets() -> None:
    """A message that loses words must take every window along that holds them."""
    assert set(SPAN) == set(WindowKind)
    assert max(max(span) for span in SPAN.values()) <= WINDOW_REACH


@pytest.mark.parametrize("before", [1, 2, 3, 7, TAIL - 1, TAIL, TAIL + 40])
@pytest.mark.parametrize("more", [1, 2, 5, TAIL + 3])
def test_after_new_messages_every_window_of_the_thread_is_there(before: int, more: int) -> None:
    """However long the thread is and however much was said since: nothing is missed."""
    store = MemoryStore()
    said = messages(*(f"line {n}" for n in range(before + more)))
    embedded(store, stored(store, said[:before]))
    again = embedded(store, stored(store, said[before:]))
    every = {(w.message_id, w.kind.value, w.fingerprint) for w in windows(lines_of(MAIN, said))}
    assert store.windows.known(AT, "e", [m.message_id for m in said]) == every
    assert len(again) <= 2 * more + 1, "only the last message before them gained a follower"


def test_the_end_of_a_thread_says_when_it_cannot_tell() -> None:
    """A last message that is not on this branch any more, or too near the edge of what was read."""
    said = messages(*(f"line {n}" for n in range(9)))
    thread = Thread(AT, MAIN, MAIN_TIMELINE, said[-1].message_id, None, START, START)
    due = Unwindowed(thread, MessageId("gone"), 0)
    assert unsettled(said, MAIN, due) is None
    assert unsettled(said, MAIN, replace(due, done=MessageId("m1"))) is not None
    assert unsettled(said[2:], MAIN, replace(due, done=MessageId("m3"))) is None
    told = unsettled(said[2:], MAIN, replace(due, done=MessageId("m6")))
    whole = [w for w in windows(lines_of(MAIN, said)) if w.message_id in ("m4", "m5", "m6", "m7", "m8")]  # fmt: skip
    assert told == whole


def test_blank_messages_are_not_embedded() -> None:
    """A model may answer nothing usable to nothing, and would be asked again for ever."""
    store = MemoryStore()
    due = stored(store, messages(" \n", "words"))
    assert {w.text.strip() for w in waiting(store, due, "e").windows} == {"words"}


def test_a_window_in_which_two_messages_say_an_identifier_is_not_sent() -> None:
    """Messages are stored redacted one by one; side by side they may still tell a number."""
    clean, told = "It rains on the quay.", "ines.verlaine@mail.example"
    made = [Window(MessageId("m"), WindowKind.WIDE, text, "f") for text in (clean, f"x\n{told}")]
    assert [window.text for window in without_identifiers(made)] == [clean]


def test_rows_are_made_in_order_and_a_wrong_answer_makes_none() -> None:
    """One vector for each window, all of them figures."""
    store = MemoryStore()
    due = stored(store, messages("one", "two"))
    batch, rest = waiting(store, due, "e").split(3)
    assert len(rest.windows) == 1
    made = window_rows(due, batch, np.arange(6, dtype=np.float32).reshape(3, 2))
    assert [row.vector.tolist() for row in made] == [[0, 1], [2, 3], [4, 5]]
    assert [row.fingerprint for row in made] == [w.fingerprint for w in batch]
    for wrong in (np.ones((2, 2)), np.ones(3), np.full((3, 2), np.nan)):
        with pytest.raises(BadAnswer):
            window_rows(due, batch, wrong.astype(np.float32))
