"""Souvenance: a readable, reversible memory for conversational characters and agents.

`open` is the way in; the other names are what it hands out. They load on first use, so that importing is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from souvenance.domain import Character, Kind, Memory, Message, Scope, Status
    from souvenance.engine import Engine
    from souvenance.errors import BadInput, ModelError, SouvenanceError, StoreError
    from souvenance.opening import open
    from souvenance.recording import Recorded, Said
    from souvenance.settings import Settings
    from souvenance.stores.memory import MemoryStore
    from souvenance.turn import Context, Reply, Talk

__version__ = "0.1.0"

_HOME = {
    "BadInput": "errors",
    "Character": "domain",
    "Context": "turn",
    "Engine": "engine",
    "Kind": "domain",
    "Memory": "domain",
    "MemoryStore": "stores.memory",
    "Message": "domain",
    "ModelError": "errors",
    "Recorded": "recording",
    "Reply": "turn",
    "Said": "recording",
    "Scope": "domain",
    "Settings": "settings",
    "SouvenanceError": "errors",
    "Status": "domain",
    "StoreError": "errors",
    "Talk": "turn",
    "open": "opening",
}

__all__ = [
    "BadInput", "Character", "Context", "Engine", "Kind", "Memory", "MemoryStore", "Message",
    "ModelError", "Recorded", "Reply", "Said", "Scope", "Settings", "SouvenanceError", "Status",
    "StoreError", "Talk", "open",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'souvenance' has no attribute {name!r}")
    value = getattr(import_module(f"souvenance.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
