"""Which messages are worth a place beside the memories: relevant, not at hand, not told already, once."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

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
    Status,
    ThreadId,
    View,
)
from souvenance.lang import language
from souvenance.read.calibrations import Calibration
from souvenance.read.reminding import (
    BESIDE_CHARS,
    SESSION,
    Ask,
    Wanted,
    at_hand,
    is_worth_telling,
    reminders,
    searched,
    without_repeats,
)
from souvenance.read.transcripts import Talked
from souvenance.read.verbatim import Found, Line, Reasons, Transcript

START = datetime(2030, 1, 5, 9, tzinfo=UTC)
AT = Address(DEFAULT_SPACE, PersonId("ines"), CharacterId("wren"))
MAIN = ThreadId("main")
ASK = Ask(View(AT, MAIN_TIMELINE, MAIN), "What was the lighthouse dog called?", None, "en")
TALK = [
    "We had a lighthouse dog once, saved from a wreck.",
    "What was it called?",
    "Pilot, and it slept on the stairs.",
    "The ferry is late.",
    "It always is.",
    "Bread is dear this year.",
]


def lines(*texts: str, thread: str = "main", hours: float = 1) -> list[Line]:
    """Lines an hour apart, named by their place."""
    return [
        Line(
            MessageId(f"{thread}{n}"),
            ThreadId(thread),
            START + timedelta(hours=n * hours),
            ("user", "character")[n % 2],
            text,
        )
        for n, text in enumerate(texts)
    ]


def talked(*more: Line, closed: tuple[tuple[Status, str], ...] = ()) -> Talked:
    rest = tuple(
        (MemoryId(f"k{n}"), status, (MessageId(message),))
        for n, (status, message) in enumerate(closed)
    )
    # Words are rare only among many others.
    filler = lines(*(f"Tide number {n} came in." for n in range(40)), thread="quay")
    return Talked(Transcript.build([*lines(*TALK), *more, *filler], language("en")), rest)


def memory(*messages: str) -> Memory:
    said = tuple(map(MessageId, messages))
    return Memory(
        MemoryId("k"), AT, MAIN_TIMELINE, None, Kind.FACT, Redacted("x"), START, START,
        Cause("reflection"), messages=said,
    )  # fmt: skip


def ids(found: tuple[Found, ...]) -> set[str]:
    return {f.line.message_id for f in found}


def shown(found: tuple[Found, ...]) -> set[str]:
    return {m.message_id for f in found for m in (*f.before, f.line, *f.after)}


def told(talk: Talked, *memories: Memory, **wanted: int) -> tuple[Found, ...]:
    how = Wanted(**{"messages": 3} | wanted)  # type: ignore[arg-type]
    return reminders(talk, ASK, how, list(memories), Calibration(0.3))


def test_by_words_alone_only_what_holds_some_of_them_is_told() -> None:
    """Without an embedder the rest of a talk is no answer to anything."""
    found = told(talked())
    assert "main0" in shown(found)
    assert not {"main4", "main5"} & ids(found)


def test_what_a_served_memory_rests_on_is_not_told_again() -> None:
    """The block is for what no fact captured."""
    assert "main0" not in shown(told(talked(), memory("main0")))


@pytest.mark.parametrize("status", [Status.FORGOTTEN, Status.SUPERSEDED])
def test_what_a_closed_memory_rests_on_stays_closed(status: Status) -> None:
    """What was forgotten, and what is no longer true, must not come back by another door."""
    assert "main0" not in shown(told(talked(closed=((status, "main0"),))))


def test_a_search_on_purpose_finds_what_was_superseded_but_not_what_was_forgotten() -> None:
    """Where one lived before is a fair question; what was to be forgotten is not looked for."""
    superseded = searched(talked(closed=((Status.SUPERSEDED, "main0"),)), ASK, 9, Calibration(0.3))
    assert "main0" in ids(superseded)
    forgotten = searched(talked(closed=((Status.FORGOTTEN, "main0"),)), ASK, 9, Calibration(0.3))
    assert "main0" not in shown(forgotten)


def test_the_last_messages_of_this_thread_are_at_hand() -> None:
    """As far back as the prompt reaches, in messages and in tokens; another thread is another prompt."""
    talk = talked(*lines("The lighthouse dog chased the postman.", thread="aside"))
    assert at_hand(talk, ASK, Wanted(3, 2, 1_000)) == {"main4", "main5"}
    assert at_hand(talk, ASK, Wanted(3, 99, 1_000)) == {f"main{n}" for n in range(6)}
    assert at_hand(talk, ASK, Wanted(3, 99, 8)) == {"main5"}
    assert at_hand(talk, ASK, Wanted(3)) == set()
    assert "aside0" in shown(told(talk, recent=99, recent_tokens=1_000))
    assert not {f"main{n}" for n in range(6)} & shown(told(talk, recent=99, recent_tokens=1_000))


def found(
    line: Line, before: tuple[Line, ...] = (), after: tuple[Line, ...] = (), relevance: float = 0.9
) -> Found:
    return Found(line, before, after, 1.0, relevance, Reasons(("dog",)))


def test_no_message_stands_twice() -> None:
    """A neighbour that is shown needs no quote of its own, and one that has a quote is nobody's neighbour."""
    one, two, three, four = lines(*TALK[:4])
    found_ = [found(two, (one,), (three,)), found(three, (two,), (four,)), found(four, (three,))]
    kept = without_repeats(found_, set(), 3)
    assert [f.line for f in kept] == [two, four]
    assert [(f.before, f.after) for f in kept] == [((one,), (three,)), ((), ())]
    assert without_repeats(found_, set(), 1) == kept[:1]


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ("Pilot sleeps.", "pilot sleeps!", 1),
        ("L'été arrive.", "L\u2019ete arrive", 1),
        ("Pilot sleeps.", "Pilot slept.", 2),
        ("🎉", "🎈", 2),
    ],
)
def test_the_same_words_take_one_place(first: str, second: str, kept: int) -> None:
    """Said every morning, they would leave no place to anything else."""
    said = [found(line) for line in lines(first, second)]
    assert [f.line for f in without_repeats(said, set(), 3)] == [f.line for f in said[:kept]]


def test_a_neighbour_is_short_visible_and_of_the_same_talk() -> None:
    """What was said four hours later is another matter, and a letter is not a neighbour."""
    one, two, three = lines("before", "found", "after", hours=SESSION.total_seconds() / 3600)
    assert without_repeats([found(two, (one,), (three,))], set(), 1)[0].before == (one,)
    late = replace(three, at=three.at + timedelta(minutes=1))
    letter = replace(one, text="x" * (BESIDE_CHARS + 1))
    blank = replace(one, text="\u200b")
    for before in (letter, blank):
        (kept,) = without_repeats([found(two, (before,), (late,))], set(), 1)
        assert (kept.before, kept.after) == ((), ())
    (kept,) = without_repeats([found(two, (one,), (three,))], {one.message_id}, 1)
    assert (kept.before, kept.after) == ((), (three,))


def test_what_is_not_relevant_enough_or_not_called_is_not_worth_a_place() -> None:
    """An empty block is better than one that misleads."""
    (line,) = lines("The dog.")
    assert is_worth_telling(found(line))
    assert not is_worth_telling(found(line, relevance=0.49))
    assert not is_worth_telling(replace(found(line), reasons=Reasons()))
    assert is_worth_telling(replace(found(line), reasons=Reasons(meaning=0.5)))
    assert not is_worth_telling(found(replace(line, text=" \u200b")))
