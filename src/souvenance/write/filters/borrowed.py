"""Finds what somebody pasted: the stretches of a message that are not the words of who sent it.

A mail, a page or a tool's output in a message tells nothing of the person, and may be written to be remembered.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from souvenance.lang import codes, fold, language
from souvenance.write.filters.listed import places, spoken

Span = tuple[int, int]

#: Characters of the sentence that announces a text, read back from its colon or line break. Chosen, not measured.
_HEAD = 160

#: Words from which a quoted stretch is somebody's text and no title or turn of phrase. Chosen, not measured.
_LONG = 8

#: Words of a label ("Tool result:") that announces a text by itself. Chosen, not measured.
_LABEL = 8

#: Blocks that show where they end, or run to the end of the message.
_BLOCK = re.compile(r"(```|~~~|\"\"\"|''')(?:.|\n)*?(?:\1|\Z)|<!--(?:.|\n)*?(?:-->|\Z)")

#: Lines quoted as mail programs do.
_QUOTED_LINE = re.compile(r"^[ \t]{0,8}(?:>|&gt;).*$", re.MULTILINE)

#: JSON that opens a line, up to a blank line.
_JSON = re.compile(r"^[ \t]*[\[{]\s{0,8}[\[{\"](?:.|\n)*?(?=\n[ \t]*\n|\Z)", re.MULTILINE)

#: A ruled line with words in it ("--- BEGIN EXPORT ---"), and whether it is the one that ends.
_RULED = re.compile(
    r"^[ \t]*(?:(?:[-=_]{3,}|#{2,6})[ \t]*[^\s\-=_#].*|\*{3,}[ \t]*[^\s*][^*\n]{0,80}\*{3,}[ \t]*)$",
    re.MULTILINE,
)

#: A ruled line without words; two of them frame a text.
_BARE_RULE = re.compile(r"^[ \t]*[-=_~]{3,}[ \t]*$", re.MULTILINE)

#: Marks after which nothing in a message can be trusted to be typed by the person: chat templates, roles, headers.
_TO_THE_END = re.compile(
    r"<\||\[\s?/?\s?(?:inst|system|système|systeme|assistant|tool|outil)\b|<<\s?/?sys|\[//\]:|\{\{"
    r"|^[ \t]*\W{0,3}(?:system|système|systeme|assistant|human|humain|developer|développeur|tool|outil|admin"
    r"|user|utilisateur|ai|ia|bot)\b[^:\n]{0,20}:"
    r"|^(?:from|to|subject|sent|de|à|objet|envoyé|expéditeur)[ \t]?:.*\n(?:[\w-]{2,12}[ \t]?:.*\n)+",
    re.MULTILINE | re.IGNORECASE,
)

_TAG = re.compile(r"[<\[](/?)([^\W\d_][\w-]{1,30})(?:\s[^<>\[\]]{0,300})?[>\]]")
_PAIRS = {"“": "”", "«": "»", '"': '"', "„": "”", "‘": "’"}
_MARKED = re.compile(r"“[^“”]*”|«[^«»]*»|\"[^\"]*\"")
_BLANK = re.compile(r"\s*")
_HEAD_STOP = re.compile(r"[.!?…][\"»”)]?\s|[\n:]")


@lru_cache(maxsize=64)
def unborrowed(text: str, *, speech: bool = False) -> str:
    """The text with every borrowed stretch blanked out; offsets and line breaks stay.

    With `speech`, long quotations stay: a character's own lines are often written between quotation marks.
    """
    return "".join(
        piece if own else re.sub(r"[^\n]", " ", piece) for own, piece in _parted(text, speech)
    )


def cut_out(text: str) -> str:
    """The text with an ellipsis, which ends a sentence, in place of each borrowed stretch."""
    return "".join(piece if own else " … " for own, piece in _parted(text, False))


def _parted(text: str, speech: bool) -> Iterator[tuple[bool, str]]:
    """The text in pieces, each with whether it is the writer's own."""
    last = 0
    for start, end in sorted(borrowed(text, speech=speech)):
        if end > last:
            start = max(start, last)
            if start > last:
                yield True, text[last:start]
            yield False, text[start:end]
            last = end
    yield True, text[last:]


def borrowed(text: str, *, speech: bool = False) -> list[Span]:
    """The stretches of a message that are somebody else's; they may overlap. `speech` as in `unborrowed`."""
    found = [m.span() for p in (_BLOCK, _QUOTED_LINE, _JSON) for m in p.finditer(text)]
    end = _TO_THE_END.search(text)
    if end is not None:
        found.append((end.start(), len(text)))
    found += [*_tagged(text), *_ruled(text), *_announced(text)]
    return found if speech else [*found, *_long_quotes(text)]


