"""Tells "a lot" from "hardly ever", and a thing that was given away from one that is still used.

Both sentences may affirm the same words; what turns them round is how often, how much, or what became of the thing.
"""

from __future__ import annotations

from souvenance.lang import Language
from souvenance.write.filters.kin import Kin
from souvenance.write.filters.listed import has, places, spoken
from souvenance.write.words.sentences import clauses


def reversed_degree(text: str, passage: str, skip: frozenset[str], words: Language) -> str | None:
    """The word that the text has much of where the passage has little, or none any more; None when it has not.

    `skip` are the stems of names and of the frame around what was said.
    """
    if not has(text, words, "much_words") or has(text, words, "little_words"):
        return None
    said = clauses(passage)
    low = [c for c in said if _is_low(c, text, words)]
    if not low:
        return None
    held = Kin([s for c in said if c not in low for s in _content(c, words)], words)
    lost = Kin([s for c in low for s in _content(c, words)], words)
    for clause in clauses(text):
        if not has(clause, words, "much_words") or has(clause, words, "negation_turns"):
            continue
        mine = [s for s in _content(clause, words) if s not in skip]
        if any(held.knows(s) for s in mine):
            continue
        shared = next((s for s in mine if lost.knows(s)), None)
        if shared is not None:
            return shared
    return None


#: What a text may say, and what the person's clause then says of the same thing in other words.
_ALIKE = (
    ("no_longer", "parted"),
    ("little_words", "little_words"),
    ("refusing", "refusing"),
    ("avoiding", "negation_turns"),
    ("avoiding", "negation_words"),
)


def same_degree(stem: str, text: str, passage: str, words: Language) -> bool:
    """Whether text and passage say the same of a thing, in words of which one denies and the other does not.

    "Hardly ever" and "seldom", "gave it away" and "no longer", "declined" and "turned down", "can't" and "avoids".
    """
    for mine, theirs in _ALIKE:
        if not has(text, words, mine) or (mine == "avoiding" and has(passage, words, mine)):
            continue
        for clause in clauses(passage):
            holds = _partings(clause, words) if theirs == "parted" else has(clause, words, theirs)
            if not holds or not Kin(_content(clause, words), words).knows(stem):
                continue
            if mine == "little_words" or not _denies(clause, theirs, words):
                return True
    return False


def _denies(clause: str, name: str, words: Language) -> bool:
    """Whether a clause holds a denial more than what the entries of a list say by themselves."""
    said = spoken(clause)
    own = {i for a, b in places(said, words, name) for i in range(a, b)}
    denials = [p for n in ("negation_turns", "negation_words") for p in places(said, words, n)]
    return any(a not in own for a, _ in denials)


def _is_low(clause: str, text: str, words: Language) -> bool:
    """Whether a clause says that somebody does little of something, or parted with it, which the text does not."""
    if has(clause, words, "much_words"):
        return False
    if has(clause, words, "little_words"):
        return True
    told = Kin(words.stems(text), words)
    deeds = _partings(clause, words)
    return bool(deeds) and not any(told.knows(words.stem(deed)) for deed in deeds)


def _partings(clause: str, words: Language) -> list[str]:
    """The first words of the turns that tell of parting with a thing ("gave ... away")."""
    said = spoken(clause)
    found = [said[a] for a, _ in places(said, words, "parted")]
    for entry in words.words["parted"]:
        verb, gap, end = entry.partition(" ... ")
        if gap and verb in said and end in said[said.index(verb) :]:
            found.append(verb)
    return found


def _content(clause: str, words: Language) -> list[str]:
    """The stems of its content words, the words of degree left out."""
    said = spoken(clause)
    degrees = ("little_words", "much_words")
    taken = {i for name in degrees for a, b in places(said, words, name) for i in range(a, b)}
    skip = words.words["function_words"] | words.words["negation_words"]
    return [
        words.stem(w) for i, w in enumerate(said) if i not in taken and w not in skip and len(w) > 1
    ]
