"""What was said in one conversation and no store has, at its place among what is stored, as the next prompts read it.

Said while memory was off, or lost to a store that failed: it stays in this process alone, and only as long as a prompt
could hold it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from souvenance.domain import Message, MessageId, Role
from souvenance.ports import ChatMessage


class Unkept:
    """Messages that are not stored, each behind the stored one that it followed."""

    def __init__(self, most: int) -> None:
        """`most` messages are kept: as many as a prompt shows."""
        self._most = most
        self._said: list[tuple[MessageId | None, ChatMessage]] = []
        self._newest: MessageId | None = None

    def follow(self, stored: Sequence[MessageId]) -> None:
        """Takes note of what was stored last: what is added now came after it."""
        self._newest = stored[-1] if stored else self._newest

    def add(self, said: Iterable[ChatMessage]) -> None:
        """Keeps consecutive messages behind what was stored last."""
        self._said += [(self._newest, one) for one in said]
        self._said = self._said[max(0, len(self._said) - self._most) :]

    def clear(self) -> None:
        """Forgets all of them."""
        self._said = []

    def among(self, recent: Sequence[Message]) -> list[ChatMessage]:
        """The recent messages of the store, oldest first, and those that are not stored where they were said.

        What followed a message older than these comes first.
        """
        told = {m.message_id: [as_prompt(m.role, m.text)] for m in recent}
        before: list[ChatMessage] = []
        for after, one in self._said:
            (before if after is None else told.get(after, before)).append(one)
        return [*before, *(one for those in told.values() for one in those)]


def as_prompt(role: Role, text: str) -> ChatMessage:
    """What was said as a chat model reads it."""
    return ChatMessage("user" if role == "user" else "assistant", text)
