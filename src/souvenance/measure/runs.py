"""Runs recorded conversations through the real engine, each on a fresh database in a scratch folder."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from souvenance.characters import slug, unwritten
from souvenance.domain import Character, CharacterId, Memory, MessageId, Space, Status
from souvenance.errors import BadSetting
from souvenance.measure.conversations import Conversation
from souvenance.measure.replayed import Replayed, ReplayedMemory, ReplayedVersion
from souvenance.opening import choose_chat, open
from souvenance.recording import Said
from souvenance.turn import Talk

if TYPE_CHECKING:
    from souvenance.engine import Engine
    from souvenance.ports import ChatModel
    from souvenance.settings import Settings

#: Seconds that one exchange may take to be reflected on. Chosen, not measured: a small model on one core is slow.
_PATIENCE_S = 900.0


def exchanges(conversation: Conversation) -> list[list[Said]]:
    """The messages by exchange: one of the person with the replies that follow; empty ones left out.

    Keys depend on the conversation and the message's place alone, so that a second replay changes nothing.
    """
    groups: list[list[Said]] = []
    for index, turn in enumerate(conversation.messages):
        if not turn.text.strip():
            continue
        said = Said(turn.role, turn.text, turn.at, f"{conversation.conversation_id}/{index}")
        if turn.role == "character" and groups:
            groups[-1].append(said)
        else:
            groups.append([said])
    return groups


@dataclass
class EngineRun:
    """Replays one conversation after the other; `outcomes` counts how the exchanges ended."""

    settings: Settings
    with_model: bool
    outcomes: Counter[str] = field(
        default_factory=lambda: Counter({"stored": 0, "nothing": 0, "parked": 0, "pending": 0})
    )

    def __call__(self, conversation: Conversation) -> Replayed:
        """What the engine keeps of the conversation."""
        return asyncio.run(self._replay(conversation))

    async def _replay(self, conversation: Conversation) -> Replayed:
        chat: ChatModel | None = None
        if self.with_model:
            chat, note = await choose_chat(self.settings)
            if chat is None:
                raise BadSetting(f"--with-model needs a chat model: {note}.")
        with tempfile.TemporaryDirectory(prefix="souvenance-") as folder:
            path = Path(folder) / "bench.db"
            async with open(path, settings=self._paced(), chat=chat, embedder=None) as engine:
                character = CharacterId(slug(conversation.character))
                described = unwritten(character, Space(self.settings.space), conversation.language)
                await engine.put_character(_named(described, conversation.character))
                person = conversation.user_name or "person"
                talk = engine.thread(person, character, name=conversation.user_name)
                places: dict[MessageId, int] = {}
                for group in exchanges(conversation):
                    recorded = await talk.append(group)
                    places |= zip(recorded.messages, map(_place, group), strict=True)
                    await self._reflected(engine)
                self.outcomes["pending"] += len(engine.store.jobs.unfinished())
                return await self._collected(talk, places)

    @staticmethod
    async def _reflected(engine: Engine) -> None:
        """Waits until nothing is left to reflect on, tries again included."""
        loop = asyncio.get_running_loop()
        end = loop.time() + _PATIENCE_S
        while await engine.drain(_PATIENCE_S) and loop.time() < end:  # noqa: ASYNC110  (the backoff is the clock)
            await asyncio.sleep(0.5)

    def _paced(self) -> Settings:
        """The settings with no pause, and one more try before the inbox: nobody is talking."""
        reflection = self.settings.reflection.model_copy(
            update={"idle_s": 0.0, "batch": 1, "attempts": 2}
        )
        return self.settings.model_copy(update={"reflection": reflection})

    async def _collected(self, talk: Talk, places: dict[MessageId, int]) -> Replayed:
        hand = talk.memories
        found = []
        for memory in reversed(await hand.list(statuses=())):
            earlier = [m for m in await hand.history(memory.memory_id) if m.text != memory.text]
            found.append(_replayed(memory, earlier, places))
        journal = await hand.journal(("dropped", "reflected", "failed"), limit=1_000_000)
        for entry in journal:
            if entry.action == "failed":
                self.outcomes["parked"] += 1
            elif entry.action == "reflected":
                self.outcomes["nothing" if entry.reason.startswith("0 stored") else "stored"] += 1
        dropped = [(e.text, e.reason) for e in reversed(journal) if e.action == "dropped"]
        return Replayed(tuple(found), tuple(dropped))


@contextmanager
def engine_run(settings: Settings, *, with_model: bool = False) -> Iterator[EngineRun]:
    """A run over the engine of these settings; extractive unless `with_model`."""
    yield EngineRun(settings, with_model)


def _named(character: Character, name: str) -> Character:
    return replace(character, name=name)


def _place(said: Said) -> int:
    """The place of a message in its conversation, as its key says."""
    return int((said.key or "0").rsplit("/", 1)[-1])


def _replayed(
    memory: Memory, earlier: Sequence[Memory], places: dict[MessageId, int]
) -> ReplayedMemory:
    def origins(state: Memory) -> tuple[int, ...]:
        return tuple(sorted(places[i] for i in state.messages if i in places))

    return ReplayedMemory(
        memory.text,
        memory.kind.value,
        memory.scope.value,
        origins(memory),
        memory.status is Status.ACTIVE,
        memory.until,
        tuple(ReplayedVersion(m.text, origins(m)) for m in earlier),
    )
