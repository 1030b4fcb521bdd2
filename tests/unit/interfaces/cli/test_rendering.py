"""What commands make of records: notes after a turn, cells of a bench, exchanges of a replay."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from souvenance.domain import (
    Address,
    Cause,
    CharacterId,
    JournalEntry,
    Kind,
    Memory,
    MemoryId,
    PersonId,
    Redacted,
    Source,
    Space,
    Status,
    TimelineId,
)
from souvenance.interfaces.cli.bench import _cell
from souvenance.interfaces.cli.notes import note_lines
from souvenance.interfaces.cli.reasons import (
    context_lines,
    reason_text,
    slots_table,
    why_not_json,
    why_not_text,
)
from souvenance.interfaces.cli.wording import words
from souvenance.measure.conversations import Conversation, Turn
from souvenance.measure.runs import exchanges
from souvenance.read.plan import COMPANION
from souvenance.read.selection import Closed, Lost, NoPlace, Reason, SameAs, Selection, Served, Slot
from souvenance.turn import Context

_ADDRESS = Address(Space("default"), PersonId("ines"), CharacterId("wren"))
_AT = datetime(2026, 5, 4, 20, 0, tzinfo=UTC)


def _entry(action: str, text: str, reason: str = "", ref: str = "") -> JournalEntry:
    return JournalEntry(_ADDRESS, None, _AT, action, MemoryId("m1"), Redacted(text), reason, ref)  # type: ignore[arg-type]


def test_a_note_says_what_was_kept_and_what_was_dropped_and_why() -> None:
    """The person must see at once what the character took from what they said."""
    lines = note_lines(
        [
            _entry("reflected", "", "1 stored"),
            _entry("added", "Ines keeps bees."),
            _entry("dropped", "Wren likes tea.", "not about the person", "about_user"),
        ],
        words("en"),
    )
    assert lines[0].strip().startswith("noted: Ines keeps bees.")
    assert "Wren likes tea." in lines[1]
    assert "not about the person" in lines[1]
    assert len(lines) == 2


def test_a_filter_is_named_in_french_too() -> None:
    """Filters give their reason in English; a French reader gets a French one."""
    entry = _entry("dropped", "Wren aime le thé.", "It is about the character.", "about_user")
    assert "(ne parle pas de vous)" in note_lines([entry], words("fr"))[0]
    assert "(it is about the character)" in note_lines([entry], words("en"))[0]


def test_many_notes_stay_quiet() -> None:
    """An import in the middle of a chat must not bury the conversation."""
    lines = note_lines([_entry("added", f"fact {i}") for i in range(40)], words("fr"))
    assert len(lines) == 7
    assert "34" in lines[-1]


def test_a_note_cannot_act_on_the_terminal() -> None:
    """The text of a note came from a model or from somebody else."""
    (line,) = note_lines([_entry("added", "x\x1b]0;owned\x07\ny")], words("en"))
    assert line.isprintable()


@pytest.mark.parametrize(
    ("name", "metrics", "said"),
    [
        ("false_merges", {"false_merges": 3}, "3"),
        ("fact_rate", {"fact_rate": 0.5, "facts_kept": 5, "facts": 10}, "0.500 (0.24–0.76)"),
        ("recall@5", {"recall@5": 0.25}, "0.250"),
        ("precision", {"precision": None}, "-"),
        ("absent", {}, "-"),
    ],
)
def test_a_rate_is_printed_with_its_interval(
    name: str, metrics: dict[str, float | int | None], said: str
) -> None:
    """A rate over ten items must not look as sure as one over a thousand."""
    assert _cell(name, metrics) == said


def test_a_replay_groups_each_message_of_the_person_with_the_replies_that_follow() -> None:
    """An exchange is what one reflection reads; a greeting stands alone, an empty message is no message."""
    said = [
        "character:Evening.",
        "user:Hi.",
        "character:Hello.",
        "character:Tea?",
        "user: ",
        "user:Bye.",
    ]
    turns = [Turn(role, _AT, text) for role, text in (one.split(":") for one in said)]  # type: ignore[arg-type]
    groups = exchanges(Conversation("c1", "en", "Wren", "Ines", tuple(turns)))
    assert [[one.text for one in group] for group in groups] == [
        ["Evening."], ["Hi.", "Hello.", "Tea?"], ["Bye."],
    ]  # fmt: skip
    assert [one.key for group in groups for one in group] == [
        "c1/0",
        "c1/1",
        "c1/2",
        "c1/3",
        "c1/5",
    ]


@pytest.mark.parametrize(
    ("outcome", "piece"),
    [
        (Served(3), "place 3"),
        (Closed(Status.FORGOTTEN, None), "forgotten"),
        (Closed(Status.MERGED, MemoryId("m9")), "m9"),
        (SameAs(MemoryId("m2")), "m2"),
        (NoPlace((Lost("global", 9, 6), Lost("backfill", 30, 2)), 0.31), "9 in line for 6"),
    ],
)
def test_why_not_is_a_sentence(outcome: Served | Closed | SameAs | NoPlace, piece: str) -> None:
    """ "Why is this one missing?" is answered in words, and in JSON with a code."""
    assert piece in why_not_text(outcome, words("en"))
    assert why_not_json(outcome)["code"] == type(outcome).__name__


def _slot(stage: str, relevance: float, reason: Reason, *, pinned: bool = False) -> Slot:
    memory = Memory(
        memory_id=MemoryId("m1"), address=_ADDRESS, timeline=TimelineId("main"), thread=None,
        kind=Kind.FACT, text=Redacted("Ines keeps bees."), born_at=_AT, changed_at=_AT,
        cause=Cause("hand"), source=Source.HAND, pinned=pinned,
    )  # fmt: skip
    return Slot(memory, stage, reason, relevance)


_BOTH = {"cosine": 0.6, "terms": ("bees", "Truro")}
WHY = [
    ("recalled", 0.9, Reason("meaning", {"cosine": 0.6}), "answers your message, by its meaning"),
    ("global", 0.9, Reason("words", {"terms": ("bees",)}), "answers your message, by the word “bees”"),
    ("fact", 0.7, Reason("meaning+words", _BOTH), "answers your message, by its meaning and the words “bees”, “Truro”"),
    ("pinned", 0.5, Reason("pinned", {"cosine": 0.6}), "answers your message, by its meaning"),
    ("pinned", 0.1, Reason("pinned"), "at your wish"),
    ("global", 0.1, Reason("global"), "worth knowing in any conversation"),
    ("fact", 0.1, Reason("fact"), "a recent fact"),
    ("other", 0.1, Reason("other"), "a recent fact"),
    ("backfill", 0.1, Reason("backfill"), "a place was left: a recent fact"),
]  # fmt: skip


@pytest.mark.parametrize(("stage", "relevance", "reason", "said"), WHY)
def test_the_reason_says_that_a_memory_answers_the_message_whatever_its_stage(
    stage: str, relevance: float, reason: Reason, said: str
) -> None:
    """ "Known everywhere" says where a memory holds, not why it came up now."""
    assert reason_text(_slot(stage, relevance, reason), words("en")) == said


@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_stage_of_a_plan_has_a_name_and_a_mark_apart_from_the_text(language: str) -> None:
    """A mark that runs into the text reads as part of the memory."""
    spoken = words(language)  # type: ignore[arg-type]
    for stage in COMPANION.stages:
        table = slots_table((_slot(stage.name, 0.1, Reason(stage.name), pinned=True),), spoken)
        cells = [str(next(iter(column.cells))) for column in table.columns]
        assert cells[3] == f"Ines keeps bees.  ({spoken('mark.pinned')})"
        assert cells[4] != cells[5]


@pytest.mark.parametrize("reason", ["store-late", "store-failed", "filter-failed"])
def test_a_store_that_did_not_answer_is_not_an_empty_memory(reason: str) -> None:
    """ "Nothing is remembered" would be false, and would frighten."""
    lines = context_lines(Context("", degraded=True, reason=reason), words("en"))
    assert len(lines) == 1
    assert reason not in lines[0]
    empty = Context("", selection=Selection((), COMPANION))
    assert context_lines(empty, words("en")) == [words("en")("context.empty")]
