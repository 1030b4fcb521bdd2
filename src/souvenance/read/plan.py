"""How the slots of a context are shared out, as a value that a character chooses.

A stage takes candidates from a pool, in an order, up to a number of places; stages follow one another.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from souvenance.domain import Kind

Pool = Literal["pinned", "global", "recalled", "kind", "any"]


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of a plan. `places` None: as many as are left. `kinds` empty: any kind."""

    name: str
    pool: Pool
    places: int | None
    by_relevance: bool = False
    kinds: frozenset[Kind] = frozenset()
    leaves_reserve: bool = False  # stops short of the reserve


@dataclass(frozen=True, slots=True)
class Plan:
    """`slots` in all, of which `reserve` are kept from pins for global and recalled memories that exist."""

    name: str
    slots: int
    reserve: int
    stages: tuple[Stage, ...]


def quarter(slots: int) -> int:
    """The share of the slots that pins leave to what is durable or called: a quarter, one at least."""
    return max(1, round(slots / 4))


def _of_kind(kind: Kind, places: int) -> Stage:
    return Stage(kind.value, "kind", places, kinds=frozenset({kind}))


_NAMED_BY_AGENT = frozenset({Kind.PLAN, Kind.DECISION, Kind.FACT, Kind.PREFERENCE, Kind.RULE})

#: Slots of both plans. Chosen, not measured.
SLOTS = 24

#: The quotas of the kinds stay as they are whatever else is free: four slots that rules once took went to the
#: backfill, for nothing said which kind needed them. Chosen, not measured.
COMPANION = Plan(
    "companion",
    slots=SLOTS,
    reserve=quarter(SLOTS),
    stages=(
        Stage("pinned", "pinned", None, leaves_reserve=True),
        Stage("global", "global", quarter(SLOTS), by_relevance=True),
        Stage("recalled", "recalled", 16, by_relevance=True),
        _of_kind(Kind.FACT, 6),
        _of_kind(Kind.PREFERENCE, 5),
        _of_kind(Kind.PROMISE, 4),
        _of_kind(Kind.EPISODE, 5),
        Stage("backfill", "any", None),
    ),
)

AGENT = Plan(
    "agent",
    slots=SLOTS,
    reserve=0,
    stages=(
        Stage("pinned", "pinned", None),
        Stage("recalled", "recalled", 16, by_relevance=True),
        _of_kind(Kind.PLAN, 4),
        _of_kind(Kind.DECISION, 4),
        _of_kind(Kind.FACT, 4),
        _of_kind(Kind.PREFERENCE, 3),
        Stage("other", "kind", 3, kinds=frozenset(Kind) - _NAMED_BY_AGENT),
        Stage("backfill", "any", None),  # by heat once heat exists; by rank until then
    ),
)

PLANS = {plan.name: plan for plan in (COMPANION, AGENT)}


@lru_cache(maxsize=64)
def with_recalled(plan: Plan, places: int | None) -> Plan:
    """The plan with that many places for recalled memories; as it is for None."""
    if places is None:
        return plan
    stages = (replace(s, places=places) if s.pool == "recalled" else s for s in plan.stages)
    return replace(plan, stages=tuple(stages))
