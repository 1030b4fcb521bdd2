"""What only sounds like an ending or a change closes nothing; what looks like it and is one still closes.

Each pair is told as typed, a day apart, and settled by the rules alone: the worst error is a true fact closed.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from souvenance.lang import language
from souvenance.measure.conversations import Conversation, Turn
from souvenance.measure.plainrun import run_plain
from souvenance.write.told.voices import is_voiced
from souvenance.write.words.clipping import are_one_word

#: The day of the first sentence.
START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def _told(code: str, *texts: str) -> list[tuple[str, bool]]:
    """The memories after these messages, a day apart: their text, and whether they were left untouched."""
    turns = []
    for number, text in enumerate(texts):
        at = START + timedelta(days=number)
        turns.append(Turn("user", at, text))
        turns.append(Turn("character", at + timedelta(seconds=30), "…"))
    kept = run_plain(Conversation("pair", code, "Wren", "Sam", tuple(turns))).memories
    return [(m.text, m.current and not m.versions and m.until is None) for m in kept]


def _is_closed(code: str, earlier: str, later: str) -> bool:
    told = _told(code, earlier, later)
    assert any(earlier.rstrip(".") in text or not whole for text, whole in told)
    return not all(whole for _, whole in told)


#: Language, what was told, what is told next; by kind.
STANDS = {
    "denied": [
        ("en", "I live in Hull.", "I never left Hull."),
        ("en", "I live in Hull.", "I haven't actually moved out of Hull yet."),
        ("en", "I work at Asda.", "I didn't quit my job at Asda."),
        ("en", "I'm married to Owen.", "I'm not divorced from Owen."),
        ("en", "I take ibuprofen.", "I haven't stopped taking ibuprofen."),
        ("en", "I'm looking for a flat.", "I haven't found a flat."),
        ("fr", "Je fume.", "Je n'ai pas arrêté de fumer."),
        ("fr", "J'habite à Metz.", "Je n'ai jamais quitté Metz."),
        ("fr", "Je suis mariée à Denis.", "Je n'ai pas divorcé de Denis."),
    ],
    "nearly": [
        ("en", "I work at Asda.", "I almost quit my job at Asda."),
        ("en", "I work at Asda.", "I nearly got fired from Asda."),
        ("en", "I'm dating Owen.", "I was about to break up with Owen."),
        ("en", "I have a dentist appointment on 4 May.", "I nearly cancelled the dentist appointment."),
        ("fr", "J'ai rendez-vous chez le dentiste le 4 mai.", "J'ai failli annuler le rendez-vous chez le dentiste."),
        ("fr", "Je travaille chez Orange.", "J'étais à deux doigts de quitter Orange."),
    ],
    "wished, feared or to come": [
        ("en", "I work at Asda.", "I want to quit my job at Asda."),
        ("en", "I work at Asda.", "Soon I will no longer work at Asda."),
        ("en", "I work at Asda.", "When I no longer work at Asda, I'll travel."),
        ("en", "I work at Asda.", "My friend asked if I quit my job at Asda."),
        ("fr", "Je travaille chez Orange.", "Bientôt je ne travaillerai plus chez Orange."),
        ("fr", "Je fume.", "Je voudrais arrêter de fumer."),
        ("fr", "J'habite à Metz.", "Dès que j'ai quitté Metz, je respire."),
    ],
    "for a while, in part": [
        ("en", "I work at Asda.", "I no longer work at Asda on Sundays."),
        ("en", "I work at Asda.", "I left Asda at 6 tonight."),
        ("en", "I live in Hull.", "I left Hull at 8 and I'm on the train."),
        ("en", "I run every morning.", "I stopped running for a week."),
        ("en", "I play tennis on Mondays.", "I stopped playing tennis with Bob."),
        ("en", "I play tennis on Mondays.", "I stopped watching tennis on TV."),
        ("en", "I sing in a choir.", "I stopped singing in the shower."),
        ("en", "I'm dating Owen.", "I broke up with Owen in 2019 but we got back together."),
        ("fr", "Je joue du piano.", "J'arrête le piano à 18h aujourd'hui."),
        ("fr", "Je cours tous les matins.", "J'ai arrêté de courir pendant ma grossesse."),
        ("fr", "Je travaille chez Orange.", "Je ne travaille plus chez Orange le lundi."),
        ("fr", "Je sors avec Denis.", "J'ai quitté Denis à la gare."),
    ],
    "somebody else's": [
        ("en", "I work at Asda.", "My sister no longer works at Asda."),
        ("en", "I work at Asda.", "Tom quit Asda."),
        ("en", "I live in Hull.", "My brother left Hull."),
        ("en", "I live in Hull.", "The train left Hull late."),
        ("en", "I'm dating Owen.", "My sister broke up with Owen."),
        ("en", "My sister lives in Hull.", "I left Hull."),
        ("en", "My brother and I live in Hull.", "My brother left Hull."),
        ("en", "I have a maths exam on 4 May.", "My sister's maths exam is done."),
        ("en", "I have an appointment with Dr Lee on 4 May.", "My son's appointment with Dr Lee went well."),
        ("fr", "J'habite à Metz.", "Mon frère n'habite plus à Metz."),
        ("fr", "Je travaille chez Orange.", "Paul a démissionné de chez Orange."),
        ("fr", "J'ai un examen de maths le 4 mai.", "L'examen de maths de ma sœur est terminé."),
    ],
    "quoted, labelled, supposed": [
        ("en", "I live in Hull.", "Text from mum: I've moved to Derby."),
        ("en", "I live in Hull.", "Anna told me: I live in Derby now."),
        ("en", "I live in Hull.", "She said, I live in Derby now."),
        ("en", "I live in Hull.", "Suppose I live in Derby now."),
        ("en", "I live in Hull.", "Let's say I now live in Derby."),
        ("en", "I live in Hull.", "People think I live in Derby now."),
        ("en", "I'm 34.", "Tom: I'm 35."),
        ("fr", "Je suis relieuse.", "Paul : je suis boulanger."),
        ("fr", "J'habite à Metz.", "Léa m'a écrit : j'habite à Tours maintenant."),
        ("fr", "J'habite à Metz.", "Maman : j'ai déménagé à Tours."),
    ],
    "of another time, or one value of several": [
        ("en", "I moved to Hull in 2020.", "I moved to Derby in 2015."),
        ("en", "I work at Asda.", "I started at Shell in 2010 and left in 2015."),
        ("en", "I live in Hull.", "I moved to Derby as a child."),
        ("en", "I live in Hull.", "I moved to Derby and then to Hull."),
        ("en", "I have an exam on 4 May.", "I passed the exam last year."),
        ("en", "I earn 2000 pounds a month.", "I earn 300 pounds a month from renting."),
        ("en", "I study law.", "I study every evening."),
        ("en", "I study law.", "I study in Derby."),
        ("en", "I live in Hull.", "We live in Derby as a band."),
        ("fr", "J'habite à Metz.", "J'habite à Tours la semaine."),
        ("fr", "J'habite à Metz.", "Enfant, j'ai déménagé à Tours."),
        ("fr", "J'ai un examen le 4 mai.", "J'ai réussi mon examen l'an dernier."),
    ],
    "of a word that only begins alike": [
        ("en", "I do card tricks on Mondays.", "I gave up cardio."),
        ("en", "I play the harp on Mondays.", "I quit harpsichord."),
        ("fr", "Je fais du trial le lundi.", "J'ai arrêté le triathlon."),
    ],
}  # fmt: skip

#: The same kinds of words, and yet an ending or a change.
CLOSES = {
    "denied": [
        ("en", "I live in Hull.", "I don't live in Hull anymore."),
        ("en", "I work at Asda.", "I wasn't happy so I quit my job at Asda."),
        ("en", "I take ibuprofen.", "Not for me: I've stopped taking ibuprofen."),
        ("fr", "Je fume.", "Je ne regrette rien, j'ai arrêté de fumer."),
        ("fr", "J'habite à Metz.", "Je n'habite plus du tout à Metz."),
    ],
    "nearly": [
        ("en", "I work at Asda.", "After almost ten years I quit my job at Asda."),
        ("en", "I play the cello.", "I gave up the cello, I almost cried."),
        ("en", "I'm dating Owen.", "I broke up with Owen nearly a month ago."),
        ("fr", "Je joue du violon.", "J'ai arrêté le violon il y a presque un mois."),
        ("fr", "Je travaille chez Orange.", "J'ai démissionné de chez Orange, j'ai failli pleurer."),
    ],
    "wished, feared or to come": [
        ("en", "I work at Asda.", "I no longer work at Asda and I want to travel."),
        ("en", "I play the cello.", "I thought it over: I gave up the cello."),
        ("en", "I play the cello.", "I had to give up the cello, so I gave up the cello."),
        ("fr", "Je fume.", "J'ai arrêté de fumer, je voudrais courir."),
        ("fr", "Je travaille chez Orange.", "J'ai quitté Orange, je vais voyager."),
    ],
    "for a while, in part": [
        ("en", "I work at Asda.", "I quit my job at Asda on Monday."),
        ("en", "I run every morning.", "I stopped running for good."),
        ("en", "I live in Hull.", "I left Hull for Derby last week."),
        ("en", "I play tennis with Bob.", "I stopped playing tennis with Bob."),
        ("en", "I go to boxing on Thursdays.", "I've stopped going to boxing for good."),
        ("fr", "Je joue du piano.", "J'ai arrêté le piano hier."),
        ("fr", "Je fais de la danse le lundi.", "J'ai arrêté mes cours de danse du lundi."),
    ],
    "somebody else's": [
        ("en", "My sister lives in Hull.", "My sister left Hull."),
        ("en", "I'm dating Owen.", "Owen and I broke up."),
        ("en", "I'm dating Owen.", "I got dumped by Owen."),
        ("en", "I work at Asda.", "They fired me from Asda."),
        ("fr", "Je travaille chez Orange.", "On m'a virée de chez Orange."),
    ],
    "quoted, labelled, supposed": [
        ("en", "I live in Hull.", "Update: I live in Derby now."),
        ("en", "I live in Hull.", "I told you, I live in Derby now."),
        ("en", "I'm a nurse.", "Big news: I'm a baker now."),
        ("fr", "J'habite à Metz.", "Nouvelle : j'habite maintenant à Tours."),
        ("fr", "Je suis relieuse.", "Moi, je suis boulangère maintenant."),
    ],
    "of another time, or one value of several": [
        ("en", "I live in Hull.", "I moved to Derby last month."),
        ("en", "I moved to Hull in 2020.", "I moved to Derby in 2025."),
        ("en", "I study law.", "I study biology now."),
        ("en", "I earn 2000 pounds a month.", "I earn 2300 pounds a month now."),
        ("fr", "J'habite à Metz.", "J'ai déménagé à Tours en janvier."),
    ],
    "of a word that only begins alike": [
        ("en", "I do physiotherapy on Mondays.", "I gave up physio."),
        ("en", "I play volleyball on Mondays.", "I quit volley."),
        ("fr", "Je fais du basketball le lundi.", "J'ai arrêté le basket."),
        ("fr", "Je fais de la gymnastique le lundi.", "J'ai arrêté la gym."),
        ("fr", "Je fais de la musculation le lundi.", "J'ai arrêté la muscu."),
    ],
}  # fmt: skip

Pair = tuple[str, str, str]


def _all(table: dict[str, list[Pair]]) -> list[Pair]:
    return [pair for pairs in table.values() for pair in pairs]


@pytest.mark.parametrize(("code", "earlier", "later"), _all(STANDS))
def test_what_only_sounds_like_an_ending_closes_nothing(
    code: str, earlier: str, later: str
) -> None:
    """Denied, nearly, wished, for a while, somebody else's, quoted, of another time: the earlier fact stands."""
    assert not _is_closed(code, earlier, later)


