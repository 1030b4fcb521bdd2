"""The queue of jobs and the vectors of the store in memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np

from souvenance.domain import Address, Job, JobId, JobState, Memory, PersonId, Space, Status, View
from souvenance.ports import HeldVectors, VectorRow
from souvenance.stores.accepted import require_vectors
from souvenance.stores.lineage import in_order, sees
from souvenance.stores.memory.state import PersonState, Place
from souvenance.stores.memory.tables import Tables, Who

_UNFINISHED = (JobState.PENDING, JobState.RUNNING)


class MemoryJobs:
    """Implements `ports.Jobs`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def claim(
        self, owner: str, now: datetime, lease_s: float, address: Address | None = None
    ) -> Job | None:
        with self._tables.reading() as people:
            waiting = _unfinished(people, address)
            first: dict[tuple[Address, str], Place] = {}
            for place, job in waiting:
                thread = (job.address, job.thread)
                first[thread] = min(place, first.get(thread, place))
            due = [
                (place, job)
                for place, job in waiting
                if first[job.address, job.thread] == place and _is_due(job, now)
            ]
            if not due:
                return None
            place, job = min(due, key=lambda d: (d[1].created_at, d[0], d[1].job_id))
            return self._lease(place, job, owner, now, lease_s)

    def claim_next(self, after: Job, owner: str, now: datetime, lease_s: float) -> Job | None:
        with self._tables.reading() as people:
            held = _held(people, after.job_id, owner)
            if held is None:
                return None
            behind = [
                (place, job)
                for place, job in _unfinished(people, after.address)
                if job.thread == after.thread and place > held[0]
            ]
            if not behind:
                return None
            place, job = min(behind, key=lambda b: b[0])
            if job.state is not JobState.PENDING:
                return None
            return self._lease(place, job, owner, now, lease_s)

    def heartbeat(self, job_id: JobId, owner: str, now: datetime, lease_s: float) -> bool:
        with self._tables.reading() as people:
            held = _held(people, job_id, owner)
            if held is None:
                return False
            place, job = held
            until = now + timedelta(seconds=lease_s)
            self._put(replace(job, lease_until=until, heartbeat_at=now), place)
            return True

    def release(
        self, job_id: JobId, owner: str, not_before: datetime, *, count_attempt: bool
    ) -> None:
        with self._tables.reading() as people:
            held = _held(people, job_id, owner)
            if held is None:
                return
            place, job = held
            given_back = replace(
                job,
                state=JobState.PENDING,
                lease_owner=None,
                lease_until=None,
                heartbeat_at=None,
                not_before=not_before,
                attempts=job.attempts if count_attempt else job.attempts - 1,
            )
            self._put(given_back, place)

    def unfinished(self, address: Address | None = None) -> list[Job]:
        with self._tables.reading() as people:
            waiting = _unfinished(people, address)
        waiting.sort(key=lambda w: (w[0], w[1].address.space, w[1].address.person, w[1].job_id))
        return [job for _, job in waiting]

    def job(self, job_id: JobId) -> Job | None:
        with self._tables.reading() as people:
            found = _jobs(people, job_id)
        return found[0][1] if found else None

    def _lease(self, place: Place, job: Job, owner: str, now: datetime, lease_s: float) -> Job:
        leased = replace(
            job,
            state=JobState.RUNNING,
            attempts=job.attempts + 1,
            lease_owner=owner,
            lease_until=now + timedelta(seconds=lease_s),
            heartbeat_at=now,
        )
        self._put(leased, place)
        return leased

    def _put(self, job: Job, place: Place) -> None:
        with self._tables.changing(job.address.space, job.address.person) as state:
            state.jobs[job.job_id] = (place, job)


def _unfinished(
    people: Mapping[Who, PersonState], address: Address | None
) -> list[tuple[Place, Job]]:
    return [
        (place, job)
        for state in people.values()
        for place, job in state.jobs.values()
        if job.state in _UNFINISHED and address in (None, job.address)
    ]


def _is_due(job: Job, now: datetime) -> bool:
    since = job.not_before if job.state is JobState.PENDING else job.lease_until
    return since is not None and since <= now


def _jobs(people: Mapping[Who, PersonState], job_id: JobId) -> list[tuple[Place, Job]]:
    return [state.jobs[job_id] for state in people.values() if job_id in state.jobs]


