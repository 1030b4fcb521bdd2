"""Fails a test whose code sleeps, opens a file, asks for a name or calls the store in the thread of a running loop.

Asked of the interpreter itself (audit events), and of `time.sleep`, which says nothing before Python 3.13; what tests
do themselves is let through.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

#: What the interpreter says before it does something that may block.
EVENTS = frozenset(
    {
        "time.sleep",
        "open",
        "socket.getaddrinfo",
        "os.listdir",
        "os.scandir",
        "subprocess.Popen",
        "sqlite3.connect",
    }
)

#: Our own code: only what it does counts.
_OURS = str(Path("src", "souvenance"))

_watching: list[list[str]] = []
_installed = threading.Lock()
_is_installed = False


def _on_loop() -> bool:
    return asyncio._get_running_loop() is not None


def _culprit(frame: FrameType | None) -> str | None:
    """The line of our code that is doing it; None when a test is, or the machinery of a first import."""
    ours = None
    while frame is not None:
        name = frame.f_code.co_filename
        if "importlib._bootstrap" in name:
            return None  # measured with the lag of the first turn
        if ours is None and _OURS in name:
            ours = f"{name.rpartition('souvenance/')[2]}:{frame.f_lineno}"
        frame = frame.f_back
    return ours


def _sleep(seconds: float) -> None:
    if _watching and _on_loop() and (where := _culprit(sys._getframe(1))) is not None:
        _watching[-1].append(f"time.sleep at {where}")
    _slept(seconds)


_slept = time.sleep


def _hook(event: str, args: tuple[Any, ...]) -> None:
    if not _watching or event not in EVENTS or not _on_loop():
        return
    where = _culprit(sys._getframe(1))
    if where is not None:
        _watching[-1].append(f"{event} {args[:1]} at {where}")


@contextmanager
def never_blocking() -> Iterator[list[str]]:
    """Collects what blocked the loop while the block runs."""
    global _is_installed
    with _installed:
        if not _is_installed:
            sys.addaudithook(_hook)
            time.sleep = _sleep
            _is_installed = True
    found: list[str] = []
    _watching.append(found)
    try:
        yield found
    finally:
        _watching.remove(found)


class OffLoopOnly:
    """A store that fails when one of its calls is made in the thread of a running loop."""

    def __init__(self, inner: Any, found: list[str]) -> None:
        self._inner, self._found = inner, found

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._inner, name)
        if name in ("conversations", "memories", "jobs", "vectors", "windows"):
            return OffLoopOnly(value, self._found)
        if not callable(value) or name in ("close", "mark"):  # closing may wait; a mark is a hash
            return value

        def call(*args: Any, **options: Any) -> Any:
            if _on_loop():
                self._found.append(f"store.{name}")
            return value(*args, **options)

        return call
