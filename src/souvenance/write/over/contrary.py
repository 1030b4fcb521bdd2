"""Tells that a newer sentence may say the contrary of an older one: another count of the same things, a taste turned round.

It is never sure, so that it only ever leaves the pair to the person: "two cats" and "three cats" may be two houses.
"""

from __future__ import annotations

from souvenance.lang import Language
from souvenance.write.words.decisive import read
from souvenance.write.words.values import values


def may_contradict(new: str, old: str, words: Language) -> bool:
    """Whether both count the same things otherwise, or tell of one thing a like and a dislike."""
    return _counts_otherwise(new, old, words) or _turns_taste(new, old, words)


def _counts_otherwise(new: str, old: str, words: Language) -> bool:
    mine = {(v.unit, v.form) for v in values(new, words) if v.sort == "figure" and v.unit}
    theirs = {(v.unit, v.form) for v in values(old, words) if v.sort == "figure" and v.unit}
    units = {unit for unit, _ in mine} & {unit for unit, _ in theirs}
    return bool(units) and not mine & theirs and _subjects(new, words) == _subjects(old, words)


def _subjects(text: str, words: Language) -> set[str]:
    return {i.form for i in read(text, words).items if i.sort == "person"}


def _turns_taste(new: str, old: str, words: Language) -> bool:
    mine, theirs = _taste(new, words), _taste(old, words)
    return mine is not None and theirs is not None and mine[0] != theirs[0] and mine[1] == theirs[1]


def _taste(text: str, words: Language) -> tuple[bool, frozenset[str]] | None:
    """Whether the text likes, and what; None when it tells no taste, or of several things."""
    likes, dislikes = _plain(words, "likings"), words.words["aversions"]
    items = read(text, words).items
    verbs = [i for i in items if i.word in likes or i.word in dislikes]
    if len(verbs) != 1:
        return None
    denied = any(i.sort == "negation" for i in items)
    skip = {i.form for i in verbs} | {i.form for i in items if i.word in words.words["light"]}
    cues = {
        w
        for name in ("update_cues", "correction_cues")
        for e in words.words[name]
        for w in words.stems(e)
    }
    about = {i.form for i in items if i.sort in ("word", "name")} - skip - cues
    return (verbs[0].word in likes) != denied, frozenset(about)


def _plain(words: Language, name: str) -> frozenset[str]:
    """The entries of a list that are not marked with a "-"."""
    return frozenset(e for e in words.words[name] if not e.startswith("-"))
