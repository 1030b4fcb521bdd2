"""The published method that ours is measured against: one score of resemblance and one threshold.

Its decision is also given without most of its cost, by bounds that never change it, so that times compare fairly.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz

from souvenance.lang import Language, language, tokens

#: From this score two texts merge, in the published method. Source: read on 1,326 pairs of 52 memories.
PUBLISHED_THRESHOLD = 0.80

#: The sequence ratio counts only from this length, in characters. Source: the published method.
RATIO_FROM = 40

#: How far under the threshold the bound still lets through, in hundredths: more than rounding ever moves a ratio.
_SLACK = 1e-6


@dataclass(frozen=True, slots=True)
class _Plain:
    """What the method reads of one text."""

    text: str
    content: frozenset[str]
    dates: tuple[str, ...]


def published_merges(a: str, b: str, words: Language, ratio_from: int = RATIO_FROM) -> bool:
    """Whether the published method merges two texts: `published_score` from its threshold on, at less cost.
    `ratio_from` is the length from which the sequence ratio counts.

    Source: the blocks that difflib matches are a common subsequence, so the ratio of the longest one
    (rapidfuzz) is never below difflib's.
    """
    left, right = _plain(a, words.code), _plain(b, words.code)
    if left.dates != right.dates:
        return False
    if max(_jaccard(left, right), _contained(left, right)) >= PUBLISHED_THRESHOLD:
        return True
    if min(len(left.text), len(right.text)) < ratio_from:
        return False
    cutoff = 100 * PUBLISHED_THRESHOLD - _SLACK
    if not fuzz.ratio(left.text, right.text, score_cutoff=cutoff):
        return False
    return _ratio(left, right, ratio_from) >= PUBLISHED_THRESHOLD


def published_score(a: str, b: str, words: Language) -> float:
    """The published resemblance in [0, 1]: best of sequence ratio, words in common and containment,
    held under the threshold when figures or dates differ."""
    left, right = _plain(a, words.code), _plain(b, words.code)
    best = max(_ratio(left, right), _jaccard(left, right), _contained(left, right))
    return best if left.dates == right.dates else min(best, PUBLISHED_THRESHOLD - 0.01)


#: Texts are compared with many others, so each is read once.
@lru_cache(maxsize=20_000)
def _plain(text: str, code: str) -> _Plain:
    words = language(code)
    spoken = [t.word for t in tokens(text)]
    small, dated = words.words["function_words"], _dated(code)
    dates = (w for w in spoken if w[0].isdigit() or w in dated)
    return _Plain(
        " ".join(spoken), frozenset(w for w in spoken if w not in small), tuple(sorted(dates))
    )


@lru_cache(maxsize=8)
def _dated(code: str) -> frozenset[str]:
    """Days, months and words such as "tomorrow": what that method holds, with digits, to be the fact."""
    lists = ("weekdays", "months", "day_words")
    words = language(code).words
    return frozenset(entry.split("=")[0].strip() for name in lists for entry in words[name])


def _jaccard(a: _Plain, b: _Plain) -> float:
    union = len(a.content | b.content)
    return len(a.content & b.content) / union if union else 0.0


def _contained(a: _Plain, b: _Plain) -> float:
    short, long = sorted((a.text, b.text), key=len)
    return float(bool(short) and f" {short} " in f" {long} ")


def _ratio(a: _Plain, b: _Plain, ratio_from: int = RATIO_FROM) -> float:
    """The better of both orders, since difflib's depends on it; nothing for short texts."""
    if min(len(a.text), len(b.text)) < ratio_from:
        return 0.0
    return max(
        difflib.SequenceMatcher(None, x, y).ratio() for x, y in ((a.text, b.text), (b.text, a.text))
    )
