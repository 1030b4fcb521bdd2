"""The index says memories as the person would: it must know what they are called."""

from __future__ import annotations

from souvenance.domain import DEFAULT_SPACE, Person, PersonId
from souvenance.lang import language
from souvenance.naming import called


def person(name: str | None, *aliases: str) -> Person:
    return Person(DEFAULT_SPACE, PersonId("p"), name, aliases)


def test_given_names_come_before_what_memories_say() -> None:
    """A friend who is spoken of all the time is not the person."""
    assert called(person("Ottoline", "Otty"), language("en"), "Noor").names == (
        "Ottoline",
        "Otty",
        "the user",
    )


def test_a_nameless_person_is_the_one_most_memories_are_about() -> None:
    """Or nobody, when no name stands out."""
    assert called(None, language("en"), "Noor").names == ("Noor", "the user")
    assert called(person(" "), language("fr")).names == ("l'utilisateur",)
