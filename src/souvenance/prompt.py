"""What the chat model reads: persona, memory block, recent messages and the new one, under one token budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from souvenance.domain import Character
from souvenance.ports import ChatMessage
from souvenance.read.context import estimate_tokens


@dataclass(frozen=True, slots=True)
class Budget:
    """How the tokens of one prompt are shared. All are estimates (see `estimate_tokens`)."""

    tokens: int = 4096
    recent_messages: int = 40

    @property
    def memory(self) -> int:
        """Room for the memory block: two fifths. Chosen, not measured."""
        return self.tokens * 2 // 5


def build_prompt(
    character: Character, memory: str, earlier: Sequence[ChatMessage], message: str, budget: Budget
) -> list[ChatMessage]:
    """The prompt of one turn, in the order a model reads it.

    Persona and memory make the system message; the new message is always whole; the most recent
    earlier messages fill what is left, whole or not at all.
    """
    system = "\n\n".join(part for part in (character.persona, memory) if part)
    left = budget.tokens - estimate_tokens(system) - estimate_tokens(message)
    kept: list[ChatMessage] = []
    for one in reversed(earlier):
        left -= estimate_tokens(one.text)
        if left < 0:
            break
        kept.append(one)
    opening = [ChatMessage("system", system)] if system else []
    return [*opening, *reversed(kept), ChatMessage("user", message)]
