"""What is known of each line but its words and its meaning: who said it, when, and in what manner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from souvenance.lang import Language
from souvenance.read.verbatim.records import Line
from souvenance.read.verbatim.traits import manner, time_words

#: Between two messages, from which on the talk is taken up anew. Chosen, not measured.
SILENCE = timedelta(hours=4)

_T = TypeVar("_T", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Columns:
    """One value for each row."""

    speaker: NDArray[np.int16]  # place in `speakers`
    day: NDArray[np.int32]  # ordinal of the day it was said
    asking: NDArray[np.float32]  # share of its sentences that ask
    timed: NDArray[np.bool_]  # whether it tells a time
    length: NDArray[np.float32]  # log of one more than its words
    opening: NDArray[np.bool_]  # whether it is the first after a silence
    speakers: tuple[str, ...] = ()

    @staticmethod
    def empty() -> Columns:
        """No row."""
        return Columns(
            np.empty(0, np.int16), np.empty(0, np.int32), np.empty(0, np.float32),
            np.empty(0, np.bool_), np.empty(0, np.float32), np.empty(0, np.bool_),
        )  # fmt: skip

    def appended(
        self,
        lines: Sequence[Line],
        before: Sequence[Line | None],
        words: Sequence[Sequence[str]],
        language: Language,
    ) -> Columns:
        """With these lines after the present ones, each with the one before it in its thread and its words folded."""
        times = time_words(language)
        manners = [manner(line.text, said, times) for line, said in zip(lines, words, strict=True)]
        speakers = tuple(dict.fromkeys((*self.speakers, *(line.speaker for line in lines))))
        return Columns(
            _grown(self.speaker, [speakers.index(line.speaker) for line in lines]),
            _grown(self.day, [line.at.toordinal() for line in lines]),
            _grown(self.asking, [m.asking for m in manners]),
            _grown(self.timed, [m.timed for m in manners]),
            _grown(self.length, [np.log1p(m.words) for m in manners]),
            _grown(self.opening, list(map(opens, lines, before))),
            speakers,
        )

    def said_by(self, speaker: str) -> NDArray[np.bool_]:
        """The rows of one speaker."""
        place = self.speakers.index(speaker) if speaker in self.speakers else -1
        theirs: NDArray[np.bool_] = self.speaker == place
        return theirs


def opens(line: Line, before: Line | None) -> bool:
    """Whether a line is the first of its thread, or the first after a silence."""
    return before is None or line.at - before.at >= SILENCE


def _grown(column: NDArray[_T], values: Sequence[float]) -> NDArray[_T]:
    return np.concatenate([column, np.array(values, column.dtype)])
