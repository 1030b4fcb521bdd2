"""Cuts a message into what is told and what is played: "*I hand Maren the book.*" is a stage direction.

What is played happens in the story and what is told in life, so that no memory may hold both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from souvenance.lang import Language, tokens
from souvenance.write.words.decisive import read
from souvenance.write.words.sentences import Sentence, plain, sentences

#: A stretch between two asterisks, with no blank just inside them.
_STARRED = re.compile(r"(?<![*\w])\*(?=[^\s*])([^*\n]{2,600}?)(?<=[^\s*])\*(?![*\w])")

#: A starred stretch of at least this many words is an action wherever it stands; a shorter one inside a
#: sentence is said with stress ("I *really* mean it"). Chosen, not measured.
_ACTION = 4

#: A stage direction with fewer pieces of content tells nothing of the story. Chosen, not measured.
_LEAST = 3


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a message: told, or played between asterisks."""

    start: int
    end: int
    played: bool


def stretches(text: str) -> list[Stretch]:
    """The parts of a message in order; together they are all of it."""
    found: list[Stretch] = []
    last = 0
    for match in _STARRED.finditer(text):
        if not _is_action(text, match):
            continue
        if match.start() > last:
            found.append(Stretch(last, match.start(), played=False))
        found.append(Stretch(match.start(), match.end(), played=True))
        last = match.end()
    if last < len(text):
        found.append(Stretch(last, len(text), played=False))
    return found


def _is_action(text: str, match: re.Match[str]) -> bool:
    before = text[: match.start()].rstrip()
    opens = not before or before[-1] in ".!?…:*\n" or text[match.start() - 1] == "\n"
    return opens or len(tokens(match.group(1))) >= _ACTION


def told(text: str, stretch: Stretch, words: Language) -> list[Sentence]:
    """The sentences of a stretch, with their place in the whole message; one when it is played."""
    piece = text[stretch.start : stretch.end]
    if stretch.played:
        return [Sentence(piece, plain(piece, words), stretch.start, stretch.end)]
    return [
        replace(s, start=s.start + stretch.start, end=s.end + stretch.start)
        for s in sentences(piece, words)
    ]


def is_played(quote: str, text: str, message: str, words: Language) -> bool:
    """Whether what a text says by quoting a message is played there: none of the quote is told beside the play,
    or the text rests on a word that only the played part of the quote holds."""
    parts = stretches(message)
    played = " ".join(message[p.start : p.end] for p in parts if p.played)
    aside = " ".join(message[p.start : p.end] for p in parts if not p.played)
    if not played or not tokens(quote) or holds(aside, quote):
        return False
    if holds(played, quote):
        return True
    quoted = {i.form for i in read(quote, words).content}
    acted = quoted & {i.form for i in read(played, words).content}
    acted -= {i.form for i in read(aside, words).content}
    return bool(acted & {i.form for i in read(text, words).content})


def holds(text: str, quote: str) -> bool:
    """Whether the words of a quote stand one after another in a text."""
    said, looked_for = (f" {' '.join(t.word for t in tokens(t))} " for t in (text, quote))
    return looked_for in said


def is_deed(narration: str, words: Language) -> bool:
    """Whether a stage direction does something that the story may remember; a smile or a nod does not."""
    verbs = [t.word for t in tokens(narration) if t.word not in _LEADS]
    gesture = bool(verbs) and verbs[0] in words.words["gestures"]
    return not gesture and len(read(narration, words).content) >= _LEAST


#: Subjects of a stage direction, left out before its verb is read. Source: French and English grammar.
_LEADS = frozenset(
    {"je", "j", "i", "me", "m", "se", "s", "il", "elle", "he", "she", "then", "puis", "et", "and"}
)
