"""What a date does to a fact: since when it holds, or from when it will."""

from __future__ import annotations

from datetime import date

import pytest

from souvenance.lang import language
from souvenance.write.dates import effective, names_a_day, upcoming

#: A Wednesday.
TODAY = date(2026, 5, 13)


@pytest.mark.parametrize(
    ("text", "code", "when", "start"),
    [
        ("I moved to Lyon in March.", "en", "past", "2026-03-01"),
        ("J'ai emménagé à Lyon en mars.", "fr", "past", "2026-03-01"),
        ("I changed jobs in October.", "en", "past", "2025-10-01"),
        ("J'ai changé de boulot en octobre.", "fr", "past", "2025-10-01"),
        ("Je déménage à Lyon le 3 juin.", "fr", "upcoming", "2026-06-03"),
        ("I'm moving to Lyon on June 3rd.", "en", "upcoming", "2026-06-03"),
        ("I've been a vegan since Monday.", "en", "past", "2026-05-11"),
        ("Je suis végane depuis lundi.", "fr", "past", "2026-05-11"),
        ("From next month I work in Metz.", "en", "upcoming", "2026-06-01"),
        ("À partir de septembre je travaille à Metz.", "fr", "upcoming", "2026-09-01"),
        ("As of today I'm a manager.", "en", "now", "2026-05-13"),
        ("Désormais je suis cheffe.", "fr", "now", "2026-05-13"),
        ("I now live in Ghent.", "en", "now", "2026-05-13"),
        ("Je suis à Gand depuis trois semaines.", "fr", "past", "2026-04-22"),
        ("We split up two years ago.", "en", "past", "2024-05-13"),
        ("On s'est séparés il y a dix ans.", "fr", "past", "2016-05-13"),
        ("I quit yesterday.", "en", "past", "2026-05-12"),
        ("Demain je change de numéro.", "fr", "upcoming", "2026-05-14"),
        ("The wedding is moved to the 4th of July.", "en", "upcoming", "2026-07-04"),
        ("I'm leaving the bakery at the end of August.", "en", "upcoming", "2026-08-21"),
        ("J'ai quitté la boulangerie fin avril.", "fr", "past", "2026-04-21"),
        ("J'ai commencé à la boulangerie la semaine dernière.", "fr", "past", "2026-05-04"),
        ("Dès le 1er septembre je suis cheffe.", "fr", "upcoming", "2026-09-01"),
        ("Je suis prof depuis 2019.", "fr", "past", "2019-01-01"),
    ],
)
def test_a_change_takes_effect_when_it_is_said_to(text, code, when, start):
    """The old value ends there, and not on the day it was told."""
    found = effective(text, language(code), TODAY)
    assert found is not None
    assert (found.when, found.start.isoformat()) == (when, start)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("I live in Ghent.", "en"),
        ("J'habite à Gand.", "fr"),
        ("I'm in Ghent until Friday.", "en"),
        ("Je suis à Gand jusqu'à vendredi.", "fr"),
        ("I have to answer by Friday.", "en"),
        ("Il faut que je réponde d'ici vendredi.", "fr"),
        ("I might move one of these days.", "en"),
        ("Je déménagerai un de ces jours.", "fr"),
        ("I left in March and came back in April.", "en"),
        ("I've been single since last summer.", "en"),
        ("Je vis à Gand depuis que je suis née.", "fr"),
        ("Maybe I'll move in June.", "en"),
        ("Je pars lundi ou mardi.", "fr"),
        ("Every Monday I'm in Ghent.", "en"),
        ("If I moved on Monday I'd be late.", "en"),
    ],
)
def test_no_effect_is_concluded_where_none_is_told(text, code):
    """Nothing is closed on a guess."""
    assert effective(text, language(code), TODAY) is None


@pytest.mark.parametrize(
    ("text", "code", "day"),
    [
        ("I start on Monday.", "en", "2026-05-18"),
        ("Je commence lundi.", "fr", "2026-05-18"),
        ("In June I start at the bakery.", "en", "2026-06-01"),
        ("Je passe à mi-temps en juin.", "fr", "2026-06-01"),
        ("The essay is due by Friday.", "en", "2026-05-15"),
        ("Le mémoire est à rendre d'ici vendredi.", "fr", "2026-05-15"),
        ("I started on Monday.", "en", None),
        ("J'ai commencé lundi.", "fr", None),
        ("The room is mine until Friday.", "en", None),
        ("Ma fille s'appelle Avril.", "fr", None),
        ("Not for a while.", "en", None),
    ],
)
def test_the_day_of_a_change_that_is_announced_is_the_first_to_come(text, code, day):
    """A month is its first day; what is over or ends is no announcement."""
    found = upcoming(text, language(code), TODAY)
    assert (found.isoformat() if found else None) == day


@pytest.mark.parametrize(
    ("text", "code", "named"),
    [
        ("Remind me every Monday.", "en", True),
        ("Rappelle-moi ça tous les jeudis... enfin, jeudi.", "fr", True),
        ("Rappelle-moi demain.", "fr", True),
        ("Remind me some day.", "en", False),
        ("Rappelle-moi un jour.", "fr", False),
    ],
)
def test_a_habit_names_a_day_too(text, code, named):
    """A reminder for each Monday is still a reminder for a day."""
    assert names_a_day(text, language(code)) is named
