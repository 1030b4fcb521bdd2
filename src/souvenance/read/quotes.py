"""Writes messages said earlier as lines of a context: the day, who, and the words, made harmless like memories.

Every quote can be read back: `parse_quotes` of a rendered block gives those that went in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from souvenance.lang import codes
from souvenance.read.context import CLOSE, OPEN
from souvenance.read.harmless import harmless
from souvenance.read.verbatim import Found, Line
from souvenance.read.wording import Wording, wording

#: Characters of a quoted message; a longer one is cut. Chosen, not measured.
QUOTE_CHARS = 300

#: What separates the messages of one quote. No harmless text holds a vertical bar.
_THEN = " | "

_QUOTE = re.compile(r"- (?P<day>\d{4}-\d\d-\d\d)" + re.escape(_THEN) + r"(?P<said>.*)")


@dataclass(frozen=True, slots=True)
class Spoken:
    """Some words as quoted: who said them, in the language of the context, and the text made harmless."""

    who: str
    text: str


@dataclass(frozen=True, slots=True)
class Quote:
    """One found message with those around it, in the order they were said."""

    day: date
    spoken: tuple[Spoken, ...]


def quoted(found: Iterable[Found], code: str, now: datetime) -> list[str]:
    """A line for each message, in order; `now` is the person's own time, whose zone tells the day."""
    words = wording(code)
    return [written(quote_of(one, words, now)) for one in found]


def quote_of(found: Found, words: Wording, now: datetime) -> Quote:
    """The quote of one found message and its neighbours."""
    lines = (*found.before, found.line, *found.after)
    day = found.line.at.astimezone(now.tzinfo).date()
    return Quote(day, tuple(_spoken(line, words) for line in lines))


def written(quote: Quote) -> str:
    """The line of a quote."""
    said = (f"{one.who}: {one.text}" for one in quote.spoken)
    return f"- {quote.day.isoformat()}{_THEN}{_THEN.join(said)}"


def parse_quotes(text: str) -> list[Quote]:
    """The quotes of a rendered block, in order; empty when there is none."""
    headings = {wording(code).said for code in codes()}
    quotes: list[Quote] = []
    inside = False
    for line in text.split("\n"):
        inside = line in headings or (inside and line not in (OPEN, CLOSE))
        found = _QUOTE.fullmatch(line) if inside else None
        if found is not None:
            said = found["said"].split(_THEN)
            quotes.append(Quote(date.fromisoformat(found["day"]), tuple(map(_parsed, said))))
    return quotes


def _parsed(said: str) -> Spoken:
    who, _, text = said.partition(": ")
    return Spoken(who, text)


def _spoken(line: Line, words: Wording) -> Spoken:
    return Spoken(words.speakers[line.speaker], harmless(line.text, QUOTE_CHARS))
