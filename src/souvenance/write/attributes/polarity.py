"""Takes the negation and the fillers out of what is said of somebody, and tells what they meant.

"Je n'habite plus à Lyon" becomes "habite à Lyon", over; what is denied otherwise is no value at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from souvenance.lang import Language, language, tokens
from souvenance.write.attributes.spoken import Words


@dataclass(frozen=True, slots=True)
class Said:
    """What is said without its negation and fillers, and what those meant."""

    words: Words
    denied: bool = False
    over: bool = False


@lru_cache(maxsize=32)
def phrases(code: str, name: str) -> tuple[tuple[str, ...], ...]:
    """The phrases of a list as folded words, the longest first."""
    found = {tuple(t.word for t in tokens(e)) for e in language(code).words[name]}
    return tuple(sorted(found, key=lambda p: (-len(p), p)))


def phrase_at(said: Words, at: int, words: Language, name: str) -> int:
    """How many words a phrase of the list takes at that place; 0 when none stands there."""
    for phrase in phrases(words.code, name):
        if tuple(w.word for w in said[at : at + len(phrase)]) == phrase:
            return len(phrase)
    return 0


def unsaid(said: Words, words: Language, end: int) -> Said | None:
    """What is said up to `end` without negation and fillers; None when the negation is not plain."""
    kept: list[int] = []
    denied = over = opened = False
    at = 0
    while at < len(said):
        if at >= end:
            kept.append(at)
            at += 1
            continue
        for name in (
            "attribute_over",
            "attribute_denied",
            "attribute_opening",
            "attribute_fillers",
        ):
            size = phrase_at(said, at, words, name)
            if size and not said[at].capital and said[at].raw.lower() != "né":
                break
        else:
            kept.append(at)
            at += 1
            continue
        over |= name == "attribute_over"
        denied |= name == "attribute_denied"
        opened |= name == "attribute_opening"
        at += size
    left = tuple(said[n] for n in kept)
    if over and not opened and not _plain_end(said, end, words):
        return None
    if opened and not (over or denied):
        return None  # "je n'ai que", "I don't": something else is said
    return Said(left, denied and not over, over)


def _plain_end(said: Words, end: int, words: Language) -> bool:
    """Whether "plus" (or "no longer") without its first half ends something, and compares nothing."""
    if not words.traits.negation_in_two_words:
        return True
    places = [n for n in range(min(end, len(said))) if phrase_at(said, n, words, "attribute_over")]
    after = [said[n + 1].word for n in places if n + 1 < len(said)]
    compares = any(w.word == "que" for w in said[:end])
    return not compares and any(w in words.words["attribute_over_before"] for w in after)
