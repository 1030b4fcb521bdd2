"""A candidate tells no more than was said: no thing never named, no other act, no addition."""

from __future__ import annotations

import pytest

from souvenance.domain import Dropped, Kept

MADE_UP = [
    ("en", "We got a new armchair.", "Nadège got a new leather armchair."),
    ("fr", "J'ai invité mes cousins.", "Nadège a insulté ses cousins."),
    ("fr", "Je prends le bateau demain.", "Nadège a peur du bateau."),
    ("fr", "Je promène mon furet.", "Nadège a perdu son furet."),
    ("fr", "J'ai acheté une barque.", "Nadège a vendu une barque."),
    ("fr", "J'ai écrit à mon parrain.", "Nadège a appelé son parrain."),
    ("fr", "J'ai dormi chez mon oncle samedi.", "Nadège vit chez son oncle."),
    ("fr", "J'écoute beaucoup de tango.", "Nadège joue beaucoup de tango."),
    ("fr", "Ma fille passe un concours en mai.", "La fille de Nadège passe en mai un concours d'infirmière."),
    ("fr", "Mon oncle est mort lundi.", "L'oncle de Nadège est mort lundi d'une leucémie."),
    ("fr", "Je me suis cassé le poignet.", "Nadège s'est cassé le poignet en tombant de l'échelle."),
    ("fr", "Je prends des cours de piano.", "Nadège prend des cours de violon."),
    ("en", "I bought a canoe.", "Nadège rents a canoe."),
    ("en", "I wrote to my uncle.", "Nadège called her uncle."),
    ("en", "My niece broke her wrist.", "Nadège's niece broke her wrist falling off a ladder."),
    ("en", "I start a new job on Monday.", "Nadège starts a new job as a nurse on Monday."),
    ("en", "I go to work by bike.", "Nadège goes to work by car."),
    ("en", "My neighbour lent me his saw.", "Nadège's neighbour stole her saw."),
]  # fmt: skip

SAID = [
    ("fr", "Mon amie part à Oslo en août, ça me fout le cafard.", "L'amie de Nadège part à Oslo en août, ce qui l'attriste."),
    ("en", "We're saving for a boat, hopefully by 2031.", "Nadège is saving for a boat and hopes to buy by 2031."),
    ("fr", "Mon âne a dix-sept ans.", "L'âne de Nadège a 17 ans."),
    ("en", "I grew up in Wales.", "Nadège had a Welsh childhood."),
    ("en", "I have no siblings.", "Nadège is an only child without siblings."),
    ("fr", "Je suis kiné à Redon.", "Nadège travaille comme kinésithérapeute à Redon."),
    ("fr", "J'ai pas mal bourlingué, neuf pays en tout.", "Nadège a visité neuf pays."),
    ("fr", "Je dors avec des boules Quies.", "Nadège dort avec des bouchons d'oreilles."),
    ("fr", "Mon mec est marin.", "Le compagnon de Nadège est marin."),
    ("fr", "Mamie m'a élevée.", "Nadège a été élevée par sa grand-mère."),
    ("fr", "Je ne te trahirai pas, tu as ma parole.", "Nadège a donné sa parole de ne pas trahir Corbin."),
    ("fr", "Nous avons perdu le bébé en mars.", "Nadège et son compagnon ont perdu un bébé en mars."),
    ("en", "We lost the baby in March.", "Nadège and her partner lost a baby in March."),
    ("en", "I drive a lorry.", "Nadège is a lorry driver."),
    ("en", "I turned the offer down.", "Nadège refused the offer."),
    ("en", "My labrador eats my socks.", "Nadège's dog eats her socks."),
    ("en", "I bake bread for a living.", "Nadège is a baker."),
]  # fmt: skip


@pytest.mark.parametrize(("lang", "said", "proposed"), MADE_UP)
def test_a_detail_that_was_never_said_is_dropped(screened, lang, said, proposed):
    """A wrong verb on the right object, or one plausible word more, is still an invention."""
    verdict = screened(lang, said, proposed)
    assert isinstance(verdict, Dropped)
    assert verdict.filter == "support"


@pytest.mark.parametrize(("lang", "said", "proposed"), SAID)
def test_another_wording_of_what_was_said_is_no_detail(screened, lang, said, proposed):
    """Short forms, kinds of a thing and free wording say the same."""
    verdict = screened(lang, said, proposed)
    assert isinstance(verdict, Kept), verdict
