"""Records to rows and back: dates as UTC text of fixed width, lists as JSON.

Rows come in the column order of queries.sql; each reader here names the record it builds.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any

import numpy as np

from souvenance import plain
from souvenance.counts import Tally
from souvenance.domain import (
    Address,
    Bounds,
    Candidate,
    Cause,
    Character,
    CharacterId,
    Failure,
    Job,
    JobId,
    JobState,
    JournalEntry,
    Kind,
    Memory,
    MemoryId,
    Message,
    MessageId,
    Person,
    PersonId,
    Proposal,
    Source,
    Space,
    Speakers,
    Status,
    Switch,
    Thread,
    Timeline,
    View,
)
from souvenance.ports import Vector

Row = tuple[Any, ...]
Values = dict[str, Any]


# --- records to values ---------------------------------------------------------------------------


def instant(at: datetime) -> str:
    """The date as stored: UTC, microseconds, fixed width, so that text order is time order."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def at(address: Address) -> Values:
    """The values that lead every key of an address."""
    return {"space": address.space, "person": address.person, "character": address.character}


def seen_by(view: View) -> Values:
    """The values by which a statement filters on thread and isolation."""
    return at(view.address) | {
        "thread": view.thread,
        "globals": view.thread is None or view.isolation == "character",
    }


def of_person(person: Person) -> Values:
    return {
        "space": person.space,
        "person": person.person,
        "display_name": person.display_name,
        "aliases": as_json(person.aliases),
        "time_zone": person.time_zone,
    }


def of_character(character: Character) -> Values:
    state = {name: asdict(bounds) for name, bounds in character.state.items()}
    return {
        "space": character.space,
        "character": character.character,
        "name": character.name,
        "persona": character.persona,
        "language": character.language,
        "isolation": character.isolation,
        "plan": character.plan,
        "greeting": character.greeting,
        "state": json.dumps(state, ensure_ascii=False),
    }


def of_timeline(timeline: Timeline) -> Values:
    return at(timeline.address) | {
        "timeline": timeline.timeline,
        "parent": timeline.parent,
        "fork_seq": timeline.fork_seq,
        "is_main": timeline.is_main,
        "created_at": instant(timeline.created_at),
    }


def of_thread(thread: Thread) -> Values:
    return at(thread.address) | {
        "thread": thread.thread,
        "timeline": thread.timeline,
        "head": thread.head,
        "title": thread.title,
        "created_at": instant(thread.created_at),
        "last_at": instant(thread.last_at),
    }


def of_message(message: Message) -> Values:
    return at(message.address) | {
        "thread": message.thread,
        "message_id": message.message_id,
        "parent": message.parent,
        "role": message.role,
        "text": message.text,
        "at": instant(message.at),
        "mark": message.mark,
    }


def of_memory(memory: Memory) -> Values:
    return at(memory.address) | {
        "memory_id": memory.memory_id,
        "timeline": memory.timeline,
        "thread": memory.thread,
        "kind": memory.kind.value,
        "text": memory.text,
        "fingerprint": memory.fingerprint,
        "born_at": instant(memory.born_at),
        "changed_at": instant(memory.changed_at),
        "cause_by": memory.cause.by,
        "cause_ref": memory.cause.ref,
        "cause_reason": memory.cause.reason,
        "status": memory.status.value,
        "source": memory.source.value,
        "importance": memory.importance,
        "confidence": float(memory.confidence),
        "pinned": memory.pinned,
        "edited": memory.edited,
        "quote": memory.quote,
        "messages": as_json(memory.messages),
        "entity": memory.entity,
        "attribute": memory.attribute,
        "value": memory.value,
        "starts": memory.starts and memory.starts.isoformat(),
        "until": memory.until and memory.until.isoformat(),
        "successor": memory.successor,
        "born_turn": memory.born_turn,
    }


def of_journal(entry: JournalEntry) -> Values:
    return at(entry.address) | {
        "thread": entry.thread,
        "at": instant(entry.at),
        "action": entry.action,
        "memory_id": entry.memory_id,
        "text": entry.text,
        "reason": entry.reason,
        "ref": entry.ref,
    }


def of_job(job: Job) -> Values:
    return at(job.address) | {
        "thread": job.thread,
        "job_id": job.job_id,
        "kind": job.kind,
        "messages": as_json(job.messages),
        "created_at": instant(job.created_at),
        "not_before": instant(job.not_before),
    }


def of_failure(failure: Failure) -> Values:
    return at(failure.address) | {
        "thread": failure.thread,
        "failure_id": failure.failure_id,
        "job_id": failure.job_id,
        "at": instant(failure.at),
        "reason": failure.reason,
        "raw": failure.raw,
        "resolved": failure.resolved,
    }


def of_proposal(proposal: Proposal) -> Values:
    body = {
        "speakers": asdict(proposal.speakers),
        "shown": proposal.shown,
        "fresh": proposal.fresh,
        "turn": proposal.turn,
        "candidates": [plain.plain(one) for one in proposal.candidates],
        **({"scrubbed": True} if proposal.scrubbed else {}),
    }
    return at(proposal.address) | {
        "thread": proposal.thread,
        "job_id": proposal.job_id,
        "at": instant(proposal.at),
        "by": proposal.by,
        "body": json.dumps(body, ensure_ascii=False),
    }


