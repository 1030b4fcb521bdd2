"""A candidate that lost the person's reserve is remembered in the person's own words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from souvenance.domain import Candidate, Kind, Scope
from souvenance.write.filters import judge


@pytest.fixture
def judged(screened):
    """What is kept and dropped of one candidate, resting on what the person said (Nadège, with Corbin)."""

    def run(lang: str, said: str, text: str, kind: Kind = Kind.FACT, quote: str | None = None):
        exchange = screened.exchange(lang, said)
        candidate = Candidate(text, kind, Scope.GLOBAL, 0.9, said if quote is None else quote)
        return judge(
            [replace(candidate, entity="person", attribute="home", value="Turin")], exchange
        )

    return run


@pytest.mark.parametrize(
    ("lang", "said", "proposed"),
    [
        ("en", "I might move to Turin next year.", "Nadège is moving to Turin."),
        ("fr", "Je vais peut-être vendre ma barque.", "Nadège vend sa barque."),
    ],
)
def test_the_reserve_is_put_back_in_the_persons_own_words(judged, lang, said, proposed):
    """The drop stays in the journal; what was said is not lost with it."""
    verdict = judged(lang, said, proposed)
    assert [c.text for c in verdict.kept] == [said]
    assert [d.filter for d in verdict.dropped] == ["hesitation"]


def test_a_doubt_takes_no_older_values_place(judged):
    """ "I might move" must not close where they live."""
    (kept,) = judged("en", "I might move to Turin.", "Nadège is moving to Turin.").kept
    assert (kept.entity, kept.attribute, kept.value) == (None, None, None)


def test_trying_is_not_made_a_promise(judged):
    """It would be held against the person."""
    verdict = judged(
        "en", "I'll try to call my aunt.", "Nadège promised to call her aunt.", Kind.PROMISE
    )
    assert verdict.kept == ()


def test_a_quote_cut_out_of_its_doubt_is_widened_to_the_sentence(judged):
    """The words of reserve stand outside the stretch that the model chose."""
    said = "I think I may be allergic to cats."
    verdict = judged("en", said, "Nadège is allergic to cats.", quote="allergic to cats")
    assert [c.text for c in verdict.kept] == [said]


def test_only_a_lost_reserve_is_put_back(judged):
    """A statement turned round is not mended by guessing."""
    assert judged("en", "I don't live in Turin.", "Nadège lives in Turin.").kept == ()
