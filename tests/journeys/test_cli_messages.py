"""Searching what was said from the command line: found with what stands around it, or told what to do."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import souvenance
from souvenance import Said, opening
from souvenance.interfaces.cli.app import app
from souvenance.models.fakes import HashEmbedder
from souvenance.settings import Settings

START = datetime(2030, 1, 5, 9, tzinfo=UTC)
TALES = {
    "en": ("wren", "What did the ferryman call his boat?", "The Marigold, after his mother.", "ferryman boat"),
    "fr": ("mira", "Comment le passeur appelait-il sa barque ?", "La Marjolaine, comme sa mère.", "barque passeur"),
}  # fmt: skip


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two threads of a person with each character, and no model anywhere."""
    path = tmp_path / "m.db"
    monkeypatch.setenv("SOUVENANCE_DATABASE", str(path))
    monkeypatch.setenv("SOUVENANCE_EMBEDDER_KIND", "none")
    monkeypatch.setenv("SOUVENANCE_CHAT_DISCOVER", "false")

    async def fill() -> None:
        settings = Settings.model_validate({"chat": {"discover": False}})
        async with souvenance.open(path, settings=settings, chat=None, embedder=None) as engine:
            for character, said, answered, _ in TALES.values():
                talk = engine.thread("ines", character, name="Inès")
                later = START + timedelta(minutes=1)
                await talk.append([Said("user", said, START), Said("character", answered, later)])
                await talk.append([Said("user", "Bon.", later), Said("character", "Oui.", later)])
                other = engine.thread("ines", character, "aside")
                await other.append([Said("user", "Rien.", START), Said("character", "Ah.", later)])
            await engine.drain(30)

    asyncio.run(fill())
    return path


def run(*args: Any) -> Result:
    return CliRunner().invoke(app, ["messages", "search", *map(str, args)])


@pytest.mark.parametrize("language", TALES)
def test_a_message_is_shown_between_those_around_it(database: Path, language: str) -> None:
    """With its day, its thread, and who said what, in the person's language."""
    character, said, answered, query = TALES[language]
    done = run(query, "-p", "ines", "-c", character, "--limit", 1, "--lang", language)
    assert done.exit_code == 0, done.output
    heading, *lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    assert "2030-01-05" in heading
    assert ("thread main" if language == "en" else "fil main") in heading
    colon = ":" if language == "en" else " :"
    assert lines[0] == f"→ Inès{colon} {said}"
    assert lines[1].endswith(answered)
    assert "1 message" in done.stderr


def test_json_holds_everything_about_what_was_found(database: Path) -> None:
    """For scripts and tools."""
    character, said, answered, query = TALES["en"]
    done = run(query, "-p", "ines", "-c", character, "--json")
    told = json.loads(done.stdout)
    first = told["messages"][0]
    assert (told["off"], first["text"], first["role"], first["thread"]) == (
        False,
        said,
        "user",
        "main",
    )
    assert datetime.fromisoformat(first["at"]) == START
    assert first["words"] == ["ferryman", "boat"]
    assert first["after"][0]["text"] == answered


def test_a_thread_that_is_named_is_searched_alone(database: Path) -> None:
    """Without it, every thread of the two is."""
    character, _, _, query = TALES["en"]
    aside = run(query, "-p", "ines", "-c", character, "-t", "aside", "--json")
    assert json.loads(aside.stdout)["messages"] == []
    main = run(query, "-p", "ines", "-c", character, "-t", "main", "--json")
    assert json.loads(main.stdout)["messages"]


@pytest.mark.parametrize(
    ("language", "piece"), [("en", "Try other words"), ("fr", "Essayez d'autres mots")]
)
def test_nothing_found_says_what_to_try(database: Path, language: str, piece: str) -> None:
    """An empty screen leaves somebody wondering whether it worked."""
    done = run("zeppelin", "-p", "ines", "-c", TALES[language][0], "--lang", language)
    assert done.exit_code == 0
    assert done.stdout.strip() == ""
    assert piece in done.stderr


@pytest.mark.parametrize(
    ("args", "piece"),
    [
        (["  "], "nothing to look for"),
        (["boat", "--limit", "0"], "1 or more"),
        (["boat", "-t", "nowhere"], "There is no thread"),
    ],
)
def test_what_cannot_be_searched_says_what_to_do(
    database: Path, args: list[str], piece: str
) -> None:
    """One sentence, no traceback, and an exit code that a script sees."""
    done = run(*args, "-p", "ines", "-c", "wren", "--lang", "en")
    assert done.exit_code != 0
    assert piece in done.output


def test_a_memory_that_is_off_is_not_searched(database: Path) -> None:
    """And the screen says how to turn it on."""

    async def off() -> None:
        async with souvenance.open(database, chat=None, embedder=None) as engine:
            await engine.thread("ines", "wren").switch(off=True, where="character")

    asyncio.run(off())
    done = run(TALES["en"][3], "-p", "ines", "-c", "wren", "--lang", "en")
    assert done.exit_code == 0
    assert done.stdout.strip() == ""
    assert "off here" in done.stderr


def test_somebody_who_is_not_there_is_told_who_is(database: Path) -> None:
    """A name typed wrong looks like an empty memory."""
    done = run("boat", "-p", "inez", "-c", "wren", "--lang", "en")
    assert "ines" in done.stderr


@pytest.mark.parametrize(
    ("language", "said"), [("en", "only the nearest"), ("fr", "que les plus proches")]
)
def test_what_is_only_nearest_is_not_shown_as_an_answer(
    database: Path, monkeypatch: pytest.MonkeyPatch, language: str, said: str
) -> None:
    """By meaning there is always a nearest message; a person must know when none speaks of the thing."""
    monkeypatch.setattr(opening, "choose_embedder", lambda _: HashEmbedder())
    character, *_, query = TALES[language]
    who = ("-p", "ines", "-c", character, "--lang", language)
    assert said in run("zorglub", *who).stderr
    assert said not in run(query, *who).stderr
