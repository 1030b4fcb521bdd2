"""Tells a mood or a state of the body that passes with the hour from one that lasts.

"My feet are killing me" tells nothing of somebody tomorrow; "my knees have hurt since the accident" does.
"""

from __future__ import annotations

from functools import lru_cache

from souvenance.lang import Language, language, tokens
from souvenance.write.words.decisive import read
from souvenance.write.words.phrases import find, has


def is_passing(text: str, words: Language) -> bool:
    """Whether a text says a mood or a state of the body of the person, and nothing that makes it last."""
    span = find(text, words, "passing")
    if span is None or has(text, words, "lasting_marks"):
        return False
    if not any(t.word in words.words["first_person"] for t in tokens(text)):
        return False
    said = _said_with(words.code)
    beside = (i for i in read(text, words).content if i.end <= span[0] or i.start >= span[1])
    return all(i.sort == "moment" or (i.word in said and i.sort != "name") for i in beside)


@lru_cache(maxsize=8)
def _said_with(code: str) -> frozenset[str]:
    """The words that may stand beside a passing state: times, measures, parts of the body, other such states."""
    known = language(code).words
    entries = (e for name in ("passing", "passing_times", "intensifiers") for e in known[name])
    return frozenset(t.word for entry in entries for t in tokens(entry))
