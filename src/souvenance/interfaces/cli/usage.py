"""Says in the person's language what was typed wrong: the parser of the command line speaks English alone.

Its message is recognised by its pattern, as a reason is; one that is not known stays in English.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from souvenance.interfaces.cli.safe import one_line
from souvenance.interfaces.cli.said import ended, pattern_of

if TYPE_CHECKING:
    from souvenance.interfaces.cli.wording import Words

#: Where the library's own sentences are kept, and how deep one may hold another: "Invalid value for X: why".
_PREFIX, _DEPTH = "usage.", 2


def usage_lines(error: Any, spoken: Words) -> list[str]:
    """What to print for a usage error: how the command is called, where its help is, what was wrong."""
    lines = []
    if (context := getattr(error, "ctx", None)) is not None:
        called = context.get_usage().partition(": ")[2]
        lines.append(spoken("usage.how", called=" ".join(called.split())))
        lines.append(spoken("usage.help", command=context.command_path))
    return [*lines, spoken("usage.wrong", why=ended(usage_text(error.format_message(), spoken)))]


def usage_text(message: str, spoken: Words, depth: int = _DEPTH) -> str:
    """The parser's message on one line without its full stop; in English where no other wording is known."""
    said = one_line(message).rstrip(".")
    for pattern, wording in _patterns(spoken) if depth else ():
        if (found := pattern.fullmatch(said)) is not None:
            held = found.groupdict()
            if "why" in held:
                held["why"] = usage_text(held["why"], spoken, depth - 1)
            return wording.format(**held)
    return said


def _patterns(spoken: Words) -> tuple[tuple[re.Pattern[str], str], ...]:
    return _made(tuple((k, v) for k, v in spoken.errors.items() if k.startswith(_PREFIX)))


@cache
def _made(known: tuple[tuple[str, str], ...]) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Those that say most come first, so that none is taken for a shorter one."""
    longest = sorted(known, key=lambda pair: -len(pair[0]))
    return tuple((pattern_of(key.removeprefix(_PREFIX)), wording) for key, wording in longest)
