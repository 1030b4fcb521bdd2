"""A memory is about the person: not about the character, the scenery, or somebody the person spoke of."""

from __future__ import annotations

from souvenance.domain import Candidate, Dropped, Exchange, Kept, Kind, Verdict
from souvenance.lang import Language
from souvenance.write.filters.evidence import Evidence, find
from souvenance.write.filters.kin import akin
from souvenance.write.filters.listed import has, places, spoken
from souvenance.write.filters.mentions import Mentions, mentions
from souvenance.write.words.sentences import clauses

NAME = "about_user"

#: Words within which the subject of a candidate is named ("Le vieux capitaine Vasque", "La sœur de Mira").
_OPENING = 4


def check(candidate: Candidate, exchange: Exchange, words: Language) -> Verdict:
    """Kept when the candidate speaks of the person, on words in which they speak of themself."""
    evidence = find(candidate, exchange, words)
    if evidence.by == "character" or evidence.own:
        return Kept(
            candidate
        )  # a promise, which `support` let through; or the person's own sentence
    who = mentions(candidate.text, exchange, words)
    theirs = who.person is not None and _owes_it(evidence.passage, words)
    if candidate.kind is not Kind.PROMISE and not theirs and _about_character(who, words):
        return Dropped(candidate, NAME, "It is about the character, not about the person.")
    speaks = has(evidence.passage, words, "first_person")
    asks_for = candidate.kind is Kind.PREFERENCE or has(evidence.passage, words, "requests")
    if who.person is None and not speaks and not asks_for:
        return Dropped(candidate, NAME, "It is about the scene, not about the person.")
    if not speaks and _only_asks(evidence.passage, words):
        return Dropped(candidate, NAME, "The person asked something and said nothing of themself.")
    if has(candidate.text, words, "knowing") and _only_asks(evidence.passage, words):
        return Dropped(candidate, NAME, "It only says that the person heard of something.")
    if _somebody_else(candidate, evidence, who, words):
        return Dropped(candidate, NAME, "The person said it of somebody else.")
    return Kept(candidate)


#: What opens a sentence about something of the other's. Source: French and English grammar.
_YOURS = (["your"], ["ton"], ["ta"], ["tes"], ["votre"], ["vos"])


def _owes_it(passage: str, words: Language) -> bool:
    """Whether the person says what the other is to them, or how what the other does helps them."""
    if has(passage, words, "you_to_me"):
        return True
    theirs = has(passage, words, "your_doing") or spoken(passage)[:1] in _YOURS
    return theirs and has(passage, words, "helps_me")


def _about_character(who: Mentions, words: Language) -> bool:
    """Whether the character, or something of the character's, is the subject."""
    if not who.character_leads or who.character is None or who.character > _OPENING:
        return False
    before = who.said[who.character - 1] if who.character else ""
    return (who.character < _OPENING - 1 and before not in words.words["links"]) or before in (
        "de",
        "d",
        "du",
        "of",
    )


def _only_asks(passage: str, words: Language) -> bool:
    """Whether the passage is a question or an order to tell, put to the character."""
    asks = passage.rstrip("\"'»”)* ").endswith("?")
    return (asks and not has(passage, words, "requests")) or has(passage, words, "tell_me")


def _somebody_else(
    candidate: Candidate, evidence: Evidence, who: Mentions, words: Language
) -> bool:
    """Whether the clause is about one of the person's people and the candidate about the person, or the reverse."""
    said = spoken(candidate.quote)
    clause = next(
        (c for c in clauses(evidence.passage) if _holds(spoken(c), said)), candidate.quote
    )
    told = spoken(clause)
    themself = bool(places(told, words, "first_subjects"))
    named = [words.stem(w) for w in who.said]
    if themself:
        lead = [who.said[i] for i, _ in places(who.said, words, "circle") if i <= 3]
        others = places(told, words, "third_person") or places(told, words, "circle")
        return bool(lead) and not others and len(clauses(candidate.quote)) == 1
    if who.person is None or who.person > 1:
        return False
    people = [told[i] for i, _ in places(told, words, "circle") if i <= 3]
    if not people:
        return False
    return not any(akin(words.stem(p), n, words) for p in people for n in named)


def _holds(clause: list[str], quote: list[str]) -> bool:
    """Whether the quote starts in that clause or the clause in the quote."""
    size = min(len(clause), len(quote), 4)
    if not size:
        return False
    head = quote[:size]
    return any(clause[i : i + size] == head for i in range(len(clause) - size + 1))
