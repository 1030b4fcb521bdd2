"""Whether a memory would only repeat one already chosen for the context.

What two texts say is compared by a function that is given (`Same`): the one that settles what may merge when memories
are written. Vectors take no part: a person's sister and her brother in one sentence lie as close as two wordings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from souvenance.lang import Language
from souvenance.read.words import reader

Same = Callable[[str, str, Language], bool]
"""Whether two texts tell one fact, the one with more detail counting for both."""

#: Share of the stems of the shorter text that the other must hold before both are compared closely. Measured
#: 2026-11-30, `bench/sameness.py`: at one half no pair that `Same` holds for is passed over. Only saves time.
IN_COMMON = 0.5


@dataclass(frozen=True, slots=True)
class Signature:
    """A text as its words, folded, articles left out: two that are equal say the same, whatever is asked of meaning.

    Inflection stays, for "she lived there" is not "she lives there"; so do order and small words.
    """

    stems: tuple[str, ...] = field(compare=False)  # of the content words, in order
    words: tuple[str, ...]
    lower: tuple[str, ...] = field(
        default=(), compare=False
    )  # stems written in lower case, each once


def signature(text: str, language: Language) -> Signature:
    """The content stems of a text, in order, and all its words but articles, in order."""
    words = reader(language).words(text)
    return Signature(
        tuple([stem for stem, _, _ in words if stem is not None]),
        tuple([told for _, told, _ in words if told is not None]),
        tuple(dict.fromkeys([stem for stem, _, lower in words if lower and stem is not None])),
    )


@dataclass(frozen=True, slots=True)
class Outline:
    """What can be seen of a text before it is compared closely."""

    size: int  # content words
    stems: frozenset[str]
    figures: frozenset[str]
    names: frozenset[str]  # stems that only a capital opens; the first word's says nothing


def outline(text: Signature) -> Outline:
    """The outline of a signature."""
    stems = frozenset(text.stems)
    figures = frozenset(word for word in text.words if word[0].isdigit())
    return Outline(
        len(text.stems), stems, figures, stems.difference(text.lower, figures, text.stems[:1])
    )


def worth_comparing(later: Outline, earlier: Outline) -> bool:
    """Whether the later text could repeat the earlier one: the same figures, no name of its own, about as many words
    or fewer, many of them in common.

    A later text with more to say keeps its slot: what it adds would be lost.
    """
    if not later.size or later.size > earlier.size + 1 or later.figures != earlier.figures:
        return False
    least = IN_COMMON * min(len(later.stems), len(earlier.stems))
    return later.names <= earlier.stems and len(later.stems & earlier.stems) >= least


def equal_words(one: str, other: str, language: Language) -> bool:
    """The plainest `Same`: the same words in the same order, articles aside."""
    first = signature(one, language)
    return bool(first.stems) and first == signature(other, language)
