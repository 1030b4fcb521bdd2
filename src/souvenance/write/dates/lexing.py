"""Cuts a text into the words and stops that the forms of dates are matched on, with what surrounds each.

A hyphen or an apostrophe joins words; a comma, a dash or a full stop is a word of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from souvenance.lang import fold, tokens

_HARD = re.compile(r"[.;:!?()\[\]…\n]")
_SOFT = re.compile(r",| [-–—] |—")
_QUOTED = re.compile(
    r'"[^"\n]{0,400}"|«[^»\n]{0,400}»|“[^”\n]{0,400}”|(?<!\w)‘[^’\n]{0,400}’(?!\w)'
)
_TICKED = re.compile(r"(?<!\w)'(?=\w)[^'\n]{1,80}(?<=[\w!?.])'(?!\w)")


@dataclass(frozen=True, slots=True)
class Word:
    """A word, a figure or a stop ("," or "."): as folded, as written, and where it stands."""

    word: str
    raw: str
    start: int
    end: int
    gap: str = " "  # what stands before it: "" when glued, "-", "'", "/" or " "
    opens: bool = False  # the first of its sentence
    quoted: bool = False

    @property
    def stops(self) -> bool:
        """Whether it is a stop and not a word."""
        return self.word in (",", ".", "-")

    @property
    def capital(self) -> bool:
        """Whether it is written with a capital."""
        return self.raw[:1].isupper()


def lex(text: str, short: frozenset[str]) -> tuple[Word, ...]:
    """The words and stops of a text, in order. The full stop of a `short` form ("oct.") is none."""
    found: list[Word] = []
    last, opens = 0, True
    quotes = [m.span() for m in (*_QUOTED.finditer(text), *_TICKED.finditer(text))]
    for token in tokens(text):
        between = text[last : token.start]
        gap = fold(between) if found else " "
        if found and found[-1].word in short:
            gap = gap.removeprefix(".")
        stop = _stop(gap, found[-1] if found else None, token.raw)
        if stop and found:
            found.append(Word(stop, stop, last, token.start))
        opens = opens or stop == "."
        quoted = any(a < token.start < b for a, b in quotes)
        joint = gap.strip() or (" " if gap else "")
        found.append(Word(token.word, token.raw, token.start, token.end, joint, opens, quoted))
        last, opens = token.end, False
    if found and text[last:].lstrip()[:1]:
        found.append(Word(".", ".", last, len(text)))
    return tuple(found)


def _stop(gap: str, before: Word | None, after: str) -> str:
    figures = before is not None and before.raw[:1].isdigit() and after[:1].isdigit()
    if figures and gap.strip() == ":":
        return ""  # 10:30
    if _HARD.search(gap):
        return "."
    if figures and gap.strip() == "-":
        return "-"
    return "," if _SOFT.search(gap) else ""
