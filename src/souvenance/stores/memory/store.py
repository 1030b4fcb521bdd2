"""The store in memory: the same promises as a file, but durability."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from souvenance.domain import PersonId, Seq, Space
from souvenance.errors import BadInput, StoreError
from souvenance.ports import CheckReport
from souvenance.stores.accepted import keyed_mark, require_storable
from souvenance.stores.memory.reads import MemoryConversations, MemoryMemories
from souvenance.stores.memory.state import PersonState
from souvenance.stores.memory.tables import Tables, Who
from souvenance.stores.memory.windows import MemoryWindows
from souvenance.stores.memory.work import MemoryJobs, MemoryVectors
from souvenance.stores.memory.writes import apply
from souvenance.writes import AddJob, Write


class MemoryStore:
    """Implements `ports.Store` without a file; what it holds is gone when the program ends."""

    def __init__(self, key: bytes | None = None) -> None:
        """`key` makes marks repeatable; without one they are this store's own."""
        self._key = key or secrets.token_bytes(32)
        self._tables = Tables()
        self.conversations = MemoryConversations(self._tables)
        self.memories = MemoryMemories(self._tables)
        self.jobs = MemoryJobs(self._tables)
        self.vectors = MemoryVectors(self._tables)
        self.windows = MemoryWindows(self._tables)

    def commit(self, space: Space, person: PersonId, writes: Sequence[Write]) -> Seq:
        require_storable(space, person, writes)
        with self._tables.reading() as people:
            _require_own_jobs(people, (space, person), writes)
            with self._tables.changing(space, person) as state:
                return apply(state, writes)

    def mark(self, text: str) -> str:
        return keyed_mark(self._key, text)

    def check(self) -> CheckReport:
        with self._tables.reading() as people:
            problems = [line for state in people.values() for line in _problems(state)]
            counts = _counts(people)
            counts["characters"] = len(self._tables.characters)
        return CheckReport("none (in memory)", 0, {}, tuple(problems), counts)

    def backup(self, target: Path) -> None:
        raise StoreError(
            f"this store is kept in memory only, so nothing was written to {target}: "
            "open a file to have backups"
        )

    def close(self) -> None:
        self._tables.close()


def _require_own_jobs(people: Mapping[Who, PersonState], who: Who, writes: Sequence[Write]) -> None:
    """Returns when no job has the id of another person's: ids are unique in a store."""
    added = {write.job.job_id for write in writes if isinstance(write, AddJob)}
    for other, state in people.items():
        if other != who and not added.isdisjoint(state.jobs):
            raise BadInput("the id of this job is another person's: derive it from the exchange")


def _problems(state: PersonState) -> Iterator[str]:
    for (_, _, memory_id), states in state.versions.items():
        if [s.seq_to for s in states] != [*[s.seq_from for s in states[1:]], None]:
            yield f"memory {memory_id}: its states do not follow each other"
        if states[-1].seq_from > state.seq:
            yield f"memory {memory_id}: a state from a seq that was not counted"
    for _, job in state.jobs.values():
        for message_id in job.messages:
            if (job.address, message_id) not in state.messages:
                yield f"job {job.job_id}: message {message_id} does not exist"


def _counts(people: Mapping[Who, PersonState]) -> dict[str, int]:
    states = list(people.values())
    return {
        "people": len(states),
        "characters": 0,
        "timelines": sum(len(s.timelines) for s in states),
        "threads": sum(len(s.threads) for s in states),
        "messages": sum(len(s.messages) for s in states),
        "memories": sum(len(s.versions) for s in states),
        "versions": sum(len(each) for s in states for each in s.versions.values()),
        "jobs": sum(len(s.jobs) for s in states),
        "failures": sum(len(s.failures) for s in states),
        "journal": sum(len(s.journal) for s in states),
        "proposals": sum(len(s.proposals) for s in states),
        "vectors": sum(len(s.vectors) for s in states),
        "windows": sum(len(s.windows) for s in states),
        "degraded_turns": sum(sum(s.degraded.values()) for s in states),
    }
