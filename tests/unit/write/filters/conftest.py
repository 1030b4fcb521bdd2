"""An exchange and a verdict from a few words, for the tables of cases."""

from __future__ import annotations

from collections.abc import Callable
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
    Verdict,
)
from souvenance.write.filters import screen

Screened = Callable[..., Verdict]


def exchange(
    *said: tuple[Role, str], language: str, person: str | None, character: str
) -> Exchange:
    """The messages as one exchange between the two."""
    address = Address(DEFAULT_SPACE, PersonId("p"), CharacterId("c"))
    at = datetime(2026, 3, 2, tzinfo=UTC)
    messages = tuple(
        Message(address, MAIN_THREAD, MessageId(str(n)), None, role, Redacted(text), at, "")
        for n, (role, text) in enumerate(said)
    )
    who = Character(DEFAULT_SPACE, CharacterId("c"), character, "", language)
    return Exchange(messages, Person(DEFAULT_SPACE, PersonId("p"), person), who)


@pytest.fixture
def screened() -> Screened:
    """What `screen` decides of a candidate that rests on words of the person (Nadège, with Corbin)."""

    def run(
        lang: str,
        user: str,
        text: str,
        quote: str | None = None,
        *,
        kind: Kind = Kind.FACT,
        reply: str = "…",
        person: str | None = "Nadège",
        character: str = "Corbin",
        confidence: float = 0.9,
        min_confidence: float = 0.0,
    ) -> Verdict:
        said = exchange(
            ("user", user), ("character", reply), language=lang, person=person, character=character
        )
        candidate = Candidate(
            text, kind, Scope.GLOBAL, confidence, user if quote is None else quote
        )
        return screen(candidate, said, min_confidence)

    run.exchange = lambda lang, user: exchange(  # type: ignore[attr-defined]
        ("user", user), ("character", "…"), language=lang, person="Nadège", character="Corbin"
    )
    return run
