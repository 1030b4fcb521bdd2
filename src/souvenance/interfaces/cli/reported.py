"""Shows what `souvenance memories report` found: for people, as one JSON object, or as a drawing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from souvenance.counts import BLOCK_TOP, BLOCK_TURNS
from souvenance.interfaces.cli import render
from souvenance.interfaces.cli.drawing import write
from souvenance.interfaces.cli.invocation import Invocation
from souvenance.measure.overtime import Bars, Curve, Curves, drawn
from souvenance.read.forgetting import Concentration, Point, Report, Silence

#: Characters of the longest bar.
_BAR = 12

#: Blocks of turns shown to people, evenly picked with the last one; `--json` and the drawing have all.
_SHOWN = 20


def show(call: Invocation, found: Report) -> None:
    """The figures of now, by kind and by scope, then block by block."""
    spoken, silence, even = call.words, found.silence, found.concentration
    call.show(spoken("report.turns", n=found.turns, degraded=found.degraded))
    told = {"served": silence.never_served, "retrieved": silence.never_retrieved}
    shares = {f"{name}_share": _percent(n, silence.memories) for name, n in told.items()}
    call.show(spoken("report.silence", n=silence.memories, **told, **shares))
    if even.slots:
        figures = {
            "most": BLOCK_TOP,
            "effective": round(even.effective),
            "gini": f"{found.gini:.2f}",
        }
        share = _percent(even.top, even.slots)
        call.show(spoken("report.slots", slots=even.slots, n=even.memories, share=share, **figures))
    call.show("", _groups(call, found))
    if found.points:
        call.show("", spoken("report.over_time"), _over_time(call, found.points))


def _groups(call: Invocation, found: Report) -> Any:
    spoken = call.words
    named = [
        *((spoken(f"kind.{kind.value}"), s) for kind, s in found.by_kind.items()),
        *((spoken(f"report.scope_{scope.value}"), s) for scope, s in found.by_scope.items()),
    ]
    rows = [
        (name, s.memories, _share(s.never_served, s.memories), _share(s.never_retrieved, s.memories))
        for name, s in named
    ]  # fmt: skip
    headers = ["", *(spoken(f"report.{c}") for c in ("memories", "never_served", "never_retrieved"))]  # fmt: skip
    return render.table(headers, rows, wide=-1, right=(1, 2, 3))


def _over_time(call: Invocation, points: Sequence[Point]) -> Any:
    names = ("turns_of", "day", "memories", "never_served", "never_retrieved", "top", "effective")
    rows = []
    for p in _picked(points):
        s, even = p.silence, p.concentration
        rows.append(
            (
                f"{p.first}–{p.last}", render.day(p.ended), s.memories,
                _barred(s.never_served, s.memories), _barred(s.never_retrieved, s.memories),
                _percent(even.top, even.slots), round(even.effective),
            )
        )  # fmt: skip
    headers = [call.words(f"report.{name}", n=BLOCK_TOP) if name == "top" else call.words(f"report.{name}") for name in names]  # fmt: skip
    return render.table(headers, rows, wide=-1, right=(2, 5, 6))


def _picked(points: Sequence[Point]) -> list[Point]:
    """Evenly picked ones, the last included."""
    step = max(1, -(-len(points) // _SHOWN))
    return list(points[::-1][::step][::-1])


def _percent(n: float, of: float) -> str:
    return f"{100 * n / of:.0f} %" if of else "-"


def _share(n: int, of: int) -> str:
    return f"{n} ({_percent(n, of)})"


def _barred(n: int, of: int) -> str:
    long = round(_BAR * n / of) if of else 0
    return f"{'█' * max(long, n > 0):<{_BAR}} {_percent(n, of):>5}"


# --- for programs ---------------------------------------------------------------------------------


def as_json(found: Report, min_turns: int) -> dict[str, Any]:
    """Everything, with the definitions' constants."""
    return {
        "turns": found.turns,
        "degraded": found.degraded,
        "min_turns": min_turns,
        "top_memories": BLOCK_TOP,
        **_silence(found.silence),
        "by": {
            "kind": {kind.value: _silence(s) for kind, s in found.by_kind.items()},
            "scope": {scope.value: _silence(s) for scope, s in found.by_scope.items()},
        },
        "concentration": {**_concentration(found.concentration), "gini": round(found.gini, 4)},
        "over_time": [
            {
                "first_turn": p.first,
                "last_turn": p.last,
                "began": p.began.isoformat(),
                "ended": p.ended.isoformat(),
                **_silence(p.silence),
                "retrieved": p.retrieved,
                **_concentration(p.concentration),
            }
            for p in found.points
        ],
    }


def _silence(s: Silence) -> dict[str, int]:
    return {
        "memories": s.memories, "never_served": s.never_served, "never_retrieved": s.never_retrieved,
    }  # fmt: skip


def _concentration(c: Concentration) -> dict[str, Any]:
    return {
        "slots": c.slots,
        "memories_served": c.memories,
        "top_share": round(c.top / c.slots, 4) if c.slots else None,
        "effective": round(c.effective, 1),
    }


# --- for the eye ----------------------------------------------------------------------------------


def draw(call: Invocation, found: Report, path: Path) -> None:
    """Writes the shares over time and by kind as a drawing. Errors: `BadInput` when it cannot be written."""
    spoken, points = call.words, found.points
    served = [(p.last, _ratio(p.silence.never_served, p.silence.memories)) for p in points]
    called = [(p.last, _ratio(p.silence.never_retrieved, p.silence.memories)) for p in points]
    top = [(p.last, _ratio(p.concentration.top, p.concentration.slots)) for p in points]
    even = [(p.last, _ratio(BLOCK_TOP, max(p.silence.memories, BLOCK_TOP))) for p in points]
    panels: list[Curves | Bars] = [
        Curves(
            spoken("report.plot_silence"),
            [
                Curve("first", spoken("report.never_retrieved"), called),
                Curve("second", spoken("report.never_served"), served),
            ],
        ),
        Curves(
            spoken("report.plot_even", n=BLOCK_TOP),
            [
                Curve("second", spoken("report.top", n=BLOCK_TOP), top),
                Curve("even", spoken("report.plot_alike"), even),
            ],
        ),
        Bars(
            spoken("report.plot_kinds"),
            [
                (spoken(f"kind.{kind.value}"), _ratio(s.never_retrieved, s.memories), f"{s.never_retrieved} / {s.memories}")
                for kind, s in found.by_kind.items()
            ],
        ),
    ]  # fmt: skip
    silence = found.silence
    title = spoken("report.plot_title", n=silence.memories, turns=found.turns)
    write(call, path, drawn(path, title, spoken("report.plot_legend", n=BLOCK_TURNS), panels))


def _ratio(n: float, of: float) -> float:
    return n / of if of else 0.0
