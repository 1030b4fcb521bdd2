"""Words of a line and of those around it, each for its distance and inside its thread."""

from __future__ import annotations

import numpy as np
import pytest

from souvenance.read.verbatim.postings import REACH, Around, Postings, Saturation

#: No saturation to speak of and no length: a score is a count, times what a stem tells.
COUNTS = Saturation(1e6, 0.0, (0.1, 0.5, 0.6, 1.0, 0.5, 0.3, 0.1))


def around(rows: int) -> Around:
    """One thread of that many lines."""
    return Around.empty().appended(
        [tuple(range(max(row - REACH, 0), row + 1)) for row in range(rows)]
    )


def test_neighbours_count_by_their_offset() -> None:
    """A line three after the word sees it at -3, one before it at +1."""
    texts = [["a"], ["a"], ["a"], ["kiln"], ["a"], ["a"], ["a"]]
    postings = Postings.empty().appended(texts)
    scores = postings.score(["kiln"], around(7), COUNTS) / postings.idf("kiln")
    assert scores == pytest.approx([0.1, 0.3, 0.5, 1.0, 0.6, 0.5, 0.1], rel=1e-3)


def test_another_thread_lends_nothing() -> None:
    """Rows side by side, threads apart."""
    both = Around.empty().appended([(0,), (1,), (0, 2), (1, 3)])
    scores = (
        Postings.empty().appended([["kiln"], ["a"], ["a"], ["a"]]).score(["kiln"], both, COUNTS)
    )
    assert (scores > 0).tolist() == [True, False, True, False]


def test_a_repeated_word_is_bounded() -> None:
    """Ten times the word is not ten times the answer."""
    how = Saturation(0.7, 0.0, (0, 0, 0, 1, 0, 0, 0))
    once, often = (
        Postings.empty().appended([["kiln"], ["kiln"] * 10]).score(["kiln"], around(2), how)
    )
    assert once < often < 1.7 * once


def test_a_word_of_few_lines_tells_more() -> None:
    """And one that never stands there most of all, though no line is found by it."""
    postings = Postings.empty().appended([["a", "b"], ["a"], ["a", "c"]])
    assert postings.idf("a") < postings.idf("b") < postings.idf("z")
    assert not postings.score(["z"], around(3), COUNTS).any()
    assert postings.score(["a"], around(3), COUNTS).max() <= postings.unit(COUNTS)


def test_appended_rows_are_those_of_one_build() -> None:
    """Whatever the steps."""
    texts = [["a", "b"], [], ["b", "b"], ["c"]]
    whole, moved = Postings.empty().appended(texts), Postings.empty()
    for text in texts:
        moved = moved.appended([text])
    how = Saturation(0.7, 0.4, COUNTS.offsets)
    assert np.array_equal(
        whole.score(["a", "b", "c"], around(4), how), moved.score(["a", "b", "c"], around(4), how)
    )
