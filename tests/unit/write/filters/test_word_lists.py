"""The lists that the filters read exist in each language."""

from __future__ import annotations

import pytest

from souvenance.lang import language

LISTS = [
    "attitudes",
    "character_words",
    "circle",
    "clause_joins",
    "complement_words",
    "conditions",
    "conjunctions",
    "determiners",
    "email_cues",
    "endings",
    "factives",
    "first_person",
    "first_subjects",
    "former",
    "frame_words",
    "function_words",
    "harmless_number_cues",
    "hedges",
    "knowing",
    "lessening",
    "likings",
    "links",
    "national_id_cues",
    "negation_opens",
    "negation_turns",
    "negation_words",
    "no_negation",
    "no_reserve",
    "only_words",
    "orders_acting",
    "orders_always",
    "orders_authority",
    "orders_obey",
    "orders_override",
    "orders_own",
    "orders_reveal",
    "orders_rules",
    "orders_secrets",
    "orders_unbound",
    "orders_void",
    "other_id_cues",
    "other_than",
    "passport_cues",
    "past_words",
    "phone_cues",
    "related",
    "requests",
    "reserve",
    "reserve_told",
    "restarts",
    "spelled_numbers",
    "subject_words",
    "tell_me",
    "third_person",
    "units",
    "user_words",
    "you_me",
]


@pytest.mark.parametrize("code", ["fr", "en"])
@pytest.mark.parametrize("name", LISTS)
def test_a_language_has_every_list_the_filters_read(code, name):
    """A filter that finds no list would silently let everything through in that language."""
    assert name in language(code).words


@pytest.mark.parametrize("code", ["fr", "en"])
@pytest.mark.parametrize("name", ["spelled_numbers"])
def test_every_number_word_has_a_value(code, name):
    """A line without its figure would stop the filter at the first message."""
    assert all(entry.split()[-1].isdigit() for entry in language(code).words[name])
