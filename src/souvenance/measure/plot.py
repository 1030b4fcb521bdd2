"""Draws the distribution of pair scores as one file that any browser opens, without a drawing library.

It holds counts and scores, never a word of a memory, so that it can be shown around.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from math import log10
from xml.etree import ElementTree as Tree

#: Pixels: the width of a panel, the height of its bars, and the room around them.
_WIDTH, _HEIGHT, _LEFT, _TOP, _GAP = 720, 150, 56, 70, 96


#: Colours for a viewer that reads no style sheet; `plot.css` has them for the others.
_PLAIN = {
    "bar": {"fill": "#7d93a8"},
    "related": {"fill": "#2f7d4f", "fill-opacity": "0.6"},
    "band": {"fill": "#3f6f9f", "fill-opacity": "0.15"},
    "axis": {"stroke": "#b9b4a8"},
    "same": {"fill": "#2f7d4f"},
    "different": {"fill": "#b3402e"},
    "line": {"stroke": "#3a3a3a"},
    "quiet": {"font-size": "11"},
    "first": {"fill": "none", "stroke": "#b3402e", "stroke-width": "2"},
    "second": {"fill": "none", "stroke": "#3f6f9f", "stroke-width": "2"},
    "even": {"fill": "none", "stroke": "#8a867c", "stroke-width": "1.5"},
}


@dataclass(frozen=True, slots=True)
class Mark:
    """A vertical line at a score, with what it says."""

    at: float
    said: str


@dataclass(frozen=True, slots=True)
class Panel:
    """One score: how many pairs fall in each bin, the scores of the labelled pairs, and lines to draw."""

    title: str
    counts: Sequence[int]
    same: Sequence[float]
    different: Sequence[float]
    marks: Sequence[Mark]


def svg(title: str, legend: str, panels: Sequence[Panel]) -> bytes:
    """The panels one under the other, as an SVG file. Bars are logarithmic: most pairs have nothing in common."""
    return as_svg(_drawing(title, legend, panels))


def html(title: str, legend: str, panels: Sequence[Panel]) -> bytes:
    """The same as a page of its own."""
    return as_html(title, _drawing(title, legend, panels))


def as_svg(drawing: Tree.Element) -> bytes:
    """A drawing as the bytes of an SVG file."""
    return bytes(Tree.tostring(drawing, encoding="utf-8", xml_declaration=True))


def as_html(title: str, drawing: Tree.Element) -> bytes:
    """A drawing as the bytes of a page of its own."""
    page = Tree.Element("html")
    head = Tree.SubElement(page, "head")
    Tree.SubElement(head, "meta", charset="utf-8")
    Tree.SubElement(head, "title").text = title
    Tree.SubElement(page, "body").append(drawing)
    return b"<!doctype html>\n" + bytes(Tree.tostring(page, encoding="utf-8", method="html"))


def canvas(title: str, legend: str, width: float, height: float) -> Tree.Element:
    """An empty drawing with its style, its title and one line under it."""
    root = Tree.Element(
        "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {height}", role="img"
    )
    Tree.SubElement(root, "title").text = title
    Tree.SubElement(root, "style").text = files(__package__).joinpath("plot.css").read_text("utf-8")
    text(root, _LEFT, 24, title, "title")
    text(root, _LEFT, 44, legend, "quiet")
    return root


def _drawing(title: str, legend: str, panels: Sequence[Panel]) -> Tree.Element:
    height = _TOP + len(panels) * (_HEIGHT + _GAP)
    root = canvas(title, legend, _WIDTH + 2 * _LEFT, height)
    for n, panel in enumerate(panels):
        _panel(root, panel, _TOP + n * (_HEIGHT + _GAP))
    return root


def _panel(root: Tree.Element, panel: Panel, top: int) -> None:
    base = top + 30 + _HEIGHT
    text(root, _LEFT, top + 6, panel.title, "")
    highest = log10(1 + max(panel.counts, default=0)) or 1
    width = _WIDTH / max(len(panel.counts), 1)
    for n, count in enumerate(panel.counts):
        tall = _HEIGHT * log10(1 + count) / highest
        bar = shape(root, "rect", "bar", x=_LEFT + n * width + 1, y=base - tall,
                     width=width - 2, height=tall)  # fmt: skip
        Tree.SubElement(bar, "title").text = str(count)
        if count:
            text(root, _LEFT + (n + 0.5) * width, base - tall - 3, str(count), "quiet", "middle")
    shape(root, "line", "axis", x1=_LEFT, y1=base, x2=_LEFT + _WIDTH, y2=base)
    for tenth in range(0, 11, 2):
        text(root, _LEFT + _WIDTH * tenth / 10, base + 14, f"{tenth / 10:.1f}", "quiet", "middle")
    for kind, scores, row in (("same", panel.same, 24), ("different", panel.different, 34)):
        for score in scores:
            shape(root, "circle", kind, cx=_LEFT + _WIDTH * score, cy=base + row, r=3.5)
    for n, mark in enumerate(panel.marks):
        x = _LEFT + _WIDTH * mark.at
        shape(root, "line", "line", x1=x, y1=base - _HEIGHT - 16, x2=x, y2=base + 38)
        text(root, x - 4, base - _HEIGHT - 8 + 14 * n, mark.said, "quiet", "end")


def shape(root: Tree.Element, name: str, kind: str, **places: float) -> Tree.Element:
    """A shape of a kind that `plot.css` knows, added to the drawing."""
    written = {key: f"{value:.1f}" for key, value in places.items()}
    return Tree.SubElement(root, name, {"class": kind, **_PLAIN.get(kind, {}), **written})


def text(
    root: Tree.Element, x: float, y: float, said: str, kind: str, anchor: str = "start"
) -> None:
    """Words at a place of the drawing."""
    places = {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor, "class": kind}
    Tree.SubElement(root, "text", {**places, **_PLAIN.get(kind, {})}).text = said
