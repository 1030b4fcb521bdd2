"""Reading word by word from memory gives what looking at every word anew would give."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from souvenance.lang import language, tokens
from souvenance.read import words
from souvenance.read.postings import Postings
from souvenance.read.sameness import Signature, signature
from souvenance.read.wording import wording

PIECES = (
    "Noor", "noor", "NOOR", "l’aviron", "L'Aviron", "ne", "pas", "n't", "can't", "œufs", "Élève", "eleve",
    "40", "40,5", "€", "12%", "the", "The", "une", "geese", "goose", "d’", "été", "d'été", "ǅ", "ß", "…", "-",
)  # fmt: skip


def looked_up(text: str, code: str) -> Signature:
    """The signature as its definition says, nothing remembered."""
    words_of = language(code).words
    skip = words_of.get("function_words", frozenset())
    articles = wording(code).articles
    read = tokens(text)
    content = [(language(code).stem(t.word), t.raw) for t in read if t.word not in skip]
    return Signature(
        tuple(stem for stem, _ in content),
        tuple(t.word for t in read if t.word not in articles),
        tuple(dict.fromkeys(stem for stem, raw in content if raw[0].islower())),
    )


def parts(text: Signature) -> tuple[object, ...]:
    return text.stems, text.words, text.lower


@settings(max_examples=200, deadline=None)
@given(
    text=st.one_of(
        st.text(max_size=40), st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join)
    ),
    code=st.sampled_from(["fr", "en"]),
)
def test_a_signature_is_that_of_its_definition(text: str, code: str) -> None:
    """Whatever was read before, and in whichever language."""
    assert parts(signature(text, language(code))) == parts(looked_up(text, code))


def test_a_full_memory_of_words_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is dropped whole when it is full, and words are read anew."""
    monkeypatch.setattr(words, "MOST_WORDS", 3)
    rng, full = random.Random(1), words.WordReader(language("en"))
    for _ in range(30):
        text = " ".join(rng.choices(PIECES, k=8))
        assert full.words(text) == words.WordReader(language("en")).words(text)
        assert len(full) <= 3


@settings(max_examples=100, deadline=None)
@given(
    texts=st.dictionaries(
        st.integers(0, 60),
        st.lists(st.sampled_from("abcdefg"), max_size=9).map(tuple),
        max_size=20,
    )
)
def test_postings_hold_each_stem_with_its_rows_in_the_order_given(
    texts: dict[int, tuple[str, ...]],
) -> None:
    """One sort of all occurrences counts what counting text by text does."""
    added = {row: Signature(stems, (), tuple(dict.fromkeys(stems))) for row, stems in texts.items()}
    built = Postings.empty().update({}, added, 61, len(added))
    counted: dict[str, list[tuple[int, int]]] = {}
    for row, stems in texts.items():
        for stem, often in Counter(stems).items():
            counted.setdefault(stem, []).append((row, often))
    found = {
        stem: list(zip(p.rows.tolist(), p.counts.astype(int).tolist(), strict=True))
        for stem, p in built.by_stem.items()
    }
    assert found == counted
    lengths = np.zeros(61, np.float32)
    for row, stems in texts.items():
        lengths[row] = len(stems)
    assert np.array_equal(built.lengths, lengths)
    assert not any(built.is_name(stem) for stem in found)


def test_taking_the_texts_out_again_leaves_nothing() -> None:
    """A stem that stands nowhere any more is not kept."""
    added = {3: Signature(("geese", "canal"), (), ("geese",)), 5: Signature(("canal",), (), ())}
    built = Postings.empty().update({}, added, 6, 2)
    assert built.update(added, {}, 6, 0).by_stem == {}
