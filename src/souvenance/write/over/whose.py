"""Tells whose a clause is: the person's, a relative's, somebody else's, or a thing's.

"My sister left York" ends nothing of the person's, nor "I left York" what is told of the sister.
"""

from __future__ import annotations

from collections.abc import Sequence

from souvenance.lang import Language
from souvenance.write.words.decisive import Item, read

#: The person, in the answer of `bearers`.
ME = "me"

#: What marks a thing in the answer of `bearers`.
THING = "~"

#: Words after a verb in which the person is looked for as whom it is done to ("dumped me"). Chosen, not measured.
_TO_ME = 3

#: Words before a noun in which its article is looked for ("the last train"). Chosen, not measured.
_LEAD = 2


def bearers(clause: str, at: int, words: Language) -> frozenset[str]:
    """Who does or bears what stands at a place of a clause: `ME`, the forms of people, or of a thing.

    A verb without a subject is the person's ("quit my job").
    """
    items = read(clause, words).items
    before = [i for i in items if i.end <= at]
    found = _subject(clause, before, words)
    following = [i for i in items if i.start >= at][: _TO_ME + 1]
    lists = words.words
    undergone = lists["first_person"] - lists["possessives"]
    if ME not in found and any(i.word in undergone for i in following):
        return frozenset({ME})
    return found


def _subject(clause: str, before: Sequence[Item], words: Language) -> frozenset[str]:
    lists = words.words
    own = lists["first_person"] - lists["possessives"]
    for n in range(len(before) - 1, -1, -1):
        item = before[n]
        if item.word in own:
            joined = n > 0 and before[n - 1].word in ("and", "et")
            return frozenset({ME, "and"} if joined and n > 1 else {ME})
        if item.word in lists["third_person"] - lists["pointing_subjects"] and not _is_owning(
            before, n
        ):
            return frozenset({item.word})
        if item.word in lists["circle"] or item.sort == "name":
            if item.sort == "name" and n and before[n - 1].word in lists["articles"]:
                return frozenset({THING + item.form})
            return _people(before, n, words)
        if item.word in ("nobody", "everybody", "everyone", "somebody", "someone", "personne"):
            return frozenset({item.word})
        if item.sort == "word" and _is_led(before, n, words):
            return frozenset({THING + item.form})
        if n == 0 and _is_called(clause, item, words):
            return frozenset({item.form})
    return frozenset({ME})


def _is_called(clause: str, item: Item, words: Language) -> bool:
    """Whether a word that opens a clause with a capital may be a name, and is no adverb ("Tom quit")."""
    lists = words.words
    small = lists["light"] | lists["moving_adverbs"] | lists["over_adverbs"] | lists["over_openers"]
    capital = clause[item.start : item.start + 1].isupper()
    return (
        item.sort == "word"
        and capital
        and item.word not in small
        and not words.ends(item.word, "adverb_endings")
    )


def _is_owning(before: Sequence[Item], n: int) -> bool:
    """Whether a pronoun owns what follows it ("her job")."""
    return n + 1 < len(before) and before[n + 1].has_content


def _people(before: Sequence[Item], n: int, words: Language) -> frozenset[str]:
    """The people named side by side up to a place ("my sister Ines")."""
    found = {before[n].form}
    for item in reversed(before[:n]):
        if item.word not in words.words["circle"] and item.sort != "name":
            break
        found.add(item.form)
    return frozenset(found)


def _is_led(before: Sequence[Item], n: int, words: Language) -> bool:
    """Whether a noun has its article or owner before it: without one it may be an adverb ("finally quit")."""
    lead = before[max(0, n - _LEAD) : n]
    leads = words.words["articles"] | words.words["possessives"] | words.words["their"]
    return any(i.word in leads for i in lead) and not words.ends(before[n].word, "adverb_endings")


def are_one(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether two answers are of one bearer, told with more or fewer names."""
    if ME in mine or ME in theirs:
        return mine == theirs
    return mine <= theirs or theirs <= mine


def owners_named(text: str, words: Language) -> frozenset[str]:
    """The forms of those other than the person whose thing a text tells of ("my son's exam", "l'examen de Paul")."""
    lists = words.words
    items = read(text, words).items
    found: set[str] = set()
    for n, item in enumerate(items):
        if item.word not in lists["circle"] and item.sort != "name":
            continue
        following = items[n + 1 : n + 2]
        genitive = (
            bool(following) and following[0].word == "s" and following[0].start == item.end + 1
        )
        before = [i.word for i in items[max(0, n - _LEAD) : n]]
        linked = bool(set(before) & lists["of_links"]) and not words.traits.possessive_s
        related = item.word in lists["circle"] - lists["healers"]
        owned = bool(before) and before[-1] in lists["possessives"]
        if (genitive and words.traits.possessive_s) or (linked and related and owned):
            found.add(item.form)
    return frozenset(found)
