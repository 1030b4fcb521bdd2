"""Takes the pieces of an identifier out of everything in memory that rests on one message.

The counterpart of `stores/sqlite/scrubbing.py`, written apart so that the two can be held against each other.
"""

from __future__ import annotations

from dataclasses import replace

from souvenance.domain import MemoryId, Message, Seq
from souvenance.pieces import (
    entry_without,
    failure_without,
    memory_without,
    proposal_without,
    without,
)
from souvenance.stores.memory.state import PersonState
from souvenance.writes import RedactMessage


def scrub(state: PersonState, write: RedactMessage, message: Message) -> None:
    """Cleans what rests on the message, as it stood before the write."""
    address, pieces = write.address, write.pieces
    seqs: set[Seq] = set()
    for place, proposal in list(state.proposals.items()):
        if proposal.address != address or proposal.seq < message.seq:
            continue
        if message.message_id in (*proposal.shown, *proposal.fresh):
            seqs.add(proposal.seq)
            state.proposals[place] = proposal_without(proposal, pieces)
    memories = _versions(state, write, message, seqs)
    jobs = {
        job_id
        for job_id, (_, job) in state.jobs.items()
        if (job.address, job.thread) == (address, message.thread) and job.seq >= message.seq
    }
    for job_id in jobs:
        place, job = state.jobs[job_id]
        state.jobs[job_id] = (place, replace(job, error=without(job.error, pieces)))
    for failure_id, (place, failure) in list(state.failures.items()):
        if failure.address == address and failure.job_id in jobs and place[0] >= message.seq:
            state.failures[failure_id] = (place, failure_without(failure, pieces))
    for place, entry in list(state.journal.items()):
        if entry.address != address or entry.seq < message.seq:
            continue
        if entry.seq in seqs or entry.memory_id in memories or entry.ref in jobs:
            state.journal[place] = entry_without(entry, pieces)


def _versions(
    state: PersonState, write: RedactMessage, message: Message, seqs: set[Seq]
) -> set[MemoryId]:
    """The memories that rest on the message, or were written by a reflection that was shown it; cleaned."""
    theirs = {key: states for key, states in state.versions.items() if key[0] == write.address}
    found = {
        memory_id
        for (_, _, memory_id), states in theirs.items()
        for one in states
        if one.seq_from >= message.seq
        and (one.seq_from in seqs or message.message_id in one.messages)
    }
    gone: set[tuple[MemoryId, str]] = set()
    changed = False
    for key, states in theirs.items():
        if key[2] not in found:
            continue
        clean = tuple(
            memory_without(one, write.pieces) if one.seq_from >= message.seq else one
            for one in states
        )
        changed = changed or clean != states
        gone |= {
            (key[2], was.fingerprint)
            for was, now in zip(states, clean, strict=True)
            if was.fingerprint != now.fingerprint
        }
        state.versions[key] = clean
    for vector in list(state.vectors):
        if vector[0] == write.address and (vector[1], vector[3]) in gone:
            del state.vectors[vector]
    state.erasures += changed
    return found
