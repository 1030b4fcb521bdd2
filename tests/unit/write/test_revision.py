"""What differs between two reflections on the same messages: matched by what they tell, held where a hand was."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

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
    MessageId,
    PersonId,
    Redacted,
    Source,
    Status,
)
from souvenance.lang import language
from souvenance.write.revision import changes, is_held, revise
from souvenance.writes import AddVersion

NOW = datetime(2031, 4, 9, 20, 15, tzinfo=UTC)
HOME = Address(DEFAULT_SPACE, PersonId("ines"), CharacterId("bao"))
FR = language("fr")


def memory(name: str, text: str, message: str = "1", **more: object) -> Memory:
    made = Memory(
        MemoryId(name), HOME, MAIN_TIMELINE, None, Kind.FACT, Redacted(text), NOW, NOW,
        Cause("reflection"), messages=(MessageId(message),),
    )  # fmt: skip
    return replace(made, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "held",
    [
        {"pinned": True},
        {"edited": True},
        {"source": Source.HAND},
        {"status": Status.FORGOTTEN},
        {"kind": Kind.RULE},
        {"cause": Cause("hand")},
        {"messages": (MessageId("elsewhere"),)},
        {"messages": ()},
    ],
)
def test_what_a_hand_touched_or_rests_elsewhere_is_held(held: dict[str, object]) -> None:
    """A reflection has no say in it."""
    again = {MessageId("1")}
    assert not is_held(memory("a", "Inès élève des chèvres."), again)
    assert is_held(memory("a", "Inès élève des chèvres.", **held), again)


def test_the_same_fact_in_other_words_is_one_changed_line() -> None:
    """Not one gone and one added."""
    old = memory("a", "J'élève des chèvres à Foix.")
    new = memory("b", "Inès élève des chèvres à Foix depuis peu.")
    (line,) = revise([old], [new], FR)
    assert (line.sort, line.old, line.new) == ("changed", old, new)


def test_the_same_words_of_another_message_are_another_memory() -> None:
    """What rests on other messages cannot stand for it."""
    old, new = memory("a", "J'élève des chèvres."), memory("b", "J'élève des chèvres.", "2")
    assert [line.sort for line in revise([old], [new], FR)] == ["gone", "added"]


def test_what_is_closed_on_both_sides_is_no_line() -> None:
    """An older value that another wording closed all the same is nothing to decide."""
    old = memory("a", "Mon loyer est de 500 €.", status=Status.SUPERSEDED)
    new = memory("b", "Le loyer d'Inès est de 500 €.", status=Status.SUPERSEDED)
    assert revise([old], [new], FR) == ()
    (line,) = revise([replace(old, status=Status.ACTIVE)], [new], FR)
    assert line.sort == "changed"


def test_keys_are_the_same_each_time_it_is_computed() -> None:
    """The person names a line by its key in a later command, when new ids were drawn."""
    old = memory("a", "J'élève des chèvres à Foix.")
    texts = ("Inès élève des chèvres à Foix depuis peu.", "Inès a peur de l'orage.")
    keys = [
        [
            line.key
            for line in revise([old], [memory(f"{n}{k}", t) for k, t in enumerate(texts)], FR)
        ]
        for n in ("x", "y")
    ]
    assert keys[0] == keys[1] and len(set(keys[0])) == 2


def test_a_successor_that_was_not_accepted_is_not_named() -> None:
    """A closed memory must not point to one that does not exist."""
    old = memory("a", "Mon loyer est de 500 €.")
    closed = memory(
        "b", "Mon loyer est de 500 €.", status=Status.SUPERSEDED, successor=MemoryId("c")
    )
    added = memory("c", "Mon loyer est de 600 €.")
    first, second = revise([old], [closed, added], FR)
    known = {old.memory_id: old}

    def successor(lines: list[object]) -> object:
        writes = changes(lines, "rules", NOW, known)  # type: ignore[arg-type]
        written = [w.memory for w in writes if isinstance(w, AddVersion)]
        return next(m for m in written if m.memory_id == "a").successor

    assert successor([first]) is None
    assert successor([first, second]) == "c"
