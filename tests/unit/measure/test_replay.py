"""The replay bench scores memories against an answer key, by the documented definitions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from souvenance.errors import BadInput, BadLine
from souvenance.measure.conversations import Conversation, read, read_lenient
from souvenance.measure.plainrun import run_plain
from souvenance.measure.replay import keep_everything, measure, score
from souvenance.measure.replayed import Replayed, ReplayedMemory, ReplayedVersion


def line(**changes: object) -> str:
    """One conversation as a line of a file."""
    record = {
        "id": "c1",
        "lang": "en",
        "character": "Morgan, keeper of the lock",
        "user_name": "Ana",
        "messages": [
            {"role": "user", "at": "2026-03-02T20:00:00+00:00", "text": "Evening, Morgan."},
            {"role": "character", "at": "2026-03-02T20:01:00+00:00", "text": "The lock is full."},
            {
                "role": "user",
                "at": "2026-03-02T20:02:00+00:00",
                "text": "I'm a welder in Cork and my class with Bea is on Monday.",
            },
            {"role": "character", "at": "2026-03-02T20:03:00+00:00", "text": "Sparks, then."},
            {
                "role": "user",
                "at": "2026-03-02T20:04:00+00:00",
                "text": "No wait, the class is on Tuesday. I don't eat eels.",
            },
        ],
        "facts": [
            {"text": "Ana is a welder in Cork.", "kind": "fact", "from": 2, "valid_until": None},
            {"text": "Ana's class is on Monday.", "kind": "fact", "from": 2, "valid_until": 4},
            {"text": "Ana's class is on Tuesday.", "kind": "fact", "from": 4, "valid_until": None},
        ],
        "never": ["Ana eats eels.", "Morgan's lock is full."],
    }
    return json.dumps({**record, **changes})


@pytest.fixture
def conversation(tmp_path: Path) -> Conversation:
    path = tmp_path / "talk.jsonl"
    path.write_text(line() + "\n", "utf-8")
    return read(path)[0]


def memory(
    text: str, *origins: int, current: bool = True, versions: tuple[ReplayedVersion, ...] = ()
) -> ReplayedMemory:
    return ReplayedMemory(text, "fact", "global", origins, current, None, versions)


def kept(conversation: Conversation, *memories: ReplayedMemory) -> set[int]:
    return set(score(conversation, Replayed(memories)).kept)


def test_a_fact_is_kept_when_its_decisive_words_and_half_of_the_rest_are_there(
    conversation: Conversation,
) -> None:
    """The town must be there; the person's own name need not."""
    assert kept(conversation, memory("I'm a welder in Cork.", 2)) == {0}
    assert kept(conversation, memory("I'm a welder in Galway.", 2)) == set()
    assert kept(conversation, memory("I live in Cork.", 2)) == set()


def test_a_fact_must_rest_on_where_it_was_said(conversation: Conversation) -> None:
    """The words alone could come from anywhere; up to three user messages before still count."""
    assert kept(conversation, memory("I'm a welder in Cork.", 4)) == set()
    assert kept(conversation, memory("I'm a welder in Cork.", 0)) == {0}


def test_an_earlier_wording_still_keeps_a_fact(conversation: Conversation) -> None:
    """History counts as kept: nothing is lost when a newer wording wins."""
    earlier = ReplayedVersion("I'm a welder in Cork.", (2,))
    assert kept(conversation, memory("I weld.", 2, versions=(earlier,))) == {0}


def test_current_is_right_when_the_old_value_is_closed_and_the_new_is_not(
    conversation: Conversation,
) -> None:
    """A stale value served as true is the harm; a closed one is history."""
    closed = memory("The class is on Monday.", 2, current=False)
    stale = memory("The class is on Monday.", 2)
    new = memory("The class is on Tuesday.", 2, 4)
    assert set(score(conversation, Replayed((closed, new))).current_right) == {1, 2}
    assert set(score(conversation, Replayed((stale, new))).current_right) == {2}


