"""How much each sign counts in the order of found lines."""

from __future__ import annotations

from dataclasses import dataclass, field

from souvenance.read.verbatim.postings import Saturation


@dataclass(frozen=True, slots=True)
class Weights:
    """Units: standard deviations of a score over the transcript, but for `saturation`."""

    saturation: Saturation = field(
        default_factory=lambda: Saturation(0.7, 0.4, (0.1, 0.5, 0.6, 1.0, 0.5, 0.3, 0.1))
    )
    words: float = 0.7
    narrow: float = 0.4
    wide: float = 0.45
    asked: float = 2.5
    meant: float = 0.5
    days: float = 3.5
    when: float = 1.5
    length: float = 0.3
    asking: float = 0.6
    opening: float = 0.5


WEIGHTS = Weights()
