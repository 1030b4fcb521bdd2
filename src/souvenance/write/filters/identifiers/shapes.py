"""Finds the identifiers whose shape needs no word: SSN, NINO, DVLA licences, and numbers of other countries."""

from __future__ import annotations

import re

from souvenance.write.filters.identifiers.cues import cued, entries
from souvenance.write.filters.identifiers.view import Span, View

#: What may stand between two characters of a number that is dictated one by one.
_GAP = r"[ .\-/_,]{0,2}"

_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (type_, re.compile(rf"(?<![a-z0-9\-]){shape}(?![a-z0-9]|-[0-9])"))
    for type_, shape in (
        ("national_id", r"(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}"),  # US SSN
        ("national_id", r"756[. ][0-9]{4}[. ][0-9]{4}[. ][0-9]{2}"),  # Swiss AHV
        ("national_id", r"[0-9]{2}\.[0-9]{2}\.[0-9]{2}-[0-9]{3}\.[0-9]{2}"),  # Belgian register
        ("national_id", r"[a-z]{6}[0-9]{2}[a-ehlmprst][0-9]{2}[a-z][0-9]{3}[a-z]"),  # Italian codice fiscale
        ("national_id", r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}"),  # Brazilian CPF
        # UK driving licence: name, decade, month (50 more for women), day, year, initials.
        ("other_id", r"[a-z9]{5}[0-9](?:[05][1-9]|[16][0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9][a-z9]{2}[a-z0-9]{3}(?: ?[0-9]{2})?"),
    )
)  # fmt: skip
#: Characters before a shape in which a word says that it is a thing's. Chosen, not measured.
_REACH = 16

#: Words for "number" that letters and digits may follow.
NUMBER_WORDS = frozenset(("no", "nr", "num", "nos", "pp", "ref"))

_SPANISH = re.compile(r"(?<![a-z0-9])([xyz]-?[0-9]{7}|[0-9]{8})-?([a-z])(?![a-z0-9])")

#: A UK national insurance number, glued, grouped or one by one. The letters are those in use.
_NINO = re.compile(
    rf"(?<![a-z0-9])(?P<letters>[abceghj-prstw-z]{_GAP}[abceghj-nprstw-z])"
    rf"(?P<digits>(?:{_GAP}[0-9o]){{6}})(?P<gap>{_GAP})[abcd](?![a-z0-9'])"
)

_ONE_BY_ONE = re.compile(r"(?:[a-z0-9][ .\-/_,]{1,2})+[a-z]")


def find_shapes(view: View) -> list[Span]:
    """Identifiers told by their shape alone, in order."""
    spans = [Span(m.start(), m.end(), t) for t, p in _SHAPES for m in p.finditer(view.text)]
    spans += [
        Span(m.start(), m.end(), "national_id") for m in _SPANISH.finditer(view.text) if _dni(m)
    ]
    spans += [
        Span(m.start(), m.end(), "national_id")
        for m in _NINO.finditer(view.text)
        if _is_nino(view.text, m)
    ]
    return apart([s for s in spans if not cued("harmless_number_cues", view.text, s.start, _REACH)])


def _dni(match: re.Match[str]) -> bool:
    """Whether the letter of a Spanish DNI or NIE is right."""
    body = match.group(1).replace("-", "")
    body = body.translate(str.maketrans("xyz", "012"))
    return "trwagmyfpdxbnjzsqvhlcke"[int(body) % 23] == match.group(2)


def _is_nino(text: str, match: re.Match[str]) -> bool:
    """Whether no word explains the letters ("le 36 38 40 à 44" is a list of sizes)."""
    letters = match.group("letters")
    if len(letters) > 2 and not _ONE_BY_ONE.fullmatch(match.group()):
        return False
    glued = len(letters) == 2 and " " not in match.group()
    if glued or cued("national_id_cues", text, match.start()):
        return True
    ends_on_word = match.group().endswith(" a")
    words = entries("function_words") | NUMBER_WORDS
    return len(letters) == 2 and letters not in words and not ends_on_word


def apart(spans: list[Span]) -> list[Span]:
    """The spans in order without those that overlap an earlier one."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept
