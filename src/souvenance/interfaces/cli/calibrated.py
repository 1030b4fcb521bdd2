"""Shows what `souvenance calibrate` measured: for people, as one JSON object, or as a drawing."""

from __future__ import annotations

from math import log10
from pathlib import Path
from typing import TYPE_CHECKING, Any

from souvenance.interfaces.cli import render
from souvenance.interfaces.cli.invocation import Invocation
from souvenance.interfaces.cli.safe import one_line
from souvenance.interfaces.cli.said import reason_text
from souvenance.measure.calibration import (
    BINS,
    ENOUGH,
    SCORES,
    Scored,
    Step,
    Support,
    Verdict,
    histogram,
    judge,
)
from souvenance.measure.published import PUBLISHED_THRESHOLD

if TYPE_CHECKING:
    from souvenance.interfaces.cli.calibrate import Found

#: Characters of the longest bar.
_BAR = 24

#: Thresholds shown to people, in steps of 0.05; `--json` has every one that occurs.
_SHOWN = [n / 20 for n in range(20, 3, -1)]

#: Near pairs shown when nobody can be asked. Chosen, not measured.
_PAIRS = 15


def show(call: Invocation, found: Found, *, asked: bool) -> None:
    """The distribution, the near pairs when nobody was asked about them, and what the labels support."""
    spoken = call.words
    call.show(spoken("calibrate.title", n=found.memories, pairs=found.every))
    if not found.every:
        call.note(spoken("calibrate.too_few"))
    elif len(found.drawn) < found.every:
        call.quiet(spoken("calibrate.drawn", n=len(found.drawn)))
    if found.drawn:
        call.show(_distribution(call, found))
    if found.waiting and not asked:
        call.show("", spoken("calibrate.nearest"), _near(call, found.waiting[:_PAIRS]))
    if found.labelled:
        _verdict(call, judge(list(found.labelled.values())))
    if found.waiting and not asked:
        key = "calibrate.label_here" if found.file else "calibrate.label_how"
        file = one_line(str(found.file or "labels.jsonl"))
        call.note(spoken(key, options=call.options_typed(), file=file))


def _distribution(call: Invocation, found: Found) -> Any:
    counts = {name: histogram([score(p) for p in found.drawn]) for name, score in SCORES.items()}
    highest = max(max(c) for c in counts.values())
    rows = []
    for n in range(BINS - 1, -1, -1):
        cells: list[object] = [f"{n / BINS:.2f}–{(n + 1) / BINS:.2f}"]
        for name in SCORES:
            count = counts[name][n]
            long = round(_BAR * log10(1 + count) / log10(1 + highest)) if highest else 0
            cells += ["█" * max(long, count > 0), str(count or "")]
        rows.append(cells)
    headers = [call.words("calibrate.score")]
    for name in SCORES:
        headers += [call.words(f"calibrate.{name}"), ""]
    return render.table(headers, rows, wide=-1, right=(2, 4))


def _near(call: Invocation, pairs: list[Scored]) -> Any:
    spoken = call.words
    headers = [spoken(f"calibrate.{name}") for name in (*SCORES, "merges")]
    rows = [
        (f"{p.shared:.2f}", f"{p.published:.2f}", spoken(f"calibrate.decides.{p.merges}"), line)
        for p in pairs
        for line in [f"{one_line(p.a)}  ↔  {one_line(p.b)}"]
    ]
    return render.table([*headers, ""], rows, wide=3)


# --- what the labels support ----------------------------------------------------------------------


def _verdict(call: Invocation, verdict: Verdict) -> None:
    spoken = call.words
    counts = {"same": verdict.same, "different": verdict.different}
    call.show("", spoken("calibrate.labels", n=verdict.same + verdict.different, **counts))
    headers = [spoken("calibrate.threshold")]
    for name in SCORES:
        title = spoken(f"calibrate.{name}")
        headers += [f"{title}, {spoken(f'calibrate.{kind}_merges')}" for kind in ("false", "true")]
    shown = {name: _at(verdict.support[name]) for name in SCORES}
    rows: list[list[str]] = []
    for n, threshold in enumerate(_SHOWN):
        counts_at = [shown[name][n] for name in SCORES]
        cells = [str(c) for s in counts_at for c in (s.false_merges, s.true_merges)]
        if not rows or cells != rows[-1][1:]:  # a row that says the same again is left out
            rows.append([f"{threshold:.2f}", *cells])
    call.show(render.table(headers, rows, wide=-1, right=(1, 2, 3, 4)), "")
    for name in SCORES:
        call.show(_supported(call, name, verdict))
    if not verdict.is_enough:
        call.show(spoken("calibrate.not_enough", n=verdict.different, enough=ENOUGH))
    call.show(
        spoken(
            "calibrate.product",
            false=verdict.false_merges,
            different=verdict.different,
            true=verdict.true_merges,
            same=verdict.same,
        )
    )
    for pair, is_same in verdict.disagreements:
        kind = "missed" if is_same else "wrong"
        call.show(f"  {spoken(f'calibrate.{kind}')} · {reason_text(pair.why, spoken)}")
        call.show(f"    A  {one_line(pair.a)}", f"    B  {one_line(pair.b)}")


