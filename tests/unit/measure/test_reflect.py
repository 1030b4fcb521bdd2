"""The bench of a chat model's reflection gives the figures that a model of known habits must get."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from souvenance.errors import BadInput, BadLine, ModelUnreachable
from souvenance.measure.reflect import Run
from souvenance.measure.reflectcases import Case, cases_of, shipped
from souvenance.models.chat import OpenAIChat
from souvenance.models.scripted import Fail, Say, ScriptedServer, Step, closed_url

FRENCH, ENGLISH = (cases_of(path) for path in shipped())


def item(text: str, quote: str, **more: object) -> dict[str, Any]:
    return {
        "text": text, "quote": quote, "kind": "fact", "scope": "global", "confidence": 0.9, "importance": 3,
    } | more  # fmt: skip


def answer(*items: dict[str, Any]) -> Say:
    return Say(json.dumps({"reasoning": "", "candidates": list(items)}, ensure_ascii=False))


def said(case: Case, role: str = "user") -> str:
    return next(str(m.text) for m in case.exchange.messages if m.role == role)


def honest(case: Case) -> Step:
    """Quotes the person where they tell something, less sure of what they were not sure of."""
    if case.category in ("small_talk", "character", "hint"):
        return answer()
    sure = 0.95 if case.category in ("sharp", "echo") else 0.6
    scope = "story" if case.category == "role_play" else "global"
    return answer(item(said(case), said(case), confidence=sure, scope=scope))


def parrot(case: Case) -> Step:
    """Proposes the character's reply, whatever was said."""
    reply = said(case, "character")
    return answer(item(reply, reply))


def flipper(case: Case) -> Step:
    """Says the contrary of what was denied, and takes what was unsure for certain."""
    if case.category not in ("negation", "hesitation"):
        return answer()
    things = [group[0] for fact in case.facts for group in fact.words]
    return answer(*(item(f"Ines: {thing}.", said(case)) for thing in things))


def chatterer(case: Case) -> Step:
    """Makes something up from small talk."""
    return answer(item("Ines owns a vineyard in Tuscany.", "")) if not case.facts else answer()


async def measured(
    cases: Sequence[Case], model: Callable[[Case], Step], draws: int = 2
) -> dict[str, Any]:
    with ScriptedServer([model(c) for _ in range(draws) for c in cases]) as server:
        chat = OpenAIChat(server.url, "scripted")
        run = Run(cases, draws)
        await run.ask_all(chat)
        await chat.close()
    return run.report("cases").as_json()


@pytest.mark.parametrize("cases", [FRENCH, ENGLISH], ids=["fr", "en"])
async def test_an_honest_model_gets_the_best_figures(cases):
    """Whoever quotes the person and abstains otherwise has no fault, and its confidence tells facts apart."""
    report = await measured(cases, honest)
    metrics = report["metrics"]
    assert metrics["fact_rate"] == metrics["abstain_rate"] == 1.0
    for fault in ("hesitations_lost", "flipped", "overreached", "copied", "about_character", "invented", "played_as_real"):  # fmt: skip
        assert metrics[fault] == 0, fault
    assert metrics["hesitations_told"] == 12
    assert metrics["confidence_auc"] > 0.7
    assert metrics["agreement_rate"] == 1.0
    assert report["failed"] == []
    assert metrics["answers"] == 2 * len(cases) == 80


@pytest.mark.parametrize("cases", [FRENCH, ENGLISH], ids=["fr", "en"])
async def test_a_parrot_is_seen_and_the_filters_stop_it(cases):
    """All it proposes is the reply; nothing of it may be left."""
    report = await measured(cases, parrot)
    alone, metrics = report["baselines"]["before the filters"], report["metrics"]
    assert alone["copy_rate"] == 1.0
    assert alone["about_character_rate"] == 1.0
    assert alone["abstain_rate"] == 0.0
    assert metrics["candidates"] == metrics["copied"] == metrics["facts_kept"] == 0
    assert metrics["abstain_rate"] == 1.0


async def test_a_flipper_is_seen_and_the_filters_stop_it():
    """A denial turned round is the worst of inventions."""
    report = await measured(ENGLISH, flipper)
    alone, metrics = report["baselines"]["before the filters"], report["metrics"]
    assert alone["flip_rate"] == 1.0
    assert alone["hesitation_lost_rate"] == 1.0
    assert metrics["flipped"] == metrics["hesitations_lost"] == 0


