"""Tells how somebody wants to be spoken to from an order: "don't tell me to relax", "ne me plains pas".

A rule that is imposed on who answers ("never question me, that's an order") is no such wish.
"""

from __future__ import annotations

from souvenance.lang import Language, tokens
from souvenance.write.words.phrases import find, has
from souvenance.write.words.sentences import clauses

#: How many words may stand between the refusal and the verb of speech, and between that verb and "me".
#: Chosen, not measured.
_NEAR = 3


def is_manner(text: str, words: Language) -> bool:
    """Whether a text asks not to be told, called or treated in some way, and imposes no rule."""
    spoken = {t.word for t in tokens(text)}
    if spoken & words.words["standing_orders"]:
        return False
    if has(text, words, "unwanted") and has(text, words, "when_words"):
        return True
    return any(_refuses(clause, words) for clause in clauses(text))


def _refuses(clause: str, words: Language) -> bool:
    spoken = [t.word for t in tokens(clause)]
    verbs = [n for n, w in enumerate(spoken) if w in words.words["speaking_to"]]
    me = {n for n, w in enumerate(spoken) if w in words.words["me_words"]}
    near = [v for v in verbs if any(abs(v - m) <= _NEAR for m in me)]
    if words.traits.negation_in_two_words and any(_negated(spoken, v) for v in near):
        return True
    span = find(clause, words, "no_wish")
    if span is None:
        return False
    at = len(tokens(clause[: span[1]]))
    return any(0 <= v - at < _NEAR for v in near) and not _has_subject(spoken[:at], words)


def _negated(spoken: list[str], verb: int) -> bool:
    """Whether a French verb is refused as an order: "ne me dis pas", "m'appelle jamais", nobody before it."""
    refused = any(w in ("pas", "plus", "jamais", "surtout") for w in spoken[verb + 1 : verb + 3])
    refused = refused or "pas" in spoken[max(0, verb - 3) : verb]
    before = spoken[max(0, verb - 4) : verb]
    subject = any(w in ("je", "j", "il", "elle", "on", "ils", "elles", "qui", "ca") for w in before)
    return refused and not subject and any(w in ("me", "m") for w in before[-2:])


def _has_subject(before: list[str], words: Language) -> bool:
    """Whether somebody is said not to do it ("they never tell me")."""
    others = words.words["third_person"] | words.words["subjects"]
    return any(w in others for w in before) and "rather" not in before
