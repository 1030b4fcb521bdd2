"""What a person is served depends on what that person's own memories are, to the last digit of every score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from souvenance.domain import Address, CharacterId, Memory, PersonId, View
from souvenance.models.fakes import HashEmbedder
from souvenance.ports import VectorRow
from souvenance.read.recall import Recall
from souvenance.stores.memory import MemoryStore
from souvenance.writes import AddVersion

NOW = datetime(2026, 4, 1, tzinfo=UTC)

OWN = (
    "Ottoline tunes the organ",
    "Noor mends sails",
    "The lock shuts at nine",
    "Noor hates brass polish",
)
OTHERS = [
    f"{name} tunes the organ and polishes lock {n}"
    for n in range(150)
    for name in ("Ottoline", "Noor")
]


async def remember(store: MemoryStore, memories: list[Memory], embedder: HashEmbedder) -> None:
    rows = await embedder.embed([m.text for m in memories], timeout_s=5)
    for memory in memories:
        store.commit(memory.address.space, memory.address.person, [AddVersion(memory, None)])
    store.vectors.put(
        embedder.name,
        [
            VectorRow(m.address, m.memory_id, m.fingerprint, v)
            for m, v in zip(memories, rows, strict=True)
        ],
    )


async def served(store: MemoryStore, view: View, embedder: HashEmbedder) -> Any:
    recall = Recall(store, embedder)
    found = await recall.recall(
        view, "Did Ottoline come to tune the organ?", now=NOW, language="en"
    )
    assert not found.degraded
    return [(s.memory.memory_id, s.stage, s.reason, s.relevance) for s in found.selection.slots]


@pytest.mark.parametrize("neighbour", ["another person", "another character", "another thread"])
async def test_a_neighbour_with_many_like_memories_changes_nothing(
    neighbour: str, memory: Callable[..., Memory], view: View
) -> None:
    """Ids, order, scores and reasons are the same before and after three hundred foreign memories."""
    embedder = HashEmbedder()
    store = MemoryStore()
    await remember(
        store, [memory(f"own{n}", text, hours=n) for n, text in enumerate(OWN)], embedder
    )
    before = await served(store, view, embedder)
    here = view.address
    there = (
        Address(here.space, PersonId("omar"), here.character)
        if neighbour == "another person"
        else Address(here.space, here.person, CharacterId("basile"))
        if neighbour == "another character"
        else here
    )
    foreign = [
        replace(memory(f"far{n}", text), address=there, thread="mill" if there == here else None)
        for n, text in enumerate(OTHERS)
    ]
    await remember(store, foreign, embedder)
    assert before == await served(store, view, embedder)
    assert before[0][0] == "own0"
    assert len(before) == len(OWN)
