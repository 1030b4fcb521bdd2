"""What is logged and where: standard error, warnings only by default, never what was said or remembered."""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Mapping, MutableMapping
from typing import Any

import structlog

from souvenance.interfaces.cli.safe import one_line


def configure(*, verbose: bool) -> None:
    """Sends structlog's events to standard error, from WARNING on, or from DEBUG when `verbose`."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _without_content,
            structlog.processors.LogfmtRenderer(
                key_order=["timestamp", "level", "event"], bool_as_flag=False
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.DEBUG if verbose else logging.WARNING
        ),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )


def _without_content(
    logger: Any, method: str, event: MutableMapping[str, Any]
) -> Mapping[str, Any]:
    """The event with exceptions reduced to their type and place, and every text on one harmless line."""
    info = event.pop("exc_info", None)
    error = info if isinstance(info, BaseException) else sys.exc_info()[1] if info else None
    if error is not None:
        event["error"] = type(error).__name__
        frames = traceback.extract_tb(error.__traceback__)
        if frames:
            event["where"] = f"{frames[-1].filename}:{frames[-1].lineno}"
    return {
        _key(key): one_line(value if isinstance(value, str) else str(value))
        for key, value in event.items()
    }


def _key(key: str) -> str:
    return "".join(c if c.isalnum() or c in "_." else "_" for c in key)
