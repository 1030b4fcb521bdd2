"""What the chat model reads: persona, rules, recent messages, memories and the new message, under one token budget.

A server reuses what it computed for the longest prefix it has seen before, so what changes least is written first.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from souvenance.domain import Character
from souvenance.ports import ChatMessage
from souvenance.read.context import estimate_tokens

#: Share of the recent messages that may be left out so that the same one stays first for some turns: a quarter.
#: Measured 2026-11-30, `bench/prompt_prefix.py`, 80 turns, 40 recent messages: tokens that a server reads anew at a turn
#: 681 French, 671 English; 1265, 1167 with none left out; 546, 545 with a half. It prefers older messages to the rest.
SLACK = 0.25


@dataclass(frozen=True, slots=True)
class Budget:
    """How the tokens of one prompt are shared. All are estimates (see `estimate_tokens`)."""

    tokens: int = 4096
    recent_messages: int = 40

    @property
    def memory(self) -> int:
        """Room for rules and memories: two fifths. Chosen, not measured."""
        return self.tokens * 2 // 5


@dataclass(frozen=True, slots=True)
class Notes:
    """What is remembered, as two fenced blocks: `standing` changes rarely (rules), `moving` at each turn (slots)."""

    standing: str = ""
    moving: str = ""


def build_prompt(
    character: Character,
    notes: Notes,
    earlier: Sequence[ChatMessage],
    message: str,
    budget: Budget,
) -> list[ChatMessage]:
    """The prompt of one turn, in the order a model reads it.

    The persona alone is the system message: nothing remembered has that authority. Rules open the first message of
    the person, memories stand in the last one, before what is said now, so that the roles keep alternating as strict
    chat templates demand. The new message is always whole; the most recent earlier ones fill what is left.
    """
    spent = (character.persona, notes.standing, notes.moving, message)
    left = budget.tokens - sum(estimate_tokens(part) for part in spent)
    last = ChatMessage("user", "\n\n".join(filter(None, (notes.moving, message))))
    said = [*_window(earlier, left, budget.recent_messages), last]
    if notes.standing and said[0].role == "user":
        said[0] = ChatMessage("user", f"{notes.standing}\n\n{said[0].text}")
    elif notes.standing:
        said.insert(0, ChatMessage("user", notes.standing))
    opening = [ChatMessage("system", character.persona)] if character.persona else []
    return [*opening, *said]


def _window(earlier: Sequence[ChatMessage], left: int, limit: int) -> Sequence[ChatMessage]:
    """The recent messages that fit, from one that is likely to be the first of the next turns too.

    When some are left out, the first is not the oldest that fits but the person's message with the smallest checksum
    among the oldest quarter: as the window moves on it stays the same one for several turns, with nothing kept
    between them.
    """
    start = len(earlier)
    while start and (left := left - estimate_tokens(earlier[start - 1].text)) >= 0:
        start -= 1
    kept = earlier[start:]
    if not start and len(earlier) < limit:
        return kept  # the whole conversation
    oldest = kept[: max(1, round(len(kept) * SLACK))]
    heads = [n for n, one in enumerate(oldest) if one.role == "user"]
    if not heads:
        return kept
    return kept[min(heads, key=lambda n: (_checksum(oldest[n].text), n)) :]


def _checksum(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))
