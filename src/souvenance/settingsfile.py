"""Writes what was read of somebody's memories into their settings file, in sections of its own.

Every other line of the file stays as it is, comments included; a file that could not be read back is never written.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from souvenance.errors import BadSetting

_BEGIN = "# --- souvenance calibrate recall ({section}): written by --apply, replaced by the next one ---"
_END = "# --- end of souvenance calibrate recall ({section}) ---"


def write_section(
    path: Path, section: str, values: Mapping[str, str | int | float], notes: Sequence[str]
) -> None:
    """Puts a table (`recall.fr`) with these values in the file, in the place of the one written there before.

    `notes` become comments above it. The file is replaced whole or not at all, and made when there is none.
    Errors: `BadSetting` when the file is not TOML, holds the table by other hands, or cannot be written.
    """
    target = path.expanduser().resolve()  # a link stays a link
    before = _text(target)
    after = with_section(before, section, values, notes)
    if after is None:
        raise BadSetting(
            f"The settings file {path} has its own [{section}]; remove that table, or copy the proposal by hand.",
            code="settings_section_taken",
            fields={"path": path, "section": section},
        )
    _replace(target, after)


def with_section(
    before: str, section: str, values: Mapping[str, str | int | float], notes: Sequence[str]
) -> str | None:
    """The text of a settings file with the section; None when the table stands there already by other hands.

    Errors: `BadSetting` when the text is not TOML.
    """
    begin, end = _BEGIN.format(section=section), _END.format(section=section)
    held = _parsed(before)
    lines = before.replace("\r\n", "\n").split("\n")
    if begin in lines and end in lines[lines.index(begin) :]:
        start = lines.index(begin)
        rest = "\n".join(lines[lines.index(end, start) + 1 :]).strip("\n")
        lines = ["\n".join(lines[:start]).rstrip("\n"), *(["", rest] if rest else [])]
    kept = "\n".join(lines).strip("\n")
    made = [begin, *(f"# {' '.join(note.split())}" for note in notes), f"[{section}]"]
    made += [f"{key} = {_value(value)}" for key, value in values.items()]
    after = "\n".join([*([kept, ""] if kept else []), *made, end, ""])
    return after if _is_only_more(held, after, section, values) else None


def _is_only_more(
    held: Mapping[str, Any], after: str, section: str, values: Mapping[str, str | int | float]
) -> bool:
    """Whether the text reads as what was held with the table set, and nothing else changed."""
    try:
        read = tomllib.loads(after)
    except tomllib.TOMLDecodeError:
        return False
    *above, last = section.split(".")
    wanted: dict[str, Any] = _copied(held)
    node = wanted
    for name in above:
        node = node.setdefault(name, {})
    node[last] = dict(values)
    return read == wanted


def _copied(tree: Mapping[str, Any]) -> dict[str, Any]:
    return {k: _copied(v) if isinstance(v, dict) else v for k, v in tree.items()}


def _value(value: str | int | float) -> str:
    """A value as TOML writes it."""
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'
    return repr(value)


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadSetting(
            f"The settings file is not valid TOML: {error}; mend it first.",
            code="settings_broken",
            fields={"why": error},
        ) from error


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise _unwritable(path, error) from error


def _replace(path: Path, text: str) -> None:
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
    name = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            if name:
                Path(name).unlink(missing_ok=True)
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: Exception) -> BadSetting:
    why = getattr(error, "strerror", None) or error
    return BadSetting(
        f"The settings file {path} cannot be written: {why}.",
        code="settings_unwritable",
        fields={"path": path, "why": why},
    )
