"""Recorded journals give the same memories: a change of decision is seen before it is released."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from souvenance.domain import Status
from souvenance.errors import BadLine
from souvenance.measure.journals import lines_of, parse
from souvenance.write.rehearsal import ReflectionStep, rehearse

JOURNALS = sorted(Path(__file__).parent.glob("*.journal"))


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_a_recorded_journal_decides_the_same_again(path: Path) -> None:
    """When it does not, and on purpose, `python -m tests.journals.record` writes it anew."""
    outcome = rehearse(parse(path.read_text("utf-8").splitlines()))
    assert outcome.reflections >= 5
    assert [(d.then, d.now) for d in outcome.differences] == []


def test_the_recorded_journals_hold_every_sort_of_decision() -> None:
    """A journal in which nothing merges or is replaced would prove little."""
    assert len(JOURNALS) == 4
    steps = [s for p in JOURNALS for s in parse(p.read_text("utf-8").splitlines()).steps]
    decided = {line.action for s in steps if isinstance(s, ReflectionStep) for line in s.lines}
    assert {"added", "superseded", "restated", "dropped"} <= decided
    states = [state for step in steps for state in step.states]
    assert any(state.status is Status.FORGOTTEN for state in states)
    assert any(state.pinned for state in states)


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_a_journal_is_written_as_it_was_read(path: Path) -> None:
    """Nothing of a decision is lost between the program and the file."""
    lines = path.read_text("utf-8").splitlines()
    assert list(lines_of(parse(lines))) == lines


def test_a_changed_decision_is_shown_with_both_sides() -> None:
    """What was decided then, and what today's rules decide."""
    lines = JOURNALS[0].read_text("utf-8").splitlines()
    number = next(n for n, line in enumerate(lines) if '"added"' in line)
    step = json.loads(lines[number])
    step["decisions"][0]["reason"] = "another reason"
    lines[number] = json.dumps(step, ensure_ascii=False)
    (difference,) = rehearse(parse(lines)).differences
    assert difference.job_id == step["job_id"]
    assert difference.then[0].reason == "another reason" != difference.now[0].reason


def test_what_was_erased_is_counted_and_not_decided_again() -> None:
    """A reflection whose messages are gone cannot be judged by what is left."""
    lines = JOURNALS[0].read_text("utf-8").splitlines()
    step = json.loads(lines[1])
    lines[1] = json.dumps({**step, "messages": None}, ensure_ascii=False)
    whole, outcome = (
        rehearse(parse(JOURNALS[0].read_text("utf-8").splitlines())),
        rehearse(parse(lines)),
    )
    assert (outcome.erased, outcome.reflections) == (1, whole.reflections - 1)
    assert outcome.differences == ()


@pytest.mark.parametrize("bad", ["", "{}", '{"journal": 9}', "[1]", "not json"])
def test_a_file_that_is_no_journal_is_refused(bad: str) -> None:
    """With the line to look at."""
    with pytest.raises(BadLine):
        parse([bad])
    good = JOURNALS[0].read_text("utf-8").splitlines()[0]
    with pytest.raises(BadLine, match="Line 2"):
        parse([good, bad or "{}"])
