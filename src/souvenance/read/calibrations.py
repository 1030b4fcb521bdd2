"""What the cosines of an embedder mean: read for each and for each language, never shared between two.

One model gives 0.8 to texts that have nothing in common, another gives 0.3 to two that say the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

#: Spreads of unrelated pairs that a full match of words adds. Read on 2026-11-30 with `bench/recall_fusion.py`, which
#: prints every fusion that was tried.
WORD_WEIGHT = 1.2

#: Spread of the cosines of unrelated texts for an embedder nobody calibrated. Chosen, not measured: near that of the
#: models below. `souvenance calibrate recall` reads yours.
SPREAD = 0.07


@dataclass(frozen=True, slots=True)
class Calibration:
    """How to read one embedder's cosines in one language.

    `threshold`: from which a memory has to do with a message. `spread`: standard deviation of unrelated pairs.
    `word_weight`: spreads that a full match of words adds. Units: cosine, but for the last.
    """

    threshold: float
    spread: float = SPREAD
    word_weight: float = WORD_WEIGHT

    def with_settings(
        self, *, threshold: float | None, spread: float | None, word_weight: float | None
    ) -> Calibration:
        """This one where nothing is set."""
        given = {"threshold": threshold, "spread": spread, "word_weight": word_weight}
        return replace(self, **{k: v for k, v in given.items() if v is not None})


def _read(**pairs: tuple[float, float]) -> Mapping[str, Calibration]:
    """Threshold and spread by language; the languages that are not listed are read as French, the wider model."""
    by_language = {code: Calibration(*pair) for code, pair in pairs.items()}
    return {**by_language, "": by_language["fr"]}


#: By name of the embedder and code of the language. Read on 2026-11-30 with `bench/recall_fusion.py` on messages and
#: memories that have nothing to do with each other (four sets of 440 and 1,060 memories); a threshold is their mean and
#: one and a half spreads: one in twelve of them passes, and seven in ten of those that answer (two spreads: one in twenty,
#: and six in ten). Prefers to let in: places go by relevance among what passes, and by standing among what does not.
#: "" is for every other language.
READ: Mapping[str, Mapping[str, Calibration]] = {
    "use-multilingual-3": _read(fr=(0.192, 0.071), en=(0.179, 0.072)),
    "e5-small-q4": _read(fr=(0.839, 0.014), en=(0.800, 0.019)),
    "all-minilm-l6-v2-int8": _read(fr=(0.534, 0.057), en=(0.205, 0.078)),
    "use-multilingual-3+e5-small-q4": _read(fr=(0.604, 0.019), en=(0.533, 0.034)),
    "use-multilingual-3+all-minilm-l6-v2-int8": _read(fr=(0.135, 0.050), en=(0.167, 0.062)),
    "use-multilingual-3+e5-small-q4+all-minilm-l6-v2-int8": _read(
        fr=(0.493, 0.015), en=(0.445, 0.036)
    ),
}


def calibration_of(name: str, language: str, threshold: float) -> Calibration:
    """The calibration of an embedder in a language; one made of its own `threshold` when none was read."""
    of_this = READ.get(name, {})
    return of_this.get(language) or of_this.get("") or Calibration(threshold)
