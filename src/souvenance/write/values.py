"""Reads the values of a text: figures with what they count, days, dates, and whether they are denied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from souvenance.lang import Language, language, tokens
from souvenance.write.decisive import ORDINALS, Item, read


@dataclass(frozen=True, slots=True)
class Value:
    """A piece of a text that another can take the place of: a figure with what it counts, a day, a date."""

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
        if n <= skip or item.sort not in ("figure", "day", "month", "moment"):
            continue
        value, skip = _value(text, items, n, words)
        forms = [i.form for i in items[n : skip + 1] if i.has_content]
        form = " ".join(sorted(f.removesuffix(value.unit) for f in forms))
        rate = _rate(text, items, skip + 1, value, words) if value.sort == "figure" else ""
        found.append((replace(value, form=form, rate=rate), denied))
    return found


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
        return Value("ordinal", "", text[item.start : following.end], item.start, following.end), n
    if not unit and following and following.sort == "word" and not following.after_stop:
        gap = text[item.end : following.start]
        counted = gap.strip() == "" and following.word not in cue_words(words)
        unit = following.form if counted else ""
    return Value("figure", unit, text[item.start : item.end], item.start, item.end), n


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
