"""Finds the identifiers that a word announces: passport, identity card, tax, health, residence permit, licence.

The word nearest to a number names it. What the number may look like depends on the word; how it is written
does not: glued, in groups, one by one, dictated.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from souvenance.lang import of_all_languages
from souvenance.write.filters.identifiers.cards import is_card, is_french_register_number
from souvenance.write.filters.identifiers.cues import LEAD_BACK, counted, entries, pattern
from souvenance.write.filters.identifiers.shapes import NUMBER_WORDS, apart
from souvenance.write.filters.identifiers.view import BARRIER, Span, View

#: Characters read after a word that announces a number. Chosen, not measured: about nine words.
_REACH = 60

#: The same when the number is taken before telephones and cards are looked for.
_NEAR = 32

#: Groups of one number at most (a tax number digit by digit, with a margin).
_GROUPS = 18

#: Letters and digits in groups; the first group that holds a digit starts the number.
_PIECE = re.compile(r"[a-z0-9]+")
_DIGIT = re.compile(r"[0-9]")

#: A group that may open a number: one with a digit, or one or two letters.
_OPENING = re.compile(
    r"(?<![a-z0-9])(?=[a-z]{0,19}[0-9]|[a-z]{1,2}(?![a-z0-9]))[a-z0-9]{1,20}(?![a-z0-9])"
)
#: What joins the groups of one number as typed, and as dictated.
_TIGHT = re.compile(r"[ .\-/_]{1,3}")
_LOOSE = re.compile(r"[ .\-/_,;:()·•]{0,4}")

#: Years in a row, and a figure in thousands.
_YEARS = re.compile(r"(?:19|20)[0-9]{2}(?: (?:19|20)[0-9]{2})+")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?: [0-9]{3})+")

_TYPES = ("passport", "national_id", "other_id")

#: The longest group (a licence of 16 characters, with a margin).
_LONGEST = 24

#: The fewest digits an identifier of each type has, and the most characters.
_FEWEST = {"passport": 2, "national_id": 2, "other_id": 5}
_MOST = 18

#: Lengths that documents of each type have, tried before any other. Source: the numbers that the French, British and
#: American administrations issue.
_USUAL = {
    "passport": frozenset((9,)),
    "national_id": frozenset((9, 12, 13, 15)),
    "other_id": frozenset((9, 10, 11, 12, 13, 16)),
}

#: A French passport or licence in groups, whose letters may spell a word ("21 TE 64662").
_FRENCH_SERIES = re.compile(r"[0-9o]{2}[ .\-/_]{1,3}[a-z]{2}[ .\-/_]{1,3}[0-9o]{5}(?![a-z0-9])")

#: A French telephone as people group it.
_PAIRS = (2, 2, 2, 2, 2)


@of_all_languages
@lru_cache(maxsize=1)
def _cues() -> re.Pattern[str]:
    """Any word that announces a number of these types; its group names the type."""
    words = "|".join(f"(?P<{t}>{pattern(f'{t}_cues').pattern})" for t in _TYPES)
    return re.compile(rf"(?<![a-z0-9])(?=[a-z])(?:{words})")


@of_all_languages
@lru_cache(maxsize=1)
def _other_cues() -> re.Pattern[str]:
    """Words that say the number is of another sort, so that it is not taken early."""
    return re.compile(
        "|".join(pattern(n).pattern for n in ("phone_only", "card_cues", "email_cues"))
    )


@dataclass(frozen=True, slots=True)
class _Read:
    """What stands at one place: an identifier or none, whether its digits are rather another's, where they end."""

    span: Span | None
    claimed: bool
    end: int


def find_announced(view: View, *, near: bool) -> list[Span]:
    """Identifiers that a word announces, in order.

    `near` takes those right behind their word, before anything else claims their digits.
    """
    text = view.plain
    if _DIGIT.search(text) is None:
        return []
    read = cast(dict[tuple[int, str], _Read], view.announced)
    found: dict[int, Span] = {}
    for cue in _cues().finditer(text):
        type_ = cue.lastgroup or ""
        span = _number_after(text, cue.end(), type_, near, read)
        if span is None and not near:
            span = _number_before(text, cue.start(), type_)
        if span is not None:
            found[span.start] = span  # the nearest word names it
    return apart(list(found.values()))


def _number_after(
    text: str, start: int, type_: str, near: bool, read: dict[tuple[int, str], _Read]
) -> Span | None:
    """The first thing shaped like an identifier shortly after a cue, on the same line.

    `read` remembers what stands at each place, so that a text full of cues is read once.
    """
    limit = min(len(text), start + (_NEAR if near else _REACH))
    for stop in (BARRIER, "\n"):
        cut = text.find(stop, start, limit)
        limit = cut if cut >= 0 else limit
    after = start
    for piece in _OPENING.finditer(text, start, min(len(text), limit + _LONGEST)):
        if piece.start() >= limit:
            break
        if piece.start() < after or not _opens(piece.group()):
            continue
        place = (piece.start(), type_)
        if place not in read:
            read[place] = _number_at(text, piece, type_)
        found = read[place]
        if found.span is not None and not (near and found.claimed):
            other = near and _other_cues().search(text, start, found.span.start)
            return None if other else found.span
        after = found.end
    return None


