"""Records as plain values ready for JSON, and back: what a database row and a recorded file both hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from typing import Any

from souvenance.domain import Candidate, Kind, Scope, Speakers


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


def to_speakers(values: Mapping[str, Any]) -> Speakers:
    """The speakers that `asdict` wrote. Errors: as `to_candidate`."""
    return Speakers(**{**values, "aliases": tuple(values["aliases"])})


def _maybe_date(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)
