"""The collector rests while something large is built, and only then."""

from __future__ import annotations

import gc

import pytest

from souvenance.read.uncollected import uncollected


def test_the_collector_comes_back_after_the_last_build() -> None:
    """Two views may be read at once, and a build may fail."""
    assert gc.isenabled()
    with uncollected():
        assert not gc.isenabled()
        with pytest.raises(ValueError, match="broken"), uncollected():
            raise ValueError("broken")
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    """Some applications collect when it suits them."""
    gc.disable()
    try:
        with uncollected():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
