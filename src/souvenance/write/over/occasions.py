"""Puts one day, date or moment in the place of another when they are said in other ways.

"Actually it's the 13th" corrects "on 12 March" in its day only; "in April" takes the place of "on 12 March".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from souvenance.lang import Language
from souvenance.write.words.decisive import Item, read
from souvenance.write.words.values import Value

Swap = tuple[int, int, str]

_TIMES = ("day", "date", "moment", "ordinal")


def is_year(value: Value) -> bool:
    """Whether a bare figure is a year."""
    return value.sort == "figure" and value.text.isdigit() and 1900 <= int(value.text) <= 2100


def alike_values(a: Value, b: Value) -> bool:
    """Whether the new value `b` can take the place of `a` as it stands: a year never that of a count, nor hours
    a week that of an hour of the day."""
    same = (a.sort, a.unit, is_year(a)) == (b.sort, b.unit, is_year(b))
    return same and (a.rate == b.rate or not b.rate)


def swap(old: str, gone: Value, new_text: str, new: Value, words: Language) -> Swap:
    """The replacement of one value by a like one; "in April" takes the place of "on 12 March" with its lead."""
    if gone.sort == "date" and _has_day(gone) != _has_day(new):
        lead = _lead(new_text, new, words)
        if lead < new.start:
            return _lead(old, gone, words), gone.end, new_text[lead : new.end]
        if _has_day(gone):
            return _month_only(old, gone, new, words)
        return _day_in_place_of_month(old, gone, new, words)
    return gone.start, gone.end, new.text


def occasion_swaps(
    old: str, free: Sequence[Value], correction: str, left: Sequence[Value], words: Language
) -> list[Swap]:
    """The one occasion of the old text replaced by the one that is told in another way; else nothing."""
    new = [v for v in left if v.sort in _TIMES or _may_be_day(v)]
    known = [v for v in free if v.sort in _TIMES]
    if len(new) != 1 or not known or not _is_one(old, known, words):
        return []
    dated = next((v for v in known if v.sort == "date" and _has_day(v)), None)
    if new[0].sort in ("ordinal", "figure"):
        if dated is not None:
            return [_day_only(old, known, dated, new[0], words)]
        if new[0].sort == "figure":
            return []
    if len(known) == 1 and _opens_on_day(known[0], words) and _opens_on_day(new[0], words):
        return [(known[0].start, known[0].end, new[0].text)]  # "Thursday" and "Friday 8 May"
    lead = _lead(correction, new[0], words)
    start = _kept_lead(old, known[0], correction[lead : new[0].start], new[0], words)
    return [(start, known[-1].end, correction[lead : new[0].end])]


def _opens_on_day(value: Value, words: Language) -> bool:
    return read(value.text, words).items[0].sort == "day"


def _may_be_day(value: Value) -> bool:
    return (
        value.sort == "figure"
        and not value.unit
        and value.text.isdigit()
        and 1 <= int(value.text) <= 31
    )


def _has_day(value: Value) -> bool:
    """Whether a date names a day beside its month."""
    return " " in value.form


def _is_one(text: str, known: Sequence[Value], words: Language) -> bool:
    """Whether the values stand side by side and so name one occasion ("Wednesday 12 March")."""
    gaps = (text[a.end : b.start].strip(" ,").casefold() for a, b in pairwise(known))
    return all(not gap or gap in words.words["time_leads"] for gap in gaps)


def _lead(text: str, value: Value, words: Language) -> int:
    """Where the small words that lead a value begin; its own start when there are none."""
    start = value.start
    before = [i for i in read(text, words).items if i.end <= value.start]
    after_stop = next((i.after_stop for i in read(text, words).items if i.start == start), False)
    while before and not after_stop and before[-1].word in words.words["time_leads"]:
        start, after_stop = before[-1].start, before[-1].after_stop
        before.pop()
    return start


def _kept_lead(old: str, gone: Value, lead: str, new: Value, words: Language) -> int:
    """Where the replacement begins: "on" stays before "the 13th", and goes before "tomorrow"."""
    start = _lead(old, gone, words)
    stays = words.words["day_leads"]
    first = read(old[start : gone.start], words).items[:1]
    own = {i.word for i in read(lead, words).items} & (stays | words.words["before_months"])
    if first and first[0].word in stays and not own and new.sort != "moment":
        return (
            start
            + len(old[start : gone.start])
            - len(old[start + first[0].end : gone.start].lstrip())
        )
    return start


def _inside(text: str, value: Value, words: Language) -> list[Item]:
    items = read(text, words).items
    return [i for i in items if value.start <= i.start and i.end <= value.end]


def _day_in_place_of_month(old: str, gone: Value, new: Value, words: Language) -> Swap:
    """A day where only a month was said: "in May" becomes "on June 10th", "au mois de juin" "le 10 juin"."""
    items = [i for i in read(old, words).items if i.end <= gone.start]
    start = gone.start
    while items and items[-1].word in words.words["month_leads"]:
        start = items.pop().start
    if start == gone.start:
        return gone.start, gone.end, new.text
    lead = next(iter(words.words["dated_lead"]), "")
    return start, gone.end, f"{lead} {new.text}".lstrip()


def _month_only(old: str, gone: Value, new: Value, words: Language) -> Swap:
    month = next(i for i in _inside(old, gone, words) if i.sort == "month")
    return month.start, month.end, new.text


def _day_only(old: str, known: Sequence[Value], gone: Value, new: Value, words: Language) -> Swap:
    """Another day of the same month; a weekday said just before it no longer holds and goes."""
    inside = _inside(old, gone, words)
    day = next(i for i in inside if i.sort == "figure")
    end = next((i.end for i in inside if i.start == day.end), day.end)
    number = read(new.text, words).items[0].form if end == day.end else new.text
    weekday = next((i.start for i in inside if i.sort == "day" and i.end < day.start), None)
    weekday = next((v.start for v in known if v.sort == "day" and v.end < gone.start), weekday)
    return day.start if weekday is None else weekday, end, number
