"""Tells when what looks like a date is something else: a name, a title, a street, a habit, a count.

A date that is left unread costs a note without its day; one read by mistake is a wrong memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from souvenance.lang import Language
from souvenance.write.dates.forms import lexicon
from souvenance.write.dates.lexing import Word
from souvenance.write.dates.tense import REACH, clause

#: Forms that a habit takes ("on Sunday I usually…"), and that are one day otherwise.
_RECURRING = frozenset({
    "weekday", "weekday-this", "day", "day-led", "month", "month-part", "feast", "feast-day",
    "weekend", "day-month", "weekdays", "months", "days",
})  # fmt: skip

#: Forms that name streets, stations and schools.
_NAMING_PLACES = frozenset(
    {"day", "day-led", "day-month", "month", "year", "feast", "feast-day", "weekday"}
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a form stands: its first word, its lead before, its end; and what it was read as."""

    said: Sequence[Word]
    lead: int
    start: int
    end: int
    label: str

    @property
    def first(self) -> Word:
        return self.said[self.start]

    @property
    def before(self) -> Word | None:
        """The word before the form and its lead, None at the start of a text."""
        return self.said[self.lead - 1] if self.lead else None

    @property
    def after(self) -> Word | None:
        return self.said[self.end] if self.end < len(self.said) else None

    @property
    def led(self) -> bool:
        return self.lead < self.start


def is_other(place: Place, words: Language) -> bool:
    """Whether what stands there is no date, however it looks."""
    if any(w.quoted for w in place.said[place.start : place.end]):
        return True
    checks = [
        _is_title,
        _is_spelled_loose,
        _is_joined,
        _names_a_place,
        _is_counting,
        _is_compound,
        _supposed,
    ]
    if place.label in _RECURRING:
        checks.append(_is_habit)
    if place.label.split("-")[0] in ("weekday", "month", "feast"):
        checks += [_is_a_name, _is_named]
    if place.label in ("day", "day-led"):
        checks.append(_counts_a_thing)
    return any(check(place, words) for check in checks)


def _is_title(place: Place, words: Language) -> bool:
    """Whether capitals inside it make it a title ("The Day After Tomorrow")."""
    if place.label.split("-")[0] not in ("offset", "ahead", "ago", "period"):
        return False
    inside = place.said[place.start + 1 : place.end]
    return any(w.capital and not w.raw.isupper() for w in inside)


def _is_joined(place: Place, words: Language) -> bool:
    """Whether a hyphen ties it to another word ("Quatre-Septembre", "a Friday-only menu")."""
    inside = place.said[place.start + 1 : place.end]
    dashed = any(w.gap == "-" and w.capital and not w.raw.isupper() for w in inside)
    tied = place.first.gap == "-" or (place.after is not None and place.after.gap == "-")
    return tied or (dashed and place.label == "day-month")


def _is_named(place: Place, words: Language) -> bool:
    """Whether the word before says that a name follows ("he is called August", "le film Vendredi")."""
    before = place.before
    if place.led or before is None:
        return False
    around = clause(place.said, place.start, place.end, words)
    christened = place.first.capital and _holds(around, words.words["date_christened"])
    return christened or before.word in words.words["date_named"]


def _names_a_place(place: Place, words: Language) -> bool:
    """Whether it is the name of a street or a station ("rue du 8 mai", "the 4th Street bridge")."""
    places, after = words.words["date_places"], place.after
    if after is not None and after.word in places and after.gap == " ":
        return after.capital or place.label == "day"
    if place.label not in _NAMING_PLACES:
        return False
    at = place.start
    near = [w.word for w in place.said[max(0, at - 3) : at]]
    # An article inside the form ("rue [le 8 mai]") is none of a name, which goes with "du".
    joined = place.first.word not in ("le", "la")
    while near and near[-1] in words.words["date_of"]:
        near.pop()
    return joined and bool(near) and near[-1] in places


def _is_counting(place: Place, words: Language) -> bool:
    """Whether a figure at its end counts something ("in 2000 words", "may 3 people")."""
    last, after = place.said[place.end - 1], place.after
    if after is None or after.stops or not last.raw[:1].isdigit():
        return False
    if after.word in words.words["units"]:
        return True
    plural = after.word.endswith("s") and len(after.word) > 3 and not after.capital
    loose = place.label in ("year", "day-month", "month-year", "day-led")
    return loose and plural and after.word not in words.words["function_words"]


