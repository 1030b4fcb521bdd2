"""How a line is said, and that reading its words once gives what each reader would have read."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.read.verbatim.talks import talk

from souvenance.lang import Language, fold_word, language, raw_tokens, tokens
from souvenance.read.verbatim import Transcript
from souvenance.read.verbatim.postings import Postings
from souvenance.read.verbatim.traits import Manner, manner, time_words

TEXTS = st.text(st.sampled_from("aéŒœ'’ -0123,.!?…\n🙂ßÇ€") | st.characters(), max_size=60)


def how(text: str, words: Language) -> Manner:
    """The manner of a text, its words read with their places."""
    return manner(text, [token.word for token in tokens(text)], time_words(words))


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("en", "The kiln comes on Thursday.", Manner(0, True, 5)),
        ("en", "When? I forgot.", Manner(0.5, False, 3)),
        ("en", "", Manner(0, False, 0)),
        ("fr", "Le four arrive jeudi.", Manner(0, True, 4)),
        ("fr", "Quand ? J'ai oublié.", Manner(0.5, False, 4)),
        ("fr", "?!", Manner(1, False, 0)),
    ],
)
def test_how_a_line_is_said(code: str, text: str, expected: Manner) -> None:
    """The share of its sentences that ask, a word of time, and how much is said."""
    assert how(text, language(code)) == expected


@given(text=TEXTS)
def test_words_read_without_their_places_are_the_same(text: str) -> None:
    """A transcript reads them so, for a talk of ten thousand lines is read at once."""
    folded = [fold_word(raw) for raw in raw_tokens(text)]
    assert folded == [token.word for token in tokens(text)]
    for code in ("en", "fr"):
        assert language(code).stems_of(folded) == language(code).stems(text)


@given(said=st.lists(TEXTS, max_size=8))
def test_a_transcript_holds_what_reading_each_line_alone_gives(said: list[str]) -> None:
    """One pass over the words of a line serves its manner and its stems."""
    words = language("fr")
    transcript = Transcript.build(talk(*said), words)
    manners = [how(text, words) for text in said]
    assert transcript.columns.asking.tolist() == np.float32([m.asking for m in manners]).tolist()
    assert transcript.columns.timed.tolist() == [m.timed for m in manners]
    lengths = np.log1p([m.words for m in manners]).astype(np.float32)
    assert transcript.columns.length.tolist() == lengths.tolist()
    alone = Postings.empty().appended([words.stems(text) for text in said])
    assert transcript.postings.lengths.tolist() == alone.lengths.tolist()
    held = {stem: (r.tolist(), c.tolist()) for stem, (r, c) in transcript.postings.by_stem.items()}
    assert held == {s: (r.tolist(), c.tolist()) for s, (r, c) in alone.by_stem.items()}
