"""`souvenance memories never-recalled` and `report` as a person uses them, in both languages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Tree

import pytest
from typer.testing import CliRunner, Result

import souvenance
from souvenance.interfaces.cli.app import app
from souvenance.models.fakes import HashEmbedder
from souvenance.settings import Settings

Run = Callable[..., Result]

SETTINGS = Settings.model_validate(
    {
        "chat": {"discover": False},
        "turn": {"embedding_deadline_s": 10},
        "index": {"every_s": 3600},
        "reflection": {"idle_s": 3600},
    }
)

ASKED = {
    "en": ("How are the bees on my roof?", "Is the kettle on?"),
    "fr": ("Comment vont les abeilles sur mon toit ?", "La bouilloire chauffe ?"),
}
BEES = {"en": "I keep bees on the roof.", "fr": "J'élève des abeilles sur le toit."}
SILENT = {
    "en": [f"Number {n} of my river stones is green." for n in range(30)],
    "fr": [f"Le galet numéro {n} de ma collection est vert." for n in range(30)],
}


async def _talked(path: Path, language: str, turns: int, *, degraded: bool = False) -> None:
    embedder = None if degraded else HashEmbedder()
    async with souvenance.open(path, settings=SETTINGS, chat=None, embedder=embedder) as engine:
        talk = engine.thread(person="ines", character="wren")
        if not await talk.memories.list():
            for text in (BEES[language], *SILENT[language]):
                await talk.memories.add(text)
            await talk.memories.add("Always say vous.", kind="rule")
        while embedder is not None and (await engine.index_once()).left:
            pass
        for n in range(turns):
            question = ASKED[language][n % 2]
            await talk.context(question)
            await talk.record(question, "…")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command on a database of its own, without an embedder."""
    monkeypatch.setenv("SOUVENANCE_DATABASE", str(tmp_path / "memory.db"))
    monkeypatch.setenv("SOUVENANCE_EMBEDDER_KIND", "none")
    monkeypatch.chdir(tmp_path)

    def invoke(*args: str) -> Result:
        return CliRunner().invoke(app, [*args, "-p", "ines", "-c", "wren"])

    return invoke


def _json(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_no_message_called_is_listed_with_its_counts_and_its_reason(
    run: Run, tmp_path: Path, language: str
) -> None:
    """The person sees what they would never have missed; what was called is not in the list."""
    asyncio.run(_talked(tmp_path / "memory.db", language, 6))
    found = _json(run("memories", "never-recalled", "--min-turns", "6", "--json", "--why"))
    assert (found["turns"], found["degraded"], found["min_turns"]) == (6, 0, 6)
    texts = [m["text"] for m in found["memories"]]
    assert BEES[language] not in texts and "Always say vous." not in texts
    assert texts == [text for text in SILENT[language] if text in texts], "the oldest first"
    assert all(m["candidate"] == 6 and not m["retrieved"] for m in found["memories"])
    assert all(m["why"]["code"] in ("Served", "NoPlace", "SameAs") for m in found["memories"])
    never = _json(run("memories", "never-recalled", "--served", "--min-turns", "6", "--json"))
    assert never["memories"] and all(m["served"] == 0 for m in never["memories"])
    assert {m["id"] for m in never["memories"]} <= {m["id"] for m in found["memories"]}
    shown = run("memories", "never-recalled", "--min-turns", "6", "--lang", language)
    assert texts[0] in shown.stdout
    assert {"en": "no message called", "fr": "aucun message n'a appelés"}[language] in shown.stderr
    one = _json(run("memories", "show", found["memories"][0]["id"], "--json"))
    assert (one["candidate"], one["retrieved"]) == (6, 0)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_an_empty_list_says_why(run: Run, tmp_path: Path, language: str) -> None:
    """Nothing to show is three things: too early, all degraded, or all came up."""
    path = tmp_path / "memory.db"
    asyncio.run(_talked(path, language, 1, degraded=True))
    said = run("memories", "never-recalled", "--lang", language)
    assert {"en": "all degraded", "fr": "tous dégradés"}[language] in said.stderr
    assert _json(run("memories", "never-recalled", "--json")) == {
        "turns": 0, "degraded": 1, "min_turns": 50, "memories": [],
    }  # fmt: skip
    asyncio.run(_talked(path, language, 2))
    said = run("memories", "never-recalled", "--lang", language)
    assert {"en": "had 50 turns", "fr": "n'a encore eu 50 tours"}[language] in said.stderr
    for memory in _json(run("memories", "list", "--json"))["memories"]:
        if memory["text"] != BEES[language]:
            run("memories", "forget", memory["id"])
    said = run("memories", "never-recalled", "--min-turns", "2", "--lang", language)
    assert {"en": "was called by a message", "fr": "a été appelé par un message"}[
        language
    ] in said.stderr


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_report_tells_shares_now_and_over_time_and_draws_them(
    run: Run, tmp_path: Path, language: str
) -> None:
    """Is it always the same twenty? Figures, a table and a page, without a word of a memory in the page."""
    asyncio.run(_talked(tmp_path / "memory.db", language, 52))
    found = _json(run("memories", "report", "--json"))
    assert (found["turns"], found["memories"], found["top_memories"]) == (52, 31, 20)
    assert [(p["first_turn"], p["last_turn"]) for p in found["over_time"]] == [(1, 50), (51, 52)]
    assert 0 < found["never_served"] <= found["never_retrieved"] < 31
    assert found["by"]["kind"]["fact"]["memories"] == 31
    assert found["concentration"]["top_share"] == pytest.approx(20 / 24, abs=0.05)
    shown = run("memories", "report", "--lang", language, "--plot", "silence.html")
    assert {"en": "never called", "fr": "jamais appelés"}[language] in shown.stdout
    assert "1–50" in shown.stdout
    page = (tmp_path / "silence.html").read_text("utf-8")
    assert {"en": "never called", "fr": "jamais appelés"}[language] in page
    assert "bees" not in page and "abeilles" not in page
    assert run("memories", "report", "--plot", "silence.svg").exit_code == 0
    Tree.parse(tmp_path / "silence.svg")
    assert run("memories", "report", "--plot", "silence.png").exit_code == 2
    before = _json(run("memories", "report", "--json"))
    for reading in (("memories", "list"), ("memories", "never-recalled", "--why"), ("context", "bees"), ("journal", "check")):  # fmt: skip
        assert run(*reading).exit_code == 0
    assert _json(run("memories", "report", "--json")) == before, "reading moves nothing"


def test_another_threads_turns_do_not_count(run: Run, tmp_path: Path) -> None:
    """A memory known in one thread only is no candidate where nobody could see it."""

    async def talked() -> None:
        async with souvenance.open(
            tmp_path / "memory.db", settings=SETTINGS, chat=None, embedder=HashEmbedder()
        ) as engine:
            boats = engine.thread(person="ines", character="wren", thread="boats")
            added = await boats.memories.add("The keel is blue.", scope="thread")
            assert added.memory.thread == "boats"
            while (await engine.index_once()).left:
                pass
            for name in ("boats", "main", "main", "boats", "main"):
                talk = engine.thread(person="ines", character="wren", thread=name)
                await talk.context("Hello there")
                await talk.record("Hello there", "Hello.")

    asyncio.run(talked())
    (memory,) = _json(run("memories", "list", "--json", "-t", "boats"))["memories"]
    assert (memory["candidate"], memory["served"]) == (2, 2)
    assert _json(run("memories", "report", "--json"))["by"]["scope"]["thread"]["memories"] == 1
