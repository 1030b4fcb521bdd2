"""Renders a selection as text that a model reads as data, fenced so that no memory can close it or pass for a role.

Every line can be read back: `parse(render(…))` gives the lines that went in.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from souvenance.domain import Memory
from souvenance.lang import codes
from souvenance.read.selection import Selection
from souvenance.read.wording import Wording, wording

#: What opens and closes a block. Text inside cannot hold either: its angle brackets are replaced.
OPEN = "<souvenance-memory>"
CLOSE = "</souvenance-memory>"

#: Characters of one line's text; a longer memory is cut. Chosen, not measured.
LINE_CHARS = 500
_CUT = "..."

#: Characters per token of an estimate, on the low side so that a budget is kept rather than passed.
#: Chosen, not measured; an estimate, not a count.
CHARS_PER_TOKEN = 3.5

#: Look-alikes that cannot imitate a fence, a role marker, a chat template or Markdown, nor split a line.
_HARMLESS = str.maketrans({
    "<": "‹", ">": "›", "[": "(", "]": ")", "{": "(", "}": ")", "|": "¦", "`": "'", "\\": "⧵",
})  # fmt: skip

#: Blank on screen although Unicode counts them as letters or marks: fillers, selectors, the empty Braille cell.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {
    chr(c) for c in (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
}

#: A name of a speaker at the start of a line or after a break of sense ("system: …"), as chat formats write it.
_ROLE = re.compile(
    r"\b(system|assistant|user|human|tool|developer|système|utilisateur|humain)\s*:",
    re.IGNORECASE,
)

#: Runs that open a heading, a rule or an instruction block in usual chat formats.
_RUNS = re.compile(r"([#=*~_-])\1{2,}")

#: A stage direction that opens a line ("*draws a sword*"): its asterisk is no bullet.
_PLAYED = re.compile(r"\*[^\s*#+=~-][^*]*(?<!\s)\*+(?!\w)")

_BLOCK = re.compile(
    re.escape(OPEN) + r".*?(?:" + re.escape(CLOSE) + r"|\Z)", re.DOTALL | re.IGNORECASE
)

_LINE = re.compile(r"- \[(?P<kind>\w+)(?:; (?P<notes>[^\]]*))?\] (?P<text>.*)")


@dataclass(frozen=True, slots=True)
class Line:
    """One memory as rendered: its kind and dates in the language of the context, and its text made harmless."""

    kind: str
    notes: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """The block of text, how many slots and rules it holds, and an estimate of its tokens."""

    text: str
    slots: int
    rules: int
    tokens: int


def render(
    selection: Selection,
    rules: Sequence[Memory] | None = None,
    *,
    language: str,
    budget_tokens: int | None = None,
) -> str:
    """The block for a model, in a language; empty when there is nothing to say. See `fit` for the budget."""
    return fit(selection, rules, language=language, budget_tokens=budget_tokens).text


def fit(
    selection: Selection,
    rules: Sequence[Memory] | None = None,
    *,
    language: str,
    budget_tokens: int | None = None,
) -> Rendered:
    """The block and what it holds; `rules` None: those of the selection.

    Over the budget, slots are left out from the last one on, then rules from the last one on.
    """
    words = wording(language)
    outside = [line_of(m, words) for m in (selection.rules if rules is None else rules)]
    inside = [line_of(s.memory, words, s.upcoming) for s in selection.slots]
    while True:
        text = _block(outside, inside, words)
        tokens = estimate_tokens(text)
        if budget_tokens is None or tokens <= budget_tokens or not (outside or inside):
            return Rendered(text, len(inside), len(outside), tokens)
        (inside or outside).pop()


def line_of(memory: Memory, words: Wording, upcoming: bool = False) -> Line:
    """What one memory becomes: a kind, the days it holds between, and one harmless line of text."""
    notes: list[str] = []
    if upcoming:
        notes.append(words.upcoming)
    if memory.starts is not None:
        notes.append((words.starting if upcoming else words.since).format(day=_day(memory.starts)))
    if memory.until is not None:
        notes.append(words.until.format(day=_day(memory.until)))
    return Line(words.kinds[memory.kind.value], tuple(notes), harmless(memory.text))


def harmless(text: str, limit: int = LINE_CHARS) -> str:
    """The text as one line that can neither leave its fence nor pass for a role, a heading or a template.

    Control, bidirectional, zero-width, private and unassigned characters go; brackets become look-alikes.
    Applying it twice changes nothing more.
    """
    shown = unicodedata.normalize("NFKC", _shown(text)).translate(_HARMLESS)
    quiet = _ROLE.sub(r"\1 -", _unbulleted(" ".join(_shown(shown).split())))
    quiet = _RUNS.sub(r"\1", quiet).rstrip()
    if len(quiet) <= limit:
        return quiet
    cut = quiet[: limit - len(_CUT)].rstrip() + _CUT
    return cut if _PLAYED.match(f"*{cut.lstrip('*')}") else cut.lstrip("*")


def _unbulleted(line: str) -> str:
    """The line without the bullet or heading it opens with; an asterisk that another one closes stays with it."""
    bare = line.lstrip("-#*+=~ ")
    lead = line[: len(line) - len(bare)]
    stars = lead[len(lead.rstrip("*")) :]
    return stars + bare if stars and _PLAYED.match(f"*{bare}") else bare


def parse(text: str) -> tuple[list[Line], list[Line]]:
    """The rules and the memories of a rendered block, in order; both empty when there is no block."""
    found = _BLOCK.search(text)
    groups: list[list[Line]] = [[], []]
    if found is None:
        return groups[0], groups[1]
    into = groups[1]
    rules_headings = {wording(code).rules for code in codes()}
    for raw in found.group().splitlines():
        match = _LINE.fullmatch(raw)
        if match is None:
            into = groups[0] if raw in rules_headings else groups[1]
            continue
        notes = tuple(match["notes"].split("; ")) if match["notes"] else ()
        into.append(Line(match["kind"], notes, match["text"]))
    return groups[0], groups[1]


def strip_fences(text: str) -> str:
    """The text without any memory block, even one left open, so that what was injected is never learnt again."""
    return _BLOCK.sub("", text).replace(CLOSE, "")


def estimate_tokens(text: str) -> int:
    """An estimate of how many tokens a text costs, rather above than below for French and English prose."""
    return max(len(text.split()), round(len(text) / CHARS_PER_TOKEN)) if text.strip() else 0


def _block(rules: Sequence[Line], memories: Sequence[Line], words: Wording) -> str:
    if not rules and not memories:
        return ""
    parts = [OPEN, words.preamble]
    for heading, lines in ((words.rules, rules), (words.memories, memories)):
        if lines:
            parts += [heading, *map(_written, lines)]
    return "\n".join([*parts, CLOSE])


def _written(line: Line) -> str:
    return f"- [{'; '.join((line.kind, *line.notes))}] {line.text}"


def _day(day: date) -> str:
    return day.isoformat()


def _shown(text: str) -> str:
    """The text without what nobody sees; line breaks and other blanks become spaces."""
    return "".join(_visible(c) for c in text if c not in _INVISIBLE)


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Cc", "Zl", "Zp", "Zs"):
        return " "
    return "" if category in ("Cf", "Cs", "Co", "Cn") else character
