"""Proposes how memories are called: from which cosine, with how much weight for words, and in how many places.

Each figure comes with what it was read on and how far it could be off; what was not read stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from souvenance.measure.recalling import Cosines, Floats, Masked, Said, Shelf
from souvenance.measure.report import interval
from souvenance.ports import Vector
from souvenance.read.calibrations import Calibration
from souvenance.read.plan import SLOTS
from souvenance.read.scores import Scores, cosines, read_query, score

#: Spreads above the mean of unrelated pairs between which a threshold is put: as many memories that have nothing to do
#: with a message then pass as there are places for recalled ones. Read on 2026-11-30 with `bench/recall_calibration.py`
#: on four sets of 24 labelled messages: among 100 memories 76, 69, 75 and 86 % of what belongs are served so, with two
#: spreads always 67, 62, 73 and 78 %; among 440 both are within a point (bundled embedder; the blend alike). Prefers to
#: call: what is called for nothing ranks behind what belongs.
SPREADS = (1.0, 2.0)

#: Memories and messages under which nothing is proposed. Chosen, not measured: with these the threshold is known to
#: about a third of a spread.
MEMORIES_NEEDED = 40
MESSAGES_NEEDED = 20

#: Related pairs from which places are proposed, and labelled ones from which a threshold is read off labels. Chosen,
#: not measured: with 30 the share that passes is known to about 17 points.
ENOUGH = 30

#: Related pairs under which no recall is told. Chosen, not measured: of fewer the interval says nothing.
FEW = 10

#: Spreads that are tried with labels, and how much of the best recall the highest of them may lose. Chosen, not
#: measured: two points are less than 30 labels can tell. Prefers to leave out what serves nobody.
TRIED = tuple(n / 4 for n in range(2, 13))
LOSS = 0.02

#: Weights of words that are tried, in spreads.
WEIGHTS = (0.0, 0.4, 0.8, 1.2, 1.6, 2.0, 2.5)

#: Numbers of places told, and over which weights of words are compared.
CUTS = (8, 16, 24)

#: Share of the recall in all 24 slots that the proposed places reach. Chosen, not measured. Prefers recall to room.
KNEE = 0.95

#: Draws of an interval.
_DRAWS = 400


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its interval of 95 %."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Trial:
    """A message, and the rows of the memories that belong to it; `hidden` rows do not compete."""

    shelf: Shelf
    said: Said
    text: str
    belong: frozenset[int]
    hidden: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled message: the rows that belong to it, and all that were shown."""

    shelf: Shelf
    said: Said
    belong: frozenset[int]
    shown: frozenset[int]


@dataclass(frozen=True, slots=True)
class InForce:
    """What holds now: the calibration, and the places of the recalled stage."""

    calibration: Calibration
    slots: int


