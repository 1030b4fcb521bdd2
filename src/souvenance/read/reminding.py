"""Chooses the messages said earlier that are worth a place in a context, beside the memories; pure.

They fill what no memory tells, so that whatever a memory rests on, or the prompt holds already, is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial

from souvenance.domain import Memory, MessageId, Status, View
from souvenance.lang import language, tokens
from souvenance.ports import Vector
from souvenance.read.calibrations import Calibration
from souvenance.read.context import estimate_tokens
from souvenance.read.harmless import harmless
from souvenance.read.quotes import QUOTE_CHARS
from souvenance.read.transcripts import Talked
from souvenance.read.verbatim import Cast, Found, Line, Query, read_query, search

#: Characters up to which a neighbour stands beside its message in a context: a question or a short answer. Chosen, not
#: measured.
BESIDE_CHARS = 120

#: Time between a message and its neighbour past which they are of another talk: a session.
SESSION = timedelta(hours=4)

#: Messages looked at for each one wanted: some stand beside a better one already. Chosen, not measured.
_SPARE = 4

#: Relevance from which a message is worth its place in a context.
ENOUGH = 0.5


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many messages a turn is reminded of at most, and what it has before it anyway.

    Those are the last `recent` messages of the view's thread, as far as `recent_tokens` reach back.
    """

    messages: int
    recent: int = 0
    recent_tokens: int = 0
    cast: Cast = field(default_factory=Cast)


@dataclass(frozen=True, slots=True)
class Ask:
    """What is searched: a text, its vector when there is one, from where, and the language of the character."""

    view: View
    text: str
    vector: Vector | None
    code: str
    cast: Cast = field(default_factory=Cast)


def reminders(
    talked: Talked, ask: Ask, wanted: Wanted, memories: Iterable[Memory], calibration: Calibration
) -> tuple[Found, ...]:
    """The messages worth a place: judged relevant, not at hand, and not what a memory says already.

    What a forgotten memory rests on stays out, and what was superseded too: its words are no longer true.
    """
    gone = talked.behind(Status.FORGOTTEN, Status.SUPERSEDED)
    told = {message for memory in memories for message in memory.messages}
    skip = gone | told | at_hand(talked, ask, wanted)
    limit = _SPARE * wanted.messages
    found = search(talked.transcript, _query(ask), limit, skip=skip, calibration=calibration)
    return without_repeats([f for f in found if is_worth_telling(f)], skip, wanted.messages)


def without_repeats(
    found: Sequence[Found], hidden: Set[MessageId], limit: int
) -> tuple[Found, ...]:
    """The first of these that no better one stands beside, each with the short neighbours of its talk not shown yet.

    Of those that say the same words, the best: said a hundred times, they would take every place.
    """
    shown, kept, told = set(hidden), list[Found](), set[tuple[str, ...]]()
    for one in found:
        words = _words(one.line.text)
        if one.line.message_id in shown or words in told or len(kept) >= limit:
            continue
        shown.add(one.line.message_id)
        told.add(words)
        kept.append(_beside(one, partial(_belongs, one.line, shown)))
        shown |= {line.message_id for line in (*kept[-1].before, *kept[-1].after)}
    return tuple(kept)


def _words(text: str) -> tuple[str, ...]:
    """The words of what a quote shows of a text, folded; the text itself where it has none."""
    return tuple(token.word for token in tokens(text[:QUOTE_CHARS])) or (text[:QUOTE_CHARS],)


def searched(talked: Talked, ask: Ask, limit: int, calibration: Calibration) -> tuple[Found, ...]:
    """The messages that a query finds, but those that a forgotten memory rests on."""
    gone = talked.behind(Status.FORGOTTEN)
    found = search(talked.transcript, _query(ask), limit, skip=gone, calibration=calibration)
    return tuple(
        _beside(one, lambda m: m.message_id not in gone) for one in found if _is_called(one)
    )


def at_hand(talked: Talked, ask: Ask, wanted: Wanted) -> set[MessageId]:
    """The messages that stand in the prompt already."""
    left, found = wanted.recent_tokens, set[MessageId]()
    for line in reversed(_last(talked, ask, wanted.recent)):
        left -= estimate_tokens(line.text)
        if left < 0:
            break
        found.add(line.message_id)
    return found


def is_worth_telling(found: Found) -> bool:
    """Whether a message may enter a context; by words alone, only one that holds some of the query."""
    return found.relevance >= ENOUGH and _is_called(found) and bool(harmless(found.line.text))


def _is_called(found: Found) -> bool:
    return bool(found.reasons.words) or found.reasons.meaning is not None


def _last(talked: Talked, ask: Ask, count: int) -> list[Line]:
    transcript = talked.transcript
    lines: list[Line] = []
    for line in reversed(transcript.lines):
        if len(lines) >= count:
            break
        if line.thread == ask.view.thread:
            lines.append(line)
    return lines[::-1]


def _query(ask: Ask) -> Query:
    return read_query(ask.text, language(ask.code), vector=ask.vector, cast=ask.cast)


def _belongs(of: Line, shown: Set[MessageId], line: Line) -> bool:
    short = len(line.text) <= BESIDE_CHARS and bool(harmless(line.text))
    return short and abs(line.at - of.at) <= SESSION and line.message_id not in shown


def _beside(found: Found, keep: Callable[[Line], bool]) -> Found:
    """The found line with the neighbours that may be shown."""
    before, after = tuple(filter(keep, found.before)), tuple(filter(keep, found.after))
    return replace(found, before=before, after=after)
