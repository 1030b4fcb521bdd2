"""Finding an Ollama, and its chat models, without ever failing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from souvenance.models.discover import chat_models, find_ollama
from souvenance.models.scripted import ScriptedServer, closed_url


async def test_an_ollama_is_found_with_its_version_and_models() -> None:
    """A first run talks without any setting."""
    names = ["nomic-embed-text:latest", "mistral:7b", "bge-m3:latest", "qwen3:4b"]
    with ScriptedServer(ollama=True, models=names) as server:
        for url in (server.root, server.url, server.root + "/"):
            found = await find_ollama(url, timeout_s=2)
            assert found is not None
            assert found.version == "0.9.0-scripted"
            assert found.models == ("mistral:7b", "qwen3:4b")
            assert found.url == server.root


@pytest.mark.parametrize("url", [closed_url(), "", "nonsense", "http://", "ftp://127.0.0.1"])
async def test_no_ollama_is_no_error(url: str) -> None:
    """Most machines have none."""
    assert await find_ollama(url, timeout_s=0.5) is None


async def test_another_server_is_not_taken_for_ollama() -> None:
    """Other programs listen on that port too."""
    with ScriptedServer() as server:
        assert await find_ollama(server.root, timeout_s=2) is None


@pytest.mark.parametrize(
    ("tags", "models"),
    [
        ({"models": [{"name": "a"}, {"name": "b"}]}, ("a", "b")),
        (
            {
                "models": [
                    {"name": "a", "capabilities": ["embedding"]},
                    {"name": "b", "capabilities": ["completion"]},
                ]
            },
            ("b",),
        ),
        ({"models": [{"name": "my-embedder", "capabilities": ["completion"]}]}, ("my-embedder",)),
        ({"models": [{"name": "x", "details": {"family": "nomic-bert"}}]}, ()),
        (
            {"models": [{"name": 3}, {}, "x", None, {"name": ""}, {"name": "a", "details": []}]},
            ("a",),
        ),
        ({"models": None}, ()),
        ({}, ()),
        ([], ()),
        (None, ()),
    ],
)
def test_only_models_that_chat_are_offered(tags: Any, models: tuple[str, ...]) -> None:
    """An embedding model answers a chat with an error at the first turn."""
    assert chat_models(json.loads(json.dumps(tags))) == models
