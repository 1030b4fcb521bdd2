"""Whether a found line is worth showing: a figure that does not depend on the other lines of the transcript.

The order of lines is by deviations from the others, and the best of a talk about nothing stands out as well.
"""

from __future__ import annotations

import numpy as np

from souvenance.read.verbatim.postings import Floats
from souvenance.read.verbatim.signs import Signs

#: Logits for each word of the query that a line and its neighbours hold, in units of a word that stands in one line, up to
#: MOST_WORDS: fitted 2026-11-30 on the first line of 582 questions of LoCoMo. EVEN_WORDS is where they are even. Of the first
#: three lines it shows, on LoCoMo and on 44 needs of a chat (French, English), with the share of questions that keep an answer:
#: at 0.9 it shows 65, 46, 36 % and keeps 59 of 75 %, 28 of 69 %, 27 of 47 %; at 0.7 77, 68, 44 % and 66, 45, 27 %; at 0.5
#: 88, 80, 71 % and 71, 59, 40 %. Prefers to show: few are asked for, and each comes with its date and neighbours.
PER_WORD = 1.4
EVEN_WORDS = 0.5
MOST_WORDS = 3.0

#: Logits for each point of cosine above the embedder's threshold. Chosen, not measured: beside the words it told nothing on
#: first lines, and 1 on the first five; it lets a line in that shares no word when its meaning is 0.24 above.
PER_COSINE = 3.0


def relevance(seen: Signs, threshold: float) -> Floats:
    """In [0, 1] for each line; from 0.5 on it is worth showing. `threshold`: the embedder's cosine of related texts."""
    words = np.minimum(seen.rare, np.float32(MOST_WORDS))
    meaning = np.nan_to_num(seen.cosine - np.float32(threshold))
    logit = PER_WORD * (words - EVEN_WORDS) + PER_COSINE * meaning
    judged: Floats = (1 / (1 + np.exp(-logit))).astype(np.float32)
    return judged
