"""Concludes what a date does to a fact: from when a change holds, and when one that is announced will.

Without a date that is read with certainty there is no conclusion, and the old value is left to stand.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

from souvenance.lang import Language
from souvenance.write.dates.reading import Dated, read_dates, survey
from souvenance.write.words.decisive import read
from souvenance.write.words.phrases import has

When = Literal["past", "now", "upcoming"]


@dataclass(frozen=True, slots=True)
class Effect:
    """When the change that a sentence tells takes effect: `start` is the first day it may hold.

    `end` is later than `start` where only a month or a week was said; `exact` is false for "ten years ago".
    """

    when: When
    start: date
    end: date
    exact: bool
    how: str


def effective(text: str, words: Language, today: date) -> Effect | None:
    """When the change told in a sentence takes effect; None when that is not said, or not clearly.

    A deadline or an end ("by Friday", "until Friday") is none: what holds before it is not told.
    """
    surveyed = survey(text, words, today)
    if surveyed.unsure or has(text, words, "hedges") or has(text, words, "unsure_plans"):
        return None
    told = [d for d in surveyed.dates if d.role not in ("until", "by")]
    begins = [d for d in told if d.role in ("since", "from")] or told
    if not begins:
        now = has(text, words, "date_now") and not told
        return Effect("now", today, today, True, "now") if now else None
    narrow = min(begins, key=lambda d: d.end - d.start)
    if not all(d.start <= narrow.start and narrow.end <= d.end for d in begins):
        return None
    when = _when(narrow, today)
    if when is None:
        return None
    return Effect(when, narrow.start, narrow.end, narrow.exact, narrow.how)


def _when(dated: Dated, today: date) -> When | None:
    """On which side of today a date lies; the clause decides when it holds today, and must not disagree."""
    if dated.start == dated.end == today:
        return "now"
    if dated.start > today:
        return None if dated.tense == "past" and dated.role == "on" else "upcoming"
    if dated.end < today:
        return None if dated.tense == "future" else "past"
    return "past" if dated.tense == "past" else None


def upcoming(text: str, words: Language, today: date) -> date | None:
    """The first day after `today` that the text names, None when it names none.

    A month or a week is its first day, a deadline its last; an end ("until Friday") is no beginning.
    """
    for dated in read_dates(text, words, today):
        day = dated.end if dated.role == "by" else dated.start
        if dated.role != "until" and dated.role != "since" and day > today:
            return day
    return None


def names_a_day(text: str, words: Language) -> bool:
    """Whether a text names a day or a month at all, be it each Monday's or one that cannot be placed."""
    tomorrow = words.words["tomorrow"]
    return any(
        i.sort in ("day", "month") or (i.sort == "moment" and i.form in tomorrow)
        for i in read(text, words).items
    )
