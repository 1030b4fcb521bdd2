"""Reads a fact of an answer key as decisive tokens and content stems, and looks for it in a memory's text.

Two measurements share it: whether a memory holds a fact, and whether it says what must never be kept.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from souvenance.lang import Language, tokens
from souvenance.write.words.decisive import Item, read
from souvenance.write.words.sentences import clauses, sentences

#: Share of the other content stems that a memory must hold to keep a fact. Source: the bench's definition.
_HOLDS = 0.5

#: The same for a statement that must never be kept. Source: the bench's definition.
_SAYS = 0.8

_DECISIVE = ("figure", "day", "month", "name")


@dataclass(frozen=True, slots=True)
class Statement:
    """What a text must contain to tell a fact: figures, days, months and names; and other content stems."""

    decisive: frozenset[str]
    stems: frozenset[str]
    denied: bool


def statement(
    text: str, words: Language, spoken: Sequence[str], unneeded: Sequence[str]
) -> Statement:
    """The fact as a statement. `spoken` are texts where a name shows by its capital inside a sentence;
    names in `unneeded` are not required."""
    names = _names(words, spoken)
    skip = {t.word for name in unneeded for t in tokens(name)}
    names = _names(words, spoken)
    items = read(text, words).items
    figures = [i for i in items if i.sort in ("figure", "day", "month")]
    inside = {i.start for i in items if i.sort == "name"}
    taken = [(i.start, i.end) for i in figures]
    decisive = {mark for i in figures for mark in _marks(i)}
    stems: set[str] = set()
    for token in tokens(text):
        if any(start <= token.start < end for start, end in taken) or token.word in skip:
            continue
        if token.start in inside or (token.raw[0].isupper() and token.word in names):
            decisive.add(token.word)
        elif token.word not in words.words["function_words"]:
            stems.add(words.stem(token.word))
    return Statement(frozenset(decisive), frozenset(stems), denies(text, words))


def _names(words: Language, spoken: Sequence[str]) -> frozenset[str]:
    return frozenset(i.word for text in spoken for i in read(text, words).items if i.sort == "name")


def _marks(item: Item) -> set[str]:
    """A figure without its unit, a day or a month: marked by sort, so that "mars" is never 3."""
    if item.sort == "figure":
        figure = re.search(r"[\d.]+", item.form)
        return {figure.group() if figure else item.form}
    return {f"{item.sort} {item.form}"}


def _held(text: str, words: Language) -> frozenset[str]:
    """Everything a text could satisfy: marks, folded words and stems."""
    spoken = {t.word for t in tokens(text)}
    figures = (i for i in read(text, words).items if i.sort in ("figure", "day", "month"))
    marks = {mark for item in figures for mark in _marks(item)}
    return frozenset(marks | spoken | {words.stem(w) for w in spoken})


def holds(text: str, fact: Statement, words: Language) -> bool:
    """Whether a text holds every decisive token of a fact and at least half of its other content stems."""
    held = _held(text, words)
    return fact.decisive <= held and _share(fact, held) >= _HOLDS


def says(text: str, forbidden: Statement, words: Language) -> bool:
    """Whether one clause of a text says a forbidden statement, with the same polarity."""
    for sentence in sentences(text, words):
        for clause in clauses(sentence.text):
            held = _held(clause, words)
            told = forbidden.decisive <= held and _share(forbidden, held) >= _SAYS
            if told and denies(clause, words) == forbidden.denied:
                return True
    return False


def _share(fact: Statement, held: frozenset[str]) -> float:
    return len(fact.stems & held) / len(fact.stems) if fact.stems else 1.0


def denies(text: str, words: Language) -> bool:
    """Whether a text is turned round by a negation."""
    items = read(text, words).items
    plain = [i.word for i in items]
    gone = any(w in ("ne", "n") for w in plain) and "plus" in plain
    return gone or any(i.sort == "negation" for i in items)
