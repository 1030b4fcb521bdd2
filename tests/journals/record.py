"""Writes the recorded journals of this folder anew, after a decision was changed on purpose.

Run it with `python -m tests.journals.record`, then read the difference before it is committed.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

from souvenance.characters import slug, unwritten
from souvenance.domain import CharacterId, Space
from souvenance.measure.conversations import Conversation, read
from souvenance.measure.journals import lines_of
from souvenance.measure.runs import exchanges
from souvenance.opening import open
from souvenance.ports import ChatMessage
from souvenance.settings import Settings
from souvenance.turn import Talk
from souvenance.write.rehearsal import OtherStep, Recording, ReflectionStep, Step

HERE = Path(__file__).parent


class Proposer:
    """A model that proposes each sentence of the person, an order, and the character's words as facts."""

    name, server = "proposer", "nowhere"

    def stream(
        self, messages: Sequence[ChatMessage], *, max_tokens: int | None = None
    ) -> AsyncIterator[str]:
        raise NotImplementedError

    async def answer_json(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any],
        schema_name: str,
        max_tokens: int,
    ) -> str:
        lines = messages[-1].text.splitlines()
        said = [json.loads(line)["text"] for line in lines if line.startswith('{"from"')]
        fresh = said[-2:]
        texts = [one.strip() for text in fresh for one in text.split(". ") if len(one) > 12]
        candidates = [
            {
                "text": text, "kind": "fact", "scope": "global", "confidence": 0.9, "quote": text,
            }
            for text in texts
        ]  # fmt: skip
        return json.dumps({"reasoning": "all of it", "candidates": candidates}, ensure_ascii=False)

    async def close(self) -> None:
        pass


async def _record(conversation: Conversation, with_model: bool) -> Recording:
    settings = Settings()
    paced = settings.reflection.model_copy(update={"idle_s": 0.0, "batch": 1, "attempts": 1})
    settings = settings.model_copy(update={"reflection": paced})
    chat = Proposer() if with_model else None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        async with open(path, settings=settings, chat=chat, embedder=None) as engine:
            character = CharacterId(slug(conversation.character))
            described = unwritten(character, Space(settings.space), conversation.language)
            await engine.put_character(replace(described, name=conversation.character))
            name = conversation.user_name or "person"
            talk = engine.thread(name, character, name=name)
            for number, group in enumerate(exchanges(conversation)):
                await talk.append(group)
                await engine.drain(60)
                if number == 2:
                    await _touch(talk)
            return _settled_in_time(await talk.memories.recording())


def _settled_in_time(recorded: Recording) -> Recording:
    """The recording with hands that acted at the moment of the exchange before, whenever it was made."""
    steps: list[Step] = []
    for step in recorded.steps:
        if isinstance(step, OtherStep):
            at = next(s.proposal.at for s in reversed(steps) if isinstance(s, ReflectionStep))
            step = OtherStep(tuple(replace(state, changed_at=at) for state in step.states))
        steps.append(step)
    return replace(recorded, steps=tuple(steps))


@contextmanager
def _same_ids() -> Iterator[None]:
    """Ids drawn in the same order each time: a difference between two recordings is one of decisions."""
    drawn = count(1)
    with patch("secrets.token_hex", lambda size=8: f"{next(drawn):0{2 * size}x}"):
        yield


async def _touch(talk: Talk) -> None:
    """What a hand does in between: one memory pinned, one reworded, one forgotten."""
    listed = await talk.memories.list()
    first, second, third, *_ = sorted(listed, key=lambda m: m.text)
    await talk.memories.pin(first.memory_id)
    await talk.memories.edit(second.memory_id, second.text.replace(".", " !"))
    await talk.memories.forget(third.memory_id)


def main() -> None:
    for conversation in read(HERE / "conversations.jsonl"):
        for with_model in (False, True):
            with _same_ids():
                recorded = asyncio.run(_record(conversation, with_model))
            name = f"{conversation.conversation_id}-{'model' if with_model else 'rules'}.journal"
            lines = [f"{line}\n" for line in lines_of(recorded)]
            (HERE / name).write_text("".join(lines), "utf-8")
            sys.stdout.write(f"{name}: {len(recorded.steps)} steps\n")


if __name__ == "__main__":
    main()
