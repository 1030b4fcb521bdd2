"""What is kept of the store between two reflections is what the store says, or it is read again."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_TIMELINE,
    Address,
    Cause,
    CharacterId,
    Kind,
    Memory,
    MemoryId,
    PersonId,
    Redacted,
    Seq,
    Stamp,
    View,
)
from souvenance.errors import StoreError
from souvenance.write.cache import KnownCache

AT = Address(DEFAULT_SPACE, PersonId("ana"), CharacterId("mo"))
NOW = datetime(2026, 3, 2, tzinfo=UTC)
VIEW = View(AT)


@dataclass
class Shelf:
    """The two questions that the cache asks a store, and what was asked."""

    rows: dict[MemoryId, Memory] = field(default_factory=dict)
    seq: int = 0
    erasures: int = 0
    asked: list[int] = field(default_factory=list)
    broken: bool = False

    def write(self, name: str, text: str, **more: Any) -> None:
        self.seq += 1
        memory = Memory(
            MemoryId(name), AT, MAIN_TIMELINE, None, Kind.FACT, Redacted(text), NOW, NOW, Cause("hand"),
            seq_from=Seq(self.seq),
        )  # fmt: skip
        self.rows[memory.memory_id] = replace(memory, **more)

    def erase(self, name: str) -> None:
        self.erasures += 1
        del self.rows[MemoryId(name)]

    def stamp(self, view: View) -> Stamp:
        return Stamp(Seq(self.seq), 0, self.erasures)

    def current(self, view: View, since: Seq = Seq(0)) -> list[Memory]:
        if self.broken:
            raise StoreError("gone")
        self.asked.append(since)
        found = [m for m in self.rows.values() if m.seq_from > since]
        return sorted(found, key=lambda m: m.seq_from)


def texts(cache: KnownCache, view: View = VIEW) -> list[str]:
    with cache.fresh(view, "en") as known:
        return [m.text for m in known]


def test_only_what_changed_is_read_again() -> None:
    """Ten thousand memories are read once, not at each reflection."""
    shelf = Shelf()
    shelf.write("a", "I keep bees.")
    cache = KnownCache(shelf)  # type: ignore[arg-type]
    assert texts(cache) == ["I keep bees."]
    assert texts(cache) == ["I keep bees."]
    shelf.write("b", "I paint boats.")
    shelf.write("a", "I keep goats.")
    assert texts(cache) == ["I paint boats.", "I keep goats."]
    assert shelf.asked == [0, 1]


def test_nothing_of_an_erased_memory_is_kept() -> None:
    """Erased means gone from every place that we hold, this one too."""
    shelf = Shelf()
    shelf.write("a", "I keep bees.")
    shelf.write("b", "I paint boats.")
    cache = KnownCache(shelf)  # type: ignore[arg-type]
    texts(cache)
    shelf.erase("a")
    assert texts(cache) == ["I paint boats."]
    with cache.fresh(VIEW, "en") as known:
        assert known.could_be_same("I keep bees.") == []
        assert "bees" not in known._vocabulary._forms


def test_a_store_that_fails_leaves_what_was_known_to_be_moved_forward_later() -> None:
    """One failed read must neither stop reflection for good nor hide what was written meanwhile."""
    shelf = Shelf()
    shelf.write("a", "I keep bees.")
    cache = KnownCache(shelf)  # type: ignore[arg-type]
    texts(cache)
    shelf.write("b", "I paint boats.")
    shelf.broken = True
    with pytest.raises(StoreError):
        texts(cache)
    shelf.broken = False
    assert texts(cache) == ["I keep bees.", "I paint boats."]


def test_the_views_used_longest_ago_are_let_go() -> None:
    """Memory stays flat however many people talk; the view in use is never the one that goes."""
    shelf = Shelf()
    for n in range(3):
        shelf.write(f"m{n}", f"I own {n} boats.")
    views = [replace(VIEW, address=replace(AT, person=PersonId(f"p{n}"))) for n in range(4)]
    cache = KnownCache(shelf, kept=6)  # type: ignore[arg-type]
    for view in views:
        texts(cache, view)
    assert len(cache) == 2
    assert len(shelf.asked) == 4
    texts(cache, views[3])
    assert len(shelf.asked) == 4
    texts(cache, views[0])
    assert len(shelf.asked) == 5
    alone = KnownCache(shelf, kept=1)  # type: ignore[arg-type]
    assert len(texts(alone)) == 3
    assert len(alone) == 1
