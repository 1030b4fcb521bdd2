"""What may be kept of messages that follow each other: identifiers said over several of them, and their echoes.

The person's messages are joined with each other, then with the character's; whatever repeats digits that were taken
out ("so it starts with 4539?") loses them too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from souvenance.domain import Redacted, Role
from souvenance.pieces import Piece, places
from souvenance.write.filters.identifiers import Found, redact, replaced
from souvenance.write.filters.identifiers.reading import Reading
from souvenance.write.filters.identifiers.split import Joined, may_go_on, redact_after
from souvenance.write.filters.identifiers.view import view_of

#: Digits in a row that repeat a part of a number that was taken out. Chosen, not measured: the last group of a card;
#: three would take out hours and ages that happen to be in it.
_ECHO = 4

#: Digits said before that are a part of a number said whole afterwards. Chosen, not measured: a year is in one by chance.
_PART = 6

#: Digits of a number whose parts may be repeated. Chosen, not measured: the shortest telephone numbers.
_LONG = 7

#: Letters of a piece of an address that is looked for elsewhere. Chosen, not measured: less is a word.
_NAMED = 4

#: Messages that are looked at around one, replies and words of waiting among them. Chosen, not measured: a number in
#: four pieces, each answered, with as much in between.
WINDOW = 12

_RUN = re.compile(r"\d(?:[ .\-/]{0,2}\d)*")


@dataclass(frozen=True, slots=True)
class Clean:
    """One message as it may be kept, the kinds of what was taken out, and the pieces taken out on account of another
    message."""

    text: Redacted
    types: tuple[str, ...] = ()
    pieces: tuple[Piece, ...] = ()


@dataclass(slots=True)
class _Talk:
    """Messages as they are cleaned one after the other; the first `stored` are redacted each already."""

    roles: list[Role]
    texts: list[str]
    stored: int
    clean: list[Clean] = field(default_factory=list)
    #: The numbers taken out so far: where, their digits, their kind.
    numbers: list[tuple[int, str, str]] = field(default_factory=list)


def clean_talk(said: Sequence[tuple[Role, str]], stored: int = 0) -> list[Clean]:
    """What may be kept of each message, in order; the first `stored` were redacted before, each by itself.

    Errors: `FilterBroken`, as `redact`.
    """
    talk = _Talk([role for role, _ in said], [text for _, text in said], stored)
    for at, text in enumerate(talk.texts):
        if at < stored:
            talk.clean.append(Clean(Redacted(text)))
        else:
            _add(talk, at)
    return talk.clean


def _add(talk: _Talk, at: int) -> None:
    """Cleans the message at this place, and those before it that it throws a light on."""
    text = talk.texts[at]
    joined, chain = _joined(talk, at)
    found = joined.here.found
    talk.clean.append(Clean(joined.here.text, tuple(f.type for f in found)))
    whole = {_digits(text[f.start : f.end]): f.type for f in found}
    if chain:
        whole |= _take_out(talk, at, joined, chain)
    secrets = {digits: type_ for digits, type_ in whole.items() if len(digits) >= _LONG}
    if chain:
        _silence(talk, at, secrets, chain[0])
    elif secrets:
        _recall(talk, at, secrets)
    before = {digits: type_ for i, digits, type_ in talk.numbers if i > at - WINDOW}
    if before:
        _without_echo(talk, at, before, (), short=False)
    talk.numbers += [(at, digits, type_) for digits, type_ in secrets.items()]


def _joined(talk: _Talk, at: int) -> tuple[Joined, list[int]]:
    """The message read after those before it, and the places of those that change."""
    text = talk.texts[at]
    alone = Joined(redact(text), ())
    if not may_go_on(text):
        return alone, []
    for chosen in _contexts(talk, at):
        joined = redact_after([talk.clean[i].text for i in chosen], text)
        chain = [i for i, r in zip(chosen, joined.earlier, strict=True) if r is not None]
        changed = [r for r in joined.earlier if r is not None]
        if changed or joined.here.found != alone.here.found:
            return Joined(joined.here, tuple(changed)), chain
    return alone, []


def _contexts(talk: _Talk, at: int) -> Iterator[list[int]]:
    """What may stand before a message: the person's words alone, then the character's among them."""
    every = [i for i in range(max(0, at - WINDOW), at) if not _only_repeats(talk, i)]
    own = [i for i in every if talk.roles[i] == "user"]
    if own and not _only_repeats(talk, at):
        yield own
    if talk.roles[at] == "user" and len(own) < len(every):
        yield every


def _only_repeats(talk: _Talk, at: int) -> bool:
    """Whether the character says back the figures that the person said: they go on with nothing."""
    if talk.roles[at] == "user":
        return False
    digits = _digits(talk.texts[at])
    own = (i for i in range(max(0, at - WINDOW), at) if talk.roles[i] == "user")
    return digits != "" and digits in "".join(_digits(talk.texts[i]) for i in own)


def _take_out(talk: _Talk, at: int, joined: Joined, chain: Sequence[int]) -> dict[str, str]:
    """Takes the pieces out of the earlier messages; the digits of the whole number with its kind."""
    digits = ""
    type_ = ""
    for i, change in zip(chain, joined.earlier, strict=True):
        assert change is not None
        was = talk.clean[i]
        pieces = tuple(_piece(was.text, f) for f in change.found)
        types = tuple(f.type for f in change.found)
        talk.clean[i] = Clean(change.text, (*was.types, *types), (*was.pieces, *pieces))
        digits += "".join(_digits(p.text) for p in pieces)
        type_ = types[-1]
    mine = [f for f in joined.here.found if f.type == type_][:1]
    here = [_piece(talk.texts[at], f) for f in mine]
    talk.clean[at] = replace(talk.clean[at], pieces=tuple(here))
    return {digits + "".join(_digits(p.text) for p in here): type_}


def _piece(text: str, found: Found) -> Piece:
    return Piece(text[found.start : found.end], f"[{found.type}]")


def _digits(text: str) -> str:
    """The digits of a text, typed or said."""
    return "".join(c for c in Reading(view_of(text)).digits.text if c.isdigit())


# --- echoes ---------------------------------------------------------------------------------------


def _silence(talk: _Talk, at: int, secrets: dict[str, str], first: int) -> None:
    """Takes what repeats a piece out of the messages before this one; a short piece only out of the character's
    messages since the first."""
    pieces = [p for i in range(first, at + 1) for p in talk.clean[i].pieces]
    for i in range(max(0, at - WINDOW), at):
        short = talk.roles[i] == "character" and i >= first
        _without_echo(talk, i, secrets, pieces, short=short)


def _recall(talk: _Talk, at: int, secrets: dict[str, str]) -> None:
    """Takes the large parts of a number that was whole in this message out of those before it."""
    for i in range(max(0, at - WINDOW), at):
        _without_echo(talk, i, secrets, (), short=False, least=_PART)


def _without_echo(
    talk: _Talk,
    i: int,
    secrets: dict[str, str],
    pieces: Sequence[Piece],
    *,
    short: bool,
    least: int = _ECHO,
) -> None:
    was = talk.clean[i]
    founds = _repeated(was.text, secrets, least)
    for piece in pieces:
        letters = sum(c.isalpha() for c in piece.text)
        if short or len(_digits(piece.text)) >= _ECHO or letters >= _NAMED:
            founds += [Found(*span, piece.mark[1:-1]) for span in places(was.text, piece)]
    apart = _apart(founds)
    if apart:
        gone = tuple(_piece(was.text, f) for f in apart)
        types = tuple(f.type for f in apart)
        text = replaced(was.text, apart).text
        talk.clean[i] = Clean(text, (*was.types, *types), (*was.pieces, *gone))


def _repeated(text: str, secrets: dict[str, str], least: int) -> list[Found]:
    """The runs of at least so many digits of a text that are a part of one of these numbers."""
    view = Reading(view_of(text)).digits
    found: list[Found] = []
    for run in _RUN.finditer(view.text):
        digits = "".join(c for c in run.group() if c.isdigit())
        kinds = [t for whole, t in secrets.items() if len(digits) >= least and digits in whole]
        if kinds:
            start, end = view.starts[run.start()], view.ends[run.end() - 1]
            found.append(Found(start, end, kinds[0]))
    return _apart(found)


def _apart(found: Sequence[Found]) -> list[Found]:
    """The finds in order, those that overlap an earlier one left out."""
    out: list[Found] = []
    for one in sorted(found, key=lambda f: (f.start, -f.end)):
        if not out or one.start >= out[-1].end:
            out.append(one)
    return out
