"""Reads off somebody's own memories how alike their pairs are, and off their labels which threshold holds.

A threshold that was read on other people's sentences is a guess; this says what these ones support, and how surely.
"""

from __future__ import annotations

import hashlib
import heapq
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from souvenance.lang import fold, language
from souvenance.measure.dedup import Pair
from souvenance.measure.published import published_score
from souvenance.measure.report import interval
from souvenance.write.alike.similarity import compare
from souvenance.write.words.decisive import read

#: Pairs scored for the distribution; beyond, this many are drawn. Chosen, not measured: a few seconds.
DRAWN = 20_000

#: Pairs with the most words in common whose scores are computed. Chosen, not measured.
_POOL = 1_000

#: Bars of a distribution.
BINS = 20

#: Labelled pairs that differ from which a threshold is no longer called a guess. Chosen, not measured: with none of
#: 30 merged wrongly, the true share is still up to 11 % (95 %).
ENOUGH = 30


@dataclass(frozen=True, slots=True)
class Line:
    """One memory as far as its pairs go: its text, and its thread, None when it is known in all."""

    text: str
    thread: str | None = None

    def meets(self, other: Line) -> bool:
        """Whether the two could ever be merged."""
        return self.thread is None or other.thread is None or self.thread == other.thread


@dataclass(frozen=True, slots=True)
class Shelf:
    """The memories of one address, in its language, each text once."""

    language: str
    lines: tuple[Line, ...]

    @staticmethod
    def of(code: str, lines: Sequence[Line]) -> Shelf:
        """A shelf of these lines; those that only spelling sets apart are one."""
        return Shelf(code, tuple({(fold(x.text), x.thread): x for x in lines}.values()))

    @property
    def pairs(self) -> int:
        """How many pairs there are, those of two threads included."""
        return len(self.lines) * (len(self.lines) - 1) // 2


@dataclass(frozen=True, slots=True)
class Scored:
    """Two texts with both scores and what the product decides of them."""

    pair_id: str
    language: str
    a: str
    b: str
    shared: float
    published: float
    merges: bool
    why: str

    def label(self, same: bool) -> Pair:
        """The pair with its answer, as `bench dedup` reads it."""
        return Pair(self.pair_id, self.language, self.a, self.b, same, "labelled by hand")


#: The scores a threshold can be put on, by name.
SCORES: dict[str, Callable[[Scored], float]] = {
    "shared": lambda pair: pair.shared,
    "published": lambda pair: pair.published,
}


def scored(a: str, b: str, code: str) -> Scored:
    """Both scores of a pair; the same whichever text comes first."""
    a, b = sorted((a, b))
    words = language(code)
    compared = compare(a, b, words)
    resemblance = published_score(a, b, words)
    return Scored(
        identity(a, b, code), code, a, b, compared.score, resemblance, compared.same, compared.why
    )


def identity(a: str, b: str, code: str) -> str:
    """A name for a pair that stays the same from one run to the next."""
    said = "\0".join((code, *sorted((a, b))))
    return "p" + hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


# --- the distribution -----------------------------------------------------------------------------


def drawn(shelves: Sequence[Shelf], most: int = DRAWN, seed: int = 0) -> Iterator[Scored]:
    """Every pair that could meet, or `most` of them drawn at random (with a seed) when there are more."""
    every = sum(shelf.pairs for shelf in shelves)
    chosen: Iterator[tuple[Shelf, Line, Line]]
    if every <= most:
        chosen = ((s, a, b) for s in shelves for a, b in combinations(s.lines, 2))
    else:
        chosen = _random_pairs(shelves, most, random.Random(seed))
    return (scored(a.text, b.text, s.language) for s, a, b in chosen if a.meets(b))


def _random_pairs(
    shelves: Sequence[Shelf], most: int, rng: random.Random
) -> Iterator[tuple[Shelf, Line, Line]]:
    weights = [shelf.pairs for shelf in shelves]
    for shelf in rng.choices(shelves, weights, k=most):
        a, b = rng.sample(shelf.lines, 2)
        yield shelf, a, b


def histogram(values: Sequence[float], bins: int = BINS) -> list[int]:
    """How many values fall in each of equal bins of [0, 1]; 1 falls in the last."""
    counts = Counter(min(int(value * bins + 1e-9), bins - 1) for value in values)
    return [counts[n] for n in range(bins)]


