"""A language is a folder: no module that reads texts asks which one it has before it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import souvenance

SOURCE = Path(souvenance.__file__).parent

#: A test of a code ("code == 'fr'"), or a loop over the two languages there were first.
_ASKS = re.compile(
    r"""\bcode [!=]= ["']|\(["'](?:fr|en)["'], ["'](?:fr|en)["']\)|\{["'](?:fr|en)["']:"""
)


@pytest.mark.parametrize("folder", ["write", "read", "tend", "curate"])
def test_no_reader_of_texts_tests_a_language_code(folder: str) -> None:
    """What tells two languages apart is a list or a trait; every language is `souvenance.lang.codes()`."""
    found = [
        f"{path.relative_to(SOURCE)}:{n}: {line.strip()}"
        for path in sorted((SOURCE / folder).rglob("*.py"))
        for n, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if _ASKS.search(line)
    ]
    assert found == []


def test_such_a_test_would_be_seen() -> None:
    """The three ways in which it was written."""
    for line in ('if words.code == "fr":', 'for c in ("en", "fr"):', '{"fr": "le"}.get(code)'):
        assert _ASKS.search(line), line
