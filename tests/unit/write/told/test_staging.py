"""What is played between asterisks stays in the story, whatever a model makes of it."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_THREAD,
    Address,
    Candidate,
    Character,
    CharacterId,
    Exchange,
    Kind,
    Message,
    MessageId,
    Person,
    PersonId,
    Redacted,
    Role,
    Scope,
)
from souvenance.write.reflection import parse

HERE = Address(DEFAULT_SPACE, PersonId("lou"), CharacterId("basile"))
LATE = datetime(2026, 3, 2, 23, 30, tzinfo=UTC)


def proposed(code: str, message: str, text: str, quote: str, role: Role = "user") -> Candidate:
    """The one candidate of a model that calls everything a fact known everywhere."""
    said = Message(HERE, MAIN_THREAD, MessageId("m"), None, role, Redacted(message), LATE, "")
    character = Character(DEFAULT_SPACE, HERE.character, "Basile", "A cooper.", code)
    exchange = Exchange((said,), Person(DEFAULT_SPACE, HERE.person, "Samir"), character)
    item = {"text": text, "kind": "fact", "scope": "global", "confidence": 0.9, "quote": quote}
    answer = json.dumps({"candidates": [item | {"entity": "person", "attribute": "weapon"}]})
    (candidate,) = parse(answer, exchange, ["m"]).candidates
    return candidate


@pytest.mark.parametrize(
    ("code", "message", "text", "quote"),
    [
        ("fr", "*sort son épée et avance*", "Samir a une épée.", "*sort son épée*"),
        ("fr", "*sort son épée et avance*", "Samir a une épée.", "sort son épée et avance"),
        ("fr", "Salut ! *Je selle ma jument.*", "Samir a une jument.", "Je selle ma jument."),
        (
            "fr",
            "Salut ! *je selle ma jument grise*",
            "Samir a une jument.",
            "Salut ! *je selle ma jument grise*",
        ),
        ("en", "*draws a sword and kills the dragon*", "Samir has a sword.", "draws a sword"),
        ("en", "Evening. *I lock my tavern for the night*", "Samir owns a tavern.", "my tavern"),
        ("en", "*I'm the king of Thule*", "Samir is a king.", "I'm the king of Thule"),
    ],
)
def test_what_is_played_is_an_episode_of_its_thread(
    code: str, message: str, text: str, quote: str
) -> None:
    """A sword drawn in a story is owned by nobody in the next conversation."""
    candidate = proposed(code, message, text, quote)
    assert (candidate.kind, candidate.scope) == (Kind.EPISODE, Scope.THREAD)
    assert (candidate.entity, candidate.attribute, candidate.value) == (None, None, None)


@pytest.mark.parametrize(
    ("code", "message", "text", "quote"),
    [
        ("fr", "*sourit* J'ai une vraie épée.", "Samir a une épée.", "J'ai une vraie épée."),
        ("fr", "*sourit* J'ai une vraie épée.", "Samir a une épée.", "*sourit* J'ai une vraie épée."),
        ("fr", "J'ai *vraiment* peur du vide.", "Samir a peur du vide.", "J'ai *vraiment* peur du vide."),
        ("en", "*nods* I keep two ferrets.", "Samir keeps two ferrets.", "*nods* I keep two ferrets."),
        ("en", "I own a sword. *draws the sword*", "Samir owns a sword.", "I own a sword."),
        ("en", "I own a sword.", "Samir owns a sword.", "I own a sword."),
    ],
)  # fmt: skip
def test_what_is_told_beside_a_stage_direction_stays_a_fact(
    code: str, message: str, text: str, quote: str
) -> None:
    """A nod before a true thing makes no story of it."""
    candidate = proposed(code, message, text, quote)
    assert (candidate.kind, candidate.scope) == (Kind.FACT, Scope.GLOBAL)


def test_what_the_character_plays_is_not_known_everywhere() -> None:
    """The character acts in the story too."""
    candidate = proposed(
        "en", "*opens its inn*", "Basile has an inn.", "opens its inn", "character"
    )
    assert candidate.scope is Scope.THREAD
