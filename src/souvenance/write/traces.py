"""What a reflection leaves beside memories: what was proposed, journal lines, failures; all redacted.

Pure: the I/O file commits what is built here in the transaction of the memories themselves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime

from souvenance.domain import (
    Candidate,
    Dropped,
    Exchange,
    Failure,
    Isolation,
    Job,
    JobState,
    JournalEntry,
    MessageId,
    Proposal,
    Redacted,
    Speakers,
)
from souvenance.write.desk import Setting
from souvenance.write.filters.identifiers import redact
from souvenance.writes import AddFailure, AddJournal, AddProposal, EndJob, Write

#: The longest raw answer kept in the failure inbox, in characters. Chosen, not measured.
_RAW = 20_000

#: Who proposed, when no chat model did.
RULES = "rules"


def proposal(
    job: Job,
    by: str,
    exchange: Exchange,
    fresh: Sequence[MessageId],
    candidates: Sequence[Candidate],
    setting: Setting,
) -> AddProposal:
    """What was read and proposed, as it is kept; the candidates went through redaction."""
    made = Proposal(
        job.address,
        job.thread,
        job.job_id,
        setting.at,
        by,
        speakers(exchange, setting.isolation),
        tuple(m.message_id for m in exchange.messages),
        tuple(fresh),
        setting.turn,
        tuple(candidates),
    )
    return AddProposal(made)


def speakers(exchange: Exchange, isolation: Isolation) -> Speakers:
    """Who spoke, as the filters and the desk know them."""
    person, character = exchange.person, exchange.character
    return Speakers(
        person.display_name,
        person.aliases,
        person.time_zone,
        character.name,
        character.language,
        isolation,
    )


def drop(dropped: Dropped, setting: Setting) -> AddJournal:
    """The journal line of a candidate that a filter refused."""
    entry = JournalEntry(
        setting.address,
        setting.thread,
        setting.at,
        "dropped",
        text=redact(dropped.candidate.text).text,
        reason=redact(dropped.reason).text,
        ref=dropped.filter,
    )
    return AddJournal(entry)


def reflected(job: Job, at: datetime, stored: int, dropped: int) -> AddJournal:
    """The journal line that ends a reflection."""
    reason = f"{stored} stored, {dropped} dropped"
    return AddJournal(
        JournalEntry(job.address, job.thread, at, "reflected", reason=reason, ref=job.job_id)
    )


def parked(jobs: Sequence[Job], owner: str, at: datetime, reason: str, raw: str) -> list[Write]:
    """Every job in the inbox, under one failure each, with what the model said."""
    kept = redact(raw[:_RAW]).text if raw else Redacted("")
    reason = redact(reason).text  # a model's answer may be quoted in it
    writes: list[Write] = []
    for job in jobs:
        name = f"{job.job_id}/{job.attempts}".encode()
        identity = hashlib.blake2b(name, digest_size=6).hexdigest()
        failure = Failure(identity, job.address, job.thread, job.job_id, at, reason, kept)
        entry = JournalEntry(job.address, job.thread, at, "failed", reason=reason, ref=job.job_id)
        end = EndJob(job.job_id, owner, JobState.PARKED, error=reason)
        writes += [end, AddFailure(failure), AddJournal(entry)]
    return writes
