"""Whatever a model answers, the outcome is proposals or `BadAnswer`: nothing else is raised, nothing is invented."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_THREAD,
    Address,
    Character,
    CharacterId,
    Exchange,
    Message,
    MessageId,
    Person,
    PersonId,
    Redacted,
)
from souvenance.errors import BadAnswer
from souvenance.write.reflection import MAX_CANDIDATES, MAX_TEXT, Proposals, parse

HERE = Address(DEFAULT_SPACE, PersonId("lou"), CharacterId("basile"))
SAID = Message(
    HERE,
    MAIN_THREAD,
    MessageId("m0"),
    None,
    "user",
    Redacted("I keep goats."),
    datetime(2026, 3, 2, tzinfo=UTC),
    "",
)
SPOKEN = Exchange(
    (SAID,),
    Person(DEFAULT_SPACE, PersonId("lou")),
    Character(HERE.space, HERE.character, "Basile", ""),
)

GOATS = '{"text": "Lou keeps goats.", "kind": "fact", "quote": "I keep goats"}'
BEES = '{"text": "Lou keeps bees.", "kind": "fact", "quote": "bees"}'


def read(raw: str) -> Proposals:
    return parse(raw, SPOKEN, [SAID.message_id])


def texts(raw: str) -> list[str]:
    return [c.text for c in read(raw).candidates]


USABLE: list[tuple[str, str, list[str]]] = [
    ("plain", f'{{"reasoning": "r", "candidates": [{GOATS}]}}', ["Lou keeps goats."]),
    ("nothing to keep", '{"reasoning": "r", "candidates": []}', []),
    ("null list", '{"candidates": null}', []),
    ("empty items", '{"candidates": [{}, null, {"text": ""}, {"text": null, "quote": ""}]}', []),
    ("code fence", f'```json\n{{"candidates": [{GOATS}]}}\n```', ["Lou keeps goats."]),
    ("code fence without a name", f'```\n{{"candidates": [{GOATS}]}}\n```', ["Lou keeps goats."]),
    ("code fence never closed", f'```json\n{{"candidates": [{GOATS}]}}', ["Lou keeps goats."]),
    ("prose around", f'Sure! {{"candidates": [{GOATS}]}} Hope it helps.', ["Lou keeps goats."]),
    ("prose with braces", f'As {{you}} asked: {{"candidates": [{GOATS}]}} {{end}}', ["Lou keeps goats."]),
    ("prose with a list", f'[1] Well: {{"candidates": [{GOATS}]}}', ["Lou keeps goats."]),
    ("a draft, then the answer", f'{{"candidates": [{BEES}]}}\nBetter:\n{{"candidates": [{GOATS}]}}', ["Lou keeps goats."]),
    ("a thought", f'<think>{{"candidates": [{BEES}]}}</think>{{"candidates": [{GOATS}]}}', ["Lou keeps goats."]),
    ("a thought closed only", f'so {{"candidates": [{BEES}]}}</think>{{"candidates": [{GOATS}]}}', ["Lou keeps goats."]),
    ("two thoughts", f'<think>a</think> <think>b</think> {{"candidates": [{GOATS}]}}', ["Lou keeps goats."]),
    ("a tag in a text", '{"candidates": [{"text": "Lou wrote </think> once.", "quote": "q"}]}', ["Lou wrote </think> once."]),
    ("byte order mark", f'\ufeff{{"candidates": [{GOATS}]}}', ["Lou keeps goats."]),
    ("trailing comma in the list", f'{{"candidates": [{GOATS},]}}', ["Lou keeps goats."]),
    ("trailing comma in an item", '{"candidates": [{"text": "Lou keeps goats.", "quote": "q",}]}', ["Lou keeps goats."]),
    ("no comma between items", f'{{"candidates": [{GOATS} {BEES}]}}', ["Lou keeps goats.", "Lou keeps bees."]),
    ("single quotes", "{'candidates': [{'text': 'Lou keeps goats.', 'quote': 'q'}]}", ["Lou keeps goats."]),
    ("bare names", '{candidates: [{text: "Lou keeps goats.", quote: "q"}]}', ["Lou keeps goats."]),
    ("quotes in a text", '{"candidates": [{"text": "Lou calls her goat "Duchess".", "quote": "q"}]}', ['Lou calls her goat "Duchess".']),
    ("line break in a text", '{"candidates": [{"text": "Lou keeps\ngoats.", "quote": "q"}]}', ["Lou keeps goats."]),
    ("comments", f'{{"candidates": [ // found one\n {GOATS} ]}}', ["Lou keeps goats."]),
    ("Python words", '{"candidates": [{"text": "Lou keeps goats.", "quote": "q", "entity": None, "x": True}]}', ["Lou keeps goats."]),
    ("the list alone", f"[{GOATS}, {BEES}]", ["Lou keeps goats.", "Lou keeps bees."]),
    ("an empty list alone", "[]", []),
    ("an item alone", GOATS, ["Lou keeps goats."]),
    ("an item for the list", f'{{"candidates": {GOATS}}}', ["Lou keeps goats."]),
    ("cut in the second text", f'{{"reasoning": "r", "candidates": [{GOATS}, {{"text": "Lou kee', ["Lou keeps goats."]),
    ("cut in the second quote", f'{{"candidates": [{GOATS}, {{"text": "Lou keeps bees.", "quote": "be', ["Lou keeps goats."]),
    ("cut after a name", f'{{"candidates": [{GOATS}, {{"text": "Lou keeps bees.", "quo', ["Lou keeps goats."]),
    ("cut after a whole field", f'{{"candidates": [{GOATS}, {{"text": "Lou keeps bees.", "quote": "bees"', ["Lou keeps goats."]),
    ("cut after a comma", f'{{"candidates": [{GOATS},', ["Lou keeps goats."]),
    ("cut after an item", f'{{"candidates": [{GOATS}', ["Lou keeps goats."]),
    ("cut in a later field", f'{{"candidates": [{GOATS}], "summary": "They tal', ["Lou keeps goats."]),
    ("cut in an escape", f'{{"candidates": [{GOATS}, {{"text": "Lou \\u00', ["Lou keeps goats."]),
    ("cut in a fence", f'```json\n{{"candidates": [{GOATS}, {{"te', ["Lou keeps goats."]),
    ("cut, and a comma too many", '{"candidates": [{"text": "Lou keeps goats.", "quote": "q",}, {"text": "Lou k', ["Lou keeps goats."]),
    ("the list alone, cut", f'[{GOATS}, {{"text": "Lou k', ["Lou keeps goats."]),
    ("cut before the list closes, with prose", f'Here: {{"candidates": [{GOATS}, {{"te', ["Lou keeps goats."]),
    ("duplicate lists", f'{{"candidates": [{GOATS}], "candidates": [{BEES}]}}', ["Lou keeps goats.", "Lou keeps bees."]),
    ("duplicate fields", '{"candidates": [{"text": "Lou.", "text": "Lou keeps goats.", "quote": "q"}]}', ["Lou keeps goats."]),
    ("junk among items", f'{{"candidates": [7, "x", [], {GOATS}, {{"text": 9, "quote": "q"}}]}}', ["Lou keeps goats."]),
    ("wrong types around", f'{{"reasoning": 7, "summary": [], "anchors": "x", "stances": 3, "deltas": "y", "candidates": [{GOATS}]}}', ["Lou keeps goats."]),
    ("nulls in an item", '{"candidates": [{"text": "Lou keeps goats.", "quote": null, "kind": null, "scope": null, "confidence": null, "entity": null}]}', ["Lou keeps goats."]),
    ("lists in an item", '{"candidates": [{"text": "Lou keeps goats.", "quote": ["q"], "kind": [], "confidence": [1], "value": ["x"]}]}', ["Lou keeps goats."]),
    ("half a surrogate", '{"candidates": [{"text": "Lou keeps goats \\ud83d.", "quote": "\\udc00"}]}', ["Lou keeps goats ."]),
    ("a whole pair", '{"candidates": [{"text": "Lou keeps \\ud83d\\udc10.", "quote": "q"}]}', ["Lou keeps 🐐."]),
    ("NUL", '{"candidates": [{"text": "Lou keeps\\u0000goats.", "quote": "q"}]}', ["Lou keeps goats."]),
    ("raw NUL", '{"candidates": [{"text": "Lou keeps\x00goats.", "quote": "q"}]}', ["Lou keeps goats."]),
    ("NaN and infinity", '{"candidates": [{"text": "Lou keeps goats.", "quote": "q", "confidence": NaN, "importance": -Infinity}]}', ["Lou keeps goats."]),
    ("a number of a million digits", f'{{"candidates": [{{"text": "Lou keeps goats.", "quote": "q", "confidence": 1{"0" * 5000}}}]}}', ["Lou keeps goats."]),
    ("more fields than asked", '{"candidates": [{"text": "Lou keeps goats.", "quote": "q", "id": 3, "tags": {"a": {"b": []}}}]}', ["Lou keeps goats."]),
]  # fmt: skip

UNUSABLE: list[tuple[str, str]] = [
    ("empty", ""),
    ("spaces", " \n\t"),
    ("prose", "I noticed nothing worth keeping, sorry!"),
    ("refusal", "As a language model I cannot help with that."),
    ("only a thought", "<think>hm, goats…</think>"),
    ("a thought never closed", f'<think>maybe {{"candidates": [{GOATS}]}}'),
    ("null", "null"),
    ("a number", "42"),
    ("a string", '"Lou keeps goats."'),
    ("an empty object", "{}"),
    ("another object", '{"error": "out of memory"}'),
    ("reasons alone", '{"reasoning": "nothing here"}'),
    ("candidates as text", '{"candidates": "Lou keeps goats."}'),
    ("candidates as a number", '{"candidates": 3}'),
    ("a list of texts", '["Lou keeps goats."]'),
    ("a list of numbers", "[1, 2, 3]"),
    ("only junk items", '{"candidates": [1, "x", {"text": 5, "quote": "q"}]}'),
    ("cut in the reasons", '{"reasoning": "Lou says th'),
    ("cut in the first item", '{"reasoning": "r", "candidates": [{"text": "Lou keeps go'),
    (
        "cut in a first item that looks whole",
        '{"candidates": [{"text": "Lou keeps goats.", "quote": "go',
    ),
    ("an item alone, cut", '{"text": "Lou keeps goats.", "quote": "I keep", "kin'),
    ("one bracket", "{"),
    ("closing brackets", "}]}]}"),
    ("deep lists", "[" * 100_000),
    ("deep objects", '{"a":' * 100_000),
    ("deep inside", '{"candidates": [' + '{"text": ' * 50_000),
    ("closed deep lists", "[" * 100_000 + "]" * 100_000),
    ("ten megabytes of a text", '{"candidates": [{"text": "' + "x" * 10_000_000 + '"}]}'),
    ("ten megabytes of prose", "goats and bees " * 700_000),
    ("ten megabytes of brackets", '{"' * 5_000_000),
    ("ten megabytes of quotes", '"' * 10_000_000),
    ("ten megabytes of backslashes", '{"candidates": [{"text": "' + "\\" * 10_000_000),
    ("XML", "<candidates><text>Lou keeps goats.</text></candidates>"),
    ("YAML", "candidates:\n  - text: Lou keeps goats."),
    ("binary", "\x00\x01\x02\x7f\x80\xff"),
]


@pytest.mark.parametrize(
    ("raw", "kept"), [(r, k) for _, r, k in USABLE], ids=[n for n, _, _ in USABLE]
)
def test_what_can_be_read_is_read(raw: str, kept: list[str]) -> None:
    """Real answers of small models, in all the ways they go wrong and still mean something."""
    assert texts(raw) == kept


@pytest.mark.parametrize("raw", [r for _, r in UNUSABLE], ids=[n for n, _ in UNUSABLE])
def test_what_means_nothing_is_a_bad_answer_with_its_words(raw: str) -> None:
    """It waits in the failure inbox as it came, and no word of it stands in the message, which is logged."""
    with pytest.raises(BadAnswer) as caught:
        read(raw)
    assert caught.value.raw == raw
    assert "goats" not in str(caught.value)


def test_there_are_at_least_60_malformed_answers() -> None:
    """The number of trials behind the promise."""
    assert len(USABLE) + len(UNUSABLE) - 2 >= 60


def test_a_thousand_candidates_are_capped_and_counted() -> None:
    """A model that loops must not fill the memory, nor hide that it did."""
    proposals = read(json.dumps({"candidates": [json.loads(GOATS)] * 1_000}))
    assert len(proposals.candidates) == MAX_CANDIDATES
    assert proposals.ignored == 1_000 - MAX_CANDIDATES


def test_a_text_too_long_to_be_a_memory_is_ignored_not_cut() -> None:
    """The first half of a sentence may say the opposite of the whole."""
    long = {"text": "goat " * MAX_TEXT, "quote": "q"}
    proposals = read(json.dumps({"candidates": [long, json.loads(GOATS)]}))
    assert [c.text for c in proposals.candidates] == ["Lou keeps goats."]
    assert proposals.ignored == 1


@pytest.mark.parametrize(
    ("raw", "repaired"),
    [
        (f'{{"candidates": [{GOATS}]}}', False),
        (f'Sure: ```json\n{{"candidates": [{GOATS}]}}\n```', False),
        (f'{{"candidates": [{GOATS},]}}', True),
        (f'{{"candidates": [{GOATS}, {{"te', True),
    ],
)
def test_mending_is_told_apart_from_unwrapping(raw: str, repaired: bool) -> None:
    """What was guessed deserves less trust than what was only wrapped in prose."""
    assert read(raw).repaired is repaired


@pytest.mark.parametrize(
    "end", range(len('{"reasoning": "r", "candidates": [') + 2 * len(GOATS) + 5)
)
def test_an_answer_cut_anywhere_invents_nothing(end: int) -> None:
    """Cut at each of its characters, an answer gives its whole candidates and no half of one."""
    whole = f'{{"reasoning": "r", "candidates": [{GOATS}, {BEES}]}}'
    try:
        kept = texts(whole[:end])
    except BadAnswer:
        kept = []
    assert kept == ["Lou keeps goats.", "Lou keeps bees."][: len(kept)]
    if end >= whole.index(BEES):
        assert kept


PIECES = st.sampled_from(
    ['{"candidates": [', GOATS, BEES, "{", "}", "[", "]", ",", ":", '"', "'", "\\", "\\u", "\\ud83d", "null", "```json",
     "<think>", "</think>", "text", '"text": ', '"quote"', "1e999", "NaN", "\n", "\x00", "\ud800", "//", "/*", "é", " "]
)  # fmt: skip


@given(st.text() | st.lists(PIECES, max_size=30).map("".join))
@settings(max_examples=600, deadline=None)
def test_any_text_gives_proposals_or_a_bad_answer(raw: str) -> None:
    """No answer of any model may take the worker down."""
    try:
        proposals = read(raw)
    except BadAnswer:
        return
    for candidate in proposals.candidates:
        assert 0 < len(candidate.text) <= MAX_TEXT
        assert 0 <= candidate.confidence <= 1
        assert 2 <= candidate.importance <= 4
        candidate.text.encode()
        candidate.quote.encode()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["candidates", "text", "quote", "kind", "confidence", "deltas", "stances", "x"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(JSON, JSON)
@settings(max_examples=400, deadline=None)
def test_any_tree_gives_proposals_or_a_bad_answer(tree: object, item: object) -> None:
    """A right syntax with wrong types everywhere is what constrained decoding gives."""
    for raw in (
        json.dumps(tree),
        json.dumps({"candidates": [item]}),
        json.dumps(
            {"candidates": [{"text": "a", "quote": item, "confidence": tree, "kind": item}]}
        ),
    ):
        try:
            read(raw)
        except BadAnswer:
            continue
