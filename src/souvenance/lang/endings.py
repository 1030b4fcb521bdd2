"""Lists of endings (`past_endings.txt`…): what a word ends with, and how many letters stand before it at least.

Each dot before an ending is a letter that must be there: `..ly` is in "only" and not in "fly".
"""

from __future__ import annotations

from collections.abc import Iterable


class Endings:
    """The endings of one list."""

    def __init__(self, entries: Iterable[str] = ()) -> None:
        self._least = {e.lstrip("."): len(e) for e in sorted(entries)}
        self._all = tuple(self._least)

    def end(self, word: str) -> bool:
        """Whether the word ends with one of them, with letters enough before it."""
        if not word.endswith(self._all):
            return False
        return any(len(word) >= n and word.endswith(e) for e, n in self._least.items())
