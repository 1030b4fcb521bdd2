"""Lays the templates of a language on what is said: "habite à <city>" on "habite à Lyon depuis mai".

They are data (`lang/*/attribute_templates.txt`); a line is `attribute flags = words <slot> words > value`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from souvenance.lang import Language, language
from souvenance.write.attributes.spoken import Word, Words

#: A slot reader: the ways to read values from a place on, each with where it ends.
Reader = Callable[[Words, int, Language], list[tuple[tuple[str, ...], int]]]

#: How many words the topic of a budget or an appointment may take ("mon budget pour le voyage à Rome").
#: Chosen, not measured.
_TOPIC = 6


@dataclass(frozen=True, slots=True)
class Template:
    """One way of saying an attribute: words, optional words and slots, in order."""

    attribute: str
    flags: frozenset[str]
    parts: tuple[
        tuple[str, ...], ...
    ]  # the spellings of each word; one "<slot>" ("<_slot>": read and left); "" when optional
    constant: str


@dataclass(frozen=True, slots=True)
class Match:
    """What a template read: its values, what they are of, and where it ends."""

    template: Template
    values: tuple[str, ...]
    topic: Words
    end: int
    serves: bool = False  # what it is for follows ("judge for the contest")


@lru_cache(maxsize=8)
def templates(code: str) -> tuple[Template, ...]:
    """The templates of a language, macros put in, in a fixed order."""
    entries = sorted(language(code).words["attribute_templates"])
    split = [(head.strip(), body.strip()) for head, _, body in (e.partition("=") for e in entries)]
    macros = {head: body for head, body in split if head.startswith("$")}
    return tuple(_template(h, b, macros) for h, b in split if not h.startswith("$"))


def _template(head: str, body: str, macros: Mapping[str, str]) -> Template:
    attribute, *flags = head.split()
    pattern, _, constant = f"{body} ".partition(" > ")
    parts: list[tuple[str, ...]] = []
    for piece in pattern.split():
        optional = piece.endswith("?")
        name = piece.removesuffix("?")
        spellings = [s for n in name.split("|") for s in _expanded(n, macros)]
        skipped = [""] if optional else []
        lazy = spellings == ["<topic>"]  # a topic is read only where nothing fits without it
        parts.append((*skipped, *spellings) if lazy else (*spellings, *skipped))
    return Template(attribute, frozenset(flags), tuple(parts), constant.strip())


def _expanded(spelling: str, macros: Mapping[str, str]) -> list[str]:
    """The spellings of one alternative, its macro put in ("$be_on": "am_on", "is_on"…)."""
    if not spelling.startswith("$"):
        return [spelling]
    macro, joined, rest = spelling.partition("_")
    return [f"{s}{joined}{rest}" for s in macros[macro].split("|")]


def lay(
    template: Template, said: Words, words: Language, readers: Mapping[str, Reader]
) -> Match | None:
    """The first way in which the template fits the words from their start; None when it does not."""
    return next(_fits(template, 0, said, 0, ((), ()), words, readers), None)


_Caught = tuple[tuple[str, ...], Words]


def _fits(
    template: Template,
    part: int,
    said: Words,
    at: int,
    caught: _Caught,
    words: Language,
    readers: Mapping[str, Reader],
) -> Iterator[Match]:
    if part == len(template.parts):
        values = (template.constant,) if template.constant else caught[0]
        yield Match(template, values, caught[1], at)
        return
    spellings = template.parts[part]
    for spelling in spellings:
        for end, more in _ways(spelling, said, at, caught, words, readers):
            yield from _fits(template, part + 1, said, end, more, words, readers)


def _is_topical(word: Word, words: Language) -> bool:
    """Whether a word may stand in what a budget is for; a verb ("était") may not."""
    small = word.word in words.words["function_words"]
    return not small or word.word in words.words["attribute_topic_links"]


def _ways(
    spelling: str,
    said: Words,
    at: int,
    caught: _Caught,
    words: Language,
    readers: Mapping[str, Reader],
) -> Iterator[tuple[int, _Caught]]:
    """Each way in which one part of a template fits: where it ends, and what was caught so far."""
    if spelling == "":
        yield at, caught
    elif spelling == "<topic>":
        for end in range(at + 1, min(at + _TOPIC, len(said)) + 1):
            if (said[end - 1].stop and end - 1 > at) or not _is_topical(said[end - 1], words):
                return
            yield end, (caught[0], (*caught[1], *said[at:end]))
    elif spelling == "<event>":
        for _, end in readers["event"](said, at, words):
            yield end, (caught[0], (*caught[1], *said[at:end]))
    elif spelling.startswith("<_"):
        for _, end in readers[spelling.strip("<_>")](said, at, words):
            yield end, caught
    elif spelling.startswith("<"):
        for values, end in readers[spelling.strip("<>")](said, at, words):
            yield end, (values, caught[1])
    else:
        literal = spelling.split("_")
        if [w.word for w in said[at : at + len(literal)]] == literal:
            yield at + len(literal), caught