def of_switch(switch: Switch) -> Values:
    return {
        "space": switch.space,
        "person": switch.person,
        "character": switch.character,
        "thread": switch.thread,
        "off_at": instant(switch.off_at),
    }


def as_json(items: Sequence[object]) -> str:
    return json.dumps(list(items), ensure_ascii=False)


def as_blob(vector: Vector) -> bytes:
    """The vector as stored: float32, little-endian."""
    return np.ascontiguousarray(vector, dtype="<f4").tobytes()


# --- rows to records -----------------------------------------------------------------------------


def to_instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _maybe_instant(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _maybe_date(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


def _ids(text: str) -> tuple[MessageId, ...]:
    return () if text == "[]" else tuple(json.loads(text))


def _address(row: Row) -> Address:
    return _shared_address(row[0], row[1], row[2])


#: Ten thousand memories of one view share one record of their address.
@lru_cache(maxsize=1_000)
def _shared_address(space: Space, person: PersonId, character: CharacterId) -> Address:
    return Address(space, person, character)


def to_person(row: Row) -> Person:
    space, person, display_name, aliases, time_zone = row
    return Person(space, person, display_name, tuple(json.loads(aliases)), time_zone)


def to_character(row: Row) -> Character:
    space, character, name, persona, language, isolation, plan, greeting, state = row
    bounds = {key: Bounds(**limits) for key, limits in json.loads(state).items()}
    return Character(space, character, name, persona, language, isolation, plan, greeting, bounds)


def to_timeline(row: Row) -> Timeline:
    timeline, parent, fork_seq, is_main, created_at = row[3:]
    return Timeline(
        _address(row), timeline, parent, fork_seq, bool(is_main), to_instant(created_at)
    )


def to_thread(row: Row) -> Thread:
    thread, timeline, head, title, created_at, last_at = row[3:]
    return Thread(
        _address(row), thread, timeline, head, title, to_instant(created_at), to_instant(last_at)
    )


def to_message(row: Row) -> Message:
    thread, message_id, parent, role, text, when, mark, seq = row[3:]
    return Message(
        _address(row), thread, message_id, parent, role, text, to_instant(when), mark, seq
    )


#: Looked up rather than called: a call of an enum costs more than reading the rest of a column.
_KINDS = {kind.value: kind for kind in Kind}
_STATUSES = {status.value: status for status in Status}
_SOURCES = {source.value: source for source in Source}


def to_memory(row: Row) -> Memory:
    return Memory(
        address=_address(row),
        memory_id=MemoryId(row[3]),
        timeline=row[4],
        thread=row[5],
        kind=_KINDS.get(row[6]) or Kind(row[6]),
        text=row[7],
        born_at=to_instant(row[8]),
        changed_at=to_instant(row[9]),
        cause=Cause(row[10], row[11], row[12]),
        status=_STATUSES.get(row[13]) or Status(row[13]),
        source=_SOURCES.get(row[14]) or Source(row[14]),
        importance=row[15],
        confidence=row[16],
        pinned=bool(row[17]),
        edited=bool(row[18]),
        quote=row[19],
        messages=_ids(row[20]),
        entity=row[21],
        attribute=row[22],
        value=row[23],
        starts=_maybe_date(row[24]),
        until=_maybe_date(row[25]),
        successor=row[26],
        born_turn=row[27],
        seq_from=row[28],
        seq_to=row[29],
    )


def to_journal(row: Row) -> JournalEntry:
    thread, when, *rest = row[3:]
    return JournalEntry(_address(row), thread, to_instant(when), *rest)


def to_job(row: Row) -> Job:
    return Job(
        address=_address(row),
        thread=row[3],
        job_id=JobId(row[4]),
        kind=row[5],
        messages=_ids(row[6]),
        created_at=to_instant(row[7]),
        not_before=to_instant(row[8]),
        state=JobState(row[9]),
        attempts=row[10],
        lease_owner=row[11],
        lease_until=_maybe_instant(row[12]),
        heartbeat_at=_maybe_instant(row[13]),
        error=row[14],
        seq=row[15],
    )


def to_failure(row: Row) -> Failure:
    thread, failure_id, job_id, when, reason, raw, resolved = row[3:]
    return Failure(
        failure_id, _address(row), thread, job_id, to_instant(when), reason, raw, bool(resolved)
    )


def to_proposal(row: Row) -> Proposal:
    thread, job_id, when, by, body, seq = row[3:]
    read = json.loads(body)
    return Proposal(
        _address(row),
        thread,
        job_id,
        to_instant(when),
        by,
        plain.record_of(Speakers, read["speakers"]),
        tuple(read["shown"]),
        tuple(read["fresh"]),
        read["turn"],
        tuple(plain.record_of(Candidate, one) for one in read["candidates"]),
        seq,
        bool(read.get("scrubbed", False)),
    )


def to_switch(row: Row) -> Switch:
    space, person, character, thread, off_at = row
    return Switch(space, person, character, thread, to_instant(off_at))


def to_tally(row: Row) -> Tally:
    block, began, ended, turns, *figures = row
    return Tally(block, to_instant(began), to_instant(ended), turns, *figures)


def to_vector(blob: bytes) -> Vector:
    """A read-only view on the stored bytes."""
    return np.frombuffer(blob, dtype="<f4")
