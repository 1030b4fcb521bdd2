"""Finds an identifier that a person says over several messages ("my number is 06 12 34", then "56 78 90").

Each half alone is no identifier. The end of what was said before and the start of what is said now are read as one
line, messages in between that only gain time left out; only a find that crosses from one message into the next counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from souvenance.write.filters.identifiers import Found, Redaction, find, redact, replaced
from souvenance.write.filters.identifiers.cues import counted, pattern
from souvenance.write.filters.identifiers.ibans import begun
from souvenance.write.filters.identifiers.reading import Reading
from souvenance.write.filters.identifiers.view import MARK, view_of

#: Messages before this one that may hold the rest of it. Chosen, not measured: a number in four pieces.
MOST = 3

#: Messages in a row that may stand between two pieces ("attends"), and the words of one. Chosen, not measured.
_BESIDE = 2
_BESIDE_WORDS = 6

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
#: A message that opens with where an address is hosted, after one that ended in its at-sign.
_HOST_HEAD = re.compile(
    r"^\s{0,3}[\w-]{1,64}(?:\.[\w-]{1,64}){0,3}(?:\.|\s(?:dot|point)\s)[a-z]{2,24}(?![\w@])",
    re.IGNORECASE,
)
_AT = r"(?:@|(?<!\w)(?:arobase|arobas|at)(?!\w))"
_AT_TAIL = re.compile(rf"\w\s?{_AT}\s*\Z", re.IGNORECASE)
_AT_ALONE = re.compile(rf"\s*{_AT}\s*", re.IGNORECASE)
_WORD = re.compile(r"\w+")
#: The last group of a number, alone in a message after one that was all mark.
_ALL_MARK = re.compile(r"\s*\[(card|iban|phone)\]\W*")
_LAST_GROUP = re.compile(r"\s*(\d{2,4}(?:[ .\-]?\d{1,4}){0,2})\W*")
_TIGHT_TAIL = re.compile(r"(?:[ .\-/_]?\d{1,2}){1,2}(?!\w)")
_NUMBER = re.compile(r"\d+")
_WORD_CHAR = re.compile(r"[^\W_]")
_CHECKED = frozenset(("card", "iban"))
_CUES = {
    "card": "card_cues",
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


@dataclass(frozen=True, slots=True)
class _Around:
    """What stands around the pieces: `lead`, the message before them, may announce them; `whole` says that the last
    opens with an identifier of its own; `far`, that something else was said in between."""

    lead: str
    whole: bool
    far: bool


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
    pieces = _speaking(earlier, text)
    for used in range(1, min(MOST, len(pieces)) + 1):
        at = pieces[len(pieces) - used :]
        texts = [*(earlier[i] for i in at), text]
        beside = [earlier[i] for i in range(at[0], len(earlier)) if i not in at]
        far = not all(map(_only_waits, beside))
        found = _crossing(texts, _Around(_lead(earlier[: at[0]]), whole, far))
        if found:
            before = {
                i: replaced(earlier[i], [f]) for i, f in zip(at, found[:-1], strict=True) if f
            }
            mine = _with(here, found[-1], text)
            return Joined(mine or here, tuple(before.get(i) for i in range(len(earlier))))
    return Joined(here, untouched)


def may_go_on(text: str) -> bool:
    """Whether a message may hold the end of an identifier; spares the others every further look."""
    return (
        _email_head(text) is not None
        or _HOST_HEAD.match(text) is not None
        or _edges(text) is not None
    )


def _speaking(earlier: Sequence[str], text: str) -> list[int]:
    """The last messages that may hold a piece, oldest first, those that only gain time between two left out."""
    address = _email_head(text) is not None or _HOST_HEAD.match(text) is not None
    found: list[int] = []
    beside = 0
    for i in range(len(earlier) - 1, -1, -1):
        if _gains_time(earlier[i], numbers=not address):
            beside += 1
            if beside > _BESIDE:
                break
            continue
        beside = 0
        found.append(i)
        if len(found) == MOST:
            break
    return found[::-1]


def _gains_time(text: str, *, numbers: bool) -> bool:
    """Whether a message says nothing between two pieces: a word of waiting, or between numbers any few words."""
    if MARK.search(text):
        return False
    flat = view_of(text[: _TAIL + 1]).text
    if len(_WORD.findall(flat)) > _BESIDE_WORDS or len(flat) > _TAIL:
        return False
    if numbers:
        return _edges(text) is None
    return _only_waits(text)


def _only_waits(text: str) -> bool:
    """Whether a message holds nothing but words of waiting ("attends", "hm")."""
    flat = view_of(text).text
    return "@" not in text and not _WORD_CHAR.search(pattern("waiting").sub(" ", flat))


def _lead(before: Sequence[str]) -> str:
    """The message before the first piece, when it may be what announces it ("My number is")."""
    text = before[-1] if before else ""
    return "" if MARK.search(text) or _edges(text) is not None or "@" in text else text[-_TAIL:]


def _email_head(text: str) -> re.Match[str] | None:
    """Where the rest of an address starts, near the start of a message."""
    return _EMAIL_HEAD.search(text, 0, _ASIDE + 2)


def _with(here: Redaction, half: Found | None, text: str) -> Redaction | None:
    """The redaction with one more find, in place of those that it overlaps."""
    if half is None:
        return None
    others = [f for f in here.found if f.end <= half.start or f.start >= half.end]
    return replaced(text, sorted((*others, half), key=lambda f: f.start))


def _crossing(texts: Sequence[str], around: _Around) -> list[Found | None]:
    """The piece of each text that one identifier over all of them takes, empty when there is none."""
    line, halves = _line(texts, around.lead)
    for found in find(line) if halves else ():
        if around.whole and found.type not in _CHECKED:
            continue  # only a check sum proves more than the identifier that stands there
        pieces = [_piece(found, half) for half in halves]
        if pieces[0] is None or pieces[-1] is None:
            continue
        if _proven(found, pieces, texts, around):
            return [*pieces[:-1], _to_the_end(pieces[-1], texts[-1])]
    return _last_group(texts) or (_begun(texts) if len(texts) == 2 else [])


def _begun(texts: Sequence[str]) -> list[Found | None]:
    """The pieces of an IBAN that is not whole yet."""
    first, text = texts
    view, edges = view_of(first), _edges(text)
    start = begun(view)
    if start is None or edges is None or _WORD_CHAR.search(text, 0, edges[0]):
        return []
    if len(_WORD_CHAR.findall(text, *edges)) > start[1] or not _mostly(text):
        return []
    return [Found(view.starts[start[0]], len(first.rstrip()), "iban"), Found(*edges, "iban")]


def _to_the_end(piece: Found, text: str) -> Found:
    """The last piece with the digits that follow it closely: two too many are part of what was said."""
    tail = _TIGHT_TAIL.match(text, piece.end)
    return Found(piece.start, tail.end(), piece.type) if tail else piece


def _last_group(texts: Sequence[str]) -> list[Found | None]:
    """The last group of a number that was taken out of the messages before, alone in its message."""
    mark = _ALL_MARK.fullmatch(texts[-2])
    last = _LAST_GROUP.fullmatch(texts[-1])
    if mark is None or last is None:
        return []
    digits = len(_DIGIT.findall(last.group()))
    if mark.group(1) == "phone":
        # two digits are said for many reasons: only after a telephone number in two pieces at least
        fits = len(texts) > 2 and digits <= 4 and texts[-3].rstrip(" .,;:…").endswith("[phone]")
    else:
        fits = digits > 2
    return [*(None for _ in texts[:-1]), Found(*last.span(1), mark.group(1))] if fits else []


def _line(texts: Sequence[str], lead: str = "") -> tuple[str, list[_Half]]:
    """The texts as one line, what stands between the halves left out; no halves when they do not meet."""
    rest = _email_head(texts[-1])
    if rest is None and len(texts) > 1 and _ends_at(texts):
        rest = _HOST_HEAD.match(texts[-1])
    line = lead
    halves: list[_Half] = []
    for i, text in enumerate(texts):
        half = _half(text, rest, first=i == 0, last=i == len(texts) - 1)
        if half is None:
            return "", []
        low, high = half
        glued = not line or (
            rest and i > 0 and (text[low : low + 1] in ("@", ".") or line[-1] == "@")
        )
        line += "" if glued else " "
        halves.append(_Half(low, high, len(line)))
        line += text[low:high]
    return line, halves


def _ends_at(texts: Sequence[str]) -> bool:
    """Whether what stands before the last text ends in an at-sign or its word."""
    alone = _AT_ALONE.fullmatch(texts[-2]) is not None
    return alone if len(texts) > 2 else _AT_TAIL.search(texts[-2]) is not None


def _half(
    text: str, rest: re.Match[str] | None, *, first: bool, last: bool
) -> tuple[int, int] | None:
    """The piece of one text that the line takes; `rest` is where the last text goes on with an address."""
    low, high = max(0, len(text) - _TAIL) if first else 0, len(text)
    if rest is not None:
        if last:
            return rest.start() + len(rest.group()) - len(rest.group().lstrip()), high
        if first or _AT_ALONE.fullmatch(text):
            return low, len(text.rstrip(" .,;:…!\n\t"))
        return None
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


def _proven(
    found: Found, pieces: Sequence[Found | None], texts: Sequence[str], around: _Around
) -> bool:
    """Whether the halves surely belong together: a check sum, a word before, or two halves that are numbers.

    With something else said in between, only a word before or an IBAN proves it: one card number in ten is right by
    chance.
    """
    if found.type == "iban" or (found.type == "card" and not around.far):
        return True
    before = view_of(texts[0][: pieces[0].start]).text if pieces[0] else ""
    name = _CUES.get(found.type)
    if name and pattern(name).search(before[-_TAIL:]):
        return True
    if name and _mostly(texts[0]) and pattern(name).search(view_of(around.lead).text):
        return True
    if around.far:
        return False  # figures of two sentences, as often
    if found.type == "email":
        return any("@" in text for text in texts[1:]) or texts[0].rstrip().endswith("@")
    if len(texts) > 2 and not any(_WORD_CHAR.search(_NUMBER.sub("", t)) for t in texts):
        return True  # three messages in a row that are nothing but pieces of one number
    counts = [
        len(_DIGIT.findall(_in_digits(t[p.start : p.end])))
        for t, p in zip(texts, pieces, strict=True)
        if p
    ]
    return min(counts) >= _PROVING and any(map(_mostly, texts))
