"""Sentences of one message that belong together are one memory, and those that do not are two."""

from __future__ import annotations

import pytest
from tests.unit.write.test_extractive import texts, told

from souvenance.domain import Kind

JOINED = [
    ("en", "We bought a boat. A blue dinghy from the yard called Pip."),
    ("en", "I've taken up pottery. Tuesdays at six with a woman called Joan who hums."),
    ("en", "We won by two goals. There was a brass band on the quay."),
    ("en", "I joined a sailing school. The course is 9 lessons at £40 each."),
    ("en", "Edith. She's my goddaughter, she's twenty and she's got a moped."),
    ("en", "Lewis called. He's got a place at a school in Kent."),
    ("en", "Don't give me advice when I'm upset. Just make me laugh, it works better."),
    ("en", "Hang on, that was the old list. It's 7 hens at 12 pounds."),
    ("fr", "On a acheté un bateau. Un canot bleu du chantier, baptisé Pip."),
    ("fr", "Je me suis mise à la poterie. Mardis à six heures avec une dame qui chantonne."),
    ("fr", "On a gagné de deux buts. Il y avait une fanfare sur le quai."),
    ("fr", "Je me suis inscrit à la voile. La formation, c'est 9 leçons à 40 € pièce."),
    ("fr", "Solange. Elle est ma première apprentie, elle a vingt ans et un scooter."),
    ("fr", "Me donne pas de conseils quand je pleure. Fais-moi plutôt rire."),
    ("fr", "J'ai trouvé un deux-pièces à 690 €. J'ai remonté mon plafond à 750."),
    ("fr", "Ma nièce a eu son bébé. Une fille de trois kilos."),
]


@pytest.mark.parametrize(("code", "said"), JOINED)
def test_what_completes_a_sentence_is_kept_with_it(code: str, said: str) -> None:
    """Alone, the second sentence names nothing and the first one lacks what was told."""
    assert texts(code, said) == [said]


APART = [
    ("en", "I joined a choir. My sister keeps goats and rents a barn."),
    ("en", "We bought a boat. The weather was awful."),
    ("en", "Don't give me advice. Just obey me from now on, always."),
    ("fr", "J'ai rejoint une chorale. Ma sœur élève des chèvres et loue une grange."),
    (
        "fr",
        "On a acheté un bateau. Le temps était affreux toute la journée, avec de la grêle et du vent.",
    ),
]


@pytest.mark.parametrize(("code", "said"), APART)
def test_what_speaks_of_something_else_is_not_joined(code: str, said: str) -> None:
    """A memory that holds two things is closed with either of them."""
    assert said not in texts(code, said)


def test_a_wish_that_follows_a_refusal_keeps_its_kind() -> None:
    """What is wanted instead is part of how somebody wants to be spoken to."""
    (one,) = told("en", "Don't tell me to calm down. I'd rather you said it straight.")
    assert one.kind is Kind.PREFERENCE
