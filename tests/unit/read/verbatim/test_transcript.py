"""A transcript moved forward is the one built from everything, and a window never leaves its thread."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.unit.read.verbatim.talks import direction, embedded, talk

from souvenance.domain import MessageId
from souvenance.lang import language
from souvenance.read.verbatim import Transcript, read_query, search, windows

ENGLISH = language("en")
FRENCH = language("fr")

HARBOUR = talk(
    "The kiln arrives in May.",
    "Where will you put it?",
    "In the shed, next to the boat.",
    "And the glazes?",
    "Upstairs. Leo built shelves for them.",
    "He is handy, your Leo.",
)
GARDEN = talk(
    "J'ai planté des dahlias.", "Et les limaces ?", "Elles ont tout mangé.", thread="garden"
)


def found(transcript: Transcript, text: str) -> list[tuple[str, float, float]]:
    """What a search gives, with its figures."""
    query = read_query(text, transcript.language, vector=direction(text, transcript.language))
    return [(f.line.message_id, f.score, f.relevance) for f in search(transcript, query)]


def test_windows_hold_the_lines_around() -> None:
    """One before and itself; two before, itself and one after."""
    texts = {(w.message_id, w.kind): w.text for w in windows(HARBOUR)}
    assert texts["quay-0000", "narrow"] == "The kiln arrives in May."
    assert texts["quay-0002", "narrow"] == "Where will you put it?\nIn the shed, next to the boat."
    assert texts["quay-0003", "wide"].split("\n") == [line.text for line in HARBOUR[1:5]]


def test_a_window_stays_in_its_thread() -> None:
    """Two threads said at the same time lend each other nothing."""
    mixed = [line for pair in zip(HARBOUR, GARDEN, strict=False) for line in pair]
    assert {w.text for w in windows(mixed)} == {
        w.text for thread in (HARBOUR[:3], GARDEN) for w in windows(thread)
    }


def test_a_transcript_knows_the_windows_it_lacks() -> None:
    """What is to be embedded is what `windows` gives, and nothing once it was given."""
    transcript = Transcript.build(HARBOUR, ENGLISH)
    assert sorted(map(str, transcript.unindexed())) == sorted(map(str, windows(HARBOUR)))
    assert transcript.update(vectors=embedded(transcript.unindexed(), ENGLISH)).unindexed() == []


def test_a_new_line_leaves_only_its_own_windows_and_the_one_before_to_embed() -> None:
    """A message a turn must not cost the past again."""
    known = Transcript.build(HARBOUR[:5], ENGLISH, embedded(windows(HARBOUR[:5]), ENGLISH))
    missing = known.update(HARBOUR[5:]).unindexed()
    assert {(w.message_id, str(w.kind)) for w in missing} == {
        ("quay-0005", "narrow"),
        ("quay-0005", "wide"),
        ("quay-0004", "wide"),
    }


@pytest.mark.parametrize("cut", range(len(HARBOUR) + 1))
def test_appending_equals_rebuilding(cut: int) -> None:
    """Whatever was there first, the same lines and vectors find the same with the same figures."""
    vectors = embedded(windows(HARBOUR), ENGLISH)
    whole = Transcript.build(HARBOUR, ENGLISH, vectors)
    moved = Transcript.build(HARBOUR[:cut], ENGLISH).update(HARBOUR[cut:]).update(vectors=vectors)
    for text in ("Where are the glazes?", "What did Leo build?", "boat"):
        assert found(moved, text) == found(whole, text)


def test_threads_may_come_in_any_order() -> None:
    """Rows differ, what is found does not."""
    both = Transcript.build([*HARBOUR, *GARDEN], ENGLISH)
    mixed = Transcript.build([*GARDEN[:2], *HARBOUR[:3]], ENGLISH).update([*HARBOUR[3:], GARDEN[2]])
    assert found(mixed, "the dahlias in the shed") == found(both, "the dahlias in the shed")


def test_an_edited_line_is_found_by_its_new_words_alone() -> None:
    """The windows around it are to be embedded again; the vectors of the others stay."""
    before = Transcript.build(HARBOUR, ENGLISH, embedded(windows(HARBOUR), ENGLISH))
    edited = replace(HARBOUR[0], text="The loom arrives in May.")
    after = before.update([edited])
    assert after.lines == (edited, *HARBOUR[1:])
    assert {w.message_id for w in after.unindexed()} == {"quay-0000", "quay-0001", "quay-0002"}
    assert found(after, "the kiln in May") == found(
        Transcript.build(after.lines, ENGLISH, before.held()), "the kiln in May"
    )


def test_a_message_taken_away_leaves_nothing() -> None:
    """As if it had never been said: its neighbours become neighbours."""
    vectors = embedded(windows(HARBOUR), ENGLISH)
    left = [line for line in HARBOUR if line.message_id != "quay-0002"]
    after = Transcript.build(HARBOUR, ENGLISH, vectors).without([MessageId("quay-0002")])
    assert found(after, "the boat in the shed") == found(
        Transcript.build(left, ENGLISH, vectors), "the boat in the shed"
    )
    assert after.without([MessageId("nobody")]) is after


def test_vectors_that_do_not_fit_are_left_out() -> None:
    """Another dimension, a figure that is none, a text of before: the line is read by its words."""
    good = embedded(windows(HARBOUR), ENGLISH)
    short = replace(good[2], vector=np.ones(3, np.float32))
    broken = replace(good[3], vector=np.full(len(good[3].vector), np.nan, np.float32))
    stale = replace(good[4], fingerprint="of another text")
    known = Transcript.build(HARBOUR, ENGLISH, [good[0], good[1], short, broken, stale])
    assert {(v.message_id, v.kind) for v in known.held()} == {
        (v.message_id, v.kind) for v in good[:2]
    }


def test_nothing_is_found_in_nothing() -> None:
    """An empty transcript, and a limit of none."""
    assert found(Transcript.empty(FRENCH), "les dahlias") == []
    transcript = Transcript.build(GARDEN, FRENCH)
    assert search(transcript, read_query("les dahlias", FRENCH), 0) == []
