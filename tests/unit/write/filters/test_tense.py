"""What the person told in a finished past is not told as if it still held."""

from __future__ import annotations

import pytest

from souvenance.domain import Dropped, Kept, Kind

OVER = [
    ("fr", "J'habitais à Colmar quand j'étais petite.", "Nadège habite à Colmar."),
    ("fr", "Avant je jouais du hautbois dans une fanfare.", "Nadège joue du hautbois."),
    ("fr", "Je travaillais de nuit au tri postal.", "Nadège travaille de nuit au tri postal."),
    ("fr", "J'étais couturière.", "Nadège est couturière."),
    ("fr", "J'avais un atelier au fond de la cour.", "Nadège a un atelier au fond de la cour."),
    ("fr", "J'ai vécu neuf ans à Nouméa.", "Nadège vit à Nouméa."),
    ("fr", "J'ai longtemps habité au-dessus d'un bar.", "Nadège habite au-dessus d'un bar."),
    ("fr", "Je buvais trop de limonade.", "Nadège boit trop de limonade."),
    ("en", "I lived in Bruges for six years.", "Nadège lives in Bruges."),
    ("en", "I worked at the shipyard before the strike.", "Nadège works at the shipyard."),
    ("en", "I was a welder.", "Nadège is a welder."),
    ("en", "I taught Latin at a convent.", "Nadège teaches Latin at a convent."),
    ("en", "I had a parrot as a child.", "Nadège has a parrot."),
]

STILL = [
    ("fr", "J'habitais à Colmar, maintenant j'habite à Dole.", "Nadège habite à Dole."),
    ("fr", "J'habitais à Colmar quand j'étais petite.", "Nadège habitait à Colmar, petite."),
    ("fr", "J'ai toujours habité ici, à Vire.", "Nadège habite à Vire."),
    ("fr", "Le médecin m'a dit que j'étais asthmatique.", "Nadège est asthmatique."),
    ("fr", "Je voulais savoir si tu peux me tutoyer.", "Nadège veut être tutoyée."),
    ("fr", "Je suis boulangère.", "Nadège est boulangère."),
    ("en", "I've lived in Bruges for six years.", "Nadège lives in Bruges."),
    ("en", "My doctor said I was anaemic.", "Nadège is anaemic."),
    ("en", "I was born deaf.", "Nadège is deaf from birth."),
    ("en", "I lived in Bruges for six years.", "Nadège lived in Bruges for six years."),
    ("en", "I moved to Ghent and I live by the canal.", "Nadège lives by the canal."),
    ("en", "I'm married to a diver.", "Nadège is married to a diver."),
]


@pytest.mark.parametrize(("lang", "said", "proposed"), OVER)
def test_a_finished_past_told_as_present_is_dropped(screened, lang, said, proposed):
    """An address of twenty years ago would be served as today's."""
    verdict = screened(lang, said, proposed)
    assert isinstance(verdict, Dropped)
    assert verdict.filter == "polarity"


@pytest.mark.parametrize(("lang", "said", "proposed"), STILL)
def test_what_still_holds_is_kept_whatever_the_tense(screened, lang, said, proposed):
    """A past after "he said that", or beside "always", reaches until now."""
    verdict = screened(lang, said, proposed)
    assert isinstance(verdict, Kept), verdict


def test_an_episode_may_be_told_in_the_present(screened):
    """What happened in the play is often told as a scene."""
    verdict = screened(
        "en", "I opened the crypt with the brass key.", "Nadège opens the crypt with the brass key.",
        kind=Kind.EPISODE,
    )  # fmt: skip
    assert isinstance(verdict, Kept), verdict
