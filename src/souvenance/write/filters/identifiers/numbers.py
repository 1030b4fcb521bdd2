"""Cuts a text into runs of digit groups, typed or said, and tells which windows of a run are identifiers.

A number is judged on its digits, whatever stands between them: spaces, dots, slashes, words for digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from souvenance.write.filters.identifiers.cards import (
    is_card,
    is_french_register_number,
    lengths_from,
)
from souvenance.write.filters.identifiers.cues import cued, pattern
from souvenance.write.filters.identifiers.phones import Group, is_phone
from souvenance.write.filters.identifiers.spelled import Atom, said_numbers
from souvenance.write.filters.identifiers.view import Span, View, without_harmless

#: A group of digits; an O or an l typed among digits counts as 0 or 1.
_TYPED = re.compile(
    r"(?<![a-z0-9])(?:[0-9oli]*[0-9][0-9oli]*|o{1,2}(?= ?[0-9])|(?<=[0-9] )o{1,2})(?![a-z0-9])"
)
_LOOKALIKE = str.maketrans("oli", "011")
_NIR_COUNTY = re.compile(
    r"(?<![a-z0-9])(?:[0-9]{0,10}2[ab][0-9]{0,10}|2 [ab](?= [0-9]))(?![a-z0-9])"
)

#: What may stand between two groups of one number.
_BETWEEN = re.compile(r"[ .\-/_(),;:·•*~|]{0,4}|(?:,? (?:et|puis|and|then) )")

#: What joins the groups of one number closely.
_TIGHT = ("", " ", "-", ".", "/", "_")

#: The longest identifier in digits (a card of 19), and in groups (digit by digit, with a margin).
_DIGITS, _GROUPS = 19, 20
#: After this many single digits in a row no identifier starts: they are a list, or an attack on our time.
_SINGLES = 40
#: The shortest (a Danish phone).
_SHORTEST = 8


@dataclass(frozen=True, slots=True)
class Window:
    """Consecutive groups of a run: what they spell, and how they stand in the text."""

    text: str
    groups: Sequence[Group]
    digits: str
    start: int
    end: int


def find_numbers(view: View, *, sure: bool) -> list[Span]:
    """Cards, French register numbers and telephones, in order, apart.

    `sure` finds only what needs no word around it; the rest is for after the numbers that words announce.
    """
    text = without_harmless(view.text)
    spans: list[Span] = []
    for run in _runs(text):
        at = singles = 0
        while at < len(run):
            singles = singles + 1 if len(run[at].digits) == 1 and _tight(text, run, at) else 0
            if singles > _SINGLES:
                at += 1
                continue
            found = _longest_at(text, run, at, sure)
            if found is None:
                at += 1
                continue
            span, at = found
            singles = 0
            spans.append(span)
    return spans


def _runs(text: str) -> Iterator[list[Group]]:
    """Digit groups that may belong together, in order."""
    run: list[Group] = []
    for atom in _atoms(text):
        opened = _plus_before(text, atom.start)
        group = Group(
            atom.digits,
            opened if opened is not None else atom.start,
            atom.end,
            opened is not None,
            atom.said,
        )
        if run and not _BETWEEN.fullmatch(text, run[-1].end, group.start):
            if _digits(run) >= _SHORTEST:
                yield run
            run = []
        run.append(group)
    if _digits(run) >= _SHORTEST:
        yield run


def _digits(run: Sequence[Group]) -> int:
    return sum(len(g.digits) for g in run)


def _plus_before(text: str, start: int) -> int | None:
    """Where the plus of an international number stands just before `start`, if it does."""
    before = text[max(0, start - 6) : start]
    if not before.endswith(("+", " ", "(")) or ("+" not in before and "plus" not in before):
        return None
    for sign in ("+", "+ ", "(+", "plus ", "+("):
        if before.endswith(sign):
            return start - len(sign)
    return None


def _atoms(text: str) -> list[Atom]:
    """Typed and said groups, by place."""
    typed = [
        Atom(m.group().translate(_LOOKALIKE), m.start(), m.end()) for m in _TYPED.finditer(text)
    ]
    county = [
        Atom(m.group().replace(" ", ""), m.start(), m.end()) for m in _NIR_COUNTY.finditer(text)
    ]
    said = said_numbers(text)
    if not said and not county:
        return typed
    atoms: list[Atom] = []
    for atom in sorted((*typed, *county, *said), key=lambda a: (a.start, -a.end)):
        if not atoms or atom.start >= atoms[-1].end:
            atoms.append(atom)
    return atoms


def _longest_at(text: str, run: Sequence[Group], at: int, sure: bool) -> tuple[Span, int] | None:
    """The best identifier that starts with group `at`, and the group after it."""
    best: tuple[Span, int] | None = None
    if not sure and _tight(text, run, at):
        return None
    ahead = "".join(g.digits for g in run[at : at + _GROUPS])
    lengths = _lengths(run[at], ahead, sure)
    length = 0
    for to in range(at, min(len(run), at + _GROUPS)):
        length += len(run[to].digits)
        if length > _DIGITS or (to > at and run[to].plus):
            break
        if length not in lengths or (not sure and _tight(text, run, to + 1)):
            continue
        window = Window(text, run[at : to + 1], ahead[:length], run[at].start, run[to].end)
        type_ = _type(window, sure)
        if type_ is not None:
            best = (Span(_opened(window), window.end, type_), to + 1)
            if type_ == "phone" and ahead[0] == "0" and length == 10:
                break
    return best


def _opened(window: Window) -> int:
    """The start of the window, with the parenthesis around its first digits."""
    before, inside = window.start - 1, window.text[window.start : window.end]
    opens = before >= 0 and window.text[before] == "(" and ")" in inside and "(" not in inside
    return before if opens else window.start


#: Every length of a telephone number with its calling code. Source: ITU E.164.
_PHONE_LENGTHS = frozenset(range(_SHORTEST, 18))
_ANNOUNCED_LENGTHS = frozenset(range(_SHORTEST, _DIGITS + 1))


def _lengths(first: Group, ahead: str, sure: bool) -> frozenset[int]:
    """How many digits an identifier that starts so can have; spares the costlier tests."""
    if not sure:
        return _ANNOUNCED_LENGTHS
    if first.plus or ahead.startswith("00"):
        return _PHONE_LENGTHS
    if ahead.startswith("0"):
        return frozenset((10,))
    return lengths_from(ahead[:6])


def _tight(text: str, run: Sequence[Group], at: int) -> bool:
    """Whether group `at` follows the one before so closely that both belong to something longer."""
    return 0 < at < len(run) and text[run[at - 1].end : run[at].start] in _TIGHT


def _type(window: Window, sure: bool) -> str | None:
    """What the window is, or None."""
    digits, groups = window.digits, window.groups
    if sure and len(digits) > 12 and not groups[0].plus:
        said = any(g.said for g in groups)
        if digits.isdigit() and is_card(digits, [len(g.digits) for g in groups], said):
            return None if _harmless(window) else "card"
        if is_french_register_number(digits):
            return "national_id"
    if not sure and _is_announced_card(window):
        return "card"
    if len(digits) > 17 or not digits.isdigit():
        return None
    if sure and digits[0] != "0" and not groups[0].plus:
        return None
    announced = not sure and cued("phone_cues", window.text, window.start)
    if not is_phone(groups, digits, sure=sure, announced=announced):
        return None
    return None if _harmless(window) or _counted(window) else "phone"


#: The fewest digits of a card that a word announces. Source: ISO/IEC 7812.
_CARD_DIGITS = 13

#: Characters after a number in which a word says that it is a card's. Chosen, not measured.
_AFTER = 24


def _is_announced_card(window: Window) -> bool:
    """Whether a word beside the window says it is a card's number, mistyped or not; a list of prices is none."""
    sizes = [len(g.digits) for g in window.groups]
    shaped = (
        len(sizes) == 1 or min(sizes[:-1]) >= 3 or (len(window.digits) == 16 and set(sizes) == {2})
    )
    if len(window.digits) < _CARD_DIGITS or not window.digits.isdigit() or not shaped:
        return False
    line_end = window.text.find("\n", window.end, window.end + _AFTER)
    end = line_end if line_end >= 0 else window.end + _AFTER
    beside = cued("card_cues", window.text, window.start)
    beside = beside or pattern("card_cues").search(window.text, window.end, end) is not None
    return beside and not _harmless(window)


def _harmless(window: Window) -> bool:
    """Whether a word just before says it is the number of a thing ("ISBN", "commande n°")."""
    return not window.groups[0].plus and cued("harmless_number_cues", window.text, window.start, 24)


def _counted(window: Window) -> bool:
    """Whether a unit follows: a figure that counts something."""
    after = window.text[window.end : window.end + 16].lstrip(" ")
    if after[:1] in ("€", "$", "£", "%", "°"):
        return True
    return pattern("units").match(after) is not None
