"""Takes a model's thoughts out of what it says, whole or piece by piece.

Reasoning models put them between `<think>` and `</think>`; nobody should read them or learn from them.
"""

from __future__ import annotations

import re

_NAMES = ("think", "thinking", "reasoning")
_TAG = re.compile(rf"<(?P<close>/?)(?:{'|'.join(_NAMES)})>", re.IGNORECASE)
_CLOSE = re.compile(rf"</(?:{'|'.join(_NAMES)})>", re.IGNORECASE)
_TAGS = tuple(f"<{slash}{name}>" for slash in ("", "/") for name in _NAMES)
_LONGEST = max(map(len, _TAGS))

#: How an answer in JSON begins; inside one, a tag is somebody's words.
_JSON = re.compile(r"\s*(?:```\w*\s*)?[{\[]")


class Thoughts:
    """A filter for a stream: give it pieces, show what it gives back, and `rest()` at the end."""

    def __init__(self) -> None:
        self._held = ""
        self._thinking = False
        self._spoke = False
        #: Whether a thought was taken out.
        self.thought = False

    def feed(self, piece: str) -> str:
        """What can be shown so far: no thought, and no beginning of what may be a tag."""
        text, shown = self._held + piece, []
        while tag := _TAG.search(text):
            if not self._thinking:
                shown.append(text[: tag.start()])
            # A closing tag without an opening one only vanishes: what came before has been shown.
            self._thinking = not tag["close"]
            self.thought |= self._thinking
            text = text[tag.end() :]
        ready = len(text) - _unfinished_tag(text)
        self._held = text[ready:]
        if not self._thinking:
            shown.append(text[:ready])
        return self._say("".join(shown))

    def rest(self) -> str:
        """What was held back and turns out not to be a tag; a thought never closed stays unsaid."""
        held, self._held = self._held, ""
        return "" if self._thinking else self._say(held)

    def _say(self, text: str) -> str:
        """The text, without the blank lines that follow a thought at the very beginning."""
        if not self._spoke:
            text = text.lstrip()
            self._spoke = bool(text)
        return text


def _unfinished_tag(text: str) -> int:
    """How many of the last characters may be the beginning of a tag."""
    start = text.rfind("<", max(0, len(text) - _LONGEST + 1))
    if start < 0:
        return 0
    tail = text[start:].lower()
    return len(tail) if any(tag.startswith(tail) for tag in _TAGS) else 0


def without_thoughts(text: str) -> str:
    """The whole text without its thoughts.

    What is JSON from its first character is left as it is, also after a first thought.
    When only the closing tag is there (some servers swallow the opening one) all before it was thought.
    """
    while not _JSON.match(text) and (tag := _TAG.search(text)):
        if not tag["close"]:
            if text[: tag.start()].strip():
                break  # something was said before the thought
            end = _CLOSE.search(text, tag.end())
            if end is None:
                return ""
            tag = end
        text = text[tag.end() :].lstrip()
    if _JSON.match(text):
        return text
    thoughts = Thoughts()
    return thoughts.feed(text) + thoughts.rest()
