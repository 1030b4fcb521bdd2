"""An embedder behind a server, ill in every way we know: each turn is served, says so, and the embedder is found again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

import souvenance
from embedder_faults import FAULTS, Patient
from souvenance.interfaces.cli.app import app
from souvenance.settings import Settings

#: Short for the faults that only a deadline ends; no test depends on how long anything takes.
SETTINGS = Settings.model_validate(
    {
        "chat": {"discover": False},
        "turn": {"embedding_deadline_s": 0.3},
        "index": {"every_s": 3600},
    }
)

#: Every fault of the bench but three that are as one error status to us.
REASONS = {
    "refused": {"unreachable"},
    "accepts, never answers": {"late"},
    "never connects": {"late"},
    "500": {"refused"},
    "hangs 30 s": {"late"},
    "slow drip": {"late"},
    "cut off": {"unreachable", "unusable"},
    "wrong dimension": {"dimension"},
    "NaN": {"unusable"},
    "zeros": {"unusable"},
    "too many vectors": {"unusable"},
    "no vector": {"unusable"},
    "not JSON": {"unusable"},
}


@pytest.fixture
def patient() -> Iterator[Patient]:
    with Patient() as one:
        yield one


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The breaker's pauses, shortened so that the probes come soon; their real length is tested with a clock."""
    monkeypatch.setattr("souvenance.read.breaker.FIRST_PAUSE_S", 0.15)
    monkeypatch.setattr("souvenance.read.breaker.LONGEST_PAUSE_S", 0.15)


@asynccontextmanager
async def opened(path: Path, patient: Patient) -> AsyncIterator[souvenance.Engine]:
    async with souvenance.open(
        path, settings=SETTINGS, chat=None, embedder=patient.embedder()
    ) as engine:
        yield engine


async def told(engine: souvenance.Engine) -> souvenance.Talk:
    """A conversation that knows two things, indexed."""
    talk = engine.thread("ines", "wren")
    await talk.memories.add("Ines keeps bees on the roof.")
    await talk.memories.add("Ines plays the viola.")
    while (await engine.index_once()).left:
        pass
    assert not (await talk.context("how are the bees?")).degraded
    return talk


@pytest.mark.parametrize("fault", [f for f in FAULTS if f in REASONS])
async def test_a_turn_is_served_whatever_ails_the_embedder(
    tmp_path: Path, patient: Patient, fault: str
) -> None:
    """By words and stages, with the reason; the breaker then keeps the next turns from asking; and it recovers."""
    async with opened(tmp_path / "m.db", patient) as engine:
        talk = await told(engine)
        patient.fall_ill(fault)
        context = await talk.context("and the bees on the roof now?")
        assert context.degraded and context.reason in REASONS[fault]
        assert [s.memory.text for s in context.slots if s.retrieved] == [
            "Ines keeps bees on the roof."
        ]
        assert (engine.health.degraded_turns, engine.health.last_degraded) == (1, context.reason)
        for _ in range(2):
            assert (await talk.context("bees?")).degraded
        assert engine.breaker in ("open", "half-open")
        assert (await talk.context("bees again?")).reason == "open"
        assert engine.health.degraded_turns == 4
        patient.recover()
        while engine.breaker != "closed":  # no turn asks: the probes find it
            await asyncio.sleep(0.02)
        assert not (await talk.context("how are the bees?")).degraded


async def test_one_that_costs_a_deadline_is_asked_once(tmp_path: Path, patient: Patient) -> None:
    """Nobody waits twice for a server that hangs: the first late answer opens the breaker."""
    async with opened(tmp_path / "m.db", patient) as engine:
        talk = await told(engine)
        patient.fall_ill("hangs 30 s")
        assert (await talk.context("one bee?")).reason == "late"
        assert (await talk.context("two bees?")).reason == "open"


@pytest.mark.parametrize("fault", ["refused", "never connects", "wrong dimension"])
async def test_an_engine_starts_while_its_embedder_is_ill(
    tmp_path: Path, patient: Patient, fault: str
) -> None:
    """What is remembered is served from the first turn on, and found by meaning once the embedder is back."""
    async with opened(tmp_path / "m.db", patient) as engine:
        await told(engine)
    patient.fall_ill(fault)
    async with opened(tmp_path / "m.db", patient) as engine:
        talk = engine.thread("ines", "wren")
        context = await talk.context("the bees?")
        assert context.degraded and "bees" in context.text
        await talk.context("the bees?")
        patient.recover()
        while engine.breaker != "closed":
            await asyncio.sleep(0.02)
        assert not (await talk.context("how are the bees?")).degraded


def test_the_command_line_says_why(tmp_path: Path, patient: Patient) -> None:
    """`context` marks the turn as degraded, in words and in JSON."""
    config = tmp_path / "souvenance.toml"
    config.write_text(
        f'database = "m.db"\n[embedder]\nkind = "openai"\nmodel = "patient"\n'
        f'url = "http://127.0.0.1:{patient.port}/v1"\n[turn]\nembedding_deadline_s = 0.5\n'
    )
    env = {"SOUVENANCE_CONFIG": str(config)}
    run = CliRunner()
    patient.fall_ill("503")
    added = run.invoke(
        app, ["memories", "add", "Ines keeps bees on the roof.", "--lang", "en"], env=env
    )
    assert added.exit_code == 0, added.output
    found = run.invoke(app, ["context", "the bees?", "--json"], env=env)
    assert found.exit_code == 0, found.output
    data = json.loads(found.stdout)
    assert (data["degraded"], data["reason"]) == (True, "refused")
    spoken = run.invoke(app, ["context", "the bees?", "--lang", "en"], env=env)
    assert "answered with an error" in spoken.output
