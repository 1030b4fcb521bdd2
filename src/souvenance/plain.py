"""Records as plain values ready for JSON, and back: what a database row and a recorded file both hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date, datetime
from typing import Any

from souvenance.domain import (
    Address,
    Candidate,
    Cause,
    CharacterId,
    JobId,
    Kind,
    Memory,
    PersonId,
    Proposal,
    Scope,
    Source,
    Space,
    Speakers,
    Status,
    ThreadId,
)


def of_candidate(candidate: Candidate) -> dict[str, Any]:
    """A candidate as plain values; `to_candidate` reads it back."""
    values = asdict(candidate)
    for name in ("starts", "until"):
        values[name] = values[name] and values[name].isoformat()
    return values


def to_candidate(values: Mapping[str, Any]) -> Candidate:
    """The candidate that `of_candidate` wrote. Errors: `KeyError`, `TypeError`, `ValueError` for anything else."""
    read = {
        **values,
        "kind": Kind(values["kind"]),
        "scope": Scope(values["scope"]),
        "messages": tuple(values["messages"]),
        "starts": _maybe_date(values["starts"]),
        "until": _maybe_date(values["until"]),
    }
    return Candidate(**read)


#: What the store gives a state when it writes it: another run has other numbers.
_STORED = ("seq_from", "seq_to", "address")


def of_memory(memory: Memory) -> dict[str, Any]:
    """A state of a memory as plain values, without its address and seq; `to_memory` reads it back."""
    values = {k: v for k, v in asdict(memory).items() if k not in _STORED}
    for name in ("born_at", "changed_at", "starts", "until"):
        values[name] = values[name] and values[name].isoformat()
    return {**values, "messages": list(memory.messages)}


def to_memory(values: Mapping[str, Any], address: Address) -> Memory:
    """The state that `of_memory` wrote, at an address. Errors: as `to_candidate`."""
    read = {
        **values,
        "address": address,
        "kind": Kind(values["kind"]),
        "status": Status(values["status"]),
        "source": Source(values["source"]),
        "cause": Cause(**values["cause"]),
        "messages": tuple(values["messages"]),
        "born_at": datetime.fromisoformat(values["born_at"]),
        "changed_at": datetime.fromisoformat(values["changed_at"]),
        "starts": _maybe_date(values["starts"]),
        "until": _maybe_date(values["until"]),
    }
    return Memory(**read)


def to_address(values: Mapping[str, Any]) -> Address:
    """The address that `asdict` wrote. Errors: as `to_candidate`."""
    return Address(
        Space(values["space"]), PersonId(values["person"]), CharacterId(values["character"])
    )


def of_proposal(proposal: Proposal) -> dict[str, Any]:
    """A proposal as plain values, without its address and seq; `to_proposal` reads it back."""
    return {
        "job": proposal.job_id,
        "at": proposal.at.isoformat(),
        "by": proposal.by,
        "thread": proposal.thread,
        "turn": proposal.turn,
        "speakers": asdict(proposal.speakers),
        "shown": list(proposal.shown),
        "fresh": list(proposal.fresh),
        "candidates": [of_candidate(c) for c in proposal.candidates],
    }


def to_proposal(values: Mapping[str, Any], address: Address) -> Proposal:
    """The proposal that `of_proposal` wrote, at an address. Errors: as `to_candidate`."""
    return Proposal(
        address,
        ThreadId(values["thread"]),
        JobId(values["job"]),
        datetime.fromisoformat(values["at"]),
        values["by"],
        to_speakers(values["speakers"]),
        tuple(values["shown"]),
        tuple(values["fresh"]),
        values["turn"],
        tuple(to_candidate(c) for c in values["candidates"]),
    )


def to_speakers(values: Mapping[str, Any]) -> Speakers:
    """The speakers that `asdict` wrote. Errors: as `to_candidate`."""
    return Speakers(**{**values, "aliases": tuple(values["aliases"])})


def _maybe_date(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)
