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
    words: float = 0.71
    narrow: float = 0.54
    wide: float = 0.37
    asked: float = 0.5
    days: float = 1.0
    when: float = 0.3
    length: float = 0.2
    asking: float = 0.3


WEIGHTS = Weights()
