"""Finds e-mail addresses, plain and disguised ("x arobase y point fr", "x [at] y [dot] com").

Everything hangs on the at-sign or its word, looked for first; what stands around it is read within
bounds, so that a text full of signs costs no more than its length.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

from souvenance.lang import read_list
from souvenance.write.filters.identifiers.cues import cued, entries, told_after
from souvenance.write.filters.identifiers.shapes import apart
from souvenance.write.filters.identifiers.view import Span, View

#: Characters read on the left of an at-sign (the local part may hold 64).
_LEFT = 80

#: Signs that people put around a word for a sign: "-at-", "/ arobase /".
_EDGE = r"(?: {0,2}[_\-/|*~.]{1,2} {0,2})"
_AT = re.compile(
    r"(?P<sign> {0,2}@ {0,2})"
    r"|(?P<marked> {0,2}[(\[{<] ?(?:at|a|chez|arobase|arobas|arobace|@) ?[)\]}>] {0,2}"
    rf"|(?:{_EDGE}| {{1,2}})(?:arobas[e]?|arobace|a commercial|at[ \-]?sign)(?:{_EDGE}| {{1,2}})"
    rf"|{_EDGE}(?:at|chez){_EDGE})"
    r"|(?P<spoken> {1,2}(?:at|chez) {1,2})"
)
_DOT = (
    r"(?:\.| {0,2}[(\[{<] ?(?:dot|point|pt|\.) ?[)\]}>] {0,2}"
    rf"|{_EDGE}(?:dot|point){_EDGE}"
    r"| {1,2}(?:dot|point)(?: {1,2}|(?=$))| {1,2}\. {0,2})"
)
_LABEL = r"(?!(?:dot|point)\b)[^\W_](?:[\w\-]{0,61}[^\W_])?"
_DOMAIN = re.compile(rf"{_LABEL}(?:{_DOT}{_LABEL}){{1,4}}")
#: A comma typed for the last point ("gmail,com").
_COMMA = re.compile(r"[^\W_][\w\-]{1,61},(?:com|fr|net|org|be|ch|eu|co\.uk)(?!\w)")
#: An address whose signs are words without spaces ("leaATgmailDOTcom").
_GLUED = re.compile(
    r"(?<![\w.\-])[\w.\-]{2,40}?(?:arobase|at)(?:gmail|hotmail|outlook|yahoo|icloud|proton|protonmail|live|aol|orange|free|laposte|wanadoo|sfr)"
    r"(?:dot|point)(?:com|fr|net|org|me|ch|be)(?!\w)"
)
_TLD = re.compile(r"[^\W\d_]{2,24}$")
_SPOKEN_DOT = re.compile(r"(?:dot|point|pt)\b")

_WORD = re.compile(r"[\w+%'&]+")
#: What joins the pieces of a local part: signs, or their names.
_JOIN = re.compile(
    r"[.\-+_]{1,2}| {0,2}[(\[{<] ?(?:dot|point|tiret|dash|\.) ?[)\]}>] {0,2}"
    r"| {1,2}(?:dot|point|tiret (?:du )?bas|tiret du (?:six|huit|6|8)|tiret|trait d'union|souligne|underscore"
    r"|under score|dash|hyphen|minus|plus|\.) {1,2}"
)
#: A word right behind: the ending was a word too ("point de vente").
_GOES_ON = re.compile(r" [a-z]")
_ALONE = re.compile(r"[a-z0-9] ")
_NAMES = frozenset(
    [
        "dot",
        "point",
        "tiret",
        "bas",
        "du",
        "six",
        "huit",
        "6",
        "8",
        "trait",
        "d'union",
        "souligne",
        "underscore",
        "dash",
        "hyphen",
        "minus",
        "plus",
    ]
)


@lru_cache(maxsize=1)
def _known_ends() -> frozenset[str]:
    """Ends of domains people say aloud; any other ending must be written with a real dot."""
    table = files("souvenance.write.filters.identifiers").joinpath("domain_ends.txt")
    return frozenset(read_list(table.read_text("utf-8")))


def find_emails(view: View) -> list[Span]:
    """Addresses in order, apart from each other."""
    spans: list[Span] = []
    last = 0
    for at in _AT.finditer(view.text):
        if at.start() < last:
            continue
        domain = _domain(view.text, at)
        if domain is None:
            continue
        local = _local(view.text, at.start(), last)
        if local is None or not _convincing(view.text, at, view.text[local : at.start()], domain):
            continue
        last = domain.end()
        spans.append(Span(local, last, "email"))
    spans += [Span(m.start(), m.end(), "email") for m in _GLUED.finditer(view.text)]
    return apart(spans)


def _domain(text: str, at: re.Match[str]) -> re.Match[str] | None:
    """What follows the at-sign when it is a domain, cut before a full stop that ends the sentence."""
    comma = _COMMA.match(text, at.end(), at.end() + 80) if at.lastgroup == "sign" else None
    if comma is not None:
        return comma
    domain = _DOMAIN.match(text, at.end(), at.end() + 254)
    if domain is None or not _TLD.search(domain.group()):
        return None
    said = " " in domain.group() or "(" in domain.group() or "[" in domain.group()
    if said and domain.group().rsplit(" ", 1)[-1].split(".")[-1] not in _known_ends():
        shorter = _DOMAIN.match(text, at.end(), at.end() + len(domain.group().split(" ", 1)[0]))
        return shorter if shorter and _TLD.search(shorter.group()) else None
    return domain


def _local(text: str, end: int, floor: int) -> int | None:
    """Where the local part that ends at `end` starts, or None when there is none."""
    low = max(floor, end - _LEFT)
    window = text[low:end]
    words = list(_WORD.finditer(window))
    if not words or words[-1].end() != len(window) or words[-1].group() in _NAMES:
        return None
    start = words[-1].start()
    for i in range(len(words) - 1, -1, -1):
        if words[i].end() > start or words[i].group() in _NAMES:
            continue
        gap = window[words[i].end() : start]
        if words[i].start() != start and not _JOIN.fullmatch(gap):
            break
        start = words[i].start()
    if words[-1].end() - start == 1:  # one by one: "l e a @ exemple . fr"
        while start >= 2 and window[start - 1] == " " and _ALONE.match(window, start - 2):
            if start >= 3 and window[start - 3].isalnum():
                break
            start -= 2
    return low + start


def _convincing(text: str, at: re.Match[str], local: str, domain: re.Match[str]) -> bool:
    """Whether words that merely sound like an address are one ("look at example dot com" is not)."""
    if at.lastgroup != "spoken":
        handle = at.group() == " @"  # "il est @firmin.fr": a handle, not an address
        return not handle or cued("email_cues", text, at.start())
    if not _SPOKEN_DOT.search(domain.group()):
        return False
    ending = domain.group().rsplit(" ", 1)[-1]
    goes_on = ending in entries("function_words") and _GOES_ON.match(text, domain.end())
    compound = not local.isalpha() and "chez" not in at.group() and not goes_on
    return (
        compound
        or cued("email_cues", text, at.start())
        or cued("email_cues", text, domain.end(), domain.end() - domain.start())
        or told_after("email_cues", text, domain.end())
    )
