"""What is worth showing: small talk on either side is not, a telling word or a near meaning is."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.read.verbatim.talks import talk

from souvenance.lang import language
from souvenance.read.calibrations import Calibration
from souvenance.read.verbatim import Transcript, read_query, search
from souvenance.read.verbatim.relevance import relevance, tells_more
from souvenance.read.verbatim.signs import Signs

SAID = {
    "en": (
        "Good evening! How was the day?",
        "Long. The ferry broke down, so I walked home through the marsh.",
        "Poor you. Good night!",
        "Good night, sleep well.",
        "The boatman Elric says the ferry needs a new rudder.",
        "Did he say when?",
    ),
    "fr": (
        "Bonsoir ! La journée ?",
        "Longue. Le bac est tombé en panne, je suis rentrée à pied par le marais.",
        "Pauvre toi. Bonne nuit !",
        "Bonne nuit, dors bien.",
        "Le passeur Elric dit que le bac a besoin d'un nouveau gouvernail.",
        "Il a dit quand ?",
    ),
}


def judged(code: str, text: str) -> dict[str, float]:
    """The relevance of every line of the talk in that language, by words alone."""
    words = language(code)
    transcript = Transcript.build(talk(*SAID[code], *SAID[code][2:4] * 8), words)
    found = search(transcript, read_query(text, words), len(transcript.lines))
    return {f.line.text: f.relevance for f in found}


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "Good evening!"),
        ("en", "haha good night, sleep well"),
        ("en", "I'm going to bed"),
        ("fr", "Bonsoir !"),
        ("fr", "haha bonne nuit, dors bien"),
        ("fr", "je vais me coucher"),
    ],
)
def test_small_talk_shows_nothing(code: str, text: str) -> None:
    """Every talk holds the same greetings, and none of them answers another."""
    assert set(judged(code, text).values()) == {0.0}


@pytest.mark.parametrize(
    ("code", "text"),
    [("en", "What does the ferry need?"), ("fr", "De quoi le bac a-t-il besoin ?")],
)
def test_a_telling_word_is_enough(code: str, text: str) -> None:
    """And the small talk beside it still shows nothing."""
    found = judged(code, text)
    assert found[SAID[code][4]] >= 0.5
    assert found[SAID[code][2]] == found[SAID[code][3]] == 0.0


@pytest.mark.parametrize(
    ("code", "text", "line", "tells"),
    [
        ("en", "run the tests", "Run the tests!", False),
        ("en", "which ferry?", "The ferry, now.", False),
        ("en", "which ferry?", "The ferry of the marsh, at noon.", True),
        ("fr", "lance les tests", "Lance les tests !", False),
        ("fr", "quel bac ?", "Le bac, maintenant.", False),
        ("fr", "quel bac ?", "Le bac du marais, à quinze heures.", True),
    ],
)
def test_a_line_that_only_says_the_query_again_tells_nothing(
    code: str, text: str, line: str, tells: bool
) -> None:
    """The same order given yesterday is no answer to it."""
    words = language(code)
    assert tells_more(line, read_query(text, words), words) is tells


def test_words_meaning_and_asking_each_raise_it() -> None:
    """And no line without a vector is worse than one at the threshold."""
    seen = Signs(
        {}, np.array([0, 1, 0, 0], np.float32), np.array([0.3, 0.3, 0.9, np.nan], np.float32)
    )
    plain = relevance(seen, Calibration(0.3, 0.07), asks=False)
    asking = relevance(seen, Calibration(0.3, 0.07), asks=True)
    assert plain[1] > plain[0] and plain[2] > plain[0] and plain[3] == plain[0]
    assert (asking > plain).all()


def test_a_cosine_is_read_as_its_embedder_spreads_it() -> None:
    """0.05 above the threshold is nothing for one model and a great deal for another."""
    seen = Signs({}, np.zeros(1, np.float32), np.array([0.86], np.float32))
    narrow, wide = Calibration(0.81, 0.01), Calibration(0.81, 0.1)
    assert relevance(seen, narrow, asks=True)[0] > 0.5 > relevance(seen, wide, asks=True)[0]


@pytest.mark.parametrize("code", ["en", "fr"])
def test_the_words_that_tell_are_those_that_are_not_small_talk(code: str) -> None:
    """They are matched all the same: only what is worth showing is judged without them."""
    text = {"en": "Good night, the ferry sank", "fr": "Bonne nuit, le bac a coulé"}[code]
    query = read_query(text, language(code))
    assert len(query.telling) == 2 and query.telling < query.words.keys()
