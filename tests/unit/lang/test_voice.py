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
    ("en", "The user keeps bees.", ["the user"], "I keeps bees."),
    ("en", "the user's bees swarmed", ["the user"], "my bees swarmed"),
    ("en", "Ottoline Marsh sings.", ["Ottoline", "Ottoline Marsh"], "I sings."),
    ("en", "Ana sails with Anabel.", ["Ana"], "I sails with Anabel."),
    ("en", "Ottoline's bees swarmed.", ["ottoline"], "My bees swarmed."),
    ("en", "Ottoline's bees swarmed.", ["OTTOLINE"], "My bees swarmed."),
    ("en", "AJ's bees swarmed, and Aj stayed.", ["AJ"], "My bees swarmed, and Aj stayed."),
    ("en", "James' bees swarmed.", ["James"], "My bees swarmed."),
    ("en", "The bees of James’ aunt.", ["James"], "The bees of my aunt."),
    ("en", "Noor calls this 'Otty'.", ["Otty"], "Noor calls this 'I'."),
    ("en", "Will and Noor will sail.", ["will"], "I and Noor will sail."),
    ("en", "Ana-Lucia sails with Ana.", ["Ana"], "Ana-Lucia sails with I."),
    ("en", "Mary-Ana sails.", ["Ana"], "Mary-Ana sails."),
    ("en", "Zoe\u0301 sails.", ["Zoé"], "I sails."),
    ("en", "Zoé sails.", ["Zoe\u0301"], "I sails."),
    ("en", "Zoe\u0301 sails.", ["Zoe"], "Zoé sails."),
    ("en", "\u0930\u093e\u092e\u093e sails.", ["\u0930\u093e\u092e"], "\u0930\u093e\u092e\u093e sails."),
    ("en", "Ottoline   Marsh sails.", ["Ottoline\u00a0 Marsh"], "I sails."),
    ("en", "Her bees swarmed.", [" "], "Her bees swarmed."),
    ("fr", "Jean-Pierre élève des abeilles.", ["Pierre"], "Jean-Pierre élève des abeilles."),
    ("fr", "Le frère d’Odile navigue.", ["odile"], "Le frère à moi navigue."),
    ("fr", "L’utilisateur aime la mer.", ["l'utilisateur"], "Je aime la mer."),
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


@pytest.mark.parametrize("code", codes())
def test_blanks_in_a_name_are_tried_in_one_way(code: str) -> None:
    """Each blank on its own, a name with twelve of them would take hours on a long run of blanks."""
    text = "a" + " " * 20_000 + "x"
    assert in_first_person(text, ["a" + " " * 12 + "b"], language(code)) == text


@pytest.mark.parametrize("code", codes())
def test_what_is_too_long_for_a_name_is_not_looked_for(code: str) -> None:
    """A pattern of ten thousand characters costs half a second."""
    assert in_first_person("ab " * 99, ["ab " * 99], language(code)) == "ab " * 99


def test_two_names_in_as_many_lines_give_the_same_one_in_every_process() -> None:
    """The order of a set differs from one process to the next, and vectors made of another name too."""
    lines = ["Zed, Noor, Ivo, Ada and Ottoline saw a heron."] * 9
    assert dominant_name(lines) == "Ada"


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
