"""The words a context is rendered in, one file per language: headings, dates, and the articles that add nothing.

They are read by people and models alike, so they live beside the code and not in it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Wording:
    """Everything one language says around memories; templates use `str.format` names."""

    preamble: str
    rules_preamble: str
    rules: str
    memories: str
    said: str
    speakers: Mapping[str, str]
    kinds: Mapping[str, str]
    since: str
    until: str
    upcoming: str
    starting: str
    articles: frozenset[str]


@lru_cache(maxsize=8)
def wording(code: str) -> Wording:
    """The wording of that language ("fr", "en", "fr-CA"…), English when there is none."""
    base = code.split("-")[0].split("_")[0].lower()
    folder = files("souvenance.read.wording")
    known = {entry.name.removesuffix(".toml") for entry in folder.iterdir()}
    chosen = base if base in known else "en"
    data = tomllib.loads((folder / f"{chosen}.toml").read_text("utf-8"))
    return Wording(**{**data, "articles": frozenset(data["articles"])})