def test_a_forbidden_statement_counts_with_its_polarity(conversation: Conversation) -> None:
    """ "I don't eat eels" is not "I eat eels"."""
    assert score(conversation, Replayed((memory("I eat eels.", 4),))).never_kept == {0}
    assert score(conversation, Replayed((memory("I don't eat eels.", 4),))).never_kept == set()


def test_a_forbidden_statement_beside_a_listed_fact_or_closed_does_not_count(
    conversation: Conversation,
) -> None:
    """The bench asks for one current memory that holds nothing listed."""
    both = memory("I eat eels and I'm a welder in Cork.", 2)
    closed = memory("I eat eels.", 4, current=False)
    assert score(conversation, Replayed((both, closed))).never_kept == set()


def test_every_memory_counts_and_versions_do_not(conversation: Conversation) -> None:
    """The price of keeping everything is the number of memories."""
    one = memory("I weld.", 2, versions=(ReplayedVersion("I'm a welder.", (2,)),))
    assert score(conversation, Replayed((one, memory("x", 2, current=False)))).memories == 2
    assert score(conversation, keep_everything(conversation)).memories == 3


def test_the_write_path_without_a_store_keeps_corrects_and_forbids(
    conversation: Conversation,
) -> None:
    """Extraction, filters and merging work together on a whole conversation."""
    scored = score(conversation, run_plain(conversation))
    assert (scored.kept, scored.current_right) == ({0, 1, 2}, {0, 1, 2})
    assert scored.never_kept == set()


def test_the_report_holds_the_documented_metrics_and_the_baseline(tmp_path: Path) -> None:
    """Whoever reads the figures sees what keeping everything reaches, at its price."""
    path = tmp_path / "talks.jsonl"
    path.write_text(line() + "\n" + line(id="c2") + "\n", "utf-8")
    report = measure(path, keep_everything).as_json()
    assert set(report["metrics"]) >= {
        "facts", "facts_kept", "fact_rate", "current", "current_right", "never", "never_kept",
        "memories",
    }  # fmt: skip
    assert report["baselines"]["keep every user message"] == report["metrics"]
    assert report["by"]["en"] == report["metrics"]
    assert [d["id"] for d in report["decisions"]] == ["c1", "c2"]
    assert report["decisions"][0]["memories"][0]["from"] == [0]


# --- reading the format ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad",
    [
        "not json",
        "[]",
        line(messages=None),
        line(messages=[{"role": "narrator", "at": "2026-03-02T20:00:00", "text": "x"}]),
        line(messages=[{"role": "user", "at": "yesterday", "text": "x"}]),
        line(facts=[{"text": "x", "from": 99}]),
        line(id=""),
    ],
)
def test_a_bad_line_is_named_by_its_number_and_the_rest_is_kept(tmp_path: Path, bad: str) -> None:
    """One broken line of a long export must not cost the others."""
    path = tmp_path / "talks.jsonl"
    path.write_text(f"{line()}\n{bad}\n{line(id='c3')}\n", "utf-8")
    conversations, errors = read_lenient(path)
    assert [c.conversation_id for c in conversations] == ["c1", "c3"]
    assert [e.line for e in errors] == [2]
    with pytest.raises(BadLine):
        read(path)


def test_a_plain_conversation_needs_no_answer_key(tmp_path: Path) -> None:
    """A user replays their own talks; nobody wrote down what should come of them."""
    path = tmp_path / "talk.jsonl"
    path.write_text(line(facts=None, never=None) + "\n", "utf-8")
    assert read(path)[0].facts == ()


def test_a_repeated_id_is_a_bad_line(tmp_path: Path) -> None:
    """Two conversations under one id could not be told apart when a replay resumes."""
    path = tmp_path / "talks.jsonl"
    path.write_text(f"{line()}\n{line()}\n", "utf-8")
    assert [e.line for e in read_lenient(path)[1]] == [2]


def test_a_missing_file_is_bad_input(tmp_path: Path) -> None:
    """One clear sentence, not a traceback."""
    with pytest.raises(BadInput):
        read(tmp_path / "none.jsonl")
