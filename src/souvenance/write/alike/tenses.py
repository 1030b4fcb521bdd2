"""Tells whether two forms of one word speak of two times: "habitait" and "habite", "a vendu" and "vend".

Only forms that share a stem come here; words that do not are two facts already.
"""

from __future__ import annotations

from souvenance.lang import Language
from souvenance.write.words.decisive import Item, Reading


def other_time(a: Item, b: Item, one: Reading, other: Reading, words: Language) -> str:
    """Why two forms of one word speak of two times; empty when they do not."""
    changed = _bare(a.word) != _bare(b.word)
    if changed and _time(a, one, words) != _time(b, other, words):
        return f"tense: {a.word} / {b.word}"
    if not words.traits.compound_past:
        return ""
    left, right = auxiliary(a, one, words), auxiliary(b, other, words)
    if {left, right} == {"have", "at"}:
        return ""  # "à" typed without its accent
    if ("have" in (left, right)) and left != right and _may_be_participle(a, b, words, left):
        return f"tense: {a.word} / {b.word}"
    if ("be" in (left, right)) and left != right and not changed:
        finite = (b, other) if left == "be" else (a, one)
        if _is_finite(*finite, words):
            return f"tense: {a.word} / {b.word}"
    adjective = words.ends((a if left == "be" else b).word, "adjective_endings")
    if ("be" in (left, right)) and left != right and changed and not adjective:
        return f"tense: {a.word} / {b.word}"
    return ""


def _is_finite(item: Item, reading: Reading, words: Language) -> bool:
    """Whether a word without "être" is a verb in the present: "il reste", against "il est resté"."""
    at = next(n for n, i in enumerate(reading.items) if i.start == item.start)
    before = reading.items[at - 1] if at else None
    if before is not None and before.sort == "person" and before.form.startswith("s"):
        return True
    return item.word in words.words["with_be"] or (
        before is not None and not before.has_content and before.word in words.words["reflexives"]
    )


def _bare(word: str) -> str:
    """A word without the endings of number and gender."""
    for ending in ("s", "e"):
        word = word.removesuffix(ending)
    return word


def _time(item: Item, reading: Reading, words: Language) -> str:
    word = item.word
    if " " in word:
        return ""
    if words.ends(word, "conditional_endings") or words.ends(word, "loose_conditional_endings"):
        return "" if _after_that(item, reading) else "conditional"
    if words.ends(word, "future_endings"):
        return "future"
    past = words.ends(word, "past_endings") or words.ends(word, "loose_past_endings")
    return "past" if past else ""


def _after_that(item: Item, reading: Reading) -> bool:
    """Whether a conditional only depends on a past ("elle a promis qu'elle viendrait")."""
    before = [i for i in reading.items if i.start < item.start][-3:]
    return any(i.form == "que" for i in before)


def auxiliary(item: Item, reading: Reading, words: Language) -> str:
    """Which auxiliary stands before a word: "have", "be" or none."""
    at = next(n for n, i in enumerate(reading.items) if i.start == item.start)
    for before in reversed(reading.items[:at]):
        if (
            before.sort == "small"
            and before.word in words.words["have_now"]
            and before.form != "in"
        ):
            return "have"
        if before.word == "a" and before.form == "in":
            return "at"
        if before.sort == "small" and before.word in words.words["be_now"]:
            return "be"
        if before.sort != "negation" and before.word not in words.words["after_auxiliaries"]:
            return ""
    return ""


def _may_be_participle(a: Item, b: Item, words: Language, left: str) -> bool:
    """Whether the word behind "to have" may be its participle, and not a noun ("a peur")."""
    word = (a if left == "have" else b).word
    return (
        words.ends(word, "participle_endings")
        and not words.ends(word, "no_participle_endings")
        and not set(word.split()) & words.words["with_have"]
    )
