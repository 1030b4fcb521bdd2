"""An hour of the clock and a weekday with its date are one value each, and fill no price."""

from __future__ import annotations

import pytest

from souvenance.lang import language
from souvenance.write.over.corrections import replace_values
from souvenance.write.words.values import values

HOURS = [
    ("en", "The train leaves at 11:30.", "11:30"),
    ("en", "The train leaves at half past two.", "half past two"),
    ("en", "The train leaves at quarter to six.", "quarter to six"),
    ("en", "The train leaves at 9.45 am.", "9.45 am"),
    ("en", "The train leaves at 4pm.", "4pm"),
    ("en", "The train leaves at 10 o'clock.", "10 o'clock"),
    ("fr", "Le train part à 11h30.", "11h30"),
    ("fr", "Le train part à 11 h 30.", "11 h 30"),
    ("fr", "Le train part à 14:05.", "14:05"),
    ("fr", "Le train part vers 9 heures.", "9 heures"),
    ("fr", "Le train part à huit heures et demie.", "huit heures et demie"),
    ("fr", "Le train part à sept heures moins le quart.", "sept heures moins le quart"),
    ("fr", "Le train part à midi et demi.", "midi et demi"),
]


@pytest.mark.parametrize(("code", "text", "hour"), HOURS)
def test_an_hour_is_one_value_however_it_is_spelled(code: str, text: str, hour: str) -> None:
    """Its minutes are no figure of their own, that a price could take."""
    assert [(v.sort, v.text) for v in values(text, language(code))] == [("hour", hour)]


@pytest.mark.parametrize(
    ("code", "text", "sort"),
    [
        ("fr", "Je dors 8 h par nuit.", "figure"),
        ("fr", "Je vis à 2 heures de route.", "figure"),
        ("fr", "Elle a 3 heures de retard.", "figure"),
        ("en", "I work 30 hours a week.", "figure"),
        ("en", "The kayak costs 9.45 dollars.", "figure"),
        ("en", "We won 3:1.", "figure"),
    ],
)
def test_a_length_or_a_price_is_no_hour(code: str, text: str, sort: str) -> None:
    """What is measured is told by what it counts."""
    assert {v.sort for v in values(text, language(code))} == {sort}


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("en", "on Friday 8 May", [("date", "Friday 8 May")]),
        ("en", "on Friday the 8th of May", [("date", "Friday the 8th of May")]),
        ("en", "on Friday May 8th at 4", [("date", "Friday May 8th"), ("hour", "4")]),
        ("en", "on Friday the 8th", [("day", "Friday the 8th")]),
        ("en", "on Friday 9 am", [("day", "Friday"), ("hour", "9 am")]),
        ("fr", "le vendredi 8 mai", [("date", "vendredi 8 mai")]),
        ("fr", "vendredi 1er mai à 9 h", [("date", "vendredi 1er mai"), ("hour", "9 h")]),
        ("fr", "vendredi 8 à 14h", [("day", "vendredi 8"), ("hour", "14h")]),
        ("fr", "mardi 3 chats sont nés", [("day", "mardi"), ("figure", "3")]),
    ],
)
def test_a_weekday_and_its_date_are_one_value(
    code: str, text: str, expected: list[tuple[str, str]]
) -> None:
    """They name one day, and change together."""
    assert [(v.sort, v.text) for v in values(text, language(code))] == expected


COMPOSED = [
    (
        "en",
        "My optician appointment is on Tuesday at 9 am, and the canoe I want costs £320.",
        "They moved the optician to Monday 8 June at 11:30.",
        "My optician appointment is on Monday 8 June at 11:30, and the canoe I want costs £320.",
    ),
    (
        "en",
        "I have an interview on Monday at 10.",
        "Actually it's at quarter to six.",
        "I have an interview on Monday at quarter to six.",
    ),
    (
        "en",
        "My massage is on Friday the 8th at 4 pm.",
        "Actually it's on Saturday.",
        "My massage is on Saturday at 4 pm.",
    ),
    (
        "en",
        "I see the notary on Friday 8 May at 2 pm.",
        "Actually it's on Monday.",
        "I see the notary on Monday at 2 pm.",
    ),
    ("en", "The rent is £700.", "No, 750.", "The rent is £750."),
    (
        "fr",
        "Mon contrôle chez l'ophtalmo est mardi à 14 h, et la guitare que je veux coûte 320 €.",
        "Ils ont déplacé l'ophtalmo au lundi 8 juin à 11h30.",
        "Mon contrôle chez l'ophtalmo est lundi 8 juin à 11h30, et la guitare que je veux coûte 320 €.",
    ),
    (
        "fr",
        "J'ai un entretien lundi à 10h.",
        "Finalement c'est mardi à midi et demi.",
        "J'ai un entretien mardi à midi et demi.",
    ),
    (
        "fr",
        "J'ai un entretien vendredi 8 à 10h.",
        "Finalement c'est samedi.",
        "J'ai un entretien samedi à 10h.",
    ),
    (
        "fr",
        "Les cours coûtent 30 € et commencent mardi.",
        "Finalement c'est mercredi, à 18 h 15.",
        "Les cours coûtent 30 € et commencent mercredi.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("code", "old", "correction", "now"), COMPOSED)
def test_a_composed_sentence_gets_only_the_values_that_were_given(
    code: str, old: str, correction: str, now: str
) -> None:
    """The minutes of an hour go into no price, and no part of a date is lost."""
    assert replace_values(old, correction, language(code)) == now
