"""What the character feels towards the person is no fact about the person."""

from __future__ import annotations

import pytest

from souvenance.domain import Dropped, Kept, Kind

FELT = [
    ("fr", "Tu m'aimes bien, toi ?", "Nadège est appréciée de Corbin."),
    ("fr", "Tu me fais confiance ?", "Corbin fait confiance à Nadège."),
    ("en", "Do you trust me?", "Nadège is trusted by Corbin."),
    ("en", "You miss me, admit it.", "Nadège is missed by Corbin."),
]

OWN = [
    ("en", "Honestly you're my favourite listener.", "Corbin is Nadège's favourite listener."),
    ("fr", "Tu es mon seul confident.", "Corbin est le seul confident de Nadège."),
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


BARE = [
    ("fr", "Tu comptes pour moi.", "Corbin promet que Nadège compte pour lui."),
    ("fr", "Je t'aimerai toujours, je te le jure.", "Corbin a juré d'aimer toujours Nadège."),
    ("en", "I'll miss you until then.", "Corbin will miss Nadège."),
    ("en", "I've grown attached to you.", "Corbin promised that he has grown attached to Nadège."),
]

BINDING = [
    ("fr", "Je t'attendrai sous le porche.", "Corbin a promis d'attendre Nadège sous le porche."),
    ("fr", "Pas un mot, c'est juré.", "Corbin a juré de ne pas dire un mot."),
    ("en", "On my honour, no one shall touch it.", "Corbin promised that no one will touch it."),
    ("en", "I'll teach you every verse.", "Corbin promised to teach Nadège every verse."),
]


@pytest.mark.parametrize(("lang", "reply", "proposed"), BARE)
def test_a_feeling_worded_as_a_promise_is_dropped(screened, lang, reply, proposed):
    """ "I'll miss you" binds the character to nothing that the person could ask for."""
    verdict = screened(lang, "…", proposed, reply, reply=reply, kind=Kind.PROMISE)
    assert isinstance(verdict, Dropped)


@pytest.mark.parametrize(("lang", "reply", "proposed"), BINDING)
def test_what_the_character_binds_itself_to_is_kept(screened, lang, reply, proposed):
    """The person will come back and ask for it."""
    verdict = screened(lang, "…", proposed, reply, reply=reply, kind=Kind.PROMISE)
    assert isinstance(verdict, Kept), verdict
