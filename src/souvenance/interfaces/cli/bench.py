"""`souvenance bench`: a measurement on a file of the person's own, baselines beside ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from souvenance.interfaces.cli import faults, render
from souvenance.interfaces.cli.bars import embedding_bar
from souvenance.interfaces.cli.benchreflect import reflect
from souvenance.interfaces.cli.invocation import Invocation, invocation
from souvenance.interfaces.cli.options import JsonOption
from souvenance.interfaces.cli.safe import one_line, short

if TYPE_CHECKING:
    from souvenance.measure.report import Report

app = typer.Typer(help="bench", no_args_is_help=True, rich_markup_mode=None)
app.command("reflect", help="bench_reflect")(reflect)

FilesArgument = Annotated[list[Path], typer.Argument(metavar="FILE…", help="bench_files")]
EmbedderOption = Annotated[
    str | None,
    typer.Option("--embedder", metavar="NAME", help="embedder_name", show_default=False),
]

#: Which counts a rate comes from, to print its interval: hits, then trials.
RATES = {
    "false_merge_rate": ("false_merges", "distinct"),
    "true_merge_rate": ("true_merges", "variants"),
    "missed_drop_rate": ("missed_drops", "drops"),
    "lost_keep_rate": ("lost_keeps", "keeps"),
    "recall": ("found", "spans"),
    "precision": ("correct", "predicted"),
    "right_rate": ("right", "n"),
    "wrong_rate": ("wrong", "n"),
    "fact_rate": ("facts_kept", "facts"),
}


@app.command("dedup", help="bench_dedup")
def dedup(ctx: typer.Context, files: FilesArgument, json: JsonOption = False) -> None:
    from souvenance.measure.dedup import measure

    _run(invocation(ctx), measure, files, json)


@app.command("filters", help="bench_filters")
def filters(ctx: typer.Context, files: FilesArgument, json: JsonOption = False) -> None:
    from souvenance.measure.filters import measure

    _run(invocation(ctx), measure, files, json)


@app.command("pii", help="bench_pii")
def pii(ctx: typer.Context, files: FilesArgument, json: JsonOption = False) -> None:
    from souvenance.measure.pii import measure

    _run(invocation(ctx), measure, files, json)


@app.command("dates", help="bench_dates")
def dates(ctx: typer.Context, files: FilesArgument, json: JsonOption = False) -> None:
    from souvenance.measure.dates import measure

    _run(invocation(ctx), measure, files, json)


@app.command("recall", help="bench_recall")
def recall(
    ctx: typer.Context,
    files: FilesArgument,
    size: Annotated[
        int | None, typer.Option("--size", metavar="N", help="size", min=0, show_default=False)
    ] = None,
    embedder: EmbedderOption = None,
    json: JsonOption = False,
) -> None:
    from souvenance.measure.recall import measure

    _run_embedding(invocation(ctx), embedder, partial(measure, size=size), files, json)


@app.command("locomo", help="bench_locomo")
def locomo(
    ctx: typer.Context,
    files: FilesArgument,
    embedder: EmbedderOption = None,
    json: JsonOption = False,
) -> None:
    from souvenance.measure.locomo import measure

    _run_embedding(invocation(ctx), embedder, measure, files, json)


@app.command("replay", help="bench_replay")
def replay(
    ctx: typer.Context,
    files: FilesArgument,
    with_model: Annotated[bool, typer.Option("--with-model", help="with_model")] = False,
    json: JsonOption = False,
) -> None:
    from souvenance.measure.replay import measure
    from souvenance.measure.runs import engine_run

    call = invocation(ctx)
    with engine_run(call.settings, with_model=with_model) as run:
        _run(call, lambda path: measure(path, run), files, json)
        outcomes = dict(run.outcomes)
    if with_model and not json:
        for state, n in outcomes.items():
            call.show(call.words(f"bench.outcome.{state}", n=n))
    elif with_model:
        call.note(", ".join(f"{state}: {n}" for state, n in outcomes.items()))


def _run_embedding(
    call: Invocation,
    kind: str | None,
    measure: Callable[..., Report],
    files: Sequence[Path],
    json: bool,
) -> None:
    """Runs a measurement that embeds, with the embedder of the settings or of that kind, and a bar."""
    from souvenance.opening import choose_embedder

    call.take("embedder.kind", kind)
    embedder = choose_embedder(call.settings)
    with embedding_bar(call) as told:
        _run(call, partial(measure, embedder=embedder, progress=told), files, json)


def _run(
    call: Invocation, measure: Callable[[Path], Report], files: Sequence[Path], json: bool
) -> None:
    reports = []
    for path in files:
        if len(files) > 1 or call.err.is_terminal:
            call.note(call.words("bench.measuring", file=path))
        reports.append(measure(path))
    if json:
        objects = [report.as_json() for report in reports]
        call.json(objects[0] if len(objects) == 1 else {"reports": objects})
        return
    for report in reports:
        _show(call, report)


def _show(call: Invocation, report: Report) -> None:
    call.show(call.words("bench.title", bench=report.bench, file=one_line(report.file), n=report.n))
    call.show(_metrics({"souvenance": report.metrics, **report.baselines}))
    if report.by:
        call.show("", _metrics(report.by))
    for title, rows in report.tables.items():
        call.show("", one_line(title), _metrics(rows))
    for note in report.notes:
        call.note(one_line(note))
    faults.show(call, report)
    call.show("")


def _metrics(rows: Mapping[str, Mapping[str, Any]]) -> Any:
    """A table with one row for each method or group and one column for each metric."""
    names = list(dict.fromkeys(name for metrics in rows.values() for name in metrics))
    cells = [
        (short(label, 40), *(_cell(name, metrics) for name in names))
        for label, metrics in rows.items()
    ]
    columns = range(1, len(names) + 1)
    return render.table(
        ["", *(name.replace("_", " ") for name in names)], cells, wide=-1, right=columns
    )


def _cell(name: str, metrics: Mapping[str, Any]) -> str:
    """A figure; a rate with its 95 % interval when the counts behind it are there."""
    from souvenance.measure.report import interval

    value = metrics.get(name)
    if value is None:
        return "-"
    if isinstance(value, int):
        return str(value)
    hits, trials = (metrics.get(key) for key in RATES.get(name, ("", "")))
    if isinstance(hits, int) and isinstance(trials, int):
        low, high = interval(hits, trials)
        return f"{value:.3f} ({low:.2f}–{high:.2f})"
    return f"{value:.3f}"
