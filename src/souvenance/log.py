"""Structured events through standard logging: silent until somebody listens, never what was said.

A library must not print: events go to the loggers named `souvenance…`, which the command line or the host shows.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import MutableMapping
from typing import Any

import structlog


def logger(name: str) -> Any:
    """A logger of events with fields; fields hold ids, counts and kinds, never content."""
    return structlog.wrap_logger(
        logging.getLogger(name),
        processors=[
            structlog.stdlib.filter_by_level,
            _without_content,
            structlog.processors.LogfmtRenderer(key_order=["event"], bool_as_flag=False),
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
    )


def _without_content(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """The event with an exception reduced to its type and place: its message may quote what was said."""
    error = event.pop("exc_info", None)
    if isinstance(error, BaseException):
        event["error"] = type(error).__name__
        frames = traceback.extract_tb(error.__traceback__)
        if frames:
            event["where"] = f"{frames[-1].name}:{frames[-1].lineno}"
    return event
