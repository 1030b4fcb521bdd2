"""Tells a promise that the character makes to the person from anything else that it says.

A reply is no source of memories, so calling it a promise must not make it one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from souvenance.domain import Candidate, Exchange, Kind
from souvenance.lang import Language, codes, language
from souvenance.write.filters.evidence import Evidence
from souvenance.write.filters.kin import Kin
from souvenance.write.filters.listed import has, places, spoken
from souvenance.write.filters.mentions import mentions


def is_own_promise(
    candidate: Candidate, evidence: Evidence, exchange: Exchange, words: Language, told: Language
) -> bool:
    """Whether the character itself promises: its own words, or a candidate that names it first.

    `words` is the language of the candidate, `told` that of what it rests on.
    """
    if candidate.kind is not Kind.PROMISE:
        return False
    granted = not _binds_the_model(evidence.passage) and _grants(evidence, exchange, told)
    if not granted and not is_pledge(evidence.passage, told):
        return False
    who = mentions(candidate.text, exchange, words)
    return evidence.own or (who.character_leads and who.character in (0, 1, 2))


#: Words of a promise between the pronoun of whoever is asked and the verb in the future. Source: French grammar.
_FUTURE = re.compile(
    r"\b(?:tu|vous)\s(?:(?:me|m|nous|le|la|les|lui|leur|y|en)\s){0,2}\w{2,}r(?:as|ez)\b"
)


def _grants(evidence: Evidence, exchange: Exchange, words: Language) -> bool:
    """Whether a reply says yes to what the person just asked the character to do."""
    asked = ""
    for message in exchange.messages:
        if message.message_id == evidence.message:
            break
        asked = message.text if message.role == "user" else asked
    said = spoken(evidence.passage)
    if not _asks_for_deed(asked, words) or evidence.passage.rstrip().endswith("?"):
        return False
    denials = ("negation_words", "negation_turns", "reserve", "hedges", "conditions")
    if any(places(said, words, name) for name in denials):
        return False
    return bool(places(said, words, "grants")) or _takes_up(said, asked, words)


def _asks_for_deed(text: str, words: Language) -> bool:
    """Whether the person asks the other, as a question or a request, to do something."""
    said = spoken(text)
    if places(said, words, "asks_deed"):
        return True
    return words.traits.future_in_one_word and bool(_FUTURE.search(" ".join(said)))


def _takes_up(said: Sequence[str], asked: str, words: Language) -> bool:
    """Whether whoever answers says "I" of the deed that was asked ("you wake me?", "I wake you")."""
    first = words.words["first_subjects"] & set(said)
    asking = Kin(words.stems(asked), words)
    skip = words.words["function_words"]
    return bool(first) and any(asking.knows(words.stem(w)) for w in said if w not in skip)


def is_pledge(passage: str, words: Language) -> bool:
    """Whether somebody binds themself in the passage, to a person and not to an order."""
    return _pledges(passage, words) and not _binds_the_model(passage)


def _pledges(passage: str, words: Language) -> bool:
    """Whether somebody binds themself in the passage, in so many words or by saying what they will do."""
    if has(passage, words, "promises") or has(passage, words, "pledges"):
        return True
    said = spoken(passage)
    return any(
        words.ends(word, "i_will_endings")
        and words.words["i_subjects"] & set(said[max(0, i - _CLITICS) : i])
        for i, word in enumerate(said)
    )


#: Words between "je" and a verb in the future ("je ne te le rendrai"). Source: French grammar.
_CLITICS = 4

#: What a promise to a person never speaks of, and an order planted in a reply does.
_BINDING = ("orders_rules", "orders_obey", "orders_unbound", "user_words")


def _binds_the_model(passage: str) -> bool:
    """Whether a promise is about the model's rules, obedience, users or links: an order in another dress."""
    lists = ((language(code), name) for code in codes() for name in _BINDING)
    return "://" in passage or any(has(passage, *which) for which in lists)
