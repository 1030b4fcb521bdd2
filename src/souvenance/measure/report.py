"""One shape for the outcome of every bench, and the interval printed beside each rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

Metrics = Mapping[str, float | int | None]


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong with one item: its text, what was expected of it, and what was read, in a few words."""

    text: str
    expected: str
    read: str


@dataclass(frozen=True, slots=True)
class Report:
    """What one bench measured on one file.

    `metrics` is ours; `by` is ours per group; `baselines` are other methods on the same items, same run.
    `tables` are further figures of ours, each under its title.
    `failed` names the items that went wrong, worst kind first; `faults` says of each what. `notes` are sentences for
    the reader.
    """

    bench: str
    file: str
    n: int
    metrics: Metrics
    by: Mapping[str, Metrics] = field(default_factory=dict)
    baselines: Mapping[str, Metrics] = field(default_factory=dict)
    decisions: Sequence[Mapping[str, Any]] = ()
    failed: Sequence[str] = ()
    notes: Sequence[str] = ()
    #: Further tables, by title: rows of figures.
    tables: Mapping[str, Mapping[str, Metrics]] = field(default_factory=dict)
    #: By the names in `failed`; for people, and not in the documented object.
    faults: Mapping[str, Fault] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The documented object of `souvenance bench … --json`."""
        return {
            "bench": self.bench,
            "file": self.file,
            "n": self.n,
            "metrics": dict(self.metrics),
            "by": {k: dict(v) for k, v in self.by.items()},
            "baselines": {k: dict(v) for k, v in self.baselines.items()},
            "decisions": [dict(d) for d in self.decisions],
            "failed": list(self.failed),
            "notes": list(self.notes),
            "tables": {
                title: {row: dict(figures) for row, figures in rows.items()}
                for title, rows in self.tables.items()
            },
        }


def interval(hits: int, trials: int, z: float = 1.96) -> tuple[float, float]:
    """The Wilson score interval of a rate, (0, 1) when there is no trial. Source: Wilson 1927."""
    if trials == 0:
        return (0.0, 1.0)
    rate = hits / trials
    middle = rate + z * z / (2 * trials)
    spread = z * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return (max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale))


def rate(hits: int, trials: int) -> float | None:
    """Hits over trials, None when there is no trial."""
    return hits / trials if trials else None
