"""The drawing is one well-formed file that needs nothing else."""

from __future__ import annotations

from xml.etree import ElementTree as Tree

from souvenance.measure.plot import Mark, Panel, html, svg

PANEL = Panel("Shared & common", [100, 0, 3], [0.9], [0.2, 0.3], [Mark(0.8, "from <here>")])
SVG = "{http://www.w3.org/2000/svg}"


def test_the_drawing_shows_bars_labels_and_lines() -> None:
    """One bar a bin, one dot a label, one line a threshold."""
    root = Tree.fromstring(svg("Title <1>", "legend", [PANEL, PANEL]))
    assert len(root.findall(f"{SVG}rect")) == 6
    assert len(root.findall(f"{SVG}circle")) == 6
    heights = [float(bar.attrib["height"]) for bar in root.findall(f"{SVG}rect")][:3]
    assert heights[0] == 150
    assert heights[1] == 0
    assert 0 < heights[2] < 150
    assert "from <here>" in [t.text for t in root.findall(f"{SVG}text")]


def test_nothing_is_loaded_from_elsewhere() -> None:
    """It opens without a network, and asks nobody for anything."""
    page = html("Title", "legend", [PANEL]).decode()
    assert page.startswith("<!doctype html>")
    assert page.count("http") == 1  # the name of the SVG namespace
    assert "<script" not in page


def test_a_distribution_without_pairs_is_drawn_empty() -> None:
    """No memory yet is not an error."""
    root = Tree.fromstring(svg("", "", [Panel("x", [0, 0], [], [], [])]))
    assert [bar.attrib["height"] for bar in root.findall(f"{SVG}rect")] == ["0.0", "0.0"]
