"""Records as plain values ready for JSON, and back, checked: what a database row and a recorded file both hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import TypeAdapter
from pydantic_core import to_json

from souvenance.domain import Address, Memory, Proposal, Seq

T = TypeVar("T")

#: What the store gives a record when it writes it: another run has other numbers.
_STORED = frozenset({"seq", "seq_from", "seq_to", "address"})


#: What reading a line that nobody here wrote may raise: other keys, other types, too deep.
NOT_OURS = (AttributeError, LookupError, RecursionError, TypeError, ValueError)

_ADAPTERS: dict[Any, TypeAdapter[Any]] = {}


def _adapter(kind: Any) -> TypeAdapter[Any]:
    """Made on first use and kept: making one costs a millisecond."""
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


def plain(record: object) -> Any:
    """A record as plain values; `record_of` reads it back."""
    return _adapter(type(record)).dump_python(record, mode="json")


def record_of(kind: type[T], values: object) -> T:
    """The record of that type that `plain` wrote. Errors: `ValueError` for anything else."""
    record: T = _adapter(kind).validate_json(to_json(values), strict=True)
    return record


def of_memory(memory: Memory) -> dict[str, Any]:
    """A state of a memory as plain values, without its address and seq; `to_memory` reads it back."""
    return {k: v for k, v in plain(memory).items() if k not in _STORED}


def to_memory(values: Mapping[str, Any], address: Address) -> Memory:
    """The state that `of_memory` wrote, at an address. Errors: `ValueError`."""
    return record_of(Memory, {**values, "address": plain(address)})


def of_proposal(proposal: Proposal) -> dict[str, Any]:
    """A proposal as plain values, without its address and seq; `to_proposal` reads it back."""
    left_out = _STORED if proposal.scrubbed else _STORED | {"scrubbed"}
    return {k: v for k, v in plain(proposal).items() if k not in left_out}


def to_proposal(values: Mapping[str, Any], address: Address, seq: Seq = Seq(0)) -> Proposal:
    """The proposal that `of_proposal` wrote, at an address. Errors: `ValueError`."""
    return record_of(Proposal, {**values, "address": plain(address), "seq": seq})
