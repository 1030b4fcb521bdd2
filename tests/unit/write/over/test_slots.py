"""Two values of one attribute: the newer one replaces, stands announced until its day, or is left to the person."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from tests.unit.write.test_merge import START, Shelf, said

from souvenance.domain import Candidate, Memory, Scope, Status
from souvenance.lang import language
from souvenance.write.attributes import filed

#: The day of the first sentence; each next one is three days later.
TODAY = START.date()


def told(shelf: Shelf, *texts: str) -> list[tuple[str, str]]:
    """What each sentence journalled beside the memories: (action, text) of pairs."""
    pairs = []
    for number, text in enumerate(texts):
        settled = shelf.tell(_candidate(text, number, shelf.language), day=3 * number)
        entries = [w.entry for w in settled.writes if hasattr(w, "entry")]
        pairs += [(e.action, e.text) for e in entries if e.action in ("doubted", "announced")]
    return pairs


def _candidate(text: str, number: int, code: str) -> Candidate:
    found = filed(text, language(code))
    made = said(text, str(number + 1))
    if found is None:
        return made
    return replace(made, entity=found.entity, attribute=found.key, value=found.value)


def _only(shelf: Shelf, text: str) -> Memory:
    return next(m for m in shelf.memories.values() if m.text == text)


@pytest.mark.parametrize(
    ("code", "old", "new", "until"),
    [
        ("fr", "J'habite à Metz.", "J'ai déménagé à Tours en janvier.", date(2026, 1, 1)),
        ("fr", "J'habite à Metz.", "J'habite à Tours maintenant.", date(2026, 3, 5)),
        ("fr", "Je suis facteur.", "Je suis luthier depuis lundi.", date(2026, 3, 2)),
        ("fr", "J'ai 41 ans.", "J'ai 42 ans.", date(2026, 3, 5)),
        ("fr", "Je sors avec Idir.", "Idir et moi, on s'est séparés.", date(2026, 3, 5)),
        ("fr", "Je travaille chez Renault.", "Je ne travaille plus chez Renault.", date(2026, 3, 5)),
        ("en", "I live in Hull.", "I moved to Derby last month.", date(2026, 2, 1)),
        ("fr", "Ma sœur Inès habite à Metz.", "Ma sœur Inès habite à Tours maintenant.", date(2026, 3, 5)),
        ("en", "I work at Boots.", "I work for Tesco now.", date(2026, 3, 5)),
        ("en", "My vet appointment is on Monday at 3 pm.", "My vet appointment is on Friday at 4 pm.",
         date(2026, 3, 5)),
    ],
)  # fmt: skip
def test_a_new_value_closes_the_old_one_from_the_day_it_took_effect(
    code: str, old: str, new: str, until: date
) -> None:
    """The day that was said when it is past, else the day it was told; the old one is kept."""
    shelf = Shelf(language=code)
    assert told(shelf, old, new) == []
    closed = _only(shelf, old)
    assert (closed.status, closed.until) == (Status.SUPERSEDED, until)
    assert _only(shelf, new).status is Status.ACTIVE
    assert closed.successor == _only(shelf, new).memory_id


@pytest.mark.parametrize(
    ("code", "old", "new", "day"),
    [
        ("fr", "J'habite à Metz.", "Je déménage à Tours le 1er mai.", date(2026, 5, 1)),
        ("en", "I live in Hull.", "I'm moving to Derby in May.", date(2026, 5, 1)),
        ("en", "I'm a nurse.", "I'm going to be a teacher from September.", date(2026, 9, 1)),
    ],
)
def test_a_change_announced_for_later_stands_beside_until_its_day(
    code: str, old: str, new: str, day: date
) -> None:
    """Nothing is over yet; the older one is bounded by the day, the newer one begins on it."""
    shelf = Shelf(language=code)
    assert told(shelf, old, new) == [("announced", new)]
    first, second = _only(shelf, old), _only(shelf, new)
    assert (first.status, first.until) == (Status.ACTIVE, day)
    assert (second.status, second.starts) == (Status.ACTIVE, day)


@pytest.mark.parametrize(
    ("code", "old", "new"),
    [
        ("fr", "Ma sœur habite à Metz.", "Ma sœur habite à Tours."),
        ("fr", "Je m'appelle Aurélie.", "Je m'appelle Aude."),
        (
            "fr",
            "J'habite à Metz avec mon frère Paul et ses deux chats.",
            "J'habite à Tours maintenant.",
        ),
        ("en", "My brother is 30.", "My brother is 25."),
        ("fr", "Je suis caissière chez Lidl.", "Je suis maçonne."),
        ("en", "My sister Ines lives in Hull.", "My sister lives in Derby."),
    ],
)
def test_what_is_not_sure_is_left_to_the_person(code: str, old: str, new: str) -> None:
    """Another sister, a nickname, a sentence that tells more: both stand, and the pair is offered."""
    shelf = Shelf(language=code)
    assert told(shelf, old, new) == [("doubted", new)]
    assert sorted(shelf.active()) == sorted([old, new])


@pytest.mark.parametrize(
    ("code", "old", "new"),
    [
        ("fr", "J'ai un chat.", "J'ai un chien."),
        ("fr", "Mon budget vélo est de 700 €.", "Mon budget vacances est de 900 €."),
        ("fr", "J'habite à Metz.", "J'habitais à Tours."),
        ("en", "I'm allergic to nuts.", "I'm allergic to pollen."),
        ("en", "I live in Hull.", "My mother lives in Derby."),
    ],
)
def test_two_values_that_may_both_hold_stand_without_a_word(code: str, old: str, new: str) -> None:
    """Offering a choice where there is none would teach people to ignore it."""
    shelf = Shelf(language=code)
    assert told(shelf, old, new) == []
    assert sorted(shelf.active()) == sorted([old, new])


def test_a_pinned_home_is_not_bounded_by_an_announcement() -> None:
    """What a hand holds is left as it is; the pair is journalled all the same."""
    shelf = Shelf(language="en")
    told(shelf, "I live in Hull.")
    shelf.change("m1", pinned=True)
    settled = shelf.tell(_candidate("I'm moving to Derby in May.", 1, "en"), day=3)
    assert [w.entry.action for w in settled.writes if hasattr(w, "entry")][-1] == "announced"
    assert _only(shelf, "I live in Hull.").until is None


def test_settling_an_announcement_again_writes_no_version() -> None:
    """A job that runs twice changes nothing the second time."""
    shelf = Shelf(language="fr")
    texts = ("J'habite à Metz.", "Je déménage à Tours le 1er mai.")
    told(shelf, *texts)
    before = dict(shelf.memories)
    shelf.tell(_candidate(texts[1], 1, "fr"), day=3)
    assert shelf.memories == before


def test_what_is_known_in_one_thread_closes_nothing_known_in_all() -> None:
    """Else a fact would vanish from every other thread, its successor seen in this one alone."""
    shelf = Shelf(language="en")
    told(shelf, "I live in Hull.")
    here = replace(_candidate("I live in Derby now.", 1, "en"), scope=Scope.THREAD)
    settled = shelf.tell(here, day=3)
    assert sorted(shelf.active()) == ["I live in Derby now.", "I live in Hull."]
    doubted = [w.entry.reason for w in settled.writes if hasattr(w, "entry")]
    assert any("known in every thread" in reason for reason in doubted)


def test_a_correction_said_in_one_thread_keeps_what_it_corrects_as_wide_as_it_was() -> None:
    """The composed sentence is the old one with another value."""
    shelf = Shelf(language="en")
    told(shelf, "My flight to Oslo is on 5 May.")
    shelf.tell(replace(said("No wait, it's on 6 May.", "9"), scope=Scope.THREAD), day=1)
    (active,) = [m for m in shelf.memories.values() if m.status is Status.ACTIVE]
    assert (active.text, active.thread) == ("My flight to Oslo is on 6 May.", None)


def test_a_home_told_again_after_its_announced_end_holds() -> None:
    """They did not move: what they say they live in is served again."""
    shelf = Shelf(language="en")
    told(shelf, "I live in Hull.", "I'm moving to Derby on 20 March 2026.")
    assert _only(shelf, "I live in Hull.").until == date(2026, 3, 20)
    shelf.tell(_candidate("I live in Hull!", 7, "en"), day=40)
    assert _only(shelf, "I live in Hull.").until is None


def test_an_announcement_put_off_moves_the_end_of_what_stands() -> None:
    """The older one is bounded by the new day, and by none when the announcement is closed."""
    shelf = Shelf(language="en")
    told(shelf, "I live in Hull.", "I'm moving to Derby on 1 May.")
    shelf.tell(_candidate("Actually I'm moving to Derby on 1 June.", 2, "en"), day=6)
    assert _only(shelf, "I live in Hull.").until == date(2026, 6, 1)


@pytest.mark.parametrize(
    ("code", "old", "new", "kept"),
    [
        ("en", "My rent is £700 and I'm allergic to peanuts.", "My rent is £750 now.", "peanuts"),
        ("en", "I live in Hull and I'm diabetic.", "I live in Derby now.", "diabetic"),
        ("en", "I work at Boots and I hate the bus.", "I quit my job at Boots.", "the bus"),
        ("fr", "J'habite à Metz et j'ai un chat.", "J'habite à Tours maintenant.", "un chat"),
        ("fr", "Mon loyer est de 600 € et je joue du basson.", "Mon loyer est de 640 € maintenant.", "basson"),
        ("fr", "Je suis facteur et mon frère élève des oies.", "Je suis luthier maintenant.", "oies"),
    ],
)  # fmt: skip
def test_what_a_memory_tells_beside_its_value_stays_current(
    code: str, old: str, new: str, kept: str
) -> None:
    """Two things told in one breath are not over together: composed when the words allow, else left to the person."""
    shelf = Shelf(language=code)
    told(shelf, old, new)
    assert any(kept in text for text in shelf.active())


@pytest.mark.parametrize(
    ("code", "home", "plan", "back"),
    [
        ("en", "I live in Hull.", "I'm moving to Derby on 20 April.", "I'm not moving to Derby after all."),
        ("fr", "J'habite à Metz.", "Je déménage à Tours le 4 mai.", "Finalement je ne déménage pas à Tours."),
    ],
)  # fmt: skip
def test_an_announcement_taken_back_bounds_nothing(
    code: str, home: str, plan: str, back: str
) -> None:
    """Else the home would vanish on a day on which nobody moved."""
    shelf = Shelf(language=code)
    told(shelf, home, plan, back)
    assert _only(shelf, home).until is None
    assert _only(shelf, plan).status is Status.SUPERSEDED


@pytest.mark.parametrize(
    ("code", "old", "new", "pairs"),
    [
        ("en", "I have two cats.", "I have three cats now.", 1),
        ("fr", "J'ai deux chats.", "J'ai trois chats maintenant.", 1),
        ("en", "I hate fish.", "Actually I love fish now.", 1),
        ("fr", "Je n'aime pas le thé.", "J'aime le thé maintenant.", 1),
        ("en", "I hate fish.", "Actually I love dogs now.", 0),
        ("fr", "J'ai deux chats.", "J'ai deux enfants maintenant.", 0),
        ("en", "My sister has two cats.", "I have three cats now.", 0),
        ("en", "I love tea.", "I love tea now more than ever.", 0),
    ],
)
def test_another_count_or_a_taste_turned_round_is_left_to_the_person(
    code: str, old: str, new: str, pairs: int
) -> None:
    """Both stand: the words do not show that the older one is over."""
    shelf = Shelf(language=code)
    assert len(told(shelf, old, new)) == pairs
    assert sorted(shelf.active()) == sorted([old, new])
