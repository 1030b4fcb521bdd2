"""What the library says in English, in the person's language: errors by their code, reasons by their pattern.

A reason is stored as it was written, in English, so that a journal reads the same for everybody; it is said here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from souvenance.interfaces.cli.safe import one_line
from souvenance.interfaces.cli.wording import Language, words

if TYPE_CHECKING:
    from souvenance.errors import SouvenanceError
    from souvenance.interfaces.cli.wording import Words

#: What ends a sentence by itself.
_ENDS = (".", "?", "!", "…")


def error_text(error: SouvenanceError, spoken: Words) -> str:
    """The message of an error on one line, without its full stop; in English where no other is known."""
    template = spoken.errors.get(f"said.{error.code}")
    if template is None:
        return reason_text(str(error), spoken)
    values = {name: str(value) for name, value in error.fields.items()}
    if "origin" in values:
        values["origin"] = origin_text(values["origin"], spoken)
    if "expected" in values:  # of a value that does not suit: what would
        expected = spoken.errors.get(f"expected.{values['kind']}", values["expected"])
        values["expected"] = expected.format(**values)
    return one_line(template.format(**values))


def ended(text: str) -> str:
    """The text with a full stop, unless it ends by itself."""
    return text if text.endswith(_ENDS) else text + "."


def origin_text(origin: str, spoken: Words) -> str:
    """Where a setting's value came from: its first word in the person's language, the rest as it is."""
    word, space, rest = origin.partition(" ")
    return spoken.errors.get(f"origin.{word}", word) + space + rest


# --- reasons ----------------------------------------------------------------------------------------

#: How often a reason may hold another one. Chosen, not measured: those that are written hold two.
_DEPTH = 4


def reason_text(reason: str, spoken: Words) -> str:
    """Why something was decided, on one line without its full stop; in English where no other wording is known."""
    said = known_reason(reason, spoken)
    return one_line(reason).rstrip(".") if said is None else said


def known_reason(reason: str, spoken: Words, depth: int = _DEPTH) -> str | None:
    """The reason in the person's language; None when this language has no wording for it."""
    said = one_line(reason).rstrip(".")
    for pattern, wording in _patterns(spoken.language) if depth else ():
        found = pattern.fullmatch(said)
        if found is None:
            continue
        values = _values(found.groupdict(), spoken, depth - 1)
        if values is not None:
            return wording.format(**values)
    return None


def _values(held: Mapping[str, str], spoken: Words, depth: int) -> dict[str, str] | None:
    """What a reason holds, said as well; None when it holds another reason that has no wording."""
    values = {}
    for name, value in held.items():
        said: str | None = value
        if name in ("why", "held"):
            said = known_reason(value, spoken, depth)
        elif name in ("attribute", "sort"):
            first, slash, rest = value.partition("/")
            known = spoken.reasons.get(f"{name}.{first}")
            said = None if known is None else f"{known} ({rest})" if slash else known
        if said is None:
            return None
        values[name] = said
    return values


@cache
def _patterns(language: Language) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The patterns of the reasons with their wording, those that say most by themselves first."""
    known = words(language).reasons
    english = [k.removeprefix("reason.") for k in known if k.startswith("reason.")]
    english.sort(key=lambda one: -len(_HOLE.sub("", one)))
    return tuple((pattern_of(one), known[f"reason.{one}"]) for one in english)


def pattern_of(english: str) -> re.Pattern[str]:
    """What recognises a sentence whose holes, `{name}`, may hold anything."""
    pieces = _HOLE.split(english)  # text and names of what is held, in turn
    made = (f"(?P<{p}>.+?)" if n % 2 else re.escape(p) for n, p in enumerate(pieces))
    return re.compile("".join(made), re.DOTALL)


_HOLE = re.compile(r"\{(\w+)\}")
