"""How an awaited or usual thing came out closes what told of it, and nothing that tells of somebody else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.unit.write.over.test_finishing import typed
from tests.unit.write.test_merge import START, Shelf

from souvenance.domain import Status

OUTCOMES = [
    ("en", "My aunt Vera is coming over from Cork for a fortnight at Easter.", "vera went home sunday, the house is quiet", True),
    ("en", "My aunt Vera is coming over from Cork for a fortnight at Easter.", "My cousin Paul flew home on Sunday.", False),
    ("en", "My mother lives in Bath and is visiting in May.", "My mother went home on Sunday.", False),
    ("en", "My cousin Ruth is expecting a baby in June.", "Ruth had her baby on Tuesday, four kilos.", True),
    ("en", "My cousin Ruth is expecting a baby in June.", "I was born in 1980 in a caravan.", False),
    ("en", "I smoke a pack a day.", "I've cut down to half a pack.", True),
    ("en", "I smoke a pack a day.", "I quit smoking on Monday, cold turkey.", True),
    ("en", "I smoke a pack a day.", "My brother quit smoking on Monday.", False),
    ("en", "I haven't smoked since Easter.", "I'm back to smoking, ten a day.", True),
    ("en", "I drink two coffees a day.", "I haven't smoked since Easter.", False),
    ("en", "I've applied for a loan of £8,000 for a van.", "It's £7,000 I'm asking for now.", True),
    ("en", "I've applied for a loan of £8,000 for a van.", "They'll lend me £7,500.", True),
    ("en", "I'm selling my van for £8,000.", "They'll lend me £7,500 for the roof.", False),
    ("en", "The interview's moved, it's Friday the 6th now.", "They said yes. Well, nearly, they want my references first.", True),
    ("fr", "Ma tante Odile vient de Metz pour quinze jours à Pâques.", "Odile est repartie dimanche, la maison est vide.", True),
    ("fr", "Ma tante Odile vient de Metz pour quinze jours à Pâques.", "Mon cousin Paul est reparti dimanche.", False),
    ("fr", "Ma mère habite à Sète et vient me voir en mai.", "Ma mère est repartie dimanche.", False),
    ("fr", "Ma cousine Ruth attend un bébé pour juin.", "Ruth a accouché mardi, quatre kilos.", True),
    ("fr", "Ma cousine Ruth attend un bébé pour juin.", "Ma grand-mère est née en 1930 à Sète.", False),
    ("fr", "Je fume un paquet par jour.", "Je suis descendu à un demi paquet.", True),
    ("fr", "Je fume un paquet par jour.", "J'ai arrêté de fumer lundi.", True),
    ("fr", "Je fume un paquet par jour.", "Mon frère a arrêté de fumer lundi.", False),
    ("fr", "Je n'ai pas fumé depuis Pâques.", "J'ai repris la clope, dix par jour.", True),
    ("fr", "Je bois deux cafés par jour.", "Je n'ai pas fumé depuis Pâques.", False),
    ("fr", "J'ai demandé un prêt de 8 000 € pour un camion.", "Finalement je demande 7 000 €.", True),
    ("fr", "J'ai demandé un prêt de 8 000 € pour un camion.", "La banque me prête 7 500 €.", True),
    ("fr", "Je vends mon camion 8 000 €.", "La banque me prête 7 500 € pour le toit.", False),
]  # fmt: skip


@pytest.mark.parametrize(("code", "earlier", "later", "over"), OUTCOMES)
def test_an_outcome_closes_what_it_is_the_outcome_of(
    code: str, earlier: str, later: str, over: bool
) -> None:
    """A guest who left is not still coming, and another guest is."""
    shelf = Shelf(language=code)
    shelf.tell(*typed(code, earlier, "1", START), day=0)
    first = list(shelf.memories)
    assert first
    shelf.tell(*typed(code, later, "2", START + timedelta(days=7)), day=7)
    assert any(shelf.memories[i].status is not Status.ACTIVE for i in first) is over


def test_a_birth_that_may_be_either_of_two_is_left_to_the_person() -> None:
    """Nothing says whose child it is: the pair is journalled and both stand."""
    shelf = Shelf(language="en")
    awaited = "My cousin Ruth is expecting a baby in June.", "My sister Joan is pregnant."
    for n, said in enumerate(awaited):
        shelf.tell(*typed("en", said, str(n), START), day=0)
    later = typed(
        "en",
        "A boy was born on Tuesday, my family is over the moon.",
        "9",
        START + timedelta(days=7),
    )
    settled = shelf.tell(*later, day=7)
    assert set(awaited) <= set(shelf.active())
    entries = [w.entry for w in settled.writes if hasattr(w, "entry")]
    assert "doubted" in [e.action for e in entries]
