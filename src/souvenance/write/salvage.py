"""Finds the JSON in what a model said, mended when it can be without inventing anything.

Small models wrap JSON in prose, forget a comma, or stop in the middle; what was cut off is dropped whole,
because half a sentence is a false memory.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Any

#: Characters that are read; an answer of 1,200 tokens has some 6,000. Chosen, not measured.
MAX_CHARS = 200_000

#: Depth of brackets that is still an answer; a right one needs four. Chosen, not measured.
_MAX_DEPTH = 40

#: Places where an answer may begin that are tried. Chosen, not measured.
_MAX_STARTS = 40

#: How many of them are mended, which is slow. Chosen, not measured.
_MAX_MENDINGS = 3

#: Characters given to the slow mender. Chosen, not measured: five times a full answer.
_MAX_MENDED = 30_000

_THOUGHT = re.compile(r"\s*<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.IGNORECASE | re.DOTALL)
_ORPHAN = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)
_START = re.compile(r"""\{\s*(?=["'“}\w])|\[\s*(?=[{\]])""")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|"|[{}\[\],]', re.DOTALL)
_CLOSER = {"{": "}", "[": "]"}


@dataclass(frozen=True, slots=True)
class Found:
    """A tree, and whether it had to be mended (not merely unwrapped) or lost its cut-off end."""

    tree: Any
    mended: bool = False
    cut: bool = False


def find_json(raw: str, key: str, fits: Callable[[Any], bool]) -> Found | None:
    """The tree of an answer: the last whole object with `key`, else the first thing that fits, mended if need be.

    Inside a truncated list each item is valid by itself, so that without `key` only what the text opens with counts.
    """
    text = unwrapped(raw[:MAX_CHARS])
    starts = [m.start() for m in islice(_START.finditer(text), _MAX_STARTS)]
    if starts and text[: starts[0]].rstrip().endswith(("[", "{")):
        return None  # the first thing that looks like an answer stands inside something else

    def counts(start: int, tree: Any) -> bool:
        return fits(tree) and (start == starts[0] or (isinstance(tree, dict) and key in tree))

    whole, past = None, 0
    for start in starts:
        if start < past:
            continue
        try:
            tree, past = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if counts(start, tree):
            whole = Found(tree)
    if whole is not None:
        return whole
    for start in starts[:_MAX_MENDINGS]:
        mended = _mended(text[start:])
        if mended is not None and counts(start, mended.tree):
            return mended
    return None


def unwrapped(raw: str) -> str:
    """The answer without the thoughts before it."""
    text = raw.lstrip("\ufeff \t\r\n")
    while (thought := _THOUGHT.match(text)) is not None:
        text = text[thought.end() :].lstrip()
    if not text.startswith(("{", "[", "`")) and (orphan := _ORPHAN.search(text)) is not None:
        return text[orphan.end() :]  # the server swallowed the opening tag
    return text


def _mended(text: str) -> Found | None:
    """What the text means once small faults are mended and its cut-off end is dropped; None when hopeless."""
    outline = _outline(text)
    if outline.depth > _MAX_DEPTH:
        return None
    cut = outline.end is None and not text.rstrip("` \t\r\n").endswith(("}", "]"))
    if not cut:
        text = text[: outline.end]
    if len(text) > _MAX_MENDED:
        cut, outline = True, _outline(text[:_MAX_MENDED])
    if cut:
        text = outline.kept
    if not text:
        return None
    try:
        return Found(_DECODER.decode(text), mended=True, cut=cut)
    except (ValueError, RecursionError):
        tree = _guess(text)
        return None if tree is None else Found(tree, mended=True, cut=cut)


def _guess(text: str) -> Any:
    """What somebody would read in faulty JSON: a comma too many, single quotes, quotes inside quotes."""
    from json_repair import repair_json

    try:
        return repair_json(text, return_objects=True, skip_json_loads=True)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None  # the mender has faults of its own on hostile text


@dataclass(frozen=True, slots=True)
class _Outline:
    """The brackets of a text: where the first value ends (None when it does not), what is whole of it, how deep."""

    end: int | None
    kept: str
    depth: int


def _outline(text: str) -> _Outline:
    """Follows brackets and strings. Whole are the fields of the outer value and the items of its lists."""
    open_: list[str] = []
    whole, closers, depth = 0, "", 0
    for token in _TOKEN.finditer(text):
        mark = token.group()
        if mark in "{[":
            open_.append(mark)
            depth = max(depth, len(open_))
        elif mark in "}]":
            if open_:
                open_.pop()
            if not open_:
                return _Outline(token.end(), text[: token.end()], depth)
        elif mark == '"':
            break  # a string that never ends
        if mark in ",}]" and (len(open_) == 1 or (len(open_) == 2 and open_[1] == "[")):
            end = token.start() if mark == "," else token.end()
            whole, closers = end, "".join(_CLOSER[b] for b in reversed(open_))
    return _Outline(None, text[:whole] + closers, depth)


def _joined(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in which a list given twice under one name holds the items of both; else the last wins."""
    tree: dict[str, Any] = {}
    for name, value in pairs:
        before = tree.get(name)
        tree[name] = (
            before + value if isinstance(before, list) and isinstance(value, list) else value
        )
    return tree


_DECODER = json.JSONDecoder(object_pairs_hook=_joined)
