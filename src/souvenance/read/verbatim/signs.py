"""What speaks for each line as an answer, one figure a line for each sign, before any weight.

Words and meaning count in standard deviations within the transcript, so that neither drowns the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from souvenance.ports import Vector
from souvenance.read.verbatim.asking import Query
from souvenance.read.verbatim.postings import Floats, Saturation
from souvenance.read.verbatim.records import WindowKind
from souvenance.read.verbatim.transcript import Meaning, Transcript

#: Days after those asked for in which they are still told of. Measured 2026-11-30 on four conversations of LoCoMo, sum of
#: recall@5, 10 and 24: 0 days 245.2, 3 and 7 days 245.5, 14 days 245.2, 31 days 244.7. All within chance.
LATER = 7


@dataclass(frozen=True, slots=True)
class Signs:
    """Each sign by the name of its weight, of shape (rows,); those that a query does not raise are not there.

    `rare` is how much of the query's telling words a line and its neighbours hold, in units of a word of one line.
    `cosine` is that of the nearer window, NaN where a line has no vector.
    """

    by_weight: Mapping[str, Floats]
    rare: Floats
    cosine: Floats


def signs(transcript: Transcript, query: Query, saturation: Saturation) -> Signs:
    """The signs of every line for a query."""
    score = transcript.postings.score
    words = score(query.words, transcript.around, saturation)
    all_tell = len(query.telling) == len(query.words)
    telling = words if all_tell else score(query.telling, transcript.around, saturation)
    narrow = cosines(transcript.meaning[WindowKind.NARROW], query.vector)
    wide = cosines(transcript.meaning[WindowKind.WIDE], query.vector)
    columns = transcript.columns
    raised = {
        "words": standard(words),
        "narrow": standard(narrow),
        "wide": standard(wide),
        "length": standard(columns.length),
        "opening": columns.opening,
    }
    if query.asks:  # words to look for ("oysters") stand as well in what was asked
        raised["asking"] = -columns.asking
    if query.asked is not None:
        raised["asked"] = columns.said_by(query.asked)
    if query.meant is not None:
        raised["meant"] = columns.said_by(query.meant)
    if query.when:
        raised["when"] = columns.timed
    if query.days is not None:
        raised["days"] = in_days(transcript, query.days)
    return Signs(
        {name: values.astype(np.float32) for name, values in raised.items()},
        telling / np.float32(transcript.postings.unit(saturation)),
        np.fmax(narrow, wide),
    )


def in_days(transcript: Transcript, days: tuple[date, date]) -> NDArray[np.bool_]:
    """The rows said in those days or soon after, when one tells what was."""
    first, last = (day.toordinal() for day in days)
    day = transcript.columns.day
    said: NDArray[np.bool_] = (day >= first) & (day <= last + LATER)
    return said


def cosines(meaning: Meaning, vector: Vector | None) -> Floats:
    """Cosine of each line's window with the query, NaN where either is missing."""
    found = np.full(len(meaning.column), np.nan, np.float32)
    if vector is None or meaning.matrix.dimension != len(vector):
        return found
    # Six decimals: the last bits depend on where a row lies in the matrix, and ties must not.
    products = np.round(meaning.matrix.rows() @ vector, 6)
    has = meaning.column >= 0
    found[has] = products[meaning.column[has]]
    return found


def standard(values: Floats) -> Floats:
    """In standard deviations from the mean of what is known; what is not known counts as the mean."""
    known = values[~np.isnan(values)].astype(np.float64)
    spread = float(known.std()) if len(known) else 0.0
    if spread < 1e-9:
        return np.zeros(len(values), np.float32)
    deviations: Floats = np.nan_to_num((values - known.mean()) / spread).astype(np.float32)
    return deviations
