"""Which calibration and which plan are in force: what the embedder came with, or what was read of the person's memories.

What was read for one embedder says nothing of another, so that it counts for the one it names alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from souvenance.domain import Character
from souvenance.read.calibrations import Calibration, calibration_of
from souvenance.read.plan import PLANS, Plan, with_recalled

if TYPE_CHECKING:
    from souvenance.settings import ReadSettings, Settings


@dataclass(frozen=True, slots=True)
class Readings:
    """What the settings say of one embedder, by its name and the threshold it came with (None: no embedder)."""

    settings: Settings
    embedder: str | None
    threshold: float = 1.0  # never compared with where there is no embedder: there is no cosine

    def calibration(self, language: str) -> Calibration:
        """How to read cosines in a language: as read for this embedder, else its own threshold as it is set."""
        own = calibration_of(self.embedder or "", language, self.threshold)
        given = self.settings.embedder.threshold
        own = own.with_settings(threshold=given, spread=None, word_weight=None)
        read = self._read(language)
        if read is None:
            return own
        return own.with_settings(
            threshold=read.threshold, spread=read.spread, word_weight=read.word_weight
        )

    def plan(self, character: Character) -> Plan:
        """The plan of a character, with the places for recalled memories that were read in its language."""
        return with_recalled(PLANS[character.plan], self.places(character.language))

    def places(self, language: str) -> int | None:
        """The places for recalled memories that were read in a language; None where none were."""
        read = self._read(language)
        return read.slots if read else None

    def ignored(self, languages: tuple[str, ...]) -> dict[str, str]:
        """The languages whose settings were read for another embedder, with its name."""
        named = {code: self.settings.recall.of(code).embedder for code in languages}
        return {code: name for code, name in named.items() if name and name != self.embedder}

    def _read(self, language: str) -> ReadSettings | None:
        read = self.settings.recall.of(language)
        return read if self.embedder is not None and read.embedder == self.embedder else None
