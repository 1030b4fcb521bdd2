"""What a candidate rests on: who said the quoted words, and the sentences they stand in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from souvenance.domain import Candidate, Exchange, MessageId, Role
from souvenance.lang import Language, Token, language, tokens
from souvenance.write.filters.borrowed import quotations, unborrowed
from souvenance.write.filters.listed import spoken
from souvenance.write.words.sentences import Sentence, sentences

_CUT = re.compile(r"\[?(?:\.{3}|…)\]?")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where the quote was found. Nothing found: `by` is None and the rest is empty.

    `passage` is the sentences of the message that the quote touches, `before` what stands in them ahead of it,
    `after` the next sentence of the message, `own` whether the candidate is the person's very words,
    `message` the one that holds it.
    """

    by: Role | None = None
    passage: str = ""
    before: str = ""
    after: str = ""
    own: bool = False
    message: MessageId | None = None


#: Characters from which words that somebody else wrote first are a repetition and no coincidence.
#: Chosen, not measured: a shorter turn is common property.
_REPEATED = 30

#: The same between quotation marks, where a title or a name is shorter. Chosen, not measured.
_CITED = 20


def find(candidate: Candidate, exchange: Exchange, words: Language) -> Evidence:
    """The evidence of a candidate; the person's messages are searched first, the latest first.

    What a person pasted, quoted back or repeated of the character's words is not evidence.
    """
    own = own_texts(exchange)
    for role in ("user", "character"):
        for message, text in reversed(list(zip(exchange.messages, own, strict=True))):
            if message.role == role:
                place = _place(candidate.quote, text)
                if place is None or _place(candidate.quote, message.text) is None:
                    continue  # never said, pasted, or joined from both sides of what was pasted
                found = _around(candidate, text, place, message.role, words)
                return replace(found, message=message.message_id)
    return Evidence()


def said_by(exchange: Exchange, role: Role) -> str:
    """Everything one of the two said themself in the exchange: nothing pasted, nothing said back."""
    pairs = zip(exchange.messages, own_texts(exchange), strict=True)
    return "\n".join(text for message, text in pairs if message.role == role)


def said_of(candidate: Candidate, evidence: Evidence) -> Candidate:
    """The candidate as said by whoever its evidence says: a reply may only repeat what the person said before it."""
    if evidence.by in (None, candidate.spoken_by) or evidence.message is None:
        return candidate
    return replace(candidate, spoken_by=evidence.by, messages=(evidence.message,))


def foreign(exchange: Exchange) -> str:
    """Everything in the exchange that the person did not say: replies, and what was pasted or said back."""
    return _foreign(tuple((m.role, str(m.text)) for m in exchange.messages))


@lru_cache(maxsize=8)
def _foreign(told: tuple[tuple[Role, str], ...]) -> str:
    found = []
    for (role, text), own in zip(told, _own_texts(told), strict=True):
        theirs = "".join(" " if a == b else a for a, b in zip(text, own, strict=True))
        found.append(theirs if role == "user" else text)
    return "\n".join(found)


def own_texts(exchange: Exchange) -> tuple[str, ...]:
    """What whoever sent each message says in it, the rest blanked out; offsets stay."""
    return _own_texts(tuple((m.role, str(m.text)) for m in exchange.messages))


@lru_cache(maxsize=8)
def _own_texts(told: tuple[tuple[Role, str], ...]) -> tuple[str, ...]:
    found: list[str] = []
    earlier: list[tuple[Role, str]] = []
    for role, text in told:
        if role == "character":
            found.append(unborrowed(text, speech=True))
            earlier.append((role, _lined(text)[1]))
        else:
            found.append(_unrepeated(unborrowed(text), earlier))
            earlier.append((role, _lined(found[-1])[1]))
    return tuple(found)


def _unrepeated(text: str, earlier: Sequence[tuple[Role, str]]) -> str:
    """The text without the other's words: short ones between quotation marks, and whole sentences said again."""
    stretches = [(span, _CITED) for span in quotations(text)]
    stretches += [((s.start, s.end), _REPEATED) for s in sentences(text, language("en"))]
    for (start, end), least in stretches:
        said = f" {' '.join(t.word for t in tokens(text[start:end]))} "
        if (
            len(said) > least
            and next((r for r, line in earlier if said in line), "") == "character"
        ):
            text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text


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
