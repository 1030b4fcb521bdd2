"""Everyday words are said plainly for the embedder, and standard language is left as it is."""

from __future__ import annotations

import tomllib
from collections import Counter

import pytest

from souvenance.lang import Language, codes, fold, folder, language, tokens
from souvenance.lang.everyday import in_plain_words

SAID_PLAINLY = [
    ("fr", "Ma daronne bosse de nuit.", "Ma mère travaille de nuit."),
    ("fr", "J'ai chialé chez le toubib.", "J'ai pleuré chez le médecin."),
    ("fr", "Mon reuf s'est fait larguer.", "Mon frère s'est fait quitter."),
    ("fr", "on a zappé l'anniv de tata", "on a oublié l'anniversaire de tante"),
    ("fr", "mes potes flippaient, je flippais", "mes amis avaient peur, je avais peur"),
    ("fr", "Les flics ont pris sa bagnole.", "Les policiers ont pris sa voiture."),
    ("fr", "Belle-maman picolait trop.", "Belle-mère buvait de l'alcool trop."),
    ("fr", "il a paumé ses médocs", "il a perdu ses médicaments"),
    ("fr", "Le clebs de la frangine a vu le véto.", "Le chien de la sœur a vu le vétérinaire."),
    ("fr", "plus de thunes pour le resto", "plus de argent pour le restaurant"),
    ("fr", "mon mec est vénère, c'est relou", "mon compagnon est énervé, c'est pénible"),
    ("fr", "Les gosses ont récré à dix heures.", "Les enfants ont récréation à dix heures."),
    ("fr", "OÙ EST MA FRANGINE ?", "OÙ EST MA sœur ?"),
    ("en", "WHERE IS MY HUBBY?", "WHERE IS MY husband?"),
    ("en", "My hubby puked at the footy.", "My husband vomited at the football."),
    ("en", "gran lost her specs and her brolly", "grandmother lost her specs and her umbrella"),
    ("en", "The kids were bawling.", "The children were crying."),
    ("en", "A sparky from the uni fixed it.", "A electrician from the university fixed it."),
    ("en", "bestie is preggers", "best friend is pregnant"),
    ("en", "I'm skint, it cost a tenner", "I'm penniless, it cost a ten pounds"),
    ("en", "Mum's moggy needs meds.", "mother's cat needs medication."),
    ("en", "He had a cuppa and two sarnies.", "He had a cup of tea and two sandwiches."),
    ("en", "the cops found the nicked ute", "the police found the stolen pickup truck"),
    ("en", "the bloke was sloshed on plonk", "the man was drunk on wine"),
    ("en", "dunno, gonna see the physio", "don't know, going to see the physiotherapist"),
    ("en", "this arvo I kipped, knackered", "this afternoon I slept, exhausted"),
    ("en", "the lurgy, then chemo", "the illness, then chemotherapy"),
]  # fmt: skip

STANDARD = [
    ("fr", "La caisse du supermarché était même fermée."),
    ("fr", "Il tire la porte et pose la boîte sur la table."),
    ("fr", "Ma petite fille est grande pour son âge."),
    ("fr", "Le champ de blé est à moitié vide."),
    ("fr", "Elle allume la lampe et ferme les pompes à eau."),
    ("fr", "La glande thyroïde est un peu lourde."),
    ("fr", "Ses lessives sèchent, les paumes de ses mains brûlent."),
    ("fr", "Un tel retard cause des ennuis."),
    ("fr", "La chouette se pose sur une barre de fer."),
    ("fr", "Elle a bu un jus de prune près de la crèche."),
    ("fr", "Une bouffée d'air frais et une gerbe de fleurs."),
    ("fr", "Congé paternel, école maternelle : ses vieux parents l'aident."),
    ("fr", "La pilule, la tarte, le bac à sable, le radeau."),
    ("en", "The flat tyre ruined our ride to the coast."),
    ("en", "Wheels, a motor and an old guy rope lay in the shed."),
    ("en", "She passed her exam and paid in cash."),
    ("en", "My ex-husband drank a pint of milk."),
    ("en", "The plates were shattered on the pitch."),
    ("en", "Wool will shrink; the dog digs; he smokes."),
    ("en", "Kitty and Nick took the teddy to the vet."),
    ("en", "A good gig, a new pad, a bird on the grass."),
    ("en", "The work is poorly paid and the dough must rise."),
    ("en", "It cost a grand sum of copper and bread."),
    ("en", "They hammered nails and plastered the wall."),
    ("en", "Thirty grams of flour, a dummy and a chick."),
    ("en", "The nanny saw weeds, bugs and a dead battery."),
]  # fmt: skip


@pytest.mark.parametrize(("code", "text", "plain"), SAID_PLAINLY)
def test_everyday_talk_reads_as_most_texts_have_it(code: str, text: str, plain: str) -> None:
    """Word by word: tense and number are those of the word, articles are not mended."""
    assert in_plain_words(text, language(code)) == plain


@pytest.mark.parametrize(("code", "text"), STANDARD)
def test_standard_language_is_left_alone(code: str, text: str) -> None:
    """Words that slang borrowed, or that only an accent tells from slang ("glande", "paumes"), keep their own sense."""
    assert in_plain_words(text, language(code)) == text


@pytest.mark.parametrize("code", codes())
def test_each_everyday_word_is_one_word_once(code: str) -> None:
    """An entry of several tokens would never be met, and of two that fold to one the first would be lost."""
    file = folder(code) / "everyday.toml"
    words = [fold(w) for w in tomllib.loads(file.read_text("utf-8"))] if file.is_file() else []
    assert [w for w, times in Counter(words).items() if times > 1] == []
    assert [w for w in words if [t.word for t in tokens(w)] != [w]] == []


@pytest.mark.parametrize("code", codes())
def test_no_everyday_word_is_a_small_word(code: str) -> None:
    """A function word stands in every second sentence: none of them is slang."""
    words = language(code)
    assert words.everyday.keys() & words.words["function_words"] == set()


def test_a_language_without_everyday_words_changes_nothing() -> None:
    """The file is optional."""
    assert in_plain_words("Ma frangine bosse.", Language("xx", {})) == "Ma frangine bosse."
