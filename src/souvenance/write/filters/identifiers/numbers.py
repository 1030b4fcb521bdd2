"""Tells which windows of a run of digit groups are cards, French register numbers or telephones.

A number is judged on its digits, whatever stands between them: spaces, dots, slashes, words for digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from souvenance.write.filters.identifiers.cards import (
    is_card,
    is_french_register_number,
    lengths_from,
)
from souvenance.write.filters.identifiers.cues import counted, cued, pattern, told_after
from souvenance.write.filters.identifiers.phones import Group, international_lengths, is_phone
from souvenance.write.filters.identifiers.reading import Reading
from souvenance.write.filters.identifiers.runs import SHORTEST
from souvenance.write.filters.identifiers.view import BARRIER, Span

#: What joins the groups of one number closely.
_TIGHT = ("", " ", "-", ".", "/", "_")

#: The longest identifier in digits (a card of 19), and in groups (digit by digit, with a margin).
_DIGITS, _GROUPS = 19, 20
#: After this many single digits in a row no identifier starts: they are a list, or an attack on our time.
_SINGLES = 40


@dataclass(frozen=True, slots=True)
class Window:
    """Consecutive groups of a run: what they spell, and how they stand in the text."""

    text: str
    groups: Sequence[Group]
    digits: str
    start: int
    end: int
    #: What was looked up before the windows that start here, by list.
    cues: dict[str, bool]

    def told(self, name: str) -> bool:
        """Whether an entry of that list announces the window, or names it afterwards."""
        if name not in self.cues:
            self.cues[name] = cued(name, self.text, self.start)
        return self.cues[name] or told_after(name, self.text, self.end)


def find_numbers(reading: Reading, *, sure: bool) -> list[Span]:
    """Cards, French register numbers and telephones, in order, apart.

    `sure` finds only what needs no word around it; the rest is for after the numbers that words announce.
    """
    spans: list[Span] = []
    for run in reading.runs:
        at = singles = 0
        while at < len(run):
            singles = singles + 1 if len(run[at].digits) == 1 else 0
            if singles > _SINGLES:
                at += 1
                continue
            found = _longest_at(reading, run, at, sure)
            if found is None:
                at += 1
                continue
            span, at = found
            singles = 0
            spans.append(span)
    return spans


def _longest_at(
    reading: Reading, run: Sequence[Group], at: int, sure: bool
) -> tuple[Span, int] | None:
    """The best identifier that starts with group `at`, and the group after it."""
    best: tuple[Span, int] | None = None
    text = reading.view.plain
    if not sure and _tight(text, run, at):
        return None
    groups = run[at : at + _GROUPS]
    ahead = "".join(g.digits for g in groups)
    if sure:
        lengths = _lengths(run[at], ahead)
    else:
        lengths = _TOLD if reading.is_told(groups[0].start, groups[-1].end) else _UNTOLD
    length = 0
    cues: dict[str, bool] = {}
    for to in range(at, min(len(run), at + _GROUPS)):
        length += len(run[to].digits)
        if length > _DIGITS or (to > at and run[to].plus):
            break
        if length not in lengths or (not sure and _tight(text, run, to + 1)):
            continue
        window = Window(text, run[at : to + 1], ahead[:length], run[at].start, run[to].end, cues)
        type_ = _type(window, sure)
        if best is not None and run[to].said and not run[at].said:
            break  # "…0799 trois fois": what is said after a whole typed number does not belong to it
        if type_ is not None:
            best = (Span(_opened(window), window.end, type_), to + 1)
            if type_ == "phone" and ahead[0] == "0" != ahead[1] and length == 10:
                break
    return best


def _opened(window: Window) -> int:
    """The start of the window, with the parenthesis around its first digits."""
    before, inside = window.start - 1, window.text[window.start : window.end]
    opens = before >= 0 and window.text[before] == "(" and ")" in inside and "(" not in inside
    return before if opens else window.start


#: Digits of a number that words announce, and of one that its grouping alone tells (American, or dialled with a zero).
_TOLD = frozenset(range(SHORTEST, _DIGITS + 1))
_UNTOLD = frozenset((9, 10, 11, 12))


def _lengths(first: Group, ahead: str) -> frozenset[int]:
    """How many digits an identifier that starts so can have; spares the costlier tests."""
    if first.plus or ahead.startswith("00"):
        return international_lengths(ahead[: 3 if first.plus else 5], first.plus)
    if ahead.startswith("0"):
        return frozenset((10,))
    return lengths_from(ahead[:6])


def _tight(text: str, run: Sequence[Group], at: int) -> bool:
    """Whether group `at` follows the one before so closely that both belong to something longer."""
    return 0 < at < len(run) and text[run[at - 1].end : run[at].start] in _TIGHT


def _counting(groups: Sequence[Group]) -> bool:
    """Whether the groups count up, down or by steps ("un deux trois…", "12 24 36 48")."""
    if len(groups) < 5 or any(len(g.digits) > 1 and g.digits[0] == "0" for g in groups):
        return False
    values = [int(g.digits) for g in groups if g.digits.isdigit()]
    steps = {b - a for a, b in pairwise(values)}
    return len(values) == len(groups) and len(steps) == 1 and steps != {0} and values[0] != 0


def _scored(window: Window) -> bool:
    """Whether the groups stand in pairs ("6-4 3-6 7-5"): a score."""
    gaps = [window.text[a.end : b.start] for a, b in pairwise(window.groups)]
    short = all(len(g.digits) <= 3 and not g.said for g in window.groups)
    return short and len(gaps) > 4 and set(gaps[::2]) == {"-"} and "-" not in gaps[1::2]


def _type(window: Window, sure: bool) -> str | None:
    """What the window is, or None."""
    type_ = _sure_type(window) if sure else _told_type(window)
    if type_ is None or _counting(window.groups) or _scored(window):
        return None
    return type_


def _sure_type(window: Window) -> str | None:
    """What the window is by its digits alone."""
    digits, groups = window.digits, window.groups
    if len(digits) > 12 and not groups[0].plus and digits[0] != "0":
        said = any(g.said for g in groups)
        if digits.isdigit() and is_card(digits, [len(g.digits) for g in groups], said):
            return None if _harmless(window) else "card"
        return "national_id" if is_french_register_number(digits) else None
    if not digits.isdigit() or (digits[0] != "0" and not groups[0].plus):
        return None
    return _phone(window, sure=True, announced=False)


def _told_type(window: Window) -> str | None:
    """What the window is by the words around it, or by a grouping that only telephones have."""
    if _is_announced_card(window):
        return "card"
    if len(window.digits) > 17 or not window.digits.isdigit():
        return None
    thing = window.groups[0].digits[0] != "0" and cued(
        "numbered_things", window.text, window.start, _HARMLESS_REACH
    )
    return _phone(window, sure=False, announced=not thing and window.told("phone_cues"))


def _phone(window: Window, *, sure: bool, announced: bool) -> str | None:
    if not is_phone(window.groups, window.digits, sure=sure, announced=announced):
        return None
    return None if _harmless(window) or counted(window.text, window.end) else "phone"


#: The fewest digits of a card that a word announces. Source: ISO/IEC 7812.
_CARD_DIGITS = 13

#: Characters after a number in which a word says that it is a card's. Chosen, not measured.
_AFTER = 24


def _is_announced_card(window: Window) -> bool:
    """Whether a word beside the window says it is a card's number, mistyped or not; a list of prices is none."""
    if len(window.digits) < _CARD_DIGITS or not window.digits.isdigit():
        return False
    sizes = [len(g.digits) for g in window.groups]
    shaped = (
        len(sizes) == 1
        or any(g.said for g in window.groups)
        or min(sizes[:-1]) >= 3
        or (len(window.digits) == 16 and set(sizes) == {2})
    )
    if not shaped:
        return False
    line_end = window.text.find("\n", window.end, window.end + _AFTER)
    end = line_end if line_end >= 0 else window.end + _AFTER
    beside = (
        window.told("card_cues")
        or pattern("card_cues").search(window.text, window.end, end) is not None
    )
    return beside and not _harmless(window)


#: Characters before a number in which a word says that it is a thing's. Chosen, not measured: about three words.
_HARMLESS_REACH = 24
#: The same before five pairs, which are a telephone unless the thing's name touches them.
_PAIRED_REACH = 14


def _harmless(window: Window) -> bool:
    """Whether a word just before says it is the number of a thing ("ISBN", "commande n°")."""
    if window.groups[0].plus:
        return False
    most = _PAIRED_REACH if [len(g.digits) for g in window.groups] == [2] * 5 else _HARMLESS_REACH
    before = window.text.rfind(BARRIER, max(0, window.start - most), window.start) + 1
    reach = min(most, window.start - before) if before else most
    return cued("harmless_number_cues", window.text, window.start, reach)
