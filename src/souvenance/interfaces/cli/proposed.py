"""Shows what `souvenance calibrate recall` proposes: for people, as one JSON object, as a drawing, and in the settings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from souvenance.interfaces.cli import render
from souvenance.interfaces.cli.invocation import Invocation
from souvenance.interfaces.cli.safe import one_line
from souvenance.measure.proposal import (
    CUTS,
    ENOUGH,
    FEW,
    MEMORIES_NEEDED,
    MESSAGES_NEEDED,
    Figure,
    Passing,
    Proposal,
)
from souvenance.measure.recallplot import binned

if TYPE_CHECKING:
    from souvenance.interfaces.cli.recalling import Found, Language

#: Rows of the distribution at a terminal, and characters of its longest bar.
_ROWS, _BAR = 14, 24

_LEVELS = "▁▂▃▄▅▆▇█"


def show(call: Invocation, found: Found) -> None:
    """The proposal of each language, with what it was read on."""
    spoken = call.words
    if not found.languages:
        call.note(spoken("calibrate_recall.nothing"))
    for one in found.languages:
        call.show(_title(call, one))
        call.quiet(one_line(found.embedder))
        if one.proposal is None:
            call.note(_refusal(call, one))
        else:
            _show(call, one, one.proposal)
        call.show("")
    if found.labels is None and any(one.proposal for one in found.languages):
        call.note(spoken("calibrate_recall.label_how", options=call.options_typed()))


def _named(call: Invocation, one: Language) -> str:
    return call.words.get(f"calibrate_recall.language.{one.code}", one.code)


def _title(call: Invocation, one: Language) -> str:
    counts = {"memories": one.memories, "messages": one.messages}
    return call.words("calibrate_recall.title", language=_named(call, one), **counts)


def _refusal(call: Invocation, one: Language) -> str:
    return call.words(
        "calibrate_recall.too_little",
        memories=one.memories,
        messages=one.messages,
        needed=MEMORIES_NEEDED,
        said=MESSAGES_NEEDED,
    )


def _show(call: Invocation, one: Language, made: Proposal) -> None:
    spoken = call.words
    call.show(_distribution(call, one, made), "")
    call.show(_source(call, made), "")
    call.show(render.table(["", spoken("calibrate_recall.now"), spoken("calibrate_recall.proposed"), ""], _rows(call, one, made), wide=3, right=(1, 2)), "")  # fmt: skip
    called = {"middle": round(made.called[0]), "most": round(made.called[1])}
    if made.curve:
        call.show(spoken("calibrate_recall.passing", **_shares(made.passing), **called))
        call.show(spoken("calibrate_recall.passing_now", **_shares(made.passing_now)))
    else:
        shares = {
            "strangers": _percent(made.passing.strangers, 1),
            "before": _percent(made.passing_now.strangers, 1),
        }
        call.show(spoken("calibrate_recall.passing_strangers", **shares, **called))
    if made.curve:
        call.show(spoken("calibrate_recall.expected", **_expected(made)))
        call.show("  1 " + _spark([f.value for f in made.curve]) + f" {len(made.curve)}")
    if 0 < made.labels < ENOUGH:
        call.show(spoken("calibrate_recall.guess", n=made.labels, enough=ENOUGH))


def _rows(call: Invocation, one: Language, made: Proposal) -> list[tuple[str, str, str, str]]:
    spoken, now = call.words, one.now
    interval = spoken(
        "calibrate_recall.interval", low=f"{made.threshold.low:.3f}", high=f"{made.threshold.high:.3f}"
    )  # fmt: skip
    kept = spoken("calibrate_recall.kept")
    return [
        (spoken("calibrate_recall.threshold"), f"{now.calibration.threshold:.3f}", f"{made.threshold.value:.3f}", interval),
        (spoken("calibrate_recall.spread"), f"{now.calibration.spread:.3f}", f"{made.spread:.3f}", ""),
        (spoken("calibrate_recall.word_weight"), f"{now.calibration.word_weight:g}", f"{made.word_weight:g}",
         "" if made.word_weight != now.calibration.word_weight else kept),
        (spoken("calibrate_recall.slots"), str(now.slots), str(made.slots), "" if made.slots != now.slots else kept),
    ]  # fmt: skip


def _source(call: Invocation, made: Proposal) -> str:
    """Where related pairs come from, or that there are too few of them to tell what is recalled."""
    if not made.curve:
        return call.words("calibrate_recall.few", n=made.trials, few=FEW)
    return call.words(
        f"calibrate_recall.{'by_labels' if made.from_labels else 'by_masking'}", n=made.trials
    )


def _shares(passing: Passing) -> dict[str, str]:
    return {
        "related": _percent(passing.related.value),
        "low": _percent(passing.related.low),
        "high": _percent(passing.related.high),
        "strangers": _percent(passing.strangers, 1),
    }


def _expected(made: Proposal) -> dict[str, str]:
    told: dict[str, str] = {}
    for cut in CUTS:
        figure = made.curve[cut - 1]
        told |= {
            f"at{cut}": _percent(figure.value),
            f"low{cut}": _percent(figure.low),
            f"high{cut}": _percent(figure.high),
        }
    return told


def _percent(share: float, places: int = 0) -> str:
    return f"{100 * share:.{places}f}"


def _spark(shares: Sequence[float]) -> str:
    return "".join(_LEVELS[min(int(share * len(_LEVELS)), len(_LEVELS) - 1)] for share in shares)


def _distribution(call: Invocation, one: Language, made: Proposal) -> Any:
    """Both distributions, each as shares of its own pairs, and the row where the threshold lies."""
    assert one.cosines is not None
    shown = binned(one.cosines, _ROWS)
    rows = []
    for n in range(_ROWS - 1, -1, -1):
        low, high = shown.edges[n], shown.edges[n + 1]
        cells = [f"{low:.3f}"]
        for shares in (shown.unrelated, shown.related):
            long = round(_BAR * shares[n] / shown.highest)
            cells += ["█" * max(long, shares[n] > 0), _percent(shares[n]) + " %" if shares[n] else ""]  # fmt: skip
        last = n == _ROWS - 1
        at = low <= made.threshold.value < high or (last and made.threshold.value >= high)
        rows.append([*cells, "◀ " + call.words("calibrate_recall.threshold") if at else ""])
    headers = [call.words("calibrate_recall.cosine")]
    headers += [call.words("calibrate_recall.unrelated"), "", call.words("calibrate_recall.related")]  # fmt: skip
    return render.table([*headers, "", ""], rows, wide=-1, right=(2, 4))


# --- for programs, as a drawing, and in the settings --------------------------------------------------


def as_json(found: Found) -> dict[str, Any]:
    """Everything that was measured and proposed."""
    return {
        "calibrate": "recall",
        "embedder": found.embedder,
        "labels": str(found.labels) if found.labels else None,
        "needed": {"memories": MEMORIES_NEEDED, "messages": MESSAGES_NEEDED, "labels": ENOUGH},
        "languages": {one.code: _language(one) for one in found.languages},
    }


def _language(one: Language) -> dict[str, Any]:
    now, made = one.now, one.proposal
    told: dict[str, Any] = {
        "memories": one.memories,
        "messages": one.messages,
        "now": {
            "threshold": now.calibration.threshold,
            "spread": now.calibration.spread,
            "word_weight": now.calibration.word_weight,
            "slots": now.slots,
        },
        "proposed": None,
    }
    if made is None or one.cosines is None:
        return told
    shown = binned(one.cosines, 40)
    return told | {
        "proposed": {
            "threshold": _figure(made.threshold),
            "spread": round(made.spread, 4),
            "word_weight": made.word_weight,
            "slots": made.slots,
        },
        "read_from": "labels" if made.from_labels else "masked messages",
        "labels": made.labels,
        "trials": made.trials,
        "pairs": {"unrelated": len(one.cosines.unrelated), "masked": len(one.cosines.related)},
        "passing": _passing(made.passing),
        "passing_now": _passing(made.passing_now),
        "called": {"median": made.called[0], "nine_in_ten": made.called[1]},
        "recall": [_figure(figure) for figure in made.curve],
        "word_weights": {f"{w:g}": round(r, 4) for w, r in made.weights.items()},
        "histogram": {
            "edges": [round(e, 4) for e in shown.edges],
            "unrelated": [round(s, 5) for s in shown.unrelated],
            "related": [round(s, 5) for s in shown.related],
        },
    }


def _passing(passing: Passing) -> dict[str, Any]:
    return {"related": _figure(passing.related), "unrelated": round(passing.strangers, 4)}


def _figure(figure: Figure) -> dict[str, float]:
    return {
        "value": round(figure.value, 4),
        "low": round(figure.low, 4),
        "high": round(figure.high, 4),
    }


def draw(call: Invocation, found: Found, path: Path) -> None:
    """Writes both distributions and recall against places as a drawing. Errors: `BadInput`."""
    from souvenance.interfaces.cli.drawing import write as written
    from souvenance.measure.recallplot import Drawn, Said, drawing

    spoken = call.words
    said = Said(*(spoken(f"calibrate_recall.plot_{name}") for name in Said.__slots__))
    panels = [
        Drawn(
            _title(call, one),
            one_line(found.embedder),
            one.cosines,
            one.proposal,
            one.now.calibration.threshold,
        )
        for one in found.languages
        if one.proposal is not None and one.cosines is not None
    ]  # fmt: skip
    written(call, path, drawing(path, spoken("calibrate_recall.plot_title"), said, panels))


def write(call: Invocation, found: Found) -> None:
    """Writes what is proposed to the settings file in force, with the date and the figures. Errors: `BadSetting`."""
    from souvenance.settingsfile import write_section

    path, spoken = call.settings_file, call.words
    for one in found.languages:
        made = one.proposal
        if made is None:
            continue
        values: dict[str, str | int | float] = {
            "embedder": found.embedder,
            "threshold": round(made.threshold.value, 4),
            "spread": round(made.spread, 4),
            "word_weight": made.word_weight,
            "slots": made.slots,
        }
        notes = [
            spoken(
                "calibrate_recall.note_read", day=date.today().isoformat(), memories=one.memories,
                messages=one.messages, low=f"{made.threshold.low:.3f}", high=f"{made.threshold.high:.3f}",
            ),
            _source(call, made),
        ]  # fmt: skip
        if made.curve:
            notes.append(spoken("calibrate_recall.note_passing", **_shares(made.passing)))
            notes.append(spoken("calibrate_recall.expected", **_expected(made)))
        write_section(path, f"recall.{one.code}", values, notes)
        call.note(spoken("calibrate_recall.written", section=f"recall.{one.code}", file=one_line(str(path))))  # fmt: skip
