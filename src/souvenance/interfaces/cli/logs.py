"""What is logged and where: standard error, warnings only by default, never what was said or remembered."""

from __future__ import annotations

import logging
import sys

from souvenance.interfaces.cli.safe import one_line


class _OneLine(logging.Formatter):
    """Each record on one harmless line."""

    def format(self, record: logging.LogRecord) -> str:
        return (
            f"{self.formatTime(record)} {record.levelname.lower()} {one_line(record.getMessage())}"
        )


def configure(*, verbose: bool) -> None:
    """Sends our events to standard error, from WARNING on, or from DEBUG when `verbose`."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_OneLine())
    ours = logging.getLogger("souvenance")
    ours.handlers = [handler]
    ours.propagate = False
    ours.setLevel(logging.DEBUG if verbose else logging.WARNING)
