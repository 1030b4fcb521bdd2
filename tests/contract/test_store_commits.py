"""One commit is one change: all of it or none, counted once, for one person only."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from souvenance.counts import Counters
from souvenance.domain import (
    Failure,
    JobId,
    JobState,
    MemoryId,
    MessageId,
    Person,
    Redacted,
    Seq,
    Stamp,
    Status,
    Switch,
)
from souvenance.errors import BadInput, Conflict, StoreError, Unknown
from souvenance.pieces import Piece
from souvenance.ports import Store
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
    PutPerson,
    PutThread,
    RedactMessage,
    RequeueJob,
    ResolveFailure,
    SetSwitch,
)

World = Any  # see conftest.World


def test_every_row_of_a_commit_carries_its_seq(store: Store, world: World) -> None:
    """Undo and forks read one number for one change."""
    world.commit(store, *world.exchange(0))
    seq = world.commit(
        store,
        *world.exchange(1),
        AddVersion(world.memory("k1"), None),
        AddJournal(world.entry("added")),
    )
    assert seq == 2
    path = store.conversations.path(world.address, world.thread().thread, 10)
    assert [m.seq for m in path] == [1, 1, 2, 2]
    assert [m.seq_from for m in store.memories.current(world.view())] == [2]
    assert [e.seq for e in store.memories.journal(world.view())] == [2]
    assert [j.seq for j in store.jobs.unfinished()] == [1, 2]


def test_people_count_their_changes_apart(store: Store, world: World) -> None:
    """A seq tells nothing about other people."""
    assert [world.commit(store, *world.exchange(n)) for n in range(3)] == [1, 2, 3]
    other = world.at("oskar")
    assert other.commit(store, *other.exchange(0)) == 1


def test_a_first_commit_makes_the_person_and_the_main_timeline(store: Store, world: World) -> None:
    """Nobody has to be declared before they talk."""
    world.commit(store, PutThread(world.thread()))
    assert store.conversations.people(world.address.space) == [
        Person(world.address.space, world.address.person)
    ]
    (main,) = store.conversations.timelines(world.address)
    assert (main.timeline, main.parent, main.is_main) == ("main", None, True)


def test_a_commit_that_fails_leaves_nothing(store: Store, world: World) -> None:
    """Half a change would be a memory without its reason."""
    seq = world.commit(store, *world.exchange(0), AddVersion(world.memory("k1"), None))
    with pytest.raises(Conflict):
        world.commit(
            store,
            *world.exchange(1),
            AddJournal(world.entry("added")),
            AddVersion(world.memory("k1", "another text"), None),
        )
    assert store.memories.stamp(world.view()) == Stamp(seq, 0, 0)
    assert len(store.jobs.unfinished()) == 1
    assert store.memories.journal(world.view()) == []
    assert world.commit(store, *world.exchange(1)) == 2


def test_a_decision_on_an_old_state_conflicts(store: Store, world: World) -> None:
    """Between the reading and the writing the person may have edited: their hand wins."""
    first = world.remember(store, world.memory("k1", "has a boat"))
    second = world.remember(store, world.memory("k1", "has a red boat"), first)
    for stale in (first, None, Seq(99)):
        with pytest.raises(Conflict):
            world.remember(store, world.memory("k1", "has two boats"), stale)
    assert [m.text for m in store.memories.current(world.view())] == ["has a red boat"]
    assert second == 2


def test_a_memory_is_written_once_in_a_commit(store: Store, world: World) -> None:
    """Two states under one seq could not be told apart."""
    with pytest.raises(Conflict):
        world.commit(
            store,
            AddVersion(world.memory("k1"), None),
            AddVersion(world.memory("k1", "again"), Seq(1)),
        )
    assert store.memories.current(world.view()) == []


def test_a_resent_message_is_left_as_it_is(store: Store, world: World) -> None:
    """The first words received are the ones that memories rest on."""
    world.commit(store, *world.exchange(0))
    resent = world.message("main-m0", text="other words")
    world.commit(store, AddMessage(resent))
    (kept,) = store.conversations.messages(world.address, [resent.message_id])
    assert (kept.text, kept.seq) == ("the words of main-m0", 1)


def test_a_message_that_held_a_piece_of_an_identifier_is_overwritten(
    store: Store, world: World
) -> None:
    """Its words alone change; what stood there is gone from every reading."""
    world.commit(store, *world.exchange(0))
    before = world.message("main-m0")
    world.commit(
        store, RedactMessage(world.address, before.message_id, Redacted("my number is [phone]"))
    )
    (kept,) = store.conversations.messages(world.address, [before.message_id])
    assert kept.text == "my number is [phone]"
    assert (kept.seq, kept.mark, kept.role) == (1, before.mark, "user")
    with pytest.raises(Unknown):
        world.commit(store, RedactMessage(world.address, MessageId("none"), Redacted("x")))


def test_no_row_that_rests_on_a_redacted_message_keeps_its_piece(
    store: Store, world: World
) -> None:
    """Every state of its memories, closed ones too, what was proposed, told and failed; nothing of other messages."""
    told = "they live in Sète and the number starts 06 12 34"
    view, message_id = world.view(), world.message("main-m0").message_id
    (job,) = (w.job for w in world.exchange(0) if isinstance(w, AddJob))
    mine = world.memory("k1", told, messages=(message_id,), quote=told, value="061234")
    other = world.memory("k2", "the 06 12 34 of another talk")
    world.commit(store, *world.exchange(0), AddVersion(other, None))
    shown = replace(world.proposal(told), shown=(message_id,), fresh=(message_id,))
    added = world.entry("added", text=Redacted(told), memory_id=MemoryId("k1"), reason="06.12.34")
    first = world.commit(store, AddVersion(mine, None), AddProposal(shown), AddJournal(added))
    store.vectors.put("e", [world.vector(mine), world.vector(other)])
    second = world.remember(store, replace(mine, status=Status.FORGOTTEN), first)
    world.remember(store, world.memory("k1", "now without", messages=(message_id,)), second)
    thread = world.thread().thread
    lost = Failure("f1", world.address, thread, job.job_id, world.now, "no", Redacted(told))
    world.commit(
        store,
        AddFailure(lost),
        AddJournal(world.entry("failed", text=Redacted(told), ref=job.job_id)),
    )
    before = store.memories.stamp(view)
    piece = Piece("06 12 34", "[phone]")
    world.commit(store, RedactMessage(world.address, message_id, Redacted("…"), (piece,)))

    clean = told.replace("06 12 34", "[phone]")
    states = store.memories.history(view, MemoryId("k1"))
    assert [s.text for s in states] == [clean, clean, "now without"]
    assert [s.quote for s in states[:2]] == [clean, clean]
    assert [s.value for s in states[:2]] == ["[phone]", "[phone]"]
    journal = store.memories.journal(view)
    assert [(e.action, e.text, e.reason) for e in journal] == [
        ("failed", clean, ""), ("added", clean, "[phone]")
    ]  # fmt: skip
    (kept,) = store.memories.proposals(view)
    assert [(c.text, c.quote) for c in kept.candidates] == [(clean, clean)] and kept.scrubbed
    assert [f.raw for f in store.memories.failures(view)] == [clean]
    assert [m.text for m in store.memories.current(view) if m.memory_id == "k2"] == [other.text]
    assert [v.memory_id for v in store.vectors.load(view, "e")] == ["k2"]
    assert store.memories.stamp(view).erasures == before.erasures + 1, "caches let the words go"
    assert store.check().problems == ()


def test_what_rests_on_words_that_changed_is_not_written(store: Store, world: World) -> None:
    """A message may lose a piece of an identifier while it is being reflected on."""
    world.commit(store, *world.exchange(0))
    message = world.message("main-m0")
    read = ExpectMessages(
        world.address,
        ((message.message_id, Redacted(message.text[:5])), (MessageId("none"), Redacted("x"))),
    )
    world.commit(store, read, AddVersion(world.memory("k1"), None))
    world.commit(store, RedactMessage(world.address, message.message_id, Redacted("[phone]")))
    with pytest.raises(Conflict):
        world.commit(store, AddVersion(world.memory("k2"), None), read)
    assert [m.memory_id for m in store.memories.current(world.view())] == ["k1"]


def test_counting_a_turn_alone_advances_nothing_else(store: Store, world: World) -> None:
    """A reading is not a change: caches stay warm."""
    world.remember(store, world.memory("k1"))
    before = store.memories.stamp(world.view())
    served = (MemoryId("k1"), MemoryId("never existed"))
    where = (world.address, world.thread().thread)
    turn = CountTurn(*where, served, (MemoryId("k1"),), world.now, degraded=False)
    assert world.commit(store, turn) == 1
    assert world.commit(store, replace(turn, retrieved=(), degraded=True)) == 1
    assert store.memories.stamp(world.view()) == before
    assert store.memories.counters(world.view()) == {"k1": Counters(1, 1, world.now, 1, 1)}
    assert store.conversations.turns(world.address) == 1
    assert store.check().counts["degraded_turns"] == 1


def test_switches_are_set_and_lifted_where_they_say(store: Store, world: World) -> None:
    """Off for one thread is not off for all."""
    space, person = world.address.space, world.address.person
    everywhere = Switch(space, person, None, None, world.now)
    here = Switch(space, person, world.address.character, world.thread().thread, world.now)
    world.commit(store, SetSwitch(here, off=True), SetSwitch(everywhere, off=True))
    assert store.conversations.switches(space, person) == [everywhere, here]
    world.commit(store, SetSwitch(everywhere, off=False))
    assert store.conversations.switches(space, person) == [here]
    again = replace(here, off_at=world.later(60))
    world.commit(store, SetSwitch(again, off=True))
    assert store.conversations.switches(space, person) == [again]


def test_failures_wait_until_they_are_resolved(store: Store, world: World) -> None:
    """The inbox shows what is open, and keeps what was."""
    world.commit(store, *world.exchange(0))
    thread = world.thread().thread
    lost = Failure("f1", world.address, thread, JobId("j"), world.now, "not JSON", Redacted("{"))
    world.commit(store, AddFailure(lost))
    assert store.memories.failures(world.view()) == [lost]
    assert store.memories.failures(world.view("elsewhere")) == []
    world.commit(store, ResolveFailure("f1"))
    assert store.memories.failures(world.view()) == []
    assert store.memories.failures(world.view(), resolved=True) == [replace(lost, resolved=True)]


def test_what_was_proposed_is_kept_in_the_order_it_came(store: Store, world: World) -> None:
    """Decisions can be made again only from exactly what was proposed."""
    world.commit(store, *world.exchange(0))
    first, second = world.proposal("one", "two"), world.proposal(thread="elsewhere")
    assert world.commit(store, AddProposal(first)) == 2
    world.commit(store, AddProposal(second))
    kept = [replace(first, seq=Seq(2)), replace(second, seq=Seq(3))]
    assert store.memories.proposals(world.view()) == kept
    assert store.memories.proposals(world.view("elsewhere")) == kept[1:]
    assert store.memories.proposals(world.at("paul").view()) == []


def test_a_person_is_described_without_losing_their_count(store: Store, world: World) -> None:
    """A new display name is a change like any other."""
    world.commit(store, *world.exchange(0))
    ines = Person(world.address.space, world.address.person, "Inès", ("Nès", "I."), "Europe/Paris")
    assert world.commit(store, PutPerson(ines)) == 2
    assert store.conversations.person(ines.space, ines.person) == ines
    assert store.conversations.person(ines.space, world.at("nobody").address.person) is None


@pytest.mark.parametrize("lost", ["head", "parent", "thread", "timeline", "job thread"])
def test_a_row_that_names_a_missing_one_is_refused(store: Store, world: World, lost: str) -> None:
    """A thread whose head is nowhere could not be shown."""
    writes = {
        "head": PutThread(world.thread(head="nowhere")),
        "parent": AddMessage(world.message("m", parent="nowhere")),
        "thread": AddMessage(world.message("m", thread="nowhere")),
        "timeline": PutThread(world.thread("t2", timeline="nowhere")),
        "job thread": AddJob(world.job("j", thread="nowhere")),
    }
    world.commit(store, PutThread(world.thread()))
    with pytest.raises(Unknown):
        world.commit(store, writes[lost])
    assert world.commit(store) == 1  # nothing but the thread was kept


@pytest.mark.parametrize(
    "write",
    [
        EndJob(JobId("no"), "me", JobState.DONE),
        RequeueJob(JobId("no"), datetime.max),
        ResolveFailure("no"),
    ],
    ids=["end", "requeue", "resolve"],
)
def test_what_does_not_exist_cannot_be_ended(store: Store, world: World, write: Any) -> None:
    """A typing mistake in a command is told, not swallowed."""
    if isinstance(write, RequeueJob):
        write = replace(write, not_before=world.now)
    with pytest.raises(Unknown):
        world.commit(store, write)


def test_a_commit_for_one_person_cannot_touch_another(store: Store, world: World) -> None:
    """No function writes outside of the person it was called for."""
    other = world.at("oskar")
    other.commit(store, *other.exchange(0))
    for write in (
        PutThread(other.thread()),
        AddVersion(other.memory("k"), None),
        PutPerson(Person(other.address.space, other.address.person, "mine now")),
        AddJournal(other.entry("added")),
    ):
        with pytest.raises(BadInput):
            world.commit(store, write)
    job = other.job("oskar-main-0")
    with pytest.raises(Unknown):
        world.commit(store, EndJob(job.job_id, "", JobState.CANCELLED))
    mine = world.job(job.job_id, "main-m0", "main-r0")
    with pytest.raises(BadInput):
        world.commit(store, *world.exchange(0), AddJob(mine))
    assert other.commit(store) == 1


def test_what_cannot_be_stored_is_refused_with_the_reason(store: Store, world: World) -> None:
    """A date without a zone, half a character or a figure that is none would come back changed."""
    cases = [
        (world.memory("k", born_at=datetime(2031, 1, 1)), "time zone"),
        (world.memory("k", "half \ud83d of it"), "lone surrogate"),
        (world.memory("k", confidence=float("nan")), "figure"),
    ]
    for memory, words in cases:
        with pytest.raises(BadInput, match=words):
            world.remember(store, memory)


@pytest.mark.parametrize(
    "text",
    ["", "a\x00b", "l’été 🌊\n\tfin", "%_'\";--", "x" * 1_000_000, "\u202e\u200b", "{braces}"],
    ids=["empty", "nul", "unicode", "sql", "long", "invisible", "braces"],
)
def test_texts_come_back_as_they_went_in(store: Store, world: World, text: str) -> None:
    """No character is special to a store."""
    world.remember(store, world.memory("k", text=Redacted(text) or Redacted("")))
    world.commit(store, PutThread(world.thread()), AddMessage(world.message("m", text=text or " ")))
    (message,) = store.conversations.messages(world.address, [world.message("m").message_id])
    assert message.text == (text or " ")
    if text:
        assert store.memories.current(world.view())[0].text == text


def test_marks_repeat_and_differ(make_store: Callable[[str], Store]) -> None:
    """A resent message is recognised by the mark of what was typed, and by nothing else."""
    store = make_store("a")
    assert store.mark("call me at six") == store.mark("call me at six")
    assert store.mark("call me at six") != store.mark("call me at seven")
    assert "six" not in store.mark("call me at six")


def test_threads_that_write_at_once_lose_nothing(store: Store, world: World) -> None:
    """Each change is counted exactly once, whoever comes first."""
    people = [world.at(f"p{n}") for n in range(3)]

    def write(number: int) -> None:
        who = people[number % 3]
        who.remember(store, who.memory(f"k{number}"))

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write, range(60)))
    for who in people:
        current = store.memories.current(who.view())
        assert sorted(m.seq_from for m in current) == list(range(1, 21))
    assert store.check().problems == ()


def test_a_check_of_a_used_store_finds_no_problem(store: Store, world: World) -> None:
    """And counts what is there."""
    world.commit(store, *world.exchange(0), AddVersion(world.memory("k1"), None))
    closed = world.memory("k1", status=Status.FORGOTTEN)
    world.commit(store, *world.exchange(1), AddVersion(closed, Seq(1)))
    report = store.check()
    assert report.problems == ()
    wanted = {"people": 1, "threads": 1, "messages": 4, "memories": 1, "versions": 2, "jobs": 2}
    assert {name: report.counts[name] for name in wanted} == wanted


def test_a_closed_store_says_so(make_store: Callable[[str], Store], world: World) -> None:
    """Using it further is a mistake of the caller, told in words."""
    store = make_store("a")
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.memories.current(world.view())
    with pytest.raises(StoreError, match="closed"):
        world.commit(store, PutThread(world.thread()))
