"""Free wordings of what was said, and familiar turns for those close to somebody, are kept."""

from __future__ import annotations

import pytest

from souvenance.domain import Dropped, Kept, Kind

CIRCLE = [
    ("fr", "keep", Kind.FACT, "Mon grand entre au collège.", "Le fils de Nadège entre au collège."),
    (
        "fr",
        "keep",
        Kind.FACT,
        "Ma grande passe son bac.",
        "La fille aînée de Nadège passe son bac.",
    ),
    (
        "fr",
        "keep",
        Kind.FACT,
        "Mon petit dernier fait ses dents.",
        "Le plus jeune enfant de Nadège fait ses dents.",
    ),
    (
        "fr",
        "keep",
        Kind.FACT,
        "Ma moitié travaille de nuit.",
        "Le conjoint de Nadège travaille de nuit.",
    ),
    ("fr", "keep", Kind.FACT, "Mon homme est pompier.", "Le mari de Nadège est pompier."),
    ("fr", "keep", Kind.FACT, "Ma puce a eu cinq ans hier.", "La fille de Nadège a eu cinq ans."),
    (
        "fr",
        "keep",
        Kind.FACT,
        "L'aînée vit à Lyon, la cadette à Nantes.",
        "La fille aînée de Nadège vit à Lyon.",
    ),
    (
        "fr",
        "keep",
        Kind.FACT,
        "Mes vieux vivent en Corse.",
        "Les parents de Nadège vivent en Corse.",
    ),
    (
        "fr",
        "keep",
        Kind.FACT,
        "Ma vieille est hospitalisée.",
        "La mère de Nadège est hospitalisée.",
    ),
    ("fr", "drop", Kind.FACT, "J'ai un grand frère à Lille.", "Le fils de Nadège est à Lille."),
    (
        "en",
        "keep",
        Kind.FACT,
        "My eldest starts college in the fall.",
        "Nadège's eldest child starts college in the fall.",
    ),
    ("en", "keep", Kind.FACT, "My little one is teething.", "Nadège's baby is teething."),
    ("en", "keep", Kind.FACT, "My youngest hates peas.", "Nadège's youngest child hates peas."),
    ("en", "keep", Kind.FACT, "My other half works nights.", "Nadège's partner works nights."),
    ("en", "keep", Kind.FACT, "My old man drives a tram.", "Nadège's father drives a tram."),
    ("en", "keep", Kind.FACT, "The missus is a nurse.", "Nadège's wife is a nurse."),
    ("en", "keep", Kind.FACT, "My little girl turns six.", "Nadège's daughter turns six."),
    ("en", "keep", Kind.FACT, "The better half snores.", "Nadège's partner snores."),
    ("en", "keep", Kind.FACT, "My folks live in Leeds.", "Nadège's parents live in Leeds."),
]

