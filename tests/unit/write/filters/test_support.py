"""A memory rests on words that the person typed, and adds none that matter."""

from __future__ import annotations

import pytest

from souvenance.domain import Dropped, Kept, Kind

MADE_UP = [
    ("fr", "Je vais au marché.", "Nadège va au marché le samedi.", None),
    ("fr", "Je vais au marché.", "Nadège va au marché avec sa mère.", None),
    ("fr", "Il fait un temps de chien.", "Nadège a deux chats.", "mes deux chats"),
    ("fr", "Je file, mon bus arrive.", "Nadège est conductrice de tramway.", None),
    ("fr", "J'ai mal dormi.", "Nadège souffre d'insomnie chronique depuis son divorce.", None),
    ("fr", "J'ai 2 sœurs.", "Nadège a 3 sœurs.", None),
    ("fr", "Ma sœur vit à Brest.", "La sœur de Nadège, Clotilde, vit à Brest.", None),
    ("en", "What a long day.", "Nadège is a surgeon.", None),
    ("en", "I bought a tent.", "Nadège bought a tent for 90 euros.", None),
    ("en", "I have a brother.", "Nadège has two brothers.", None),
    ("en", "My brother moved.", "Nadège's brother moved to Glasgow.", None),
    ("en", "Nice boots!", "Nadège collects antique clocks.", "antique clocks"),
]

SUPPORTED = [
    ("fr", "J'habite au 14 rue des Lilas à Nîmes.", "Nadège habite 14 rue des Lilas, à Nîmes.", None),
    ("fr", "J'ai deux sœurs.", "Nadège a 2 sœurs.", None),
    ("fr", "Mon chien s'appelle Pixel, il a 4 ans.", "Le chien de Nadège s'appelle Pixel.", "Mon chien s'appelle Pixel"),
    ("en", "I run a bakery with my twin.", "Nadège runs a bakery with her twin.", None),
    ("en", "I moved here … in 2019", "Nadège moved here in 2019.", None),
    ("en", "I KEEP BEES!!", "Nadège keeps bees.", "i keep bees"),
]  # fmt: skip


@pytest.mark.parametrize(("lang", "said", "proposed", "quote"), MADE_UP)
def test_what_was_never_said_is_dropped(screened, lang, said, proposed, quote):
    """A model fills silences with plausible lives."""
    verdict = screened(lang, said, proposed, quote)
    assert isinstance(verdict, Dropped)
    assert verdict.filter == "support"


@pytest.mark.parametrize(("lang", "said", "proposed", "quote"), SUPPORTED)
def test_what_was_said_is_kept_in_other_words(screened, lang, said, proposed, quote):
    """Case, punctuation, digits for words and the frame of a memory are no inventions."""
    verdict = screened(lang, said, proposed, quote)
    assert isinstance(verdict, Kept), verdict


def test_the_characters_words_support_nothing_about_the_person(screened):
    """Otherwise the character would teach itself what it made up."""
    reply = "You must be a gifted pianist."
    verdict = screened(
        "en", "I sat at the piano.", "Nadège is a gifted pianist.", reply, reply=reply
    )
    assert isinstance(verdict, Dropped)


@pytest.mark.parametrize(
    ("lang", "said", "reply", "proposed"),
    [
        ("fr", "Tu me garderas une place au feu ?", "Je te la garde, parole de Corbin.", "Corbin a promis de garder une place au feu à Nadège."),
        ("en", "Will you teach me the song?", "I promise to teach you the song at dawn.", "Corbin promised to teach Nadège the song at dawn."),
    ],
)  # fmt: skip
def test_the_characters_own_promise_rests_on_its_own_words(screened, lang, said, reply, proposed):
    """A promise binds the one who made it; the person will ask for it."""
    verdict = screened(lang, said, proposed, reply, reply=reply, kind=Kind.PROMISE)
    assert isinstance(verdict, Kept), verdict
    assert verdict.candidate.spoken_by == "character"


def test_a_bystanders_promise_in_the_story_is_not_the_characters(screened):
    """The miller's oath is scenery."""
    reply = "“I'll pay you back, Corbin!” shouts the miller."
    verdict = screened(
        "en", "I watch them argue.", "The miller promised to pay Corbin back.", reply,
        reply=reply, kind=Kind.PROMISE,
    )  # fmt: skip
    assert isinstance(verdict, Dropped)
