"""Tells which attribute takes the place of which: same entity, same thing, another value, said plainly enough.

A replacement overwrites; whatever is not sure is a rivalry, which only a person settles.
"""

from __future__ import annotations

import re
from functools import lru_cache

from souvenance.lang import codes, fold, language, tokens
from souvenance.write.attributes.record import MEASURED, SINGLE, Attribute
from souvenance.write.words.decisive import read, sets

#: What does not change by itself: another value is a slip or a play unless it is said to correct.
_FIXED = frozenset({"birthday", "birth_year"})

#: An age that moved by more years than this between two tellings is not the passing of time.
#: Chosen, not measured.
_YEARS = 10

#: Two names of at least this many letters that differ by one are perhaps one name mistyped.
#: Chosen, not measured.
_TYPED = 5

#: Two trades that share this many first letters, and half of the longer, are perhaps one ("boulanger, boulangère").
#: Chosen, not measured.
_ROOT = 4


#: A trade of at least this many letters with which another begins is perhaps that one cut short.
#: Chosen, not measured.
_SHORTENED = 3


#: What a sum may be, beside how often it comes.
_KINDS = frozenset({"net", "gross"})


def same_attribute(a: Attribute, b: Attribute) -> bool:
    """Whether two readings are of one attribute of one entity, and of the same thing where it has one."""
    return (a.entity, a.attribute, a.subject) == (b.entity, b.attribute, b.subject)


def replaces(new: Attribute, old: Attribute) -> bool:
    """Whether the newer reading surely takes the place of the older one."""
    return (
        same_attribute(new, old)
        and new.single
        and (new.state, old.state) == ("now", "now")
        and bool(new.value and old.value)
        and not alike(new, old)
        and not _poorer(new, old)
        and (new.corrects or _may_change(new, old))
    )


def rivals(new: Attribute, old: Attribute) -> bool:
    """Whether the two look like two values of one thing, and it is not sure that the newer one replaces."""
    return (
        new.attribute == old.attribute
        and (new.attribute in SINGLE or new.attribute == "figure")
        and _may_be_one(new, old)
        and new.state in ("now", "past")
        and old.state == "now"
        and bool(new.value and old.value)
        and not alike(new, old)
        and not replaces(new, old)
    )


def closes(new: Attribute, old: Attribute) -> bool:
    """Whether the newer reading says that what the older one told is over."""
    return (
        (new.entity, new.attribute) == (old.entity, old.attribute)
        and (new.state, old.state) == ("ended", "now")
        and (not new.value or alike(new, old))
    )


def alike(a: Attribute, b: Attribute) -> bool:
    """Whether two values are one, a detail or a spelling apart ("Lyon", "Lyon 7e")."""
    if a.attribute in MEASURED:
        mine, theirs = _figures(a.value), _figures(b.value)
        if a.attribute == "appointment":
            return mine <= theirs or theirs <= mine
        return mine == theirs if mine or theirs else fold(a.value) == fold(b.value)
    mine, theirs = _content(a.value), _content(b.value)
    if mine <= theirs or theirs <= mine:
        return True
    if a.attribute in ("job", "studies", "employer") and _roots(mine, theirs):
        return True
    return _mistyped("".join(sorted(mine)), "".join(sorted(theirs)))


def _may_be_one(a: Attribute, b: Attribute) -> bool:
    """Whether two readings may be of one thing: somebody unnamed may be anybody, as may a bare budget."""
    (kin, _, name), (other, _, called) = a.entity.partition(":"), b.entity.partition(":")
    subjects = a.subject == b.subject or not (a.subject and b.subject)
    return kin == other and (name == called or not (name and called)) and subjects


def _poorer(new: Attribute, old: Attribute) -> bool:
    """Whether the new value cannot be set against the old one: an hour beside a day, a year beside a month."""
    if new.attribute == "appointment":
        if is_dated(old.value) and not is_dated(new.value):
            return True
        shared = _days(new.value) & _days(old.value)
        return not (shared or new.corrects)  # "on Tuesday" may well be "May 12"
    if new.attribute == "employer":
        return _is_kind(new.value) != _is_kind(old.value)
    mine, theirs = _rates(new.value), _rates(old.value)
    kinds = (mine & _KINDS, theirs & _KINDS)
    often = (mine - _KINDS, theirs - _KINDS)
    return any(a and b and a != b for a, b in (kinds, often))


