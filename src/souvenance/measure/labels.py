"""Keeps the answers a person gave on pairs of memories, one line each, as soon as they are given.

The file is one that `bench dedup` reads; it holds private words, so only its owner may read it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from souvenance.errors import BadInput
from souvenance.measure.dedup import Pair, pairs_of


def read_labels(path: Path) -> list[Pair]:
    """The labels of a file, the last answer for each pair; none when there is no file yet.

    Errors: `BadLine` with its number; `BadInput` for a file that cannot be read.
    """
    if not path.exists():
        return []
    latest = {(p.language, *sorted((p.a, p.b))): p for p in pairs_of(path)}
    return list(latest.values())


def add_label(path: Path, pair: Pair) -> None:
    """Adds one line to a file, safe on disk when it returns. Errors: `BadInput` when it cannot be written."""
    record = asdict(pair)
    line = {"id": record["pair_id"], "lang": record["language"]} | {
        key: record[key] for key in ("a", "b", "same", "why")
    }
    add_line(path, line)


def add_line(path: Path, line: Mapping[str, Any]) -> None:
    """Adds one JSON line to a file, safe on disk when it returns. Errors: `BadInput` when it cannot be written."""
    try:
        with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600), "rb+") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(size - 1, 0))
            parted = b"" if file.read(1) in (b"", b"\n") else b"\n"
            file.write(parted + json.dumps(line, ensure_ascii=False).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise BadInput(
            f"Cannot write {path}: {error.strerror}. Give a file in a folder you can write to.",
            code="file_unwritable",
            fields={"path": path, "why": error.strerror},
        ) from error