def _is_spelled_loose(place: Place, words: Language) -> bool:
    """Whether a spelled number counts months that are things ("trois mars"): a date has its article."""
    bare = not words.traits.capital_dates and place.label == "day-month" and not place.led
    return bare and place.first.word in {w for (w, *_) in lexicon(words.code).ordinals}


def _is_compound(place: Place, words: Language) -> bool:
    """Whether the word after makes another thing of it ("Christmas tree", "Monday blues")."""
    after = place.after
    if after is None or after.stops:
        return False
    if after.word in words.words["date_compounds"]:
        return True
    half = place.said[place.end : place.end + 3]
    return "half" in [w.word for w in half] or "demi" in [w.word for w in half[:2]]


def _supposed(place: Place, words: Language) -> bool:
    """Whether its clause only supposes ("if it were Friday", "imagine que lundi")."""
    return _holds(_sentence_before(place), words.words["date_supposing"])


def _holds(said: Sequence[Word], phrases: frozenset[str]) -> bool:
    """Whether a phrase of a list stands among words."""
    spoken = f" {' '.join(w.word for w in said)} "
    return any(f" {phrase} " in spoken for phrase in phrases)


def _around(place: Place) -> Sequence[Word]:
    return place.said[max(0, place.start - REACH) : place.end + REACH]


def _sentence_before(place: Place) -> list[Word]:
    found: list[Word] = []
    for word in reversed(place.said[max(0, place.start - REACH) : place.start]):
        if word.word in (",", "."):
            break
        found.append(word)
    return found[::-1]


def _is_habit(place: Place, words: Language) -> bool:
    """Whether its clause tells a habit ("le samedi, d'habitude", "usually on Friday")."""
    return _holds(clause(place.said, place.start, place.end, words), words.words["date_habits"])


def _is_a_name(place: Place, words: Language) -> bool:
    """Whether a weekday, month or feast is somebody: by its capital, its neighbours or its verb."""
    first, before, after = place.first, place.before, place.after
    if place.end - place.start > 1:
        return False
    if first.capital and any(w.word in words.words["date_companions"] for w in _around(place)):
        return place.label == "weekday"
    if after is not None and after.word == "s" and after.gap == "'":
        return place.label == "month"  # "April's", but "Friday's meeting"
    if not words.traits.capital_dates and first.capital and not first.opens and not place.led:
        return True
    if words.traits.capital_dates and not place.led and _beside_a_name(before, after, words):
        return True
    if place.led or after is None or after.stops or place.label != "weekday":
        return False
    if not first.opens:
        return False
    return _is_subject(place.said[place.end : place.end + 2], words)


def _beside_a_name(before: Word | None, after: Word | None, words: Language) -> bool:
    small = words.words["function_words"]
    named = [
        w for w in (before, after)
        if w is not None and w.capital and not w.opens and w.word not in small
        and w.word not in words.words["weekdays"] and not w.raw.isupper()
    ]  # fmt: skip
    return bool(named)


def _is_subject(following: Sequence[Word], words: Language) -> bool:
    """Whether a verb of which it is the subject follows ("Vendredi est le compagnon…")."""
    verb, *rest = (w.word for w in following)
    if verb in words.words["date_being"]:
        return bool(rest) and rest[0] in words.words["date_of_someone"]
    return verb in words.words["date_subject_verbs"]


#: Up to this, "the 3rd" without "on" is as often a rank. Chosen, not measured.
_LAST_RANK = 3


def _may_be_a_rank(place: Place, words: Language) -> bool:
    """Whether a bare day may be a rank: spelled ("the first", "le premier"), or "the 2nd"."""
    number = next((w.raw for w in place.said[place.start : place.end] if w.raw[:1].isdecimal()), "")
    if not words.traits.days_are_ranks:
        return place.said[place.end - 1].word in words.words["date_first"]
    return not number or (number.isdecimal() and int(number) <= _LAST_RANK)


def _counts_a_thing(place: Place, words: Language) -> bool:
    """Whether a bare number is a rank, a bus or a door ("the 12th floor", "le 12 de la rue Haute")."""
    after = place.after
    around = [w.word for w in clause(place.said, place.start, place.end, words)]
    if any(word in words.words["date_numbered"] for word in around):
        return True
    if not place.led and _may_be_a_rank(place, words):
        return not any(word in words.words["date_monthly"] for word in around)
    if after is None or after.stops:
        return False
    if after.gap == "" or after.word in words.words["date_of"]:
        return True
    return after.word not in words.words["date_follows"] and not after.capital
