"""A text as the identifier patterns read it, with the way back to the original offsets.

Disguises (full-width, zero-width, no-break spaces, accents, case) are gone in a view, so that each
pattern is written once; what was already found is one barrier character that no pattern crosses.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from souvenance.lang import fold

#: Stands for something already found; no pattern matches it.
BARRIER = "\x00"

#: The marks redaction leaves; they are barriers, so redacting twice changes nothing.
MARK = re.compile(r"\[(?:phone|email|card|iban|national_id|passport|other_id)\]")

#: Dates with a full year, and clock times: never part of an identifier.
_DATE = re.compile(
    r"(?<![0-9])(?:[0-9]{1,2}[/.\- ][0-9]{1,2}[/.\-](?:19|20)[0-9]{2}"
    r"|(?:19|20)[0-9]{2}[/.\-](?:0?[1-9]|1[0-2])[/.\-](?:0?[1-9]|[12][0-9]|3[01]))"
    r"(?![0-9]|[/.\-][0-9])"
)
_TIME = re.compile(
    r"(?<![a-z0-9:])[0-9]{1,2}(?:: ?| :| ?h ?)[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,9})?)?(?![0-9:])"
)
_UUID = re.compile(
    r"(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-z])"
)
#: A decimal figure, alone or as half of a pair of coordinates.
_DECIMAL = re.compile(r"(?<![0-9.,_/)])(?<!\) )-?[0-9]{1,3}[.,][0-9]{4,12}(?![0-9]|[.,][0-9])")
#: A web address: the numbers of its folders do not belong together.
_URL = re.compile(r"(?:https?://|www\.)[^\s\x00]{1,2000}")
_HARMLESS = (_UUID, _DATE, _TIME, _DECIMAL)


@dataclass(frozen=True, slots=True)
class Span:
    """A find in view offsets."""

    start: int
    end: int
    type: str


@dataclass(frozen=True)
class View:
    """`text` is folded; character i of it came from `[starts[i], ends[i])` of the original."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    @cached_property
    def announced(self) -> dict[tuple[int, str], object]:
        """What the finder of announced numbers read at each place: it comes twice over the same view."""
        return {}

    @cached_property
    def plain(self) -> str:
        """The text, same length, without the figures that are never part of an identifier."""
        return without_harmless(self.text)

    def span(self, start: int, end: int, type_: str) -> Span:
        """The find at these offsets of the original, in offsets of the view."""
        return Span(bisect_left(self.starts, start), bisect_right(self.ends, end), type_)

    def cut(self, spans: Sequence[Span]) -> View:
        """The view with each span (in order, apart) replaced by one barrier."""
        if not spans:
            return self
        pieces: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        at = 0
        for span in spans:
            pieces += [self.text[at : span.start], BARRIER]
            starts += [*self.starts[at : span.start], self.starts[span.start]]
            ends += [*self.ends[at : span.start], self.ends[span.end - 1]]
            at = span.end
        pieces.append(self.text[at:])
        return View("".join(pieces), [*starts, *self.starts[at:]], [*ends, *self.ends[at:]])


@lru_cache(maxsize=4096)
def _flat(char: str) -> str:
    """One character as patterns read it: folded, any digit as 0-9, invisible ones gone."""
    if char.isdigit():
        return str(unicodedata.digit(char))
    if unicodedata.category(char) in ("Cf", "Me", "Mn"):
        return ""
    flat = fold(char)
    return " " if flat.isspace() and flat not in "\n\r" else flat


def view_of(text: str) -> View:
    """The view of a text, marks of an earlier redaction already cut."""
    if text.isascii():
        view = View(text.lower().replace("\t", " "), range(len(text)), range(1, len(text) + 1))
    else:
        flats = [_flat(c) for c in text]
        starts = [i for i, f in enumerate(flats) for _ in f]
        view = View("".join(flats), starts, [i + 1 for i in starts])
    marks = [Span(m.start(), m.end(), "mark") for m in MARK.finditer(view.text)]
    return view.cut(marks)


def without_harmless(text: str) -> str:
    """The text of a view, same length, with dates, times, UUIDs, decimals and the joints of web addresses blanked by `#`."""
    text = _URL.sub(lambda m: re.sub(r"[/_.\-]", "#", m.group()), text)
    for pattern in _HARMLESS:
        text = pattern.sub(lambda m: "#" * len(m.group()), text)
    return text
