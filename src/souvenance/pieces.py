"""Pieces of a private identifier that was said over several messages, and the records without them.

Every store changes the same records in the same way, so that what was decided on them can still be decided again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from souvenance.domain import Candidate, Failure, JournalEntry, Memory, Proposal, Redacted

#: Digits of a piece from which a figure read out of it alone is taken for the piece. Chosen, not measured: less is an
#: age or a number of rooms as often.
_FIGURE = 4

#: What may stand between two digits of a number, however a model writes it down.
_BETWEEN = r"[\s.\-/_]{0,2}"
_DIGITS_ALONE = re.compile(r"[\d\s.\-/_+()]*")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of an identifier as it was written, and the mark that takes its place ("[phone]")."""

    text: str = field(repr=False)  # a log of writes must not bring it back
    mark: str


def without(text: str, pieces: Sequence[Piece]) -> Redacted:
    """The text with each piece replaced by its mark, digits spaced otherwise and other capitals included."""
    for piece in pieces:
        pattern = _pattern(piece.text)
        if pattern is not None:
            text = pattern.sub(lambda _, mark=piece.mark: mark, text)  # type: ignore[misc]
    return Redacted(text)


def places(text: str, piece: Piece) -> list[tuple[int, int]]:
    """Where the piece stands in the text, as `without` finds it."""
    pattern = _pattern(piece.text)
    return [] if pattern is None else [m.span() for m in pattern.finditer(text)]


@lru_cache(maxsize=64)
def _pattern(piece: str) -> re.Pattern[str] | None:
    """Finds the piece where it stands alone: "34" is not in "340"."""
    bare = piece.strip()
    if not bare:
        return None
    digits = [c for c in bare if c.isdigit()]
    if digits and _DIGITS_ALONE.fullmatch(bare):
        body = _BETWEEN.join(map(re.escape, digits))
        return re.compile(rf"(?<!\w)(?:\+|\()?{body}(?!\w)")
    body = r"\s+".join(map(re.escape, bare.split()))
    before = r"(?<!\w)" if re.match(r"\w", bare) else ""
    after = r"(?!\w)" if re.search(r"\w\Z", bare) else ""
    return re.compile(before + body + after, re.IGNORECASE)


def _value(value: str | None, pieces: Sequence[Piece]) -> str | None:
    """The value without the pieces; one that is itself a figure out of a piece becomes its mark."""
    if value is None:
        return None
    digits = "".join(c for c in value if c.isdigit())
    for piece in pieces:
        whole = "".join(c for c in piece.text if c.isdigit())
        if len(digits) >= _FIGURE and digits in whole and _DIGITS_ALONE.fullmatch(value):
            return piece.mark
    return without(value, pieces)


def memory_without(memory: Memory, pieces: Sequence[Piece]) -> Memory:
    """The state of a memory without the pieces; equal to `memory` when it holds none."""
    return replace(
        memory,
        text=without(memory.text, pieces),
        quote=without(memory.quote, pieces),
        entity=memory.entity and without(memory.entity, pieces),
        attribute=memory.attribute and without(memory.attribute, pieces),
        value=_value(memory.value, pieces),
        cause=replace(memory.cause, reason=without(memory.cause.reason, pieces)),
    )


def entry_without(entry: JournalEntry, pieces: Sequence[Piece]) -> JournalEntry:
    """The line of the journal without the pieces."""
    return replace(entry, text=without(entry.text, pieces), reason=without(entry.reason, pieces))


def failure_without(failure: Failure, pieces: Sequence[Piece]) -> Failure:
    """The failure without the pieces, in its reason and in what the model answered."""
    return replace(
        failure, raw=without(failure.raw, pieces), reason=without(failure.reason, pieces)
    )


def proposal_without(proposal: Proposal, pieces: Sequence[Piece]) -> Proposal:
    """The proposal without the pieces, and marked so when it held one."""
    candidates = tuple(_candidate(c, pieces) for c in proposal.candidates)
    if candidates == proposal.candidates:
        return proposal
    return replace(proposal, candidates=candidates, scrubbed=True)


def _candidate(candidate: Candidate, pieces: Sequence[Piece]) -> Candidate:
    return replace(
        candidate,
        text=without(candidate.text, pieces),
        quote=without(candidate.quote, pieces),
        entity=candidate.entity and without(candidate.entity, pieces),
        attribute=candidate.attribute and without(candidate.attribute, pieces),
        value=_value(candidate.value, pieces),
    )
