"""Lines are found by words, meaning, who, when and how, with the reasons, in an order that nothing else moves."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.read.verbatim.talks import direction, embedded, talk

from souvenance.domain import MessageId
from souvenance.lang import language
from souvenance.read.verbatim import Cast, Found, Line, Transcript, read_query, search, windows

CAST = Cast({"user": ("Solène",), "character": ("Odile",)}, "user")

ENGLISH = (
    "Good evening. The rain found the roof again.",
    "Did you call the roofer?",
    "He comes on Thursday. My sister Ana lends me her ladder.",
    "And how is the bakery?",
    "I sold it to a cousin, with the oven and the cat.",
    "The cat too! I keep an owl, for my part.",
    "Tell me about the owl.",
    "It sleeps in the tall clock of the stairs.",
)
FRENCH = (
    "Bonsoir. La pluie a retrouvé le toit.",
    "Tu as appelé le couvreur ?",
    "Il vient jeudi. Ma sœur Ana me prête son échelle.",
    "Et la boulangerie, ça va ?",
    "Je l'ai vendue à un cousin, avec le four et le chat.",
    "Le chat aussi ! Moi, je garde une chouette.",
    "Parle-moi de la chouette.",
    "Elle dort dans la grande horloge de l'escalier.",
)
TALKS = {"en": talk(*ENGLISH), "fr": talk(*FRENCH)}


def found(
    code: str, text: str, *, meaning: bool = False, lines: list[Line] | None = None
) -> list[Found]:
    """What a search of the talk in that language gives."""
    words = language(code)
    lines = TALKS[code] if lines is None else lines
    vectors = embedded(windows(lines), words) if meaning else []
    vector = direction(text, words) if meaning else None
    transcript = Transcript.build(lines, words, vectors)
    return search(transcript, read_query(text, words, vector=vector, cast=CAST))


@pytest.mark.parametrize("meaning", [False, True])
@pytest.mark.parametrize(
    ("code", "question", "answer"),
    [
        ("en", "Who lends me a ladder?", 2),
        ("fr", "Qui me prête une échelle ?", 2),
        ("en", "What did I do with the bakery?", 4),
        ("fr", "Qu'ai-je fait de la boulangerie ?", 4),
        ("en", "Where does the owl sleep?", 7),
        ("fr", "Où dort la chouette ?", 7),
    ],
)
def test_a_question_finds_its_answer(code: str, question: str, answer: int, meaning: bool) -> None:
    """With and without vectors; "the bakery" stands in the question before the answer, not in it."""
    assert found(code, question, meaning=meaning)[0].line == TALKS[code][answer]


@pytest.mark.parametrize("code", ["en", "fr"])
def test_a_line_comes_with_its_neighbours_and_reasons(code: str) -> None:
    """What a reader needs to believe it."""
    question = {"en": "Who lends me a ladder?", "fr": "Qui me prête une échelle ?"}[code]
    first = found(code, question, meaning=True)[0]
    assert (first.before, first.after) == ((TALKS[code][1],), (TALKS[code][3],))
    assert first.reasons.words == {"en": ("lends", "ladder"), "fr": ("prête", "échelle")}[code]
    assert first.reasons.asked == "user"
    assert first.reasons.meaning is not None
    assert first.relevance > 0.5


@pytest.mark.parametrize(("code", "asked"), [("en", "Odile's cat"), ("fr", "le chat d'Odile")])
def test_who_is_named_comes_first(code: str, asked: str) -> None:
    """Both spoke of the cat."""
    assert found(code, asked)[0].line.speaker == "character"
    assert found(code, asked)[0].reasons.asked == "character"


@pytest.mark.parametrize(
    ("code", "said", "question"),
    [
        ("en", ("The roof is slate.", "The roof was mended on Thursday."), "When was the roof mended?"),
        ("fr", ("Le toit est en ardoise.", "Le toit a été réparé jeudi."), "Quand le toit a-t-il été réparé ?"),
    ],
)  # fmt: skip
def test_a_time_is_told_by_a_word_of_time(code: str, said: tuple[str, str], question: str) -> None:
    """And not by a line that only holds the words."""
    lines = talk(*said, speakers=("user",))
    assert found(code, question, lines=lines)[0].line.text == said[1]


@pytest.mark.parametrize(
    ("code", "question"),
    [("en", "What did I say of the roof in June 2026?"), ("fr", "Qu'ai-je dit du toit en juin 2026 ?")],
)  # fmt: skip
def test_the_days_named_come_first(code: str, question: str) -> None:
    """The roof leaked in March and in June; each is told in its days."""
    again = [
        replace(line, message_id=MessageId(f"later-{line.message_id}"), at=line.at + timedelta(days=95))
        for line in TALKS[code]
    ]  # fmt: skip
    first = found(code, question, lines=[*TALKS[code], *again])[0]
    assert first.line.at.month == 6
    assert first.reasons.when is not None


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", ("Is the loom at the mill, or is the loom lost?", "The loom is at the mill now.")),
        ("fr", ("Le métier est-il au moulin, ou perdu ?", "Le métier est au moulin maintenant.")),
    ],
)
def test_an_answer_goes_before_the_question_that_was_asked_then(
    code: str, said: tuple[str, str]
) -> None:
    """A question holds the words of the next one, and tells nothing."""
    lines = [*TALKS[code], *talk(*said, first=8, speakers=("user",))]
    order = [f.line.text for f in found(code, said[0], lines=lines)]
    assert order.index(said[1]) < order.index(said[0])


@pytest.mark.parametrize(
    ("code", "word", "said"),
    [
        ("en", "oysters", ("And Saturday?", "Shall we have oysters?", "I miss my old man.")),
        ("fr", "huîtres", ("Et samedi ?", "On se fait des huîtres ?", "Mon vieux me manque.")),
    ],
)
def test_a_word_that_only_a_question_holds_is_found_there(
    code: str, word: str, said: tuple[str, ...]
) -> None:
    """Who types a word looks for where it stands; a question is only a poorer answer to a question."""
    lines = [*TALKS[code], *talk(*said, first=8, speakers=("user",))]
    assert found(code, word, lines=lines)[0].line.text == said[1]


def test_what_is_skipped_is_not_found() -> None:
    """The messages that the reader has before them need no search."""
    transcript = Transcript.build(TALKS["en"], language("en"))
    query = read_query("the ladder", language("en"))
    first = search(transcript, query, 3)[0].line.message_id
    others = search(transcript, query, 3, skip={first, MessageId("nobody")})
    assert first not in {f.line.message_id for f in others}
    assert len(others) == 3


def test_ties_go_to_the_newest() -> None:
    """The same words in the same place of two threads: the later one, then the id."""
    early = talk("The ladder.", thread="a")
    late = talk("The ladder.", thread="b", first=2)
    for lines in ([*early, *late], [*late, *early]):
        assert [f.line for f in found("en", "a ladder", lines=lines)] == [*late, *early]


def test_a_talk_about_something_else_is_not_relevant() -> None:
    """The best of a talk about nothing stands out, and is still not worth showing."""
    assert all(f.relevance < 0.5 for f in found("en", "the harpsichord of my aunt"))


def test_a_query_of_no_words_finds_by_meaning_or_by_manner() -> None:
    """ "And then?" holds nothing to look for; nothing fails and nothing is claimed."""
    for meaning in (False, True):
        lines = found("en", "And then?", meaning=meaning)
        assert len(lines) == len(TALKS["en"])
        assert all(not f.reasons.words for f in lines)


TEXTS = st.lists(
    st.sampled_from([*ENGLISH, *FRENCH, "", "?", "…", "🙂", "A" * 3000]), min_size=1, max_size=14
)


@given(said=TEXTS, cut=st.integers(0, 14), limit=st.integers(1, 20))
def test_whatever_is_said_the_order_is_one(said: list[str], cut: int, limit: int) -> None:
    """Appended or built, the same lines in the same order, each once, relevance within bounds."""
    words, lines = language("fr"), talk(*said)
    vectors = embedded(windows(lines), words)[::2]
    query = read_query(FRENCH[4], words, vector=direction(FRENCH[4], words), cast=CAST)
    whole = search(Transcript.build(lines, words, vectors), query, limit)
    moved = Transcript.build(lines[:cut], words).update(lines[cut:]).update(vectors=vectors)
    assert search(moved, query, limit) == whole
    assert len({f.line.message_id for f in whole}) == len(whole) == min(limit, len(lines))
    assert all(0 <= f.relevance <= 1 for f in whole)
    assert [f.score for f in whole] == sorted((f.score for f in whole), reverse=True)


def test_another_transcript_moves_nothing() -> None:
    """Scores, relevance and reasons of one talk are the same whatever else was searched meanwhile."""
    alone = found("fr", FRENCH[4], meaning=True)
    found("fr", FRENCH[4], meaning=True, lines=talk(*FRENCH * 20, thread="other"))
    assert found("fr", FRENCH[4], meaning=True) == alone
