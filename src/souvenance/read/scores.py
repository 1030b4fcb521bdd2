"""How close each memory is to a message: meaning and words, fused into one relevance between 0 and 1.

0.5 is eligibility: a memory at or above it was found by the message, one below it was merely there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from souvenance.lang import Language, tokens
from souvenance.lang.everyday import in_plain_words
from souvenance.ports import Vector
from souvenance.read.calibrations import Calibration
from souvenance.read.corpus import Corpus

Floats = NDArray[np.float32]

#: How many full matches count beside a meaning, so that a pasted page, which shares words with everything, does not
#: drown it. Read on 2026-11-30 with `bench/recall_fusion.py`: 1, 1.5 and 2.5 give the same recall.
WORDS_CAP = 1.5

#: A stem is rare in a scope when it stands in at most this share of its memories, or in RARE_FEW of them.
#: Beside a cosine only a rare name or figure makes a memory eligible; without one any rare stem does.
#: Read on 2026-11-30 on 48 questions among 440 and 2,040 memories, mean recall over 5, 8, 16 and 24: names .561 and
#: .442, any rare stem .556 and .429, none .546 and .409. A verb that happens to match is a stranger let in.
RARE_SHARE = 0.005
RARE_FEW = 5

#: Where a row without a vector stands while the message has one, in spreads under the threshold: as a text that has
#: nothing to do with the message. Its words, uncapped, can lift it from there.
UNKNOWN = -1.5

#: What importance 1 and 5 do to a score. Chosen, not measured. All priors together stay within PRIORS_BOUND.
IMPORTANCE_REACH = 0.10
PRIORS_BOUND = 0.25


@dataclass(frozen=True, slots=True)
class Query:
    """A message as scores read it: its words by stem, and its vector (None in a degraded turn)."""

    words: Mapping[str, str]
    vector: Vector | None = None


def read_query(message: str, language: Language, vector: Vector | None = None) -> Query:
    """The query of a message; each content stem with the word as it was first typed.

    An everyday word counts as itself and as the plain one: memories hold either.
    """
    skip = language.words.get("function_words", frozenset())
    words: dict[str, str] = {}
    for text in dict.fromkeys((message, in_plain_words(message, language))):
        for token in tokens(text):
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
    calibration: Calibration
    cosine: Floats
    words: Floats
    relevance: Floats
    key: Floats

    @property
    def eligible(self) -> NDArray[np.bool_]:
        """Rows that the message found."""
        return self.relevance >= 0.5


def score(corpus: Corpus, query: Query, calibration: Calibration) -> Scores:
    """Scores of every row against a query; `calibration` is that of the embedder for the language of the corpus."""
    cosine = cosines(corpus, query.vector)
    words = word_matches(corpus, query.words)
    fused = fuse(cosine, words, calibration, asked=query.vector is not None)
    eligible = matches_rare_stem(corpus, filter(corpus.postings.is_name, query.words))
    eligible |= matches_rare_stem(corpus, query.words) & np.isnan(cosine)
    with np.errstate(invalid="ignore"):
        eligible |= (fused >= 0) & ~np.isnan(cosine)
    relevance = calibrate(fused, eligible)
    key = ordering_key(relevance, priors(corpus))
    return Scores(query, calibration, cosine, words, relevance, key)


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


def fuse(cosine: Floats, words: Floats, calibration: Calibration, *, asked: bool = True) -> Floats:
    """How far above the threshold each row is, in spreads: its meaning plus a weight of words, capped beside it.

    `asked` False: the message has no vector, so that words are all there is; they count from 0, uncapped.
    """
    known = ~np.isnan(cosine)
    weight = np.float32(calibration.word_weight)
    away = (cosine - np.float32(calibration.threshold)) / np.float32(calibration.spread)
    capped = np.where(known, np.minimum(words, np.float32(WORDS_CAP)), words)
    fused: Floats = np.where(known, away, UNKNOWN if asked else 0) + weight * capped
    return fused.astype(np.float32)


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


def calibrate(fused: Floats, eligible: NDArray[np.bool_]) -> Floats:
    """Relevance in [0, 1]: the logistic of the fused score, at least 0.5 exactly where eligible."""
    slope = 1 / (1 + np.exp(-fused))
    below = np.minimum(slope, np.nextafter(np.float32(0.5), np.float32(0)))
    relevance: Floats = np.where(eligible, np.maximum(slope, 0.5), below).astype(np.float32)
    return relevance


def priors(corpus: Corpus) -> Floats:
    """What each row is multiplied by whatever the message, within 1 ± PRIORS_BOUND. Heat and links join here."""
    importance = (corpus.columns.importance - 3) / 2 * IMPORTANCE_REACH
    bounded: Floats = np.clip(importance, -PRIORS_BOUND, PRIORS_BOUND).astype(np.float32)
    return 1 + bounded


def ordering_key(relevance: Floats, prior: Floats) -> Floats:
    """Larger comes first. An eligible memory stays before every other, whatever the priors."""
    return (relevance * prior + 2 * (relevance >= 0.5)).astype(np.float32)
