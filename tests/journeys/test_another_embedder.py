"""Another embedder, or another model behind the same name: nothing is lost, nothing is compared across, it finishes."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import souvenance
from souvenance.errors import BadAnswer, ModelError
from souvenance.interfaces.cli.app import app
from souvenance.models.fakes import HashEmbedder
from souvenance.ports import Embedder, Vector
from souvenance.settings import Settings
from souvenance.stores.sqlite import open_store
from souvenance.tend.index import ANSWERS_TO_BELIEVE, Progress

SETTINGS = Settings.model_validate(
    {
        "chat": {"discover": False},
        "index": {"every_s": 3600, "batch": 20},
        "turn": {"embedding_deadline_s": 10},
    }
)

NOTES = [f"Hive {n} stands near the chapel of saint {n * 7 % 101}." for n in range(120)]


class Named:
    """An embedder of any name and dimension, whose vectors are its own: no two names agree on any text."""

    threshold = 0.3

    def __init__(self, name: str, dim: int) -> None:
        self.name, self.dim = name, dim
        self.made: set[bytes] = set()

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, query_in: str | None = None
    ) -> Vector:
        rows = np.array([self.vector(text) for text in texts], np.float32).reshape(-1, self.dim)
        self.made |= {row.tobytes() for row in rows}
        return rows

    def vector(self, text: str) -> Vector:
        seed = zlib.crc32(f"{self.name}/{self.dim}/{text}".encode())
        raw = np.random.default_rng(seed).standard_normal(self.dim)
        return np.asarray(raw / np.linalg.norm(raw), np.float32)

    async def close(self) -> None:
        """Nothing to close."""


def opened(file: Path, embedder: Embedder) -> souvenance.opening.Opening:
    return souvenance.open(file, settings=SETTINGS, chat=None, embedder=embedder)


async def remember(engine: souvenance.Engine, notes: Sequence[str]) -> souvenance.Talk:
    talk = engine.thread("ines", "wren")
    for note in notes:
        await talk.memories.add(note)
    return talk


async def all_indexed(engine: souvenance.Engine) -> None:
    while (await engine.index_once()).left:
        pass


def rows_of(engine: souvenance.Engine, view: Any, name: str) -> dict[str, Vector]:
    return {row.memory_id: row.vector for row in engine.store.vectors.load(view, name)}


async def test_a_new_embedder_fills_its_own_rows_and_compares_with_no_others(
    tmp_path: Path,
) -> None:
    """Of the same dimension, even: a product across would look like a cosine and mean nothing."""
    old, new = Named("old", 16), Named("new", 16)
    async with opened(tmp_path / "m.db", old) as engine:
        await remember(engine, NOTES[:50])
        await all_indexed(engine)
        assert await engine.index_progress() == Progress("old", 50, 50)
    async with opened(tmp_path / "m.db", new) as engine:
        talk = engine.thread("ines", "wren")
        asked = engine._recall.recall
        view = await talk.view()
        await engine._worker.stop()  # the index runs by hand here
        seen = set()
        while True:
            indexed = rows_of(engine, view, "new")
            found = await asked(view, "Hive 3?", now=engine.clock.now())
            assert found.reason is None
            corpus = found.selection._corpus
            assert corpus is not None
            for memory in corpus.memories:
                at = corpus.columns.vector[corpus.row_of[memory.memory_id]]
                assert (at >= 0) == (memory.memory_id in indexed)
                if at >= 0:
                    vector = corpus.matrix.rows()[at].tobytes()
                    assert vector == indexed[memory.memory_id].tobytes()
                    assert vector in new.made and vector not in old.made
            assert any(
                s.memory.text.startswith("Hive 3 ") and s.retrieved for s in found.selection.slots
            )
            seen.add(len(indexed))
            if not (await engine.index_once()).left and len(indexed) == 50:
                break
        assert len(seen) >= 3
        assert await engine.index_progress() == Progress("new", 50, 50)
        assert {(h.embedder, h.rows) for h in engine.store.vectors.held()} == {
            ("old", 50),
            ("new", 50),
        }


CHILD = """
import asyncio, sys
import souvenance
from souvenance.models.fakes import HashEmbedder
from souvenance.settings import Settings

async def main():
    settings = Settings.model_validate({"chat": {"discover": False}, "index": {"every_s": 3600, "batch": 8}})
    async with souvenance.open(sys.argv[1], settings=settings, chat=None, embedder=HashEmbedder(64)) as engine:
        await engine._worker.stop()
        while (await engine.index_once()).left:
            print("batch", flush=True)
        print("over", flush=True)
        sys.stdin.read()

