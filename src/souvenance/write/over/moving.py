"""Tells whether an update is of the same thing as an older sentence, and whether its words can stand in its place.

A price that goes down is of the piano it names, never of the helmet told of in between.
"""

from __future__ import annotations

from collections.abc import Sequence

from souvenance.lang import Language
from souvenance.write.over.corrections import is_bare, points_back, reasons_apart
from souvenance.write.over.occasions import alike_values, is_year
from souvenance.write.words.clipping import are_one_word
from souvenance.write.words.decisive import Item, read
from souvenance.write.words.phrases import has
from souvenance.write.words.sentences import clauses, sentences
from souvenance.write.words.values import Value, all_values, beside_hours, cue_words, values

#: Units of money.
_MONEY = frozenset("€$£")

#: Sorts of values that say when.
_TIMES = ("day", "date", "moment", "ordinal")


def shares_topic(new: str, old: str, words: Language) -> bool:
    """Whether two sentences name a thing in common, cue words, amounts and units left out."""
    mine, theirs = topics(new, words), topics(old, words)
    return bool(mine & theirs) or any(are_one_word(a, b, words) for a in mine for b in theirs)


def topics(text: str, words: Language) -> frozenset[str]:
    """The forms of the words and names of a text that can be what it is about."""
    units = {v.unit for v in values(text, words)}
    return frozenset(i.form for i in beside_hours(text, words) if _is_topic(i, units, words))


def _is_topic(item: Item, units: set[str], words: Language) -> bool:
    if item.sort not in ("word", "name") or item.form in units:
        return False
    return item.word not in cue_words(words) and item.word not in words.words["time_nouns"]


def moves(old: str, new: str, words: Language) -> bool:
    """Whether a text gives, in a part that says it is new, another value of a sort that the old one has once."""
    known = values(old, words)
    for part in _parts(new, words):
        if not has(part, words, "update_cues"):
            continue
        for told in values(part, words):
            rivals = [k for k in known if _alike(k, told)]
            if len(rivals) == 1 and rivals[0].form != told.form:
                return True
    return _denies_one(old, new, words)


def _parts(text: str, words: Language) -> list[str]:
    """A text whole, reasons cut off: "I dropped it to £3,600 because nobody bites"."""
    return [" , ".join(reasons_apart(text, words))]


def _alike(a: Value, b: Value) -> bool:
    bare = b.sort == "figure" and not b.unit and not is_year(b)  # "capped at 450" beside "600 quid"
    if bare and a.sort == "figure" and a.unit and a.unit in _MONEY:
        return True
    return alike_values(a, b) or (a.sort in _TIMES and a.sort == b.sort)


def _denies_one(old: str, new: str, words: Language) -> bool:
    """Whether a text says that a value of the old one no longer holds ("Fridays instead of Tuesdays")."""
    known = {(v.sort, v.form) for v in values(old, words)}
    told = all_values(new, words)
    gone = {(v.sort, v.form) for v, denied in told if denied} | _replaced(new, words)
    kept = {(v.sort, v.form) for v, denied in told if not denied} - gone
    return bool(known & gone) and any(
        sort == other for sort, _ in known & gone for other, _ in kept
    )


def _replaced(text: str, words: Language) -> set[tuple[str, str]]:
    """The values that a text says another takes the place of: after "instead of", "au lieu de"."""
    items = read(text, words).items
    found: set[tuple[str, str]] = set()
    for value in values(text, words):
        before = [i for i in items if i.end <= value.start][-_BEFORE:]
        if _ends_on(before, text[: value.start], words):
            found.add((value.sort, value.form))
    return found


#: Words before a value in which "instead of" is looked for. Chosen, not measured.
_BEFORE = 4


def _ends_on(before: Sequence[Item], text: str, words: Language) -> bool:
    return bool(before) and has(text[before[0].start :], words, "in_place_of")


def stands_alone(new: str, old: str, words: Language) -> bool:
    """Whether the newer sentence says by itself of what its value is: it names the same thing.

    "It's June now" beside a trip named elsewhere does not, and what else the older sentence told is kept in it.
    """
    if continues_rate(new, old, words):
        return True
    if is_bare(new, words) or not shares_topic(new, old, words):
        return False
    if not has(new, words, "update_cues") or _tells_more(old, new, words):
        return False
    names = {i.form for i in read(old, words).content if i.sort == "name"}
    lost = names - {i.form for i in read(new, words).content}
    return not (points_back(new, words) and lost)


def _tells_more(old: str, new: str, words: Language) -> bool:
    """Whether the older sentence tells something of the person in a clause of its own, beside the value."""
    mine = topics(new, words)
    told = values(new, words)
    alike = [v.text for v in values(old, words) if any(_alike(v, t) for t in told)]
    for clause in (c for s in sentences(old, words) for c in clauses(s.plain)):
        spoken = {i.word for i in read(clause, words).items}
        moved = len(alike) == 1 and alike[0] in clause  # the clause of the value that is replaced
        aside = not moved and not (topics(clause, words) & mine)
        own = bool(spoken & words.words["subjects"])
        framed = has(clause, words, "frames")  # "I have vertigo" is told in one word
        if aside and own and len(topics(clause, words)) >= _TOLD - framed:
            return True
    return False


#: A clause of the person with this many topics tells something. Chosen, not measured.
_TOLD = 2


def continues_rate(new: str, old: str, words: Language) -> bool:
    """Whether a text moves a rate without saying of what ("back up to 30 hours a week") that the old one gives."""
    for clause in clauses(new):
        if topics(clause, words) or not has(clause, words, "update_cues"):
            continue
        for told in (v for v in values(clause, words) if v.rate):
            if any((k.unit, k.rate) == (told.unit, told.rate) for k in values(old, words)):
                return True
    return False
