"""Scores what a write path kept of recorded conversations: facts, their currency, and what must never stay.

The definitions are those of the documented `replay` bench; "keep every user message" is printed beside ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from souvenance.lang import Language, language
from souvenance.measure.conversations import Conversation, Fact, read
from souvenance.measure.plainrun import run_plain
from souvenance.measure.replayed import Replayed, ReplayedMemory
from souvenance.measure.report import Fault, Metrics, Report, rate
from souvenance.measure.statements import Statement, holds, says, statement


@dataclass(frozen=True, slots=True)
class Score:
    """What one replay kept. The lists name the facts and statements that went wrong, by place."""

    facts: int
    kept: frozenset[int]
    current_right: frozenset[int]
    never: int
    never_kept: frozenset[int]
    memories: int

    def failed(self, conversation_id: str) -> list[str]:
        """Names of what went wrong, worst first: forbidden statements, wrong currency, facts missed."""
        never = [f"{conversation_id}/never/{n}" for n in sorted(self.never_kept)]
        stale = [f"{conversation_id}/current/{n}" for n in sorted(self.kept - self.current_right)]
        missed = [f"{conversation_id}/fact/{n}" for n in range(self.facts) if n not in self.kept]
        return [*never, *stale, *missed]


Run = Callable[[Conversation], Replayed]


def score(conversation: Conversation, replayed: Replayed) -> Score:
    """What was kept of a conversation. Source: the definitions of the `replay` bench."""
    judge = _Judge(conversation)
    kept, right = set(), set()
    for n, fact in enumerate(conversation.facts):
        by = [m for m in replayed.memories if judge.keeps(m, n)]
        if by:
            kept.add(n)
            current = any(m.current and judge.keeps_now(m, n) for m in by)
            if current == (fact.valid_until is None):
                right.add(n)
    idle = [
        m
        for m in replayed.memories
        if m.current and not any(judge.keeps_now(m, n) for n in range(len(conversation.facts)))
    ]
    never = {
        n for n, s in enumerate(judge.never) if any(says(m.text, s, judge.words) for m in idle)
    }
    return Score(
        len(conversation.facts),
        frozenset(kept),
        frozenset(right),
        len(conversation.never),
        frozenset(never),
        len(replayed.memories),
    )


class _Judge:
    """The facts and forbidden statements of one conversation, read once."""

    def __init__(self, conversation: Conversation) -> None:
        self.words: Language = language(conversation.language)
        self._facts = conversation.facts
        self._conversation = conversation
        spoken = [m.text for m in conversation.messages]
        texts = [*spoken, *(f.text for f in conversation.facts), *conversation.never]
        skip = [conversation.user_name or "", conversation.character.split(",")[0]]
        self._statements = [statement(f.text, self.words, texts, skip) for f in conversation.facts]
        self.never: list[Statement] = [
            statement(n, self.words, texts, skip) for n in conversation.never
        ]
        self._near = [_near(conversation, f) for f in conversation.facts]

    def keeps(self, memory: ReplayedMemory, fact: int) -> bool:
        """Whether any version of the memory holds the fact."""
        return self.keeps_now(memory, fact) or any(
            self._holds(v.text, v.origins, fact) for v in memory.versions
        )

    def keeps_now(self, memory: ReplayedMemory, fact: int) -> bool:
        """Whether the last wording of the memory holds the fact."""
        return self._holds(memory.text, memory.origins, fact)

    def _holds(self, text: str, origins: Sequence[int], fact: int) -> bool:
        near = not self._near[fact].isdisjoint(origins)
        return near and holds(text, self._statements[fact], self.words)


def _near(conversation: Conversation, fact: Fact) -> frozenset[int]:
    """The message a fact comes from, and the three user messages before it."""
    before = [
        n for n, m in enumerate(conversation.messages[: fact.from_message]) if m.role == "user"
    ]
    return frozenset([fact.from_message, *before[-3:]])


def keep_everything(conversation: Conversation) -> Replayed:
    """What a store without judgement holds: every message of the user, for ever."""
    return Replayed(
        tuple(
            ReplayedMemory(m.text, "fact", "global", (n,), current=True)
            for n, m in enumerate(conversation.messages)
            if m.role == "user"
        )
    )


@dataclass(slots=True)
class _Sum:
    """Scores added up."""

    facts: int = 0
    kept: int = 0
    right: int = 0
    never: int = 0
    never_kept: int = 0
    memories: int = 0
    failed: list[str] = field(default_factory=list)

    def add(self, conversation_id: str, one: Score) -> None:
        self.facts += one.facts
        self.kept += len(one.kept)
        self.right += len(one.current_right)
        self.never += one.never
        self.never_kept += len(one.never_kept)
        self.memories += one.memories
        self.failed += one.failed(conversation_id)

    def metrics(self) -> Metrics:
        return {
            "facts": self.facts,
            "facts_kept": self.kept,
            "fact_rate": rate(self.kept, self.facts),
            "current": self.kept,
            "current_right": self.right,
            "never": self.never,
            "never_kept": self.never_kept,
            "memories": self.memories,
            "memories_per_fact": rate(self.memories, self.facts),
        }


def measure(path: Path, run: Run = run_plain) -> Report:
    """What `run` keeps of every conversation of a file, beside keeping every user message."""
    conversations = read(path)
    ours, everything, by = _Sum(), _Sum(), dict[str, _Sum]()
    decisions: list[Mapping[str, Any]] = []
    faults: dict[str, Fault] = {}
    for conversation in conversations:
        replayed = run(conversation)
        scored = score(conversation, replayed)
        ours.add(conversation.conversation_id, scored)
        by.setdefault(conversation.language, _Sum()).add(conversation.conversation_id, scored)
        everything.add(
            conversation.conversation_id, score(conversation, keep_everything(conversation))
        )
        decisions.append(_decision(conversation, replayed))
        faults |= _faults(conversation, scored)
    return Report(
        bench="replay",
        file=str(path),
        n=len(conversations),
        metrics=ours.metrics(),
        by={code: one.metrics() for code, one in sorted(by.items())},
        baselines={"keep every user message": everything.metrics()},
        decisions=decisions,
        failed=sorted(ours.failed, key=_worst_first),
        faults=faults,
        notes=("current counts the facts kept; memories counts memories, not versions.",),
    )


def _faults(conversation: Conversation, one: Score) -> dict[str, Fault]:
    """What went wrong, by the names of `Score.failed`."""
    found = {}
    for name in one.failed(conversation.conversation_id):
        sort, number = name.rsplit("/", 2)[1:]
        if sort == "never":
            found[name] = Fault(conversation.never[int(number)], "nothing", "kept")
            continue
        fact = conversation.facts[int(number)]
        holds, over = "kept, still true", "kept, no longer true"
        if fact.valid_until is not None:
            holds, over = over, holds
        found[name] = Fault(fact.text, holds, over if sort == "current" else "nothing")
    return found


def _worst_first(name: str) -> int:
    return next(n for n, part in enumerate(("/never/", "/current/", "/fact/")) if part in name)


def _decision(conversation: Conversation, replayed: Replayed) -> Mapping[str, Any]:
    return {
        "id": conversation.conversation_id,
        "memories": [m.as_json() for m in replayed.memories],
        "dropped": [{"text": text, "reason": reason} for text, reason in replayed.dropped],
    }
