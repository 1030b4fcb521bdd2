"""Dates are read as people mean them on the day they speak, and what is no date stays text."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from souvenance.lang import language
from souvenance.measure.dates import written
from souvenance.write.dates import read_dates, the_date

#: A Wednesday.
TODAY = date(2026, 5, 13)


def told(text: str, code: str, today: date = TODAY) -> str | None:
    """The one date of a text as a case writes it."""
    return written(the_date(text, language(code), today))


@pytest.mark.parametrize(
    ("text", "code", "role"),
    [
        ("I've been ill since Monday.", "en", "since"),
        ("Je suis malade depuis lundi.", "fr", "since"),
        ("The flat is ours until Sunday.", "en", "until"),
        ("L'appart est à nous jusqu'à dimanche.", "fr", "until"),
        ("The forms are due by Friday.", "en", "by"),
        ("Les papiers sont à rendre d'ici vendredi.", "fr", "by"),
        ("I'm on nights from Monday.", "en", "from"),
        ("Je suis de nuit à partir de lundi.", "fr", "from"),
        ("Not before Monday, says the garage.", "en", "from"),
        ("Pas avant lundi, dit le garage.", "fr", "from"),
        ("The vet comes on Monday.", "en", "on"),
        ("La véto passe lundi.", "fr", "on"),
    ],
)
def test_a_date_has_the_part_it_plays(text, code, role):
    """ "Until Friday" and "from Friday" are opposites."""
    (found,) = read_dates(text, language(code), TODAY)
    assert found.role == role


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("So I've been vegan since March, mostly.", "en", "since March"),
        ("Bref, je pars le 3 juin à l'aube.", "fr", "le 3 juin"),
        ("C'est dans dix jours, youpi", "fr", "dans dix jours"),
        ("Not the 4th but the day after Christmas!", "en", "the day after Christmas"),
    ],
)
def test_a_date_stands_where_it_says(text, code, said):
    """What a date is taken from can be shown."""
    found = read_dates(text, language(code), TODAY)[-1]
    assert text[found.begins : found.ends] == said


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The move is around the 3rd of June.", "en"),
        ("On signe vers le 3 juin.", "fr"),
        ("I left school twenty years ago.", "en"),
        ("J'ai quitté l'école il y a vingt ans.", "fr"),
        ("Je suis à la retraite depuis trois ans.", "fr"),
    ],
)
def test_about_when_is_read_and_never_given_as_the_date(text, code):
    """It tells a side of today, not a day."""
    (found,) = read_dates(text, language(code), TODAY)
    assert not found.exact
    assert told(text, code) is None


@pytest.mark.parametrize(
    ("text", "code", "today", "days"),
    [
        ("The tax is due on 29 February.", "en", date(2026, 5, 13), "2028-02-29"),
        ("Il est né un 29 février.", "fr", date(2026, 5, 13), None),
        ("In a month I'm free.", "en", date(2027, 1, 31), "2027-02-28"),
        ("Dans un an je reviens.", "fr", date(2028, 2, 29), "2029-02-28"),
        ("Tomorrow I rest.", "en", date(2028, 2, 28), "2028-02-29"),
        ("On part demain.", "fr", date(2026, 12, 31), "2027-01-01"),
        ("On se voit le 31.", "fr", date(2026, 4, 2), "2026-05-31"),
        ("See you next Wednesday.", "en", TODAY, "2026-05-20"),
        ("On the 4th we sign.", "en", date(2026, 12, 20), "2027-01-04"),
        ("Tomorrow never mind.", "en", date.max, None),
        ("Hier encore.", "fr", date.min, None),
    ],
)
def test_the_calendar_is_right_at_its_edges(text, code, today, days):
    """Short months, leap days and year ends are where counting goes wrong."""
    assert told(text, code, today) == days


@pytest.mark.parametrize(
    ("text", "code", "today"),
    [
        ("Let's sign next Friday.", "en", TODAY),
        ("On signe vendredi prochain.", "fr", TODAY),
        ("The cabin is ours next weekend.", "en", TODAY),
        ("The lease starts in May.", "en", TODAY),
        ("We pay by June.", "en", TODAY),
    ],
)
def test_a_day_with_two_readings_is_left(text, code, today):
    """Half of the people who say it mean the other one."""
    assert told(text, code, today) is None


_DAYS = st.dates(date(1970, 1, 1), date(2100, 12, 31))
_PIECES = st.sampled_from(
    [
        "le",
        "the",
        "on",
        "in",
        "en",
        "3",
        "12",
        "31",
        "2026",
        "lundi",
        "Monday",
        "mars",
        "March",
        "mai",
        "May",
        ",",
        ".",
        "/",
        "-",
        "de",
        "of",
        "à",
        "from",
        "du",
        "au",
        "to",
        "il",
        "y",
        "a",
        "trois",
        "three",
        "jours",
        "weeks",
        "ago",
        "dans",
        "next",
        "prochain",
        "dernier",
        "Noël",
        "Christmas",
        "veille",
        "day",
        "after",
        "before",
        "since",
        "depuis",
        "jusqu'à",
        "until",
        "fin",
        "end",
        "mi",
        "first",
        "premier",
        "1er",
        "4th",
        "hier",
        "tomorrow",
        "«",
        "»",
        '"',
        "pas",
        "not",
    ]
)


@settings(deadline=None)
@given(st.text(max_size=120), st.sampled_from(["fr", "en"]), st.dates())
def test_any_text_can_be_read(text, code, today):
    """People type anything, on any day."""
    for found in read_dates(text, language(code), today):
        assert found.start <= found.end
        assert 0 <= found.begins < found.ends <= len(text)


@settings(deadline=None, max_examples=400)
@given(st.lists(_PIECES, max_size=14).map(" ".join), st.sampled_from(["fr", "en"]), st.dates())
def test_words_of_dates_in_any_order_can_be_read(text, code, today):
    """Forms meet in ways that nobody wrote down."""
    last = 0
    for found in read_dates(text, language(code), today):
        assert found.start <= found.end
        assert last <= found.begins < found.ends <= len(text)
        last = found.begins


@settings(deadline=None)
@given(st.text(alphabet="bcdfgklmpqrtvwxz ,.!?'-", max_size=80), st.sampled_from(["fr", "en"]))
def test_letters_that_make_no_word_give_no_date(text, code):
    """Nothing is read out of noise."""
    assert read_dates(text, language(code), TODAY) == ()


@settings(deadline=None)
@given(_DAYS, _DAYS)
def test_a_day_written_in_full_is_that_day(day, today):
    """It depends neither on today nor on the way it is written."""
    months = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
    month = months.split()[day.month - 1]
    for text in (
        f"C'est le {day.day} {month} {day.year}.",
        f"C'est le {day:%d/%m/%Y}.",
        f"Noté : {day}.",
    ):
        assert the_date(text, language("fr"), today) == (day, day)


@settings(deadline=None)
@given(_DAYS, st.integers(1, 300))
def test_days_ahead_and_days_ago_are_opposite(today, n):
    """ "In n days", said n days ago, is today."""
    ahead = the_date(f"It starts in {n} days.", language("en"), today)
    assert ahead is not None
    back = the_date(f"It started {n} days ago.", language("en"), ahead[0])
    assert back == (today, today)


@settings(deadline=None)
@given(_DAYS, st.integers(0, 6))
def test_a_bare_weekday_lies_within_a_week(today, weekday):
    """After today, or before it when it is told as past."""
    name = ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"][weekday]
    coming = the_date(f"On dîne ensemble {name}.", language("fr"), today)
    gone = the_date(f"On a dîné ensemble {name}.", language("fr"), today)
    assert coming and gone
    assert 1 <= (coming[0] - today).days <= 7
    assert 1 <= (today - gone[0]).days <= 7
    assert coming[0].weekday() == gone[0].weekday() == weekday
