"""Relevance says whether the message found a memory; priors order, and never lift a stranger over what was found."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from souvenance.domain import Memory, View
from souvenance.lang import language
from souvenance.ports import VectorRow
from souvenance.read.calibrations import Calibration
from souvenance.read.corpus import Corpus
from souvenance.read.scores import (
    PRIORS_BOUND,
    calibrate,
    fuse,
    ordering_key,
    priors,
    rare_limit,
    read_query,
    score,
)  # fmt: skip

Make = Callable[..., Memory]
MakeVector = Callable[..., VectorRow]
EAST = np.array([1, 0, 0, 0, 0, 0, 0, 0], np.float32)


def corpus_of(view: View, memories: Sequence[Memory], vectors: Sequence[VectorRow] = ()) -> Corpus:
    return Corpus.build(view, language("en"), memories, vectors)


def relevance(
    corpus: Corpus, message: str, vector: np.ndarray | None = None, threshold: float = 0.4
) -> dict[str, float]:
    found = score(
        corpus, read_query(message, corpus.language, vector), Calibration(threshold)
    ).relevance
    return {m.memory_id: float(found[corpus.row_of[m.memory_id]]) for m in corpus.memories}


def test_a_cosine_at_the_threshold_is_found_and_one_below_is_not(
    memory: Make, vector: MakeVector, view: View
) -> None:
    """0.5 is where the embedder says that two texts have to do with each other."""
    near, far = memory("near"), memory("far")
    rows = [vector(near, [0.41, 0.912, *[0] * 6]), vector(far, [0.39, 0.921, *[0] * 6])]
    found = relevance(corpus_of(view, [near, far], rows), "?", EAST)
    assert found["near"] >= 0.5 > found["far"]


def test_a_name_that_few_memories_hold_finds_them_without_any_vector(
    memory: Make, view: View
) -> None:
    """A degraded turn still remembers whom one speaks of."""
    crowd = [memory(f"c{n}", f"Noor mends sail number {n}") for n in range(30)]
    found = relevance(
        corpus_of(view, [*crowd, memory("who", "Ottoline tunes the organ.")]), "Ottoline came by"
    )
    assert found["who"] >= 0.5
    assert max(v for k, v in found.items() if k != "who") < 0.5


def test_a_word_that_every_memory_holds_finds_none(memory: Make, view: View) -> None:
    """The person's own name stands everywhere and tells nothing."""
    crowd = [memory(f"c{n}", f"Noor mends sail number {n}") for n in range(30)]
    assert max(relevance(corpus_of(view, crowd), "Noor!").values()) < 0.5


def test_a_message_of_many_words_does_not_drown_its_meaning() -> None:
    """A pasted page shares words with everything."""
    cosine, words = np.array([0.6, 0.3], np.float32), np.array([0.0, 9.0], np.float32)
    assert list(np.argsort(-fuse(cosine, words, Calibration(0.3)))) == [0, 1]


def test_without_meaning_more_shared_words_come_first() -> None:
    """In a degraded turn words are all there is, and they are not capped."""
    missing = np.array([np.nan, np.nan], np.float32)
    assert list(np.argsort(-fuse(missing, np.array([1.5, 4.0], np.float32), Calibration(0.3)))) == [
        1,
        0,
    ]


def test_an_unindexed_memory_keeps_a_finite_relevance(
    memory: Make, vector: MakeVector, view: View
) -> None:
    """What was noted a second ago has no vector yet and must not break the others."""
    old, new = memory("old"), memory("new")
    found = relevance(corpus_of(view, [old, new], [vector(old)]), "note", EAST)
    assert all(0 <= v <= 1 for v in found.values())


def test_rare_grows_with_the_scope_and_never_below_five() -> None:
    """A person's sister is named in a handful of memories, in a small scope and in a large one."""
    assert [rare_limit(n) for n in (1, 100, 1_000, 10_000)] == [5, 5, 5, 50]


def test_beside_meaning_a_shared_name_finds_a_memory_and_a_shared_verb_does_not(
    memory: Make, vector: MakeVector, view: View
) -> None:
    """Verbs meet by chance; names hardly ever."""
    north = [0, 1, *[0] * 6]
    notes = [memory("name", "Ottoline tunes the organ"), memory("verb", "Noor tunes her oboe")]
    notes += [memory(f"c{n}", f"Noor mends sail {n}") for n in range(9)]
    corpus = corpus_of(view, notes, [vector(m, north) for m in notes])
    named = relevance(corpus, "and ottoline?", EAST)
    assert [k for k, v in named.items() if v >= 0.5] == ["name"]
    assert not [v for v in relevance(corpus, "who tunes it?", EAST).values() if v >= 0.5]


def test_without_a_vector_a_rare_word_of_any_sort_finds(memory: Make, view: View) -> None:
    """In a degraded turn a shared word is all there is."""
    crowd = [memory(f"c{n}", f"Noor mends sail {n}") for n in range(30)]
    found = relevance(
        corpus_of(view, [*crowd, memory("w", "Noor tunes an organ")]), "who tunes it?"
    )
    assert [k for k, v in found.items() if v >= 0.5] == ["w"]


floats = st.floats(-1, 3, width=32)


@settings(max_examples=200)
@given(st.lists(st.tuples(floats, st.booleans()), min_size=1, max_size=20))
def test_relevance_is_half_or_more_exactly_where_eligible(rows: list[tuple[float, bool]]) -> None:
    """Whatever the scores, the line between found and merely there holds."""
    fused = np.array([f for f, _ in rows], np.float32)
    eligible = np.array([e for _, e in rows])
    found = calibrate(fused, eligible)
    assert ((found >= 0.5) == eligible).all()
    assert ((found >= 0) & (found <= 1)).all()
    for side in (eligible, ~eligible):
        by_score = found[side][np.argsort(fused[side], kind="stable")]
        assert (np.diff(by_score) >= 0).all()


@settings(max_examples=200)
@given(
    found=st.floats(0.5, 1, width=32),
    stranger=st.floats(0, 0.4375, width=32),
    a=st.integers(1, 5),
    b=st.integers(1, 5),
)
def test_no_prior_lifts_a_stranger_over_a_found_memory(
    found: float, stranger: float, a: int, b: int, memory: Make, view: View
) -> None:
    """The most important memory of all, not called, comes after the least important one that was."""
    prior = priors(corpus_of(view, [memory("f", importance=a), memory("s", importance=b)]))
    key = ordering_key(np.array([found, stranger], np.float32), prior)
    assert key[0] > key[1]
    assert (abs(prior - 1) <= PRIORS_BOUND).all()


def test_importance_orders_memories_found_alike(memory: Make, view: View) -> None:
    """A prior decides between equals."""
    prior = priors(corpus_of(view, [memory("low", importance=1), memory("high", importance=5)]))
    key = ordering_key(np.array([0.7, 0.7], np.float32), prior)
    assert key[1] > key[0]