async def test_a_model_that_makes_things_up_has_no_support():
    """What nobody said is counted as invented, and small talk as not left alone."""
    alone = (await measured(ENGLISH, chatterer))["baselines"]["before the filters"]
    assert alone["invented_rate"] == 1.0
    assert alone["abstain_rate"] == 0.0


async def test_malformed_answers_are_counted_as_repaired_or_unusable():
    """The product asks once again; a second failure loses the exchange."""
    cases = ENGLISH[:4]
    other = answer(item("", "a quote of something"))
    script = [other, honest(cases[0]), other, other, honest(cases[2]), Fail(503)]
    with ScriptedServer(script) as server:
        run = Run(cases, 1)
        chat = OpenAIChat(server.url, "scripted")
        await run.ask_all(chat)
        await chat.close()
    states = [a.state for a in run.answers]
    assert states == ["repaired", "unusable", "answered", "unreachable"]
    metrics = run.report("cases").metrics
    counted = (metrics["repaired"], metrics["unusable"], metrics["unreachable"], metrics["facts"])
    assert counted == (1, 1, 1, 2)


async def test_a_dead_server_stops_the_run_at_once():
    """Eighty timeouts tell no more than one."""
    run = Run(ENGLISH, 2)
    chat = OpenAIChat(closed_url(), "scripted")
    with pytest.raises(ModelUnreachable):
        await run.ask_all(chat)
    await chat.close()
    assert run.answers == []


async def test_a_server_that_dies_on_the_way_leaves_what_was_measured():
    """The answers before it are worth their time."""
    with ScriptedServer([*map(honest, ENGLISH[:5]), *[Fail(500)] * 9]) as server:
        run = Run(ENGLISH, 1)
        chat = OpenAIChat(server.url, "scripted")
        await run.ask_all(chat)
        await chat.close()
    assert len(run.answers) == 8
    assert run.gave_up
    report = run.report("cases")
    assert report.n == 8
    assert report.metrics["facts_kept"] == 5


async def test_draws_that_differ_disagree():
    """A model that says something else each time is to be known as such."""
    cases = ENGLISH[:4]
    with ScriptedServer([*map(honest, cases), honest(cases[0]), *[answer()] * 3]) as server:
        run = Run(cases, 2)
        chat = OpenAIChat(server.url, "scripted")
        await run.ask_all(chat)
        await chat.close()
    metrics = run.report("cases").metrics
    assert (metrics["agreed"], metrics["compared"]) == (1, 4)


async def test_the_rules_are_measured_on_the_same_exchanges():
    """A model's figures alone say nothing."""
    report = await measured(ENGLISH[:10], honest, draws=1)
    rules = report["baselines"]["rules without a model"]
    assert rules["facts"] == report["metrics"]["facts"] == 9
    assert rules["facts_kept"] >= 8


def test_the_shipped_exchanges_cover_every_category_in_both_languages():
    """A category with one item measures nothing."""
    for cases in (FRENCH, ENGLISH):
        counts = {c.category: 0 for c in cases}
        for case in cases:
            counts[case.category] += 1
        assert len(cases) == 40
        assert len({c.case_id for c in cases}) == 40
        assert min(counts.values()) >= 3
        assert set(counts) == {
            "sharp", "hesitation", "hint", "small_talk", "negation", "character", "echo", "role_play",
        }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "piece"),
    [
        ('{"id": 1}', "no 'lang'"),
        ('{"id": 1, "lang": "en", "category": "x", "character": "C", "exchange": [{"role": "tool", "text": ""}]}', "user or character"),
        ('{"id": 1, "lang": "en", "category": "x", "character": "C", "exchange": [], "facts": [{"told": "so", "words": [["a"]]}]}', "told"),
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_used_is_named(tmp_path, line, piece):
    """People write these files by hand."""
    path = tmp_path / "own.jsonl"
    path.write_text(line)
    with pytest.raises(BadLine, match=piece):
        cases_of(path)


def test_an_empty_file_says_where_the_format_is(tmp_path):
    """Rates over nothing would look like a result."""
    path = tmp_path / "empty.jsonl"
    path.write_text("\n")
    with pytest.raises(BadInput, match=r"docs/bench\.md"):
        cases_of(path)
