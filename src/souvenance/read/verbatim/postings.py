"""BM25 of the lines of one transcript, where the words of the lines around count too, each for its distance.

What answers a question often repeats none of its words: they stand in the message before, or in the one after.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Rows = NDArray[np.int32]

#: Lines before and after that `around` knows.
REACH = 3


@dataclass(frozen=True, slots=True)
class Around:
    """For each row the rows at offsets -REACH … +REACH in its thread, -1 where there is none. Shape (rows, 7)."""

    rows: Rows

    @staticmethod
    def empty() -> Around:
        """No row."""
        return Around(np.empty((0, 2 * REACH + 1), np.int32))

    def appended(self, threads: Sequence[Sequence[int]]) -> Around:
        """With new rows, each given as the last rows of its thread: up to REACH before it, and itself."""
        n = len(self.rows)
        grown = np.full((n + len(threads), 2 * REACH + 1), -1, np.int32)
        grown[:n] = self.rows
        for tail in threads:
            row = tail[-1]
            for back, other in enumerate(reversed(tail)):
                grown[row, REACH - back] = other
                grown[other, REACH + back] = row
        return Around(grown)


@dataclass(frozen=True, slots=True)
class Saturation:
    """How BM25 counts: `k1` bounds a repeated word, `b` weighs the length, `offsets` the lines around."""

    k1: float
    b: float
    offsets: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Postings:
    """Stem to the rows that hold it and how often, with the number of stems of each row."""

    by_stem: Mapping[str, tuple[Rows, Floats]]
    lengths: Floats

    @staticmethod
    def empty() -> Postings:
        """No stem, no row."""
        return Postings({}, np.empty(0, np.float32))

    def appended(self, texts: Sequence[Sequence[str]]) -> Postings:
        """With new rows at the end, each given as its stems."""
        incoming: dict[str, tuple[list[int], list[int]]] = {}
        for row, stems in enumerate(texts, len(self.lengths)):
            for stem in stems:
                into = incoming.setdefault(stem, ([], []))
                if into[0] and into[0][-1] == row:
                    into[1][-1] += 1
                else:
                    into[0].append(row)
                    into[1].append(1)
        by_stem = dict(self.by_stem)
        for stem, (rows, counts) in incoming.items():
            new_rows, new_counts = np.array(rows, np.int32), np.array(counts, np.float32)
            if stem in by_stem:
                old_rows, old_counts = by_stem[stem]
                new_rows = np.concatenate([old_rows, new_rows])
                new_counts = np.concatenate([old_counts, new_counts])
            by_stem[stem] = new_rows, new_counts
        lengths = np.concatenate([self.lengths, np.array([len(t) for t in texts], np.float32)])
        return Postings(by_stem, lengths)

    def idf(self, stem: str) -> float:
        """How much a stem tells in this transcript, most when it does not occur. Source: BM25 as in Lucene."""
        holding = len(self.by_stem[stem][0]) if stem in self.by_stem else 0
        return float(np.log1p((len(self.lengths) - holding + 0.5) / (holding + 0.5)))

    def score(self, stems: Iterable[str], around: Around, how: Saturation) -> Floats:
        """BM25 of every row for the distinct stems of a query, neighbours counted. Shape (rows,)."""
        rows = len(self.lengths)
        scores = np.zeros(rows, np.float32)
        known = sorted({stem for stem in stems if stem in self.by_stem})
        if not known:
            return scores
        lengths = self._lengths(around, how.offsets)
        mean = float(lengths.mean(dtype=np.float64)) or 1.0
        damp = (how.k1 * (1 - how.b + how.b * lengths / mean)).astype(np.float32)
        for stem in known:
            counted = self._spread(stem, around, how.offsets)
            scores += np.float32(self.idf(stem) * (how.k1 + 1)) * counted / (counted + damp)
        return scores

    def unit(self, how: Saturation) -> float:
        """What a stem that stands in one row can add to its score at most."""
        return float(np.log1p((len(self.lengths) - 0.5) / 1.5)) * (how.k1 + 1) or 1.0

    def _lengths(self, around: Around, offsets: Sequence[float]) -> Floats:
        """How many stems a row holds with those its neighbours lend it."""
        padded = np.append(self.lengths, np.float32(0))  # the last place stands for no row
        lengths: Floats = padded[around.rows] @ np.array(offsets, np.float32)
        return lengths

    def _spread(self, stem: str, around: Around, offsets: Sequence[float]) -> Floats:
        """How often a row holds a stem, plus what its neighbours lend it."""
        holders, counts = self.by_stem[stem]
        spread = np.zeros(len(self.lengths) + 1, np.float32)  # the last place takes what has no row
        for column, weight in enumerate(offsets):
            if weight:
                # A row at -1 from its holder sees the holder at +1: the columns run the other way.
                spread[around.rows[holders, 2 * REACH - column]] += np.float32(weight) * counts
        return spread[:-1]
