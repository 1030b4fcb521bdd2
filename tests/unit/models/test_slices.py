"""An indexing run is cut so that a query never waits long for the piece before it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from souvenance.models.embed.local import slices


@given(st.lists(st.text("ab", max_size=2_000), max_size=60))
def test_slices_hold_every_text_in_order_and_stay_short(texts: list[str]) -> None:
    """The longest slice is what a turn's query may wait for."""
    parts = list(slices(texts, 2_000))
    assert [t for part in parts for t in part] == texts
    assert all(len(part) == 1 or sum(map(len, part)) <= 2_000 for part in parts)
    assert all(0 < len(part) <= 101 for part in parts)
