"""What a candidate rests on: who said the quoted words, and the sentences they stand in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from souvenance.domain import Candidate, Exchange, Role
from souvenance.lang import Language, Token, language, tokens
from souvenance.write.filters.listed import spoken
from souvenance.write.sentences import Sentence, sentences

_CUT = re.compile(r"\[?(?:\.{3}|…)\]?")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where the quote was found. Nothing found: `by` is None and the rest is empty.

    `passage` is the sentences of the message that the quote touches, `before` what stands in them ahead of it,
    `after` the next sentence of the message, `own` whether the candidate is the person's very words.
    """

    by: Role | None = None
    passage: str = ""
    before: str = ""
    after: str = ""
    own: bool = False


def find(candidate: Candidate, exchange: Exchange, words: Language) -> Evidence:
    """The evidence of a candidate; the person's messages are searched first, the latest first."""
    for role in ("user", "character"):
        for message in reversed(exchange.messages):
            if message.role == role:
                place = _place(candidate.quote, message.text)
                if place is not None:
                    return _around(candidate, message.text, place, message.role, words)
    return Evidence()


def said_by(exchange: Exchange, role: Role) -> str:
    """Everything one of the two said in the exchange."""
    return "\n".join(m.text for m in exchange.messages if m.role == role)


#: One message is searched by every filter for every candidate, so it is read once.
@lru_cache(maxsize=32)
def _lined(text: str) -> tuple[tuple[Token, ...], str]:
    known = tuple(tokens(text))
    return known, " " + " ".join(t.word for t in known) + " "


@lru_cache(maxsize=32)
def _sentences(text: str, code: str) -> tuple[Sentence, ...]:
    return tuple(sentences(text, language(code)))


def _place(quote: str, text: str) -> tuple[int, int] | None:
    """Offsets in the text of the quoted words, punctuation and case aside; parts joined by "…" in order."""
    known, line = _lined(text)
    start, cursor = -1, 0
    for part in _CUT.split(quote):
        sought = " ".join(t.word for t in tokens(part))
        if not sought:
            continue
        found = line.find(f" {sought} ", cursor)
        if found < 0:
            return None
        start = found if start < 0 else start
        cursor = found + len(sought) + 1
    if start < 0:
        return None
    first, last = line.count(" ", 0, start), line.count(" ", 0, cursor) - 1
    return known[first].start, known[last].end


def _around(
    candidate: Candidate, text: str, place: tuple[int, int], role: Role, words: Language
) -> Evidence:
    told = _sentences(text, words.code)
    touched = [s for s in told if s.start < place[1] and s.end > place[0]]
    if not touched:
        return Evidence(role, text, "", "", False)
    start, end = touched[0].start, touched[-1].end
    after = next((s.text for s in told if s.start >= end), "")
    return Evidence(
        by=role,
        passage=text[start:end],
        before=text[start : place[0]],
        after=after,
        own=spoken(candidate.text) == spoken(candidate.quote),
    )