# --- the nearest pairs ----------------------------------------------------------------------------


def nearest(shelves: Sequence[Shelf], most: int) -> list[Scored]:
    """The `most` nearest pairs by either score in turn. Order: nearest first, then by id.

    They are looked for among the pairs with the largest share of pieces in common.
    """
    close = heapq.nlargest(
        _POOL, (pair for shelf in shelves for pair in _close(shelf)), key=lambda pair: pair[0]
    )
    pool = {p.pair_id: p for p in (scored(a, b, code) for _, code, a, b in close)}
    ranked = [
        iter(sorted(pool.values(), key=lambda p, s=score: (-s(p), p.pair_id)))  # type: ignore[misc]
        for score in SCORES.values()
    ]
    found: dict[str, Scored] = {}
    while len(found) < min(most, len(pool)):
        for ranking in ranked:
            pair = next((p for p in ranking if p.pair_id not in found), None)
            if pair is not None and len(found) < most:
                found[pair.pair_id] = pair
    return list(found.values())


def _close(shelf: Shelf) -> Iterator[tuple[float, str, str, str]]:
    """Each pair with a piece of content in common: the share, the language and both texts."""
    words = language(shelf.language)
    contents = [{i.form for i in read(line.text, words).content} for line in shelf.lines]
    holding: dict[str, list[int]] = {}
    for n, forms in enumerate(contents):
        common = Counter(m for form in forms for m in holding.get(form, ()))
        for m, count in common.items():
            if shelf.lines[n].meets(shelf.lines[m]):
                share = count / max(len(forms), len(contents[m]))
                yield share, shelf.language, shelf.lines[m].text, shelf.lines[n].text
        for form in forms:
            holding.setdefault(form, []).append(n)


# --- what labels support --------------------------------------------------------------------------

Labelled = tuple[Scored, bool]
"""A pair, and whether keeping one of its texts loses nothing."""


@dataclass(frozen=True, slots=True)
class Step:
    """What merging from a threshold on would do to the labelled pairs."""

    threshold: float
    false_merges: int
    true_merges: int


@dataclass(frozen=True, slots=True)
class Support:
    """What labels say of one score: every threshold, and the lowest without a false merge, if any merges."""

    steps: tuple[Step, ...]
    lowest: Step | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the labels support, and how the product's own decision does on them."""

    same: int
    different: int
    support: dict[str, Support]
    false_merges: int
    true_merges: int
    disagreements: tuple[Labelled, ...]

    @property
    def is_enough(self) -> bool:
        """Whether there are enough pairs that differ to call a threshold read."""
        return self.different >= ENOUGH

    @property
    def could_be(self) -> float:
        """The share of wrong merges that none among these pairs still allows (95 %, Wilson)."""
        return interval(0, self.different)[1]


def judge(labelled: Sequence[Labelled]) -> Verdict:
    """What these labels support. Disagreements: false merges first, then missed ones."""
    same = sum(is_same for _, is_same in labelled)
    wrong = [(pair, is_same) for pair, is_same in labelled if pair.merges != is_same]
    return Verdict(
        same,
        len(labelled) - same,
        {name: support(labelled, score) for name, score in SCORES.items()},
        sum(pair.merges and not is_same for pair, is_same in labelled),
        sum(pair.merges and is_same for pair, is_same in labelled),
        tuple(sorted(wrong, key=lambda item: (item[1], item[0].pair_id))),
    )


def support(labelled: Sequence[Labelled], score: Callable[[Scored], float]) -> Support:
    """What each threshold of a score would do; thresholds are the scores that occur, the highest first."""
    steps = tuple(step(labelled, score, t) for t in sorted({score(p) for p, _ in labelled})[::-1])
    sound = [s for s in steps if s.true_merges and not s.false_merges]
    return Support(steps, sound[-1] if sound else None)


def step(labelled: Sequence[Labelled], score: Callable[[Scored], float], threshold: float) -> Step:
    """What merging from this threshold on would do."""
    merged = [is_same for pair, is_same in labelled if score(pair) >= threshold]
    return Step(threshold, merged.count(False), merged.count(True))
