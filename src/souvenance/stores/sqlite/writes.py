"""What each write of a commit does to the file, inside the transaction that the store holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from souvenance.counts import BLOCK_TOP, BLOCK_TURNS
from souvenance.domain import (
    MAIN_TIMELINE,
    Address,
    JobState,
    Memory,
    PersonId,
    Seq,
    Space,
)
from souvenance.errors import BadInput, Conflict, Unknown
from souvenance.stores.accepted import require_head, require_words
from souvenance.stores.sqlite import rows, scrubbing
from souvenance.stores.sqlite.connection import Database, one, run
from souvenance.stores.sqlite.memories import lineage
from souvenance.stores.sqlite.windows import forget_words
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
    PutTimeline,
    RedactMessage,
    RequeueJob,
    ResolveFailure,
    SetSwitch,
    Write,
)


@dataclass(frozen=True, slots=True)
class Change:
    """One commit under way: whose it is, its seq, and the place of the write in it."""

    db: Database
    space: Space
    person: PersonId
    seq: Seq
    place: int = 0

    @property
    def who(self) -> rows.Values:
        return {"space": self.space, "person": self.person}

    @property
    def when(self) -> rows.Values:
        return {"seq": self.seq, "place": self.place}


def apply(db: Database, space: Space, person: PersonId, writes: Sequence[Write]) -> Seq:
    """Does all of `writes` under one new seq and returns it; a turn counted alone takes none.

    Errors: `Conflict`, `Unknown`, `BadInput`; the caller's transaction is then undone.
    """
    who = {"space": space, "person": person}
    run(db, "add_space", {"space": space})
    run(db, "add_person", who)
    counts_only = all(isinstance(write, CountTurn) for write in writes)
    (number,) = one(db, "seq" if counts_only else "next_seq", who) or (0,)
    seq = Seq(number)
    for place, write in enumerate(writes):
        _WRITERS[type(write)](Change(db, space, person, seq, place), write)
    if any(isinstance(write, AddVersion) for write in writes):
        run(db, "memories_changed", who | {"seq": seq})
    return seq


def _settle(change: Change, address: Address, at: datetime) -> None:
    """Makes the address, and its main timeline, when they are not there yet."""
    where = rows.at(address)
    run(change.db, "add_address", where)
    main = {"timeline": MAIN_TIMELINE, "at": rows.instant(at), "seq": change.seq}
    run(change.db, "add_main_timeline", where | main)


def _put_person(change: Change, write: PutPerson) -> None:
    values = rows.of_person(write.person)
    row = one(change.db, "person", values)
    if row is not None and rows.to_person(row).names != write.person.names:
        run(change.db, "drop_vectors_of_person", values)
    run(change.db, "put_person", values)


def _put_timeline(change: Change, write: PutTimeline) -> None:
    timeline = write.timeline
    _settle(change, timeline.address, timeline.created_at)
    values = rows.of_timeline(timeline)
    if (timeline.parent is None) != (timeline.fork_seq is None):
        raise BadInput(f"timeline {timeline.timeline} needs both a parent and a fork, or neither")
    row = one(change.db, "timeline", rows.at(timeline.address) | {"timeline": timeline.timeline})
    if row is not None:
        known = rows.to_timeline(row)
        if (known.parent, known.fork_seq) != (timeline.parent, timeline.fork_seq):
            raise Conflict(f"timeline {timeline.timeline} exists and its fork never moves")
        if known.is_main and not timeline.is_main:
            raise BadInput("an address keeps a main timeline: make another one the main one")
    if timeline.is_main:
        run(change.db, "no_main_timeline", rows.at(timeline.address))
    run(change.db, "put_timeline", values | {"seq": change.seq})


def _put_thread(change: Change, write: PutThread) -> None:
    _settle(change, write.thread.address, write.thread.created_at)
    if write.guarded:
        where = rows.at(write.thread.address) | {"thread": write.thread.thread}
        require_head(write, (one(change.db, "thread_head", where) or (None,))[0])
    run(change.db, "put_thread", rows.of_thread(write.thread) | {"seq": change.seq})


def _add_message(change: Change, write: AddMessage) -> None:
    _settle(change, write.message.address, write.message.at)
    run(change.db, "add_message", rows.of_message(write.message) | change.when)


def _redact_message(change: Change, write: RedactMessage) -> None:
    key = rows.at(write.address) | {"message_id": write.message_id, "text": write.text}
    row = one(change.db, "redact_message", key)
    if row is None:
        raise Unknown(f"no message {write.message_id} at this address")
    forget_words(change.db, write.address, write.message_id)
    if write.pieces:
        thread, since = row
        scrubbing.scrub(change.db, write, thread, since)


def _expect_messages(change: Change, write: ExpectMessages) -> None:
    ids = rows.as_json([message_id for message_id, _ in write.texts])
    found = run(change.db, "messages", rows.at(write.address) | {"ids": ids})
    now = {m.message_id: m.text for m in map(rows.to_message, found)}
    require_words(write, now)


def _add_version(change: Change, write: AddVersion) -> None:
    memory = write.memory
    _settle(change, memory.address, memory.changed_at)
    found, own = _head(change, memory)
    if found != write.expected or found == change.seq:
        raise Conflict(
            f"memory {memory.memory_id} is at state {found}, not {write.expected}: "
            "read it again and decide again"
        )
    values = rows.of_memory(memory) | {"seq": change.seq}
    if own:
        key = {name: values[name] for name in ("memory_id", "timeline", "seq")}
        run(change.db, "close_version", rows.at(memory.address) | key)
    run(change.db, "add_version", values)


def _head(change: Change, memory: Memory) -> tuple[Seq | None, bool]:
    """The seq of the state that stands, and whether it is of this timeline or inherited."""
    key = rows.at(memory.address) | {"memory_id": memory.memory_id}
    own = one(change.db, "head", key | {"timeline": memory.timeline})
    if own is not None:
        return Seq(own[0]), True
    for link in lineage(change.db, memory.address, memory.timeline)[1:]:
        values = key | {"timeline": link.timeline, "upto": link.upto}
        inherited = one(change.db, "inherited_head", values)
        if inherited is not None:
            return Seq(inherited[0]), False
    return None, False


def _add_journal(change: Change, write: AddJournal) -> None:
    _settle(change, write.entry.address, write.entry.at)
    run(change.db, "add_journal", rows.of_journal(write.entry) | change.when)


def _add_job(change: Change, write: AddJob) -> None:
    _settle(change, write.job.address, write.job.created_at)
    run(change.db, "add_job", rows.of_job(write.job) | change.when)


def _end_job(change: Change, write: EndJob) -> None:
    if write.state in (JobState.PENDING, JobState.RUNNING):
        raise BadInput(f"a job ends done, parked or cancelled, not {write.state}")
    key = change.who | {"job_id": write.job_id}
    row = one(change.db, "person_job_state", key)
    if row is None:
        raise Unknown(f"no job {write.job_id} for this person")
    if row != (JobState.RUNNING, write.owner):
        raise Conflict(f"job {write.job_id} is no longer held by {write.owner}: leave it")
    run(change.db, "end_job", key | {"state": write.state.value, "error": write.error})


def _requeue_job(change: Change, write: RequeueJob) -> None:
    key = change.who | {"job_id": write.job_id}
    if one(change.db, "person_job_state", key) is None:
        raise Unknown(f"no job {write.job_id} for this person")
    run(change.db, "requeue_job", key | {"not_before": rows.instant(write.not_before)})


def _add_failure(change: Change, write: AddFailure) -> None:
    _settle(change, write.failure.address, write.failure.at)
    run(change.db, "put_failure", rows.of_failure(write.failure) | change.when)


def _resolve_failure(change: Change, write: ResolveFailure) -> None:
    run(change.db, "resolve_failure", change.who | {"failure_id": write.failure_id})
    if not change.db.changes():
        raise Unknown(f"no failure {write.failure_id} for this person")


def _add_proposal(change: Change, write: AddProposal) -> None:
    _settle(change, write.proposal.address, write.proposal.at)
    run(change.db, "add_proposal", rows.of_proposal(write.proposal) | change.when)


def _set_switch(change: Change, write: SetSwitch) -> None:
    values = rows.of_switch(write.switch)
    where = {name: values[name] for name in ("space", "person", "character", "thread")}
    run(change.db, "switch_on", where)
    if write.off:
        run(change.db, "switch_off", values | {"seq": change.seq})


def _count_turn(change: Change, write: CountTurn) -> None:
    _settle(change, write.address, write.at)
    where = rows.at(write.address)
    if write.degraded:
        run(change.db, "count_degraded", where)
        return
    ((turn,),) = run(change.db, "count_turn", where)
    now = where | {"turn": turn, "block": (turn - 1) // BLOCK_TURNS, "at": rows.instant(write.at)}
    if turn > 1 and (turn - 1) % BLOCK_TURNS == 0:
        _close_tally(change, where | {"block": now["block"] - 1})
    run(change.db, "count_in_tally", now)
    first, thread = one(change.db, "last_stretch", where) or (None, None)
    if thread == write.thread:
        run(change.db, "extend_stretch", where | {"first": first})
    else:
        run(change.db, "add_stretch", now | {"thread": write.thread})
    called = set(write.retrieved)
    uses = [[i, int(i in called)] for i in dict.fromkeys(write.served)]
    run(change.db, "count_uses", now | {"uses": rows.as_json(uses)})


def _close_tally(change: Change, block: rows.Values) -> None:
    """Notes the figures of a block before the counters that tell them go on to the next one."""
    (figures,) = run(change.db, "tally", block | {"most": BLOCK_TOP})
    names = ("slots", "retrieved", "memories", "top", "squares")
    run(change.db, "close_tally", block | dict(zip(names, figures, strict=True)))


_WRITERS: dict[type, Callable[[Change, Any], None]] = {
    PutPerson: _put_person,
    PutThread: _put_thread,
    PutTimeline: _put_timeline,
    AddMessage: _add_message,
    RedactMessage: _redact_message,
    ExpectMessages: _expect_messages,
    AddVersion: _add_version,
    AddJournal: _add_journal,
    AddJob: _add_job,
    EndJob: _end_job,
    RequeueJob: _requeue_job,
    AddFailure: _add_failure,
    ResolveFailure: _resolve_failure,
    AddProposal: _add_proposal,
    SetSwitch: _set_switch,
    CountTurn: _count_turn,
}
