"""A name said alone is noted as the person's; a trade beside an appointment makes it nobody else's."""

from __future__ import annotations

import pytest
from tests.unit.write.test_extractive import texts, told

from souvenance.domain import Kind

NAMES = [
    ("fr", "Moi c'est Samir.", "Samir"),
    ("fr", "Salut Mira, moi c'est Samir.", "Samir"),
    ("fr", "Bonsoir, ici Loubna.", "Loubna"),
    ("fr", "Bonsoir ! Ici Loubna.", "Loubna"),
    ("fr", "Coucou, c'est Marie-Lou.", "Marie-Lou"),
    ("fr", "Moi, c'est Ignace, enchanté.", "Ignace"),
    ("en", "This is Sam.", "Sam"),
    ("en", "It's Priya here.", "Priya"),
    ("en", "Hi Wren, Oleg here.", "Oleg"),
    ("en", "Hello, it's Oleg.", "Oleg"),
    ("en", "Hey, this is Ana Reyes speaking.", "Ana Reyes"),
]


@pytest.mark.parametrize(("code", "text", "name"), NAMES)
def test_a_name_said_alone_is_noted_as_the_persons(code: str, text: str, name: str) -> None:
    """It is often the very first thing that somebody tells."""
    (candidate,) = told(code, text)
    assert candidate.kind is Kind.FACT
    assert (candidate.entity, candidate.attribute, candidate.value) == ("person", "name", name)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("fr", "Ici il pleut."),
        ("fr", "C'est Samir."),
        ("fr", "C'est lundi."),
        ("fr", "Bonsoir, c'est moi."),
        ("fr", "Salut, c'est mardi."),
        ("en", "This is great."),
        ("en", "This is France."),
        ("en", "It's Sam."),
        ("en", "Nothing here."),
        ("en", "Hi, it's Monday."),
        ("en", "Hello Wren."),
    ],
)
def test_what_is_no_name_of_the_person_introduces_nobody(code: str, text: str) -> None:
    """A day, a country or somebody else at the door is not who speaks."""
    assert [c for c in told(code, text) if c.attribute == "name"] == []


APPOINTMENTS = [
    ("en", "My dentist appointment is on Thursday at 2 pm."),
    ("en", "My dentist is on Thursday at 2 pm."),
    ("en", "My physio appointment is Monday at 10."),
    ("en", "My barber appointment is Monday at 5 pm."),
    ("en", "My lawyer meeting is on Friday at 3."),
    ("en", "My accountant meeting has been moved to Friday at 4 pm."),
    ("en", "My driving instructor session is on 3 June."),
    ("fr", "Mon rdv kiné est jeudi à 14 h."),
    ("fr", "Mon rendez-vous dentiste est décalé au 3 juin."),
    ("fr", "Mon kiné est jeudi à 14 h."),
    ("fr", "Ma séance ostéo est lundi à 9 h."),
    ("fr", "Mon audience avocat est le 3 juin."),
]


@pytest.mark.parametrize(("code", "text"), APPOINTMENTS)
def test_an_appointment_named_by_a_trade_is_the_persons(code: str, text: str) -> None:
    """A dentist appointment is no news of the dentist."""
    assert texts(code, text) == [text]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "My boss is moving to Rome."),
        ("en", "My dentist is on holiday until Thursday."),
        ("en", "My neighbour's dentist appointment is on Thursday."),
        ("en", "My colleague has an exam on Thursday."),
        ("en", "My plumber was late on Thursday."),
        ("fr", "Mon patron déménage à Rome jeudi."),
        ("fr", "Mon dentiste est en vacances jeudi."),
        ("fr", "Mon voisin a un examen jeudi."),
    ],
)
def test_what_befalls_an_acquaintance_on_a_day_is_still_theirs(code: str, text: str) -> None:
    """Their trade is not beside a word of appointment, nor are they themselves on that day."""
    assert texts(code, text) == []


def test_an_introduction_beside_a_fact_is_a_memory_of_its_own() -> None:
    """The name and the trade change apart from each other."""
    assert len(told("en", "This is Sam. I work as a glazier in Hull.")) == 2
