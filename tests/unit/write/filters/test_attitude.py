"""What the character feels towards the person is no fact about the person."""

from __future__ import annotations

import pytest

from souvenance.domain import Dropped, Kept

FELT = [
    ("fr", "Tu m'aimes bien, toi ?", "Nadège est appréciée de Corbin."),
    ("fr", "Tu me fais confiance ?", "Corbin fait confiance à Nadège."),
    ("en", "Do you trust me?", "Nadège is trusted by Corbin."),
    ("en", "You miss me, admit it.", "Nadège is missed by Corbin."),
]

OWN = [
    (
        "fr",
        "Je te fais confiance, plus qu'à mes amis.",
        "Nadège fait plus confiance à Corbin qu'à ses amis.",
    ),
    ("fr", "Mon mari m'aime encore.", "Le mari de Nadège l'aime encore."),
    ("en", "I feel close to you.", "Nadège feels close to Corbin."),
    ("en", "My aunt adores me.", "Nadège's aunt adores her."),
]


@pytest.mark.parametrize(("lang", "said", "proposed"), FELT)
def test_the_characters_feeling_is_dropped(screened, lang, said, proposed):
    """It was the character's to feel; stored, it would come back as the person's own word."""
    assert isinstance(screened(lang, said, proposed), Dropped)


@pytest.mark.parametrize(("lang", "said", "proposed"), OWN)
def test_the_persons_feelings_and_their_peoples_are_kept(screened, lang, said, proposed):
    """What somebody feels for the character, and who loves them, is theirs."""
    verdict = screened(lang, said, proposed)
    assert isinstance(verdict, Kept), verdict
