"""How close each memory is to a message: meaning and words, fused into one relevance between 0 and 1.

0.5 is eligibility: a memory at or above it was found by the message, one below it was merely there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from souvenance.lang import Language, tokens
from souvenance.ports import Vector
from souvenance.read.corpus import Corpus

Floats = NDArray[np.float32]

#: Cosine points that a full match of words adds. Measured 2026-11-30 on 48 questions over 440 memories in each of
#: French and English, bundled embedder, mean recall over 5, 8, 16 and 24: cosine alone 0.523, weight 0.05 0.530,
#: 0.10 0.548, 0.15 0.535, 0.20 0.523; equal-weight reciprocal ranks 0.477, sum of z-scores 0.479, larger z-score
#: 0.476, words alone 0.362. Differences below 0.03 are within chance. Prefers missing a word to drowning a meaning.
WORD_WEIGHT = 0.10

#: A stem is rare in a scope when it stands in at most this share of its memories, or in RARE_FEW of them.
#: Beside a cosine only a rare name or figure makes a memory eligible; without one any rare stem does.
#: Measured as above, threshold 0.28: names 0.561, any rare stem 0.556, none 0.546; and among 2,040 memories names 0.442,
#: any rare stem 0.429, none 0.409, cosine alone 0.402. A verb that happens to match is a stranger let in.
RARE_SHARE = 0.005
RARE_FEW = 5

#: Width in cosine points of the slope around the threshold. Only spreads the figure shown; order does not depend on it.
SLOPE = 0.10

#: What importance 1 and 5 do to a score. Chosen, not measured. All priors together stay within PRIORS_BOUND.
IMPORTANCE_REACH = 0.10
PRIORS_BOUND = 0.25


@dataclass(frozen=True, slots=True)
class Query:
    """A message as scores read it: its words by stem, and its vector (None in a degraded turn)."""

    words: Mapping[str, str]
    vector: Vector | None = None


def read_query(message: str, language: Language, vector: Vector | None = None) -> Query:
    """The query of a message; each content stem with the word as it was first typed."""
    skip = language.words.get("function_words", frozenset())
    words: dict[str, str] = {}
    for token in tokens(message):
        if token.word not in skip:
            words.setdefault(language.stem(token.word), token.raw)
    return Query(words, vector)


@dataclass(frozen=True, slots=True)
class Scores:
    """One figure per row of the corpus, each of shape (rows,).

    `cosine` is NaN where there is no vector. `words` is 1 for a full match of a word found nowhere else.
    `relevance` is judged before any prior; `key` orders: eligible first, then relevance moved by the priors.
    """

    query: Query
    threshold: float
    cosine: Floats
    words: Floats
    relevance: Floats
    key: Floats

    @property
    def eligible(self) -> NDArray[np.bool_]:
        """Rows that the message found."""
        return self.relevance >= 0.5


def score(corpus: Corpus, query: Query, threshold: float) -> Scores:
    """Scores of every row against a query, `threshold` being the embedder's cosine of related texts."""
    cosine = cosines(corpus, query.vector)
    words = word_matches(corpus, query.words)
    with np.errstate(invalid="ignore"):
        eligible = cosine >= threshold
    eligible |= matches_rare_stem(corpus, filter(corpus.postings.is_name, query.words))
    eligible |= matches_rare_stem(corpus, query.words) & np.isnan(cosine)
    relevance = calibrate(fuse(cosine, words), eligible, threshold)
    key = ordering_key(relevance, priors(corpus))
    return Scores(query, threshold, cosine, words, relevance, key)


def cosines(corpus: Corpus, vector: Vector | None) -> Floats:
    """Cosine of each row's vector with the query's, NaN where either is missing."""
    found = np.full(len(corpus.memories), np.nan, np.float32)
    if vector is None or not corpus.matrix.count or not len(found):
        return found
    # Six decimals: the last bits depend on where a row lies in the matrix, and ties must not.
    products = np.round(corpus.matrix.rows() @ vector, 6)
    indexed = corpus.columns.vector >= 0
    found[indexed] = products[corpus.columns.vector[indexed]]
    return found


def word_matches(corpus: Corpus, stems: Iterable[str]) -> Floats:
    """BM25 over the stems of this scope, in units of one word that stands in one memory."""
    if not corpus.size:
        return np.zeros(len(corpus.memories), np.float32)
    scaled: Floats = corpus.postings.score(stems) / np.float32(corpus.postings.idf(1))
    return scaled


def fuse(cosine: Floats, words: Floats) -> Floats:
    """Meaning plus a small weight of words, in cosine points.

    Words are capped beside a cosine, so that a long message does not drown its meaning; alone they are not.
    """
    known = ~np.isnan(cosine)
    capped = np.where(known, np.minimum(words, np.float32(1)), words)
    fused: Floats = np.where(known, cosine, 0) + np.float32(WORD_WEIGHT) * capped
    return fused


def rare_limit(size: int) -> int:
    """In how many memories of a scope of that size a stem may stand and still be rare."""
    return max(RARE_FEW, int(size * RARE_SHARE))


def matches_rare_stem(corpus: Corpus, stems: Iterable[str]) -> NDArray[np.bool_]:
    """Rows that share a rare stem with the query."""
    found = np.zeros(len(corpus.memories), np.bool_)
    limit = rare_limit(corpus.size)
    for stem in set(stems):
        if 0 < corpus.postings.frequency(stem) <= limit:
            found[corpus.postings.by_stem[stem].rows] = True
    return found


def calibrate(fused: Floats, eligible: NDArray[np.bool_], threshold: float) -> Floats:
    """Relevance in [0, 1]: at least 0.5 exactly where eligible, growing with the fused score on either side."""
    slope = 1 / (1 + np.exp(-(fused - np.float32(threshold)) / np.float32(SLOPE)))
    below = np.minimum(0.5 * slope, np.nextafter(np.float32(0.5), np.float32(0)))
    relevance: Floats = np.where(eligible, 0.5 + 0.5 * slope, below).astype(np.float32)
    return relevance


def priors(corpus: Corpus) -> Floats:
    """What each row is multiplied by whatever the message, within 1 ± PRIORS_BOUND. Heat and links join here."""
    importance = (corpus.columns.importance - 3) / 2 * IMPORTANCE_REACH
    bounded: Floats = np.clip(importance, -PRIORS_BOUND, PRIORS_BOUND).astype(np.float32)
    return 1 + bounded


def ordering_key(relevance: Floats, prior: Floats) -> Floats:
    """Larger comes first. An eligible memory stays before every other, whatever the priors."""
    return (relevance * prior + 2 * (relevance >= 0.5)).astype(np.float32)
