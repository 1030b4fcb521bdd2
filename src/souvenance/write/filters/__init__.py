"""Checks what reflection proposes; each filter is one pure function that keeps, or drops with a reason.

Order, first refusal wins:
`private` (identifiers taken out, before anything else reads the text) →
`support` (rests on words the person typed; nothing made up) →
`subject` (about the person, not the character, the scene or somebody else) →
`polarity` (what was denied stays denied) →
`attitude` (what the character feels is no fact about the person) →
`hesitation` (what was unsure stays unsure) →
`instruction` (no order to the model, no markup).
Beside them: `evidence` finds what a candidate rests on, `mentions` who it speaks of, `signs` reads negation in a
clause and `across` between clauses, `smuggled` an order put beside a fact, `listed` word lists. None of it does I/O.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from souvenance.domain import Candidate, Dropped, Exchange, Kept, Verdict
from souvenance.errors import FilterBroken
from souvenance.lang import Language, detect, language
from souvenance.write.filters import (
    attitude,
    crossed,
    hesitation,
    instruction,
    polarity,
    private,
    subject,
    support,
)

__all__ = ["Judged", "judge", "screen"]

#: The name under which a candidate of too low a confidence is dropped.
CONFIDENCE = "confidence"

Filter = Callable[[Candidate, Exchange, Language], Verdict]

_MEANING: tuple[Filter, ...] = (
    support.check,
    subject.check,
    polarity.check,
    attitude.check,
    hesitation.check,
)

#: The same for a candidate in another language than the words it rests on.
_CROSSED: tuple[Filter, ...] = (crossed.check, attitude.check)


@dataclass(frozen=True, slots=True)
class Judged:
    """What the filters let through and what they refused, each in the order it was proposed."""

    kept: tuple[Candidate, ...]
    dropped: tuple[Dropped, ...]


def judge(
    candidates: Sequence[Candidate], exchange: Exchange, min_confidence: float = 0.0
) -> Judged:
    """Every candidate screened. One that lost the person's reserve is kept in the person's own words if it can be.

    Errors: `FilterBroken`.
    """
    kept: list[Candidate] = []
    dropped: list[Dropped] = []
    for candidate in candidates:
        verdict = screen(candidate, exchange, min_confidence)
        if isinstance(verdict, Dropped):
            dropped.append(verdict)
            verdict = _restored(verdict, exchange, min_confidence) or verdict
        if isinstance(verdict, Kept):
            kept.append(verdict.candidate)
    return Judged(tuple(kept), tuple(dropped))


def _restored(dropped: Dropped, exchange: Exchange, min_confidence: float) -> Kept | None:
    """The person's own hesitant words in place of a candidate that made them sure; None when they do not do."""
    if dropped.filter != hesitation.NAME:
        return None
    words = language(detect(dropped.candidate.quote, exchange.character.language))
    own = hesitation.restored(dropped.candidate, exchange, words)
    verdict = screen(own, exchange, min_confidence) if own else None
    return verdict if isinstance(verdict, Kept) else None


def screen(candidate: Candidate, exchange: Exchange, min_confidence: float = 0.0) -> Verdict:
    """The candidate, perhaps redacted, or the first filter that refuses it and why.

    With `min_confidence`, one that its model gave a lower confidence is refused too; off by default, because
    models give their inventions the same figures, and what the person was unsure of stands in the words.

    Errors: `FilterBroken` when a filter crashes, so that nothing is written.
    """
    try:
        words = language(detect(f"{candidate.text} {candidate.quote}", exchange.character.language))
        verdict = private.check(candidate, exchange, words)
        if isinstance(verdict, Dropped):
            return verdict
        candidate = verdict.candidate
        meaning = _CROSSED if crossed.applies(candidate, exchange, words) else _MEANING
        for check in (*meaning, instruction.check):
            verdict = check(candidate, exchange, words)
            if isinstance(verdict, Dropped):
                return verdict
            candidate = verdict.candidate
        if candidate.confidence < min_confidence:
            return Dropped(
                candidate,
                CONFIDENCE,
                f"Its confidence, {candidate.confidence:.2f}, is below {min_confidence:.2f}.",
            )
        return Kept(candidate)
    except FilterBroken:
        raise
    except Exception as error:  # fails closed: the caller writes nothing
        raise FilterBroken("A filter failed; nothing was written.") from error
