"""What the library says in English, in the person's language: errors by their code, origins of settings by their word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from souvenance.interfaces.cli.safe import one_line

if TYPE_CHECKING:
    from souvenance.errors import SouvenanceError
    from souvenance.interfaces.cli.wording import Words

#: What ends a sentence by itself.
_ENDS = (".", "?", "!", "…")


def error_text(error: SouvenanceError, spoken: Words) -> str:
    """The message of an error on one line, without its full stop; in English where no other is known."""
    template = spoken.errors.get(f"said.{error.code}")
    if template is None:
        return one_line(str(error)).rstrip(".")
    values = {name: str(value) for name, value in error.fields.items()}
    if "origin" in values:
        values["origin"] = origin_text(values["origin"], spoken)
    if "kind" in values:  # of a value that does not suit: what would
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
