"""A memory is told about somebody and a message said by them: both are brought to one voice before they are compared."""

from __future__ import annotations

import pytest

from souvenance.lang import codes, language
from souvenance.lang.everyday import in_plain_words
from souvenance.lang.voice import dominant_name, in_first_person

SAID = [
    ("en", "Ottoline keeps bees in Kent.", ["Ottoline"], "I keeps bees in Kent."),
    ("en", "Ottoline's bees swarmed.", ["Ottoline"], "My bees swarmed."),
    ("en", "Ottoline’s bees swarmed.", ["Ottoline"], "My bees swarmed."),
    ("en", "Her bees follow Ottoline.", ["Ottoline"], "My bees follow I."),
    ("en", "Noor tunes organs.", ["Ottoline"], "Noor tunes organs."),
    ("en", "My sister sold his boat.", ["Ottoline"], "My sister sold his boat."),
    ("en", "The user keeps bees.", ["the user"], "The user keeps bees."),
    ("en", "the user's bees swarmed", ["the user"], "my bees swarmed"),
    ("en", "Ottoline Marsh sings.", ["Ottoline", "Ottoline Marsh"], "I sings."),
    ("en", "Ana sails with Anabel.", ["Ana"], "I sails with Anabel."),
    ("fr", "Odile élève des abeilles.", ["Odile"], "Je élève des abeilles."),
    ("fr", "Le frère d'Odile navigue.", ["Odile"], "Le frère à moi navigue."),
    ("fr", "Le frère de Maxence navigue.", ["Maxence"], "Le frère à moi navigue."),
    ("fr", "Son frère navigue.", ["Odile"], "Mon frère navigue."),
    ("fr", "J'aime son frère.", ["Odile"], "J'aime son frère."),
    ("fr", "Odile aime qu'on l'attende.", ["Odile"], "Je aime qu'on l'attende."),
    ("fr", "La maison de Maxencelle est vide.", ["Maxence"], "La maison de Maxencelle est vide."),
]  # fmt: skip


@pytest.mark.parametrize(("code", "text", "names", "said"), SAID)
def test_a_line_about_somebody_reads_as_they_would_say_it(
    code: str, text: str, names: list[str], said: str
) -> None:
    """Only whole names, and only where nobody speaks of themselves already."""
    assert in_first_person(text, names, language(code)) == said


@pytest.mark.parametrize("code", codes())
def test_without_a_name_nothing_changes(code: str) -> None:
    """Whose line it is must be known."""
    text = "Her son keeps his bees; sa fille aime ses abeilles."
    assert in_first_person(text, (), language(code)) == text


@pytest.mark.parametrize("name", ["", "a.b", "x|y", "(", "Zoë", "\\d", "de X"])
def test_a_name_is_not_a_pattern(name: str) -> None:
    """Names come from people."""
    names = [n for n in (name,) if n]
    text = f"{name} keeps bees with 4 others."
    assert "bees with 4 others" in in_first_person(text, names, language("en"))


def test_the_name_that_stands_in_most_lines_is_the_person() -> None:
    """When nobody said who it is about."""
    lines = [f"Ottoline saw heron number {n}." for n in range(9)]
    assert dominant_name([*lines, "Noor tunes organs.", "The Noor is wide."]) == "Ottoline"
    assert dominant_name(lines[:5]) is None
    assert dominant_name(["The heron sleeps."] * 9 + ["Under the bridge."] * 2) is None
    assert dominant_name([]) is None


PLAIN = [
    ("fr", "Ma frangine arrive.", "Ma sœur arrive."),
    ("fr", "J'ai vu la Frangine.", "J'ai vu la Frangine."),
    ("fr", "Frangine en vue !", "sœur en vue !"),
    ("fr", "Le chien dort.", "Le chien dort."),
    ("en", "my bro is here", "my brother is here"),
    ("en", "I met Bro yesterday", "I met Bro yesterday"),
    ("en", "", ""),
]


@pytest.mark.parametrize(("code", "text", "plain"), PLAIN)
def test_an_everyday_word_is_said_plainly_and_a_name_stays(
    code: str, text: str, plain: str
) -> None:
    """What is written with a capital inside a sentence is somebody's name."""
    assert in_plain_words(text, language(code)) == plain


@pytest.mark.parametrize("code", codes())
def test_no_everyday_word_leads_to_another(code: str) -> None:
    """Said twice, a text changes no more."""
    words = language(code)
    for word, plain in words.everyday.items():
        once = in_plain_words(f"x {word}", words)
        assert in_plain_words(once, words) == once, (word, plain)
