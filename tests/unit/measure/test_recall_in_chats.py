"""What `bench/recall_in_chats.py` stores and asks, who it takes a name to be, and how it counts."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from rich.console import Console

import recall_in_chats
from chat_cases import Asked, chats_of, nearest
from recall_names import Relation, who_is_who, with_relations
from souvenance.lang import language
from souvenance.ports import Vector


class LetterEmbedder:
    """A vector for each text from its letters alone."""

    name = "letters"
    threshold = 0.2

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, query_in: str | None = None
    ) -> Vector:
        rows = [np.random.default_rng(zlib.crc32(t.encode())).standard_normal(16) for t in texts]
        return np.array([r / np.linalg.norm(r) for r in rows], np.float32)

    async def close(self) -> None:
        """Nothing to close."""


def fact(text: str, origin: int, until: int | None, *needed: int) -> dict[str, Any]:
    return {"text": text, "from": origin, "valid_until": until, "needed_at": list(needed)}


def talk(name: str, lang: str, said: Sequence[str], facts: Sequence[Any]) -> dict[str, Any]:
    """A conversation in which the person and the character take turns."""
    messages = [
        {"role": "character" if n % 2 else "user", "text": text} for n, text in enumerate(said)
    ]
    return {
        "id": name, "lang": lang, "user_name": name, "messages": messages, "facts": list(facts),
    }  # fmt: skip


OTILIA = talk(
    "Otilia",
    "en",
    [
        "My brother Wendell mends clocks. It rained all day here.",
        "A fine trade.",
        "I now keep bees, four hives.",
        "Four! Are they calm?",
        "Five hives now. Would they bother Wendell?",
    ],
    [
        fact("Otilia's brother Wendell mends clocks.", 0, None, 4),
        fact("Otilia keeps four hives.", 2, 4, 4),
        fact("Otilia keeps five hives.", 4, None),
        fact("Otilia has no hives.", 0, 2),
    ],
)
BRAM = talk(
    "Bram", "en", ["I row.", "Far?", "Where was it again?"], [fact("Bram rows.", 0, None, 2)]
)


@pytest.mark.parametrize(
    ("code", "person", "text", "name", "noun", "phrase"),
    [
        ("fr", "Hermine", "La sœur de Hermine, Lucile, est luthière.", "Lucile", "sœur", "La sœur de Hermine"),
        ("fr", "Hermine", "Barnabé, le petit frère d'Hermine, a une moto.", "Barnabé", "petit frère", "le petit frère d'Hermine"),
        ("fr", "Hermine", "Hermine loge chez sa cousine Edwige.", "Edwige", "cousine", "sa cousine"),
        ("fr", "Hermine", "Le fils d'Hermine s'appelle Tancrède.", "Tancrède", "fils", "Le fils d'Hermine"),
        ("en", "Otilia", "Otilia's brother Wendell mends clocks.", "Wendell", "brother", "Otilia's brother"),
        ("en", "Otilia", "Maud is Otilia's younger sister.", "Maud", "younger sister", "Otilia's younger sister"),
        ("en", "Otilia", "Otilia went to Crete with her husband Jasper.", "Jasper", "husband", "her husband"),
        ("en", "Otilia", "Clement, my neighbour, plays the tuba.", "Clement", "neighbour", "my neighbour"),
    ],
)  # fmt: skip
def test_a_name_next_to_a_relation_is_that_relation(
    code: str, person: str, text: str, name: str, noun: str, phrase: str
) -> None:
    """The phrase is kept as told, so that whatever says it in the first person says it rightly."""
    assert who_is_who([text], [person], language(code)) == {name: Relation(noun, phrase)}


@pytest.mark.parametrize(
    ("code", "person", "text"),
    [
        ("fr", "Hermine", "Barnabé et sa sœur vivent à Dinard."),
        ("fr", "Hermine", "La sœur de Barnabé est luthière."),
        ("fr", "Hermine", "La sœur d'Hermine vit à Dinard."),
        ("fr", "Hermine", "Hermine a vendu le piano de Lucile à sa cousine."),
        ("en", "Otilia", "Wendell and her sister live in Hull."),
        ("en", "Otilia", "Wendell's sister mends clocks."),
        ("en", "Otilia", "Otilia's sister lives in Hull."),
        ("en", "Otilia", "Otilia met Wendell. Her sister was away."),
        ("en", "Otilia", "A brother of the order came by."),
    ],
)
def test_a_name_that_only_stands_near_a_relation_is_nobody(
    code: str, person: str, text: str
) -> None:
    """A wrong relation would be told in every memory of that name."""
    assert not who_is_who([text], [person], language(code))


def test_a_relation_is_set_once_after_a_name_that_does_not_tell_it() -> None:
    """ "My brother" then finds the memories that only say his name, and those that say both do not change."""
    known = {"Wendell": Relation("brother", "Otilia's brother")}
    assert (
        with_relations("Wendell owes Wendell & Co money.", known)
        == "Wendell, Otilia's brother, owes Wendell & Co money."
    )
    assert (
        with_relations("She lent a saw to Wendell.", known)
        == "She lent a saw to Wendell, Otilia's brother."
    )
    for same in ("Her Brother Wendell is late.", "Wendell's saw broke.", "Wendelline is late."):
        assert with_relations(same, known) == same


def test_only_what_was_told_before_a_message_and_is_still_true_is_a_memory_for_it() -> None:
    """What the message itself tells would come first, and it is no memory yet when the turn is served."""
    (asked,) = chats_of([OTILIA], "en").asked
    assert (asked.wanted, asked.absent) == ({0, 1}, {2, 3})


def test_a_question_knows_the_two_messages_before_it() -> None:
    """They are what an elliptic message leans on."""
    (asked,) = chats_of([OTILIA], "en").asked
    assert (asked.previous, asked.line) == ("I now keep bees, four hives.", "Four! Are they calm?")


def test_the_memories_of_every_conversation_of_a_language_are_in_the_way() -> None:
    """Rows go on from one conversation to the next, and other languages are left out."""
    other = talk("Hermine", "fr", ["Je rame."], [fact("Hermine rame.", 0, None)])
    chats = chats_of([OTILIA, other, BRAM], "en")
    assert [m.text for m in chats.stored][-1] == "Bram rows."
    assert len(chats.stored) == 5
    assert [a.wanted for a in chats.asked] == [{0, 1}, {4}]


@pytest.mark.parametrize(
    ("code", "told", "said", "clause"),
    [
        ("en", "Otilia's brother mends clocks.", "It rained. My brother mends clocks. Bye now.", "My brother mends clocks."),
        ("fr", "Hermine est luthière.", "Quel temps ! Je suis luthière à Dinard. Et toi ?", "Je suis luthière à Dinard."),
        ("en", "Otilia is tall.", "Yes I am. So they say.", "Yes I am."),
    ],
)  # fmt: skip
def test_the_clause_a_fact_rests_on_shares_the_most_words_with_it(
    code: str, told: str, said: str, clause: str
) -> None:
    """With nothing in common the first stands for the message."""
    assert nearest(told, said, language(code)) == clause


def test_a_memory_that_is_not_there_takes_no_place() -> None:
    """Three better ones that are absent leave the fourth the first place."""
    question = Asked("?", "", "", frozenset({3, 7}), frozenset({0, 1, 2}))
    scores = np.array([[9, 8, 7, 6, 5, 4, 3, 2, 1]], np.float32)
    assert recall_in_chats.recalls([question], scores).tolist() == [[0.5, 1.0, 1.0]]


def test_a_difference_is_beyond_chance_only_when_most_questions_share_it() -> None:
    """One question that gains among twenty is within it."""
    none, every, one = (np.zeros((20, 3), np.float32) for _ in range(3))
    every += 0.5
    one[0] = 1
    assert recall_in_chats.difference(none, none) == (0, 0, 0)
    assert recall_in_chats.difference(every, none) == pytest.approx((0.5, 0.5, 0.5))
    mean, low, _ = recall_in_chats.difference(one, none)
    assert (mean, low) == (pytest.approx(0.05), 0)


def test_every_row_scores_every_memory_for_every_question_and_only_its_own_part_changes() -> None:
    """A row that forgot what it adds would read as "no difference"."""
    chats = chats_of([OTILIA, BRAM], "en")
    space = asyncio.run(
        recall_in_chats.space_of(chats, LetterEmbedder(), None, Console(stderr=True))
    )
    scores = {name: row(space) for name, row in recall_in_chats.rows().items()}
    assert {s.shape for s in scores.values()} == {(2, 5)}
    alone = scores.pop(recall_in_chats.ALONE)
    assert all(np.isfinite(s).all() for s in scores.values())
    same = {name for name, s in scores.items() if np.array_equal(s, alone)}
    assert same == {"names explained, in meaning", "names explained, in words too"}
    short = scores["the same, to those under 8 words"]
    assert not np.array_equal(short[1], alone[1])
    assert chats.asked[1].message == "Where was it again?"
