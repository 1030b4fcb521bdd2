"""`souvenance doctor`: what is set, what works, and what to do about what does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from souvenance.interfaces.cli import render
from souvenance.interfaces.cli.invocation import Invocation, invocation
from souvenance.interfaces.cli.options import JsonOption
from souvenance.interfaces.cli.safe import one_line
from souvenance.interfaces.cli.said import origin_text

if TYPE_CHECKING:
    from souvenance.interfaces.cli.examination import Finding

_SIGNS = {"ok": "✓", "note": "·", "bad": "✗"}


def doctor(ctx: typer.Context, json: JsonOption = False) -> None:
    from souvenance.interfaces.cli.examination import examine

    call = invocation(ctx)
    findings = examine(call)
    healthy = all(finding.state != "bad" for finding in findings)
    if json:
        call.json(_as_json(call, findings, healthy))
    else:
        _show(call, findings, healthy)
    if not healthy:
        raise typer.Exit(1)


def _show(call: Invocation, findings: list[Finding], healthy: bool) -> None:
    spoken = call.words
    shown = call.loaded.shown()
    headers = [spoken(f"column.{name}") for name in ("setting", "value", "origin")]
    rows = [(key, shown[key], origin_text(call.loaded.origins[key], spoken)) for key in shown]
    call.show(render.table(headers, rows, wide=1), "")
    for finding in findings:
        style = {"ok": "", "note": "dim", "bad": "bold red"}[finding.state]
        call.show(f"{_SIGNS[finding.state]} {one_line(finding.said)}", style=style)
        for line in finding.more:
            call.quiet(f"    {one_line(line)}")
        if finding.advice:
            call.show(f"    → {one_line(finding.advice)}")
    call.show("", spoken("doctor.healthy" if healthy else "doctor.unhealthy"))


def _as_json(call: Invocation, findings: list[Finding], healthy: bool) -> dict[str, Any]:
    shown = call.loaded.shown()
    return {
        "healthy": healthy,
        "settings": {
            key: {"value": shown[key], "origin": call.loaded.origins[key]} for key in shown
        },
        "checks": [
            {
                "name": finding.name,
                "state": finding.state,
                "said": finding.said,
                "advice": finding.advice,
                **finding.data,
            }
            for finding in findings
        ],
    }
