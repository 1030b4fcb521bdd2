"""Finds the identifiers that a word announces (passport, identity card, tax, health, residence permit),
and the few whose shape needs no word (SSN, NINO, Spanish and Swiss numbers).
"""

from __future__ import annotations

import re

from souvenance.write.filters.identifiers.cues import entries, pattern
from souvenance.write.filters.identifiers.view import BARRIER, Span, View, without_harmless

#: Characters read after a word that announces a number. Chosen, not measured: about nine words.
_REACH = 60

#: Letters and digits in groups; the first group that holds a digit starts the number.
_PIECE = re.compile(r"[a-z0-9]+")
_JOINS = re.compile(r"[ .\-/_]{1,2}")

_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (type_, re.compile(rf"(?<![a-z0-9\-]){shape}(?![a-z0-9]|-[0-9])"))
    for type_, shape in (
        ("national_id", r"(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}"),  # US SSN
        ("national_id", r"[abceghj-prstw-z][abceghj-nprstw-z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[a-d]"),  # UK NINO
        ("national_id", r"756[. ][0-9]{4}[. ][0-9]{4}[. ][0-9]{2}"),  # Swiss AHV
        ("national_id", r"[0-9]{2}\.[0-9]{2}\.[0-9]{2}-[0-9]{3}\.[0-9]{2}"),  # Belgian register
        ("national_id", r"[a-z]{6}[0-9]{2}[a-ehlmprst][0-9]{2}[a-z][0-9]{3}[a-z]"),  # Italian codice fiscale
        ("national_id", r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}"),  # Brazilian CPF
    )
)  # fmt: skip
_SPANISH = re.compile(r"(?<![a-z0-9])([xyz]-?[0-9]{7}|[0-9]{8})-?([a-z])(?![a-z0-9])")


def find_shapes(view: View) -> list[Span]:
    """Identifiers told by their shape alone, in order."""
    spans = [Span(m.start(), m.end(), t) for t, p in _SHAPES for m in p.finditer(view.text)]
    spans += [
        Span(m.start(), m.end(), "national_id") for m in _SPANISH.finditer(view.text) if _dni(m)
    ]
    return _apart(spans)


def _dni(match: re.Match[str]) -> bool:
    """Whether the letter of a Spanish DNI or NIE is right."""
    body = match.group(1).replace("-", "")
    body = body.translate(str.maketrans("xyz", "012"))
    return "trwagmyfpdxbnjzsqvhlcke"[int(body) % 23] == match.group(2)


def find_announced(view: View) -> list[Span]:
    """Identifiers that a word announces, in order."""
    text = without_harmless(view.text)
    spans: list[Span] = []
    for type_ in ("passport", "national_id", "other_id"):
        last = 0
        for cue in pattern(f"{type_}_cues").finditer(text):
            if cue.end() < last:
                continue
            found = _number_after(text, cue.end(), type_)
            if found is not None:
                spans.append(found)
                last = found.end
    return _apart(spans)


def _apart(spans: list[Span]) -> list[Span]:
    """The spans in order without those that overlap an earlier one."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept


def _number_after(text: str, start: int, type_: str) -> Span | None:
    """The first thing shaped like an identifier shortly after a cue, on the same line."""
    limit = min(len(text), start + _REACH)
    for stop in (BARRIER, "\n"):
        cut = text.find(stop, start, limit)
        limit = cut if cut >= 0 else limit
    pieces = list(_PIECE.finditer(text, start, min(len(text), limit + 24)))
    at = 0
    while at < len(pieces) and pieces[at].start() < limit:
        to = _extent(text, pieces, at)
        if to > at:
            code = "".join(p.group() for p in pieces[at:to])
            if _fits(code, type_, to - at):
                return Span(pieces[at].start(), pieces[to - 1].end(), type_)
        at = max(to, at + 1)
    return None


def _extent(text: str, pieces: list[re.Match[str]], at: int) -> int:
    """The piece after the last one that belongs with piece `at`; `at` itself when it opens no number."""
    if not _may_belong(pieces[at].group(), first=True):
        return at
    to = at + 1
    while (
        to < len(pieces)
        and to - at < 16
        and _JOINS.fullmatch(text, pieces[to - 1].end(), pieces[to].start())
        and _may_belong(pieces[to].group(), first=False)
    ):
        to += 1
    while to > at and not any(c.isdigit() for c in pieces[to - 1].group()):
        if _is_key(text, pieces[to - 1]):
            break
        to -= 1  # a trailing word is no part of the number
    return to


def _is_key(text: str, piece: re.Match[str]) -> bool:
    """Whether a last letter closes the number (the suffix of a NINO); "a" may be a word, so it must end there."""
    letter = piece.group()
    return letter in ("b", "c", "d") or (
        letter == "a" and text[piece.end() : piece.end() + 1] != " "
    )


def _may_belong(piece: str, *, first: bool) -> bool:
    """A group with a digit, or one or two letters (a series or a key)."""
    if any(c.isdigit() for c in piece):
        return len(piece) <= 20
    return (
        len(piece) <= 2 if not first else len(piece) == 2 and piece not in entries("function_words")
    )


def _fits(code: str, type_: str, groups: int) -> bool:
    """Whether letters and digits of this many groups can be an identifier of that type."""
    digits = sum(c.isdigit() for c in code)
    letters = len(code) - digits
    if type_ == "passport":
        return 6 <= len(code) <= 10 and (
            digits >= 5 or (groups == 1 and letters > 0 and digits >= 2)
        )
    if type_ == "national_id" and len(code) == 9 and groups == 1 and letters and digits:
        return True  # the French card since 2021
    if type_ == "national_id":
        return 8 <= len(code) <= 18 and digits >= 6
    return 7 <= len(code) <= 18 and digits >= 5