@pytest.mark.parametrize(("code", "earlier", "later"), _all(CLOSES))
def test_what_looks_like_it_and_is_an_ending_still_closes(
    code: str, earlier: str, later: str
) -> None:
    """The same words, elsewhere in the sentence, take nothing back."""
    assert _is_closed(code, earlier, later)


def test_a_plan_that_was_all_but_called_off_is_told_and_not_dropped() -> None:
    """To nearly cancel is no plan given up: the sentence is noted beside the appointment."""
    told = _told("en", "I have a dentist appointment on 4 May.", "I nearly cancelled the dentist appointment.")  # fmt: skip
    assert all(whole for _, whole in told)


@pytest.mark.parametrize(
    ("code", "text", "voiced"),
    [
        ("en", "Tom: I'm 35.", True),
        ("en", "My friend wrote: I live in Derby.", True),
        ("en", "I live in Derby now, says the hero.", True),
        ("en", "I told the spammer I live in Derby now.", True),
        ("en", "I told you I live in Derby now.", False),
        ("en", "My doctor says I'm no longer diabetic.", False),
        ("en", "Update: I'm 35.", False),
        ("en", "My boss said no and I quit.", False),
        ("fr", "Paul : je suis boulanger.", True),
        ("fr", "Disons que j'habite à Tours.", True),
        ("fr", "Je t'ai dit que j'habite à Tours.", False),
        ("fr", "Bref : j'habite à Tours.", False),
    ],
)
def test_whose_words_a_sentence_holds(code: str, text: str, voiced: bool) -> None:
    """A name, a relative or somebody who says so before "I" makes it their word; a heading does not."""
    assert is_voiced(text, language(code)) is voiced


def test_a_word_cut_short_is_known_by_its_ending() -> None:
    """A shared beginning is not enough."""
    words = language("en")
    assert are_one_word("physio", "physiotherapist", words)
    assert not are_one_word("card", "cardio", words)
    assert not are_one_word("harp", "harpsichord", words)