def quotations(text: str) -> list[Span]:
    """The stretches between quotation marks, the marks left out."""
    return [(m.start() + 1, m.end() - 1) for m in _MARKED.finditer(text)]


def _tagged(text: str) -> Iterator[Span]:
    """What stands between two tags; a tag that nothing closes stands alone."""
    tags = [(m.start(), m.end(), bool(m[1]), fold(m[2])) for m in _TAG.finditer(text)]
    closing: dict[str, list[int]] = {}
    ends = {start: end for start, end, _, _ in tags}
    for start, _, closes, name in tags:
        if closes:
            closing.setdefault(name, []).append(start)
    for start, end, closes, name in tags:
        known = closing.get(name, [])
        at = bisect_left(known, end)
        if not closes and at < len(known):
            yield start, ends[known[at]]
        elif text[start] == "<":
            yield start, end


def _ruled(text: str) -> Iterator[Span]:
    """From the first ruled line with words to the last; to the end of the message when that one ends nothing.

    The lines between are not paired: a pasted text may hold such a line to seem to end.
    """
    lines = [m.span() for m in _RULED.finditer(text)]
    if lines:
        start, end = lines[-1]
        alike = _rule(text[start:end]) == _rule(text[slice(*lines[0])])
        ended = alike and _lists(text[start:end], "borrowed_ends")
        yield lines[0][0], end if ended else len(text)
    bare = [m.span() for m in _BARE_RULE.finditer(text)]
    if len(bare) > 1:
        yield bare[0][0], bare[-1][1]


def _rule(line: str) -> str:
    """The marks that a ruled line opens with."""
    return line.strip()[: len(line.strip()) - len(line.strip().lstrip("-=_#*"))]


def _long_quotes(text: str) -> Iterator[Span]:
    """Quotations that are long, or that are said to be somebody's words ("you told me “…”", "he wrote “…”")."""
    last = 0
    for start, end in quotations(text):
        before = _HEAD_STOP.split(text[max(last, start - _HEAD) : start])[-1]
        last = end
        long = len(text[start:end].split()) >= _LONG
        if long or any(_lists(before, name) for name in ("borrowed_yours", "borrowed_wrote")):
            yield start, end


def _announced(text: str) -> Iterator[Span]:
    """What follows "here is the mail I received:", "the letter says:" or "summarise this page" and a line break."""
    head = 0
    for stop in _HEAD_STOP.finditer(text):
        said = text[max(head, stop.start() - _HEAD) : stop.start() + 1]
        colon = text[stop.start()] == ":"
        after = _blank(text, stop.end())
        breaks = "\n" in text[stop.start() : after]
        head = stop.end()
        if after >= len(text):
            return
        if colon or breaks:
            asks = text[stop.start()] == "?" and "\n\n" in text[stop.start() : after]
            how = _announces(said, colon=colon, breaks=breaks)
            follows = asks or (colon and (breaks or text[after] in _PAIRS))
            if how == "shown" or (how == "told" and follows):
                end = _closed(text, after)
                yield after, end
                if end == len(text):
                    return


def _blank(text: str, start: int) -> int:
    """Where the blanks that start there end."""
    found = _BLANK.match(text, start)
    return found.end() if found else start


def _closed(text: str, start: int) -> int:
    """Where the text that starts there ends: its last closing quotation mark, or the end of the message."""
    closing = _PAIRS.get(text[start])
    end = text.rfind(closing, start + 1) if closing else -1
    return end + 1 if end > 0 else len(text)


def _announces(head: str, *, colon: bool, breaks: bool) -> str | None:
    """Whether a sentence shows somebody's text ("here is the mail"), tells of one ("a mail came"), or neither.

    Before a colon and a line break, a word that only points ("I got this:") stands for the text.
    """
    if not head.strip(" :.?!\n"):
        return None
    if _lists(head, "borrowed_own"):
        return None
    label = colon and len(head.split()) <= _LABEL and _lists(head, "borrowed_labels")
    texts = _lists(head, "borrowed_texts")
    if label or (texts and _lists(head, "borrowed_shows")):
        return "shown"
    points = colon and breaks and _lists(head, "borrowed_these")
    if points and _lists(head, "borrowed_shows") and not _lists(head, "own_subjects"):
        return "shown"
    told = (texts or points) and _lists(head, "borrowed_tells")
    return "told" if told or _lists(head, "borrowed_wrote") else None


def _lists(text: str, name: str) -> bool:
    """Whether the text holds an entry of the list, in any language: what is pasted may be in another."""
    said = spoken(text)
    return any(places(said, language(code), name) for code in codes())
