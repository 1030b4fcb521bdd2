"""Dates are read as people mean them on the day they speak, and what is no date stays text."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from souvenance.lang import language
from souvenance.write.dates import read_dates, the_date

#: A Wednesday.
TODAY = date(2026, 5, 13)


def told(text: str, code: str, today: date = TODAY) -> str | None:
    """The one date of a text as a case writes it."""
    found = the_date(text, language(code), today)
    if found is None:
        return None
    start, end = (d.isoformat() for d in found)
    return start if start == end else f"{start}/{end}"


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("My flight leaves Friday at six.", "2026-05-15"),
        ("We ate at Luigi's on Monday and it was great.", "2026-05-11"),
        ("I saw the dentist on Friday.", "2026-05-08"),
        ("The plumber is coming this Saturday.", "2026-05-16"),
        ("I'm moving to Porto on the 3rd of June.", "2026-06-03"),
        ("My contract was signed on March 3rd, 2021.", "2021-03-03"),
        ("Dad's operation: 22/06/2026.", "2026-06-22"),
        ("We close on 2026-07-09.", "2026-07-09"),
        ("I've been vegetarian since March.", "2026-03-01/2026-03-31"),
        ("I've lived here since 2018.", "2018-01-01/2018-12-31"),
        ("I'm staying at my sister's until Sunday.", "2026-05-17"),
        ("From Monday I work nights.", "2026-05-18"),
        ("I broke my wrist three months ago.", "2026-02-13"),
        ("The baby is due in six weeks.", "2026-06-24"),
        ("She was here a fortnight ago.", "2026-04-29"),
        ("The wedding is a week on Saturday.", "2026-05-23"),
        ("We fly out two weeks from tomorrow.", "2026-05-28"),
        ("I had lunch with August yesterday.", "2026-05-12"),
        ("I was born in 1987.", "1987-01-01/1987-12-31"),
        ("We're hosting at Thanksgiving.", "2026-11-26"),
        ("Easter Monday we went to the coast.", "2026-04-06"),
        ("We leave the day after Christmas.", "2026-12-26"),
        ("The tree goes up two weeks before Christmas.", "2026-12-11"),
        ("New Year's Eve at ours!", "2026-12-31"),
        ("Mid-July I'm off to Crete.", "2026-07-11/2026-07-20"),
        ("Conference from June 28 to July 2.", "2026-06-28/2026-07-02"),
        ("The shop is open 3-9 August.", "2026-08-03/2026-08-09"),
        ("I quit smoking on New Year's Day.", "2026-01-01"),
        ("My interview got moved to Thursday.", "2026-05-14"),
        ("The party was cancelled last night.", "2026-05-12"),
        ("Exam on Tuesday 19 May.", "2026-05-19"),
        ("Rent is due on the first.", "2026-06-01"),
        ("I paid it on the 3rd.", "2026-05-03"),
        ("By the end of the week I need an answer.", "2026-05-17"),
        ("Next year I turn forty.", "2027-01-01/2027-12-31"),
        ("I moved to Lyon in March.", "2026-03-01/2026-03-31"),
        ("It happened the week before last.", "2026-04-27/2026-05-03"),
        ("Not Monday, Tuesday.", "2026-05-19"),
        ("I'll be back on the twenty-first.", "2026-05-21"),
        ("See you a week today.", "2026-05-20"),
        ("I adopted him on 29 February 2024.", "2024-02-29"),
        ("Last Christmas we were in Bath.", "2025-12-25"),
        ("We went camping last weekend.", "2026-05-09/2026-05-10"),
        ("Over the weekend I finally fixed the sink.", "2026-05-09/2026-05-10"),
        ("My bike got stolen on the 2nd of May.", "2026-05-02"),
        ("The course starts on the 12th of next month.", "2026-06-12"),
    ],
)
def test_english_dates_are_read(text, days):
    """Each is how somebody says a day."""
    assert told(text, "en") == days


@pytest.mark.parametrize(
    "text",
    [
        "The deadline is 04/05/2026.",
        "He ran it in two days.",
        "I haven't slept for three days.",
        "I play bridge on Thursdays.",
        "Every other Friday I see my kids.",
        "June makes the best scones.",
        "My niece May is seven.",
        'Have you read "Friday Black"?',
        "I may start running.",
        "Soldiers march in May.",
        "If it were Friday I'd be at the pub.",
        "I'll call you in a couple of weeks.",
        "Some day I'll see Iceland.",
        "I'm 34 and I live on 5th Avenue.",
        "He lives on the 12th floor.",
        "My essay comes in at 2019 words, in 2000 words or less.",
        "Put the Christmas tree up please.",
        "Exam on Tuesday 20 May.",
        "The day before the exam I panic.",
        "The gala is 31 June.",
        "She was born on a Friday.",
        "I met him the Monday after the funeral.",
        "I came third in the sack race.",
        "Wait a minute, where's my phone?",
        "I work 24/7.",
        "9/11 changed everything.",
        "They call him Tuesday.",
    ],
)
def test_english_text_that_names_no_certain_day_is_left(text):
    """A wrong date is worse than none."""
    assert told(text, "en") is None


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Je vois ma psy vendredi à 18 h.", "2026-05-15"),
        ("Lundi j'ai cassé mes lunettes.", "2026-05-11"),
        ("Mon train part samedi matin.", "2026-05-16"),
        ("Je déménage à Lyon le 3 juin.", "2026-06-03"),
        ("J'ai emménagé en mars.", "2026-03-01/2026-03-31"),
        ("Je suis au chômage depuis février.", "2026-02-01/2026-02-28"),
        ("À partir de lundi je suis en télétravail.", "2026-05-18"),
        ("Je suis en congé jusqu'à vendredi.", "2026-05-15"),
        ("Mon oral est le 22/06/2026.", "2026-06-22"),
        ("C'est prévu le 12/06.", "2026-06-12"),
        ("Il y a trois semaines j'ai adopté un chat.", "2026-04-22"),
        ("J'ai démissionné il y a quinze jours.", "2026-04-29"),
        ("On signe dans dix jours.", "2026-05-23"),
        ("Lundi en quinze je reprends le boulot.", "2026-06-01"),
        ("Demain en huit c'est mon anniversaire.", "2026-05-21"),
        ("La veille de Noël on mange des huîtres.", "2026-12-24"),
        ("Le lendemain de Noël je prends l'avion.", "2026-12-26"),
        ("Rendez-vous le lundi de Pâques 2027.", "2027-03-29"),
        ("Pour la Saint-Valentin il m'a offert un vinyle.", "2026-02-14"),
        ("Fin juin je passe mon permis.", "2026-06-21/2026-06-30"),
        ("À la mi-août on part à Sète.", "2026-08-11/2026-08-20"),
        ("Je serai en stage du 28 juin au 3 juillet.", "2026-06-28/2026-07-03"),
        ("On a dîné chez eux mardi dernier.", "2026-05-12"),
        ("Rendez-vous mardi 19 mai.", "2026-05-19"),
        ("Mardi 19, je passe l'IRM.", "2026-05-19"),
        ("Je suis né en 1991.", "1991-01-01/1991-12-31"),
        ("C'était hier soir.", "2026-05-12"),
        ("Je te rends ça d'ici la fin de la semaine.", "2026-05-17"),
        ("Le dossier est à rendre au plus tard vendredi.", "2026-05-15"),
        ("L'année prochaine je passe à mi-temps.", "2027-01-01/2027-12-31"),
        ("Je paie le loyer le premier.", "2026-06-01"),
        ("On est allés à Brest le week-end dernier.", "2026-05-09/2026-05-10"),
        ("Nous sommes allés au cinéma dimanche.", "2026-05-10"),
        ("Le rendez-vous est reporté à jeudi.", "2026-05-14"),
        ("Ils ont repoussé le rendez-vous à jeudi.", "2026-05-14"),
        ("Pas lundi, mardi.", "2026-05-19"),
        ("Mardi prochain je passe au tribunal.", "2026-05-19"),
        ("Je pars le 8 avec Lou.", "2026-06-08"),
        ("Mon fils est né le 29 février 2024.", "2024-02-29"),
        ("J'ai eu mon bac en juin 2009.", "2009-06-01/2009-06-30"),
        ("Le trois juin on fête ses vingt ans.", "2026-06-03"),
        ("La Guerre des étoiles date de 1977, je l'ai vu vendredi.", "2026-05-08"),
    ],
)
def test_french_dates_are_read(text, days):
    """Each is how somebody says a day."""
    assert told(text, "fr") == days


@pytest.mark.parametrize(
    "text",
    [
        "Le lundi je nage.",
        "Tous les jeudis on joue au tarot.",
        "Je l'ai lu en deux jours.",
        "Le sapin de Noël penche.",
        "Je vais au 14 juillet sur les quais.",
        "La semaine des quatre jeudis, peut-être.",
        "Mon grand-père habite rue du 4 Septembre.",
        "J'ai relu « Vendredi ou les Limbes du Pacifique ».",
        "Avril dort encore.",
        "Ma chienne s'appelle Mai.",
        "Un sur sept a répondu, mais c'est peu.",
        "Si on était lundi, je serais au bureau.",
        "Je rentre dans quelques jours.",
        "J'ai quarante ans et trois enfants.",
        "Jeudi prochain je passe au tribunal.",
        "J'ai pris le 8 jusqu'au terminus.",
        "C'était un mardi.",
        "On remet ça à l'été prochain.",
    ],
)
def test_french_text_that_names_no_certain_day_is_left(text):
    """A wrong date is worse than none."""
    assert told(text, "fr") is None


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
