"""A memory is about the person: not the character, the scene, or somebody the person spoke of."""

from __future__ import annotations

import pytest

from souvenance.domain import Dropped, Kept, Kind

ELSEWHERE = [
    ("fr", "Tu viens d'où, déjà ?", "Corbin vient d'un village de montagne.", "about_user"),
    ("fr", "Parle-moi de ton père.", "Le père de Corbin était forgeron.", "about_user"),
    (
        "fr",
        "Mon voisin collectionne les timbres.",
        "Nadège collectionne les timbres.",
        "about_user",
    ),
    ("fr", "*le dragon se pose sur le toit*", "Le dragon s'est posé sur le toit.", "about_user"),
    ("en", "Do you have any children?", "Corbin has children.", "about_user"),
    ("en", "My sister plays the cello.", "Nadège plays the cello.", "about_user"),
    ("en", "Tell me about your village.", "Nadège heard that Corbin's village burned.", None),
    ("en", "The bridge looks old.", "The bridge is old.", "about_user"),
]

ABOUT = [
    ("fr", "Mon voisin me prête sa remorque.", "Le voisin de Nadège lui prête sa remorque."),
    (
        "fr",
        "*je glisse la lettre sous la porte*",
        "Dans l'histoire, Nadège a glissé la lettre sous la porte.",
    ),
    ("fr", "Tu pourrais me vouvoyer ?", "Nadège préfère être vouvoyée."),
    ("fr", "Ma mère trouve que je parle trop.", "La mère de Nadège trouve qu'elle parle trop."),
    ("en", "I named my canoe Corbin!", "Nadège named her canoe Corbin."),
    (
        "en",
        "You're the first one I told about the audition.",
        "Nadège told Corbin first about the audition.",
    ),
    ("en", "Could you keep your answers short?", "Prefers short answers."),
    ("en", "My boss yelled at me.", "Nadège's boss yelled at her."),
]


@pytest.mark.parametrize(("lang", "said", "proposed", "filter_"), ELSEWHERE)
def test_what_is_about_somebody_else_is_dropped(screened, lang, said, proposed, filter_):
    """A memory of the person that tells the character's life crowds out the person's."""
    verdict = screened(lang, said, proposed)
    assert isinstance(verdict, Dropped)
    assert filter_ in (None, verdict.filter)


@pytest.mark.parametrize(("lang", "said", "proposed"), ABOUT)
def test_what_the_person_told_of_themself_is_kept(screened, lang, said, proposed):
    """People of one's life, one's deeds in a story and one's wishes are about oneself."""
    verdict = screened(lang, said, proposed)
    assert isinstance(verdict, Kept), verdict


def test_what_the_person_does_in_the_play_is_kept(screened):
    """The story remembers its player, not its scenery."""
    verdict = screened(
        "en", "I burn the map and keep the ring.", "In the story, the user burned the map.",
        kind=Kind.EPISODE,
    )  # fmt: skip
    assert isinstance(verdict, Kept), verdict


def test_what_the_person_said_of_themself_is_not_said_of_their_mother(screened):
    """Two clauses, two people: the quoted one decides whose fact it is."""
    said = "My mum eats everything, I'm the vegetarian."
    verdict = screened("en", said, "Nadège's mum is vegetarian.", "I'm the vegetarian")
    assert isinstance(verdict, Dropped)
