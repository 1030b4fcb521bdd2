"""Prints how much of a prompt stands byte for byte at the start of the one before it, by how the prompt is put together.

A model server (llama.cpp, Ollama, hosted ones) reuses what it computed for the longest common prefix and reads the rest
anew. Run: python bench/prompt_prefix.py [--json] [--turns N]. Seeded, real selection and bundled embedder.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

# One BLAS thread, before numpy loads.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from souvenance import prompt as prompts
from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_THREAD,
    MAIN_TIMELINE,
    Address,
    Cause,
    Character,
    CharacterId,
    Kind,
    Memory,
    MemoryId,
    PersonId,
    Redacted,
    View,
)
from souvenance.lang import language
from souvenance.models.embed.bundled import BundledEmbedder
from souvenance.ports import ChatMessage, VectorRow
from souvenance.prompt import Budget, Notes, build_prompt
from souvenance.read.calibrations import Calibration
from souvenance.read.context import CLOSE, estimate_tokens, fit
from souvenance.read.corpus import Corpus
from souvenance.read.plan import COMPANION
from souvenance.read.scores import read_query, score
from souvenance.read.selection import Selection, select
from souvenance.write.alike.similarity import tells_one_fact

CASES = Path(__file__).parents[1] / "tests/unit/read/cases"
AT = Address(DEFAULT_SPACE, PersonId("bench"), CharacterId("bench"))
VIEW = View(AT, thread=MAIN_THREAD)
BORN = datetime(2026, 1, 1, tzinfo=UTC)
TODAY = date(2026, 6, 1)
KINDS = (Kind.FACT, Kind.PREFERENCE, Kind.PROMISE, Kind.EPISODE)
BUDGET = Budget(tokens=4096, recent_messages=40)
PERSONA = (
    "You are Wren, who keeps a lock on the canal and talks with whoever waits for the water. " * 6
)


def sentences(code: str) -> list[str]:
    """All those of the cases, one of each group first."""
    lines = (CASES / f"same_{code}.txt").read_text("utf-8").splitlines()
    same = [line for line in lines if line and not line.startswith("#")]
    lines = (CASES / f"differ_{code}.txt").read_text("utf-8").splitlines()
    pairs = [line.split(" | ")[:2] for line in lines if line and not line.startswith("#")]
    return list(dict.fromkeys([*itertools.chain(*pairs), *same]))


@dataclass(frozen=True)
class Talk:
    """A simulated talk: what is remembered, what is asked at each turn, and what was served."""

    selections: Sequence[Selection]
    asked: Sequence[str]
    answered: Sequence[str]


def simulated(code: str, turns: int) -> Talk:
    """A talk whose memory is made of the cases' sentences and whose messages come back to them, one subject at a time."""
    texts, drawn = sentences(code), random.Random(11)
    memories = [
        Memory(
            MemoryId(f"m{n:03d}"), AT, MAIN_TIMELINE, None if n % 3 else MAIN_THREAD, KINDS[n % 4], Redacted(text),
            BORN + timedelta(hours=drawn.randrange(3000)), BORN, Cause("reflection"), pinned=n % 40 == 0,
        )
        for n, text in enumerate(texts)
    ]  # fmt: skip
    rules = [
        replace(
            memories[0], memory_id=MemoryId(f"r{n}"), kind=Kind.RULE, text=Redacted(f"{text} (rule {n})")
        )
        for n, text in enumerate(texts[:4])
    ]  # fmt: skip
    asked = [f"Well. {texts[drawn.randrange(len(texts))]} What now?" for _ in range(turns)]
    answered = [" ".join(drawn.sample(texts, 3)) for _ in range(turns)]
    vectors = asyncio.run(BundledEmbedder().embed([*texts, *asked], timeout_s=120))
    rows = [
        VectorRow(AT, m.memory_id, m.fingerprint, v)
        for m, v in zip(memories, vectors, strict=False)
    ]
    corpus = Corpus.build(VIEW, language(code), [*memories, *rules], rows)
    found = []
    for text, vector in zip(asked, vectors[len(texts) :], strict=True):
        scores = score(
            corpus,
            read_query(text, corpus.language, vector),
            Calibration(BundledEmbedder.threshold),
        )
        found.append(select(corpus, scores, COMPANION, TODAY, tells_one_fact))
    return Talk(found, asked, answered)


# --- ways to put a prompt together --------------------------------------------------------------

Order = Callable[[Selection], str]
"""The block of slots of one turn."""


def by_birth(found: Selection) -> str:
    """As it is done: oldest first."""
    return fit(found, language="en", budget_tokens=BUDGET.memory).moving


def by_choice(found: Selection) -> str:
    """In the order the slots were filled: stages, then scores within some of them."""
    return _ordered(found, lambda n, s: n)


