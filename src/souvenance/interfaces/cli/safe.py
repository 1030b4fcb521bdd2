"""Stored text made harmless for a terminal, because anybody may have written it.

A memory may hold an escape sequence that retitles the window, a hidden link, or a bidirectional override that
shows other words than those stored: nothing stored reaches a terminal without passing here.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

_REPLACEMENT = "\ufffd"

#: Characters that reorder what is displayed (embeddings, overrides, isolates): shown, never obeyed.
_REORDERING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

#: What JSON may not hold raw on a terminal: DEL, C1, surrogates, separators and format characters.
_RAW_IN_JSON = re.compile(
    "[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U0001d173-\U0001d17a\U000e0000-\U000e007f\ud800-\udfff]"
)


def block(text: str) -> str:
    """The text with its line breaks, and no character that a terminal would obey or hide.

    C0 and DEL become their pictures (ESC is `␛`), C1, lone surrogates and reordering marks become `�`,
    characters that are only invisible are left out, tabs become spaces.
    """
    return text if text.isascii() and text.isprintable() else "".join(map(_character, text))


def one_line(text: str) -> str:
    """The text on one line: as `block`, with every run of white space made one space."""
    return " ".join(block(text.replace("\u2028", " ").replace("\u2029", " ")).split())


def short(text: str, width: int) -> str:
    """The text on one line of at most `width` characters, cut with an ellipsis."""
    line = one_line(text)
    return line if len(line) <= width else line[: max(width - 1, 0)].rstrip() + "…"


def as_json(value: Any) -> str:
    """The value as one JSON object that loses nothing and that a terminal cannot obey."""
    text = json.dumps(value, ensure_ascii=False, default=str, allow_nan=False)
    return _RAW_IN_JSON.sub(_escape, text)


def _character(char: str) -> str:
    if char == "\n":
        return char
    if char == "\t":
        return "    "
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if char in _REORDERING:
        return _REPLACEMENT
    category = unicodedata.category(char)
    if category in ("Cc", "Cs"):
        return _REPLACEMENT
    if category in ("Zl", "Zp"):
        return "\n"
    return "" if category == "Cf" or 0xE0000 <= code <= 0xE0FFF else char


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
