"""Looks for an Ollama on this machine, so that a first run can talk without any setting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from souvenance.errors import BadSetting, ModelError
from souvenance.models.wire import Wire

#: Where Ollama listens unless told otherwise. Source: Ollama's documentation.
OLLAMA_URL = "http://127.0.0.1:11434"

#: What the names of models that only embed hold. Used when a server does not say what a model can do.
_EMBEDS = ("embed", "bge-", "minilm", "gte-", "e5-", "arctic-embed", "paraphrase")


@dataclass(frozen=True, slots=True)
class OllamaFound:
    """An Ollama that answers: where, which version, and its chat models in its own order (last changed first)."""

    url: str
    version: str
    models: tuple[str, ...]


async def find_ollama(url: str = OLLAMA_URL, timeout_s: float = 0.5) -> OllamaFound | None:
    """The Ollama at that address with its chat models; None when there is none. Never raises.

    Units: `timeout_s` is for each of its two questions.
    """
    try:
        wire = Wire(url.rstrip("/").removesuffix("/v1"), connect_s=timeout_s)
    except BadSetting:
        return None
    try:
        version = await wire.fetch_json("GET", "/api/version", None, timeout_s)
        tags = await wire.fetch_json("GET", "/api/tags", None, timeout_s)
    except ModelError:
        return None
    finally:
        await wire.close()
    if not isinstance(version, dict) or not isinstance(version.get("version"), str):
        return None
    return OllamaFound(wire.base_url, version["version"], chat_models(tags))


def chat_models(tags: Any) -> tuple[str, ...]:
    """The names of the models that can chat, in order, out of the answer of `/api/tags`."""
    models = tags.get("models") if isinstance(tags, dict) else None
    if not isinstance(models, list):
        return ()
    return tuple(
        m["name"]
        for m in models
        if isinstance(m, dict) and isinstance(m.get("name"), str) and m["name"] and _chats(m)
    )


def _chats(model: dict[str, Any]) -> bool:
    if isinstance(abilities := model.get("capabilities"), list):
        return "completion" in abilities
    name = model["name"].lower()
    details = model.get("details")
    family = str(details.get("family", "")) if isinstance(details, dict) else ""
    return not any(part in name for part in _EMBEDS) and "bert" not in family
