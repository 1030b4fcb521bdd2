"""Finds the messages themselves, for what no memory captured: each with its neighbours, its date and the reasons.

1. `windows`: the texts to embed for each message.
2. `transcript` (with `postings`, `columns`, `traits`): the lines of one search, moved forward by what is said.
3. `asking` (with `days`): what a message asks for: words, whose turns, which days.
4. `search` (with `weights`): the lines found, best first, and why.

All of it is pure; `records` holds what goes in and out.
"""

from souvenance.read.verbatim.asking import Query, read_query
from souvenance.read.verbatim.records import (
    Cast,
    Found,
    Line,
    Reasons,
    Window,
    WindowKind,
    WindowVector,
)
from souvenance.read.verbatim.search import search
from souvenance.read.verbatim.transcript import Transcript
from souvenance.read.verbatim.windows import windows

__all__ = [
    "Cast",
    "Found",
    "Line",
    "Query",
    "Reasons",
    "Transcript",
    "Window",
    "WindowKind",
    "WindowVector",
    "read_query",
    "search",
    "windows",
]
