"""What is counted of memories and turns: figures, without a word of either."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from souvenance.domain import ThreadId


@dataclass(frozen=True, slots=True)
class Counters:
    """How often a memory was served in a context, and retrieved by meaning.

    The first times are on the turn clock of its address; 0 when that was not noted yet.
    """

    served: int = 0
    retrieved: int = 0
    last_retrieved_at: datetime | None = None
    first_served: int | None = None
    first_retrieved: int | None = None


#: Turns of a block: what is told of a block is told once it is full. Chosen, not measured: some evenings of talk.
BLOCK_TURNS = 50

#: Memories whose share of a block's slots is noted: "is it always the same twenty?". Chosen, not measured.
BLOCK_TOP = 20


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive counted turns of one thread, from `first` on the turn clock of its address.

    `thread` is None for turns that were counted before threads were noted.
    """

    first: int
    thread: ThreadId | None
    turns: int


@dataclass(frozen=True, slots=True)
class TurnClock:
    """The turns of an address: those counted, the degraded ones left out of them, and whose thread each was."""

    turns: int = 0
    degraded: int = 0
    stretches: tuple[Stretch, ...] = ()  # by `first`


@dataclass(frozen=True, slots=True)
class Tally:
    """What the turns of one block served, in figures; block n holds the turns from n * BLOCK_TURNS + 1 on.

    `slots` were given to `memories` different ones, `top` of them to the BLOCK_TOP that had most;
    `squares` sums the squares of what each had. `retrieved` slots were called by the message itself.
    """

    block: int
    began: datetime
    ended: datetime
    turns: int
    slots: int = 0
    retrieved: int = 0
    memories: int = 0
    top: int = 0
    squares: int = 0