def _at(support: Support) -> list[Step]:
    """The steps at the thresholds that are shown: each is that of the lowest score not under it."""
    found = []
    for threshold in _SHOWN:
        above = [s for s in support.steps if s.threshold >= threshold]
        found.append(above[-1] if above else Step(threshold, 0, 0))
    return found


def _supported(call: Invocation, name: str, verdict: Verdict) -> str:
    title, lowest = call.words(f"calibrate.{name}"), verdict.support[name].lowest
    if lowest is None:
        return call.words("calibrate.supports_none", score=title)
    return call.words(
        "calibrate.supports",
        score=title,
        threshold=f"{lowest.threshold:.2f}",
        true=lowest.true_merges,
        same=verdict.same,
        n=verdict.different,
        most=f"{100 * verdict.could_be:.0f}",
    )


# --- for programs, and as a drawing ---------------------------------------------------------------


def as_json(found: Found) -> dict[str, Any]:
    """Everything that was measured."""
    verdict = judge(list(found.labelled.values()))
    return {
        "calibrate": "dedup",
        "memories": found.memories,
        "pairs": found.every,
        "drawn": len(found.drawn),
        "histogram": {
            "edges": [n / BINS for n in range(BINS + 1)],
            **{n: histogram([s(p) for p in found.drawn]) for n, s in SCORES.items()},
        },
        "nearest": [_pair_json(pair, found) for pair in found.near],
        "labels": {
            "file": str(found.file) if found.file else None,
            "n": len(found.labelled),
            "same": verdict.same,
            "different": verdict.different,
            "enough": verdict.is_enough,
            "wrong_could_be": verdict.could_be,
        },
        "scores": {name: _support_json(verdict.support[name]) for name in SCORES},
        "product": {
            "false_merges": verdict.false_merges,
            "true_merges": verdict.true_merges,
            "disagreements": [_pair_json(pair, found) for pair, _ in verdict.disagreements],
        },
    }


def _pair_json(pair: Scored, found: Found) -> dict[str, Any]:
    label = found.labelled.get(pair.pair_id)
    return {
        "id": pair.pair_id,
        "lang": pair.language,
        "a": pair.a,
        "b": pair.b,
        "same": label[1] if label else None,
        "shared": round(pair.shared, 4),
        "published": round(pair.published, 4),
        "merges": pair.merges,
        "why": pair.why,
    }


def _support_json(support: Support) -> dict[str, Any]:
    def plain(step: Step) -> dict[str, Any]:
        return {
            "threshold": step.threshold,
            "false_merges": step.false_merges,
            "true_merges": step.true_merges,
        }

    return {
        "thresholds": [plain(step) for step in support.steps],
        "supported": plain(support.lowest) if support.lowest else None,
    }


def draw(call: Invocation, found: Found, path: Path) -> None:
    """Writes the distribution as a drawing. Errors: `BadInput` when it cannot be written."""
    from souvenance.interfaces.cli.drawing import write
    from souvenance.measure.plot import Mark, Panel, html, svg

    labelled, panels = list(found.labelled.values()), []
    supported = judge(labelled).support
    for name, score in SCORES.items():
        marks = []
        lowest = supported[name].lowest
        if lowest:
            marks.append(Mark(lowest.threshold, call.words("calibrate.plot_supported")))
        if name == "published":
            marks.append(Mark(PUBLISHED_THRESHOLD, call.words("calibrate.plot_published")))
        same, different = (
            [score(pair) for pair, is_same in labelled if is_same == wanted]
            for wanted in (True, False)
        )
        counts = histogram([score(p) for p in found.drawn])
        title = call.words(f"calibrate.{name}")
        panels.append(Panel(title[:1].upper() + title[1:], counts, same, different, marks))
    title = call.words("calibrate.title", n=found.memories, pairs=found.every)
    made = (html if path.suffix.lower() == ".html" else svg)(
        title, call.words("calibrate.plot_legend"), panels
    )
    write(call, path, made)
