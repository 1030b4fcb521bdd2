"""Finds an identifier that a person says over several messages ("my number is 06 12 34", then "56 78 90").

Each half alone is no identifier. The end of what was said before and the start of what is said now are read as one
line; only a find that crosses from one message into the next counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from souvenance.write.filters.identifiers import Found, Redaction, find, redact, replaced
from souvenance.write.filters.identifiers.cues import counted, pattern
from souvenance.write.filters.identifiers.reading import Reading
from souvenance.write.filters.identifiers.view import MARK, view_of

#: Messages before this one that may hold the rest of it. Chosen, not measured: a number in four pieces.
MOST = 3

#: Characters around the joint that may say something else ("et la suite :"). Chosen, not measured.
_ASIDE = 32

#: Letters that may follow the first half ("attends"). Chosen, not measured.
_AFTERWORDS = 10

#: A first half that is a year alone is none.
_YEAR = re.compile(r"(?<![0-9 .-])[ ]?(?:19|20)[0-9]{2}$")

#: Characters of an earlier message that are read again; an identifier and the word before it fit.
_TAIL = 160

#: Digits that each half needs when neither a check sum nor a word before proves the number. Chosen, not measured.
_PROVING = 4

#: Share of letters and digits of one half that must be digits then: a message that is mostly a number.
_MOSTLY = 0.5

_DIGIT = re.compile(r"\d")
#: The rest of an address: an at-sign that nothing stands before, or a message that opens with one or its word.
_EMAIL_HEAD = re.compile(
    r"(?:^|(?<=[\s:\"'«(]))@(?=\s?\w)|^\s{0,3}(?:@|\.(?=\w)|(?:arobase|arobas|at|point|dot)\s)",
    re.IGNORECASE,
)
_TIGHT_TAIL = re.compile(r"(?:[ .\-/_]?\d{1,2}){1,2}(?!\w)")
_WORD_CHAR = re.compile(r"[^\W_]")
_CHECKED = frozenset(("card", "iban"))
_CUES = {
    "phone": "phone_cues",
    "national_id": "national_id_cues",
    "passport": "passport_cues",
    "other_id": "other_id_cues",
    "email": "email_cues",
}


@dataclass(frozen=True, slots=True)
class Joined:
    """What is left of a message, and what is left of those before it (None where nothing changes)."""

    here: Redaction
    earlier: tuple[Redaction | None, ...]


@dataclass(frozen=True, slots=True)
class _Half:
    """A piece of one message in the joined line: `[low, high)` of its text stands at `at` of the line."""

    low: int
    high: int
    at: int


def redact_after(earlier: Sequence[str], text: str) -> Joined:
    """The message redacted, knowing what the same person said just before (redacted already, oldest first).

    Errors: `FilterBroken`, as `redact`.
    """
    here = redact(text)
    untouched = tuple(None for _ in earlier)
    if not may_go_on(text):
        return Joined(here, untouched)
    edges = _edges(text)
    whole = edges is not None and any(f.start <= edges[0] < f.end for f in here.found)
    for used in range(1, min(MOST, len(earlier)) + 1):
        known = earlier[len(earlier) - used :]
        found = _crossing([*known, text], whole=whole)
        if found:
            *before, now = (
                replaced(t, [f]) if f else None for t, f in zip([*known, text], found, strict=True)
            )
            mine = _with(here, found[-1], text)
            return Joined(mine or now or here, (*untouched[used:], *before))
    return Joined(here, untouched)


def may_go_on(text: str) -> bool:
    """Whether a message may hold the end of an identifier; spares the others every further look."""
    return _email_head(text) is not None or _edges(text) is not None


def _email_head(text: str) -> re.Match[str] | None:
    """Where the rest of an address starts, near the start of a message."""
    return _EMAIL_HEAD.search(text, 0, _ASIDE + 2)


def _with(here: Redaction, half: Found | None, text: str) -> Redaction | None:
    """The redaction with one more find, in place of those that it overlaps."""
    if half is None:
        return None
    others = [f for f in here.found if f.end <= half.start or f.start >= half.end]
    return replaced(text, sorted((*others, half), key=lambda f: f.start))


def _crossing(texts: Sequence[str], *, whole: bool) -> list[Found | None]:
    """The piece of each text that one identifier over all of them takes, empty when there is none.

    `whole` says that the last text opens with an identifier of its own: only a check sum proves more.
    """
    line, halves = _line(texts)
    if not halves:
        return []
    for found in find(line):
        if whole and found.type not in _CHECKED:
            continue
        pieces = [_piece(found, half) for half in halves]
        if pieces[0] is not None and pieces[-1] is not None and _proven(found, pieces, texts):
            return [*pieces[:-1], _to_the_end(pieces[-1], texts[-1])]
    return []


def _to_the_end(piece: Found, text: str) -> Found:
    """The last piece with the digits that follow it closely: two too many are part of what was said."""
    tail = _TIGHT_TAIL.match(text, piece.end)
    return Found(piece.start, tail.end(), piece.type) if tail else piece


def _line(texts: Sequence[str]) -> tuple[str, list[_Half]]:
    """The texts as one line, what stands between the halves left out; no halves when they do not meet."""
    rest = _email_head(texts[-1])
    line = ""
    halves: list[_Half] = []
    for i, text in enumerate(texts):
        half = _half(text, rest, first=i == 0, last=i == len(texts) - 1)
        if half is None:
            return "", []
        low, high = half
        glued = not line or (rest and i == len(texts) - 1 and text[low : low + 1] in ("@", "."))
        line += "" if glued else " "
        halves.append(_Half(low, high, len(line)))
        line += text[low:high]
    return line, halves


def _half(
    text: str, rest: re.Match[str] | None, *, first: bool, last: bool
) -> tuple[int, int] | None:
    """The piece of one text that the line takes; `rest` is where the last text goes on with an address."""
    low, high = max(0, len(text) - _TAIL) if first else 0, len(text)
    if rest is not None:
        if last:
            return rest.start() + len(rest.group()) - len(rest.group().lstrip()), high
        return (low, len(text.rstrip(" .,;:…!\n\t"))) if first else None
    edges = _edges(text)
    if edges is None:
        return None
    if not first:
        low = edges[0]
        if not _goes_on(text, low):
            return None
    if not last:
        high = edges[1]
        after = _WORD_CHAR.findall(text[high:])
        if len(after) > _AFTERWORDS or counted(view_of(text[high:]).text, 0):
            return None
        if MARK.search(text, low, high) if not first else _YEAR.search(text[low:high]):
            return None
    return low, high


def _goes_on(text: str, start: int) -> bool:
    """Whether a message that holds a number at `start` goes on with the one before: it opens with that
    number, or says so ("et la suite :")."""
    aside = view_of(text[:start]).text
    if start > _ASIDE:
        return False
    return not _WORD_CHAR.search(aside) or pattern("continuations").search(aside) is not None


def _in_digits(text: str) -> str:
    return Reading(view_of(text)).digits.text


def _mostly(text: str) -> bool:
    """Whether a message is mostly a number, typed or said."""
    flat = _in_digits(text)
    return len(_DIGIT.findall(flat)) >= _MOSTLY * max(1, len(_WORD_CHAR.findall(flat)))


def _edges(text: str) -> tuple[int, int] | None:
    """Where the first number of a text starts and the last one ends, typed or said; None without any."""
    view = Reading(view_of(text)).digits
    digits = [m.start() for m in _DIGIT.finditer(view.text)]
    if len(digits) < 2:
        return None
    start, end = view.starts[digits[0]], view.ends[digits[-1]]
    while start > 0 and _WORD_CHAR.match(text, start - 1):
        start -= 1
    while end < len(text) and _WORD_CHAR.match(text, end):
        end += 1
    return start, end


def _piece(found: Found, half: _Half) -> Found | None:
    """The part of a find that lies in one half, in offsets of its own text."""
    start = max(found.start, half.at) - half.at + half.low
    end = min(found.end, half.at + half.high - half.low) - half.at + half.low
    return Found(start, end, found.type) if start < end else None


def _proven(found: Found, pieces: Sequence[Found | None], texts: Sequence[str]) -> bool:
    """Whether the halves surely belong together: a check sum, a word before, or two halves that are numbers."""
    if found.type in _CHECKED:
        return True
    before = view_of(texts[0][: pieces[0].start]).text if pieces[0] else ""
    name = _CUES.get(found.type)
    if name and pattern(name).search(before[-_TAIL:]):
        return True
    if found.type == "email":
        return "@" in texts[-1]
    counts = [
        len(_DIGIT.findall(_in_digits(t[p.start : p.end])))
        for t, p in zip(texts, pieces, strict=True)
        if p
    ]
    return min(counts) >= _PROVING and any(map(_mostly, texts))
