"""Private identifiers are taken out of a candidate; what then says nothing is dropped."""

from __future__ import annotations

from dataclasses import replace

from souvenance.domain import Candidate, Exchange, Kept, Verdict
from souvenance.lang import Language
from souvenance.write.filters.identifiers import redact

NAME = "identifiers"


def _clean(text: str | None) -> str | None:
    return None if text is None else redact(text).text


def check(candidate: Candidate, exchange: Exchange, words: Language) -> Verdict:
    """Kept with every text of the candidate redacted."""
    return Kept(
        replace(
            candidate,
            text=redact(candidate.text).text,
            quote=redact(candidate.quote).text,
            entity=_clean(candidate.entity),
            attribute=_clean(candidate.attribute),
            value=_clean(candidate.value),
        )
    )