def _days(value: str) -> set[str]:
    """In which terms a value names a day: by its weekday, its month, or as "tomorrow"."""
    return {f.partition(" ")[0] for f in _figures(value) if not f[:1].isdigit()}


def _rates(value: str) -> frozenset[str]:
    """How often a sum comes and of what kind it is."""
    known = _rate_words(codes())
    return frozenset(known[t.word] for t in tokens(value) if t.word in known)


@lru_cache(maxsize=1)
def _rate_words(languages: tuple[str, ...]) -> dict[str, str]:
    lines = (x for code in languages for x in language(code).words["attribute_rate_words"])
    return sets(lines)


def _is_kind(value: str) -> bool:
    """Whether a value is a kind of place ("une boulangerie"), not a name: the two may be one place."""
    first = next(iter(tokens(value)), None)
    return first is not None and any(
        first.word in language(code).words["attribute_a"] for code in codes()
    )


def _may_change(new: Attribute, old: Attribute) -> bool:
    """Whether the value may have become the other with time, with no word of correction."""
    if new.attribute in _FIXED or (new.attribute == "name" and "/" not in new.entity):
        return False
    if new.attribute == "age":
        years = _years(new.value) - _years(old.value)
        return 0 < years <= _YEARS
    if new.attribute == "children":
        return _years(new.value) > _years(old.value)
    return True


def _years(value: str) -> float:
    """An age in years, months and weeks counted; 0 when it is none."""
    found = re.match(r"(\d+)(?:\s+([mws]))?", value)
    return int(found[1]) / {"m": 12, "w": 52, "s": 52}.get(found[2] or "", 1) if found else 0.0


@lru_cache(maxsize=4096)
def _figures(value: str) -> frozenset[str]:
    """The figures, days and months of a value, in the language that reads the most of them.

    Of two that read as many, French goes before English: "1,5" is one and a half.
    """
    return max((_figures_in(value, code) for code in reversed(codes())), key=len)


def _figures_in(value: str, code: str) -> frozenset[str]:
    """Figures with their currencies left out and thousands written out, days and months."""
    items = read(value, language(code)).items
    found: set[str] = set()
    for n, item in enumerate(items):
        if item.sort == "figure":
            number = item.form.rstrip("€$£¥")
            thousands = n + 1 < len(items) and items[n + 1].word == "k"
            found.add(f"{number}000" if thousands else _hour(number))
        elif item.sort in ("day", "month", "moment"):
            found.add(f"{item.sort} {item.form}")
    return frozenset(found)


def _hour(number: str) -> str:
    return number.removesuffix("hour").removesuffix("h")


def is_dated(value: str) -> bool:
    """Whether a value names a day, and not an hour alone."""
    return any(not f[:1].isdigit() for f in _figures(value))


@lru_cache(maxsize=4096)
def _content(value: str) -> frozenset[str]:
    """The words of a value, small ones left out unless there are no others; what has two names under one."""
    said = [t.word for t in tokens(value)]
    small = {"de", "of", "s"}.union(*(language(code).words["articles"] for code in codes()))
    said = [w for w in said if w not in small] or said
    known = _same(codes())
    whole = known.get(" ".join(said))
    return frozenset(whole.split() if whole else (known.get(w, w) for w in said))


@lru_cache(maxsize=1)
def _same(languages: tuple[str, ...]) -> dict[str, str]:
    """Each name of a thing with the first one of its line, in every language."""
    lines = (line for code in languages for line in language(code).words["attribute_same"])
    return sets(lines)


def _roots(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether each word of the shorter value has the root of one of the other: a man's and a woman's trade."""
    short, long = sorted((mine, theirs), key=len)
    return all(any(_one_root(a, b) for b in long) for a in short)


def _one_root(a: str, b: str) -> bool:
    short, long = sorted((a, b), key=len)
    if len(short) >= _SHORTENED and long.startswith(short):
        return True  # "dev", "développeur"
    shared = next(
        (n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )
    return shared >= max(_ROOT, max(len(a), len(b)) / 2)


def _mistyped(a: str, b: str) -> bool:
    """Whether one letter was added, left out, or typed for another."""
    if min(len(a), len(b)) < _TYPED or abs(len(a) - len(b)) > 1:
        return False
    at = next(
        (n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )
    return a[at + 1 :] == b[at + 1 :] or a[at + 1 :] == b[at:] or a[at:] == b[at + 1 :]
