"""Runs the write path over a recorded conversation without a store: the decisions alone, in plain Python.

It shows what extraction, filters and merging do by themselves; the engine-backed run must agree with it.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_THREAD,
    MAIN_TIMELINE,
    Address,
    Candidate,
    Character,
    CharacterId,
    Dropped,
    Exchange,
    Memory,
    MemoryId,
    Message,
    MessageId,
    Person,
    PersonId,
    Seq,
    Status,
)
from souvenance.lang import language
from souvenance.measure.conversations import Conversation
from souvenance.measure.replayed import Replayed, ReplayedMemory, ReplayedVersion
from souvenance.write.alike.nearby import Known
from souvenance.write.desk import Setting
from souvenance.write.extractive import sift
from souvenance.write.filters import screen
from souvenance.write.filters.identifiers import redact
from souvenance.write.merge import settle
from souvenance.writes import AddVersion

_ADDRESS = Address(DEFAULT_SPACE, PersonId("person"), CharacterId("character"))

#: Messages shown to a reflection before the fresh ones, as the engine does.
_LEAD = 6


def run_plain(conversation: Conversation) -> Replayed:
    """What extraction, filters and merging leave of a conversation, exchange by exchange."""
    messages = _messages(conversation)
    shelf = _Shelf(conversation)
    start = 0
    while start < len(messages):
        end = start + 1
        while end < len(messages) and messages[end].role == "character":
            end += 1
        shelf.reflect(messages[max(0, start - _LEAD) : end], messages[start:end])
        start = end
    return shelf.replayed()


def _messages(conversation: Conversation) -> tuple[Message, ...]:
    return tuple(
        Message(
            _ADDRESS,
            MAIN_THREAD,
            MessageId(str(n)),
            MessageId(str(n - 1)) if n else None,
            turn.role,
            redact(turn.text).text,
            turn.at,
            "",
        )
        for n, turn in enumerate(conversation.messages)
    )


class _Shelf:
    """The memories as they go, with every earlier state."""

    def __init__(self, conversation: Conversation) -> None:
        name = conversation.character
        self._character = Character(
            DEFAULT_SPACE, _ADDRESS.character, name, "", conversation.language
        )
        self._person = Person(DEFAULT_SPACE, _ADDRESS.person, conversation.user_name)
        self._current: dict[MemoryId, Memory] = {}
        self._known = Known([], language(self._character.language))
        self._earlier: dict[MemoryId, list[Memory]] = {}
        self._dropped: list[tuple[str, str]] = []
        self._ids = itertools.count(1)
        self._seq = 0

    def reflect(self, shown: tuple[Message, ...], fresh: tuple[Message, ...]) -> None:
        """Reflects on one exchange and keeps what came of it."""
        exchange = Exchange(shown, self._person, self._character)
        kept: list[Candidate] = []
        read = sift(exchange, {m.message_id for m in fresh})
        self._dropped += [(d.candidate.text, d.reason) for d in read.left_out]
        for candidate in read.candidates:
            verdict = screen(candidate, exchange)
            if isinstance(verdict, Dropped):
                self._dropped.append((candidate.text, verdict.reason))
            else:
                kept.append(verdict.candidate)
        settled = settle(kept, self._known, self._setting(fresh))
        self._seq += 1
        for write in settled.writes:
            if isinstance(write, AddVersion):
                self._write(write)
        self._dropped += [
            (c.text, n.reason) for c, n in zip(kept, settled.noted, strict=True) if n.memory is None
        ]

    def _write(self, write: AddVersion) -> None:
        memory = write.memory
        before = self._current.get(memory.memory_id)
        assert (before.seq_from if before else None) == write.expected
        if before is not None:
            self._earlier.setdefault(memory.memory_id, []).append(before)
        written = replace(memory, seq_from=Seq(self._seq))
        self._current[memory.memory_id] = written
        self._known.put(written)

    def _setting(self, fresh: tuple[Message, ...]) -> Setting:
        return Setting(
            address=_ADDRESS,
            timeline=MAIN_TIMELINE,
            thread=MAIN_THREAD,
            isolation="character",
            at=max(m.at for m in fresh),
            turn=self._seq,
            language=self._character.language,
            by="reflection",
            ref=f"exchange {fresh[0].message_id}",
            new_id=lambda: MemoryId(f"m{next(self._ids)}"),
        )

    def replayed(self) -> Replayed:
        """The memories at the end."""
        found = []
        for memory in self._current.values():
            earlier = self._earlier.get(memory.memory_id, [])
            worded = [m for m in earlier if m.text != memory.text]
            found.append(
                ReplayedMemory(
                    memory.text,
                    memory.kind.value,
                    memory.scope.value,
                    _origins(memory),
                    memory.status is Status.ACTIVE,
                    memory.until,
                    tuple(ReplayedVersion(m.text, _origins(m)) for m in worded),
                )
            )
        return Replayed(tuple(found), tuple(self._dropped))


def _origins(memory: Memory) -> tuple[int, ...]:
    return tuple(int(i) for i in memory.messages)
