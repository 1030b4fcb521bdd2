"""Renders a selection as text that a model reads as data, fenced so that no memory can close it or pass for a role.

Every line can be read back: `parse(render(…))` gives the lines that went in.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from souvenance.domain import Memory
from souvenance.lang import codes
from souvenance.read.harmless import harmless
from souvenance.read.selection import Selection, Slot
from souvenance.read.wording import Wording, wording

#: What opens and closes a block. Text inside cannot hold either: its angle brackets are replaced.
OPEN = "<souvenance-memory>"
CLOSE = "</souvenance-memory>"

#: Characters per token of an estimate, on the low side so that a budget is kept rather than passed.
#: Chosen, not measured; an estimate, not a count.
CHARS_PER_TOKEN = 3.5

_BLOCK = re.compile(rf"{OPEN}.*?(?:{CLOSE}(?:\n(?={OPEN}))?|\Z)", re.DOTALL | re.IGNORECASE)

_LINE = re.compile(r"- \[(?P<kind>\w+)(?:; (?P<notes>[^\]]*))?\] (?P<text>.*)")


@dataclass(frozen=True, slots=True)
class Line:
    """One memory as rendered: its kind and dates in the language of the context, and its text made harmless."""

    kind: str
    notes: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """What is remembered as text: two fenced blocks apart, for the one changes rarely and the other at each turn.

    `standing` holds the rules, `moving` the slots; either may be empty. `slots` and `rules` say how many they hold,
    `slots_left_out` and `rules_left_out` how many the budget kept out; `quotes` of messages stand behind the slots.
    """

    standing: str
    moving: str
    slots: int
    rules: int
    slots_left_out: int
    rules_left_out: int
    quotes: int = 0

    @property
    def text(self) -> str:
        """Both blocks, what changes least first."""
        return "\n".join(filter(None, (self.standing, self.moving)))

    @property
    def tokens(self) -> int:
        """An estimate of what both cost."""
        return estimate_tokens(self.text)


def render(
    selection: Selection,
    rules: Sequence[Memory] | None = None,
    *,
    language: str,
    budget_tokens: int | None = None,
    said: Sequence[str] = (),
) -> str:
    """The blocks for a model, in a language; empty when there is nothing to say. See `fit` for the budget."""
    return fit(selection, rules, language=language, budget_tokens=budget_tokens, said=said).text


def fit(
    selection: Selection,
    rules: Sequence[Memory] | None = None,
    *,
    language: str,
    budget_tokens: int | None = None,
    said: Sequence[str] = (),
) -> Rendered:
    """The blocks and what they hold; `rules` None: those of the selection; `said`: lines as `quotes` writes them.

    Over the budget, quotes are left out first, then slots are left out from the last one chosen on, then rules from the last one on.
    Order: both by birth, so that what is served twice reads in the same order. It costs no cache: the block stands
    at the end of the prompt, where the turn before had other words (2026-11-30, `bench/prompt_prefix.py`: no order
    of five keeps more).
    How many are left out is found by halves: ten thousand rules would take hours one by one.
    """
    words = wording(language)
    standing = [line_of(m, words) for m in (selection.rules if rules is None else rules)]
    chosen = [(slot, line_of(slot.memory, words, slot.upcoming)) for slot in selection.slots]
    most = len(said) + len(chosen) + len(standing)

    def without(left_out: int) -> Rendered:
        quotes = said[: max(0, len(said) - left_out)]
        left_out -= len(said) - len(quotes)
        slots = chosen[: max(0, len(chosen) - left_out)]
        left_out -= len(chosen) - len(slots)
        kept = standing[: len(standing) - left_out]
        return Rendered(
            _block(words.rules_preamble, words.rules, kept),
            _block(words.preamble, words.memories, _by_birth(slots), words.said, quotes),
            len(slots),
            len(kept),
            len(chosen) - len(slots),
            len(standing) - len(kept),
            len(quotes),
        )

    room = math.inf if budget_tokens is None else budget_tokens
    return without(bisect_left(range(most), True, key=lambda n: without(n).tokens <= room))


def _by_birth(chosen: Sequence[tuple[Slot, Line]]) -> list[Line]:
    in_order = sorted(chosen, key=lambda c: (c[0].memory.born_at, c[0].memory.memory_id))
    return [line for _, line in in_order]


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


def parse(text: str) -> tuple[list[Line], list[Line]]:
    """The rules and the memories of the rendered blocks in a text, in order; both empty when there is none."""
    rules: list[Line] = []
    memories: list[Line] = []
    rules_headings = {wording(code).rules for code in codes()}
    for found in _BLOCK.finditer(text):
        into = memories
        for raw in found.group().split("\n"):
            match = _LINE.fullmatch(raw)
            if match is None:
                into = rules if raw in rules_headings else memories
                continue
            notes = tuple(match["notes"].split("; ")) if match["notes"] else ()
            into.append(Line(match["kind"], notes, match["text"]))
    return rules, memories


def strip_fences(text: str) -> str:
    """The text without any memory block, even one left open, so that what was injected is never learnt again."""
    return _BLOCK.sub("", text).replace(CLOSE, "")


def estimate_tokens(text: str) -> int:
    """An estimate of how many tokens a text costs, rather above than below for French and English prose."""
    return max(len(text.split()), round(len(text) / CHARS_PER_TOKEN)) if text.strip() else 0


def _block(
    preamble: str, heading: str, lines: Sequence[Line], below: str = "", quotes: Sequence[str] = ()
) -> str:
    parts = [heading, *map(_written, lines)] if lines else []
    parts += [below, *quotes] if quotes else []
    return "\n".join([OPEN, preamble, *parts, CLOSE]) if parts else ""


def _written(line: Line) -> str:
    return f"- [{'; '.join((line.kind, *line.notes))}] {line.text}"


def _day(day: date) -> str:
    return day.isoformat()