@dataclass(frozen=True, slots=True)
class Passing:
    """The share of related pairs, and of unrelated ones, from a threshold on."""

    related: Figure
    strangers: float


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed in one language. `from_labels` False: related pairs are masked messages, words do not count."""

    threshold: Figure
    spread: float
    word_weight: float
    slots: int
    from_labels: bool
    labels: int  # pairs said to belong
    passing: Passing
    passing_now: Passing  # with the threshold in force
    called: tuple[
        float, float
    ]  # memories that a message calls: in the middle, and nine times in ten at most
    curve: tuple[Figure, ...]  # recall in 1 to 24 recalled places
    weights: Mapping[
        float, float
    ]  # mean recall over CUTS by weight of words; empty without enough labels
    trials: int


def propose(
    shelves: Sequence[Shelf],
    some: Sequence[Masked],
    found: Cosines,
    vectors: Mapping[str, Vector],
    now: InForce,
    judged: Sequence[Judged] = (),
    spreads: float | None = None,
) -> Proposal:
    """What these messages and memories support, read off the labels when there are ENOUGH of them.

    `spreads` puts the threshold so many above the mean of unrelated pairs, whatever there is room for.
    """
    labels = sum(len(j.belong) for j in judged)
    by_labels = labels >= ENOUGH
    spread = float(found.unrelated.std())
    read, related = _threshold(found, spreads or _by_room(found, now.slots)), found.related
    if by_labels:
        related = _labelled_cosines(judged, vectors)
        if spreads is None:
            read = _labelled_threshold(judged, vectors, found, now)
    made = replace(now.calibration, threshold=read.value, spread=spread)
    weights: dict[float, float] = {}
    if by_labels:
        trials = _trials(judged)
        made, weights = _weighed(trials, vectors, made)
        counted = made
    else:
        trials = [Trial(m.shelf, m.said, m.text, frozenset({m.row}), m.said.born - {m.row}) for m in some]  # fmt: skip
        counted = replace(made, word_weight=0.0)
    ranks = [ranked(t, vectors, counted) for t in trials]
    curve = tuple(_recall(ranks, n) for n in range(1, SLOTS + 1))
    called = _called(shelves, vectors, made)
    return Proposal(
        threshold=read,
        spread=spread,
        word_weight=made.word_weight,
        slots=_slots(curve, len(trials), called, now.slots),
        from_labels=by_labels,
        labels=labels,
        passing=_passing(found, related, read.value),
        passing_now=_passing(found, related, now.calibration.threshold),
        called=called,
        curve=curve if len(trials) >= FEW else (),
        weights=weights,
        trials=len(trials),
    )


def _passing(found: Cosines, related: Floats, threshold: float) -> Passing:
    hits = int((related >= threshold).sum())
    share = Figure(hits / max(len(related), 1), *interval(hits, len(related)))
    return Passing(share, float((found.unrelated >= threshold).mean()))


# --- the threshold --------------------------------------------------------------------------------


def _threshold(found: Cosines, spreads: float) -> Figure:
    """Mean and some spreads of unrelated pairs; the interval comes of drawing the messages again."""
    value = float(found.unrelated.mean() + spreads * found.unrelated.std())
    rng = np.random.default_rng(0)
    rows = found.by_message
    drawn = rows[rng.integers(0, len(rows), (_DRAWS, len(rows)))].sum(axis=1)
    means = drawn[:, 1] / drawn[:, 0]
    each = np.sqrt(np.maximum(drawn[:, 2] / drawn[:, 0] - means**2, 0))
    return _figure(value, means + spreads * each)


def _by_room(found: Cosines, slots: int) -> float:
    """The spreads above which as many unrelated memories pass as there are places, within SPREADS."""
    each = float(found.by_message[:, 0].mean())  # memories that a message could call
    at = float(np.quantile(found.unrelated, max(0.0, 1 - slots / each)))
    spread = float(found.unrelated.std()) or 1.0
    return float(np.clip((at - found.unrelated.mean()) / spread, *SPREADS))


def _labelled_threshold(
    judged: Sequence[Judged], vectors: Mapping[str, Vector], found: Cosines, now: InForce
) -> Figure:
    """The highest of the TRIED thresholds whose recall in the places is within LOSS of the best of them."""
    mean, spread = float(found.unrelated.mean()), float(found.unrelated.std())
    trials = _trials(judged)
    tried = [replace(now.calibration, threshold=mean + k * spread, spread=spread) for k in TRIED]
    shares = np.array(
        [[_share(ranked(t, vectors, c), now.slots) for t in trials] for c in tried], np.float64
    )

    def highest(recall: NDArray[np.float64]) -> float:
        return tried[int(np.flatnonzero(recall >= recall.max() - LOSS)[-1])].threshold

    rng = np.random.default_rng(0)
    draws = rng.integers(0, len(trials), (_DRAWS, len(trials)))
    drawn = np.array([highest(shares[:, draw].mean(axis=1)) for draw in draws], np.float64)
    return _figure(highest(shares.mean(axis=1)), drawn)


def _trials(judged: Sequence[Judged]) -> list[Trial]:
    return [Trial(j.shelf, j.said, j.said.text, j.belong, j.said.born) for j in judged if j.belong]


def _labelled_cosines(judged: Sequence[Judged], vectors: Mapping[str, Vector]) -> Floats:
    """The cosines of labelled messages with what belongs to them."""
    each = [cosines(j.shelf.corpus, vectors[j.said.text])[sorted(j.belong)] for j in judged]
    found = np.concatenate(each)
    return found[~np.isnan(found)]


# --- words and places -----------------------------------------------------------------------------


def ranked(trial: Trial, vectors: Mapping[str, Vector], calibration: Calibration) -> list[int]:
    """The place of each memory that belongs, among what the message calls; 0 for one that it does not call."""
    scores = _scores(trial.shelf, trial.text, vectors, calibration)
    corpus = trial.shelf.corpus
    runs = trial.shelf.open_to(trial.said)
    runs[list(trial.belong)] = True
    runs[list(trial.hidden - trial.belong)] = False
    places = []
    for row in sorted(trial.belong):
        ahead = (scores.key > scores.key[row]) | (
            (scores.key == scores.key[row]) & (corpus.rank < corpus.rank[row])
        )
        places.append(int((ahead & runs).sum()) + 1 if scores.eligible[row] else 0)
    return places


def _scores(
    one: Shelf, text: str, vectors: Mapping[str, Vector], calibration: Calibration
) -> Scores:
    return score(one.corpus, read_query(text, one.corpus.language, vectors[text]), calibration)


def _share(places: Sequence[int], slots: int) -> float:
    return sum(0 < place <= slots for place in places) / len(places)


def _recall(ranks: Sequence[Sequence[int]], slots: int) -> Figure:
    """Mean share of what belongs that stands in so many places; the interval comes of drawing the messages again."""
    shares = np.array([_share(places, slots) for places in ranks], np.float64)
    if not len(shares):
        return Figure(0.0, 0.0, 1.0)
    rng = np.random.default_rng(0)
    return _figure(
        float(shares.mean()),
        shares[rng.integers(0, len(shares), (_DRAWS, len(shares)))].mean(axis=1),
    )


def _weighed(
    trials: Sequence[Trial], vectors: Mapping[str, Vector], made: Calibration
) -> tuple[Calibration, dict[float, float]]:
    """The calibration with the weight of words that recalls most, where that is surely more than the one in force."""

    def shares(weight: float) -> NDArray[np.float64]:
        tried = replace(made, word_weight=weight)
        ranks = [ranked(t, vectors, tried) for t in trials]
        return np.array([np.mean([_share(p, n) for n in CUTS]) for p in ranks], np.float64)

    every = {w: shares(w) for w in sorted({*WEIGHTS, made.word_weight})}
    means = {w: float(s.mean()) for w, s in every.items()}
    best = max(means, key=lambda w: (means[w], -abs(w - made.word_weight)))
    more = every[best] - every[made.word_weight]
    rng = np.random.default_rng(0)
    drawn = more[rng.integers(0, len(more), (_DRAWS, len(more)))].mean(axis=1)
    surely = float(np.quantile(drawn, 0.025)) > 0
    return (replace(made, word_weight=best) if surely else made), means


def _called(
    shelves: Sequence[Shelf], vectors: Mapping[str, Vector], calibration: Calibration
) -> tuple[float, float]:
    counts = [
        int((_scores(one, said.text, vectors, calibration).eligible & one.open_to(said)).sum())
        for one in shelves
        for said in one.said
    ]
    return (float(np.median(counts)), float(np.quantile(counts, 0.9))) if counts else (0.0, 0.0)


def _slots(curve: Sequence[Figure], trials: int, called: tuple[float, float], in_force: int) -> int:
    """The fewest places that reach KNEE of the recall in all of them.

    As in force where there are too few trials, and where messages seldom call more than that many: fewer places would
    then free none, and leave too few when there are more memories.
    """
    knee = next((n for n, f in enumerate(curve, 1) if f.value >= KNEE * curve[-1].value), in_force)
    if trials < ENOUGH or called[1] <= in_force:
        return in_force
    return max(knee, CUTS[0])


def _figure(value: float, drawn: NDArray[np.float64]) -> Figure:
    low, high = np.quantile(drawn, (0.025, 0.975))
    return Figure(value, float(low), float(high))
