"""What failed in a bench, item by item: an id alone sends the reader back to the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from souvenance.interfaces.cli.safe import one_line, short
from souvenance.interfaces.cli.said import reason_text

if TYPE_CHECKING:
    from souvenance.interfaces.cli.invocation import Invocation
    from souvenance.measure.report import Report

#: Items told with what was expected and read, and further ids printed; `--json` has all. Chosen, not measured.
_TOLD, _NAMED = 10, 60
#: Characters of a text, and of what was expected or read. Chosen, not measured: a line at a wide terminal.
_TEXT, _SAID = 80, 70


def show(call: Invocation, report: Report) -> None:
    """The first items that failed, a line each with what was expected and what was read, and the ids of the others."""
    if not report.failed:
        return
    spoken = call.words
    call.show("", spoken("bench.failed", n=len(report.failed)))
    told = [name for name in report.failed if name in report.faults][:_TOLD]
    for name in told:
        fault = report.faults[name]
        expected, read = (
            short(reason_text(said, spoken), _SAID) for said in (fault.expected, fault.read)
        )
        line = spoken("bench.fault", expected=expected, read=read, text=short(fault.text, _TEXT))
        call.out.print(Text(f"  {one_line(name)}  {line}"), soft_wrap=True)
    others = [name for name in report.failed if name not in told]
    if others:
        more = len(others) - _NAMED
        call.show(" ".join(map(one_line, others[:_NAMED])) + (f" … (+{more})" if more > 0 else ""))
