"""What a chat model really receives at each turn, through the engine: who says what, and which bytes stay."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import souvenance
from souvenance.domain import Kind
from souvenance.models.fakes import HashEmbedder, ScriptedChat
from souvenance.ports import ChatMessage
from souvenance.settings import Settings

SETTINGS = Settings.model_validate(
    {
        "chat": {"discover": False},
        "turn": {"embedding_deadline_s": 10, "recent_messages": 8},
        "reflection": {"mode": "extractive"},
        "index": {"every_s": 3600},
    }
)


async def test_only_the_persona_is_the_system_and_what_changes_least_stays_the_same_bytes(
    tmp_path: Path,
) -> None:
    """A rule and a dozen memories later, the system message is still the character's alone."""
    chat = ScriptedChat(then="Noted.")
    async with souvenance.open(
        tmp_path / "m.db", settings=SETTINGS, chat=chat, embedder=HashEmbedder()
    ) as engine:
        talk = engine.thread(person="ines", character="wren")
        await talk.memories.add("Ines is spoken to as tu.", kind=Kind.RULE)
        for n in range(12):
            await talk.memories.add(f"Ines keeps {n + 2} geese in field number {n}.")
        for n in range(12):
            await talk.turn(f"What of field number {n}?")
    assert len(chat.for_replies) == 12
    for prompt in chat.for_replies:
        system = [m.text for m in prompt if m.role == "system"]
        assert not any("geese" in text or "as tu" in text for text in system)
        roles = [m.role for m in prompt if m.role != "system"]
        assert roles[0] == roles[-1] == "user"
        assert all(a != b for a, b in pairwise(roles))
        assert "geese" in prompt[-1].text
        assert prompt[-1].text.endswith("?")
        assert sum("geese" in m.text for m in prompt) == 1
    heads = {_head(prompt) for prompt in chat.for_replies}
    assert len(heads) == 1


def _head(prompt: Sequence[ChatMessage]) -> str:
    """Everything up to the end of the rules."""
    written = "".join(f"\0{m.role}\n{m.text}" for m in prompt)
    end = written.index("</souvenance-memory>")
    assert "as tu" in written[:end]
    return written[:end]
