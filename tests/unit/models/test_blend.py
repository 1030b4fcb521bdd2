"""Several embedders as one: a product of its vectors is the weighted sum of theirs, and they fail together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from souvenance.errors import BadAnswer, ModelUnreachable
from souvenance.models.embed.blend import ELSEWHERE, WEIGHTS, BlendedEmbedder, joined
from souvenance.models.embed.local import Encode, LocalEmbedder
from souvenance.models.fakes import HashEmbedder
from souvenance.ports import UNDETERMINED, Vector, for_messages

TEXTS = ["Le phare est loin.", "The lighthouse is far.", "Le chat dort au loin."]
MIXED = {"fr": {"hash-16": 2.0, "hash-24": 0.5}, "en": {"hash-16": 1.0}}


class Troubled(HashEmbedder):
    """A leg that waits, fails or forgets to do either, and knows whether it was given up."""

    def __init__(self, dim: int, error: Exception | None = None) -> None:
        super().__init__(dim)
        self.error, self.given_up, self.closed = error, False, False

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, query_in: str | None = None
    ) -> Vector:
        if self.error is not None:
            raise self.error
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            self.given_up = True
            raise
        return await super().embed(texts, timeout_s=timeout_s, query_in=query_in)

    async def close(self) -> None:
        self.closed = True


def blend(elsewhere: dict[str, float] | None = None) -> BlendedEmbedder:
    legs = [HashEmbedder(16), HashEmbedder(24)]
    return BlendedEmbedder(legs, threshold=0.4, weights=MIXED, elsewhere=elsewhere or {})


async def cosines(leg: HashEmbedder, asked: str) -> Vector:
    rows = await leg.embed(TEXTS, timeout_s=1)
    found: Vector = (rows @ (await leg.embed([asked], timeout_s=1, query_in="fr")).T)[:, 0]
    return found


@pytest.mark.parametrize(
    ("language", "first", "second"), [("fr", 2.0, 0.5), ("en", 1.0, 1.0), ("oc", 0.3, 0.7)]
)
async def test_a_product_is_the_weighted_sum_of_the_legs_cosines(
    language: str, first: float, second: float
) -> None:
    """Everything that ranks by one product then ranks by the sum, without knowing of it."""
    one = blend({"hash-16": 0.3, "hash-24": 0.7})
    stored = await one.embed(TEXTS, timeout_s=1)
    asked = (await one.embed(["Le phare dort ?"], timeout_s=1, query_in=language))[0]
    expected = first * await cosines(HashEmbedder(16), "Le phare dort ?")
    expected += second * await cosines(HashEmbedder(24), "Le phare dort ?")
    factor = np.sqrt(2) * np.sqrt(first**2 + second**2)
    assert np.allclose(stored @ asked * factor, expected, atol=1e-5)


async def test_a_message_in_an_unknown_language_is_weighed_as_elsewhere() -> None:
    """A turn that does not know the character's language yet still asks."""
    one = blend({"hash-16": 0.1, "hash-24": 3.0})
    unknown = await one.embed(["loin"], timeout_s=1, query_in=UNDETERMINED)
    other = await one.embed(["loin"], timeout_s=1, query_in="br")
    assert np.array_equal(unknown, other)
    assert np.linalg.norm(unknown[0, 16:]) > 25 * np.linalg.norm(unknown[0, :16])


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=4),
    st.lists(st.floats(0.01, 5), min_size=4, max_size=4),
    st.integers(0, 5),
)
def test_joined_rows_are_of_unit_length_in_order(
    dims: list[int], weights: list[float], count: int
) -> None:
    """A longer row would be nearer to everything."""
    rng = np.random.default_rng(len(dims) + count)
    parts = [rng.standard_normal((count, dim)).astype(np.float32) for dim in dims]
    parts = [p / np.linalg.norm(p, axis=1, keepdims=True) for p in parts]
    rows = joined(parts, weights[: len(dims)])
    assert rows.shape == (count, sum(dims))
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    for row in range(count):
        alone = joined([p[row : row + 1] for p in parts], weights[: len(dims)])
        assert np.allclose(rows[row], alone[0], atol=1e-6)


async def test_no_texts_give_no_rows_of_the_whole_width() -> None:
    """An index run that finds nothing to do goes on."""
    assert (await blend().embed([], timeout_s=1)).shape == (0, 40)


class Broken(LocalEmbedder):
    """A leg of this process that cannot be loaded."""

    name, dim, threshold, package, slice_chars = "broken", 3, 0.5, "nothing", 100

    def load(self) -> Encode:
        raise OSError("no such file")


