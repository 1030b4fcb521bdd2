"""Prints what the write side does on files of cases, beside what is asked of it, as one table a folder.

Run: python bench/writing.py FOLDER… [--json]. A folder holds any of dedup.jsonl, filters.jsonl, dates.jsonl,
pii.jsonl and conversations.jsonl (formats: docs/bench.md). Without a folder: those of bench/cases.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from souvenance.interfaces.cli.bench import RATES
from souvenance.measure import dates, dedup, filters, pii, replay
from souvenance.measure.report import Report, interval
from souvenance.measure.runs import engine_run
from souvenance.settings import Settings

CASES = Path(__file__).parent / "cases"

#: Rows of the table: bench, metric, what is asked of cases that nobody tuned on, the counts behind a rate.
ASKED: tuple[tuple[str, str, str], ...] = (
    ("dedup", "false_merge_rate", "≤ 1 %"),
    ("dedup", "true_merge_rate", "≥ 65 %"),
    ("filters", "missed_drop_rate", "≤ 12 %"),
    ("filters", "lost_keep_rate", "≤ 6 %"),
    ("dates", "right_rate", "≥ 85 %"),
    ("dates", "wrong_rate", "≤ 5 %"),
    ("pii", "recall", "≥ 97 %"),
    ("pii", "precision", "≥ 97 %"),
    ("replay", "fact_rate", "-"),
    ("replay", "current_right_rate", "≥ 75 %"),
    ("replay", "never_kept", "0"),
)
COUNTS = {
    **RATES,
    "right_rate": ("right", "n"),
    "wrong_rate": ("wrong", "n"),
    "current_right_rate": ("current_right", "current"),
}
#: What must never merge, whatever the rate: the kinds of difference (`why`) that are decisive.
DECISIVE = (
    "number",
    "date",
    "time",
    "amount",
    "unit",
    "negation",
    "name",
    "kinship",
    "day",
    "month",
)


def reports(folder: Path) -> Iterator[Report]:
    """The measurements that the files of a folder allow."""
    measures: dict[str, Callable[[Path], Report]] = {
        "dedup": dedup.measure,
        "filters": filters.measure,
        "dates": dates.measure,
        "pii": pii.measure,
    }
    for name, measure in measures.items():
        if (folder / f"{name}.jsonl").exists():
            yield measure(folder / f"{name}.jsonl")
    if (folder / "conversations.jsonl").exists():
        settings = Settings.model_validate({"chat": {"discover": False}})
        with engine_run(settings) as run:
            yield replay.measure(folder / "conversations.jsonl", run)


def rows(found: Mapping[str, Report]) -> Iterator[tuple[str, str, str]]:
    """Each row: what is measured, what is asked, what was seen."""
    for bench, metric, asked in ASKED:
        report = found.get(bench)
        if report is not None:
            yield f"{bench}: {metric.replace('_', ' ')}", asked, _seen(report.metrics, metric)
    if "dedup" in found:
        merged = _decisive(found["dedup"])
        yield "dedup: false merges on decisive differences", "0", merged


def _seen(metrics: Mapping[str, Any], metric: str) -> str:
    counts = COUNTS.get(metric)
    if counts is None:
        return str(metrics[metric])
    hits, trials = (int(metrics[name]) for name in counts)
    low, high = interval(hits, trials)
    return f"{hits}/{trials} = {hits / max(trials, 1):.1%} ({low:.0%}–{high:.0%})"


def _decisive(report: Report) -> str:
    groups = {
        name: group
        for name, group in report.by.items()
        if any(word in name for word in DECISIVE) and group.get("distinct")
    }
    wrong = sum(int(group["false_merges"]) for group in groups.values())
    return f"{wrong} of {sum(int(group['distinct']) for group in groups.values())}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(arguments)
    folders = asked.folders or sorted(p for p in CASES.glob("*") if p.is_dir())
    tables = {str(folder): {r.bench: r for r in reports(folder)} for folder in folders}
    if asked.json:
        plain = {name: {b: r.as_json() for b, r in found.items()} for name, found in tables.items()}
        sys.stdout.write(json.dumps(plain, ensure_ascii=False) + "\n")
        return
    for name, found in tables.items():
        sys.stdout.write(f"\n{name}\n\n| measured | asked, unseen | seen |\n|---|---|---|\n")
        sys.stdout.writelines(f"| {' | '.join(row)} |\n" for row in rows(found))
        for bench, report in found.items():
            if report.failed:
                sys.stdout.write(f"\n{bench} failed: {' '.join(report.failed)}\n")


if __name__ == "__main__":
    main()
