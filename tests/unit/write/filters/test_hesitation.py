"""What somebody was not sure of does not become a certainty."""

from __future__ import annotations

import pytest

from souvenance.domain import Dropped, Kept, Kind

LOST = [
    ("fr", "Mon neveu a l'air amoureux.", "Le neveu de Nadège est amoureux."),
    ("en", "My tenant seems to be moving out.", "Nadège's tenant is moving out."),
    ("fr", "Je pencherais pour une école d'art.", "Nadège va dans une école d'art."),
    ("en", "I could see myself moving to Wales.", "Nadège is moving to Wales."),
    ("fr", "Avec un peu de chance je serai à Oslo en juin.", "Nadège sera à Oslo en juin."),
    ("fr", "Logiquement je commence en mars.", "Nadège commence en mars."),
    ("en", "With any luck I'll be in Turin by June.", "Nadège will be in Turin by June."),
    ("en", "If they take my file, I start in Turin in May.", "Nadège starts in Turin in May."),
    ("en", "I'm in two minds about selling the barn.", "Nadège is selling the barn."),
    ("fr", "Si tout va bien je déménage à Nantes en juin.", "Nadège déménage à Nantes en juin."),
    ("fr", "À mon avis mon frère va divorcer.", "Le frère de Nadège va divorcer."),
    ("fr", "On songe à se marier.", "Nadège se marie."),
    ("en", "If I get the grant, I'm moving to Lisbon.", "Nadège is moving to Lisbon."),
    ("en", "Rumour has it my office is closing.", "Nadège's office is closing."),
    ("en", "From what I gather my boss is leaving.", "Nadège's boss is leaving."),
    (
        "fr",
        "Je pense que mon train part à huit heures, à vérifier.",
        "Le train de Nadège part à huit heures.",
    ),
    ("fr", "Il se pourrait que je change de métier.", "Nadège change de métier."),
    ("fr", "J'hésite à prendre un chien.", "Nadège prend un chien."),
    ("fr", "Je vais probablement louer un studio à Lille.", "Nadège loue un studio à Lille."),
    ("fr", "Ma tante serait malade, apparemment.", "La tante de Nadège est malade."),
    ("fr", "Je passerai samedi. Enfin, pas sûr.", "Nadège passera samedi."),
    ("fr", "J'envisage de vendre ma moto.", "Nadège vend sa moto."),
    ("en", "I'm thinking about adopting a greyhound.", "Nadège is adopting a greyhound."),
    ("en", "My landlord probably sold the building.", "Nadège's landlord sold the building."),
    ("en", "I suppose my cousin still lives in Leeds.", "Nadège's cousin lives in Leeds."),
    ("en", "I'll come on Friday. Or not.", "Nadège will come on Friday."),
    ("en", "It could be that I have anaemia, unclear for now.", "Nadège has anaemia."),
    ("en", "I wonder if I'm colour-blind.", "Nadège is colour-blind."),
]

KEPT = [
    ("fr", "Je sais plus si je t'ai dit : je chante à l'opéra !", "Nadège chante à l'opéra."),
    (
        "fr",
        "Je me demande si je ne vais pas reprendre le chant.",
        "Nadège se demande si elle va reprendre le chant.",
    ),
    ("fr", "Ma cousine m'adore, c'est rare paraît-il.", "La cousine de Nadège l'adore."),
    (
        "fr",
        "Il paraît que je parle en dormant, d'après ma sœur.",
        "D'après sa sœur, Nadège parle en dormant.",
    ),
    (
        "fr",
        "Si je reviens entier, je te rendrai ta boussole.",
        "Nadège rendra sa boussole à Corbin s'il revient entier.",
    ),
    (
        "fr",
        "J'ai des disques, une centaine je dirais.",
        "Nadège a à peu près une centaine de disques.",
    ),
    (
        "fr",
        "Il n'y a que ma tante qui sait traire chez nous.",
        "Seule la tante de Nadège sait traire dans sa famille.",
    ),
    (
        "fr",
        "Mon psy pense que je devrais écrire.",
        "Le psy de Nadège pense qu'elle devrait écrire.",
    ),
    ("fr", "Mon psy pense que je dors trop.", "Le psy de Nadège trouve qu'elle dort trop."),
    ("fr", "Si je pleure, raconte-moi une blague.", "Nadège veut une blague quand elle pleure."),
    (
        "fr",
        "Je vais peut-être louer un studio à Lille.",
        "Nadège louera peut-être un studio à Lille.",
    ),
    ("fr", "J'hésite à prendre un chien.", "Nadège hésite à prendre un chien."),
    ("fr", "Je ne sais pas nager.", "Nadège ne sait pas nager."),
    ("fr", "Je crois en Dieu.", "Nadège croit en Dieu."),
    ("en", "I may adopt a greyhound.", "Nadège is considering adopting a greyhound."),
    ("en", "My birthday is in May.", "Nadège's birthday is in May."),
    ("en", "I believe in ghosts.", "Nadège believes in ghosts."),
    ("en", "My son depends on me.", "Nadège's son depends on her."),
    ("en", "Maybe it rained, anyway: my roof collapsed.", "Nadège's roof collapsed."),
]


@pytest.mark.parametrize(("lang", "said", "proposed"), LOST)
def test_a_lost_reserve_is_dropped(screened, lang, said, proposed):
    """The reserve lives in the words; a confidence figure does not carry it."""
    verdict = screened(lang, said, proposed)
    assert isinstance(verdict, Dropped)
    assert verdict.filter == "hesitation"


@pytest.mark.parametrize(("lang", "said", "proposed"), KEPT)
def test_a_kept_reserve_or_none_is_kept(screened, lang, said, proposed):
    """A hesitation is worth remembering as one, and words that only look like reserve are none."""
    verdict = screened(lang, said, proposed)
    assert isinstance(verdict, Kept), verdict


def test_trying_is_not_promising(screened):
    """ "I'll try" commits to nothing; a promise made of it would be held against the person."""
    verdict = screened(
        "en", "I'll try to call my aunt tonight.", "Nadège promised to call her aunt tonight.",
        kind=Kind.PROMISE,
    )  # fmt: skip
    assert isinstance(verdict, Dropped)


def test_the_persons_own_hesitant_sentence_is_kept_as_it_is(screened):
    """Quoted word for word, the reserve is still there."""
    said = "Je vais peut-être reprendre le violon."
    assert isinstance(screened("fr", said, said), Kept)
