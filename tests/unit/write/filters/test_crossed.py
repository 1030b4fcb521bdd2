"""A candidate in another language than the words it rests on is checked by what both languages share."""

from __future__ import annotations

import pytest

from souvenance.domain import Dropped, Kept, Kind

WRONG = [
    ("fr", "I never visit my cousin in Cork.", "Nadège rend visite à sa cousine à Cork.", "polarity"),
    ("fr", "I have two goats.", "Nadège a trois chèvres.", "support"),
    ("fr", "I sing on Mondays.", "Nadège chante le mardi.", "support"),
    ("fr", "I sing in a choir in Cork.", "Nadège chante dans une chorale à Galway.", "support"),
    ("fr", "I might move to Cork.", "Nadège déménage à Cork.", "hesitation"),
    ("en", "Je n'aime pas la neige.", "Nadège likes the snow.", "polarity"),
    ("en", "Je crois que je suis enceinte.", "Nadège is pregnant.", "hesitation"),
    ("en", "Est-ce que tu as des frères ?", "Corbin has brothers.", "about_user"),
]  # fmt: skip

RIGHT = [
    ("fr", "I don't drink coffee.", "Nadège ne boit pas de café."),
    ("fr", "I have two goats and I sing on Mondays.", "Nadège a 2 chèvres et chante le lundi."),
    ("fr", "I can't stand French opera.", "Nadège déteste l'opéra français."),
    ("en", "Ma sœur Lise se marie le 14 juin à Londres.", "Nadège's sister Lise is getting married in London on 14 June."),
    ("en", "Je crois que je suis enceinte.", "Nadège thinks that she is pregnant."),
    ("en", "J'ai jamais eu le permis, je prends le bus.", "Nadège never had a licence and takes the bus."),
]  # fmt: skip


@pytest.mark.parametrize(("lang", "said", "proposed", "filter_"), WRONG)
def test_what_two_languages_share_gives_a_wrong_translation_away(
    screened, lang, said, proposed, filter_
):
    """A model may answer in the character's language; names, figures and denials carry over."""
    verdict = screened(lang, said, proposed)
    assert isinstance(verdict, Dropped)
    assert verdict.filter == filter_


@pytest.mark.parametrize(("lang", "said", "proposed"), RIGHT)
def test_a_faithful_translation_is_kept(screened, lang, said, proposed):
    """No word of it was said as such, and all of it was."""
    verdict = screened(lang, said, proposed)
    assert isinstance(verdict, Kept), verdict


def test_the_characters_words_support_no_fact_in_any_language(screened):
    """Translating it does not make it the person's."""
    verdict = screened(
        "en",
        "Tu viens d'où ?",
        "Nadège lives in Brest.",
        "Tu vis à Brest, je crois.",
        reply="Tu vis à Brest, je crois.",
    )
    assert isinstance(verdict, Dropped)


def test_the_characters_promise_may_be_told_in_the_other_language(screened):
    """The promise binds it all the same."""
    reply = "I will wait by the well, I promise."
    verdict = screened(
        "fr", "Will you wait?", "Corbin a promis d'attendre Nadège près du puits.", reply,
        reply=reply, kind=Kind.PROMISE,
    )  # fmt: skip
    assert isinstance(verdict, Kept), verdict
