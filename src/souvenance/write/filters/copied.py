"""Tells a memory that takes over a reply or a pasted text from one that words what the person said.

The quote of such a memory is true, and what it says is somebody else's.
"""

from __future__ import annotations

from collections.abc import Sequence

from souvenance.domain import Exchange
from souvenance.lang import Language, Token, tokens
from souvenance.write.filters.evidence import foreign
from souvenance.write.filters.kin import akin
from souvenance.write.filters.mentions import own_words

#: Words of a candidate that only a reply or a pasted text holds, from which it is a copy of it.
#: Read on the development cases of the filters bench, where one such word is common in a free wording.
_TAKEN = 2


def copied(text: str, said: str, exchange: Exchange, words: Language) -> str | None:
    """Why the text takes over words that only a reply or a pasted text holds, or None."""
    others = foreign(exchange)
    elsewhere = set(words.stems(others))
    if not elsewhere:
        return None
    known = set(words.stems(said))
    frame = own_words(exchange, words)
    told = tokens(text)
    taken = [
        i
        for i, t in enumerate(told)
        if t.word not in frame and t.word not in words.words["function_words"]
        for stem in (words.stem(t.word),)
        if stem in elsewhere and not any(akin(stem, k, words) for k in known)
    ]
    if len({told[i].word for i in taken}) < _TAKEN and not _in_a_run(told, taken, others, said):
        return None
    return f"“{' '.join(told[i].raw for i in taken)}” is not in what the person typed."


def _in_a_run(told: Sequence[Token], taken: Sequence[int], others: str, said: str) -> bool:
    """Whether a word stands in the same three words in a row as in somebody else's text, and in none of the person's."""
    theirs, own = (f" {' '.join(t.word for t in tokens(x))} " for x in (others, said))
    for i in taken:
        for start in range(max(0, i - 2), min(i, len(told) - 3) + 1):
            run = f" {' '.join(t.word for t in told[start : start + 3])} "
            if run in theirs and run not in own:
                return True
    return False
