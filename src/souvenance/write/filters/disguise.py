"""Reads a text as it was before somebody disguised it: hidden characters, look-alike letters, simple codes.

Each view is cheap and takes one pass; what none of them undoes stays unread.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote

#: Letters of other alphabets that look like Latin ones. Source: Unicode confusables, the common ones.
_LOOKALIKES = str.maketrans(
    "аеорсхуіјѕһӏԁԛԝАВЕКМНОРСТХУІЈЅαοερτυνικΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcxyijshldqwABEKMHOPCTXYIJSaoeptuvikABEZHIKMNOPTYX",
)
_DIGITS = str.maketrans("4301578@$", "aeoistbas")

#: Letters written apart, as "I g n o r e".
_SPACED = re.compile(r"(?<!\w)(?:\w[ ._·*-]){3,}\w(?!\w)")
_LEET = re.compile(r"\b(?=\w*[a-z])(?=\w*[0-9@$])[\w@$]{3,}", re.IGNORECASE)
_BASE64 = re.compile(r"(?<![\w+/=])[A-Za-z0-9+/_-]{16,}={0,2}")
_HEX = re.compile(r"(?<!\w)(?:[0-9a-fA-F]{2}[ :]?){10,}(?!\w)")

#: Hidden characters in a text from which they hide something; one joins an emoji. Chosen, not measured.
_HIDDEN = 4

_TAGS = range(0xE0020, 0xE007F)


def hides(text: str) -> bool:
    """Whether a text carries characters that are not to be seen, beyond what emoji and typography need."""
    return sum(unicodedata.category(c) == "Cf" for c in text) >= _HIDDEN


def carries_code(text: str) -> bool:
    """Whether words stand in a text as base64 or as hexadecimal digits."""
    return any(True for _ in _decoded(text))


def views(text: str) -> Iterator[str]:
    """The text as other readers would see it; only views that differ from it and from each other."""
    seen = {text}
    plain = revealed(text)
    candidates = [plain, _joined(plain), _leet(plain), *_decoded(plain)]
    if "%" in plain:
        candidates.append(unquote(plain))
    candidates += [codecs.encode(plain, "rot13"), plain[::-1]]
    for view in candidates:
        if view not in seen:
            seen.add(view)
            yield view


def revealed(text: str) -> str:
    """The text with tag characters written out, other hidden ones and stray accents gone, letters made Latin."""
    shown = "".join(chr(ord(c) - 0xE0000) if ord(c) in _TAGS else c for c in text)
    shown = "".join(c for c in shown if unicodedata.category(c) != "Cf")
    flat = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", shown))
    flat = "".join(c for c in flat if not unicodedata.combining(c))
    if any(c.isascii() and c.isalpha() for c in flat):
        flat = flat.translate(_LOOKALIKES)
    return flat


def _joined(text: str) -> str:
    return re.sub(r"\s+", " ", _SPACED.sub(lambda m: re.sub(r"[\W_]", "", m[0]), text))


def _leet(text: str) -> str:
    return _LEET.sub(lambda m: m[0].translate(_DIGITS), text)


def _decoded(text: str) -> Iterator[str]:
    """The words that stand in a text in base64 or hexadecimal."""
    for found in _BASE64.finditer(text):
        body = found[0].rstrip("=").replace("-", "+").replace("_", "/")
        try:
            data = base64.b64decode(body + "=" * (-len(body) % 4), validate=True)
        except (binascii.Error, ValueError):
            continue
        yield from _worded(data)
    for found in _HEX.finditer(text):
        yield from _worded(bytes.fromhex(re.sub(r"[ :]", "", found[0])))


def _worded(data: bytes) -> Iterator[str]:
    """The bytes as text when they are words."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return
    if (
        text.isprintable()
        and " " in text.strip()
        and sum(c.isalpha() for c in text) > len(text) / 2
    ):
        yield text
