"""A talk to search: short lines in two languages, and vectors made from the words of a text."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np

from souvenance.domain import MessageId, ThreadId
from souvenance.lang import Language, tokens
from souvenance.read.verbatim import Line, Window, WindowVector

START = datetime(2026, 3, 2, 18, tzinfo=UTC)
DIMENSION = 64


def talk(
    *said: str,
    thread: str = "quay",
    first: int = 0,
    speakers: Sequence[str] = ("user", "character"),
) -> list[Line]:
    """Lines an hour apart, the speakers taking turns; ids are `thread` and a number."""
    return [
        Line(
            MessageId(f"{thread}-{n:04d}"),
            ThreadId(thread),
            START + timedelta(hours=n),
            speakers[n % len(speakers)],
            text,
        )
        for n, text in enumerate(said, first)
    ]  # fmt: skip


def direction(text: str, language: Language) -> np.ndarray:
    """A unit vector that two texts share as far as they share stems."""
    vector = np.zeros(DIMENSION, np.float32)
    for stem in language.stems(text):
        vector[zlib.crc32(stem.encode()) % DIMENSION] += 1
    if not tokens(text) or not vector.any():
        vector[0] = 1
    return vector / np.linalg.norm(vector)


def embedded(windows: Sequence[Window], language: Language) -> list[WindowVector]:
    """The vectors of some windows."""
    return [
        WindowVector(w.message_id, w.kind, w.fingerprint, direction(w.text, language))
        for w in windows
    ]
