"""Characters as small TOML files: the two that ship, and the person's own.

A file beats a form: it can be read, copied and kept under version control.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from souvenance.domain import Bounds, Character, CharacterId, Isolation, Space
from souvenance.errors import BadInput

_FIELDS = {"id", "name", "persona", "language", "isolation", "plan", "greeting", "state"}
_CHOICES = {"isolation": ("character", "thread"), "plan": ("companion", "agent")}


def slug(name: str) -> str:
    """An identifier made from a name: "Éloi, le passeur" gives "eloi-le-passeur"; never empty."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60] or "character"


def read_character(text: str, *, space: Space, origin: str, fallback_id: str = "") -> Character:
    """The character a TOML text describes; `origin` names the file in errors. Errors: `BadInput`."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(
            f"{origin} is not valid TOML: {error}.",
            code="character_not_toml",
            fields={"origin": origin, "why": error},
        ) from error
    unknown = sorted(set(raw) - _FIELDS)
    if unknown:
        known = ", ".join(sorted(_FIELDS))
        raise BadInput(
            f"{origin}: unknown key {unknown[0]!r}; the keys are {known}.",
            code="character_unknown_key",
            fields={"origin": origin, "key": unknown[0], "known": known},
        )
    name, persona = _text(raw, "name", origin), _text(raw, "persona", origin)
    return Character(
        space=space,
        character=CharacterId(str(raw.get("id") or fallback_id or slug(name))),
        name=name,
        persona=persona.strip(),
        language=str(raw.get("language", "en")),
        isolation=cast(Isolation, _choice(raw, "isolation", origin)),
        plan=_choice(raw, "plan", origin),  # type: ignore[arg-type]  # checked against the choices
        greeting=str(raw["greeting"]) if raw.get("greeting") else None,
        state={key: _bounds(key, value, origin) for key, value in raw.get("state", {}).items()},
    )


def shipped(space: Space) -> list[Character]:
    """The characters that come with the package, by id."""
    folder = sorted(
        (f for f in files(__package__).iterdir() if f.name.endswith(".toml")), key=lambda f: f.name
    )
    return [read_character(f.read_text("utf-8"), space=space, origin=f.name) for f in folder]


def in_folder(folder: Path, space: Space) -> list[Character]:
    """The characters of a folder of TOML files, by file name; none when it does not exist."""
    if not folder.is_dir():
        return []
    return [
        read_character(
            path.read_text("utf-8"), space=space, origin=str(path), fallback_id=slug(path.stem)
        )
        for path in sorted(folder.glob("*.toml"))
    ]


def unwritten(character: CharacterId, space: Space, language: str) -> Character:
    """A plain character for an id nobody described: the caller brings its own persona."""
    return Character(
        space=space, character=character, name=str(character), persona="", language=language
    )


def _text(raw: Mapping[str, Any], key: str, origin: str) -> str:
    value = raw.get(key)
    if not isinstance(value, str) or not value.strip():
        raise BadInput(
            f'{origin} needs {key} = "…", a text that is not empty.',
            code="character_needs",
            fields={"origin": origin, "key": key},
        )
    return value


def _choice(raw: Mapping[str, Any], key: str, origin: str) -> str:
    value = raw.get(key, _CHOICES[key][0])
    if value not in _CHOICES[key]:
        raise BadInput(
            f"{origin}: {key} is {value!r}; it can be {' or '.join(_CHOICES[key])}.",
            code="character_choice",
            fields={
                "origin": origin, "key": key, "value": value, "choices": ", ".join(_CHOICES[key]),
            },
        )  # fmt: skip
    return str(value)


def _bounds(key: str, value: object, origin: str) -> Bounds:
    if not isinstance(value, dict) or not {"low", "high"} <= set(value):
        raise BadInput(
            f"{origin}: [state.{key}] needs low and high, two numbers.",
            code="character_bounds",
            fields={"origin": origin, "key": key},
        )
    try:
        low, high = float(value["low"]), float(value["high"])
        start = float(value.get("start", low))
    except (TypeError, ValueError) as error:
        raise BadInput(
            f"{origin}: [state.{key}] holds something that is not a number.",
            code="character_number",
            fields={"origin": origin, "key": key},
        ) from error
    if not low <= start <= high:
        raise BadInput(
            f"{origin}: [state.{key}] must have low ≤ start ≤ high.",
            code="character_order",
            fields={"origin": origin, "key": key},
        )
    return Bounds(low, high, start)
