"""Reads the values of a text: figures with what they count, days, dates, hours, and whether they are denied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from souvenance.lang import Language, language, tokens
from souvenance.write.words.decisive import ORDINALS, Item, read
from souvenance.write.words.hours import clock, hour_after


@dataclass(frozen=True, slots=True)
class Value:
    """A piece of a text that another can take the place of: a figure with what it counts, a day, a date, an
    hour of the clock. Each is one value however it is spelled: "Friday 8 May", "11:30", "half past two"."""

    sort: str
    unit: str
    text: str
    start: int
    end: int
    form: str = ""  # the figure, the day or the month by itself, to tell equal values
    rate: str = ""  # what it is counted by: "week" in "8 hours a week"


def values(text: str, words: Language) -> list[Value]:
    """The values of a text in order, those it denies left out."""
    return [value for value, denied in all_values(text, words) if not denied]


def all_values(text: str, words: Language) -> list[tuple[Value, bool]]:
    """Every value of a text in order, and whether the text denies it ("not Monday")."""
    items = read(text, words).items
    found: list[tuple[Value, bool]] = []
    denied = False
    skip = -1
    for n, item in enumerate(items):
        denied = (denied and not item.after_stop) or item.word in words.words["denials"]
        if n <= skip:
            continue
        timed = _hour(text, items, n, bool(found) and found[-1][0].sort in _DATED, words)
        if timed is not None:
            value, skip = timed
        elif item.sort in ("figure", "day", "month", "moment"):
            value, skip = _value(text, items, n, words)
            value = replace(value, form=_form(value, items[n : skip + 1]))
            if value.sort == "figure":
                value = replace(value, rate=_rate(text, items, skip + 1, value, words))
        else:
            continue
        found.append((value, denied))
    return found


#: Sorts of values after which a bare "at 4" is of the clock.
_DATED = ("day", "date", "moment", "ordinal", "hour")


def _form(value: Value, items: Sequence[Item]) -> str:
    """What a value is compared by; the weekday said with a date only repeats it."""
    dated = value.sort == "date"
    forms = [i.form for i in items if i.has_content and not (dated and i.sort == "day")]
    return " ".join(sorted(f.removesuffix(value.unit) for f in forms))


def _hour(
    text: str, items: Sequence[Item], n: int, dated: bool, words: Language
) -> tuple[Value, int] | None:
    """The hour of the clock that starts at a piece, and the piece it ends on."""
    if items[n].sort not in ("figure", "moment") and items[n].word not in ("half", "quarter"):
        return None
    halves = words.traits.half_before_hour
    found = clock(items, n, text, halves=halves)
    if found is None and items[n].sort == "figure":
        leads = words.words["hour_leads"]
        found = hour_after(items, n, text, leads, dated=dated, halves=halves)
    if found is None:
        return None
    start, last = items[n].start, n + found[1] - 1
    return Value("hour", "", text[start : items[last].end], start, items[last].end, found[0]), last


def beside_hours(text: str, words: Language) -> list[Item]:
    """The pieces of a text in order, without those that spell an hour ("half past", "pm")."""
    spans = [(v.start, v.end) for v, _ in all_values(text, words) if v.sort == "hour"]
    pieces = read(text, words).items
    return [i for i in pieces if not any(a <= i.start and i.end <= b for a, b in spans)]


def _rate(text: str, items: Sequence[Item], n: int, value: Value, words: Language) -> str:
    """By what a figure is counted ("a week", "par mois"): the form of that time; empty when by nothing."""
    following = items[n : n + _RATE]
    for by, time in pairwise(following):
        if by.after_stop:
            return ""
        joined = by.word in words.words["per"] or text[by.end : time.start].strip() == "/"
        if joined and time.word in words.words["time_nouns"]:
            return time.form
    return ""


#: Pieces after a figure in which what it is counted by is looked for ("heures de garde par semaine").
#: Chosen, not measured.
_RATE = 5


def _value(text: str, items: Sequence[Item], n: int, words: Language) -> tuple[Value, int]:
    item, following = items[n], items[n + 1] if n + 1 < len(items) else None
    if (
        following
        and not following.after_stop
        and {item.sort, following.sort} == {"figure", "month"}
    ):
        end = n + 1
        if end + 1 < len(items) and items[end + 1].word in ORDINALS:
            end += 1
        return Value("date", "", text[item.start : items[end].end], item.start, items[end].end), end
    if item.sort == "day":
        return _weekday(text, items, n, words)
    if item.sort == "month":
        return Value("date", "", text[item.start : item.end], item.start, item.end), n
    if item.sort != "figure":
        return Value(item.sort, "", text[item.start : item.end], item.start, item.end), n
    unit = item.form.lstrip("0123456789.")
    if following and following.word in ORDINALS:
        month = _month_after(items, n + 2, words)
        if month is not None:
            end = items[month].end
            return Value("date", "", text[item.start : end], item.start, end), month
        end = following.end
        return Value("ordinal", "", text[item.start : end], item.start, end), n + 1
    if not unit and following and following.sort == "word" and not following.after_stop:
        gap = text[item.end : following.start]
        counted = gap.strip() == "" and following.word not in cue_words(words)
        unit = following.form if counted else ""
    return Value("figure", unit, text[item.start : item.end], item.start, item.end), n


def _weekday(text: str, items: Sequence[Item], n: int, words: Language) -> tuple[Value, int]:
    """A weekday, with the date that follows it ("Friday 8 May", "vendredi 8", "Friday the 8th") as one value."""
    day, at = items[n], n + 1
    if at < len(items) and items[at].word in words.words["time_leads"]:
        at += 1
    plain = at < len(items) and items[at].sort in ("figure", "month")
    if plain and not any(i.after_stop for i in items[n + 2 : at + 1]):
        value, last = _value(text, items, at, words)
        alone = value.sort == "figure" and not value.unit and _is_day(value, items[at], text, words)
        if value.sort == "date" and last > at:
            return replace(value, text=text[day.start : value.end], start=day.start), last
        if value.sort == "ordinal" or (alone and at == n + 1):
            named = Value("day", "", text[day.start : value.end], day.start, value.end)
            return named, last
    return Value("day", "", text[day.start : day.end], day.start, day.end), n


def _is_day(value: Value, item: Item, text: str, words: Language) -> bool:
    """Whether a bare figure can be a day of a month: none that is an hour ("Friday 9 am") or starts a range."""
    hour = clock(read(text, words).items, read(text, words).items.index(item), text, halves=False)
    follows = text[value.end : value.end + 1]
    return value.text.isdigit() and 1 <= int(value.text) <= 31 and hour is None and follows != "-"


def _month_after(items: Sequence[Item], n: int, words: Language) -> int | None:
    """The place of the month that an ordinal belongs to ("12th of March", "1er mai")."""
    if n < len(items) and items[n].word in words.words["month_links"]:
        n += 1
    return n if n < len(items) and items[n].sort == "month" and not items[n].after_stop else None


def cue_words(words: Language) -> frozenset[str]:
    """Every word of a cue of change, and the fillers: they are no topic of their own."""
    return _cue_words(words.code)


@lru_cache(maxsize=8)
def _cue_words(code: str) -> frozenset[str]:
    lists = language(code).words
    entries = (e for name in ("correction_cues", "update_cues", "light") for e in lists[name])
    return frozenset(t.word for entry in entries for t in tokens(entry))
