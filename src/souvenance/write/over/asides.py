"""Tells whether a memory says something beside what a newer sentence replaces: closing it whole would lose that.

"My rent is £700 and I'm allergic to peanuts" is not over when the rent is £750.
"""

from __future__ import annotations

from itertools import pairwise

from souvenance.lang import Language, tokens
from souvenance.write.over.occasions import alike_values
from souvenance.write.words.decisive import read
from souvenance.write.words.phrases import has
from souvenance.write.words.sentences import clauses, sentences
from souvenance.write.words.values import values

#: Content words with which a part of the person's own tells something; one less behind "I am" or "I have".
#: Chosen, not measured: "a rotten day", "the surgeon is ill" go with what they stand beside.
_TOLD = 2


def tells_more(old: str, new: str, words: Language, value: str = "") -> bool:
    """Whether a part of the older text tells something else than the newer one gives anew.

    `value` is what is replaced, when it is known: the part that holds it is the one that is over.
    """
    mine, told = read(new, words).topics, values(new, words)
    alike = [v.text for v in values(old, words) if any(alike_values(v, t) for t in told)]
    gone = [value] if value else alike if len(alike) == 1 else []
    beside, meant = 0, False
    for part in parts(old, words):
        topics = read(part, words).topics
        if topics & mine or any(one in part for one in gone):
            meant = True
        elif (_is_own(part, words) or values(part, words)) and len(topics) >= _TOLD - has(
            part, words, "frames"
        ):
            beside += 1
    return beside > (0 if meant else 1)


def _is_own(part: str, words: Language) -> bool:
    """Whether a part has the person, or something of theirs, as what it speaks of."""
    said = [t.word for t in tokens(part)]
    mine = words.words["subjects"], words.words["possessives"]
    return not mine[0].isdisjoint(said) or (bool(said) and said[0] in mine[1])


def parts(text: str, words: Language) -> list[str]:
    """The stretches of a text that may each tell something: between stops, and from "and" before a new subject."""
    found: list[str] = []
    for clause in (c for s in sentences(text, words) for c in clauses(s.text)):
        said = tokens(clause)
        start = 0
        for joiner, after in pairwise(said):
            if joiner.word in words.words["joiners"] and _opens(after.word, words):
                found.append(clause[start : joiner.start])
                start = joiner.end
        found.append(clause[start:])
    return found


def part_with(value: str, text: str, words: Language) -> str:
    """The part of a text that holds a value, the whole text when none does."""
    return next((part for part in parts(text, words) if value in part), text)


def _opens(word: str, words: Language) -> bool:
    """Whether a word may open a part with a subject of its own."""
    lists = words.words
    return word in lists["subjects"] or word in lists["possessives"] or word in lists["articles"]
