"""Whether a memory would only repeat one already chosen for the context.

A cheap test for one turn, stricter than merging: it keeps both when in doubt, for a slot is all that is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from souvenance.lang import Language
from souvenance.read.words import reader

#: Cosine from which two texts may say the same, once their words leave no difference that could matter.
#: Chosen, not measured; prefers serving both.
SAME_COSINE = 0.95


@dataclass(frozen=True, slots=True)
class Signature:
    """What two texts have in common when they differ by typography, inflection or articles only.

    The order stays: "Ana calls Leo" and "Leo calls Ana" hold the same stems.
    So do small words: "the train from Lyon" and "the train to Lyon".
    """

    stems: tuple[str, ...]
    small: tuple[str, ...]
    lower: tuple[str, ...] = field(
        default=(), compare=False
    )  # stems written in lower case, each once


def signature(text: str, language: Language) -> Signature:
    """The content stems of a text, in order, and its small words and negations but articles, in order."""
    words = reader(language).words(text)
    return Signature(
        tuple([stem for stem, _, _ in words if stem is not None]),
        tuple([small for _, small, _ in words if small is not None]),
        tuple(dict.fromkeys([stem for stem, _, lower in words if lower and stem is not None])),
    )


def repeats(later: Signature, earlier: Signature, cosine: float | None) -> bool:
    """Whether the later text adds nothing to the earlier one.

    Without equal signatures: near-equal meaning, the same small words and figures, no stem of its own or out of order.
    "Ana lives in Lyon" is not repeated by "Ana's brother lives in Lyon": their cosine is below.
    """
    if not later.stems:
        return False
    if later == earlier:
        return True
    if cosine is None or cosine < SAME_COSINE or later.small != earlier.small:
        return False
    same_figures = _figures(later.stems) == _figures(earlier.stems)
    return same_figures and _is_subsequence(later.stems, earlier.stems)


def _figures(stems: Sequence[str]) -> list[str]:
    return [s for s in stems if any(c.isdigit() for c in s)]


def _is_subsequence(short: Sequence[str], long: Sequence[str]) -> bool:
    rest = iter(long)
    return all(stem in rest for stem in short)
