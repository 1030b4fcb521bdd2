"""Fills the slots of a context from a corpus and its scores, and says why each memory is there or is not.

Pure: the same corpus, scores, plan and day give the same slots. Rules take no slot.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

import numpy as np
from numpy.typing import NDArray

from souvenance.domain import Kind, Memory, MemoryId, Status
from souvenance.read.corpus import KIND_ORDER, Corpus
from souvenance.read.plan import Plan, Stage
from souvenance.read.sameness import Outline, Same, equal_words, outline, worth_comparing
from souvenance.read.scores import Scores, rare_limit

Mask = NDArray[np.bool_]

#: How many pairs of one turn are compared closely; later candidates are kept whatever they repeat. A pair costs about
#: 0.1 ms the first time (2026-11-30, `bench/sameness.py`). Chosen: bounds the turn when thousands resemble each other.
MOST_COMPARED = 64

#: Candidates sorted at first when a pool is ordered by relevance; the rest only if these do not fill the stage.
SORTED_FIRST = 128


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a memory has its slot: a short code (the stage, or how the message found it) and what it rests on."""

    code: str
    data: Mapping[str, str | int | float | tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Slot:
    """One place of the context. `relevance` is judged before any prior; `upcoming` when it does not hold yet."""

    memory: Memory
    stage: str
    reason: Reason
    relevance: float
    upcoming: bool = False

    @property
    def retrieved(self) -> bool:
        """Whether the message itself called this memory."""
        return self.relevance >= 0.5


# --- why not ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Served:
    """It is in the context, at that place (from 1)."""

    place: int


@dataclass(frozen=True, slots=True)
class ServedAsRule:
    """It is in the context, outside the slots."""


@dataclass(frozen=True, slots=True)
class NotSeen:
    """No memory of that id is seen from this thread: another thread's, another character's, or none."""


@dataclass(frozen=True, slots=True)
class Closed:
    """It is not active."""

    status: Status
    successor: MemoryId | None


@dataclass(frozen=True, slots=True)
class Ended:
    """It stopped holding after that day."""

    until: date


@dataclass(frozen=True, slots=True)
class SameAs:
    """It would repeat that chosen one."""

    other: MemoryId


@dataclass(frozen=True, slots=True)
class Lost:
    """One stage it competed in: `position` among the candidates (from 1) for `places`."""

    stage: str
    position: int
    places: int


@dataclass(frozen=True, slots=True)
class NoPlace:
    """Every stage it competed in was full before its turn; the last one is where it was finally lost."""

    lost: tuple[Lost, ...]
    relevance: float


@dataclass(frozen=True, slots=True)
class OverBudget:
    """It was chosen at that place (from 1) in that stage, but the tokens of the context were spent before it."""

    place: int
    stage: str


@dataclass(frozen=True, slots=True)
class RuleOverBudget:
    """It is a rule, and the tokens of the context were spent before it."""


WhyNot = (
    Served
    | ServedAsRule
    | NotSeen
    | Closed
    | Ended
    | SameAs
    | NoPlace
    | OverBudget
    | RuleOverBudget
)


# --- selection ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Run:
    """One stage as it ran: what was still free when it began, and how many places it could give."""

    stage: Stage
    pool: Mask
    places: int


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """The slots in the order they were filled, and what is needed to explain the others."""

    slots: tuple[Slot, ...]
    plan: Plan
    rules: tuple[Memory, ...] = ()
    _corpus: Corpus | None = None
    _scores: Scores | None = None
    _runs: tuple[_Run, ...] = ()
    _same: Mapping[int, int] = field(default_factory=dict)
    _today: date = date.min
    _cut: tuple[Slot, ...] = ()

    def within(self, slots: int, rules: int) -> Selection:
        """What a budget let through: the first so many slots and rules; the others say that it kept them out."""
        return replace(
            self, slots=self.slots[:slots], rules=self.rules[:rules], _cut=self.slots[slots:]
        )

    @property
    def ids(self) -> tuple[MemoryId, ...]:
        """The memories served in slots, in order."""
        return tuple(slot.memory.memory_id for slot in self.slots)

    def why_not(self, memory_id: MemoryId) -> WhyNot:
        """What kept a memory out of the slots; for one that is in, where it is."""
        if memory_id in self.ids:
            return Served(self.ids.index(memory_id) + 1)
        for place, slot in enumerate(self._cut, len(self.slots) + 1):
            if slot.memory.memory_id == memory_id:
                return OverBudget(place, slot.stage)
        if self._corpus is None or self._scores is None:
            return NotSeen()
        memory = self._corpus.memory(memory_id)
        if memory is None:
            return NotSeen()
        if memory.status is not Status.ACTIVE:
            return Closed(memory.status, memory.successor)
        if memory.kind is Kind.RULE:
            kept = any(rule.memory_id == memory_id for rule in self.rules)
            return ServedAsRule() if kept else RuleOverBudget()
        if memory.until is not None and memory.until < self._today:
            return Ended(memory.until)
        row = self._corpus.row_of[memory_id]
        twin = self._twin(self._corpus, row)
        if twin is not None:
            return SameAs(twin)
        lost = tuple(
            self._lost(self._corpus, self._scores, run, row) for run in self._runs if run.pool[row]
        )
        return NoPlace(lost, float(self._scores.relevance[row]))

    def _twin(self, corpus: Corpus, row: int) -> MemoryId | None:
        if row in self._same:
            return corpus.memories[self._same[row]].memory_id
        group = corpus.columns.group
        chosen = (slot.memory.memory_id for slot in (*self.slots, *self._cut))
        return next((i for i in chosen if group[corpus.row_of[i]] == group[row]), None)

    @staticmethod
    def _lost(corpus: Corpus, scores: Scores, run: _Run, row: int) -> Lost:
        ahead = corpus.rank < corpus.rank[row]
        if run.stage.by_relevance:
            key = scores.key
            ahead = (key > key[row]) | ((key == key[row]) & ahead)
        return Lost(run.stage.name, int((ahead & run.pool).sum()) + 1, run.places)


def select(
    corpus: Corpus, scores: Scores, plan: Plan, today: date, same: Same = equal_words
) -> Selection:
    """The slots of a turn: stages of the plan in order, each memory at most once, repetitions yielding.

    `same` says which two texts tell one fact.

    Order: within a stage by rank, or by score and then rank; no two memories are equal in rank.
    """
    filling = _Filling(corpus, scores, plan, today, same)
    runs = tuple(filling.run(stage) for stage in plan.stages)
    rules = sorted(corpus.rules.values(), key=lambda m: (m.born_at, m.memory_id))
    return Selection(
        tuple(filling.slots), plan, tuple(rules), corpus, scores, runs, filling.same, today
    )


class _Filling:
    """The slots while they are being filled."""

    def __init__(self, corpus: Corpus, scores: Scores, plan: Plan, today: date, same: Same) -> None:
        self.corpus, self.scores, self.plan, self.today = corpus, scores, plan, today
        self.tell_one_fact = same
        columns = corpus.columns
        self.eligible = scores.eligible
        self.free: Mask = columns.alive & (columns.until >= today.toordinal())
        called = self.free & ~columns.pinned & (columns.world | self.eligible)
        self.reserve = min(plan.reserve, int(called.sum()))
        self.rare = rare_limit(corpus.size)
        self.slots: list[Slot] = []
        self.rows: list[int] = []
        self.outlines: dict[int, Outline] = {}
        self.same: dict[int, int] = {}
        self.compared = 0

    def run(self, stage: Stage) -> _Run:
        """Fills what one stage may take."""
        left = self.plan.slots - len(self.slots) - (self.reserve if stage.leaves_reserve else 0)
        places = max(0, left if stage.places is None else min(stage.places, left))
        run = _Run(stage, self.free & self._members(stage), places)
        taken = 0
        if places and run.pool.any():
            for row in self._ordered(run):
                if self.free[row] and not self._yields(row):
                    self._take(row, stage)
                    taken += 1
                    if taken == places:
                        break
        return run

    def _members(self, stage: Stage) -> Mask:
        columns = self.corpus.columns
        match stage.pool:
            case "pinned":
                return columns.pinned
            case "global":
                return columns.world
            case "recalled":
                return self.eligible
            case "kind":
                codes = np.array([k in stage.kinds for k in KIND_ORDER], np.bool_)
                return codes[columns.kind]
            case "any":
                return columns.alive

    def _ordered(self, run: _Run) -> Iterator[int]:
        """Candidates of a stage, best first; sorted in two goes, for most stages need few."""
        if not run.stage.by_relevance:
            order = self.corpus.order
            yield from order[run.pool[order]].tolist()
            return
        rows = np.flatnonzero(run.pool)
        keys = -self.scores.key[rows]
        if len(rows) > 2 * SORTED_FIRST:
            first = keys <= np.partition(keys, SORTED_FIRST)[SORTED_FIRST]
            yield from self._sorted(rows[first], keys[first])
            rows, keys = rows[~first], keys[~first]
        yield from self._sorted(rows, keys)

    def _sorted(self, rows: NDArray[np.intp], keys: NDArray[np.float32]) -> list[int]:
        order: list[int] = rows[np.lexsort((self.corpus.rank[rows], keys))].tolist()
        return order

    def _yields(self, row: int) -> bool:
        """Whether the row repeats one already chosen; if so it is out, and its twin is noted."""
        memories = self.corpus.memories
        mine = self.outlines[row] = outline(self.corpus.signatures[row])
        for other in self.rows:
            if self.compared >= MOST_COMPARED:
                return False
            if not worth_comparing(mine, self.outlines[other]):
                continue
            self.compared += 1
            if self.tell_one_fact(memories[row].text, memories[other].text, self.corpus.language):
                self.free[row] = False
                self.same[row] = other
                return True
        return False

    def _take(self, row: int, stage: Stage) -> None:
        memory = self.corpus.memories[row]
        upcoming = memory.starts is not None and memory.starts > self.today
        relevance = float(self.scores.relevance[row])
        self.slots.append(Slot(memory, stage.name, self._reason(row, stage), relevance, upcoming))
        self.rows.append(row)
        self.free &= self.corpus.columns.group != self.corpus.columns.group[row]
        self.free[row] = False

    def _reason(self, row: int, stage: Stage) -> Reason:
        if not self.eligible[row]:
            return Reason(stage.name)
        cosine = float(self.scores.cosine[row])
        terms = self._rare_terms(row)
        by_meaning = cosine >= self.scores.calibration.threshold
        if not by_meaning and not terms:  # neither alone: common words lift a meaning that is near
            by_meaning, terms = True, self._shared_terms(row)
        data: dict[str, str | int | float | tuple[str, ...]] = {}
        if by_meaning:
            data["cosine"] = round(cosine, 3)
        if terms:
            data["terms"] = terms
        if stage.name == "pinned":
            return Reason(stage.name, data)  # a hand's word says more than a match
        code = "meaning+words" if by_meaning and terms else "meaning" if by_meaning else "words"
        return Reason(code, data)

    def _shared_terms(self, row: int) -> tuple[str, ...]:
        """The words of the message, as typed, that stand in this row."""
        here = set(self.corpus.signatures[row].stems)
        return tuple(word for stem, word in self.scores.query.words.items() if stem in here)

    def _rare_terms(self, row: int) -> tuple[str, ...]:
        """The words, as typed, that made or could have made this row eligible."""
        here = set(self.corpus.signatures[row].stems)
        postings, any_word = self.corpus.postings, bool(np.isnan(self.scores.cosine[row]))
        return tuple(
            word
            for stem, word in self.scores.query.words.items()
            if stem in here
            and postings.frequency(stem) <= self.rare
            and (any_word or postings.is_name(stem))
        )
