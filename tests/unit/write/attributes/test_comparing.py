"""A new value replaces only where it is surely of the same thing; what may be is offered as a choice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from souvenance.lang import language
from souvenance.write.attributes import (
    Attribute,
    closes,
    read_attributes,
    replaces,
    rivals,
    same_attribute,
)

#: Old sentence, new sentence; the new value replaces the old one.
REPLACING = [
    ("fr", "J'habite à Lyon.", "J'habite à Nantes."),
    ("fr", "J'habite à Lyon.", "J'ai déménagé à Rennes."),
    ("fr", "L'utilisateur habite à Lyon.", "J'habite à Nantes."),
    ("fr", "Ma mère habite à Lyon.", "Ma mère habite à Nantes."),
    ("fr", "Ma sœur Inès habite à Lyon.", "Ma sœur Inès habite à Nantes."),
    ("fr", "Ma sœur habite à Lyon.", "Ma sœur a déménagé à Nantes."),
    ("fr", "Je bosse chez Dassault.", "Je travaille maintenant chez Airbus."),
    ("fr", "Je suis infirmière.", "Je suis devenue sage-femme."),
    ("fr", "J'ai 34 ans.", "J'ai fêté mes 35 ans samedi."),
    ("fr", "J'ai 34 ans.", "Non, j'ai 33 ans en fait."),
    ("fr", "Mon budget pour le vélo est de 700 €.", "Mon budget vélo, c'est 900 €."),
    ("fr", "Mon loyer est de 700 €.", "Le loyer passe à 730 €."),
    ("fr", "Mon rdv dentiste c'est jeudi 14h.", "Mon rdv dentiste est décalé à lundi."),
    ("fr", "Je suis végétarienne.", "Je suis devenue végane."),
    ("fr", "Mon copain s'appelle Karim.", "Mon copain s'appelle Paul."),
    ("en", "I live in Leeds.", "We moved to Bristol."),
    ("en", "My sister lives in Leeds.", "My sister has moved to York."),
    ("en", "I work at Tesco.", "I got a job at Aldi."),
    ("en", "I'm a nurse.", "I became a midwife."),
    ("en", "I'm 34.", "I just turned 35."),
    ("en", "My budget for the bike is $700.", "My bike budget is $900."),
    ("en", "I'm single.", "I'm engaged."),
    ("en", "I have two kids.", "I have three kids."),
    ("en", "My driving test is June 12.", "My driving test was moved to June 19."),
    ("en", "My birthday is March 12.", "Sorry, my birthday is March 13."),
]  # fmt: skip

#: Both sentences stand; the last word says whether the person is offered the choice.
STANDING = [
    ("fr", "J'habite à Lyon.", "J'habite à Lyon 7e.", False),
    ("fr", "J'habite à Lyon.", "J'habite près de Lyon.", False),
    ("fr", "J'habite à Lyon.", "J'habite près de Nantes.", True),
    ("fr", "J'habite à Lyon.", "Ma sœur habite à Nantes.", False),
    ("fr", "J'habite à Lyon.", "Je déménage à Nantes en juin.", False),
    ("fr", "J'habite à Lyon.", "J'habitais à Nantes.", True),
    ("fr", "J'habite à Lyon.", "Je vis en France.", False),
    ("fr", "Ma sœur habite à Lyon.", "Ma sœur habite à Nantes.", True),
    ("fr", "Ma sœur Inès habite à Lyon.", "Ma sœur habite à Nantes.", True),
    ("fr", "Ma sœur Inès habite à Lyon.", "Ma sœur Zoé habite à Nantes.", False),
    ("fr", "Ma grande sœur habite à Lyon.", "Ma petite sœur habite à Nantes.", False),
    ("fr", "Je suis boulanger.", "Je suis boulanger chez Paul.", False),
    ("fr", "Je suis infirmière.", "Je suis infirmier.", False),
    ("fr", "Je suis infirmière.", "Je suis serveuse le soir.", True),
    ("fr", "Je bosse dans une boulangerie.", "Je bosse chez Paul.", True),
    ("fr", "Mon budget est de 700 €.", "Mon budget, c'est 700 euros.", False),
    ("fr", "Mon budget vélo est de 700 €.", "Mon budget vacances est de 900 €.", False),
    ("fr", "Mon budget vélo est de 700 €.", "Mon budget est de 900 €.", True),
    ("fr", "J'ai un budget de 700 € pour le vélo.", "J'ai un budget de 300 € pour le canapé.", False),
    ("en", "I have a budget of $700 for the bike.", "I have a budget of $300 for a sofa.", False),
    ("fr", "Mon rdv dentiste c'est jeudi 14h.", "Mon rdv dentiste c'est jeudi.", False),
    ("fr", "Mon rdv dentiste c'est jeudi.", "J'ai rendez-vous chez le dentiste lundi.", True),
    ("fr", "Mon rdv dentiste c'est jeudi.", "Mon rdv coiffeur c'est lundi.", False),
    ("fr", "Mon fils a 4 ans.", "Mon fils a 9 ans.", True),
    ("fr", "J'ai un chat.", "J'ai un chien.", False),
    ("fr", "Je parle espagnol.", "Je parle italien.", False),
    ("fr", "Je m'appelle Aurélie.", "Je m'appelle Zoé.", True),
    ("fr", "Je gagne 2000 € par mois.", "Je gagne 24000 € par an.", True),
    ("fr", "Mon rdv dentiste c'est le 12 mai.", "Mon rdv dentiste c'est mardi.", True),
    ("en", "I live in the UK.", "I live in England.", False),
    ("en", "I'm 34.", "I'm 19.", True),
    ("en", "I work at Tesco.", "I also work at Aldi.", True),
    ("en", "I work at Tesco.", "I used to work at Aldi.", True),
    ("en", "I'm a nurse.", "I'm a night nurse.", False),
    ("en", "I'm allergic to nuts.", "I'm allergic to milk.", False),
    ("en", "My cat Biscuit is 7.", "My cat Felix is 8.", False),
    ("en", "I live in Nantes.", "I live in Mantes.", False),
]  # fmt: skip


def _read(code: str, *texts: str) -> list[tuple[Attribute, ...]]:
    return [read_attributes(text, language(code)) for text in texts]


@pytest.mark.parametrize(("code", "old", "new"), REPLACING)
def test_a_new_value_of_the_same_thing_replaces(code: str, old: str, new: str) -> None:
    """Two values of one thing, one after the other, are an update."""
    before, after = _read(code, old, new)
    assert any(replaces(a, b) for a in after for b in before)
    assert not any(rivals(a, b) for a in after for b in before if replaces(a, b))


@pytest.mark.parametrize(("code", "old", "new", "choice"), STANDING)
def test_what_may_be_another_thing_stands_beside(
    code: str, old: str, new: str, choice: bool
) -> None:
    """A wrong replacement hides a true fact; a choice costs a glance."""
    before, after = _read(code, old, new)
    assert before and after
    assert not any(replaces(a, b) for a in after for b in before)
    assert any(rivals(a, b) for a in after for b in before) == choice


def test_an_end_closes_the_value_it_names_or_the_only_one() -> None:
    """ "I quit" ends whatever job was told of; "I left Aldi" does not end another."""
    (job,), (quit_,), (left,), (other,) = _read(
        "en", "I work at Tesco.", "I quit my job.", "I don't work at Tesco anymore.",
        "I no longer work at Aldi.",
    )  # fmt: skip
    assert closes(quit_, job) and closes(left, job)
    assert not closes(other, job) and not replaces(left, job)


_ATTRIBUTES = st.builds(
    Attribute,
    entity=st.sampled_from(["person", "person/sister", "person/sister:ines"]),
    attribute=st.sampled_from(["city", "age", "job", "appointment", "budget", "pet", "employer"]),
    value=st.sampled_from(["", "Lyon", "34", "jeudi 14h", "7 mois"]) | st.text(max_size=12),
    single=st.booleans(),
    state=st.sampled_from(["now", "ended", "past", "upcoming"]),
    corrects=st.booleans(),
    subject=st.sampled_from(["", "velo"]),
)


@given(_ATTRIBUTES, _ATTRIBUTES)
def test_one_pair_is_told_one_way(new: Attribute, old: Attribute) -> None:
    """A replacement is no rivalry and no end; nothing replaces itself; the same thing is so both ways."""
    assert not (replaces(new, old) and (rivals(new, old) or closes(new, old)))
    assert not replaces(new, new) and not rivals(new, new)
    assert same_attribute(new, old) == same_attribute(old, new)
