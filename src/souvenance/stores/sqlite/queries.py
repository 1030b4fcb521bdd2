"""The statements of queries.sql, by name: SQL stays in files of its own kind."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType

_HEADING = re.compile(r"^-- (name|columns): (\w+)\n", re.MULTILINE)
_COMMENT = re.compile(r"^\s*--.*\n?", re.MULTILINE)


def parse(text: str) -> dict[str, str]:
    """The statements of a queries file by name, comments dropped and column lists put in place.

    Errors: `ValueError` for a name given twice or a column list that does not exist.
    """
    _, *parts = _HEADING.split(text)
    columns: dict[str, str] = {}
    statements: dict[str, str] = {}
    for what, name, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        into = columns if what == "columns" else statements
        if name in into:
            raise ValueError(f"{name} is defined twice")
        into[name] = _COMMENT.sub("", body).strip()
    return {name: _filled(name, body, columns) for name, body in statements.items()}


def _filled(name: str, body: str, columns: Mapping[str, str]) -> str:
    def listed(match: re.Match[str]) -> str:
        if match[1] not in columns:
            raise ValueError(f"{name} uses the columns of {match[1]}, which are not listed")
        return columns[match[1]]

    return re.sub(r"\{(\w+)\}", listed, body)


#: Every statement of the SQLite store by name.
QUERIES: Mapping[str, str] = MappingProxyType(
    parse((files("souvenance.stores.sqlite") / "queries.sql").read_text("utf-8"))
)