def _number_at(text: str, piece: re.Match[str], type_: str) -> _Read:
    """What starts with this group."""
    loose = _pieces_from(text, piece, _LOOSE)
    if sum(c.isdigit() for p in loose for c in p.group()) < _FEWEST[type_]:
        return _Read(None, False, loose[-1].end())
    tight = _pieces_from(text, piece, _TIGHT)
    tries = (tight, loose) if len(loose) > len(tight) else (tight,)
    for usual in (True, False):
        for pieces in tries:
            found = _fitting(text, pieces, type_, usual=usual)
            if found is not None:
                return _Read(found, _claimed(text, found), loose[-1].end())
    return _Read(None, False, loose[-1].end())


def _number_before(text: str, end: int, type_: str) -> Span | None:
    """What is shaped like an identifier right before "… is my passport"; the cue starts at `end`."""
    floor = max(0, end - _REACH)
    lead = LEAD_BACK.search(text, floor, end)
    if lead is None:
        return None
    pieces = list(_PIECE.finditer(text, floor, lead.start()))[-_GROUPS:]
    at = len(pieces)
    while at > 0 and (
        at == len(pieces) or _TIGHT.fullmatch(text, pieces[at - 1].end(), pieces[at].start())
    ):
        at -= 1
        if not _opens(pieces[at].group()):
            at += 1
            break
    for first in range(at, len(pieces)):
        found = _fitting(text, pieces[first:], type_, usual=True)
        if (
            found is not None
            and not _claimed(text, found)
            and found.end == pieces[-1].end() == lead.start()
        ):
            return found
    return None


def _opens(piece: str) -> bool:
    """Whether a number may start with this group: digits, or the letters of a series."""
    return not piece.isalpha() or piece not in _no_series()


@of_all_languages
@lru_cache(maxsize=1)
def _no_series() -> frozenset[str]:
    """Short words that are no letters of a series."""
    return entries("function_words") | NUMBER_WORDS


def _pieces_from(text: str, first: re.Match[str], joint: re.Pattern[str]) -> list[re.Match[str]]:
    """The groups that may belong with the first one, in order."""
    pieces = [first]
    while len(pieces) < _GROUPS:
        gap = joint.match(text, pieces[-1].end())
        nearest = _PIECE.match(text, gap.end() if gap else pieces[-1].end())
        if gap is None or nearest is None:
            break
        series = len(pieces) == 1 and _FRENCH_SERIES.match(text, first.start())
        if not series and not _belongs(nearest.group(), pieces):
            break
        pieces.append(nearest)
    return pieces


def _belongs(piece: str, before: list[re.Match[str]]) -> bool:
    """A group with a digit, or one or two letters that are no word."""
    if not piece.isalpha():
        return len(piece) <= 20
    lone = len(piece) == 1 and len(before[-1].group()) <= 2
    return len(piece) <= 2 and (lone or piece not in _no_series())


def _fitting(text: str, pieces: list[re.Match[str]], type_: str, *, usual: bool) -> Span | None:
    """The longest start of these groups that can be an identifier of that type, of a `usual` length."""
    groups = [p.group() for p in pieces]
    for to in range(len(pieces), 0, -1):
        last = pieces[to - 1]
        code = "".join(groups[:to])
        if len(code) > _MOST or (usual and len(code) not in _USUAL[type_]):
            continue
        if last.group().isalpha() and not _is_key(text, last):
            continue
        if is_french_register_number(code):
            return Span(pieces[0].start(), last.end(), "national_id")
        if not _fits(code, type_, to) or _YEARS.fullmatch(" ".join(groups[:to])):
            continue
        if counted(text, last.end()):
            if _THOUSANDS.fullmatch(" ".join(groups[:to])):
                return None
            continue
        return Span(pieces[0].start(), last.end(), type_)
    return None


def _is_key(text: str, piece: re.Match[str]) -> bool:
    """Whether a last letter closes the number (the suffix of a NINO); "a" may be a word, so it must end there."""
    letter, after = piece.group(), text[piece.end() : piece.end() + 1]
    return (letter in ("b", "c", "d") and after != "'") or (letter == "a" and after != " ")


def _claimed(text: str, span: Span) -> bool:
    """Whether these digits are rather a telephone's or a card's, which no word need announce."""
    groups = _PIECE.findall(text, span.start, span.end)
    code = "".join(groups)
    if not code.isdigit():
        return False
    sizes = tuple(map(len, groups))
    telephone = len(code) == 10 and code[0] == "0" and code[1] != "0"
    if telephone and (sizes == _PAIRS or span.type == "passport"):
        return True
    return len(code) > 13 and is_card(code, sizes, False)


def _fits(code: str, type_: str, groups: int) -> bool:
    """Whether letters and digits of this many groups can be an identifier of that type."""
    digits = sum(c.isdigit() for c in code)
    letters = len(code) - digits
    if type_ == "passport":
        return 6 <= len(code) <= 10 and (
            digits >= 5 or (groups == 1 and letters > 0 and digits >= 2)
        )
    if type_ == "national_id" and len(code) == 9 and letters and digits >= 2:
        return groups in (1, 3, 9) or digits >= 6  # the French card since 2021
    if type_ == "national_id":
        return 8 <= len(code) <= 18 and digits >= 6
    return 7 <= len(code) <= 18 and digits >= 5
