"""A line of a diff says every change that it stands for."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from souvenance.domain import (
    Address,
    Cause,
    CharacterId,
    Kind,
    Memory,
    MemoryId,
    PersonId,
    Redacted,
    Source,
    Space,
    ThreadId,
    TimelineId,
)
from souvenance.interfaces.cli.again import _text
from souvenance.interfaces.cli.invocation import Invocation
from souvenance.write.revision import Line

AT = datetime(2031, 1, 2, tzinfo=UTC)
HERE = Memory(
    memory_id=MemoryId("m"),
    address=Address(Space("s"), PersonId("p"), CharacterId("c")),
    timeline=TimelineId("t"),
    thread=ThreadId("harbour"),
    kind=Kind.FACT,
    text=Redacted("I keep bees."),
    born_at=AT,
    changed_at=AT,
    cause=Cause("reflection"),
    source=Source.PERSON,
)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I keep bees. (thread harbour → every thread)"),
        ("fr", "I keep bees. (fil harbour → tous les fils)"),
    ],
)
def test_a_change_of_scope_alone_is_shown(language: str, said: str) -> None:
    """ "I keep bees." twice the same would be a line without a reason."""
    call = Invocation(language=language)
    assert _text(call, Line("k", "changed", HERE, replace(HERE, thread=None))) == said


def test_a_change_of_kind_is_shown_and_a_new_line_says_its_thread() -> None:
    """What is only known in one thread must be seen before it is accepted."""
    call = Invocation(language="en")
    other = replace(HERE, kind=Kind.PREFERENCE)
    assert _text(call, Line("k", "changed", HERE, other)) == "I keep bees. (fact → preference)"
    assert _text(call, Line("k", "added", None, HERE)) == "I keep bees. (thread harbour)"
    everywhere = replace(HERE, thread=None)
    assert _text(call, Line("k", "added", None, everywhere)) == "I keep bees."
