"""A view with what several finders read of it, each worked out once and only when asked for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from souvenance.write.filters.identifiers.cues import REACH, pattern
from souvenance.write.filters.identifiers.phones import Group
from souvenance.write.filters.identifiers.runs import runs_of
from souvenance.write.filters.identifiers.spelled import Atom, in_digits, said_numbers
from souvenance.write.filters.identifiers.view import Span, View

#: Characters from a word to what it may announce or name: the reach of cues with the longest of them.
_NEAR = REACH + 24


@dataclass(frozen=True)
class Reading:
    """One state of the text: what was found so far is cut out of `view`."""

    view: View

    @cached_property
    def said(self) -> Sequence[Atom]:
        """The numbers said in words, in order."""
        return said_numbers(self.view.plain)

    @cached_property
    def digits(self) -> View:
        """The view with said numbers as digits; the view itself when nothing is said."""
        return in_digits(self.view, self.said) if self.said else self.view

    @cached_property
    def runs(self) -> Sequence[Sequence[Group]]:
        """Digit groups that may belong to one number, in order."""
        return list(runs_of(self.view.plain, self.said))

    @cached_property
    def cue_places(self) -> Sequence[int]:
        """Where the words stand that announce a telephone or a card, in order."""
        names = ("phone_cues", "card_cues")
        return sorted(m.start() for n in names for m in pattern(n).finditer(self.view.plain))

    def is_told(self, start: int, end: int) -> bool:
        """Whether such a word stands so near to this stretch that it may speak of it."""
        at = bisect_left(self.cue_places, start - _NEAR)
        return at < len(self.cue_places) and self.cue_places[at] <= end + _NEAR

    def cut(self, spans: Sequence[Span]) -> Reading:
        """The reading without these spans (in order, apart); the same one when there is none."""
        return Reading(self.view.cut(spans)) if spans else self
