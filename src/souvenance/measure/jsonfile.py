"""Reads a file that is one JSON document, and says in one sentence what is wrong with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from souvenance.errors import BadInput


def read_json(path: Path) -> Any:
    """What the file holds. Errors: `BadInput` when it cannot be read, or is not JSON in UTF-8."""
    text = read_text(path)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _not_json(path, error) from None


def read_text(path: Path) -> str:
    """The text of the file. Errors: as `read_json`."""
    try:
        return path.read_text("utf-8")
    except OSError as error:
        why = error.strerror or str(error)
        raise BadInput(
            f"{path} cannot be read: {why}",
            code="file_unreadable",
            fields={"path": path, "why": why},
        ) from None
    except UnicodeDecodeError as error:
        raise _not_json(path, error) from None


def _not_json(path: Path, error: Exception) -> BadInput:
    return BadInput(
        f"{path} is not JSON in UTF-8: {error}",
        code="file_not_json",
        fields={"path": path, "why": error},
    )
