"""Tells where a negative word opens a height ("never been happier", "nobody is more stubborn than me").

There it denies nothing: what follows is so, and as much as can be.
"""

from __future__ import annotations

from souvenance.write.filters.clause_reader import Reader
from souvenance.write.filters.listed import places

#: Words after "never" or "nothing" within which a comparison makes a height of it. Chosen, not measured.
_HEIGHT = 4


#: Words after "plus" within which "que" still compares with it. Chosen, not measured.
COMPARES = 8


def framed(r: Reader, i: int) -> int:
    """The words at i that open a height compared with oneself ("nobody is more stubborn than me"); 0 when none."""
    length = r.word(i, "height_frames")
    after = r.said[i + length : i + length + COMPARES]
    return length if length and places(after, r.words, "than_me") else 0


def heightens(r: Reader, i: int) -> bool:
    """Whether a negative word only opens a height ("never been happier", "rien ne me fait plus peur que")."""
    if not r.word(i, "height_openers"):
        return False
    ahead = range(i + 1, min(i + 1 + _HEIGHT, len(r.said)))
    r.lowest = any(r.word(j, "lessening") for j in ahead)
    if r.lowest:
        return False
    if any(r.word(j, "heights") for j in ahead):
        return True
    return any(r.said[j] == "plus" for j in ahead) and "que" in r.said[i + 2 :]
