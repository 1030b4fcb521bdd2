"""Which versions a timeline sees: its own, and its ancestors' as of the fork.

A fork copies nothing, so every read walks this chain; the stores share it to agree on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from souvenance.domain import Memory, Seq, Timeline, TimelineId, View

#: Stands for "no limit": more commits than a person can ever make.
UNLIMITED = Seq(2**62)


@dataclass(frozen=True, slots=True)
class Link:
    """One timeline of a chain, and the last seq of it that is visible."""

    timeline: TimelineId
    upto: Seq


def chain(timelines: Iterable[Timeline], timeline: TimelineId) -> tuple[Link, ...]:
    """The timeline itself without limit, then its ancestors, nearest first, each as of the fork.

    The limit of an ancestor is the smallest fork on the way to it. A loop, which no commit can
    make, ends the walk rather than the program.
    """
    known = {t.timeline: t for t in timelines}
    links = [Link(timeline, UNLIMITED)]
    seen = {timeline}
    here = known.get(timeline)
    while here is not None and here.parent is not None and here.parent not in seen:
        upto = Seq(min(links[-1].upto, UNLIMITED if here.fork_seq is None else here.fork_seq))
        links.append(Link(here.parent, upto))
        seen.add(here.parent)
        here = known.get(here.parent)
    return tuple(links)


def sees(view: View, memory: Memory) -> bool:
    """Whether the view's thread and isolation let it see a state of its timeline."""
    if view.thread is None or memory.thread == view.thread:
        return True
    return memory.thread is None and view.isolation == "character"


def as_seen(memory: Memory, upto: Seq) -> Memory:
    """The state as seen through a link: what closed it after the fork has not happened there."""
    closed_later = memory.seq_to is not None and memory.seq_to > upto
    return replace(memory, seq_to=None) if closed_later else memory


def in_order(memories: Iterable[Memory]) -> list[Memory]:
    """By seq_from, then id."""
    return sorted(memories, key=lambda m: (m.seq_from, m.memory_id))


def joined(states: Sequence[Memory]) -> list[Memory]:
    """The states of one memory along a chain as one history: each closed by the next, the last open."""
    ordered = sorted(states, key=lambda m: m.seq_from)
    closed = [replace(m, seq_to=after.seq_from) for m, after in pairwise(ordered)]
    return [*closed, replace(ordered[-1], seq_to=None)] if ordered else []
