"""What is proposed of a person's messages and memories, and what each figure rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
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
    Message,
    MessageId,
    PersonId,
    Redacted,
    Status,
    ThreadId,
    View,
)
from souvenance.errors import BadInput, BadLine
from souvenance.lang import language
from souvenance.measure import belonging, proposal, recallfile, recalling
from souvenance.measure.proposal import InForce, Judged, Trial, propose, ranked
from souvenance.ports import Vector, VectorRow
from souvenance.read.calibrations import Calibration

AT = Address(DEFAULT_SPACE, PersonId("ines"), CharacterId("wren"))
DAY = datetime(2026, 3, 1, tzinfo=UTC)
NOW = InForce(Calibration(0.3, 0.1, 1.2), 16)
DIM = 48


def memory(n: int, text: str, *messages: str, thread: str | None = None) -> Memory:
    """A memory that rests on those messages."""
    return Memory(
        MemoryId(f"m{n:03}"), AT, MAIN_TIMELINE, ThreadId(thread) if thread else None, Kind.FACT, Redacted(text), DAY, DAY,
        Cause("reflection"), messages=tuple(map(MessageId, messages)),
    )  # fmt: skip


def message(name: str, text: str, *, role: str = "user", thread: str = "main") -> Message:
    """A message of that id."""
    return Message(AT, ThreadId(thread), MessageId(name), None, role, Redacted(text), DAY, "")  # type: ignore[arg-type]


def unit(values: np.ndarray) -> Vector:
    """The vector at unit length."""
    found: Vector = (values / np.linalg.norm(values)).astype(np.float32)
    return found


def shelf_of(
    memories: Sequence[Memory], vectors: Sequence[Vector], messages: Sequence[Message]
) -> recalling.Shelf:
    """A shelf in English."""
    rows = [VectorRow(AT, m.memory_id, m.fingerprint, v) for m, v in zip(memories, vectors, strict=True)]  # fmt: skip
    return recalling.shelf(View(AT), language("en"), memories, rows, messages)


def world(n: int, noise: float, seed: int = 0) -> tuple[recalling.Shelf, dict[str, Vector]]:
    """`n` memories with one direction each, and as many messages near theirs; no word is shared."""
    rng = np.random.default_rng(seed)
    own = [unit(rng.normal(size=DIM)) for _ in range(n)]
    memories = [memory(k, f"Ines told tale number {k}.") for k in range(n)]
    messages = [message(f"q{k}", f"quite another question about {chr(97 + k % 26)}{chr(97 + k // 26)}x") for k in range(n)]  # fmt: skip
    made = shelf_of(memories, own, messages)
    near = [unit(v + noise * rng.normal(size=DIM) / np.sqrt(DIM)) for v in own]
    return made, {s.text: v for s, v in zip(made.said, near, strict=True)}


def judged(made: recalling.Shelf) -> list[Judged]:
    """Every message with the memory it lies near."""
    return [Judged(made, s, frozenset({n}), frozenset({n})) for n, s in enumerate(made.said)]


# --- what is read ---------------------------------------------------------------------------------


def test_a_message_is_asked_again_only_where_the_person_may_see_it() -> None:
    """Neither words of the character, nor of one word, nor what a forgotten memory rests on; a text once."""
    gone = replace(memory(3, "Ines had an old quarrel.", "d"), status=Status.FORGOTTEN)
    kept = memory(1, "Ines keeps two goats.", "a")
    told = [
        message("a", "I keep two goats behind the mill"), message("b", "Hm, goats behind mills.", role="character"),
        message("c", "goats"), message("d", "that old quarrel with Bram"), message("e", "I keep two goats behind the mill"),
    ]  # fmt: skip
    one = shelf_of([kept, gone], [unit(np.ones(DIM))] * 2, told)
    assert [(s.text, s.born) for s in one.said] == [
        ("I keep two goats behind the mill", frozenset({0}))
    ]


def test_a_memory_of_another_thread_or_of_the_same_message_is_no_unrelated_pair() -> None:
    """One can never come up there, the other is what was said."""
    memories = [
        memory(0, "Ines keeps goats.", "a"), memory(1, "Ines sails.", thread="other"),
        memory(2, "Ines likes tea.", thread="main"), memory(3, "Ines bakes."),
    ]  # fmt: skip
    one = shelf_of(memories, [unit(np.ones(DIM))] * 4, [message("a", "my goats broke the fence")])
    assert one.open_to(one.said[0]).tolist() == [False, False, True, True]


@pytest.mark.parametrize(
    ("code", "text", "told", "left"),
    [
        ("en", "The tram was late and I keep two goats.", "Ines keeps 2 goats and one goat.", "The tram was late and I two ."),
        ("fr", "Quel orage ! Ma sœur vit à Lyon.", "La sœur d'Ines habite Lyon.", "Quel orage ! Ma vit à ."),
    ],
)  # fmt: skip
def test_what_a_message_shares_with_its_memory_is_taken_out_in_any_form(
    code: str, text: str, told: str, left: str
) -> None:
    """Otherwise related pairs are one text twice; function words stay, for they say nothing."""
    assert recalling.without(text, told, language(code)) == left


def test_messages_are_drawn_the_same_each_time() -> None:
    """A figure that moves by itself cannot be compared."""
    made, _ = world(40, 0.3)
    some = recalling.drawn([made], 10)
    assert [s.text for s in some[0].said] == [s.text for s in recalling.drawn([made], 10)[0].said]
    assert len(some[0].said) == 10
    assert recalling.drawn([made], 40) == [made]


# --- the threshold --------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "spreads"), [(40, 1.0), (400, 1.75)])
def test_the_threshold_lets_as_many_strangers_pass_as_there_are_places(
    n: int, spreads: float
) -> None:
    """Within one and two spreads: among few memories there is room, among many a place is dear."""
    made, vectors = world(n, 0.3)
    found = recalling.cosines([made], [], vectors)
    proposed = propose([made], [], found, vectors, NOW)
    at = found.unrelated.mean() + spreads * found.unrelated.std()
    assert proposed.threshold.value == pytest.approx(at, abs=0.02)
    assert proposed.threshold.low < proposed.threshold.value < proposed.threshold.high
    fixed = propose([made], [], found, vectors, NOW, spreads=2.5)
    assert fixed.threshold.value > proposed.threshold.value
    assert fixed.passing.strangers < proposed.passing.strangers


def test_without_related_pairs_only_the_threshold_is_proposed() -> None:
    """Nothing says that words should weigh otherwise, or that places should be fewer."""
    made, vectors = world(60, 0.3)
    proposed = propose([made], [], recalling.cosines([made], [], vectors), vectors, NOW)
    assert (proposed.word_weight, proposed.slots) == (1.2, 16)
    assert (proposed.curve, proposed.weights, proposed.from_labels) == ((), {}, False)


def test_labels_give_the_recall_they_name() -> None:
    """Messages right beside what belongs to them are recalled first, and places are told from one to all."""
    made, vectors = world(60, 0.3)
    found = recalling.cosines([made], [], vectors)
    proposed = propose([made], [], found, vectors, NOW, judged(made))
    assert proposed.from_labels
    assert proposed.labels == 60
    assert proposed.curve[7].value == pytest.approx(1, abs=0.02)
    assert proposed.passing.related.value > 0.95
    assert set(proposal.WEIGHTS) <= set(proposed.weights)
    assert proposed.word_weight == 1.2  # no word is shared: nothing to tell


def test_few_labels_do_not_decide() -> None:
    """Under ENOUGH they are a guess."""
    made, vectors = world(60, 0.3)
    found = recalling.cosines([made], [], vectors)
    without = propose([made], [], found, vectors, NOW)
    few = propose([made], [], found, vectors, NOW, judged(made)[: proposal.ENOUGH - 1])
    assert (few.threshold, few.from_labels) == (without.threshold, False)
    assert few.labels == proposal.ENOUGH - 1


def test_a_memory_under_the_threshold_has_no_place() -> None:
    """It is not called, however well it ranks."""
    made, vectors = world(30, 0.2)
    one = judged(made)[4]
    trial = Trial(made, one.said, one.said.text, one.belong)
    assert ranked(trial, vectors, Calibration(0.3, 0.1, 0.0)) == [1]
    assert ranked(trial, vectors, Calibration(0.999, 0.1, 0.0)) == [0]


# --- labels ---------------------------------------------------------------------------------------


def test_what_is_shown_tells_neither_the_order_nor_the_message_itself() -> None:
    """A label that repeats the ranking measures nothing."""
    made, vectors = world(40, 0.3)
    shown = belonging.to_show([made], vectors, 12)
    assert len(shown) == 12
    assert all(len(set(s.rows)) == belonging.SHOWN for s in shown)
    first = [s.rows.index(made.said.index(s.said)) for s in shown]
    assert len(set(first)) > 1
    assert [s.rows for s in belonging.to_show([made], vectors, 12)] == [s.rows for s in shown]


def test_a_label_counts_while_its_memory_reads_the_same(tmp_path: Path) -> None:
    """The last answer of each; one about words that were changed since says nothing of the new ones."""
    made, vectors = world(40, 0.3)
    (shown,) = belonging.to_show([made], vectors, 1)
    file = tmp_path / "l.jsonl"
    for row, belongs in zip((shown.rows[0], shown.rows[1], shown.rows[0]), (False, False, True), strict=True):  # fmt: skip
        belonging.add_label(file, shown.label(row, belongs))
    belonging.add_label(file, replace(shown.label(shown.rows[2], True), memory="Read otherwise."))
    labels = belonging.labels_of(file)
    assert len(labels) == 3
    (found,) = belonging.judged([made], labels)
    assert (found.belong, found.shown) == (
        frozenset({shown.rows[0]}),
        frozenset(shown.rows[:2]),
    )


def test_labels_are_questions_among_what_was_shown(tmp_path: Path) -> None:
    """`bench recall` reads them; a file without a memory that belongs asks nothing."""
    made, vectors = world(40, 0.3)
    file = tmp_path / "l.jsonl"
    (one, other) = belonging.to_show([made], vectors, 2)
    belonging.add_label(file, one.label(one.rows[0], False))
    with pytest.raises(BadInput, match="no message to which a memory belongs"):
        recallfile.read(file)
    belonging.add_label(file, one.label(one.rows[1], True))
    belonging.add_label(file, replace(other.label(other.rows[0], True), language="fr"))
    read = recallfile.read(file)
    assert (read.language, len(read.memories), len(read.questions)) == ("en", 2, 1)
    assert read.questions[0].relevant == (made.corpus.memories[one.rows[1]].memory_id,)


@pytest.mark.parametrize(
    "line",
    ["[]", '{"lang": "en"}', '{"lang": "en", "text": "a", "memory": {"id": "m", "text": "b"}, "belongs": "yes"}'],
)  # fmt: skip
def test_a_line_that_is_no_label_is_named(tmp_path: Path, line: str) -> None:
    """With its number."""
    file = tmp_path / "l.jsonl"
    file.write_text(f"\n{line}\n", "utf-8")
    with pytest.raises(BadLine) as caught:
        belonging.labels_of(file)
    assert caught.value.line == 2
