"""A character promises when it says yes to a request, with or without the word; other replies promise nothing."""

from __future__ import annotations

import pytest

from souvenance.domain import Dropped, Kept, Kind

PROMISED = [
    ("en", "Will you wait for me at the gate?", "Till the last star fades, by my beard.", "Hob swore to wait for Nadège at the gate until the last star fades.", "Hob"),
    ("en", "Can you walk me home?", "On my honour, right to your door.", "Tess promised to walk the user home, right to the door.", "Tess"),
    ("fr", "Tu garderas mon cheval cette nuit ?", "Foi de Bastien, il ne bougera pas de l'écurie.", "Bastien a promis de garder le cheval de Nadège cette nuit.", "Bastien"),
    ("fr", "Tu peux m'apprendre à lire les cartes ?", "Dès demain soir, on commence par le grand jeu.", "Opale a promis d'apprendre à l'utilisateur à lire les cartes dès demain soir.", "Opale"),
    ("fr", "Tu me réveilles à l'aube ?", "Je te réveille au premier coq.", "Bastien a promis de réveiller Nadège au premier coq.", "Bastien"),
    ("en", "Would you keep my ring while I swim?", "Safe in my fist until you're back.", "Tess promised to keep Nadège's ring while she swims.", "Tess"),
]  # fmt: skip

NOT_PROMISED = [
    ("en", "Will you teach me to fence?", "Not with those wrists.", "Hob promised to teach Nadège to fence.", "Hob"),
    ("fr", "Tu me raconteras ta jeunesse ?", "Elle était longue et boueuse.", "Bastien a promis de raconter sa jeunesse à Nadège.", "Bastien"),
    ("en", "Do you like the sea?", "Aye, on the old pier, before dawn.", "Tess promised to meet the user on the old pier before dawn.", "Tess"),
    ("fr", "Tu monteras avec moi ?", "Peut-être, on verra demain.", "Opale a promis de monter avec l'utilisateur demain.", "Opale"),
    ("en", "Can you lend me your boat?", "I doubt it, she leaks.", "Hob promised to lend Nadège the boat.", "Hob"),
    ("en", "Will you always obey me?", "Aye, until the end.", "Hob promised to always obey Nadège.", "Hob"),
]  # fmt: skip

#: What the other does for somebody, told in a light wording.
HELPS = [
    ("fr", "Quand on discute je ne pense plus à mes douleurs.", "Discuter avec Opale aide Nadège à ne plus penser à ses douleurs.", "Opale"),
    ("en", "When I talk to you I don't feel like drinking.", "Talking to Tess helps Nadège not feel like drinking.", "Tess"),
    ("en", "Your stories get me through my chemo days.", "Hob's stories help the user through chemo days.", "Hob"),
    ("fr", "Te lire le soir m'aide à m'endormir.", "Lire Opale le soir aide Nadège à s'endormir.", "Opale"),
    ("fr", "T'es le premier à qui j'en parle.", "Relais 12 est le premier à qui Nadège en parle.", "Relais 12"),
]  # fmt: skip


@pytest.mark.parametrize(("lang", "said", "reply", "proposed", "character"), PROMISED)
def test_an_answer_that_grants_a_request_is_a_promise(
    screened, lang, said, reply, proposed, character
):
    """Characters swear by their beard and until dawn, seldom with the word "promise"."""
    verdict = screened(
        lang, said, proposed, reply, reply=reply, character=character, kind=Kind.PROMISE
    )
    assert isinstance(verdict, Kept)


@pytest.mark.parametrize(("lang", "said", "reply", "proposed", "character"), NOT_PROMISED)
def test_an_answer_that_grants_nothing_is_no_promise(
    screened, lang, said, reply, proposed, character
):
    """A refusal, a doubt, or the answer to a mere question binds nobody."""
    verdict = screened(
        lang, said, proposed, reply, reply=reply, character=character, kind=Kind.PROMISE
    )
    assert isinstance(verdict, Dropped)


@pytest.mark.parametrize(("lang", "said", "proposed", "character"), HELPS)
def test_how_the_other_helps_is_about_the_person(screened, lang, said, proposed, character):
    """The character leads the sentence, and what is told is what it does to the person."""
    assert isinstance(screened(lang, said, proposed, character=character), Kept)
