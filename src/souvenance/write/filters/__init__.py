"""Checks what reflection proposes, one small pure function a file; each keeps, or drops with a reason.

Order: `identifiers` (private identifiers taken out).
"""

from __future__ import annotations

from souvenance.domain import Candidate, Exchange, Verdict
from souvenance.errors import FilterBroken
from souvenance.lang import language
from souvenance.write.filters import private

__all__ = ["screen"]


def screen(candidate: Candidate, exchange: Exchange) -> Verdict:
    """The candidate, perhaps reworded, or the first filter that refuses it and why.

    Errors: `FilterBroken` when a filter crashes, so that nothing is written.
    """
    words = language(exchange.character.language)
    try:
        return private.check(candidate, exchange, words)
    except Exception as error:  # fails closed: the caller writes nothing
        raise FilterBroken("A filter failed; nothing was written.") from error
