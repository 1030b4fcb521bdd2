"""Tells whether two forms of one word speak of two times: "habitait" and "habite", "a vendu" and "vend".

Only forms that share a stem come here; words that do not are two facts already.
"""

from __future__ import annotations

from souvenance.lang import Language
from souvenance.write.decisive import Item, Reading

_PAST = ("ait", "aient", "ais", "ions", "iez")
_FUTURE = ("rai", "ras", "ra", "rons", "rez", "ront")
_CONDITIONAL = ("rait", "rais", "raient", "rions", "riez")
_PARTICIPLE = (
    "e", "ee", "es", "ees", "i", "ie", "is", "ies", "it", "ite", "u", "ue", "us", "ues", "ert", "erte", "int",
)  # fmt: skip
_ADJECTIVE = (
    "ique", "iques", "able", "ables", "ible", "eux", "euse", "if", "ive", "al", "ale", "iste", "istes", "aire", "ien", "ienne",
)  # fmt: skip
_HAVE = frozenset({"a", "ai", "as", "ont", "avons", "avez"})
_BE = frozenset({"suis", "es", "est", "sont", "sommes", "etes"})
#: What may stand between an auxiliary and its participle besides negations and adverbs.
_BETWEEN = frozenset({"bien", "tres", "aussi", "trop", "tout", "alors", "deja", "plus", "encore", "donc"})  # fmt: skip


def other_time(a: Item, b: Item, one: Reading, other: Reading, words: Language) -> str:
    """Why two forms of one word speak of two times; empty when they do not."""
    if words.code != "fr":
        differs = a.word != b.word and _english(a.word) != _english(b.word)
        return f"tense: {a.word} / {b.word}" if differs else ""
    left, right = auxiliary(a, one), auxiliary(b, other)
    changed = _bare(a.word) != _bare(b.word)
    if changed and _french(a, one) != _french(b, other):
        return f"tense: {a.word} / {b.word}"
    if {left, right} == {"have", "at"}:
        return ""  # "à" typed without its accent
    if ("have" in (left, right)) and left != right and _may_be_participle(a, b, words, left):
        return f"tense: {a.word} / {b.word}"
    adjective = (a if left == "be" else b).word.endswith(_ADJECTIVE)
    if ("be" in (left, right)) and left != right and changed and not adjective:
        return f"tense: {a.word} / {b.word}"
    return ""


def _english(word: str) -> str:
    return "past" if word.endswith("ed") and " " not in word else ""


def _bare(word: str) -> str:
    """A word without the endings of number and gender."""
    for ending in ("s", "e"):
        word = word.removesuffix(ending)
    return word


def _french(item: Item, reading: Reading) -> str:
    word = item.word
    if " " in word or len(word) < 5:
        return ""
    if word.endswith(_CONDITIONAL):
        return "" if _after_that(item, reading) else "conditional"
    if word.endswith(_FUTURE):
        return "future"
    return "past" if word.endswith(_PAST) else ""


def _after_that(item: Item, reading: Reading) -> bool:
    """Whether a conditional only depends on a past ("elle a promis qu'elle viendrait")."""
    before = [i for i in reading.items if i.start < item.start][-3:]
    return any(i.form == "que" for i in before)


def auxiliary(item: Item, reading: Reading) -> str:
    """Which auxiliary stands before a word: "have", "be" or none."""
    at = next(n for n, i in enumerate(reading.items) if i.start == item.start)
    for before in reversed(reading.items[:at]):
        if before.sort == "small" and before.word in _HAVE and before.form != "in":
            return "have"
        if before.word == "a" and before.form == "in":
            return "at"
        if before.sort == "small" and before.word in _BE:
            return "be"
        if before.sort != "negation" and before.word not in _BETWEEN:
            return ""
    return ""


def _may_be_participle(a: Item, b: Item, words: Language, left: str) -> bool:
    """Whether the word behind "to have" may be its participle, and not a noun ("a peur")."""
    word = (a if left == "have" else b).word
    return (
        word.endswith(_PARTICIPLE)
        and not word.endswith("re")
        and not set(word.split()) & words.words["with_have"]
    )