WORDINGS = [
    (
        "en",
        "keep",
        Kind.FACT,
        "My commute is a killer, two hours each way.",
        "Nadège has a two-hour commute each way.",
    ),
    ("en", "keep", Kind.FACT, "I can't do dairy.", "Nadège avoids dairy."),
    (
        "en",
        "keep",
        Kind.FACT,
        "No dairy for me, it wrecks my stomach.",
        "Nadège doesn't tolerate dairy.",
    ),
    (
        "en",
        "keep",
        Kind.FACT,
        "I teach the little ones at the primary down the road.",
        "Nadège is a primary school teacher.",
    ),
    (
        "en",
        "keep",
        Kind.FACT,
        "The bakery's mine, I opened it after the divorce.",
        "Nadège owns a bakery she opened after her divorce.",
    ),
    ("en", "keep", Kind.FACT, "I lost dad in March.", "Nadège's father died in March."),
    ("en", "keep", Kind.FACT, "I never learned to drive.", "Nadège can't drive."),
    (
        "en",
        "keep",
        Kind.FACT,
        "We're expecting, due in June!",
        "Nadège is pregnant and due in June.",
    ),
    (
        "en",
        "keep",
        Kind.FACT,
        "My knees are shot from years of tiling.",
        "Nadège has bad knees from years of tiling.",
    ),
    (
        "en",
        "keep",
        Kind.FACT,
        "I swapped the city for a village last spring.",
        "Nadège moved from the city to a village last spring.",
    ),
    ("en", "keep", Kind.FACT, "Not a morning person, me.", "Nadège isn't a morning person."),
    (
        "en",
        "keep",
        Kind.FACT,
        "I'd rather die than sing in public.",
        "Nadège hates singing in public.",
    ),
    ("en", "keep", Kind.FACT, "Can't swim to save my life.", "Nadège can't swim."),
    (
        "en",
        "keep",
        Kind.FACT,
        "I haven't touched a cigarette since 2019.",
        "Nadège hasn't smoked since 2019.",
    ),
    (
        "en",
        "keep",
        Kind.FACT,
        "Only my aunt knows I'm gay.",
        "Nadège is gay and only her aunt knows.",
    ),
    ("en", "keep", Kind.FACT, "Nothing beats my gran's stew.", "Nadège loves her gran's stew."),
    (
        "en",
        "keep",
        Kind.PREFERENCE,
        "Skip the pleasantries with me.",
        "Nadège prefers no pleasantries.",
    ),
    (
        "en",
        "keep",
        Kind.PREFERENCE,
        "Go easy on the emojis, will you?",
        "Nadège prefers fewer emojis.",
    ),
    (
        "en",
        "keep",
        Kind.FACT,
        "My ex got the house, I got the cat.",
        "Nadège kept the cat after the separation and the ex kept the house.",
    ),
    (
        "fr",
        "keep",
        Kind.FACT,
        "J'ai perdu mon père en mars.",
        "Le père de Nadège est mort en mars.",
    ),
    ("fr", "keep", Kind.FACT, "J'ai jamais appris à conduire.", "Nadège ne sait pas conduire."),
    (
        "fr",
        "keep",
        Kind.FACT,
        "On attend un bébé pour juin !",
        "Nadège est enceinte, le bébé est prévu pour juin.",
    ),
    ("fr", "keep", Kind.FACT, "Le gluten, c'est fini pour moi.", "Nadège ne mange plus de gluten."),
    (
        "fr",
        "keep",
        Kind.FACT,
        "Moi et les araignées, ça fait deux.",
        "Nadège n'aime pas les araignées.",
    ),
    (
        "fr",
        "keep",
        Kind.FACT,
        "Plutôt mourir que de chanter en public.",
        "Nadège déteste chanter en public.",
    ),
    ("fr", "keep", Kind.FACT, "Je suis pas du matin.", "Nadège n'est pas matinale."),
    (
        "fr",
        "keep",
        Kind.FACT,
        "Il n'y a que ma tante qui sache que je suis gay.",
        "Nadège est gay et seule sa tante le sait.",
    ),
    (
        "fr",
        "keep",
        Kind.FACT,
        "Rien ne vaut le ragoût de mamie.",
        "Nadège adore le ragoût de sa mamie.",
    ),
    ("fr", "keep", Kind.FACT, "Je suis une couche-tard.", "Nadège se couche tard."),
    (
        "fr",
        "keep",
        Kind.FACT,
        "J'ai pas touché une clope depuis 2019.",
        "Nadège n'a pas fumé depuis 2019.",
    ),
    (
        "fr",
        "keep",
        Kind.PREFERENCE,
        "Vas-y mollo sur les émojis.",
        "Nadège préfère moins d'émojis.",
    ),
    (
        "fr",
        "keep",
        Kind.PREFERENCE,
        "Pas de chichis avec moi, dis les choses.",
        "Nadège préfère qu'on lui dise les choses sans détour.",
    ),
    (
        "fr",
        "keep",
        Kind.FACT,
        "Je suis né à Dakar, mais j'ai grandi à Lyon.",
        "Nadège est née à Dakar et a grandi à Lyon.",
    ),
    (
        "fr",
        "keep",
        Kind.FACT,
        "Le docteur m'a mis au régime sans sel.",
        "Nadège suit un régime sans sel prescrit par son médecin.",
    ),
    (
        "fr",
        "keep",
        Kind.FACT,
        "Mon ex a gardé la maison, moi le chat.",
        "Nadège a gardé le chat, et son ex la maison.",
    ),
    (
        "fr",
        "keep",
        Kind.FACT,
        "Ça fait un bail que je ne bois plus.",
        "Nadège ne boit plus depuis longtemps.",
    ),
    (
        "fr",
        "keep",
        Kind.FACT,
        "Je tiens une crêperie à Vannes avec ma soeur.",
        "Nadège et sa soeur tiennent une crêperie à Vannes.",
    ),
]


@pytest.mark.parametrize(("lang", "expect", "kind", "said", "text"), CIRCLE)
def test_circle_is_read(screened, lang, expect, kind, said, text):
    """Somebody called by a familiar turn may be named plainly."""
    verdict = screened(lang, said, text, kind=kind)
    assert isinstance(verdict, Dropped if expect == "drop" else Kept), verdict


@pytest.mark.parametrize(("lang", "expect", "kind", "said", "text"), WORDINGS)
def test_faithful_wording_is_read(screened, lang, expect, kind, said, text):
    """A faithful free wording is kept."""
    verdict = screened(lang, said, text, kind=kind)
    assert isinstance(verdict, Dropped if expect == "drop" else Kept), verdict
