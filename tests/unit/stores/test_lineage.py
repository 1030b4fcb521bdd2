"""The chain of timelines that a view sees."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from souvenance.domain import (
    DEFAULT_SPACE,
    Address,
    CharacterId,
    PersonId,
    Seq,
    Timeline,
    TimelineId,
)
from souvenance.stores.lineage import UNLIMITED, Link, chain

HOME = Address(DEFAULT_SPACE, PersonId("ines"), CharacterId("bao"))
NOW = datetime(2031, 4, 9, tzinfo=UTC)


def timeline(name: str, parent: str | None = None, fork: int | None = None) -> Timeline:
    return Timeline(
        HOME,
        TimelineId(name),
        None if parent is None else TimelineId(parent),
        None if fork is None else Seq(fork),
        parent is None,
        NOW,
    )


def test_a_timeline_sees_itself_whole_and_its_ancestors_up_to_the_fork() -> None:
    """The nearest comes first."""
    known = [timeline("main"), timeline("a", "main", 9), timeline("b", "a", 12)]
    assert chain(known, TimelineId("b")) == (
        Link(TimelineId("b"), UNLIMITED),
        Link(TimelineId("a"), Seq(12)),
        Link(TimelineId("main"), Seq(9)),
    )


def test_the_earliest_fork_on_the_way_decides() -> None:
    """A branch of a branch's past does not see what came to the trunk in between."""
    known = [timeline("main"), timeline("a", "main", 9), timeline("b", "a", 4)]
    assert [link.upto for link in chain(known, TimelineId("b"))] == [UNLIMITED, 4, 4]


def test_an_unknown_timeline_sees_itself() -> None:
    """Before the first commit there is no row yet."""
    assert chain([], TimelineId("main")) == (Link(TimelineId("main"), UNLIMITED),)


@given(
    st.dictionaries(
        st.sampled_from("abcdef"), st.tuples(st.sampled_from("abcdef"), st.integers(0, 20))
    )
)
def test_a_chain_ends_and_its_limits_never_grow(parents: dict[str, tuple[str, int]]) -> None:
    """Whatever the rows say, loops included."""
    known = [timeline(name, parent, fork) for name, (parent, fork) in parents.items()]
    links = chain(known, TimelineId("a"))
    assert len({link.timeline for link in links}) == len(links)
    limits = [link.upto for link in links]
    assert limits == sorted(limits, reverse=True)
