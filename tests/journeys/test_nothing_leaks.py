"""What is said stays in the database: not in logs, not on the network."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

import souvenance
from souvenance.models.fakes import HashEmbedder, ScriptedChat
from souvenance.settings import Settings

SETTINGS = Settings.model_validate(
    {
        "chat": {"discover": False},
        "reflection": {"idle_s": 0.0, "attempts": 1},
        "index": {"every_s": 0.05},
    }
)
CANARY = "zanzibarquince"


async def test_logs_hold_no_word_of_what_was_said(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At the most talkative level, with failures on the way, no log line holds a word of the conversation."""
    monkeypatch.setattr(logging.getLogger("souvenance"), "propagate", True)
    caplog.set_level(logging.DEBUG, "souvenance")
    chat = ScriptedChat([f"Reply {CANARY}."], answers=[f"broken {CANARY}"] * 2)
    async with souvenance.open(
        tmp_path / "m.db", settings=SETTINGS, chat=chat, embedder=HashEmbedder()
    ) as engine:
        talk = engine.thread(person="ines", character="wren")
        await talk.memories.add(f"Ines likes {CANARY}.")
        await talk.turn(f"I keep a {CANARY} on the roof.")
        await talk.reflected(30)
        assert await talk.memories.failed()
    out, err = capfd.readouterr()
    assert "souvenance" in caplog.text, "the worker logs what it does"
    assert CANARY not in "\n".join([caplog.text, out, err])
