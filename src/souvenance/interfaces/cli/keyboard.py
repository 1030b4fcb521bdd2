"""Waits for the person's next key while news may still come, so that nothing is printed into what they type."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable
from contextlib import suppress

#: Seconds between two looks for news. Chosen, not measured.
_EVERY_S = 0.2
_CLEAR = "\r\x1b[2K"


def until_a_key(
    prompt: str,
    news: Callable[[], list[str]],
    tell: Callable[[str], None],
    more: Callable[[], bool],
) -> None:
    """Returns at the first key, which stays to be read, or when no more news can come.

    Shows `prompt` meanwhile; each line of news is told where the prompt was.
    """
    try:
        import termios
        import tty
    except ImportError:  # no such terminal: news waits for the next turn
        return
    if os.environ.get("TERM", "dumb") == "dumb":
        return
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    try:
        tty.setcbreak(keyboard, termios.TCSANOW)
        _write(prompt)
        while more() and not select.select([keyboard], [], [], _EVERY_S)[0]:
            if lines := news():
                _write(_CLEAR)
                for line in lines:
                    tell(line)
                _write(prompt)
    finally:
        termios.tcsetattr(keyboard, termios.TCSANOW, before)
        _write(_CLEAR)


def drop_typed() -> None:
    """Throws away the keys that somebody pressed before they were asked: no answer to a question not yet shown."""
    try:
        import termios
    except ImportError:
        return
    with suppress(
        termios.error, OSError, ValueError
    ):  # not a terminal: a file answers for somebody
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
