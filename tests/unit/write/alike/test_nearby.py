"""The short list never changes a decision: what it leaves out, comparing would have refused."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_TIMELINE,
    Address,
    Cause,
    CharacterId,
    Kind,
    Memory,
    MemoryId,
    MessageId,
    PersonId,
    Redacted,
)
from souvenance.lang import language
from souvenance.write.alike.nearby import Known
from souvenance.write.alike.similarity import compare
from souvenance.write.alike.slips import is_slip
from souvenance.write.words.decisive import read

AT = Address(DEFAULT_SPACE, PersonId("ana"), CharacterId("mo"))
NOW = datetime(2026, 3, 2, tzinfo=UTC)

#: Openings, pieces and endings that sentences are made of; a "+" is a place where a compound may be cut.
POOLS = {
    "fr": (
        ["Je répare", "Elle élève", "Il n'aime pas", "Son frère prépare", "J'ai vu", "Je ne fais plus",
         "Il est en train de réparer", "Elle rafistole"],
        ["ruches", "clari+nettes", "cerfs+volants", "pâtisserie", "passerelle", "Solène", "mosaïques",
         "grand+père", "vélos", "télé+phones", "trois tortues", "12 €", "l'école", "sœur", "garçons"],
        ["", "le mardi", "en juin", "demain", "avant Noël", "avec Bastien", "à Vannes", "depuis 2019",
         "sur le toit", "vingt-deux fois", "sans son père", "et ma tante"],
    ),
    "en": (
        ["I repair", "She raises", "He doesn't like", "Her brother bakes", "I saw", "I no longer sell",
         "He is in the habit of fixing", "She mends"],
        ["bee+hives", "clarinets", "green+houses", "pottery", "lanterns", "Solveig", "mosaics",
         "grand+father", "bicycles", "motor+bike", "three tortoises", "$12", "the school", "naïve art"],
        ["", "on Tuesday", "in June", "tomorrow", "before Easter", "with Barnaby", "in Hull", "since 2019",
         "on the roof", "twenty-two times", "without his father", "and my aunt"],
    ),
}  # fmt: skip


def sentence(rng: random.Random, code: str) -> str:
    """A sentence from the pools."""
    opening, pieces, ending = POOLS[code]
    middle = rng.sample(pieces, rng.randint(1, 3))
    return " ".join([rng.choice(opening), *middle, rng.choice(ending)]).strip() + "."


def said_again(rng: random.Random, text: str, code: str) -> str:
    """The sentence with none to three accidents: a slip, a cut, a piece more or less, another spelling."""
    words = text.rstrip(".").split()
    for _ in range(rng.randint(0, 3)):
        at = rng.randrange(len(words))
        accident = rng.randrange(6)
        if accident == 0:
            words[at] = _slipped(rng, words[at])
        elif accident == 1:
            words[at] = words[at].replace("+", rng.choice(["-", " ", ""]))
        elif accident == 2 and len(words) > 2:
            del words[at]
        elif accident == 3:
            words.insert(at, rng.choice(POOLS[code][1]))
        elif accident == 4:
            words[at] = words[at].upper()
        else:
            words[at] = words[at].replace("é", "e").replace("œ", "oe").replace("î", "i")
    return " ".join(words) + rng.choice([".", " !", ""])


def _slipped(rng: random.Random, word: str) -> str:
    if not word:
        return word
    at = rng.randrange(len(word))
    return rng.choice([
        word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :],
        word[:at] + word[at] + word[at:],
        word[:at] + word[at + 1 :],
        word[:at] + rng.choice("aeiszcmnh") + word[at:],
        word[:at] + rng.choice("aeiszcmn") + word[at + 1 :],
    ])  # fmt: skip


def joined(text: str) -> str:
    """The text with its compounds in one word."""
    return text.replace("+", "")


def memory(number: int, text: str, *messages: str) -> Memory:
    return Memory(
        MemoryId(f"m{number}"), AT, MAIN_TIMELINE, None, Kind.FACT, Redacted(text), NOW, NOW, Cause("hand"),
        messages=tuple(MessageId(m) for m in messages),
    )  # fmt: skip


def texts_of(seed: int, code: str, size: int) -> list[str]:
    """Sentences and what becomes of them when they are said again."""
    rng = random.Random(seed)
    first = [sentence(rng, code) for _ in range(max(1, size // 4))]
    again = [said_again(rng, rng.choice(first), code) for _ in range(size - len(first))]
    return [joined(text) for text in (*first, *again)]


def same_as(text: str, texts: Sequence[str], code: str) -> list[str]:
    """What comparing with every text gives."""
    words = language(code)
    return [other for other in texts if compare(text, other, words).same]


def near(text: str, texts: Sequence[str], code: str) -> list[str]:
    """What comparing with the short list gives."""
    known = Known([memory(n, t) for n, t in enumerate(texts)], language(code))
    return same_as(text, [m.text for m in known.could_be_same(text)], code)


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 10**9), code=st.sampled_from(["fr", "en"]))
def test_the_short_list_decides_as_comparing_with_every_memory(seed: int, code: str) -> None:
    """An index that misses one twin would fill the memory with repetitions that nobody can explain."""
    texts = texts_of(seed, code, 24)
    for text in texts[:8]:
        assert near(text, texts, code) == same_as(text, texts, code)


@pytest.mark.parametrize("code", ["fr", "en"])
def test_ten_thousand_comparisons_decide_alike_and_most_are_spared(code: str) -> None:
    """The same on one large memory, where some texts are the same and nearly all are not."""
    texts = texts_of(7, code, 400)
    known = Known([memory(n, t) for n, t in enumerate(texts)], language(code))
    twins = looked_at = 0
    for text in texts[::8]:
        found = [m.text for m in known.could_be_same(text)]
        expected = same_as(text, texts, code)
        assert same_as(text, found, code) == expected
        twins += len(expected)
        looked_at += len(found)
    assert len(texts[::8]) * len(texts) == 20_000
    assert twins > 100
    assert looked_at < 20_000 / 10


@settings(max_examples=300, deadline=None)
@given(
    a=st.text("abcehiélmnorstuz -1", min_size=1, max_size=30),
    b=st.text("abcehiélmnorstuz -1", min_size=1, max_size=30),
    code=st.sampled_from(["fr", "en"]),
)
def test_texts_of_any_letters_are_found_as_well(a: str, b: str, code: str) -> None:
    """Sentences from pools are polite; people are not."""
    assert near(a, [b, a], code) == same_as(a, [b, a], code)


@settings(max_examples=500, deadline=None)
@given(word=st.text("aceilmnrstz", min_size=6, max_size=12), seed=st.integers(0, 10**6))
def test_a_word_is_found_again_after_one_slip(word: str, seed: int) -> None:
    """The keys of a word and of its slip must meet, whichever letter slipped."""
    other = _slipped(random.Random(seed), word)
    words = language("fr")
    one, two = (read(w, words).content for w in (word, other))
    if len(one) == len(two) == 1 and is_slip(one[0], two[0], words):
        known = Known([memory(1, f"{other} tranquille")], words)
        assert known.could_be_same(f"{word} tranquille")


COMPOUNDS = [
    ("fr", "Je répare des cerf-volants.", "Je répare des cerfvolants."),
    ("fr", "Je répare des cerfvolants.", "Je répare des cerf-volants."),
    ("en", "She is a bee-keeper.", "She is a beekeeper."),
    ("en", "She is a beekeeper.", "She is a bee keeper."),
]


@pytest.mark.parametrize(("code", "a", "b"), COMPOUNDS)
def test_a_compound_is_found_in_one_word_and_in_two(code: str, a: str, b: str) -> None:
    """The two spellings share no form, only the letters in a row."""
    assert near(a, [b], code) == [b]


@pytest.mark.parametrize(("code", "a", "b"), COMPOUNDS)
def test_a_compound_is_found_among_many_words_as_well(code: str, a: str, b: str) -> None:
    """A long text has more pairs of words than the memories have words: they are tried the other way round."""
    words = language(code)
    many = " ".join(f"{x}{y}{x}a" for x in "bdfgklmnprst" for y in "aeiou")
    text = f"{a.rstrip('.')} {many}."
    known = Known([memory(1, b), memory(2, many)], words)
    assert [m.text for m in known.could_be_same(text)][:1] == [b]
    assert len(read(text, words).content) ** 2 > len(known._vocabulary._forms)


def test_a_text_of_small_words_is_found_by_its_words() -> None:
    """A sentence without content can still be the same sentence."""
    assert near("C'est pour lui.", ["C'est pour elle.", "C'est pour lui !"], "fr") == [
        "C'est pour lui !"
    ]


def everything(known: Known, texts: Sequence[str]) -> list[list[Memory]]:
    """What a table of memories answers to all it can be asked."""
    forms = sorted({i.form for t in texts for i in read(t, known.words).items})
    messages = [MessageId(str(n)) for n in range(8)]
    return [
        list(known),
        list(reversed(known))[::-1],
        *(known.could_be_same(t) for t in texts),
        *(known.holding([f]) for f in forms),
        *(known.resting_on([m]) for m in messages),
        known.valued("town"),
    ]


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_moving_forward_gives_what_building_anew_gives(seed: int) -> None:
    """An index that drifts from the store decides on memories that are gone."""
    rng = random.Random(seed)
    words = language("fr")
    texts = texts_of(seed, "fr", 12)
    made = [memory(n, t, str(n % 5)) for n, t in enumerate(texts)]
    made[3] = replace(made[3], entity="ana", attribute="town", value="Vannes")
    known = Known(made[:9], words)
    changed = replace(made[2], text=Redacted(rng.choice(texts)), entity="ana", attribute="town")
    known.advance([*made[9:], changed, replace(made[3], entity=None)])
    anew = Known(
        [*(m for m in made if m not in (made[2], made[3])), changed, replace(made[3], entity=None)],
        words,
    )
    assert everything(known, texts) == everything(anew, texts)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_a_draft_is_seen_while_it_lasts_and_leaves_nothing(seed: int) -> None:
    """What was decided and could not be committed must not be remembered by the index alone."""
    texts = texts_of(seed, "fr", 10)
    made = [memory(n, t, str(n % 5)) for n, t in enumerate(texts)]
    known = Known(made[:8], language("fr"))
    before = everything(known, texts)
    with known.draft():
        known.put(made[8])
        known.put(replace(made[1], text=made[9].text, messages=(MessageId("7"),)))
        known.put(replace(made[1], text=made[0].text))
        assert made[8] in known.could_be_same(made[8].text)
        assert known.get(MemoryId("m1")) in known.could_be_same(made[0].text)
        assert [m.memory_id for m in known][:8] == [m.memory_id for m in made[:8]]
    assert everything(known, texts) == before


def test_a_memory_rests_on_all_the_messages_that_are_asked() -> None:
    """Said again in two messages is not the same as said in one of them."""
    known = Known([memory(1, "a", "1"), memory(2, "b", "1", "2", "3")], language("en"))
    assert [m.memory_id for m in known.resting_on([MessageId("1"), MessageId("3")])] == ["m2"]
    assert known.resting_on([]) == []