async def test_a_leg_that_counts_nothing_for_a_message_is_not_asked() -> None:
    """It would only cost time, and its failure the whole; what is stored needs every leg all the same."""
    weights = {"fr": {"hash-16": 1.0, "broken": 0.0}, "en": {"hash-16": 1.0, "broken": 1.0}}
    one = BlendedEmbedder([HashEmbedder(16), Broken()], threshold=0.4, weights=weights)
    row = (await one.embed(["loin"], timeout_s=5, query_in="fr"))[0]
    assert np.allclose(row[16:], 0)
    assert np.isclose(np.linalg.norm(row), 1)
    for query_in in ("en", None):
        with pytest.raises(ModelUnreachable):
            await one.embed(["loin"], timeout_s=5, query_in=query_in)
    await one.close()


def test_the_name_tells_every_leg_in_order() -> None:
    """A leg more or less, or another order, makes other vectors, which must not be compared."""
    legs = [HashEmbedder(16), HashEmbedder(24)]
    names = {
        BlendedEmbedder(some, threshold=0.4).name for some in (legs, legs[::-1], legs[:1], legs[1:])
    }
    assert names == {"hash-16+hash-24", "hash-24+hash-16", "hash-16", "hash-24"}


async def test_other_weights_leave_what_is_stored_as_it_was() -> None:
    """Weights found better by a later measure cost nobody an indexing run."""
    legs = [HashEmbedder(16), HashEmbedder(24)]
    plain = BlendedEmbedder(legs, threshold=0.4)
    assert plain.name == blend().name
    assert np.array_equal(
        await plain.embed(TEXTS, timeout_s=1), await blend().embed(TEXTS, timeout_s=1)
    )


@pytest.mark.parametrize("error", [BadAnswer("no vectors", raw=""), ModelUnreachable("dead")])
async def test_one_failing_leg_fails_the_whole_and_nobody_waits_for_the_others(
    error: Exception,
) -> None:
    """Half a vector would be compared with whole ones."""
    slow = Troubled(24)
    one = BlendedEmbedder([slow, Troubled(16, error)], threshold=0.4)
    with pytest.raises(type(error)):
        await one.embed(TEXTS, timeout_s=1)
    await asyncio.sleep(0)
    assert slow.given_up


async def test_who_gives_up_the_whole_gives_up_every_leg() -> None:
    """A late turn must not leave work behind that the next one waits for."""
    slow = [Troubled(16), Troubled(24)]
    asked = asyncio.create_task(BlendedEmbedder(slow, threshold=0.4).embed(TEXTS, timeout_s=9))
    await asyncio.sleep(0.01)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    await asyncio.sleep(0)
    assert [leg.given_up for leg in slow] == [True, True]


async def test_closing_closes_every_leg() -> None:
    """Each has a thread or connections of its own."""
    legs = [Troubled(16), Troubled(24)]
    await BlendedEmbedder(legs, threshold=0.4).close()
    assert [leg.closed for leg in legs] == [True, True]


def test_every_language_weighs_every_leg_that_ships() -> None:
    """A name misspelt in the table would count 1 without anybody noticing."""
    from souvenance.models.embed.choice import PARTS

    names = {part.name for part in PARTS}
    assert all(set(weights) == names for weights in (*WEIGHTS.values(), ELSEWHERE))


@pytest.mark.parametrize("language", ["fr", "en", "oc"])
async def test_the_light_leg_answers_from_the_vector_of_all(language: str) -> None:
    """Messages are compared with one leg, and a turn asks only once."""
    whole = blend({"hash-16": 0.3, "hash-24": 0.7})
    (row,) = await whole.embed(["Le phare ?"], timeout_s=1, query_in=language)
    (own,) = await whole.light.embed(["Le phare ?"], timeout_s=1, query_in=language)
    assert whole.light.name == "hash-16"
    np.testing.assert_allclose(whole.light_part(row), own, atol=1e-6)


def test_messages_are_embedded_by_the_light_leg_of_a_blend_and_else_by_the_one_there_is() -> None:
    """Nobody waits half an hour for a long talk."""
    whole, alone = blend(), HashEmbedder(16)
    assert for_messages(whole) is whole.light
    assert for_messages(alone) is alone
    assert for_messages(None) is None


class Careless(HashEmbedder):
    """A leg whose answer is not what the port promises."""

    def __init__(self, dim: int, answer: Vector) -> None:
        super().__init__(dim)
        self.answer = answer

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, query_in: str | None = None
    ) -> Vector:
        return self.answer


@pytest.mark.parametrize(
    "answer",
    [np.ones((2, 16)), np.ones(16), np.full((1, 16), np.nan), np.full((1, 16), np.inf)],
    ids=["one more", "flat", "nan", "infinite"],
)
async def test_a_leg_that_answers_nothing_usable_is_named(answer: Vector) -> None:
    """An error of the joining itself would tell nobody which one to leave out."""
    legs = [HashEmbedder(24), Careless(16, answer.astype(np.float32))]
    one = BlendedEmbedder(legs, threshold=0.4, weights=MIXED)
    with pytest.raises(BadAnswer, match="hash-16"):
        await one.embed(["loin"], timeout_s=1, query_in="fr")
