"""Matches the forms of dates that a language writes: "il y a {n} {unit}", "[the] {nth} of {month}".

The forms are lines of `lang/<code>/date_forms.txt`; a slot stands between braces, what may be left out in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from souvenance.lang import Language, language, tokens
from souvenance.write.dates.lexing import Word

_PIECE = re.compile(r"\{(\w+)\}|(\[)|(\])|(\|)|(,)|(-)|([^\W\d_]+|\d+)")

#: Words that a spelled number may take ("cent vingt et un"). Chosen, not measured.
_LONGEST_NUMBER = 4

Found = dict[str, int | str]


@dataclass(frozen=True, slots=True)
class _Said:
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Slot:
    name: str

    @property
    def kind(self) -> str:
        return self.name.rstrip("0123456789")

    @property
    def holds(self) -> str:
        """What it is called once filled: a day is a day, however it was spelled."""
        same = {"nth": "day", "feastday": "feast"}
        return same.get(self.kind, self.kind) + self.name[len(self.kind) :]


@dataclass(frozen=True, slots=True)
class _Maybe:
    parts: tuple[_Part, ...]


_Part: TypeAlias = _Said | _Slot | _Maybe


@dataclass(frozen=True, slots=True)
class Form:
    """One form: its parts and what it means ("ahead", "offset 1")."""

    parts: tuple[_Part, ...]
    means: str


@dataclass(frozen=True)
class Forms:
    """Forms by the word that each may start with; those that may start with a figure apart."""

    by_word: Mapping[str, tuple[Form, ...]]
    by_figure: tuple[Form, ...]

    def starting(self, word: Word) -> tuple[Form, ...]:
        """The forms that may start at a word."""
        return self.by_figure if word.raw[:1].isdigit() else self.by_word.get(word.word, ())


@dataclass(frozen=True, slots=True)
class Match:
    """A form found at a place: where it ends, what it means, what its slots hold."""

    start: int
    end: int
    means: str
    slots: Mapping[str, int | str]


@dataclass(frozen=True)
class Lexicon:
    """The lists of one language, in the shape that matching needs."""

    forms: Forms
    leads: Forms
    tails: Forms
    idioms: Forms
    months: Mapping[str, int]
    short_months: frozenset[str]
    weekdays: Mapping[str, int]
    numbers: Mapping[str, int]
    ordinals: Mapping[tuple[str, ...], int]
    units: Mapping[str, str]
    parts: Mapping[str, str]
    feasts: Mapping[tuple[str, ...], str]
    feastdays: Mapping[tuple[str, ...], str]
    ranks: Mapping[str, int]


@lru_cache(maxsize=8)
def lexicon(code: str) -> Lexicon:
    """The forms and lists of a language."""
    words, traits = language(code).words, language(code).traits
    months = {key.rstrip("."): int(to) for key, to in _pairs(words["months"])}
    full = {max((k for k in months if months[k] == n), key=len) for n in months.values()}
    # "Mondays" is a habit, not a day.
    named = _pairs(words["weekdays"])
    weekdays = {k: int(n) for k, n in named if not (traits.plural_weekdays and k.endswith("s"))}
    numbers = {k: int(n) for k, n in _pairs(words["numbers"] | words["date_ones"])}
    ordinals = {_spelled(k): int(n) for k, n in _pairs(words["date_ordinals"])}
    units, parts = dict(_pairs(words["date_units"])), dict(_pairs(words["date_parts"]))
    feasts = {_spelled(k): rule for k, rule in _pairs(words["date_feasts"])}
    feastdays = {_spelled(k): rule for k, rule in _pairs(words["date_feastdays"])}
    ranks = {k: int(n) for k, n in _pairs(words["date_ranks"])}
    firsts = {
        "n": {*numbers}, "day": {k[0] for k in ordinals}, "nth": {k[0] for k in ordinals},
        "month": {*months}, "year": set[str](), "weekday": {*weekdays}, "unit": {*units},
        "part": {*parts}, "rank": {*ranks}, "feast": {k[0] for k in feasts},
        "feastday": {k[0] for k in feastdays},
    }  # fmt: skip
    idioms = frozenset(f"{entry} = idiom" for entry in words["date_idioms"])
    return Lexicon(
        forms=_forms(words["date_forms"], firsts),
        leads=_forms(words["date_leads"], firsts),
        tails=_forms(words["date_tails"], firsts),
        idioms=_forms(idioms, firsts),
        months=months,
        short_months=frozenset(months) - full,
        weekdays=weekdays,
        numbers=numbers,
        ordinals=ordinals,
        units=units,
        parts=parts,
        feasts=feasts,
        feastdays=feastdays,
        ranks=ranks,
    )


def _pairs(entries: frozenset[str]) -> list[tuple[str, str]]:
    found = (entry.split("=", 1) for entry in sorted(entries) if "=" in entry)
    return [(left.strip(), right.strip()) for left, right in found]


def _spelled(entry: str) -> tuple[str, ...]:
    return tuple(token.word for token in tokens(entry))


#: Slots that a figure may fill.
_FIGURES = frozenset({"n", "day", "nth", "year", "feastday"})


def _forms(entries: frozenset[str], firsts: Mapping[str, set[str]]) -> Forms:
    by_word: dict[str, list[Form]] = {}
    by_figure: list[Form] = []
    for entry in sorted(entries):
        pattern, means = entry.rsplit("=", 1)
        form = Form(_parse(list(_PIECE.finditer(pattern)), 0)[0], means.strip())
        starts = _starts(form.parts)
        words = {w for s in starts for w in (firsts[s.kind] if isinstance(s, _Slot) else s.words)}
        if any(s.kind in _FIGURES if isinstance(s, _Slot) else _has_figure(s) for s in starts):
            by_figure.append(form)
        for word in words:
            by_word.setdefault(word, []).append(form)
    return Forms({word: tuple(forms) for word, forms in by_word.items()}, tuple(by_figure))


def _has_figure(said: _Said) -> bool:
    return any(word[:1].isdigit() for word in said.words)


def _starts(parts: Sequence[_Part]) -> list[_Said | _Slot]:
    """What may stand first: past a part that may be left out, the next one may too."""
    found: list[_Said | _Slot] = []
    for part in parts:
        if not isinstance(part, _Maybe):
            return [*found, part]
        found += _starts(part.parts)
    return found


def _parse(pieces: Sequence[re.Match[str]], at: int) -> tuple[tuple[_Part, ...], int]:
    parts: list[_Part] = []
    while at < len(pieces):
        slot, opening, closing, either, comma, dash, word = pieces[at].groups()
        at += 1
        if closing:
            break
        if opening:
            inner, at = _parse(pieces, at)
            parts.append(_Maybe(inner))
        elif slot:
            parts.append(_Slot(slot))
        elif either:
            before = parts.pop()
            assert isinstance(before, _Said)
            parts.append(_Said(before.words | {pieces[at].group()}))
            at += 1
        else:
            parts.append(_Said(frozenset({comma or dash or word})))
    return tuple(parts), at


class Matcher:
    """Finds the forms of one language in one text."""

    def __init__(self, said: Sequence[Word], words: Language) -> None:
        self.said, self.lists = said, lexicon(words.code)

    def at(self, forms: Forms, at: int, end: int | None = None) -> Match | None:
        """The longest of the forms that starts at a place, and ends at `end` when given."""
        best: Match | None = None
        if at >= len(self.said):
            return None
        for form in forms.starting(self.said[at]):
            for stop, slots in self._match(form.parts, at, {}):
                fits = stop > at and (end is None or stop == end)
                if fits and (best is None or stop > best.end):
                    best = Match(at, stop, form.means, slots)
        return best

    def _match(self, parts: Sequence[_Part], at: int, slots: Found) -> Iterator[tuple[int, Found]]:
        if not parts:
            yield at, slots
            return
        first, rest = parts[0], parts[1:]
        if isinstance(first, _Maybe):
            yield from self._match((*first.parts, *rest), at, slots)
            yield from self._match(rest, at, slots)
        elif at < len(self.said):
            if isinstance(first, _Said):
                if self.said[at].word in first.words:
                    yield from self._match(rest, at + 1, slots)
                return
            for value, used in self._fill(first.kind, at):
                yield from self._match(rest, at + used, {**slots, first.holds: value})

    def _fill(self, kind: str, at: int) -> Iterator[tuple[int | str, int]]:
        lists, word = self.lists, self.said[at]
        if kind == "n":
            yield from self._number(at)
        elif kind in ("day", "nth"):
            yield from self._day(at, spelled_only=kind == "nth")
        elif kind == "month":
            if word.word in lists.months:
                yield lists.months[word.word], 1
        elif kind in ("feast", "feastday"):
            yield from self._feast(at, lists.feasts if kind == "feast" else lists.feastdays)
        elif kind == "year":
            if (
                word.raw.isdecimal()
                and len(word.raw) == 4
                and word.gap != ""
                and word.raw[0] in "12"
            ):
                yield int(word.raw), 1
        else:
            tables: Mapping[str, Mapping[str, int] | Mapping[str, str]] = {
                "weekday": lists.weekdays, "unit": lists.units, "part": lists.parts,
                "rank": lists.ranks,
            }  # fmt: skip
            if word.word in tables[kind]:
                yield tables[kind][word.word], 1

    def _number(self, at: int) -> Iterator[tuple[int | str, int]]:
        word = self.said[at]
        if word.raw.isdecimal():
            if len(word.raw) <= 3 and word.gap != "":
                yield int(word.raw), 1
            return
        total, previous = 0, 0
        for used in range(1, _LONGEST_NUMBER + 1):
            here = self.said[at + used - 1] if at + used <= len(self.said) else None
            figure = self.lists.numbers.get(here.word) if here else None
            if here is not None and here.word in ("et", "and") and previous >= 20:
                continue
            article = here is not None and here.word in ("a", "an")
            if figure is None or (previous and (article or not _extends(previous, figure))):
                return
            total = total * 20 if (previous, figure) == (4, 20) else total + figure
            previous = figure
            yield total, used

    def _day(self, at: int, spelled_only: bool) -> Iterator[tuple[int | str, int]]:
        """A day of a month: a figure with or without its ending, or spelled. The longest first."""
        word = self.said[at]
        if word.raw.isdecimal():
            if len(word.raw) > 2 or word.gap == "" or not 1 <= int(word.raw) <= 31:
                return
            after = self.said[at + 1] if at + 1 < len(self.said) else None
            if (
                after is not None
                and after.gap == ""
                and after.word in ("st", "nd", "rd", "th", "er")
            ):
                yield int(word.raw), 2
            elif not spelled_only and (after is None or after.gap != ""):
                yield int(word.raw), 1
            return
        for size in (3, 2, 1):
            spelled = tuple(w.word for w in self.said[at : at + size])
            if len(spelled) == size and spelled in self.lists.ordinals:
                yield self.lists.ordinals[spelled], size
                return

    def _feast(
        self, at: int, known: Mapping[tuple[str, ...], str]
    ) -> Iterator[tuple[int | str, int]]:
        for size in range(6, 0, -1):
            spelled = tuple(w.word for w in self.said[at : at + size])
            if len(spelled) == size and spelled in known:
                yield known[spelled], size
                return


def _extends(previous: int, figure: int) -> bool:
    """Whether a number word goes on with the one before it ("vingt deux", "quatre vingt")."""
    if (previous, figure) == (4, 20):
        return True
    tens = previous in (20, 30, 40, 50, 60, 70, 80, 90)
    return (tens and figure < 20) or (previous == 10 and 7 <= figure <= 9) or (previous == 100)
