"""Draws recall against the number of memories as one SVG or page, without a drawing library.

Sizes stand on a logarithmic axis; a thin band shows the sets of distractors from worst to best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10
from xml.etree import ElementTree as Tree

#: Pixels: the plot, the room to its left and above, and the height of a line of the legend.
_WIDTH, _HEIGHT, _LEFT, _TOP, _LINE = 640, 320, 56, 48, 18

_COLOURS = ("#1f6f8b", "#2f7d4f", "#8a5a00", "#b3402e", "#7b3f8c", "#5b6770", "#8d8674", "#b9b4a8")

#: Size, mean, worst and best recall.
Point = tuple[int, float, float, float]


@dataclass(frozen=True, slots=True)
class Series:
    """One line of the plot; baselines are dashed."""

    name: str
    points: tuple[Point, ...]
    dashed: bool


def drawn(title: str, series: Sequence[Series], *, page: bool) -> bytes:
    """The plot as an SVG file, or as a page of its own."""
    root = _drawing(title, series)
    if not page:
        return bytes(Tree.tostring(root, encoding="utf-8", xml_declaration=True))
    whole = Tree.Element("html")
    head = Tree.SubElement(whole, "head")
    Tree.SubElement(head, "meta", charset="utf-8")
    Tree.SubElement(head, "title").text = title
    Tree.SubElement(whole, "body").append(root)
    return b"<!doctype html>\n" + bytes(Tree.tostring(whole, encoding="utf-8", method="html"))


def _drawing(title: str, series: Sequence[Series]) -> Tree.Element:
    height = _TOP + _HEIGHT + 48 + _LINE * len(series)
    root = Tree.Element("svg", xmlns="http://www.w3.org/2000/svg", role="img",
                        viewBox=f"0 0 {_WIDTH + 2 * _LEFT} {height}")  # fmt: skip
    root.set("font-family", "system-ui, sans-serif")
    Tree.SubElement(root, "title").text = title
    Tree.SubElement(root, "rect", width="100%", height="100%", fill="#ffffff")
    _text(root, _LEFT, 26, title, size=15)
    sizes = sorted({point[0] for one in series for point in one.points})
    for tenth in range(0, 11, 2):
        at = _y(tenth / 10)
        _line(root, [(_LEFT, at), (_LEFT + _WIDTH, at)], "#e4e0d6")
        _text(root, _LEFT - 8, at + 4, f"{tenth / 10:.1f}", anchor="end")
    for n in sizes:
        _text(root, _x(n, sizes), _y(0) + 18, f"{n:,}", anchor="middle")
    _text(root, _LEFT + _WIDTH / 2, _y(0) + 34, "memories", anchor="middle")
    for n, one in enumerate(series):
        colour = _COLOURS[n % len(_COLOURS)]
        _series(root, one, colour, sizes)
        at = _y(0) + 56 + _LINE * n
        _line(root, [(_LEFT, at), (_LEFT + 26, at)], colour, width=2, dashed=one.dashed)
        _text(root, _LEFT + 34, at + 4, one.name)
    return root


def _series(root: Tree.Element, one: Series, colour: str, sizes: Sequence[int]) -> None:
    low = [(_x(n, sizes), _y(worst)) for n, _, worst, _ in one.points]
    high = [(_x(n, sizes), _y(best)) for n, _, _, best in one.points]
    outline = " ".join(f"{x:.1f},{y:.1f}" for x, y in [*low, *reversed(high)])
    Tree.SubElement(root, "polygon", {"points": outline, "fill": colour, "fill-opacity": "0.10"})
    _line(
        root,
        [(_x(n, sizes), _y(v)) for n, v, _, _ in one.points],
        colour,
        width=2,
        dashed=one.dashed,
    )


def _x(size: int, sizes: Sequence[int]) -> float:
    low, high = log10(sizes[0]), log10(sizes[-1])
    return _LEFT + _WIDTH * ((log10(size) - low) / (high - low) if high > low else 0.5)


def _y(value: float) -> float:
    return _TOP + _HEIGHT * (1 - value)


def _line(
    root: Tree.Element,
    points: Sequence[tuple[float, float]],
    colour: str,
    *,
    width: float = 1,
    dashed: bool = False,
) -> None:
    written = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    line = Tree.SubElement(root, "polyline", points=written, fill="none", stroke=colour)
    line.set("stroke-width", str(width))
    if dashed:
        line.set("stroke-dasharray", "5 4")


def _text(
    root: Tree.Element, x: float, y: float, said: str, *, anchor: str = "start", size: int = 12
) -> None:
    at = {
        "x": f"{x:.1f}",
        "y": f"{y:.1f}",
        "text-anchor": anchor,
        "font-size": str(size),
        "fill": "#3a3a3a",
    }
    Tree.SubElement(root, "text", at).text = said
