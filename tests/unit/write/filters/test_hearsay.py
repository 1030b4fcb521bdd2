"""What is only said of somebody stays hearsay; a hope, or a doubt of another thing, makes nothing unsure."""

from __future__ import annotations

import pytest

from souvenance.domain import Dropped, Kept

HEARSAY = [
    ("fr", "Mon cousin dealerait, à ce que racontent les voisins.", "Le cousin de Nadège deale.", ""),
    ("fr", "Ma patronne serait enceinte, d'après les bruits de couloir.", "La patronne de l'utilisateur est enceinte.", ""),
    ("fr", "Mon ex vivrait à Dakar maintenant, paraît-il.", "L'ex de Nadège vit à Dakar.", ""),
    ("fr", "Mon oncle aurait vendu la maison, selon la rumeur.", "L'oncle de l'utilisateur a vendu la maison.", ""),
    ("en", "Rumour has it my brother's dealing again.", "Nadège's brother is dealing again.", ""),
    ("en", "Supposedly my landlord is selling the building.", "User's landlord is selling the building.", ""),
    ("en", "If the gossip's right, my ex got married in Malta.", "Nadège's ex got married in Malta.", ""),
    ("en", "The neighbours claim my cat sleeps at number six.", "User's cat sleeps at number six.", ""),
    ("fr", "Mon voisin aurait gagné au loto, mais bon, les ragots...", "Le voisin de Nadège a gagné au loto.", ""),
]  # fmt: skip

SURE = [
    ("fr", "Mon cousin dealerait, à ce que racontent les voisins.", "Selon les voisins, le cousin de Nadège dealerait.", "", "Opale"),
    ("fr", "J'aimerais apprendre le piano un jour.", "Nadège aimerait apprendre le piano.", "", "Bastien"),
    ("en", "Maybe I'll sell the van, not sure, but the bike I'm keeping.", "Nadège is keeping the bike.", "the bike I'm keeping", "Hob"),
    ("en", "I might move to Leeds, who knows, anyway my mum's here to stay.", "User's mother is staying.", "my mum's here to stay", "Tess"),
    ("fr", "Peut-être que je me ferai un tatouage, on verra, mais la moustache reste.", "Nadège garde sa moustache.", "la moustache reste", "Bastien"),
    ("fr", "J'ai nommé mon bateau Opale, j'espère que ça te dérange pas.", "L'utilisateur a nommé son bateau Opale.", "J'ai nommé mon bateau Opale", "Opale"),
    ("en", "I named my goat Hob, hope you don't mind.", "Nadège named her goat Hob.", "I named my goat Hob", "Hob"),
    ("fr", "J'ai repeint la chambre en vert, j'espère que ça plaira à ma fille.", "Nadège a repeint la chambre en vert.", "", "Bastien"),
    ("fr", "Ma fille préparait le dîner pendant que je dormais.", "La fille de Nadège préparait le dîner.", "", "Corbin"),
    ("fr", "Je cherche quelqu'un qui garderait mon chat en mai.", "Nadège cherche quelqu'un pour garder son chat en mai.", "", "Corbin"),
    ("fr", "Mon rêve, ce serait de vivre à Lisbonne.", "Nadège rêve de vivre à Lisbonne.", "", "Corbin"),
]  # fmt: skip


@pytest.mark.parametrize(("lang", "said", "proposed", "quote"), HEARSAY)
def test_what_others_say_is_not_told_as_known(screened, lang, said, proposed, quote):
    """A rumour kept as a fact is believed at every turn."""
    assert isinstance(screened(lang, said, proposed, quote or None), Dropped)


@pytest.mark.parametrize(("lang", "said", "proposed", "quote", "character"), SURE)
def test_a_hope_or_another_doubt_leaves_a_fact_sure(
    screened, lang, said, proposed, quote, character
):
    """A reserve bears on its own clause, not on what stands after a "but" or before "I hope you don't mind"."""
    assert isinstance(screened(lang, said, proposed, quote or None, character=character), Kept)
