"""What the character feels towards the person is no fact about the person."""

from __future__ import annotations

from souvenance.domain import Candidate, Dropped, Exchange, Kept, Kind, Verdict
from souvenance.lang import Language, tokens
from souvenance.write.filters.evidence import find
from souvenance.write.filters.listed import has, places, spoken
from souvenance.write.filters.mentions import mentions, own_words

NAME = "attitude"


def check(candidate: Candidate, exchange: Exchange, words: Language) -> Verdict:
    """Kept unless a feeling of the character's stands as a fact of the person's."""
    evidence = find(candidate, exchange, words)
    if candidate.kind is Kind.PROMISE and evidence.by == "character" and not evidence.own:
        return _promise(candidate, exchange, words)
    who = mentions(candidate.text, exchange, words)
    if evidence.own or who.character is None or candidate.kind is Kind.PROMISE:
        return Kept(candidate)
    if who.person is not None and has(evidence.passage, words, "you_to_me"):
        return Kept(candidate)  # what the character is to the person
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


#: Content words of a promise among which a feeling is what is promised. Chosen, not measured.
_FEELS = 1


def _promise(candidate: Candidate, exchange: Exchange, words: Language) -> Verdict:
    """Kept when the character commits itself to do something, not when it only says what it feels."""
    skip = own_words(exchange, words) | words.words["function_words"] | words.words["promise_acts"]
    skip |= words.words["negation_words"]
    acts = [t.word for t in tokens(candidate.text) if t.word not in skip and len(t.word) > 1]
    feelings = {words.stem(w) for w in words.words["feelings"]}
    if any(words.stem(w) in feelings for w in acts[:_FEELS]):
        return Dropped(candidate, NAME, "It promises nothing: it says what the character feels.")
    return Kept(candidate)
