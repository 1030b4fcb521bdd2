"""Reads one line of a JSON Lines file as an object, with an error that names the line."""

from __future__ import annotations

import json
from typing import Any

from souvenance.errors import BadLine


def record_of(line: str | bytes, number: int) -> dict[str, Any]:
    """The JSON object of a line. Errors: `BadLine` when it is not JSON, too deep, or not an object."""
    try:
        text = line if isinstance(line, str) else line.decode("utf-8-sig")
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadLine(
            f"Line {number} is not JSON: {error}.",
            line=number,
            code="line_not_json",
            fields={"why": error},
        ) from error
    if not isinstance(record, dict):
        raise BadLine(f"Line {number} is not a JSON object.", line=number, code="line_not_object")
    return record
