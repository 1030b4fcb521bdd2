"""Tells a memory that takes over a reply or a pasted text from one that words what the person said.

The quote of such a memory is true, and what it says is somebody else's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from souvenance.domain import Exchange
from souvenance.lang import Language, Token, language, tokens
from souvenance.write.filters.evidence import foreign
from souvenance.write.filters.kin import akin
from souvenance.write.filters.mentions import own_words

#: Words of a candidate that only a reply or a pasted text holds, from which it is a copy of it.
#: Read on the development cases of the filters bench, where one such word is common in a free wording.
_TAKEN = 2

#: Words in a row that a copy shares with its source, and a translation of what the person said as a rule does not.
#: Chosen, not measured: replies repeat what was said, in their own language, a few words at a time.
_ROW, _ROW_ACROSS = 3, 4


def copied(
    text: str, said: str, exchange: Exchange, words: Language, *, translated: bool = False
) -> str | None:
    """Why the text takes over words that only a reply or a pasted text holds, or None.

    `translated` texts share no word with what the person said, so that only words in a row tell a copy.
    """
    others = foreign(exchange)
    elsewhere = _stems(others, words.code)
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
    many = not translated and len({told[i].word for i in taken}) >= _TAKEN
    row = _ROW_ACROSS if translated else _ROW
    if not many and not _in_a_row(told, taken, row, (others, said)):
        return None
    return f"“{' '.join(told[i].raw for i in taken)}” is not in what the person typed."


#: One exchange is compared with each of its candidates, so it is read once.
@lru_cache(maxsize=8)
def _stems(text: str, code: str) -> frozenset[str]:
    return frozenset(language(code).stems(text))


def _in_a_row(
    told: Sequence[Token], taken: Sequence[int], row: int, texts: tuple[str, str]
) -> bool:
    """Whether a word taken stands among so many in a row that the first text holds and the second does not."""
    theirs, own = (f" {' '.join(t.word for t in tokens(x))} " for x in texts)
    for i in taken:
        for start in range(max(0, i - row + 1), min(i, len(told) - row) + 1):
            run = f" {' '.join(t.word for t in told[start : start + row])} "
            if run in theirs and run not in own:
                return True
    return False
