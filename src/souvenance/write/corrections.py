"""Reads what a sentence takes back or replaces, and puts the new value in the sentence it corrects.

"No, wait, Thursday" says nothing alone: its fact is the earlier sentence with another day.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from souvenance.lang import Language, language, tokens
from souvenance.write.decisive import ORDINALS, Item, read
from souvenance.write.phrases import has
from souvenance.write.sentences import clauses, sentences

Change = Literal["correction", "update", "later", ""]


@dataclass(frozen=True, slots=True)
class Value:
    """A piece of a text that another can take the place of: a figure with what it counts, a day, a date."""

    sort: str
    unit: str
    text: str
    start: int
    end: int
    form: str = ""  # the figure, the day or the month by itself, to tell equal values


def change(text: str, words: Language) -> Change:
    """What kind of change a sentence announces: taking back, a value that is new, one for later, or none."""
    if has(text, words, "correction_cues") or _denies(text, words):
        return "correction"
    if has(text, words, "later_cues"):
        return "later"
    return "update" if has(text, words, "update_cues") else ""


def points_back(text: str, words: Language) -> bool:
    """Whether a text gives a value to something said before ("c'est 3 séances", "it's Thursday")."""
    return has(text, words, "pointers")


def values(text: str, words: Language) -> list[Value]:
    """The values of a text in order, those it denies left out."""
    return [value for value, denied in _values(text, words) if not denied]


def _values(text: str, words: Language) -> list[tuple[Value, bool]]:
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
        found.append((replace(value, form=form), denied))
    return found


def denies_value(correction: str, old: str, words: Language) -> bool:
    """Whether a text denies a value that the old sentence holds ("in June, not September")."""
    return bool(_denied_values(old, correction, words))


def _denied_values(old: str, correction: str, words: Language) -> list[tuple[int, int, str]]:
    """The old values that are denied, each with the value of its sort that is said instead."""
    told = _values(correction, words)
    known = values(old, words)
    swaps = []
    for gone in (v for v, denied in told if denied):
        place = next((k for k in known if (k.sort, k.form) == (gone.sort, gone.form)), None)
        instead = [v for v, denied in told if not denied and v.sort == gone.sort]
        if place is not None and len(instead) == 1:
            swaps.append((place.start, place.end, instead[0].text))
    return swaps


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
        return Value("ordinal", "", text[item.start : following.end], item.start, following.end), n
    if not unit and following and following.sort == "word" and not following.after_stop:
        gap = text[item.end : following.start]
        counted = gap.strip() == "" and following.word not in _cues(words)
        unit = following.form if counted else ""
    return Value("figure", unit, text[item.start : item.end], item.start, item.end), n


def _denies(text: str, words: Language) -> bool:
    return any(True for _ in denials(text, words))


def denials(text: str, words: Language) -> list[tuple[str, str]]:
    """Pairs (what is denied, what is said instead): "pas des baleines, des dauphins", "Lyon, pas Dijon"."""
    items = read(text, words).items
    found: list[tuple[str, str]] = []
    for n, item in enumerate(items):
        if item.word not in words.words["denials"] or not _opens_clause(items, n):
            continue
        clause = _until_stop(items, n + 1)
        if len([i for i in clause if i.has_content]) not in (1, 2) or any(
            i.sort == "person" for i in clause
        ):
            continue
        after = _until_stop(items, n + 1 + len(clause), first=True)
        before = _before_stop(items, n)
        instead = after if _short(after) else before if _short(before) else []
        if instead:
            found.append((_content(text, clause), _content(text, instead)))
    return found


def _opens_clause(items: Sequence[Item], n: int) -> bool:
    """Whether nothing but "it's" or "c'est" stands before the denial in its clause."""
    while n > 0 and not items[n].after_stop:
        n -= 1
        if items[n].has_content or items[n].sort == "person":
            return False
    return True


def _short(items: Sequence[Item]) -> bool:
    return 1 <= len([i for i in items if i.has_content]) <= 2 and not any(
        i.sort == "person" for i in items
    )


def _content(text: str, items: Sequence[Item]) -> str:
    content = [i for i in items if i.has_content]
    return text[content[0].start : content[-1].end]


def _until_stop(items: Sequence[Item], at: int, first: bool = False) -> list[Item]:
    clause: list[Item] = []
    for n in range(at, len(items)):
        if items[n].after_stop and not (first and n == at) and n > at:
            break
        clause.append(items[n])
    return clause


def _before_stop(items: Sequence[Item], at: int) -> list[Item]:
    clause: list[Item] = []
    for n in range(at - 1, -1, -1):
        clause.insert(0, items[n])
        if items[n].after_stop:
            break
    return clause


def replace_values(old: str, correction: str, words: Language) -> str | None:
    """The old sentence with the values that the correction gives anew; None when it replaces nothing there.

    Only clauses that speak of nothing else than the old sentence count: "the car costs 310" says nothing
    of what the licence cost.
    """
    told = " ; ".join(c for c in reasons_apart(correction, words) if _speaks_of(c, old, words))
    swaps = [
        *_denied_values(old, correction, words),
        *_value_swaps(old, told, words),
        *_denied_swaps(old, correction, words),
    ]
    text, last = "", 0
    for start, end, new in sorted(swaps, key=lambda swap: swap[0]):
        if start < last:
            continue
        shown = new[:1].upper() + new[1:] if old[start].isupper() and start == 0 else new
        text, last = text + old[last:start] + shown, end
    text += old[last:]
    return text if swaps and text != old else None


def reasons_apart(text: str, words: Language) -> list[str]:
    """The clauses of a text, a reason ("because…") cut off from what it explains."""
    found: list[str] = []
    for clause in (c for s in sentences(text, words) for c in clauses(s.text)):
        cut = next((t.start for t in tokens(clause)[1:] if t.word in words.words["causes"]), None)
        found += [clause] if cut is None else [clause[:cut], clause[cut:]]
    return found


def _cues(words: Language) -> frozenset[str]:
    """Every word of a cue of change, and the fillers: they are no topic of their own."""
    return _cue_words(words.code)


@lru_cache(maxsize=8)
def _cue_words(code: str) -> frozenset[str]:
    lists = language(code).words
    entries = (e for name in ("correction_cues", "update_cues", "light") for e in lists[name])
    return frozenset(t.word for entry in entries for t in tokens(entry))


def _speaks_of(clause: str, old: str, words: Language) -> bool:
    """Whether every word of a clause, values and cues left out, is a word of the old sentence too."""
    known = {i.form for i in read(old, words).items}
    cues = _cues(words)
    own = [i for i in read(clause, words).content if i.sort in ("word", "name")]
    return all(i.form in known or i.word in cues for i in own)


def _value_swaps(old: str, correction: str, words: Language) -> list[tuple[int, int, str]]:
    free, swaps = values(old, words), []
    left: list[Value] = []
    told = values(correction, words)
    for new in told:
        alike = [v for v in free if v.sort == new.sort and v.unit == new.unit]
        rivals = sum(v.sort == new.sort and v.unit == new.unit for v in told)
        mate = _meant(alike, rivals, old, correction, words)
        if mate is None:
            left.append(new)
            continue
        free.remove(mate)
        swaps.append((mate.start, mate.end, new.text))
    figures = [v for v in left if v.sort == "figure"]
    rest = [v for v in free if v.sort == "figure"]
    if swaps and len(figures) == 1 and len(rest) == 1 and not figures[0].unit:
        number = len(rest[0].text) - len(rest[0].text.lstrip("0123456789.,"))
        number = number or len(rest[0].text)
        swaps.append((rest[0].start, rest[0].start + number, figures[0].text))
    return swaps


def _meant(
    alike: Sequence[Value], rivals: int, old: str, correction: str, words: Language
) -> Value | None:
    """Which of several old values a new one replaces: the only one, the one whose clause speaks of the
    same thing, or the first when as many are given anew; None when that cannot be told."""
    if len(alike) <= 1 or len(alike) == rivals:
        return alike[0] if alike else None
    told = {i.form for i in read(correction, words).content if i.sort in ("word", "name")}
    near = []
    for value in alike:
        clause = _clause_at(old, value.start)
        if told & {i.form for i in read(clause, words).content}:
            near.append(value)
    return near[0] if len(near) == 1 else None


def _clause_at(text: str, at: int) -> str:
    """The clause of a text that holds a position."""
    start = 0
    for clause in clauses(text):
        start = text.index(clause, start)
        if start <= at < start + len(clause):
            return clause
        start += len(clause)
    return text


def _denied_swaps(old: str, correction: str, words: Language) -> list[tuple[int, int, str]]:
    swaps = []
    known = read(old, words).content
    for denied, instead in denials(correction, words):
        forms = [i.form for i in read(denied, words).content]
        places = [i for i in known if i.form in forms]
        if (
            len(places) == len(forms)
            and places
            and places[0].sort not in ("figure", "day", "month")
        ):
            swaps.append((places[0].start, places[-1].end, instead))
    return swaps
