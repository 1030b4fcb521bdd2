"""Cuts what somebody typed into sentences and clauses, and reads chat spelling as written language.

What is kept of a message is always a stretch of it: offsets stay those of the text as typed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from souvenance.lang import Language, Token, language, tokens

#: The end of a sentence: a stop and a space, or a line break. "Dr. Hale" and "9.30" end nothing.
_STOP = re.compile(
    r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)(?<!\bM)[.!?…]+[\"'»”)*]*(?=\s|$)|\n+"
)

#: What any word, figure or sign holds: a stretch without it says nothing, which is told without splitting it.
_SAYS = re.compile(r"[^\W_]|[€$£¥%]")

_CLAUSE = re.compile(
    r"(?<!\d),|,(?!\d)|[;()–—]|(?<!\d):|:(?!\d)|\s-\s|\bmais\b|(?<!thing )(?<!body )(?<!\bone )(?<!\ball )\bbut\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as typed, with its place in the message; `plain` spells chat spelling out."""

    text: str
    plain: str
    start: int
    end: int

    @property
    def asks(self) -> bool:
        """Whether it ends as a question."""
        return self.text.rstrip("\"'»”)* ").endswith("?")


def sentences(text: str, words: Language) -> list[Sentence]:
    """The sentences of a message, in order, without the blanks around them."""
    return list(_cut(text, words.code))


#: Every filter asks for the sentences of the same message, so they are cut once.
@lru_cache(maxsize=16)
def _cut(text: str, code: str) -> tuple[Sentence, ...]:
    words = language(code)
    found: list[Sentence] = []
    start = 0
    for stop in [*(m.end() for m in _STOP.finditer(text)), len(text)]:
        piece = text[start:stop]
        if _SAYS.search(piece):
            lead = len(piece) - len(piece.lstrip())
            trimmed = piece.strip()
            at = start + lead
            found.append(Sentence(trimmed, plain(trimmed, words), at, at + len(trimmed)))
        start = stop
    return tuple(found)


def clauses(text: str) -> list[str]:
    """The stretches of a sentence between commas and the like, empty ones left out."""
    return [c.strip() for c in _CLAUSE.split(text) if _SAYS.search(c)]


@lru_cache(maxsize=8)
def _spoken(code: str) -> dict[str, str]:
    lines = (
        entry.split("=", 1) for entry in language(code).words.get("spoken", ()) if "=" in entry
    )
    return {short.strip(): long.strip() for short, long in lines}


def plain(text: str, words: Language) -> str:
    """The text with chat spellings written out ("chui" as "je suis"), for reading only."""
    spoken = _spoken(words.code)
    pieces: list[str] = []
    last = 0
    for token in tokens(text):
        long = spoken.get(token.word)
        if long is None or _elided(text, token.start, token.end):
            continue
        pieces += [text[last : token.start], long]
        last = token.end
    return "".join([*pieces, text[last:]])


def _elided(text: str, start: int, end: int) -> bool:
    """Whether a short word is really the elided half of another ("c'est", "I'd")."""
    return text[end : end + 1] in ("'", "’") or text[start - 1 : start] in ("'", "’")


_AGAIN = re.compile(r"(.)\1+")
_SYLLABLES = re.compile(r"(..)\1+")


@lru_cache(maxsize=8)
def _laughs(code: str) -> frozenset[str]:
    return frozenset(_squeezed(w) for w in language(code).words["laughs"])


def _squeezed(word: str) -> str:
    """A word with letters and syllables that are said again read once ("hahaha", "mdrrr")."""
    return _SYLLABLES.sub(r"\1", _AGAIN.sub(r"\1", word))


def bare_span(text: str, words: Language, names: frozenset[str] = frozenset()) -> tuple[int, int]:
    """Where a text is without the greeting (and the name greeted) that opens it and the laughs that end it.

    All of it when nothing would be left.
    """
    said = tokens(text)
    first, last = 0, len(said)
    for size in (3, 2, 1):
        opening = said[:size]
        if " ".join(t.word for t in opening) in words.words["greetings"]:
            first = size
            break
    while 0 < first < last and said[first].word in names:
        first += 1
    if first and (first >= last or not _parts(text, said[first - 1], said[first], words)):
        first = 0
    while last > first and _squeezed(said[last - 1].word) in _laughs(words.code):
        last -= 1
    if last <= first:
        return 0, len(text)
    start = said[first].start if first else 0
    end = len(text) if last == len(said) else said[last].start
    return start, start + len(text[start:end].rstrip(" ,;:-–—\t\n(*"))


def _parts(text: str, greeting: Token, following: Token, words: Language) -> bool:
    """Whether a greeting is over: punctuation, a line break, or the person speaking of themself comes next."""
    gap = text[greeting.end : following.start]
    return gap.strip() != "" or "\n" in gap or following.word in words.words["first_person"]
