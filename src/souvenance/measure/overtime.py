"""Draws shares over the turns of a talk, and bars of where they stand now, as one file that any browser opens.

It holds counts and shares, never a word of a memory, so that it can be shown around.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree as Tree

from souvenance.measure.plot import as_html, as_svg, canvas, shape, text

#: Pixels: the width and height of a panel, the room at its sides, above it and below it.
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _GAP = 620, 150, 56, 200, 70, 66

#: Pixels between two labels of lines that end close to each other, and of a bar with its room.
_LABEL, _BAR = 15, 24


@dataclass(frozen=True, slots=True)
class Curve:
    """One line: its shares (0 to 1) by turn, and what is written at its end."""

    style: Literal["first", "second", "even"]
    said: str
    points: Sequence[tuple[int, float]]


@dataclass(frozen=True, slots=True)
class Curves:
    """Lines over the same turns, under a title."""

    title: str
    curves: Sequence[Curve]


@dataclass(frozen=True, slots=True)
class Bars:
    """A share (0 to 1) for each of some names, with what is written beside it."""

    title: str
    rows: Sequence[tuple[str, float, str]]


def drawn(path: Path, title: str, legend: str, panels: Sequence[Curves | Bars]) -> bytes:
    """The panels one under the other: a page when the file is an .html, else an SVG drawing."""
    root = drawing(title, legend, panels)
    return as_html(title, root) if path.suffix.lower() == ".html" else as_svg(root)


def drawing(title: str, legend: str, panels: Sequence[Curves | Bars]) -> Tree.Element:
    """The panels one under the other."""
    tall = [_HEIGHT if isinstance(p, Curves) else _BAR * len(p.rows) for p in panels]
    height = _TOP + sum(tall) + len(panels) * _GAP
    root = canvas(title, legend, _LEFT + _WIDTH + _RIGHT, height)
    top = _TOP
    for panel, high in zip(panels, tall, strict=True):
        text(root, _LEFT, top + 6, panel.title, "")
        if isinstance(panel, Curves):
            _curves(root, panel, top + 22)
        else:
            _bars(root, panel, top + 22)
        top += high + _GAP
    return root


def _curves(root: Tree.Element, panel: Curves, top: float) -> None:
    base = top + _HEIGHT
    turns = [turn for curve in panel.curves for turn, _ in curve.points]
    last = max(turns, default=1)
    for quarter in range(5):
        y = base - _HEIGHT * quarter / 4
        shape(root, "line", "axis", x1=_LEFT, y1=y, x2=_LEFT + _WIDTH, y2=y)
        text(root, _LEFT - 6, y + 4, f"{25 * quarter} %", "quiet", "end")
    for turn in sorted({*turns[:: max(1, len(set(turns)) // 8)], last} if turns else ()):
        if turn == last or (last - turn) / last > 0.06:
            text(root, _LEFT + _WIDTH * turn / last, base + 15, str(turn), "quiet", "middle")
    for curve, y in zip(panel.curves, _apart(panel.curves, base), strict=True):
        places = [(_LEFT + _WIDTH * t / last, base - _HEIGHT * share) for t, share in curve.points]
        if len(places) > 1:
            line = shape(root, "polyline", curve.style)
            line.set("points", " ".join(f"{x:.1f},{y:.1f}" for x, y in places))
        for x, at in places if len(places) <= 40 else places[-1:]:
            shape(root, "circle", f"dot-{curve.style}", cx=x, cy=at, r=2.5)
        if places:
            text(root, _LEFT + _WIDTH + 8, y + 4, curve.said, "quiet")


def _apart(curves: Sequence[Curve], base: float) -> list[float]:
    """Where the label of each line stands: at its end, unless another one is too close."""
    ends = [base - _HEIGHT * (curve.points[-1][1] if curve.points else 0.0) for curve in curves]
    taken: list[float] = []
    for n in sorted(range(len(ends)), key=lambda n: ends[n]):
        ends[n] = max(ends[n], taken[-1] + _LABEL) if taken else ends[n]
        taken.append(ends[n])
    return ends


def _bars(root: Tree.Element, panel: Bars, top: float) -> None:
    left, width = _LEFT + 120, _WIDTH - 120
    for n, (name, share, said) in enumerate(panel.rows):
        y = top + _BAR * n
        text(root, left - 8, y + 13, name, "quiet", "end")
        shape(root, "rect", "bar", x=left, y=y + 2, width=width * share, height=_BAR - 9)
        text(root, left + width * share + 6, y + 13, said, "quiet")
    shape(root, "line", "axis", x1=left, y1=top, x2=left, y2=top + _BAR * len(panel.rows))
