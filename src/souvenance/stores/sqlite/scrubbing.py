"""Takes the pieces of an identifier out of everything in the file that rests on one message, in its transaction.

The one place where words of the past change: each is read as the record it is, cleaned by `pieces`, and put back.
"""

from __future__ import annotations

from collections.abc import Sequence

from souvenance.domain import JobId, MemoryId, Seq, ThreadId
from souvenance.pieces import (
    Piece,
    entry_without,
    failure_without,
    memory_without,
    proposal_without,
    without,
)
from souvenance.stores.sqlite import rows
from souvenance.stores.sqlite.connection import Database, run
from souvenance.writes import RedactMessage


def scrub(db: Database, write: RedactMessage, thread: ThreadId, since: Seq) -> None:
    """Cleans what rests on the message of the write, which stands in `thread` since the commit `since`."""
    where = rows.at(write.address)
    reach = where | {"message_id": write.message_id, "since": since, "thread": thread}
    seqs = _proposals(db, where, reach, write.pieces)
    memories = _versions(db, where, reach | {"seqs": rows.as_json(seqs)}, write.pieces)
    jobs = _jobs(db, where, reach, write.pieces)
    _failures(db, where, reach | {"jobs": rows.as_json(jobs)}, write.pieces)
    resting = {
        "seqs": rows.as_json(seqs),
        "memories": rows.as_json(sorted(memories)),
        "jobs": rows.as_json(jobs),
    }
    _journal(db, where, reach | resting, write.pieces)


def _proposals(
    db: Database, where: rows.Values, reach: rows.Values, pieces: Sequence[Piece]
) -> list[Seq]:
    """The commits of the reflections that were shown the message."""
    seqs: list[Seq] = []
    for *row, place in run(db, "resting_proposals", reach):
        proposal = rows.to_proposal(tuple(row))
        seqs.append(proposal.seq)
        clean = proposal_without(proposal, pieces)
        if clean != proposal:
            body = rows.of_proposal(clean)["body"]
            run(
                db,
                "rewrite_proposal",
                where | {"seq": proposal.seq, "place": place, "body": body},
            )
    return seqs


def _versions(
    db: Database, where: rows.Values, reach: rows.Values, pieces: Sequence[Piece]
) -> set[MemoryId]:
    """The memories that rest on the message, or were written by a reflection that was shown it."""
    found: set[MemoryId] = set()
    changed = False
    for memory in map(rows.to_memory, run(db, "resting_versions", reach)):
        found.add(memory.memory_id)
        clean = memory_without(memory, pieces)
        if clean == memory:
            continue
        changed = True
        values = rows.of_memory(clean) | {"seq": memory.seq_from}
        names = (
            "timeline", "memory_id", "seq", "text", "fingerprint", "quote", "entity", "attribute", "value",
            "cause_reason",
        )  # fmt: skip
        run(db, "rewrite_version", where | {name: values[name] for name in names})
        if clean.fingerprint != memory.fingerprint:
            key = {"memory_id": memory.memory_id, "fingerprint": memory.fingerprint}
            run(db, "drop_vectors_of_text", where | key)
    if changed:
        run(db, "count_erasure", {name: where[name] for name in ("space", "person")})
    return found


def _jobs(
    db: Database, where: rows.Values, reach: rows.Values, pieces: Sequence[Piece]
) -> list[JobId]:
    """The jobs of the thread since the message: each may have been shown it."""
    found = [rows.to_job(row) for row in run(db, "resting_jobs", reach)]
    for job in found:
        error = without(job.error, pieces)
        if error != job.error:
            run(db, "rewrite_job", where | {"job_id": job.job_id, "error": error})
    return [job.job_id for job in found]


def _failures(
    db: Database, where: rows.Values, reach: rows.Values, pieces: Sequence[Piece]
) -> None:
    for failure in map(rows.to_failure, run(db, "resting_failures", reach)):
        clean = failure_without(failure, pieces)
        if clean != failure:
            key = {
                "failure_id": failure.failure_id,
                "reason": clean.reason,
                "raw": clean.raw,
            }
            run(db, "rewrite_failure", where | key)


def _journal(db: Database, where: rows.Values, reach: rows.Values, pieces: Sequence[Piece]) -> None:
    for *row, place in run(db, "resting_journal", reach):
        entry = rows.to_journal(tuple(row))
        clean = entry_without(entry, pieces)
        if clean != entry:
            key = {"seq": entry.seq, "place": place, "text": clean.text, "reason": clean.reason}
            run(db, "rewrite_journal", where | key)
