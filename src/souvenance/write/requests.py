"""Tells from a fact what only sounds like one: a request to the character or its memory, and what would be.

"Forget what I said about coffee" and "if I won the lottery I'd move" say nothing that holds of the person.
"""

from __future__ import annotations

from itertools import pairwise

from souvenance.lang import Language, tokens
from souvenance.write.corrections import denials
from souvenance.write.decisive import read
from souvenance.write.phrases import find, has, opens
from souvenance.write.sentences import clauses
from souvenance.write.values import values


def is_naming(text: str, words: Language) -> bool:
    """Whether a text says by what name the person is called ("Call me Bea"), and gives no other order."""
    span = find(text, words, "naming")
    if span is None:
        return False
    rest = read(text[span[1] :], words).items
    named = _is_capital(text, span[1]) or (
        bool(rest) and rest[0].sort == "word" and not _commands(text, span, words)
    )
    return named and not has(text[: span[0]] + " " + text[span[1] :], words, "orders")


def _is_capital(text: str, at: int) -> bool:
    following = tokens(text[at:])[:1]
    return bool(following) and following[0].raw[0].isupper() and len(following[0].raw) > 1


def _commands(text: str, span: tuple[int, int], words: Language) -> bool:
    """Whether the naming turn opens the text, as "call me back" would."""
    first = next((t for t in tokens(text) if t.word not in words.words["light"]), None)
    return first is None or first.start >= span[0]


def is_forgetting(text: str, words: Language, names: frozenset[str]) -> bool:
    """Whether a text asks to forget or to keep nothing, and gives no value and no other clause of the person."""
    span = find(text, words, "forgettings")
    if span is None or values(text, words) or denials(text, words):
        return False
    for clause in clauses(text):
        own = [t.word for t in tokens(clause)]
        mine = any(w in words.words["first_person"] or w in names for w in own)
        if mine and not has(clause, words, "forgettings") and len(read(clause, words).content) > 1:
            return False
    return True


def is_reminder(text: str, words: Language) -> bool:
    """Whether a text asks to be reminded of something."""
    return has(text, words, "remind_me")


def is_hypothesis(text: str, words: Language) -> bool:
    """Whether all that a text says of the person is what would be ("si je gagnais, je partirais")."""
    parts = clauses(text)
    if not any(_supposes(p, words) for p in parts) or not any(_would(p, words) for p in parts):
        return False
    return all(
        _supposes(p, words)
        or _would(p, words)
        or not any(t.word in words.words["first_person"] for t in tokens(p))
        for p in parts
    )


def _supposes(clause: str, words: Language) -> bool:
    """Whether a clause holds an "if" that somebody follows ("si je", "if my sister")."""
    if opens(clause, words, "hypotheses") is not None:
        return True
    spoken = [t.word for t in tokens(clause)]
    someone = words.words["first_person"] | words.words["third_person"]
    return any(w in words.words["hypotheses"] and after in someone for w, after in pairwise(spoken))


#: Endings of the French conditional. Source: French conjugation.
_WOULD_BE = ("rais", "rait", "rions", "riez", "raient")


def _would(clause: str, words: Language) -> bool:
    known = words.words["conditionals"]
    spoken = [t.word for t in tokens(clause)]
    return any(w in known or (words.code == "fr" and w.endswith(_WOULD_BE)) for w in spoken)
