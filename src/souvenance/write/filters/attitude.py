"""What the character feels towards the person is no fact about the person."""

from __future__ import annotations

from souvenance.domain import Candidate, Dropped, Exchange, Kept, Kind, Verdict
from souvenance.lang import Language
from souvenance.write.filters.evidence import find
from souvenance.write.filters.listed import has, places, spoken
from souvenance.write.filters.mentions import mentions

NAME = "attitude"


def check(candidate: Candidate, exchange: Exchange, words: Language) -> Verdict:
    """Kept unless a feeling of the character's stands as a fact of the person's."""
    evidence = find(candidate, exchange, words)
    who = mentions(candidate.text, exchange, words)
    if evidence.own or who.character is None or candidate.kind is Kind.PROMISE:
        return Kept(candidate)
    if has(evidence.passage, words, "first_subjects") and not has(
        evidence.passage, words, "you_me"
    ):
        return Kept(candidate)  # the person's own feeling or doing
    feels = places(spoken(candidate.text), words, "attitudes")
    if feels and (who.character_leads or feels[0][0] < who.character):
        return Dropped(
            candidate,
            NAME,
            "It says what the character feels, not what the person said of themself.",
        )
    return Kept(candidate)
