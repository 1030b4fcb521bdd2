"""The queue of jobs: leases, heartbeats, attempts, and an order within each thread."""

from __future__ import annotations

from datetime import datetime, timedelta

from souvenance.domain import Address, Job, JobId
from souvenance.stores.sqlite import rows
from souvenance.stores.sqlite.connection import one, run
from souvenance.stores.sqlite.pool import Readers, Writer


class SqliteJobs:
    """Implements `ports.Jobs`."""

    def __init__(self, readers: Readers, writer: Writer) -> None:
        self._readers = readers
        self._writer = writer

    def claim(
        self, owner: str, now: datetime, lease_s: float, address: Address | None = None
    ) -> Job | None:
        where = _where(address) | {"now": rows.instant(now)}
        with self._readers.reading() as db:
            if one(db, "due_job", where) is None:
                return None  # an idle worker never takes the write lock
        lease = _lease(owner, now, lease_s)
        with self._writer.transaction() as db:
            due = one(db, "due_job", where)
            row = None if due is None else one(db, "lease_job", lease | {"job_id": due[0]})
        return None if row is None else rows.to_job(row)

    def claim_next(self, after: Job, owner: str, now: datetime, lease_s: float) -> Job | None:
        values: rows.Values = {"job_id": after.job_id, "owner": owner}
        with self._readers.reading() as db:
            if one(db, "following_job", values) is None:
                return None
        lease = _lease(owner, now, lease_s)
        with self._writer.transaction() as db:
            following = one(db, "following_job", values)
            if following is None:
                return None
            row = one(db, "lease_following", lease | {"job_id": following[0]})
        return None if row is None else rows.to_job(row)

    def heartbeat(self, job_id: JobId, owner: str, now: datetime, lease_s: float) -> bool:
        with self._writer.transaction() as db:
            row = one(db, "heartbeat", _lease(owner, now, lease_s) | {"job_id": job_id})
        return row is not None

    def release(
        self, job_id: JobId, owner: str, not_before: datetime, *, count_attempt: bool
    ) -> None:
        values = {
            "job_id": job_id,
            "owner": owner,
            "not_before": rows.instant(not_before),
            "uncounted": 0 if count_attempt else 1,
        }
        with self._writer.transaction() as db:
            run(db, "release_job", values)

    def unfinished(self, address: Address | None = None) -> list[Job]:
        with self._readers.reading() as db:
            return [rows.to_job(row) for row in run(db, "unfinished_jobs", _where(address))]

    def job(self, job_id: JobId) -> Job | None:
        with self._readers.reading() as db:
            row = one(db, "job", {"job_id": job_id})
        return None if row is None else rows.to_job(row)


def _where(address: Address | None) -> rows.Values:
    """One address, or everybody's."""
    if address is None:
        return {"space": None, "person": None, "character": None}
    return rows.at(address)


def _lease(owner: str, now: datetime, lease_s: float) -> rows.Values:
    until = now + timedelta(seconds=lease_s)
    return {"owner": owner, "now": rows.instant(now), "until": rows.instant(until)}
