"""Reads the dates of a text, each with the part it plays: on, since, until, by or from that day.

It never guesses: a name, a habit or a day with two readings stays text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from souvenance.lang import Language
from souvenance.write.dates.almanac import day, years_from
from souvenance.write.dates.forms import Match, Matcher, lexicon
from souvenance.write.dates.guards import Place, is_other
from souvenance.write.dates.lexing import lex
from souvenance.write.dates.numeric import Figures, figures
from souvenance.write.dates.resolving import UNREAD, Days, Said, moved, resolve
from souvenance.write.dates.tense import Tense, clause, tense
from souvenance.write.words.decisive import table

Role = Literal["on", "since", "until", "by", "from"]

#: Words that a lead may have ("the day before", "à partir du"). Chosen, not measured.
_LONGEST_LEAD = 6

#: What must stand before a form for it to be a date at all: "June" alone is a name.
_NEEDS: dict[str, frozenset[str]] = {
    "month": frozenset({"in", "since", "until", "by", "from", "for", "past"}),
    "year": frozenset({"in", "since", "until", "from", "past"}),
    "feast": frozenset({"on", "in", "since", "until", "by", "from", "for", "to", "shift"}),
    "day-led": frozenset({"since", "until", "by", "from", "to"}),
    "figures": frozenset({"on", "to", "for", "the", "since", "until", "by", "from"}),
}

#: Forms of days on end, which an arrangement told in the past is about.
_LASTING = frozenset({"week-of", "weekend-of", "days", "months"})

_ROLES: tuple[Role, ...] = ("until", "by", "from", "since")


@dataclass(frozen=True, slots=True)
class Dated:
    """One date of a text: its first and last day, where it stands, and the part it plays."""

    start: date
    end: date
    begins: int  # offsets in the text, its lead ("since") included
    ends: int
    how: str  # the form it was read from
    exact: bool  # false when only said about ("around the 12th"), or counted from long ago
    role: Role
    tense: Tense  # of its clause

    @property
    def days(self) -> tuple[date, date]:
        return self.start, self.end


@dataclass(slots=True)
class _Leads:
    """What the words before a form make of it."""

    at: int
    effects: list[tuple[str, Match]]

    def has(self, *kinds: str) -> bool:
        return any(kind in kinds for kind, _ in self.effects)

    @property
    def role(self) -> Role:
        return next((r for r in _ROLES for kind, _ in self.effects if kind == r), "on")


def read_dates(text: str, words: Language, today: date) -> tuple[Dated, ...]:
    """The dates of a text in order, resolved from the day it was said; those that are unsure left out."""
    return survey(text, words, today).dates


@dataclass(frozen=True, slots=True)
class Survey:
    """The dates of a text, and whether it names another that could not be placed."""

    dates: tuple[Dated, ...]
    unsure: bool


def survey(text: str, words: Language, today: date) -> Survey:
    """What `read_dates` gives, and whether it left one out for having two readings."""
    reader = _Reader(text, words, today)
    return Survey(tuple(reader.dates()), reader.unsure)


class _Reader:
    """Walks one text once, the longest form first at each place."""

    def __init__(self, text: str, words: Language, today: date) -> None:
        self._words, self._today = words, today
        self._lists = lexicon(words.code)
        self._said = lex(text, self._lists.short_months)
        self._match = Matcher(self._said, words)
        self._rounds = {int(k): n for k, n in table(words.words["date_rounds"]).items()}
        self.unsure = False
        self._figures = {f.start: f for f in figures(text, words)}

    def dates(self) -> Iterator[Dated]:
        at = read_to = 0
        while at < len(self._said):
            idiom = self._match.at(self._lists.idioms, at)
            written = self._figures.get(self._said[at].start)
            found = None if written else self._match.at(self._lists.forms, at)
            if idiom is not None and (found is None or idiom.end >= found.end):
                at = read_to = idiom.end
                continue
            if written is not None:
                found = Match(at, self._end_of(written, at), "figures", {})
            if found is None or (written is None and self._cuts_figures(found)):
                at += 1
                continue
            dated = self._dated(found, written, read_to)
            if dated is not None:
                yield dated
            at = read_to = found.end

    def _cuts_figures(self, found: Match) -> bool:
        """Whether a form holds the start of a date in figures ("le 12" of "le 12/06")."""
        inside = self._said[found.start + 1 : found.end]
        return any(w.start in self._figures for w in inside)

    def _end_of(self, written: Figures, at: int) -> int:
        end = at
        while end < len(self._said) and self._said[end].start < written.end:
            end += 1
        return end

    def _dated(self, found: Match, written: Figures | None, read_to: int) -> Dated | None:
        label = found.means.split()[0]
        leads = self._leads(found.start, read_to, label)
        if label.endswith("-by"):
            leads.effects.append(("by", found))
        tail = self._match.at(self._lists.tails, found.end)
        if tail is not None:
            leads.effects.append((tail.means, tail))
        self.unsure = self.unsure or leads.has("or")
        if leads.has("not", "or") or not self._is_led(label, leads, written):
            return None
        place = Place(self._said, leads.at, found.start, found.end, label)
        if is_other(place, self._words):
            return None
        said = Said(self._today, self._tense(found, leads), leads.role, self._rounds)
        days = _written(written, said) if written else resolve(found, said)
        days = self._shifted(days, leads) if days else None
        self.unsure = self.unsure or (days is None and label not in UNREAD)
        if days and leads.has("from") and self._is_source(leads, days):
            return None
        if days is None or (leads.role == "by" and said.tense == "past"):
            return None
        # "By June" may mean before it begins or before it ends.
        vague = leads.has("about") or (leads.role == "by" and days.start != days.end)
        end = tail.end if tail else found.end
        return Dated(
            days.start, days.end, self._said[leads.at].start, self._said[end - 1].end,
            label, days.exact and not vague, leads.role, said.tense,
        )  # fmt: skip

    def _is_source(self, leads: _Leads, days: Days) -> bool:
        """Whether "from" tells of what time a thing is ("a letter from 1944") and not a beginning."""
        bare = any(kind == "from" and m.end - m.start == 1 for kind, m in leads.effects)
        return bare and self._words.traits.from_tells_age and days.end < self._today

    def _is_led(self, label: str, leads: _Leads, written: Figures | None) -> bool:
        needed = _NEEDS.get(label)
        if label == "figures" and written is not None and written.on is not None:
            return True
        return not needed or leads.has(*needed)

    def _leads(self, at: int, read_to: int, label: str) -> _Leads:
        leads = _Leads(at, [])
        while leads.at > read_to:
            lead = next(
                (
                    m
                    for first in range(max(read_to, leads.at - _LONGEST_LEAD), leads.at)
                    if (m := self._match.at(self._lists.leads, first, leads.at))
                ),
                None,
            )
            if lead is None:
                break
            kind = lead.means.split()[0]
            if kind == "the" and not leads.effects and label in ("weekday", "month", "weekdays"):
                kind = "not"  # "le lundi" is a habit, "the Monday" another Monday
            if kind == "a":
                kind = "not" if label.split("-")[0] in ("weekday", "month", "feast") else "the"
            if kind == "not-opening":  # "pas lundi, mardi", but "je ne viens pas lundi"
                kind = "not" if self._said[lead.start].opens or self._stops(lead.start) else "on"
            leads.effects.append((kind, lead))
            leads.at = lead.start
        return leads

    def _stops(self, at: int) -> bool:
        return at > 0 and self._said[at - 1].stops

    def _tense(self, found: Match, leads: _Leads) -> Tense:
        """The side that the clause tells; "moved to Friday" and "a cake for Friday" look ahead anyway."""
        if leads.has("past", "since"):
            return "past"
        if leads.has("for", "to"):
            around = clause(self._said, found.start, found.end, self._words)
            arranged = any(w.word in self._words.words["date_arranged"] for w in around)
            given = leads.has("for") and not found.means.startswith("feast")
            if arranged or given:
                return "future"
        told = tense(self._said, found.start, found.end, self._words)
        # "I've booked the week of 10 August": what lasts is what was booked, not when.
        return "future" if told == "both" and found.means in _LASTING else told

    def _shifted(self, days: Days, leads: _Leads) -> Days | None:
        """The days moved by "the day before", "two weeks after"."""
        for kind, lead in leads.effects:
            if kind != "shift":
                continue
            if days.start != days.end:
                return None
            sign, *count = lead.means.split()[1:]
            n = int(count[0]) if count else int(lead.slots["n"])
            unit = "day" if count else str(lead.slots["unit"])
            on = moved(days.start, n if sign == "+" else -n, unit, self._rounds)
            if on is None:
                return None
            days = replace(days, start=on, end=on)
        return days


def _written(written: Figures, said: Said) -> Days | None:
    if written.on is not None:
        return Days(written.on, written.on)
    if said.tense == "both":
        return None
    for year in years_from(said.today, said.tense == "past"):
        on = day(year, written.month, written.day)
        if on is not None and on != said.today and (on < said.today) == (said.tense == "past"):
            return Days(on, on)
    return None


def the_date(text: str, words: Language, today: date) -> tuple[date, date] | None:
    """The one date that a text names, None when it names none, several that conflict, or none exactly.

    Of two that agree ("next week, on Tuesday") the narrower is given.
    """
    surveyed = survey(text, words, today)
    found = surveyed.dates
    if surveyed.unsure or not found or not all(d.exact for d in found):
        return None
    narrow = min(found, key=lambda d: d.end - d.start)
    agree = all(d.start <= narrow.start and narrow.end <= d.end for d in found)
    return narrow.days if agree else None
