"""Cuts a text into lines and clauses that templates can be laid on, what is not plainly said left out.

A quotation, a stage direction, a question, a hypothesis or a hedge is no statement of the person.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from souvenance.lang import Language, language, tokens
from souvenance.write.words.decisive import Item, read
from souvenance.write.words.phrases import has
from souvenance.write.words.sentences import sentences

#: Stage directions, and quotations of more than two words: nobody tells something of themself in them.
_PLAYED = re.compile(r"\*[^*]*(?:\*|$)")
_QUOTED = re.compile(r"[\"«“]\s*(?:[^\s\"»”]+\s+){2,}[^\"»”]*[\"»”]")

#: Punctuation that parts two clauses.
_PARTS = re.compile(r"[,;()\[\]–—…!?.\n]|\s-\s|/")


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a line: as written, folded, its place, and what punctuation stands before it."""

    raw: str
    word: str
    start: int
    end: int
    stop: bool = False  # a clause ends before it
    mark: str = (
        " "  # what ties it to the word before: an apostrophe, a hyphen, nothing; else a space
    )
    figure: str = ""  # what a figure that starts here amounts to, its unit included
    figure_end: int = 0
    sort: str = ""  # "figure", "day", "month" or "moment" where the comparison reads one

    @property
    def tied(self) -> bool:
        """Whether no space stands before it."""
        return self.mark != " "

    @property
    def capital(self) -> bool:
        """Whether it is written as a name is."""
        return self.raw[:1].isupper()


Words = tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence in words, and the clauses it falls into, as spans of words."""

    text: str
    words: Words
    clauses: tuple[tuple[int, int], ...]


def lines(text: str, words: Language) -> list[Line]:
    """The sentences of a text that state something, in order."""
    bare = _QUOTED.sub(_blank, _PLAYED.sub(_blank, text))
    found: list[Line] = []
    for sentence in sentences(bare, words):
        plain = sentence.plain
        spoken = _words(plain, words)
        if has(plain, words, "attribute_vetoes") or _supposes(spoken, words):
            continue
        cut = _clauses(spoken, words)
        if sentence.asks:
            last = spoken[cut[-1][0] : cut[-1][1]] if cut else ()
            if len(cut) < 2 or not any(w.word in words.words["second_person"] for w in last):
                continue
            cut = cut[:-1]
        found.append(Line(plain, spoken, cut))
    return found


def _blank(match: re.Match[str]) -> str:
    return ";" * len(match.group())


def _words(text: str, words: Language) -> Words:
    by_start = {i.start: i for i in read(text, words).items}
    found: list[Word] = []
    last = 0
    for token in tokens(text):
        gap = text[last : token.start]
        copula = found and re.search(r"[:=]", gap) and not _is_clock(found[-1].word, token.word)
        if copula:
            found.append(Word(":", ":", last, last + 1))
        stop = bool(found) and _PARTS.search(gap) is not None
        ties = bool(found) and not copula and gap in ("'", "’", "-", "‑", "", ":")
        word = Word(token.raw, token.word, token.start, token.end, stop, gap if ties else " ")
        found.append(_weighed(word, by_start))
        last = token.end
    return tuple(found)


def _weighed(word: Word, by_start: Mapping[int, Item]) -> Word:
    """The word with the figure, day or month that starts there, as the comparison reads it."""
    item = by_start.get(word.start)
    if item is None or item.sort not in ("figure", "day", "month", "moment"):
        return word
    figure = item.form if item.sort == "figure" else ""
    return replace(word, figure=figure, figure_end=item.end, sort=item.sort)


def _is_clock(before: str, after: str) -> bool:
    return before.isdigit() and after.isdigit()


def _supposes(spoken: Words, words: Language) -> bool:
    """Whether a clause of the line opens with "if" or "when": what follows holds there only."""
    starters = words.words["attribute_suppositions"]
    openers = words.words["subject_words"] | words.words["articles"] | words.words["possessives"]
    return any(
        w.word in starters and n + 1 < len(spoken) and (spoken[n + 1].word in openers)
        for n, w in enumerate(spoken)
    )


@lru_cache(maxsize=8)
def _takes_up(code: str) -> frozenset[tuple[str, ...]]:
    entries = language(code).words["attribute_copulas"]
    return frozenset(tuple(t.word for t in tokens(e)) for e in entries)


def _clauses(spoken: Words, words: Language) -> tuple[tuple[int, int], ...]:
    """Clauses end at punctuation and before a conjunction; "my budget, it's 700" is one clause."""
    joins = words.words["attribute_joins"]
    openers = words.words["subjects"] | words.words["attribute_pronouns"]
    starts = [0] if spoken else []
    for n, w in enumerate(spoken):
        following = tuple(x.word for x in spoken[n : n + 2])
        taken_up = following in _takes_up(words.code) or following[:1] in _takes_up(words.code)
        told = w.word == ":" and following[1:] and following[1] in openers
        if n and ((w.stop and not taken_up) or w.word in joins):
            starts.append(n)
        elif told:
            starts.append(n + 1)
    ends = [*starts[1:], len(spoken)]
    return tuple((a, b) for a, b in zip(starts, ends, strict=True) if a < b)
