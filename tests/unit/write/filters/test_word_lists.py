"""The lists that the filters read exist in each language."""

from __future__ import annotations

import pytest

from souvenance.lang import language

LISTS = [
    "after_no_more",
    "approximations",
    "attitudes",
    "auxiliaries",
    "bland",
    "borrowed_ends",
    "borrowed_labels",
    "borrowed_own",
    "borrowed_shows",
    "borrowed_tells",
    "borrowed_texts",
    "borrowed_wrote",
    "borrowed_yours",
    "character_words",
    "chatter",
    "circle",
    "clause_joins",
    "cleft_words",
    "commitments",
    "comparing_words",
    "complement_words",
    "conditions",
    "conjunctions",
    "contraries",
    "determiners",
    "email_cues",
    "endings",
    "factives",
    "feelings",
    "first_person",
    "first_subjects",
    "former",
    "frame_acts",
    "frame_words",
    "function_words",
    "harmless_number_cues",
    "hedges",
    "height_openers",
    "heights",
    "knowing",
    "lasting",
    "lessening",
    "likings",
    "links",
    "modal_verbs",
    "national_id_cues",
    "negation_opens",
    "negation_turns",
    "negation_words",
    "no_negation",
    "no_reserve",
    "not_me",
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
    "ourselves",
    "passport_cues",
    "past_forms",
    "past_words",
    "pledges",
    "phone_cues",
    "pointing_subjects",
    "promise_acts",
    "related",
    "reporting",
    "requests",
    "reserve",
    "reserve_final",
    "reserve_told",
    "restarts",
    "rivals",
    "soft_past",
    "spelled_numbers",
    "still_so",
    "subject_words",
    "subordinators",
    "tell_me",
    "things",
    "third_person",
    "together",
    "truth_words",
    "units",
    "user_words",
    "wills",
    "you_me",
    "you_to_me",
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
