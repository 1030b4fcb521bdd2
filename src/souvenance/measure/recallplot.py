"""Draws the cosines of related and unrelated pairs, and recall against places, as one file that any browser opens.

It holds counts and shares, never a word of a memory, so that it can be shown around.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as Tree

import numpy as np

from souvenance.measure.plot import as_html, as_svg, canvas, shape, text
from souvenance.measure.proposal import Proposal
from souvenance.measure.recalling import Cosines, Floats

#: Pixels: the width and height of a panel, the room at its sides, above it and below it.
_WIDTH, _HEIGHT, _LEFT, _TOP, _GAP = 640, 160, 56, 70, 84

#: Bars of a distribution.
_BINS = 32


@dataclass(frozen=True, slots=True)
class Binned:
    """Both distributions over the same bins, each as shares of its own pairs."""

    edges: tuple[float, ...]
    unrelated: tuple[float, ...]
    related: tuple[float, ...]

    @property
    def highest(self) -> float:
        """The largest share of a bin."""
        return max(*self.unrelated, *self.related, 1e-9)


def binned(found: Cosines, bins: int) -> Binned:
    """The distributions over equal bins from the lowest to the highest cosine there is."""
    every = np.concatenate([found.unrelated, found.related])
    low, high = float(every.min()), float(every.max())
    edges = np.linspace(low, high if high > low else low + 1e-3, bins + 1)

    def shares(values: Floats) -> tuple[float, ...]:
        counts, _ = np.histogram(values, edges)
        return tuple((counts / max(len(values), 1)).tolist())

    return Binned(tuple(edges.tolist()), shares(found.unrelated), shares(found.related))


@dataclass(frozen=True, slots=True)
class Said:
    """The words of the drawing."""

    legend: str
    unrelated: str
    related: str
    proposed: str
    now: str
    recall: str
    places: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """One language: its title, the embedder, what was measured and what is proposed, and the threshold in force."""

    title: str
    embedder: str
    cosines: Cosines
    proposal: Proposal
    now: float


def drawing(path: Path, title: str, said: Said, some: Sequence[Drawn]) -> bytes:
    """The panels one under the other: a page when the file is an .html, else an SVG drawing."""
    each = 2 * (_HEIGHT + _GAP) + 60
    root = canvas(title, said.legend, _WIDTH + 2 * _LEFT, _TOP + max(1, len(some)) * each)
    for n, one in enumerate(some):
        top = _TOP + n * each
        text(root, _LEFT, top + 6, one.title, "")
        text(root, _LEFT, top + 22, one.embedder, "quiet")
        _distributions(root, one, said, top + 66)
        if one.proposal.curve:
            _curve(root, one.proposal, said, top + 66 + _HEIGHT + _GAP)
    return as_html(title, root) if path.suffix.lower() == ".html" else as_svg(root)


def _distributions(root: Tree.Element, one: Drawn, said: Said, top: float) -> None:
    shown, base = binned(one.cosines, _BINS), top + _HEIGHT
    low, high = shown.edges[0], shown.edges[-1]
    width = _WIDTH / _BINS

    def place(cosine: float) -> float:
        return _LEFT + _WIDTH * min(max((cosine - low) / (high - low), 0.0), 1.0)

    for kind, shares in (("bar", shown.unrelated), ("related", shown.related)):
        for n, share in enumerate(shares):
            if share:
                tall = _HEIGHT * share / shown.highest
                shape(root, "rect", kind, x=_LEFT + n * width + 0.5, y=base - tall, width=width - 1, height=tall)  # fmt: skip
    shape(root, "line", "axis", x1=_LEFT, y1=base, x2=_LEFT + _WIDTH, y2=base)
    for tenth in range(0, 11, 2):
        at = low + (high - low) * tenth / 10
        text(root, place(at), base + 14, f"{at:.2f}", "quiet", "middle")
    for n, (kind, words) in enumerate((("bar", said.unrelated), ("related", said.related))):
        y = base + 22 + 15 * n
        shape(root, "rect", kind, x=_LEFT, y=y, width=10, height=10)
        text(root, _LEFT + 16, y + 9, words, "quiet")
    marks = [(one.proposal.threshold.value, said.proposed, "line"), (one.now, said.now, "even")]
    for n, (at, words, kind) in enumerate(sorted(marks)):
        x = place(at)
        shape(root, "line", kind, x1=x, y1=top - 26, x2=x, y2=base)
        anchor = "end" if n == 0 else "start"  # the lower one to the left, the higher to the right
        if not _LEFT + 110 < x < _LEFT + _WIDTH - 110:
            anchor = "start" if x < _LEFT + _WIDTH / 2 else "end"
        told = f"{words} {at:.3f}"
        text(root, x - 5 if anchor == "end" else x + 5, top - 18 + 14 * n, told, "quiet", anchor)


def _curve(root: Tree.Element, made: Proposal, said: Said, top: float) -> None:
    """Recall in 1 to 24 places, with its interval as a band, and the places proposed."""
    base, last = top + _HEIGHT, len(made.curve)
    text(root, _LEFT, top - 10, said.recall, "")

    def place(slots: int, share: float) -> tuple[float, float]:
        return _LEFT + _WIDTH * slots / last, base - _HEIGHT * share

    for quarter in range(5):
        y = base - _HEIGHT * quarter / 4
        shape(root, "line", "axis", x1=_LEFT, y1=y, x2=_LEFT + _WIDTH, y2=y)
        text(root, _LEFT - 6, y + 4, f"{25 * quarter} %", "quiet", "end")
    upper = [place(n, f.high) for n, f in enumerate(made.curve, 1)]
    lower = [place(n, f.low) for n, f in enumerate(made.curve, 1)]
    _points(shape(root, "polygon", "band"), [*upper, *reversed(lower)])
    _points(shape(root, "polyline", "second"), [place(n, f.value) for n, f in enumerate(made.curve, 1)])  # fmt: skip
    for n in range(4, last + 1, 4):
        text(root, place(n, 0)[0], base + 14, str(n), "quiet", "middle")
    x = place(made.slots, 0)[0]
    shape(root, "line", "line", x1=x, y1=top, x2=x, y2=base)
    text(root, x - 5, base - 6, f"{said.places} {made.slots}", "quiet", "end")


def _points(drawn: Tree.Element, places: Sequence[tuple[float, float]]) -> None:
    drawn.set("points", " ".join(f"{x:.1f},{y:.1f}" for x, y in places))