asyncio.run(main())
"""


def killed_after(file: Path, batches: int) -> None:
    """Another process indexes that many batches and is killed in the middle of the next."""
    command = [sys.executable, "-c", CHILD, str(file)]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdin is not None and child.stdout is not None
    for _ in range(batches):
        assert child.stdout.readline().strip() in ("batch", "over")
    child.send_signal(signal.SIGKILL)
    child.wait(30)
    child.stdin.close()
    child.stdout.close()


async def test_an_index_killed_at_any_point_goes_on_where_it_was(tmp_path: Path) -> None:
    """Each time the engine starts at once, knows every memory, has lost no vector, and in the end it is whole."""
    file = tmp_path / "m.db"
    async with opened(file, HashEmbedder(256)) as engine:
        await remember(engine, NOTES)
        await all_indexed(engine)
    before = 0
    for batches in (0, 1, 4):
        killed_after(file, batches)
        store = open_store(file)
        assert store.check().problems == ()
        indexed, wanted = store.vectors.progress("hash-64")
        assert wanted == len(NOTES)
        assert indexed >= min(before + 8 * batches, len(NOTES))
        before = indexed
        store.close()
        async with souvenance.open(
            file, settings=SETTINGS, chat=None, embedder=HashEmbedder(64)
        ) as engine:
            await engine._worker.stop()
            found = await engine.thread("ines", "wren").context("Hive 17?")
            assert found.reason is None
            assert any(s.memory.text.startswith("Hive 17 ") for s in found.slots)
    async with opened(file, HashEmbedder(64)) as engine:
        await all_indexed(engine)
        assert await engine.index_progress() == Progress("hash-64", len(NOTES), len(NOTES))
        held = {(h.embedder, h.dimension, h.rows) for h in engine.store.vectors.held()}
        assert held == {("hash-256", 256, len(NOTES)), ("hash-64", 64, len(NOTES))}


async def test_a_model_swapped_behind_its_name_is_believed_and_all_is_embedded_again(
    tmp_path: Path,
) -> None:
    """A server keeps the name that it was given and serves another model: two dimensions never meet in one index."""
    file = tmp_path / "m.db"
    async with opened(file, Named("same", 16)) as engine:
        await remember(engine, NOTES[:50])
        await all_indexed(engine)
    async with opened(file, Named("same", 24)) as engine, opened(file, Named("same", 24)) as other:
        for one in (engine, other):
            await one._worker.stop()
        talk, elsewhere = (one.thread("ines", "wren") for one in (engine, other))
        assert (await elsewhere.context("Hive 3?")).reason == "dimension"
        assert (await talk.context("Hive 3?")).reason == "dimension"
        for _ in range(ANSWERS_TO_BELIEVE - 1):
            with pytest.raises(BadAnswer, match="dimension 24 where the stored ones have 16"):
                await engine.index_once()
        await all_indexed(engine)
        assert [(h.embedder, h.dimension, h.rows) for h in engine.store.vectors.held()] == [
            ("same", 24, 50)
        ]
        for one in (talk, elsewhere):  # the other program reads them too
            assert (await one.context("Hive 3?")).reason is None


async def test_a_wrong_dimension_that_passes_costs_no_vector(tmp_path: Path) -> None:
    """A server that stumbles once or twice must not make everything be embedded again."""
    embedder = Named("same", 16)
    async with opened(tmp_path / "m.db", embedder) as engine:
        await engine._worker.stop()
        talk = await remember(engine, NOTES[:30])
        await all_indexed(engine)
        rows = rows_of(engine, await talk.view(), "same")
        for _ in range(3):
            embedder.dim = 24
            assert (await talk.context("Hive 3?")).reason == "dimension"
            with pytest.raises(BadAnswer):
                await engine.index_once()
            embedder.dim = 16
            await engine.index_once()
            assert (await talk.context("Hive 3?")).reason is None
        after = rows_of(engine, await talk.view(), "same")
        assert {i: v.tobytes() for i, v in after.items()} == {
            i: v.tobytes() for i, v in rows.items()
        }


def test_the_command_line_tells_how_far_the_index_is_and_drops_what_is_no_longer_used(
    tmp_path: Path,
) -> None:
    """`doctor` says what the vectors of another embedder take, and `db vectors --drop` deletes them, and only them."""
    file = tmp_path / "m.db"

    async def prepared() -> None:
        async with opened(file, Named("retired", 16)) as engine:
            await remember(engine, NOTES[:30])
            await all_indexed(engine)

    asyncio.run(prepared())
    run = CliRunner()
    spoken = run.invoke(app, ["doctor", "--database", str(file), "--lang", "en"]).output
    assert "holds 0 of 30 memories" in spoken and "retired" in spoken
    assert "retired" in run.invoke(app, ["db", "vectors", "--database", str(file)]).output
    assert (
        run.invoke(app, ["db", "vectors", "--drop", "nobody", "--database", str(file)]).exit_code
        == 2
    )
    dropped = run.invoke(app, ["db", "vectors", "--drop", "retired", "--database", str(file)])
    assert (dropped.exit_code, "30" in dropped.output) == (0, True)
    assert "retired" not in run.invoke(app, ["db", "vectors", "--database", str(file)]).output
    store = open_store(file)
    assert store.vectors.progress("retired") == (0, 30)
    store.close()


class Odd(Named):
    """Somebody's own embedder, which raises or answers what no port promises, as asked."""

    def __init__(self, answer: object) -> None:
        super().__init__("odd", 4)
        self.answer: object | None = answer

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, query_in: str | None = None
    ) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        if self.answer == "hang":
            await asyncio.sleep(3600)
        made = await super().embed(texts, timeout_s=timeout_s, query_in=query_in)
        return made if self.answer is None else self.answer


@pytest.mark.parametrize(
    "answer",
    [KeyError("data"), None, [["x"]], "hang", [[1.0, 2.0], [3.0]], 7],
    ids=["raises", "plain", "words", "hangs", "ragged", "a number"],
)
async def test_an_embedder_that_breaks_its_promises_is_a_model_error_to_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: object
) -> None:
    """It must not hold the index for ever, nor end it; once it keeps them, everything is embedded."""
    monkeypatch.setattr("souvenance.tend.worker._EMBED_S", 0.05)
    monkeypatch.setattr("souvenance.tend.worker._EMBED_MORE_S", 0.05)
    embedder = Odd(answer)
    async with opened(tmp_path / "m.db", embedder) as engine:
        await remember(engine, NOTES[:3])
        if answer is not None:
            with pytest.raises(ModelError):
                await engine.index_once()
        embedder.answer = None
        while (await engine.index_once()).left:
            pass
        assert (await engine.index_progress()) == Progress("odd", 3, 3)