def _held(people: Mapping[Who, PersonState], job_id: JobId, owner: str) -> tuple[Place, Job] | None:
    for place, job in _jobs(people, job_id):
        if (job.state, job.lease_owner) == (JobState.RUNNING, owner):
            return place, job
    return None


class MemoryVectors:
    """Implements `ports.Vectors`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def missing(self, embedder: str, limit: int) -> list[tuple[Address, Memory]]:
        with self._tables.reading() as people:
            found = [
                memory
                for state in people.values()
                for address, memory_id in {(a, m) for a, _, m in state.versions}
                for memory in state.in_use(address, memory_id)
                if memory.status is Status.ACTIVE
                and (address, memory_id, embedder, memory.fingerprint) not in state.vectors
            ]
        found.sort(key=_oldest_first)
        return [(memory.address, memory) for memory in found[: max(limit, 0)]]

    def held(self) -> list[HeldVectors]:
        found: dict[tuple[str, int], list[int]] = defaultdict(list)
        with self._tables.reading() as people:
            for state in people.values():
                for (_, _, embedder, _), (_, vector) in state.vectors.items():
                    found[embedder, len(vector)].append(vector.nbytes)
                for (_, _, _, embedder, _), (_, vector) in state.windows.items():
                    found[embedder, len(vector)].append(vector.nbytes)
        return [HeldVectors(*key, len(sizes), sum(sizes)) for key, sizes in sorted(found.items())]

    def progress(self, embedder: str) -> tuple[int, int]:
        with self._tables.reading() as people:
            every = [
                (m.address, m.memory_id, embedder, m.fingerprint) in state.vectors
                for state in people.values()
                for versions in state.versions.values()
                for m in versions
                if m.seq_to is None and m.status is Status.ACTIVE
            ]
        return sum(every), len(every)

    def drop(self, embedder: str, limit: int) -> int:
        gone = 0
        with self._tables.reading() as people:
            for who, before in list(people.items()):
                theirs = [k for k in before.vectors if k[2] == embedder][: max(limit - gone, 0)]
                if theirs:
                    with self._tables.changing(*who) as state:
                        for key in theirs:
                            del state.vectors[key]
                    gone += len(theirs)
        return gone

    def put(self, embedder: str, rows: Sequence[VectorRow]) -> None:
        require_vectors(rows)
        by_person: dict[tuple[Space, PersonId], list[VectorRow]] = defaultdict(list)
        for row in rows:
            by_person[row.address.space, row.address.person].append(row)
        with self._tables.reading() as people:
            known = {who: theirs for who, theirs in by_person.items() if who in people}
            for who, theirs in known.items():
                with self._tables.changing(*who) as state:
                    _put(state, embedder, theirs)

    def load(self, view: View, embedder: str, since: int = 0) -> list[VectorRow]:
        with self._tables.state(view.address) as state:
            seen = in_order(m for m in state.standing(view) if sees(view, m))
            keys = [(view.address, m.memory_id, embedder, m.fingerprint) for m in seen]
            found = [(key, state.vectors[key]) for key in keys if key in state.vectors]
        return [
            VectorRow(view.address, key[1], key[3], vector)
            for key, (stamp, vector) in found
            if stamp > since
        ]


def _put(state: PersonState, embedder: str, theirs: Iterable[VectorRow]) -> None:
    """Stores those whose text is still in use, under one new stamp; drops those of older texts."""
    stamp = state.vector_stamp + 1
    for row in theirs:
        wanted = {m.fingerprint for m in state.in_use(row.address, row.memory_id)}
        if row.fingerprint not in wanted:
            continue
        state.vector_stamp = stamp
        for stale in state.fingerprints(row.address, row.memory_id) - wanted:
            state.vectors.pop((row.address, row.memory_id, embedder, stale), None)
        vector = np.array(row.vector, dtype=np.float32)
        vector.setflags(write=False)
        state.vectors[row.address, row.memory_id, embedder, row.fingerprint] = (stamp, vector)


def _oldest_first(memory: Memory) -> tuple[object, ...]:
    address = memory.address
    where = (address.space, address.person, address.character, memory.memory_id)
    return (memory.changed_at, *where, memory.seq_from, memory.timeline)
