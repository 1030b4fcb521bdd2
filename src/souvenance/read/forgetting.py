"""Tells which memories never come up, and whether it is always the same ones that do.

A memory that exists and is never served is forgotten without anybody knowing: these figures say so, without content.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import accumulate

from souvenance.counts import BLOCK_TOP, BLOCK_TURNS, Counters, Tally, TurnClock
from souvenance.domain import (
    Kind,
    Memory,
    MemoryId,
    Scope,
    Status,
    Thread,
    ThreadId,
    TimelineId,
)

#: Turns that a memory must have been a candidate for before its silence says anything.
#: Chosen, not measured: a block of turns; fewer would list what is simply new.
SILENT_TURNS = BLOCK_TURNS


@dataclass(frozen=True, slots=True)
class Use:
    """How often one memory could have come up, and did.

    `candidate` counts the turns since its birth of conversations that see it, degraded ones left out.
    The first times are on the turn clock of its address.
    """

    memory: Memory
    candidate: int
    served: int = 0
    retrieved: int = 0
    last_retrieved_at: datetime | None = None
    first_served: int | None = None
    first_retrieved: int | None = None


@dataclass(frozen=True, slots=True)
class Silence:
    """Of so many memories that could come up, those never served and those never retrieved by meaning."""

    memories: int
    never_served: int
    never_retrieved: int


@dataclass(frozen=True, slots=True)
class Concentration:
    """How evenly `slots` went to `memories` (those that had any).

    `top` slots went to the BLOCK_TOP memories that had most. `effective` is slots² / Σ (slots of a memory)²: how
    many memories would have had as much each, were all served alike; 0.0 without slots.
    """

    slots: int
    memories: int
    top: int
    effective: float


@dataclass(frozen=True, slots=True)
class Point:
    """Where things stood when a block of turns ended, and how even that block was."""

    first: int
    last: int
    began: datetime
    ended: datetime
    silence: Silence
    retrieved: int
    concentration: Concentration


@dataclass(frozen=True, slots=True)
class Report:
    """What comes up and what never does, now and block by block.

    `gini` is 0 when all memories that can come up were served alike, towards 1 when few took everything.
    """

    turns: int
    degraded: int
    silence: Silence
    by_kind: Mapping[Kind, Silence]
    by_scope: Mapping[Scope, Silence]
    concentration: Concentration
    gini: float
    points: tuple[Point, ...]


# --- candidates -----------------------------------------------------------------------------------


class Past:
    """The turns of an address, by the threads that a memory is seen from.

    A memory of one thread is a candidate in the turns of that thread alone, a global one in those of every
    timeline that sees it; turns of no known thread count for all. `seen` holds what each timeline sees.
    """

    def __init__(
        self,
        clock: TurnClock,
        threads: Sequence[Thread],
        seen: Mapping[TimelineId, Collection[MemoryId]],
    ) -> None:
        self.clock, self._seen = clock, {line: frozenset(ids) for line, ids in seen.items()}
        self._threads = {t.thread: t.timeline for t in threads}
        self._sums: dict[frozenset[ThreadId] | None, tuple[list[int], list[int]]] = {}

    def turns_of(self, memory: Memory, upto: int) -> int:
        """How many turns a memory was a candidate for since its birth, up to a turn of the clock."""
        among = self._seen_from(memory)
        return max(0, self._counted(among, upto) - self._counted(among, memory.born_turn))

    def _seen_from(self, memory: Memory) -> frozenset[ThreadId] | None:
        if memory.thread is not None:
            return frozenset({memory.thread})
        if len(self._seen) <= 1:
            return None  # one timeline: every thread
        lines = {line for line, ids in self._seen.items() if memory.memory_id in ids}
        return frozenset(t for t, line in self._threads.items() if line in lines)

    def _counted(self, among: frozenset[ThreadId] | None, turn: int) -> int:
        """Turns of these threads (None: of all) up to a turn of the clock."""
        if among is None:
            return min(turn, self.clock.turns)
        if among not in self._sums:
            self._sums[among] = self._summed(among)
        firsts, sums = self._sums[among]
        at = bisect_right(firsts, turn) - 1
        if at < 0:
            return 0
        return sums[at] + min(turn - firsts[at] + 1, sums[at + 1] - sums[at])

    def _summed(self, among: frozenset[ThreadId]) -> tuple[list[int], list[int]]:
        mine = [s for s in self.clock.stretches if s.thread is None or s.thread in among]
        sums = [0]
        for stretch in mine:
            sums.append(sums[-1] + stretch.turns)
        return [s.first for s in mine], sums


@dataclass(frozen=True, slots=True)
class Usage:
    """What was counted of one address: its blocks of turns, and every memory by age, closed ones too."""

    past: Past
    tallies: tuple[Tally, ...]
    uses: tuple[Use, ...]


def usage(
    memories: Iterable[Memory],
    counters: Mapping[MemoryId, Counters],
    tallies: Iterable[Tally],
    past: Past,
) -> Usage:
    """The use of each memory. Order: the oldest first, then by id."""
    found = []
    for memory in sorted(memories, key=lambda m: (m.born_at, m.memory_id)):
        c = counters.get(memory.memory_id, Counters())
        turns = past.turns_of(memory, past.clock.turns)
        came = (c.served, c.retrieved, c.last_retrieved_at, c.first_served, c.first_retrieved)
        found.append(Use(memory, turns, *came))
    return Usage(past, tuple(tallies), tuple(found))


# --- what never comes up --------------------------------------------------------------------------


def never_recalled(
    used: Usage, today: date, *, served: bool = False, min_turns: int = SILENT_TURNS
) -> tuple[Use, ...]:
    """Memories that can come up, were candidates for `min_turns` and were never retrieved by meaning
    (with `served`: never served at all). Order: the oldest first, then by id."""
    return tuple(
        use
        for use in used.uses
        if can_come_up(use.memory, today)
        and use.candidate >= min_turns
        and not (use.served if served else use.retrieved)
    )


def can_come_up(memory: Memory, today: date) -> bool:
    """Whether a memory competes for slots: active, not over, and no rule (rules are always in the context)."""
    over = memory.until is not None and memory.until < today
    return memory.status is Status.ACTIVE and memory.kind is not Kind.RULE and not over


def report(used: Usage, today: date, *, min_turns: int = 1) -> Report:
    """What comes up and what never does, of the memories that were candidates for `min_turns`."""
    now = [u for u in used.uses if can_come_up(u.memory, today) and u.candidate >= min_turns]
    served = [u.served for u in now]
    return Report(
        used.past.clock.turns,
        used.past.clock.degraded,
        _silence(now),
        {kind: _silence(of) for kind in Kind if (of := [u for u in now if u.memory.kind is kind])},
        {s: _silence(of) for s in Scope if (of := [u for u in now if u.memory.scope is s])},
        concentration(served),
        gini(served),
        tuple(_points(used, min_turns)),
    )


def _silence(some: Sequence[Use]) -> Silence:
    return Silence(len(some), sum(not u.served for u in some), sum(not u.retrieved for u in some))


def _points(used: Usage, min_turns: int) -> Iterator[Point]:
    """Each block with what was silent when it ended.

    A memory enters and leaves these counts once, so that its blocks are found by halving and never walked.
    """
    lasts = [min((t.block + 1) * BLOCK_TURNS, used.past.clock.turns) for t in used.tallies]
    ends = list(accumulate((t.ended for t in used.tallies), max))
    there, unserved, uncalled = ([0] * (len(lasts) + 1) for _ in range(3))
    for use in used.uses:
        since = _entered(used.past, use.memory, lasts, min_turns)
        over = _left(use.memory, ends)
        for counts, came in (
            (there, None),
            (unserved, use.first_served),
            (uncalled, use.first_retrieved),
        ):
            until = over if came is None else min(over, bisect_left(lasts, came))
            if since < until:
                counts[since] += 1
                counts[until] -= 1
    silences = zip(accumulate(there), accumulate(unserved), accumulate(uncalled), strict=True)
    for tally, last, silence in zip(used.tallies, lasts, silences, strict=False):
        effective = tally.slots**2 / tally.squares if tally.squares else 0.0
        even = Concentration(tally.slots, tally.memories, tally.top, effective)
        first = tally.block * BLOCK_TURNS + 1
        times = (tally.began, tally.ended)
        yield Point(first, last, *times, Silence(*silence), tally.retrieved, even)


def _entered(past: Past, memory: Memory, lasts: Sequence[int], min_turns: int) -> int:
    """The first block at whose end a memory had turns enough."""
    return bisect_left(lasts, min_turns, key=lambda last: past.turns_of(memory, last))


def _left(memory: Memory, ends: Sequence[datetime]) -> int:
    """The first block at whose end a memory could no longer come up: it was closed or over by then."""
    if memory.kind is Kind.RULE:
        return 0
    active = memory.status is Status.ACTIVE
    closed = len(ends) if active else bisect_left(ends, memory.changed_at)
    if memory.until is None:
        return closed
    return min(closed, bisect_right(ends, memory.until, key=lambda at: at.date()))


# --- how evenly -----------------------------------------------------------------------------------


def concentration(served: Sequence[int]) -> Concentration:
    """How evenly slots went to memories, from how often each was served."""
    some = sorted((n for n in served if n), reverse=True)
    slots, squares = sum(some), sum(n * n for n in some)
    return Concentration(
        slots, len(some), sum(some[:BLOCK_TOP]), slots**2 / squares if squares else 0.0
    )


def gini(served: Sequence[int]) -> float:
    """The Gini coefficient of how often each was served, those never served included; 0.0 when none was."""
    total, n = sum(served), len(served)
    if not total:
        return 0.0
    ranked = sum(place * count for place, count in enumerate(sorted(served), start=1))
    return 2 * ranked / (n * total) - (n + 1) / n
