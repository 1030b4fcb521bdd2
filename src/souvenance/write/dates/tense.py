"""Tells whether a clause speaks of what was or of what will be, which decides where "on Monday" lies.

A present tells nothing; signs of both leave the day unread.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from souvenance.lang import Language
from souvenance.write.dates.lexing import Word

Tense = Literal["past", "future", "none", "both"]

#: Words looked at on each side of a date: no clause is longer, and a wall of dates stays cheap to read.
#: Chosen, not measured.
REACH = 40

#: Words that may stand between an auxiliary and its participle. Chosen, not measured.
_BETWEEN = 3

#: Words between "told" and a date that make a clause of their own ("told [the results come on] Friday").
#: Chosen, not measured.
_TOLD_CLAUSE = 3

Sign = Literal["past", "future", "would", "meant"]


def tense(said: Sequence[Word], at: int, end: int, words: Language) -> Tense:
    """The tense of the clause around `said[at:end]`; of its neighbours in the sentence when it has none."""
    first, last = _bounds(said, at, end, words)
    lists = words.words
    after = said[end].word if end < len(said) else ""
    if at > first and said[at - 1].word in lists["date_being"] and after not in lists["date_that"]:
        return "none"  # "it's Friday", whoever told it and when
    before, behind = said[first:at], said[end:last]
    if _is_told_clause(before, words):
        return "both"
    own = _signs([*before, *behind], words)
    near = [_neighbour(said, last, words, 1), _neighbour(said, first - 1, words, -1)]
    if "would" in own:
        told = "past" in own or any("past" in _signs(n, words) for n in near)
        return "future" if told and "meant" not in own else "both"
    if own:
        return "both" if "past" in own and _looks_ahead(before, words) else _tense_of(own)
    if any(w.word in lists["date_presents"] for w in (*before, *behind)):
        return "none"
    alone = all(w.word in lists["function_words"] for w in (*before, *behind))
    if not alone and first and said[first - 1].word in lists["date_that"]:
        return "none"  # what somebody said has its own time
    # A date that opens its clause belongs to what follows ("On Monday, we…"), another to what precedes.
    ordered = near if len(before) <= 1 else near[::-1]
    lent = next((signs for n in ordered if (signs := _signs(n, words))), frozenset())
    found = _tense_of(lent) if "would" not in lent else "both"
    return "both" if found == "past" and not alone else found


def _looks_ahead(before: Sequence[Word], words: Language) -> bool:
    """Whether a past verb speaks of what may be to come ("he promised to call on Sunday")."""
    ahead = words.words["date_ahead"]
    return any(w.word in ahead for w in before)


def _is_told_clause(before: Sequence[Word], words: Language) -> bool:
    """Whether a date ends what was told ("I was told the results come on Friday"), with no tense in sight."""
    lists = words.words
    told = next((n for n, w in enumerate(before) if w.word in lists["date_told"]), None)
    if told is None or len(before) - told - 1 < _TOLD_CLAUSE:
        return False
    return not _signs(before[told + 1 :], words)


def clause(said: Sequence[Word], at: int, end: int, words: Language) -> Sequence[Word]:
    """The words of the clause that holds `said[at:end]`."""
    first, last = _bounds(said, at, end, words)
    return said[first:last]


def _bounds(said: Sequence[Word], at: int, end: int, words: Language) -> tuple[int, int]:
    first, last = at, end
    while first > max(0, at - REACH) and not _breaks(said[first - 1], words):
        first -= 1
    while last < min(len(said), end + REACH) and not _breaks(said[last], words):
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
    while 0 <= at < len(said) and len(found) < REACH and not _breaks(said[at], words):
        found.append(said[at])
        at += step
    return found[::step]


def _tense_of(signs: Collection[Sign]) -> Tense:
    if "meant" in signs or {"past", "future"} <= set(signs):
        return "both"
    return "past" if "past" in signs else "future" if "future" in signs else "none"


def _signs(said: Sequence[Word], words: Language) -> frozenset[Sign]:
    read = _compound if words.traits.compound_past else _simple
    signs = (_listed(said[n].word, words) or read(said, n, words) for n in range(len(said)))
    return frozenset(s for s in signs if s and s != "-")


def _listed(word: str, words: Language) -> Sign | Literal["", "-"]:
    lists = words.words
    if word in lists["date_intended"]:
        return "meant"
    if word in lists["date_futures"]:
        return "future"
    return "-" if word in lists["date_no_tense"] else ""


def _simple(said: Sequence[Word], n: int, words: Language) -> Sign | Literal[""]:
    lists, word = words.words, said[n].word
    before = said[n - 1].word if n else ""
    earlier = said[n - 2].word if n > 1 else ""
    if word in ("would", "wouldn"):
        return "would"
    if word == "won" and n + 1 < len(said) and said[n + 1].gap == "'":
        return "future"  # "won't"
    past = word in lists["date_pasts"] or words.ends(word, "past_endings")
    past = past or word in lists["date_participles"]
    if word == "d" and said[n].gap == "'":
        following = said[n + 1 : n + 2]
        had = any(_simple([w], 0, words) or w.word in ("better", "been") for w in following)
        return "past" if had else "would"
    if word == "to" and before == "going":
        return "future"
    if before == "have" and earlier in ("will", "ll", "to", "would", "should", "could", "must"):
        return ""  # "I'll have paid"
    if word == "got" and before in ("ve", "have", "has", "s"):
        return ""  # "I've got the dentist"
    # "They sold the van", but "the van is sold on Friday".
    passive = before in lists["date_passive"] or (
        earlier in lists["date_passive"] and words.ends(before, "adverb_endings")
    )
    return "past" if past and not passive else ""


def _compound(said: Sequence[Word], n: int, words: Language) -> Sign | Literal[""]:
    word, lists = said[n].word, words.words
    if word in lists["date_pasts"]:
        return "past"
    if words.ends(word, "future_endings"):
        return "future"
    if words.ends(word, "conditional_endings"):
        return "would"
    if words.ends(word, "past_endings"):
        return "past"
    if said[n].word not in lists["date_auxiliaries"]:
        return ""
    moves = said[n].word in lists["date_passive"]
    itself = n > 0 and said[n - 1].word in lists["reflexives"]
    for after in said[n + 1 : n + 2 + _BETWEEN]:
        if _is_participle(after, words, loose=not moves):
            return "past" if not moves or itself or _moves(after, words) else ""
        if after.word not in lists["date_adverbs"]:
            return ""
    return ""


def _is_participle(word: Word, words: Language, loose: bool) -> bool:
    """Whether a word is a participle; `loose` after "avoir", where hardly another word ends so."""
    raw, lists = word.raw.lower(), words.words
    if word.word in lists["date_participles"]:
        return True
    small = word.word in lists["function_words"] or word.word in lists["weekdays"]
    if small or word.word in lists["date_no_participles"]:
        return False
    if loose and words.ends(word.word, "loose_participle_endings"):
        return True
    return raw.endswith(words.traits.accented_participles)


def _moves(word: Word, words: Language) -> bool:
    """Whether a participle tells the past after "être" ("je suis allé"), not a state ("c'est calé")."""
    return word.word.rstrip("s").removesuffix("e") in words.words["date_movers"] or (
        word.word in words.words["date_movers"]
    )
