"""Removes private identifiers from a text: phone, e-mail, card, IBAN, national id, passport, other numbers.

Steps: `view` (disguises off, offsets kept; `spelled` words as digits) → `emails` → `ibans` → `shapes` → `announced`
right behind their word → `numbers` that need no word (`runs`, `cards`, `phones`) → `announced` further off →
`numbers` that a word announces.
It removes the patterns it recognises: a filter, not a promise. Postal addresses are kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from souvenance.domain import Redacted
from souvenance.errors import FilterBroken
from souvenance.write.filters.identifiers.announced import find_announced
from souvenance.write.filters.identifiers.emails import find_emails
from souvenance.write.filters.identifiers.ibans import find_ibans
from souvenance.write.filters.identifiers.numbers import find_numbers
from souvenance.write.filters.identifiers.reading import Reading
from souvenance.write.filters.identifiers.shapes import find_shapes
from souvenance.write.filters.identifiers.view import MARK, Span, View, view_of

#: Rounds of search; what is found in one round can lay bare another find in the next. Chosen, not
#: measured: nothing met so far needed a third.
_ROUNDS = 6

__all__ = ["MARK", "Found", "Redaction", "find", "redact", "replaced", "says_more"]

Finder = Callable[[Reading], tuple[View, list[Span]]]

#: In the order they claim digits; each says in which view its spans are.
_FINDERS: tuple[Finder, ...] = (
    lambda reading: (reading.view, find_emails(reading.view)),
    lambda reading: (reading.digits, find_ibans(reading.digits)),
    lambda reading: (reading.view, find_shapes(reading.view)),
    lambda reading: (reading.digits, find_announced(reading.digits, near=True)),
    lambda reading: (reading.view, find_numbers(reading, sure=True)),
    lambda reading: (reading.digits, find_announced(reading.digits, near=False)),
    lambda reading: (reading.view, find_numbers(reading, sure=False)),
)


@dataclass(frozen=True, slots=True)
class Found:
    """One identifier, in offsets of the original text."""

    start: int
    end: int
    type: str


@dataclass(frozen=True, slots=True)
class Redaction:
    """A text without its identifiers, and what was taken out of the original, in order."""

    text: Redacted
    found: tuple[Found, ...]


def redact(text: str) -> Redaction:
    """The text with each identifier replaced by a mark such as `[phone]`; redacting twice changes nothing.

    Order: by place. Errors: `FilterBroken` when anything goes wrong, so that nothing is written.
    """
    return replaced(text, find(text))


def find(text: str) -> list[Found]:
    """Every identifier of the text, by place, apart. Errors: `FilterBroken` when anything goes wrong."""
    try:
        return _find(text)
    except Exception as error:  # the filter fails closed: the caller writes nothing
        raise FilterBroken("The private-identifier filter failed; nothing was written.") from error


def replaced(text: str, found: Sequence[Found]) -> Redaction:
    """The text with a mark in place of each find (in order, apart)."""
    pieces: list[str] = []
    at = 0
    for one in found:
        pieces += [text[at : one.start], f"[{one.type}]"]
        at = one.end
    return Redaction(Redacted("".join((*pieces, text[at:]))), tuple(found))


_SAYS = re.compile(r"[^\W_]")


def says_more(text: str) -> bool:
    """Whether a redacted text says anything beside the marks of what was taken out."""
    return _SAYS.search(MARK.sub(" ", text)) is not None


def _find(text: str) -> list[Found]:
    """Everything found in the text, by place, apart."""
    reading = Reading(view_of(text))
    found: list[Found] = []
    for _ in range(_ROUNDS):
        before = len(found)
        for finder in _FINDERS:
            view, spans = finder(reading)
            if not spans:
                continue
            fresh = _original(view, spans)
            found += fresh
            reading = reading.cut([reading.view.span(f.start, f.end, f.type) for f in fresh])
        if len(found) == before:
            break
    return sorted(found, key=lambda f: f.start)


def _original(view: View, spans: Sequence[Span]) -> list[Found]:
    """The spans in offsets of the original, without those that share a word said with the one before."""
    found: list[Found] = []
    for span in spans:
        start, end = view.starts[span.start], view.ends[span.end - 1]
        if not found or start >= found[-1].end:
            found.append(Found(start, end, span.type))
    return found
