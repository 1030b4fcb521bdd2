"""What a write path left of a recorded conversation, in the shape the bench prints and scores."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any


@dataclass(frozen=True, slots=True)
class ReplayedVersion:
    """An earlier wording of a memory, and the messages it rests on."""

    text: str
    origins: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ReplayedMemory:
    """One memory at the end of a conversation. `origins` are message indexes; `versions` earlier wordings."""

    text: str
    kind: str
    scope: str
    origins: tuple[int, ...]
    current: bool
    until: date | None = None
    versions: tuple[ReplayedVersion, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The documented object, with the earlier wordings beside it."""
        return {
            "text": self.text,
            "kind": self.kind,
            "scope": self.scope,
            "from": list(self.origins),
            "current": self.current,
            "until": self.until.isoformat() if self.until else None,
            "versions": [{"text": v.text, "from": list(v.origins)} for v in self.versions],
        }


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a write path left of one conversation."""

    memories: tuple[ReplayedMemory, ...]
    dropped: tuple[tuple[str, str], ...] = ()  # text, reason