def by_score(found: Selection) -> str:
    """Most relevant first."""
    return _ordered(found, lambda n, s: -s.relevance)


def by_stage_then_birth(found: Selection) -> str:
    """Stage by stage, each oldest first."""
    names = [stage.name for stage in COMPANION.stages]
    return _ordered(found, lambda n, s: (names.index(s.stage), s.memory.born_at))


def called_last(found: Selection) -> str:
    """What the message did not call first, both oldest first."""
    return _ordered(found, lambda n, s: (s.retrieved, s.memory.born_at))


def _ordered(found: Selection, key: Callable[[int, Any], Any]) -> str:
    head, *lines, foot = by_birth(found).split("\n")
    titles = [line for line in lines if not line.startswith("- [")]
    shown = {s.memory.memory_id: s for s in found.slots}
    order = sorted(enumerate(shown.values()), key=lambda pair: key(*pair))
    rendered = [
        fit(replace(found, slots=(slot,)), language="en").moving.split("\n")[-2]
        for _, slot in order
    ]
    assert foot == CLOSE
    return "\n".join([head, *titles, *rendered, foot])


def slots_last(notes: Notes, earlier: Sequence[ChatMessage], message: str) -> list[ChatMessage]:
    """As it is done."""
    character = Character(DEFAULT_SPACE, CharacterId("bench"), "Wren", PERSONA)
    return build_prompt(character, notes, earlier, message, BUDGET)


def slots_first(notes: Notes, earlier: Sequence[ChatMessage], message: str) -> list[ChatMessage]:
    """Persona, rules and slots in one system message, then the talk."""
    made = slots_last(replace(notes, standing="", moving=""), earlier, message)
    room = len(notes.standing) + len(notes.moving)
    while len(made) > 3 and sum(len(m.text) for m in made) + room > BUDGET.tokens * 3.5:
        del made[1]
    return [ChatMessage("system", f"{PERSONA}\n\n{notes.standing}\n{notes.moving}"), *made[1:]]


def shares(
    talk: Talk, order: Order, place: Callable[..., list[ChatMessage]], slack: float
) -> dict[str, float]:
    """Mean over the turns: share of a prompt that the one before began with, and tokens that must be read anew."""
    kept, anew = [], []
    before = ""
    said: list[ChatMessage] = []
    former, prompts.SLACK = prompts.SLACK, slack
    for found, asked, answered in zip(talk.selections, talk.asked, talk.answered, strict=True):
        standing = fit(found, language="en", budget_tokens=BUDGET.memory).standing
        notes = Notes(standing, order(found))
        made = place(notes, said[-BUDGET.recent_messages :], asked)
        text = "".join(f"<|{m.role}|>{m.text}" for m in made)
        common = next(
            (n for n, (a, b) in enumerate(zip(before, text, strict=False)) if a != b),
            min(len(before), len(text)),
        )
        if before:
            kept.append(common / len(text))
            anew.append(estimate_tokens(text[common:]))
        before = text
        said += [ChatMessage("user", asked), ChatMessage("assistant", answered)]
    prompts.SLACK = former
    return {
        "share kept": round(sum(kept) / len(kept), 3),
        "tokens anew": round(sum(anew) / len(anew)),
        "least kept": round(min(kept), 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--turns", type=int, default=80)
    asked = parser.parse_args()
    ways: list[tuple[str, Order, Any, float]] = [
        ("ours: slots last, by birth", by_birth, slots_last, prompts.SLACK),
        ("slots last, stage then birth", by_stage_then_birth, slots_last, prompts.SLACK),
        ("slots last, called ones last", called_last, slots_last, prompts.SLACK),
        ("slots last, as chosen", by_choice, slots_last, prompts.SLACK),
        ("slots last, by score", by_score, slots_last, prompts.SLACK),
        ("ours, window moves each turn", by_birth, slots_last, 0.0),
        ("ours, slack of one half", by_birth, slots_last, 0.5),
        ("slots in the system message", by_birth, slots_first, prompts.SLACK),
        ("the same, by score", by_score, slots_first, prompts.SLACK),
    ]
    table = {
        code: {
            name: shares(talk, order, place, slack)
            for talk in [simulated(code, asked.turns)]
            for name, order, place, slack in ways
        }
        for code in ("fr", "en")
    }
    if asked.json:
        print(json.dumps({"bench": "prompt_prefix", "turns": asked.turns, "by": table}))
        return
    for code, rows in table.items():
        print(code)
        for name, row in rows.items():
            print(f"  {name:30}", *(f"{k} {v}" for k, v in row.items()), sep="  ")


if __name__ == "__main__":
    main()
