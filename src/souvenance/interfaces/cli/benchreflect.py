"""`souvenance bench reflect`: what the person's own chat model does when it reflects, before and after the filters."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from souvenance.interfaces.cli import faults, render
from souvenance.interfaces.cli.border import INTERRUPTED
from souvenance.interfaces.cli.invocation import Invocation, invocation
from souvenance.interfaces.cli.options import JsonOption
from souvenance.interfaces.cli.safe import one_line
from souvenance.interfaces.cli.said import reason_text

if TYPE_CHECKING:
    from souvenance.measure.reflect import Run
    from souvenance.measure.report import Report
    from souvenance.ports import ChatModel
    from souvenance.settings import Settings


def reflect(
    ctx: typer.Context,
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="bench_reflect_file", show_default=False)
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", metavar="NAME", help="bench_model", show_default=False),
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option("--base-url", metavar="URL", help="bench_base_url", show_default=False),
    ] = None,
    draws: Annotated[int, typer.Option("--draws", metavar="N", help="bench_draws", min=1)] = 2,
    json: JsonOption = False,
) -> None:
    from souvenance.measure.reflect import Run
    from souvenance.measure.reflectcases import cases_of, shipped

    call = invocation(ctx)
    settings = _settings(call, model, base_url)
    path = file or next(p for p in shipped() if p.stem == call.language)
    run = Run(cases_of(path), draws)
    interrupted = False
    try:
        asyncio.run(_ask_all(call, settings, run))
    except KeyboardInterrupt:
        if not run.answers:
            raise
        interrupted = True
    report = run.report(str(file) if file else f"{path.parent.name}/{path.name}")
    if json:
        call.json(report.as_json())
    else:
        _show(call, report)
    if interrupted or run.gave_up:
        done = {"done": len(run.answers), "planned": run.planned}
        if interrupted:
            call.note(call.words("bench.interrupted", **done))
            raise typer.Exit(INTERRUPTED)
        call.note(call.words("bench.gave_up", why=reason_text(run.gave_up, call.words), **done))


def _settings(call: Invocation, model: str | None, base_url: str | None) -> Settings:
    """The settings in force with the model and the address that were typed. Errors: `BadSetting`."""
    from pydantic import ValidationError

    from souvenance.errors import BadSetting
    from souvenance.settings import ChatSettings

    settings = call.settings
    typed = {"model": model, "url": base_url}
    given = settings.chat.model_dump() | {k: v for k, v in typed.items() if v is not None}
    try:
        chat = ChatSettings.model_validate(given)
    except ValidationError as error:
        raise BadSetting(call.words("bench.bad_url", url=one_line(base_url or ""))) from error
    return settings.model_copy(update={"chat": chat})


async def _ask_all(call: Invocation, settings: Settings, run: Run) -> None:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    chat = await _chat(call, settings)
    shown = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    quiet = not call.err.is_terminal
    try:
        call.note(call.words("bench.asking", model=one_line(chat.name), n=run.planned))
        with Progress(
            *shown, TimeElapsedColumn(), console=call.err, transient=True, disable=quiet
        ) as bar:
            task = bar.add_task(call.words("bench.reflecting"), total=run.planned)
            await run.ask_all(chat, lambda: bar.advance(task))
    finally:
        await chat.close()


async def _chat(call: Invocation, settings: Settings) -> ChatModel:
    from souvenance.errors import BadSetting
    from souvenance.opening import choose_chat

    chat, _ = await choose_chat(settings)
    if chat is None:
        raise BadSetting(call.words("bench.no_model"))
    return chat


# --- showing it -----------------------------------------------------------------------------------


def _show(call: Invocation, report: Report) -> None:
    from souvenance.measure.reflect import RATES

    spoken = call.words
    call.show(spoken("bench.title", bench=report.bench, file=one_line(report.file), n=report.n))
    asked = report.metrics
    if asked["answers"] and asked["unusable"] == asked["answers"]:
        call.show(spoken("bench.none_usable", n=asked["answers"]))
        return
    ways = {"bench.model_filtered": report.metrics}
    names = {"before the filters": "bench.model_alone", "rules without a model": "bench.rules"}
    ways |= {names[name]: metrics for name, metrics in report.baselines.items()}
    rows = [
        (spoken(f"bench.measure.{rate}"), *(_cell(metrics, rate) for metrics in ways.values()))
        for rate in RATES
    ]
    call.show(render.table(["", *map(spoken, ways)], rows, wide=-1))
    call.show("")
    for line in _beside(call, report.metrics):
        call.show(line)
    call.show("")
    groups = [
        (spoken.get(f"bench.group.{group}", group), spoken(f"bench.measure.{rate}"), cell)
        for group, metrics in report.by.items()
        for rate in RATES
        if (cell := _cell(metrics, rate)) != "-"
    ]
    call.show(render.table(["", "", spoken("bench.model_filtered")], groups, wide=-1))
    faults.show(call, report)


def _cell(metrics: Mapping[str, Any], name: str) -> str:
    """Hits of trials, the rate and its 95 % interval; a dash when nothing was tried.

    Draws of one exchange are no new evidence, so the interval is that of one draw.
    """
    from souvenance.measure.reflect import RATES
    from souvenance.measure.report import interval

    hits, trials = (metrics[key] for key in RATES[name])
    if not trials:
        return "-"
    draws = metrics["draws"]
    low, high = interval(round(hits / draws), max(round(trials / draws), 1))
    return f"{hits}/{trials} {hits / trials:.2f} ({low:.2f}–{high:.2f})"


def _beside(call: Invocation, metrics: Mapping[str, Any]) -> list[str]:
    """What is no rate of the exchanges: answers, time, agreement, confidence."""
    spoken = call.words
    lines = [spoken("bench.answers", **{k: metrics[k] for k in _COUNTED})]
    if metrics["seconds_median"] is not None:
        seconds = (metrics["seconds_median"], metrics["seconds_longest"])
        lines.append(
            spoken("bench.seconds", median=f"{seconds[0]:.1f}", longest=f"{seconds[1]:.1f}")
        )
    if metrics["compared"]:
        counts = (metrics["agreed"], metrics["compared"])
        lines.append(spoken("bench.agreement", agreed=counts[0], compared=counts[1]))
    auc = metrics["confidence_auc"]
    if auc is None:
        lines.append(spoken("bench.no_confidence"))
    else:
        means = {k: f"{metrics[f'confidence_{k}']:.2f}" for k in ("sure", "unsure")}
        lines.append(spoken("bench.confidence", auc=f"{auc:.2f}", **means))
    return lines


_COUNTED = ("answers", "repaired", "unusable", "unreachable")
