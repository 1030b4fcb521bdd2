"""Builds something large without Python's collector walking over it again and again meanwhile.

A full collection holds the interpreter for tens of milliseconds, event loop and all, and a build of ten thousand
records sets off several, though nothing it makes can be collected yet.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_under_way = 0
_was_on = False


@contextmanager
def uncollected() -> Iterator[None]:
    """Keeps the collector off for the whole process until the last of those under way ends; one that was off stays off."""
    global _under_way, _was_on
    with _lock:
        _under_way += 1
        if _under_way == 1:
            _was_on = gc.isenabled()
            gc.disable()
    try:
        yield
    finally:
        with _lock:
            _under_way -= 1
            if not _under_way and _was_on:
                gc.enable()
