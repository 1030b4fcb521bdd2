"""Lines and server-sent events out of bytes, as real servers send them.

Pure but for awaiting its source. Only CR, LF and CRLF end a line: `str.splitlines` would also cut at U+2028,
which JSON allows inside a string. Source: the HTML standard, "Server-sent events".
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterator

_END = re.compile(rb"\r\n|\n|\r")


async def lines(chunks: AsyncIterator[bytes]) -> AsyncGenerator[str, None]:
    """The lines of a stream of bytes, without their ends; bytes that are not UTF-8 become U+FFFD."""
    pending: list[bytes] = []
    after_cr = False
    async for chunk in chunks:
        if after_cr and chunk.startswith(b"\n"):
            chunk = chunk[1:]  # the second half of a CRLF cut in two
        if not chunk:
            continue
        after_cr = chunk.endswith(b"\r")
        *whole, rest = _END.split(chunk)
        for part in whole:
            yield b"".join((*pending, part)).decode("utf-8", "replace")
            pending.clear()
        pending.append(rest)
    if last := b"".join(pending):
        yield last.decode("utf-8", "replace")


async def events(source: AsyncIterator[str]) -> AsyncGenerator[str, None]:
    """The data of each event in order. Comments, names and ids are left out; an unfinished last event counts."""
    data: list[str] = []
    async for line in source:
        if not line:
            if data:
                yield "\n".join(data)
            data.clear()
            continue
        field, _, value = line.partition(":")
        if field.removeprefix("\ufeff") == "data":
            data.append(value.removeprefix(" "))
    if data:
        yield "\n".join(data)
