"""What each write of a commit does to a person's state, and what must hold once all are done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from souvenance.counts import BLOCK_TURNS, Counters, Stretch, Tally
from souvenance.domain import (
    MAIN_TIMELINE,
    Address,
    Job,
    JobId,
    JobState,
    Memory,
    MemoryId,
    Seq,
    Timeline,
)
from souvenance.errors import BadInput, Conflict, Unknown
from souvenance.stores.accepted import require_head, require_words
from souvenance.stores.memory.scrubbing import scrub
from souvenance.stores.memory.state import PersonState, Place
from souvenance.stores.memory.windows import forget_words
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
    """One commit under way: the copy it works on, its seq, and the place of the write in it."""

    state: PersonState
    seq: Seq
    place: int

    @property
    def when(self) -> Place:
        return self.seq, self.place


def apply(state: PersonState, writes: Sequence[Write]) -> Seq:
    """Does all of `writes` to `state` and returns their seq; a turn counted alone takes none.

    Errors: `Conflict`, `Unknown`, `BadInput`; `state` is then to be thrown away.
    """
    if not all(isinstance(write, CountTurn) for write in writes):
        state.seq = Seq(state.seq + 1)
    for place, write in enumerate(writes):
        _WRITERS[type(write)](Change(state, state.seq, place), write)
    if any(isinstance(write, AddVersion) for write in writes):
        state.memory_seq = state.seq
    for write in writes:
        _require_named(state, write)
    return state.seq


def _require_named(state: PersonState, write: Write) -> None:
    """Returns when what the row of a write names is there, once all are done. Errors: `Unknown`."""
    named: list[object]
    match write:
        case PutThread(put):
            thread = state.threads[put.address, put.thread]
            named = [state.timelines.get((thread.address, thread.timeline))]
            if thread.head is not None:
                named.append(state.messages.get((thread.address, thread.head)))
        case AddMessage(message):
            _, kept = state.messages[message.address, message.message_id]
            named = [state.threads.get((kept.address, kept.thread))]
            if kept.parent is not None:
                named.append(state.messages.get((kept.address, kept.parent)))
        case AddJob(job):
            _, queued = state.jobs[job.job_id]
            named = [state.threads.get((queued.address, queued.thread))]
        case PutTimeline(timeline) if timeline.parent is not None:
            named = [state.timelines.get((timeline.address, timeline.parent))]
        case AddVersion(memory):
            named = [state.timelines.get((memory.address, memory.timeline))]
        case _:
            named = []
    if None in named:
        raise Unknown(
            "this change names a message, thread or timeline that does not exist at its address"
        )


def _settle(change: Change, address: Address, at: datetime) -> None:
    """Makes the address, and its main timeline, when they are not there yet."""
    change.state.turns.setdefault(address, 0)
    if not change.state.timelines_of(address):
        main = Timeline(address, MAIN_TIMELINE, None, None, True, at)
        change.state.timelines[address, MAIN_TIMELINE] = (change.seq, main)


def _put_person(change: Change, write: PutPerson) -> None:
    if change.state.person is not None and change.state.person.names != write.person.names:
        change.state.vectors.clear()
    change.state.person = write.person


def _put_timeline(change: Change, write: PutTimeline) -> None:
    timeline, timelines = write.timeline, change.state.timelines
    _settle(change, timeline.address, timeline.created_at)
    if (timeline.parent is None) != (timeline.fork_seq is None):
        raise BadInput(f"timeline {timeline.timeline} needs both a parent and a fork, or neither")
    seq, known = timelines.get((timeline.address, timeline.timeline), (change.seq, timeline))
    if (known.parent, known.fork_seq) != (timeline.parent, timeline.fork_seq):
        raise Conflict(f"timeline {timeline.timeline} exists and its fork never moves")
    if known.is_main and not timeline.is_main:
        raise BadInput("an address keeps a main timeline: make another one the main one")
    if timeline.is_main:
        for key, (made, other) in list(timelines.items()):
            if other.address == timeline.address:
                timelines[key] = (made, replace(other, is_main=False))
    timelines[timeline.address, timeline.timeline] = (
        seq,
        replace(known, is_main=timeline.is_main),
    )


def _put_thread(change: Change, write: PutThread) -> None:
    thread = write.thread
    _settle(change, thread.address, thread.created_at)
    if write.guarded:
        before = change.state.threads.get((thread.address, thread.thread))
        require_head(write, before.head if before else None)
    change.state.threads[thread.address, thread.thread] = thread


def _add_message(change: Change, write: AddMessage) -> None:
    message = write.message
    _settle(change, message.address, message.at)
    row = (change.when, replace(message, seq=change.seq))
    change.state.messages.setdefault((message.address, message.message_id), row)


def _redact_message(change: Change, write: RedactMessage) -> None:
    key = (write.address, write.message_id)
    if key not in change.state.messages:
        raise Unknown(f"no message {write.message_id} at this address")
    when, message = change.state.messages[key]
    change.state.messages[key] = (when, replace(message, text=write.text))
    forget_words(change.state, write.address, write.message_id)
    if write.pieces:
        scrub(change.state, write, message)


def _expect_messages(change: Change, write: ExpectMessages) -> None:
    stored = change.state.messages
    now = {
        i: stored[write.address, i][1].text for i, _ in write.texts if (write.address, i) in stored
    }
    require_words(write, now)


def _add_version(change: Change, write: AddVersion) -> None:
    memory, versions = write.memory, change.state.versions
    _settle(change, memory.address, memory.changed_at)
    found = _head(change.state, memory)
    if found != write.expected or found == change.seq:
        raise Conflict(
            f"memory {memory.memory_id} is at state {found}, not {write.expected}: "
            "read it again and decide again"
        )
    key = (memory.address, memory.timeline, memory.memory_id)
    earlier = versions.get(key, ())
    if earlier:
        earlier = (*earlier[:-1], replace(earlier[-1], seq_to=change.seq))
    versions[key] = (*earlier, replace(memory, seq_from=change.seq, seq_to=None))


def _head(state: PersonState, memory: Memory) -> Seq | None:
    """The seq of the state that stands in this timeline, its own or inherited."""
    for link in state.links(memory.address, memory.timeline):
        states = state.versions.get((memory.address, link.timeline, memory.memory_id), ())
        standing = [s.seq_from for s in states if s.seq_from <= link.upto]
        if standing:
            return standing[-1]
    return None


def _add_journal(change: Change, write: AddJournal) -> None:
    _settle(change, write.entry.address, write.entry.at)
    change.state.journal[change.when] = replace(write.entry, seq=change.seq)


def _add_job(change: Change, write: AddJob) -> None:
    job = write.job
    _settle(change, job.address, job.created_at)
    fresh = Job(
        job.job_id,
        job.address,
        job.thread,
        job.kind,
        job.messages,
        job.created_at,
        job.not_before,
        seq=change.seq,
    )
    change.state.jobs.setdefault(job.job_id, (change.when, fresh))


def _job(change: Change, job_id: JobId) -> tuple[Place, Job]:
    if job_id not in change.state.jobs:
        raise Unknown(f"no job {job_id} for this person")
    return change.state.jobs[job_id]


def _end_job(change: Change, write: EndJob) -> None:
    if write.state in (JobState.PENDING, JobState.RUNNING):
        raise BadInput(f"a job ends done, parked or cancelled, not {write.state}")
    place, job = _job(change, write.job_id)
    if (job.state, job.lease_owner) != (JobState.RUNNING, write.owner):
        raise Conflict(f"job {write.job_id} is no longer held by {write.owner}: leave it")
    ended = replace(job, state=write.state, error=write.error, lease_owner=None, lease_until=None)
    change.state.jobs[write.job_id] = (place, ended)


def _requeue_job(change: Change, write: RequeueJob) -> None:
    place, job = _job(change, write.job_id)
    if job.state in (JobState.PENDING, JobState.RUNNING):
        return
    fresh = replace(
        job,
        state=JobState.PENDING,
        attempts=0,
        not_before=write.not_before,
        error="",
        heartbeat_at=None,
    )
    change.state.jobs[write.job_id] = (place, fresh)


def _add_failure(change: Change, write: AddFailure) -> None:
    _settle(change, write.failure.address, write.failure.at)
    change.state.failures[write.failure.failure_id] = (change.when, write.failure)


def _resolve_failure(change: Change, write: ResolveFailure) -> None:
    if write.failure_id not in change.state.failures:
        raise Unknown(f"no failure {write.failure_id} for this person")
    place, failure = change.state.failures[write.failure_id]
    change.state.failures[write.failure_id] = (place, replace(failure, resolved=True))


def _add_proposal(change: Change, write: AddProposal) -> None:
    _settle(change, write.proposal.address, write.proposal.at)
    change.state.proposals[change.when] = replace(write.proposal, seq=change.seq)


def _set_switch(change: Change, write: SetSwitch) -> None:
    key = (write.switch.character, write.switch.thread)
    change.state.switches.pop(key, None)
    if write.off:
        change.state.switches[key] = write.switch


def _count_turn(change: Change, write: CountTurn) -> None:
    state, address = change.state, write.address
    _settle(change, address, write.at)
    if write.degraded:
        state.degraded[address] = state.degraded.get(address, 0) + 1
        return
    turn = state.turns[address] = state.turns[address] + 1
    block = (turn - 1) // BLOCK_TURNS
    if (address, block - 1) in state.tallies and (address, block) not in state.tallies:
        state.tallies[address, block - 1] = state.tally(address, block - 1)
    begun = state.tallies.get((address, block), Tally(block, write.at, write.at, 0))
    state.tallies[address, block] = replace(begun, ended=write.at, turns=begun.turns + 1)
    _count_in_thread(state, write, turn)
    known = {memory_id for where, _, memory_id in state.versions if where == address}
    for memory_id in known.intersection(write.served):
        _count_use(state, write, memory_id, turn)


def _count_in_thread(state: PersonState, write: CountTurn, turn: int) -> None:
    """Adds the turn to the stretch of its thread, or begins one when the turn before was another's."""
    address = write.address
    last = next(
        (s for (where, _), s in reversed(state.stretches.items()) if where == address), None
    )
    if last is not None and last.thread == write.thread:
        state.stretches[address, last.first] = replace(last, turns=last.turns + 1)
    else:
        state.stretches[address, turn] = Stretch(turn, write.thread, 1)


def _count_use(state: PersonState, write: CountTurn, memory_id: MemoryId, turn: int) -> None:
    key, block = (write.address, memory_id), (turn - 1) // BLOCK_TURNS
    called = memory_id in write.retrieved
    before = state.counters.get(key, Counters())
    first, called_first = before.first_served, before.first_retrieved
    state.counters[key] = Counters(
        before.served + 1,
        before.retrieved + called,
        write.at if called else before.last_retrieved_at,
        turn if first is None else first,
        turn if called_first is None and called else called_first,
    )
    last, served, retrieved = state.recent.get(key, (block, 0, 0))
    if last != block:
        served = retrieved = 0
    state.recent[key] = (block, served + 1, retrieved + called)


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
