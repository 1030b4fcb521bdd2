"""A sentence that says something is over closes what told of it, and nothing else.

Each pair is extracted as typed and settled, days apart: what an ending must close, and what it must leave.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from tests.unit.write.test_extractive import exchange
from tests.unit.write.test_merge import START, Shelf

from souvenance.domain import Candidate, Kind, MessageId, Redacted, Status
from souvenance.lang import language
from souvenance.write.extractive import extract
from souvenance.write.over.finishing import endings


def typed(code: str, text: str, place: str, at: datetime) -> list[Candidate]:
    """What comes of one message of the person, told at that time."""
    read = exchange(code, ("user", text))
    message = replace(read.messages[0], message_id=MessageId(place), at=at, text=Redacted(text))
    return extract(replace(read, messages=(message,)), {message.message_id})


PAIRS = [
    (
        "fr",
        "Je prends des cours de tango le mardi.",
        "J'ai laissé tomber le tango, mon genou me lâche.",
        30,
        True,
    ),
    (
        "fr",
        "Je fais de l'escalade depuis deux ans.",
        "L'escalade, c'est terminé pour moi.",
        30,
        True,
    ),
    ("fr", "Je suis bénévole à la Croix-Rouge.", "J'ai arrêté la Croix-Rouge en mai.", 90, True),
    ("fr", "Je suis allergique au chocolat.", "J'ai arrêté le chocolat.", 30, False),
    ("fr", "J'adore le café noir.", "J'ai arrêté le café.", 30, False),
    ("fr", "Ma fille fait du judo.", "J'ai arrêté le judo.", 30, False),
    ("fr", "Je fais du judo.", "Ma fille a arrêté le judo.", 30, False),
    ("fr", "Je fais du judo.", "En septembre j'arrête le judo.", 30, False),
    ("fr", "Je fais du judo.", "Je pense arrêter le judo un jour.", 30, False),
    ("fr", "Je joue du violon.", "J'ai arrêté la boxe.", 30, False),
    (
        "fr",
        "J'ai un entretien le 12 mars chez un éditeur.",
        "L'entretien s'est bien passé.",
        20,
        True,
    ),
    (
        "fr",
        "J'ai un entretien le 12 mars chez un éditeur.",
        "Je stresse pour l'entretien.",
        2,
        False,
    ),
    (
        "fr",
        "J'ai un entretien le 12 mars chez un éditeur.",
        "L'entretien est avancé au 9 mars.",
        2,
        True,
    ),
    ("fr", "J'ai mon oral le 12 mars.", "J'ai mangé chez mon oncle.", 30, False),
    ("fr", "Le mariage de ma sœur est le 12 juin.", "Ma sœur a trouvé sa robe.", 10, False),
    (
        "fr",
        "J'ai promis à Lou de lui coudre une cape.",
        "La cape de Lou est prête, promesse tenue.",
        10,
        True,
    ),
    ("fr", "J'ai promis à Lou de lui coudre une cape.", "J'ai vu Lou hier.", 10, False),
    (
        "fr",
        "Je vends ma caravane 4 000 €.",
        "J'ai vendu la caravane à un couple de Niort.",
        10,
        True,
    ),
    ("fr", "Je vends ma caravane 4 000 €.", "J'ai vendu mon vélo.", 10, False),
    ("fr", "Je vends ma caravane 4 000 €.", "J'ai baissé la caravane à 3 500 €.", 10, True),
    ("fr", "Je vends ma caravane 4 000 €.", "J'ai acheté une tente à 350 €.", 10, False),
    (
        "fr",
        "Je cherche un studio à louer à Pau.",
        "J'ai trouvé un studio, rue des Lilas.",
        10,
        True,
    ),
    ("fr", "Je cherche un studio à louer à Pau.", "J'ai trouvé une écharpe.", 10, False),
    (
        "fr",
        "Je fais 20 heures par semaine au magasin.",
        "Au magasin on me passe à 28 heures par semaine.",
        10,
        True,
    ),
    ("fr", "Je fais 20 heures par semaine au magasin.", "Je dors 6 heures par nuit.", 10, False),
    ("fr", "Mon loyer est de 500 €.", "J'ai baissé le budget vacances à 300 €.", 10, False),
    ("fr", "J'ai commencé l'aquarelle lundi.", "La réunion est décalée au 6 mai.", 3, False),
    ("fr", "Ma mère vient le 8 mars.", "Ma mère aime les figues.", 20, False),
    ("en", "I take tango lessons on Tuesdays.", "I packed in the tango, my knee's shot.", 30, True),
    (
        "en",
        "I volunteer at the food bank.",
        "I've stopped volunteering at the food bank.",
        30,
        True,
    ),
    ("en", "I'm allergic to chocolate.", "I gave up chocolate.", 30, False),
    ("en", "I love black coffee.", "I gave up coffee.", 30, False),
    ("en", "My daughter does judo.", "I quit judo.", 30, False),
    ("en", "I do judo.", "My daughter quit judo.", 30, False),
    ("en", "I do judo.", "I'm quitting judo in September.", 30, False),
    ("en", "I do judo.", "Maybe I'll quit judo someday.", 30, False),
    ("en", "I play the violin.", "I gave up boxing.", 30, False),
    ("en", "I have an interview on 12 March at a bakery.", "The interview went well.", 20, True),
    (
        "en",
        "I have an interview on 12 March at a bakery.",
        "I'm stressed about the interview.",
        2,
        False,
    ),
    (
        "en",
        "I have an interview on 12 March at a bakery.",
        "The interview's been moved to 9 March.",
        2,
        True,
    ),
    ("en", "My sister's wedding is on 12 June.", "My sister found her dress.", 10, False),
    ("en", "I promised Lou I'd sew her a cape.", "Lou's cape is done, promise kept.", 10, True),
    ("en", "I promised Lou I'd sew her a cape.", "I saw Lou yesterday.", 10, False),
    (
        "en",
        "I'm selling my caravan for £4,000.",
        "I sold the caravan to a couple from York.",
        10,
        True,
    ),
    ("en", "I'm selling my caravan for £4,000.", "I sold my bike.", 10, False),
    ("en", "I'm selling my caravan for £4,000.", "I dropped the caravan to £3,500.", 10, True),
    ("en", "I'm selling my caravan for £4,000.", "I bought a tent for £350.", 10, False),
    (
        "en",
        "I'm looking for a studio to rent in Bath.",
        "I found a studio on Lilac Street.",
        10,
        True,
    ),
    ("en", "I'm looking for a studio to rent in Bath.", "I found a scarf.", 10, False),
    (
        "en",
        "I work 20 hours a week at the shop.",
        "The shop's upped me to 28 hours a week.",
        10,
        True,
    ),
    ("en", "I work 20 hours a week at the shop.", "I sleep 6 hours a night.", 10, False),
    ("en", "My rent is £500.", "I cut my holiday budget to £300.", 10, False),
    ("en", "I started watercolours on Monday.", "The meeting's been moved to 6 May.", 3, False),
    (
        "en",
        "We're going to Crete in May.",
        "We were going to go to Crete in May but we called it off.",
        10,
        True,
    ),
    ("fr", "On va en Crète en mai.", "On devait aller en Crète en mai mais on a annulé.", 10, True),
    (
        "fr",
        "J'ai deux séances de kiné par semaine.",
        "Je suis passée à trois séances de kiné par semaine.",
        10,
        True,
    ),
    ("en", "I have two cats.", "I have a dog now.", 10, False),
    (
        "fr",
        "J'ai rendez-vous chez l'ophtalmo le 12 mars.",
        "J'ai rendez-vous chez le dentiste le 14 mars.",
        2,
        False,
    ),
    (
        "en",
        "I have a dentist appointment on 12 March.",
        "I have a physio appointment on 14 March.",
        2,
        False,
    ),
    ("fr", "Je bois trois cafés par jour.", "J'ai arrêté le café.", 10, True),
    ("en", "I smoke ten a day.", "I quit smoking.", 10, True),
    ("en", "I left my umbrella at the office.", "I do yoga at the office.", 10, False),
    ("en", "I do yoga at the office.", "I left my umbrella at the office.", 10, False),
    ("fr", "Je travaille à la mairie.", "J'ai quitté la mairie à 18 h.", 10, False),
    ("en", "I'm learning Polish.", "I found my Polish book.", 10, False),
    ("en", "I run every Sunday.", "I stopped at the bakery after my run.", 10, False),
    (
        "fr",
        "Je nage tous les dimanches.",
        "Je me suis arrêtée à la boulangerie après la piscine.",
        10,
        False,
    ),
]


NEAR = [
    ("en", "We're looking for a house in Kent.", "I got the house keys copied for mum.", 20, False),
    ("en", "I'm saving up for a kayak.", "We got the tickets for the kayak show.", 20, False),
    ("en", "I want to buy a guitar.", "I found my old guitar strap.", 20, False),
    ("en", "I have a dentist appointment on 12 March.", "My sister passed her exam.", 20, False),
    ("en", "I have a physics exam on 12 March.", "I passed the bakery on my way.", 20, False),
    ("en", "I have a physics exam on 12 March.", "The French exam went well.", 8, False),
    ("en", "My son has a match on 14 March.", "We lost the match.", 20, True),
    ("en", "I'm seeing the physio on Tuesdays.", "The physio says it went well.", 20, False),
    ("en", "I promised Tom I'd call.", "I finally called Ana.", 5, False),
    ("en", "I promised to bake a cake for Tom.", "I ate a cake.", 5, False),
    ("en", "I take piano lessons from Mrs Gray.", "Mrs Gray sold her piano.", 20, False),
    ("en", "I'm selling my piano for £900.", "Mrs Gray sold her piano.", 20, False),
    ("en", "I'm learning Welsh.", "My teacher quit Welsh radio.", 20, False),
    ("en", "I go climbing with Ben on Fridays.", "Ben and I broke up.", 20, False),
    ("en", "I go climbing with Ben on Fridays.", "Ben dropped out of college.", 20, False),
    ("en", "I drink green tea every morning.", "I stopped drinking wine.", 20, False),
    ("en", "I play chess at the club.", "I left the club early last night.", 20, False),
    ("en", "My budget for the wedding is £8,000.", "The dress went up to £900.", 20, False),
    ("en", "My rent is £700 a month.", "My phone bill has gone up to £30 a month.", 20, False),
    ("en", "I work 30 hours a week.", "I've cut my screen time to 10 hours a week.", 20, False),
    ("en", "My birthday is on 12 March.", "My birthday went well.", 20, False),
    (
        "fr",
        "On cherche une maison dans le Lot.",
        "J'ai le plan de la maison de ma tante.",
        20,
        False,
    ),
    ("fr", "J'économise pour un kayak.", "On a pris le kayak de mon oncle hier.", 20, False),
    ("fr", "Je veux acheter une guitare.", "J'ai trouvé la sangle de ma guitare.", 20, False),
    (
        "fr",
        "J'ai un examen de physique le 12 mars.",
        "L'examen d'anglais s'est bien passé.",
        8,
        False,
    ),
    ("fr", "Mon fils a un match le 14 mars.", "On a perdu le match.", 20, True),
    ("fr", "Je vois le kiné le mardi.", "Le kiné est content, ça s'est bien passé.", 20, False),
    ("fr", "J'ai promis à Tom de l'appeler.", "J'ai enfin appelé Ana.", 5, False),
    ("fr", "J'ai promis un gâteau à Tom.", "J'ai mangé un gâteau.", 5, False),
    ("fr", "Je prends des cours de piano avec Mme Gris.", "Mme Gris a vendu son piano.", 20, False),
    ("fr", "Je vends mon piano 900 €.", "Mme Gris a vendu son piano.", 20, False),
    ("fr", "Je grimpe avec Benoît le vendredi.", "Benoît a abandonné ses études.", 20, False),
    ("fr", "Je bois du thé vert le matin.", "J'ai arrêté le vin.", 20, False),
    ("fr", "Je joue aux échecs au club.", "J'ai quitté le club tôt hier soir.", 20, False),
    ("fr", "Mon budget mariage est de 8 000 €.", "La robe est passée à 900 €.", 20, False),
    ("fr", "Mon loyer est de 700 € par mois.", "Mon forfait est passé à 30 € par mois.", 20, False),
    (
        "fr",
        "Je travaille 30 heures par semaine.",
        "J'ai réduit les écrans à 10 heures par semaine.",
        20,
        False,
    ),
    ("fr", "Mon anniversaire est le 12 mars.", "Mon anniversaire s'est bien passé.", 20, False),
    ("fr", "J'apprends le breton.", "J'ai fini mon livre en breton.", 20, False),
    ("fr", "Je fais du vélo avec ma fille.", "J'ai arrêté de fumer pour ma fille.", 20, False),
    ("en", "I run with my daughter.", "I quit smoking for my daughter.", 20, False),
]


@pytest.mark.parametrize(("code", "earlier", "later", "days", "over"), [*PAIRS, *NEAR])
def test_an_ending_closes_what_it_is_about_and_nothing_else(
    code: str, earlier: str, later: str, days: int, over: bool
) -> None:
    """An allergy is not ended by giving up chocolate, nor one's judo by a daughter's."""
    shelf = Shelf(language=code)
    shelf.tell(*typed(code, earlier, "1", START), day=0)
    first = list(shelf.memories)
    assert first
    shelf.tell(*typed(code, later, "2", START + timedelta(days=days)), day=days)
    assert any(shelf.memories[i].status is not Status.ACTIVE for i in first) is over


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("fr", "On devait aller en Crète en mai mais on a annulé."),
        ("en", "I was going to join a choir but changed my mind."),
        ("en", "We nearly moved to Leeds last year, then it fell through."),
        ("en", "I'd planned to run the marathon but I had to pull out."),
        ("fr", "Je pensais adopter un lévrier mais on y a renoncé."),
        ("fr", "J'avais prévu de courir le marathon mais j'ai dû déclarer forfait."),
    ],
)
def test_a_plan_that_was_given_up_is_not_noted(code: str, text: str) -> None:
    """Read later, it would be taken for a plan."""
    shelf = Shelf(language=code)
    shelf.tell(*typed(code, text, "1", START))
    assert shelf.active() == []


def test_what_took_the_place_of_a_plan_is_noted() -> None:
    """ "…so I'm going to Porto instead" tells where the person goes."""
    shelf = Shelf(language="en")
    said = "I was going to go to Crete but called it off, I booked Porto for June."
    shelf.tell(*typed("en", said, "1", START))
    assert shelf.active() == [said]


def test_a_bare_success_ends_the_only_appointment_of_these_days() -> None:
    """ "Passed it!" on the day after the exam can mean nothing else."""
    shelf = Shelf(language="en")
    shelf.tell(*typed("en", "I have my driving test on 4 March.", "1", START), day=0)
    shelf.tell(*typed("en", "I passed it! First go.", "2", START + timedelta(days=3)), day=3)
    assert "I have my driving test on 4 March." not in shelf.active()


def test_two_promises_are_not_ended_by_a_bare_word() -> None:
    """Which one was kept cannot be told: both stand."""
    shelf = Shelf(language="en")
    promises = "I promised Ada a scarf.", "I promised my son we'd build a raft."
    for n, promise in enumerate(promises):
        shelf.tell(*typed("en", promise, str(n), START), day=0)
    shelf.tell(*typed("en", "There, promise kept.", "9", START + timedelta(days=3)), day=3)
    assert set(promises) <= set(shelf.active())


def test_a_change_for_later_ends_nothing_yet() -> None:
    """In September is not now."""
    words, day = language("fr"), datetime(2026, 3, 2, tzinfo=UTC).date()
    assert endings("En septembre j'arrête le judo.", words, day) == []
    assert [e.how for e in endings("J'ai arrêté le judo.", words, day)] == ["given up"]


def test_a_promise_of_the_play_is_not_ended_by_life() -> None:
    """What was promised in the story stays in its thread."""
    shelf = Shelf(language="en")
    (promise,) = typed("en", "I promised Ada a scarf.", "1", START)
    shelf.tell(replace(promise, spoken_by="character", kind=Kind.PROMISE), day=0)
    shelf.tell(*typed("en", "Ada's scarf is done, promise kept.", "2", START), day=3)
    assert "I promised Ada a scarf." in shelf.active()


def test_what_replaced_a_pastime_is_ended_by_the_name_of_the_pastime() -> None:
    """ "It's Fridays now" does not say aqua aerobics again, what it took the place of does."""
    shelf = Shelf(language="en")
    shelf.tell(*typed("en", "I do aqua aerobics on Wednesdays at the pool.", "1", START), day=0)
    shelf.tell(*typed("en", "The pool's switched me to Fridays.", "2", START), day=3)
    assert shelf.active() == ["The pool's switched me to Fridays."]
    shelf.tell(*typed("en", "I gave up the aerobics.", "3", START + timedelta(days=9)), day=9)
    assert shelf.active() == ["I gave up the aerobics."]
