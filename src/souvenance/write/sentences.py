"""Cuts what somebody typed into sentences and clauses, and reads chat spelling as written language.

What is kept of a message is always a stretch of it: offsets stay those of the text as typed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from souvenance.lang import Language, language, tokens

#: The end of a sentence: a stop and a space, or a line break. "Dr. Hale" and "9.30" end nothing.
_STOP = re.compile(
    r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)(?<!\bM)[.!?…]+[\"'»”)*]*(?=\s|$)|\n+"
)

_CLAUSE = re.compile(r"(?<!\d),|,(?!\d)|[;:()–—]|\s-\s|\b(?:mais|but)\b", re.IGNORECASE)


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
    found: list[Sentence] = []
    start = 0
    for stop in [*(m.end() for m in _STOP.finditer(text)), len(text)]:
        piece = text[start:stop]
        if tokens(piece):
            lead = len(piece) - len(piece.lstrip())
            trimmed = piece.strip()
            at = start + lead
            found.append(Sentence(trimmed, plain(trimmed, words), at, at + len(trimmed)))
        start = stop
    return found


def clauses(text: str) -> list[str]:
    """The stretches of a sentence between commas and the like, empty ones left out."""
    return [c.strip() for c in _CLAUSE.split(text) if tokens(c)]


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
