"""Reads what a sentence takes back or replaces, and puts the new value in the sentence it corrects.

"No, wait, Thursday" says nothing alone: its fact is the earlier sentence with another day.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from souvenance.lang import Language, tokens
from souvenance.write.over.occasions import Swap, alike_values, is_year, occasion_swaps, swap
from souvenance.write.words.decisive import Item, read
from souvenance.write.words.phrases import has, opens
from souvenance.write.words.sentences import clauses, sentences
from souvenance.write.words.values import Value, all_values, beside_hours, cue_words, values

Change = Literal["correction", "update", "later", ""]


def change(text: str, words: Language) -> Change:
    """What kind of change a sentence announces: taking back, a value that is new, one for later, or none."""
    if (
        has(text, words, "correction_cues")
        or _denies(text, words)
        or (_refuses(text, words) and is_bare(text, words))
    ):
        return "correction"
    if has(text, words, "later_cues") or (
        has(text, words, "later_verbs") and _names_a_time(text, words)
    ):
        return "later"
    if has(text, words, "update_cues") or has(text, words, "later_verbs"):
        return "update"
    return ""


def _names_a_time(text: str, words: Language) -> bool:
    """Whether a text names a day, a date or a moment: "I take the job" is for now, "in May" for later."""
    return any(v.sort in ("day", "date", "moment") for v in values(text, words))


def _refuses(text: str, words: Language) -> bool:
    """Whether a text opens by saying no ("Non, en 1986")."""
    return opens(text, words, "refusals") is not None


def is_bare(text: str, words: Language) -> bool:
    """Whether a text holds values and nothing that says of what: "Actually it's the 13th", "Non, en 1986"."""
    units = {v.unit for v in values(text, words)}
    known_cues = cue_words(words) | words.words["refusals"]
    said = beside_hours(text, words)
    own = [i for i in said if i.sort in ("word", "name", "relation", "person")]
    return bool(values(text, words)) and all(i.form in units or i.word in known_cues for i in own)


def points_back(text: str, words: Language) -> bool:
    """Whether a text gives a value to something said before ("c'est 3 séances", "it's Thursday")."""
    return has(text, words, "pointers")


def denies_value(correction: str, old: str, words: Language) -> bool:
    """Whether a text denies a value that the old sentence holds ("in June, not September")."""
    return bool(_denied_values(old, correction, words))


def _denied_values(old: str, correction: str, words: Language) -> list[tuple[int, int, str]]:
    """The old values that are denied, each with the value of its sort that is said instead."""
    told = all_values(correction, words)
    known = values(old, words)
    swaps = []
    for gone in (v for v, denied in told if denied):
        place = next((k for k in known if (k.sort, k.form) == (gone.sort, gone.form)), None)
        instead = [v for v, denied in told if not denied and v.sort == gone.sort]
        if place is not None and len(instead) == 1:
            swaps.append((place.start, place.end, instead[0].text))
    return swaps


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


def _speaks_of(clause: str, old: str, words: Language) -> bool:
    """Whether every word of a clause, values and cues left out, is a word of the old sentence too."""
    known = {i.form for i in read(old, words).items}
    known_cues = cue_words(words)
    if asks_anew(clause, old, words):
        known_cues |= {t.word for entry in words.words["asked_anew"] for t in tokens(entry)}
    own = [i for i in beside_hours(clause, words) if i.sort in ("word", "name")]
    return all(i.form in known or i.word in known_cues for i in own)


def asks_anew(new: str, old: str, words: Language) -> bool:
    """Whether a text gives a new sum to what the old one applied for ("it's £9,500 I'm asking for now")."""
    return has(new, words, "asked_anew") and has(old, words, "applied")


def _once(told: Sequence[Value]) -> list[Value]:
    """The values of a correction, one that is said twice taken once ("Thursday rather, Thursday at 6")."""
    return list({(v.sort, v.unit, v.form): v for v in reversed(told)}.values())[::-1]


def _value_swaps(old: str, correction: str, words: Language) -> list[tuple[int, int, str]]:
    free, swaps = values(old, words), []
    left: list[Value] = []
    told = _once(values(correction, words))
    for new in told:
        alike = [v for v in free if alike_values(v, new)]
        rivals = sum(alike_values(v, new) for v in told)
        mate = _meant(alike, rivals, old, correction, words)
        if mate is None:
            left.append(new)
            continue
        free.remove(mate)
        swaps.append(swap(old, mate, correction, new, words))
    swaps += occasion_swaps(old, free, correction, left, words)
    return [
        *swaps,
        *_bare_swaps(old, free, left, swaps, len(told) == 1 and is_bare(correction, words)),
    ]


def _bare_swaps(
    old: str, free: Sequence[Value], left: Sequence[Value], swaps: Sequence[Swap], bare: bool
) -> list[Swap]:
    """The number of the only figure that is left replaced by the only bare one that is: "3 sessions at 50".

    Where other values were given, it is a figure of their clause: "Friday, 8" says nothing of a bike's price.
    """
    figures = [v for v in left if v.sort == "figure"]
    rest = [v for v in free if v.sort == "figure"] or [v for v in free if v.sort == "hour"]
    if len(figures) != 1 or len(rest) != 1 or figures[0].unit:
        return []
    new, gone = figures[0], rest[0]
    clause = _clause_at(old, gone.start)
    beside = any(not a.isspace() and _clause_at(old, start) == clause for start, _, a in swaps)
    taken = any(a < gone.end and gone.start < b for a, b, _ in swaps)
    if not (beside or bare) or taken or is_year(new) != is_year(gone):
        return []
    if gone.sort == "hour":
        fits = new.text.isdigit() and int(new.text) <= _LAST_HOUR
        return [(gone.start, gone.end, new.text)] if fits else []
    number = _NUMBER.search(gone.text)
    first, last = number.span() if number else (0, len(gone.text))
    return [(gone.start + first, gone.start + last, new.text)]


_NUMBER = re.compile(r"\d[\d.,]*")


#: The last hour of a day.
_LAST_HOUR = 24


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


#: A new sentence takes the place of the old one whole when it tells again this share of its words;
#: below it, closing the old one would lose what else it told. Chosen, not measured.
_COVERED = 0.6


def covers(new: str, old: str, words: Language) -> bool:
    """Whether the new sentence says by itself nearly all the old one did, values left out."""
    if change(new, words) == "correction" or points_back(new, words):
        return False
    topics = {i.form for i in read(old, words).content if i.sort in ("word", "name")}
    told = {i.form for i in read(new, words).content}
    return bool(topics) and len(topics & told) / len(topics) >= _COVERED


def richer(new: str, old: str, words: Language) -> bool:
    """Whether the newer wording is another one and says at least as much."""
    mine, theirs = read(new, words), read(old, words)
    if [i.word for i in mine.items] == [i.word for i in theirs.items]:
        return False
    return len(mine.content) >= len(theirs.content)
