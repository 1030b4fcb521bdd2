"""A piece of an identifier is found however it is written, and only where it stands alone."""

from __future__ import annotations

import pytest

from souvenance.pieces import Piece, without

CASES = [
    ("06 12 34", "my number starts 06 12 34", "my number starts [x]"),
    ("06 12 34", "it starts 061234, or 06.12.34", "it starts [x], or [x]"),
    ("06 12 34", "1061234 and 06 12 345 are others", "1061234 and 06 12 345 are others"),
    ("34", "340 grams for 34", "340 grams for [x]"),
    ("lea.martin@", "Lea.Martin@ what?", "[x] what?"),
    ("zéro six  douze", "ça commence par zéro six douze", "ça commence par [x]"),
    ("@exemple.fr", "la suite : @exemple.fr", "la suite : [x]"),
    (" ", "nothing to take out", "nothing to take out"),
]


@pytest.mark.parametrize(("piece", "text", "left"), CASES)
def test_a_piece_is_replaced_by_its_mark(piece: str, text: str, left: str) -> None:
    """A model spaces digits in its own way; a longer number is another one."""
    assert without(text, [Piece(piece, "[x]")]) == left


def test_a_piece_is_not_shown_by_what_holds_it() -> None:
    """A log or a traceback prints writes."""
    assert "06" not in repr(Piece("06 12 34", "[phone]"))
