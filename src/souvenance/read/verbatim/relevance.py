"""Whether a found line is worth showing: a figure that does not depend on the other lines of the transcript.

The order of lines is by deviations from the others, and the best of a talk about nothing stands out as well.
"""

from __future__ import annotations

import numpy as np

from souvenance.lang import Language, tokens
from souvenance.read.calibrations import Calibration
from souvenance.read.verbatim.asking import Query
from souvenance.read.verbatim.postings import Floats
from souvenance.read.verbatim.signs import Signs

#: Logits for each telling word of the query that a line and its neighbours hold, in units of a word that stands in one
#: line, up to MOST_WORDS; for each spread of the cosine above the embedder's threshold; for a query that asks; and without
#: any of them. Fitted 2026-11-30 on the sixteen talks of `bench/cases/said` that are marked tuning, the cut set where one
#: small-talk turn in fifteen shows anything; `bench/verbatim_relevance.py` prints what is shown at others. Prefers silence to
#: small talk, and between messages that need an earlier one a line too many: few are asked for, each with its date.
PER_WORD = 3.3
PER_SPREAD = 0.3
ASKS = 0.65
BASE = -1.2
MOST_WORDS = 3.0

#: Telling words beside those of the query that a line holds at least. Measured 2026-11-30 on the same talks: with 2, half of
#: the lines shown are the right ones or beside it, with none 4 in 10; as many answers are kept at the same silence.
NEW_WORDS = 2


def relevance(seen: Signs, calibration: Calibration, *, asks: bool) -> Floats:
    """In [0, 1] for each line; from 0.5 on it is worth showing, if both query and line tell something."""
    words = np.minimum(seen.rare, np.float32(MOST_WORDS))
    above = (seen.cosine - np.float32(calibration.threshold)) / np.float32(calibration.spread)
    logit = BASE + PER_WORD * words + PER_SPREAD * np.nan_to_num(above) + ASKS * asks
    judged: Floats = (1 / (1 + np.exp(-logit))).astype(np.float32)
    return judged


def tells_more(text: str, query: Query, language: Language) -> bool:
    """Whether a line says something that the query does not hold: "Good night!" answers nothing, nor does the question again."""
    skip = language.words["function_words"] | language.words["small_talk"]
    told = {language.stem(token.word) for token in tokens(text) if token.word not in skip}
    return len(told - query.words.keys()) >= NEW_WORDS
