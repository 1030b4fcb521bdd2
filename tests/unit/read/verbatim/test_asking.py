"""A question is read for its words, whose turns it wants, which days, and whether it wants a time."""

from __future__ import annotations

from datetime import date

import pytest

from souvenance.lang import language
from souvenance.read.verbatim import Cast, Query, read_query

CAST = Cast({"user": ("Solène Arnaud",), "character": ("Odile",)}, "user")


def asked(code: str, text: str, cast: Cast = CAST) -> Query:
    return read_query(text, language(code), cast=cast)


@pytest.mark.parametrize(
    ("code", "text", "words"),
    [
        ("en", "Do you remember what I said about the kiln?", ["said", "kiln"]),
        ("fr", "Tu te souviens de ce que j'ai dit du four ?", ["dit", "four"]),
        ("en", "Odile, where is the boat?", ["boat"]),
        ("fr", "Odile, où est le bateau ?", ["bateau"]),
    ],
)
def test_only_words_that_tell_of_the_answer_count(code: str, text: str, words: list[str]) -> None:
    """Question words, calls to remember and the names of those who talk stand everywhere."""
    assert list(asked(code, text).words.values()) == words


def test_a_word_said_twice_counts_once_as_first_typed() -> None:
    """The reason shows what the person typed."""
    assert list(asked("en", "Kilns, kilns and a kiln").words.values()) == ["Kilns"]


@pytest.mark.parametrize(
    ("code", "text", "who"),
    [
        ("en", "What did Odile promise?", "character"),
        ("fr", "Qu'est-ce qu'Odile a promis ?", "character"),
        ("fr", "Qu'a dit Solène d'Odile ?", "user"),
        ("en", "What does Odile think of Solène's plan?", "character"),
        ("en", "What do Solène and Odile both like?", None),
        ("fr", "Qu'aiment Odile et Solène ?", None),
        ("en", "Who keeps the lighthouse?", None),
    ],
)
def test_the_first_one_named_is_asked_about(code: str, text: str, who: str | None) -> None:
    """Unless another name is joined to it."""
    assert asked(code, text).asked == who


@pytest.mark.parametrize(
    ("code", "text", "who"),
    [
        ("en", "Where did I put my keys?", "user"),
        ("fr", "Où ai-je mis mes clés ?", "user"),
        ("en", "Where do you come from?", "character"),
        ("fr", "D'où viens-tu ?", "character"),
        ("fr", "Tu te souviens de ma sœur ?", "user"),
        ("en", "The boat is back at last.", "user"),
        ("fr", "Le bateau est enfin revenu.", "user"),
        ("en", "Any news of the boat?", None),
        ("fr", "Des nouvelles du bateau ?", None),
    ],
)
def test_without_a_name_pronouns_tell_who_is_meant(code: str, text: str, who: str | None) -> None:
    """What is told of neither is about who tells it; what is asked of neither could be from both."""
    assert asked(code, text).meant == who


def test_a_name_goes_before_pronouns() -> None:
    """ "Odile, what did I…" names nobody else, yet it is Odile who is called: the name decides."""
    query = asked("en", "What did Odile tell me?")
    assert (query.asked, query.meant) == ("character", None)


def test_without_a_cast_nobody_is_asked_about() -> None:
    """Pronouns need somebody who asks."""
    query = read_query("Where did I put my keys?", language("en"))
    assert (query.asked, query.meant) == (None, None)


@pytest.mark.parametrize(
    ("code", "text", "wants"),
    [
        ("en", "When does the ferry leave?", True),
        ("en", "How long have I had the boat?", True),
        ("en", "What year was the shed built?", True),
        ("en", "I was late when it rained.", False),
        ("en", "Where was I that day at noon?", False),
        ("fr", "Quand part le bac ?", True),
        ("fr", "Depuis combien de temps ai-je le bateau ?", True),
        ("fr", "En quelle année ai-je bâti l'abri ?", True),
        ("fr", "Quand il pleut, je suis en retard.", False),
    ],
)
def test_a_question_may_ask_for_a_time(code: str, text: str, wants: bool) -> None:
    """Told by one of its first words, and only in a question."""
    assert asked(code, text).when is wants


@pytest.mark.parametrize(
    ("code", "text", "days"),
    [
        ("en", "Who came on 3 May 2023?", (date(2023, 5, 3), date(2023, 5, 3))),
        ("en", "Who came on May 3, 2023?", (date(2023, 5, 3), date(2023, 5, 3))),
        ("en", "What did I do in February 2024?", (date(2024, 2, 1), date(2024, 2, 29))),
        ("en", "What may 2023 bring?", None),
        ("en", "Who came in May?", None),
        ("en", "Who came on 31 April 2023?", None),
        ("fr", "Qui est venu le 3 mai 2023 ?", (date(2023, 5, 3), date(2023, 5, 3))),
        ("fr", "Qu'ai-je fait en août 2024 ?", (date(2024, 8, 1), date(2024, 8, 31))),
        ("fr", "Qui est venu en mai ?", None),
    ],
)
def test_days_are_read_when_their_year_is_said(
    code: str, text: str, days: tuple[date, date] | None
) -> None:
    """A month alone comes back every year, and the words still find it."""
    assert asked(code, text).days == days
