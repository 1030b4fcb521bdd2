"""Finds e-mail addresses, plain and disguised ("x arobase y point fr", "x [at] y [dot] com").

Everything hangs on the at-sign or its word, looked for first; what stands around it is read within
bounds, so that a text full of signs costs no more than its length.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

from souvenance.lang import read_list
from souvenance.write.filters.identifiers.cues import cued
from souvenance.write.filters.identifiers.view import Span, View

#: Characters read on the left of an at-sign (the local part may hold 64).
_LEFT = 80

_AT = re.compile(
    r"(?P<sign> {0,2}@ {0,2})"
    r"|(?P<marked> {0,2}[(\[{<] ?(?:at|a|arobase|arobas|arobace|@) ?[)\]}>] {0,2}|[ _\-.]{1,2}arobas[e]?[ _\-.]{1,2}|[ _\-.]{1,2}at ?sign[ _\-.]{1,2})"
    r"|(?P<spoken> {1,2}(?:at|chez) {1,2})"
)
_DOT = r"(?:\.| {0,2}[(\[{<] ?(?:dot|point|pt|\.) ?[)\]}>] {0,2}| {1,2}(?:dot|point)(?: {1,2}|(?=$))| {1,2}\. {0,2})"
_LABEL = r"(?!(?:dot|point)\b)[^\W_](?:[\w\-]{0,61}[^\W_])?"
_DOMAIN = re.compile(rf"{_LABEL}(?:{_DOT}{_LABEL}){{1,4}}")
_TLD = re.compile(r"[^\W\d_]{2,24}$")
_SPOKEN_DOT = re.compile(r"(?:dot|point|pt)\b")

_WORD = re.compile(r"[\w+%'&]+")
#: What joins the pieces of a local part: signs, or their names.
_JOIN = re.compile(
    r"[.\-+_]{1,2}| {0,2}[(\[{<] ?(?:dot|point|tiret|dash|\.) ?[)\]}>] {0,2}"
    r"| {1,2}(?:dot|point|tiret bas|tiret|underscore|dash|hyphen|plus|\.) {1,2}"
)
_NAMES = frozenset(("dot", "point", "tiret", "bas", "underscore", "dash", "hyphen", "plus"))


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
    return spans


def _domain(text: str, at: re.Match[str]) -> re.Match[str] | None:
    """What follows the at-sign when it is a domain, cut before a full stop that ends the sentence."""
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
    return low + start


def _convincing(text: str, at: re.Match[str], local: str, domain: re.Match[str]) -> bool:
    """Whether words that merely sound like an address are one ("look at example dot com" is not)."""
    if at.lastgroup != "spoken":
        handle = at.group() == " @"  # "il est @firmin.fr": a handle, not an address
        return not handle or cued("email_cues", text, at.start())
    if not _SPOKEN_DOT.search(domain.group()):
        return False
    compound = not local.isalpha()
    return (
        compound
        or cued("email_cues", text, at.start())
        or cued("email_cues", text, domain.end(), domain.end() - domain.start())
    )
