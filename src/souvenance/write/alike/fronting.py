"""Tells an adjunct that moved: "every summer she makes jam with her aunt" is "with her aunt, she makes jam every summer".

What opens a text, set off from the rest, may stand at its end as well; what stays keeps its order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from souvenance.lang import Language
from souvenance.write.alike.leads import leads, same_leads, stopped
from souvenance.write.words.decisive import Item, Pair, Reading

_WHEN = frozenset({"day", "month", "moment"})
_WITHOUT = frozenset({"sans", "without"})
#: Pieces of content in an opening that nothing leads and that may stand at the end as well ("faute de place").
#: Chosen, not measured: a longer one is a clause.
_SHORT = 2


@dataclass(frozen=True, slots=True)
class _Run:
    """Neighbouring pieces of content: what leads the first, and whether the whole may stand elsewhere."""

    places: tuple[int, ...]
    lead: tuple[str, ...]
    adjunct: bool
    apart: bool  # punctuation sets it off from what stands before, or opens the text
    closed: bool  # punctuation follows it


def moved_adjuncts(a: Reading, b: Reading, pairs: Sequence[Pair], words: Language) -> bool:
    """Whether two texts of the same words differ by adjuncts alone that open one and not the other."""
    left = _runs(a, {x.start: x.start for x, _ in pairs}, words)
    right = _runs(b, {y.start: x.start for x, y in pairs}, words)
    moved = False
    if not left or not right:
        return False
    for one, other in ((left, right), (right, left)):
        opening = one[0]
        if len(one) < 2 or not opening.closed:
            continue
        mate = next((r for r in other[1:] if r.places == opening.places), None)
        if mate is None or not _same_run(opening, mate, words):
            continue
        one.remove(opening)
        other.remove(mate)
        moved = True
    return moved and _same_core(left, right, words)


def _same_run(opening: _Run, mate: _Run, words: Language) -> bool:
    if opening.adjunct and mate.adjunct:
        return same_leads(opening.lead, mate.lead, words, loose=False)
    short = len(opening.places) <= _SHORT
    return not opening.lead and not mate.lead and short and mate.apart


def _same_core(left: Sequence[_Run], right: Sequence[_Run], words: Language) -> bool:
    """Whether what stayed stands in one order, each run led alike."""
    if [p for r in left for p in r.places] != [p for r in right for p in r.places]:
        return False
    led = {r.places[0]: r.lead for r in right}
    return all(
        same_leads(r.lead, led.get(r.places[0], r.lead), words, loose=True)
        for r in left
        if r.places
    )


def _runs(reading: Reading, places: Mapping[int, int], words: Language) -> list[_Run]:
    led, stops = leads(reading, words), stopped(reading)
    for n, item in enumerate(reading.items):
        if item.word in _WITHOUT:
            after = next((i.start for i in reading.items[n:] if i.has_content), None)
            if after is not None:
                led[after] = ("without", *led[after])
    stops |= _behind_subject(reading, led, words)
    groups: list[list[Item]] = []
    for item in (i for i in reading.content if i.start in places):
        if not groups or item.start in stops or _opens(item, led[item.start], words):
            groups.append([])
        groups[-1].append(item)
    found = []
    for n, group in enumerate(groups):
        first = group[0]
        after = groups[n + 1][0].start if n + 1 < len(groups) else None
        found.append(
            _Run(
                tuple(places[i.start] for i in group),
                led[first.start],
                _opens(first, led[first.start], words),
                not n or first.start in stops,
                after is None or after in stops,
            )
        )
    return found


def _behind_subject(
    reading: Reading, led: Mapping[int, Sequence[str]], words: Language
) -> frozenset[int]:
    """Where the sentence starts behind an adjunct that no comma sets off: "every summer he hikes"."""
    opening = reading.content[:1]
    if not opening or not _opens(opening[0], led[opening[0].start], words):
        return frozenset()
    subject = next(
        (
            i.start
            for i in reading.items
            if i.sort == "person" and i.form.startswith("s") and i.start > opening[0].start
        ),
        None,
    )
    after = (i.start for i in reading.content if subject is not None and i.start > subject)
    return frozenset([next(after, -1)])


def _opens(item: Item, lead: Sequence[str], words: Language) -> bool:
    """Whether a piece of content opens an adjunct: a word of place, time or company leads it, or it tells when."""
    if any(word in words.words["adjunct_leads"] or word == "without" for word in lead):
        return True
    part = item.word.replace(" ", "-") in words.words["day_parts"]
    return item.sort in _WHEN or (part and not lead)
