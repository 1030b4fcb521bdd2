"""The drawing of shares over time is one well-formed file that needs nothing else."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as Tree

from souvenance.measure.overtime import Bars, Curve, Curves, drawing, drawn

SVG = "{http://www.w3.org/2000/svg}"
PANELS = [
    Curves(
        "Shares <over> time",
        [Curve("first", "never", [(50, 1.0), (100, 0.5)]), Curve("second", "ever", [(50, 0.5)])],
    ),
    Bars("By kind", [("fact", 0.25, "1 / 4"), ("promise", 0.0, "0 / 2")]),
]


def test_lines_go_where_their_shares_are() -> None:
    """A full share is at the top of the panel, half at half its height; one point alone is a dot."""
    root = Tree.fromstring(drawn(Path("a.svg"), "Title <1>", "legend", PANELS))
    (line,) = root.findall(f"{SVG}polyline")
    (x1, y1), (x2, y2) = [map(float, p.split(",")) for p in line.attrib["points"].split()]
    assert x1 < x2
    assert y2 - y1 == 75
    assert len(root.findall(f"{SVG}circle")) == 3
    assert [b.attrib["width"] for b in root.findall(f"{SVG}rect")] == ["125.0", "0.0"]


def test_labels_of_lines_that_end_together_stand_apart() -> None:
    """Two names on one spot are no names."""
    curves = [Curve("first", "one", [(1, 0.5)]), Curve("second", "two", [(1, 0.5)])]
    root = drawing("", "", [Curves("", curves)])
    heights = {t.text: float(t.attrib["y"]) for t in root.findall("text") if t.text in ("one", "two")}  # fmt: skip
    assert abs(heights["one"] - heights["two"]) >= 12


def test_a_page_loads_nothing_and_an_empty_one_is_drawn() -> None:
    """No turn yet is not an error."""
    page = drawn(Path("a.html"), "Title", "legend", [Curves("none", []), Bars("none", [])]).decode()
    assert page.startswith("<!doctype html>")
    assert page.count("http") == 1
    assert "<script" not in page
