"""What once worked on the cases that come with the benches still does: the errors that lose or leak, at none."""

from __future__ import annotations

from pathlib import Path

import pytest

from souvenance.measure import dates, dedup, filters, pii

KNOWN = Path(__file__).parents[3] / "bench" / "cases" / "known"


def test_no_known_pair_of_distinct_facts_merges() -> None:
    """A false merge is a fact gone; each that was ever found is in the file."""
    report = dedup.measure(KNOWN / "dedup.jsonl")
    assert report.metrics["distinct"] >= 270
    assert report.metrics["false_merges"] == 0, report.failed


def test_no_known_wrong_proposal_is_kept() -> None:
    """An order, a flipped denial, the character's feelings."""
    report = filters.measure(KNOWN / "filters.jsonl")
    assert report.metrics["drops"] >= 240
    assert report.metrics["missed_drop_rate"] <= 0.04, report.failed
    assert report.metrics["lost_keep_rate"] <= 0.04, report.failed


def test_every_known_identifier_is_found_and_no_look_alike_touched() -> None:
    """The filter recognises patterns: those it knew it must go on knowing."""
    report = pii.measure(KNOWN / "pii.jsonl")
    assert report.metrics["found"] == report.metrics["spans"], report.failed
    assert report.metrics["clean_items_touched"] == 0, report.failed


def test_no_known_date_is_read_wrong() -> None:
    """A wrong date is worse than none."""
    report = dates.measure(KNOWN / "dates.jsonl")
    assert report.metrics["wrong"] == 0, report.failed


@pytest.mark.parametrize("name", ["dedup", "filters", "dates", "pii", "conversations"])
def test_held_cases_are_other_cases(name: str) -> None:
    """What was tuned on says nothing of what was not."""
    held = (KNOWN.parent / "held" / f"{name}.jsonl").read_text("utf-8").splitlines()
    known = set((KNOWN / f"{name}.jsonl").read_text("utf-8").splitlines())
    assert held and known.isdisjoint(held)
