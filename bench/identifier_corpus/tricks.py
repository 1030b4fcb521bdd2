"""The disguises of B2: each takes an identifier and writes it as somebody hides it, or dictates it."""

from __future__ import annotations

import random
from collections.abc import Callable

from identifier_corpus.numbers import Value
from identifier_corpus.spelling import digit_words, spoken_group

Trick = Callable[[Value, random.Random, str], str]

_WIDE = {c: chr(ord(c) + 0xFEE0) for c in map(chr, range(0x21, 0x7F))}
_ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\u00ad"


def _by(sign: str) -> Trick:
    return lambda value, rng, language: value.grouped(sign)


def _wide(value: Value, rng: random.Random, language: str) -> str:
    return "".join(_WIDE.get(c, c) for c in value.grouped(rng.choice(("", " "))))


def _zero_width(value: Value, rng: random.Random, language: str) -> str:
    text = value.grouped(rng.choice(("", " ")))
    for _ in range(rng.randint(1, 6)):
        at = rng.randint(1, len(text) - 1)
        text = text[:at] + rng.choice(_ZERO_WIDTH) + text[at:]
    return text


def _one_by_one(sign: str) -> Trick:
    return lambda value, rng, language: sign.join(value.bare)


def _letter_o(value: Value, rng: random.Random, language: str) -> str:
    return value.grouped().replace("0", rng.choice("Oo"))


def _mixed_signs(value: Value, rng: random.Random, language: str) -> str:
    groups = value.groups()
    out = groups[0]
    for group in groups[1:]:
        out += rng.choice((" ", ".", "-", "/", "_", "\u00a0", "\u202f", ", ")) + group
    return ("+" if value.plus else "") + out


def _said_groups(value: Value, rng: random.Random, language: str) -> str:
    joint = rng.choice((" ", ", "))
    return joint.join(spoken_group(g, language) for g in value.groups())


def _said_digits(value: Value, rng: random.Random, language: str) -> str:
    return rng.choice((" ", ", ", "-")).join(digit_words(value.bare, language))


def _half_said(value: Value, rng: random.Random, language: str) -> str:
    pieces = [
        spoken_group(g, language) if i % 2 == rng.randint(0, 1) else g
        for i, g in enumerate(value.groups())
    ]
    return " ".join(pieces)


def _brackets(value: Value, rng: random.Random, language: str) -> str:
    first, *rest = value.groups()
    return f"({first}) " + rng.choice((" ", "-", ".")).join(rest)


def _other_digits(value: Value, rng: random.Random, language: str) -> str:
    zero = rng.choice((0x0660, 0x06F0, 0x0966, 0x1D7CE))
    return "".join(chr(zero + int(c)) if c.isdigit() else c for c in value.grouped())


def _keycaps(value: Value, rng: random.Random, language: str) -> str:
    return "".join(c + "\ufe0f\u20e3" for c in value.bare)


#: Written tricks, good for letters too.
WRITTEN: dict[str, Trick] = {
    "spaces": _by(" "),
    "dots": _by("."),
    "dashes": _by("-"),
    "no_break": _by("\u00a0"),
    "narrow_no_break": _by("\u202f"),
    "slash": _by("/"),
    "underscore": _by("_"),
    "full_width": _wide,
    "zero_width": _zero_width,
    "one_by_one": _one_by_one(" "),
    "one_by_one_dashed": _one_by_one("-"),
    "mixed_signs": _mixed_signs,
    "letter_o": _letter_o,
}

#: Tricks that need a number of digits alone.
SAID: dict[str, Trick] = {
    "said_groups": _said_groups,
    "said_digits": _said_digits,
    "half_said": _half_said,
    "commas": _by(", "),
    "brackets": _brackets,
    "other_digits": _other_digits,
    "keycaps": _keycaps,
}


def _spoken(at: str, dot: str) -> Trick:
    def write(value: Value, rng: random.Random, language: str) -> str:
        return value.bare.replace("@", f" {at} ").replace(".", f" {dot} ")

    return write


def _marked(opens: str, closes: str, at: str, dot: str) -> Trick:
    def write(value: Value, rng: random.Random, language: str) -> str:
        gap = rng.choice(("", " "))
        text = value.bare.replace("@", f"{gap}{opens}{at}{closes}{gap}")
        head, tail = text.rsplit(".", 1)
        return f"{head}{gap}{opens}{dot}{closes}{gap}{tail}"

    return write


EMAIL: dict[str, Trick] = {
    "arobase_point": _spoken("arobase", "point"),
    "at_dot": _spoken("at", "dot"),
    "brackets_at_dot": _marked("[", "]", "at", "dot"),
    "parentheses_at_dot": _marked("(", ")", "at", "dot"),
    "parentheses_arobase": _marked("(", ")", "arobase", "point"),
    "braces_at": _marked("{", "}", "at", "dot"),
    "spaced_signs": lambda value, rng, language: value.bare.replace("@", " @ ").replace(".", " . "),
    "full_width": lambda value, rng, language: "".join(_WIDE.get(c, c) for c in value.bare),
    "zero_width": _zero_width,
    "capitals": lambda value, rng, language: value.bare.upper(),
}
