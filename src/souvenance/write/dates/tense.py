"""Tells whether a clause speaks of what was or of what will be, which decides where "on Monday" lies.

A present tells nothing; signs of both leave the day unread.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from souvenance.lang import Language
from souvenance.write.dates.lexing import Word

Tense = Literal["past", "future", "none", "both"]

#: Letters of the shortest word whose ending is read as a tense ("dit", "red" are too short). Chosen, not measured.
_SHORTEST = 4

#: Words that may stand between an auxiliary and its participle. Chosen, not measured.
_BETWEEN = 3


def tense(said: Sequence[Word], at: int, end: int, words: Language) -> Tense:
    """The tense of the clause around `said[at:end]`; of its neighbours in the sentence when it has none."""
    first, last = _bounds(said, at, end, words)
    own = _tense_of([*said[first:at], *said[end:last]], words)
    if own != "none":
        return own
    after, before = _neighbour(said, last, words, 1), _neighbour(said, first - 1, words, -1)
    # A date that opens its clause belongs to what follows ("On Monday, we…"), another to what precedes.
    near = (after, before) if at - first <= 1 else (before, after)
    return next((_tense_of(n, words) for n in near if _tense_of(n, words) != "none"), "none")


def clause(said: Sequence[Word], at: int, end: int, words: Language) -> Sequence[Word]:
    """The words of the clause that holds `said[at:end]`."""
    first, last = _bounds(said, at, end, words)
    return said[first:last]


def _bounds(said: Sequence[Word], at: int, end: int, words: Language) -> tuple[int, int]:
    first, last = at, end
    while first > 0 and not _breaks(said[first - 1], words):
        first -= 1
    while last < len(said) and not _breaks(said[last], words):
        last += 1
    return first, last


def _breaks(word: Word, words: Language) -> bool:
    return word.word in (",", ".") or word.word in words.words["date_breaks"]


def _neighbour(said: Sequence[Word], at: int, words: Language, step: int) -> list[Word]:
    """The clause beyond a break, empty beyond a full stop."""
    while 0 <= at < len(said) and _breaks(said[at], words):
        if said[at].word == ".":
            return []
        at += step
    found: list[Word] = []
    while 0 <= at < len(said) and not _breaks(said[at], words):
        found.append(said[at])
        at += step
    return found[::step]


def _tense_of(said: Sequence[Word], words: Language) -> Tense:
    signs = {sign for n in range(len(said)) if (sign := _sign(said, n, words))}
    if "past" in signs and "future" in signs:
        return "both"
    return "past" if "past" in signs else "future" if "future" in signs else "none"


def _sign(said: Sequence[Word], n: int, words: Language) -> Literal["past", "future", ""]:
    lists, word = words.words, said[n].word
    if word in lists["date_futures"]:
        return "future"
    if word in lists["date_no_tense"]:
        return ""
    if word in lists["date_pasts"]:
        return "past"
    if words.code == "fr":
        return _french(said, n, words)
    if word == "to" and n and said[n - 1].word == "going":
        return "future"
    before = said[n - 1].word if n else ""
    passive = before in lists["date_passive"] or (
        n > 1 and said[n - 2].word in lists["date_passive"] and before.endswith("ly")
    )
    ends = word.endswith("ed") and len(word) >= _SHORTEST and not passive
    # "They sold the van", but "the van is sold on Friday".
    return "past" if ends or (word in lists["date_participles"] and not passive) else ""


def _french(said: Sequence[Word], n: int, words: Language) -> Literal["past", "future", ""]:
    raw, lists = said[n].raw.lower(), words.words
    if len(raw) > _SHORTEST and raw.endswith(("rai", "ras", "ra", "rons", "rez", "ront")):
        return "future"
    if len(raw) > _SHORTEST and raw.endswith(("rais", "rait", "raient")):
        return ""  # what would be
    if len(raw) > _SHORTEST and raw.endswith(("ais", "ait", "aient")):
        return "past"
    if said[n].word not in lists["date_auxiliaries"]:
        return ""
    moves = said[n].word in lists["date_passive"]
    itself = n > 0 and said[n - 1].word in ("s", "se", "me", "m", "t", "te", "nous", "vous")
    for after in said[n + 1 : n + 2 + _BETWEEN]:
        if _is_participle(after, words):
            return "past" if not moves or itself or _moves(after, words) else ""
        if after.word not in lists["date_adverbs"]:
            return ""
    return ""


def _is_participle(word: Word, words: Language) -> bool:
    raw = word.raw.lower()
    return word.word in words.words["date_participles"] or raw.endswith(("é", "ée", "és", "ées"))


def _moves(word: Word, words: Language) -> bool:
    """Whether a participle tells the past after "être" ("je suis allé"), not a state ("c'est calé")."""
    return word.word.rstrip("s").removesuffix("e") in words.words["date_movers"] or (
        word.word in words.words["date_movers"]
    )
