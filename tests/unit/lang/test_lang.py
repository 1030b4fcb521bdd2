"""Folding, tokens, stems and languages: what every comparison of texts stands on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from souvenance.lang import detect, fold, language, read_list, tokens


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Été À NOËL", "ete a noel"),
        ("l’œuf", "l'oeuf"),
        ("«\u00a0Oui\u202f»", '" oui "'),
        ("ＡＢＣ１２", "abc12"),
        ("e\u0301te\u0301", "ete"),
        ("zo\u200bé", "zoe"),
        ("Straße", "strasse"),
        ("1914–1918", "1914-1918"),
    ],
)
def test_typographic_variants_fold_to_one(text, folded):
    """What one keyboard writes and another does not must not tell two texts apart."""
    assert fold(text) == folded


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing(text):
    """Folded words are compared with folded lists."""
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("L'eau, j'aime ça !", ["l", "eau", "j", "aime", "ca"]),
        ("I don't know", ["i", "don", "t", "know"]),
        ("1,5 kg à 20 €", ["1,5", "kg", "a", "20", "€"]),
        ("grand-mère", ["grand", "mere"]),
        ("", []),
        ("…!?", []),
    ],
)
def test_words_and_figures_are_tokens(text, words):
    """A figure keeps its separators: 1,5 is neither 1 nor 5."""
    assert [t.word for t in tokens(text)] == words


@given(st.text(max_size=60))
def test_a_token_stands_where_it_says(text):
    """Offsets are used to cut the text as typed."""
    for token in tokens(text):
        assert text[token.start : token.end] == token.raw


@pytest.mark.parametrize(
    ("code", "one", "other"),
    [
        ("fr", "chevaux", "chevaux"),
        ("fr", "mangeait", "manger"),
        ("fr", "voisines", "voisine"),
        ("en", "running", "runs"),
        ("en", "sisters", "sister"),
    ],
)
def test_inflections_share_a_stem(code, one, other):
    """ "She runs" and "running" speak of the same thing."""
    words = language(code)
    assert words.stem(one) == words.stem(other)


def test_stems_leave_out_the_words_that_carry_grammar():
    """They would make any two sentences alike."""
    assert language("fr").stems("Je suis allé chez ma sœur à Nantes") == [
        language("fr").stem(w) for w in ("alle", "soeur", "nantes")
    ]
    assert language("en").stems("I've been to my sister's house") == [
        language("en").stem(w) for w in ("sister", "house")
    ]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (
            "fr",
            "je tu il elle on nous vous ils elles me te se lui leur moi toi y en qui que dont où",
        ),
        ("fr", "suis es est sommes êtes sont étais était étaient serai serait sera seront été"),
        ("fr", "ai as a avons avez ont avais avait avaient aurai aurait aura eu"),
        ("fr", "mon ton son ma ta sa mes tes ses notre votre nos vos leurs ce cet cette ces"),
        ("fr", "l d j m t s n c qu"),
        ("en", "i you he she it we they me him her us them my your his its our their who whom"),
        (
            "en",
            "am is are was were be been being do does did done have has had will would can could",
        ),
        ("en", "shall should may might must s t d ll m re ve"),
        (
            "en",
            "this that these those there here and or but if than then of to in on at by for with",
        ),
    ],
)
def test_function_words_are_complete(code, words):
    """Pronouns, auxiliaries and the halves of contractions carry grammar in every text."""
    assert {fold(w) for w in words.split()} <= language(code).words["function_words"]


def test_an_unknown_language_reads_as_english():
    """A setting with a typo must not stop a conversation."""
    assert language("xx").code == "en"
    assert language("fr-CA").code == "fr"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Je ne sais pas ce que tu veux dire", "fr"),
        ("I don't know what you mean by that", "en"),
        ("Mon chien s'appelle Pixel", "fr"),
        ("My dog is called Pixel", "en"),
        ("ça va ?", "fr"),
    ],
)
def test_the_language_is_read_from_the_small_words(text, code):
    """People change language in the middle of a thread."""
    other = "en" if code == "fr" else "fr"
    assert detect(text, default=other) == code


@pytest.mark.parametrize("text", ["", "ok", "Pixel", "42"])
def test_a_tie_gives_the_default(text):
    """The language of the character is the best guess when the text says nothing."""
    assert detect(text, default="fr") == "fr"
    assert detect(text, default="en") == "en"


def test_a_list_is_read_folded_and_without_comments():
    """Lists are written by people, with accents and notes."""
    assert read_list("# words\nÉté\n\n  noël # feast\n") == ["ete", "noel"]


@pytest.mark.parametrize("code", ["fr", "en"])
def test_every_entry_is_made_of_words(code):
    """An entry that no text can hold is a typo. Lists of signs hold one sign at least."""
    for name, entries in language(code).words.items():
        for entry in entries:
            assert tokens(entry) or not entry.isalnum(), (name, entry)
