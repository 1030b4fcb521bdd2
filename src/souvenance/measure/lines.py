"""Reads a JSON Lines file, and one line of it as an object, with an error that names the line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from souvenance.errors import BadInput, BadLine


def lines_of(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that are not blank, with their numbers from 1. Errors: `BadInput`.

    Only a newline ends a line: `str.splitlines` would also cut a text at U+2028.
    """
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            f"Cannot read {path}: {error}. Give a file of JSON lines in UTF-8.",
            code="file_unreadable",
            fields={"path": path, "why": getattr(error, "strerror", None) or error},
        ) from error
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line


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
