"""Lines and events are found however the bytes are cut."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from souvenance.models.sse import events, lines


async def chunks(parts: list[bytes]) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


async def lines_of(parts: list[bytes]) -> list[str]:
    return [line async for line in lines(chunks(parts))]


async def events_of(text: str) -> list[str]:
    return [data async for data in events(lines(chunks([text.encode()])))]


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"a\nb\n", ["a", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\rb\r", ["a", "b"]),
        (b"a\r\n\r\nb", ["a", "", "b"]),
        (b"\n\n", ["", ""]),
        (b"", []),
        ("é\u2028è\u0085\n".encode(), ["é\u2028è\u0085"]),
        (b"\xff\n", ["\ufffd"]),
    ],
)
async def test_only_cr_lf_and_crlf_end_a_line(data: bytes, found: list[str]) -> None:
    """JSON allows U+2028 in a string: cutting there would break the event in two."""
    assert await lines_of([data]) == found
    assert await lines_of([bytes([b]) for b in data]) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("data: a\n\ndata: b\n\n", ["a", "b"]),
        ("data:a\n\n", ["a"]),
        ("data: a\ndata: b\n\n", ["a\nb"]),
        (": keep-alive\n\n: again\n\ndata: a\n\n", ["a"]),
        ("event: x\nid: 3\nretry: 10\ndata: a\n\n", ["a"]),
        ("data\n\n", [""]),
        ("data: a: b\n\n", ["a: b"]),
        ("data:  a\n\n", [" a"]),
        ("data: a", ["a"]),
        ("\ufeffdata: a\n\n", ["a"]),
        ("database: a\n\n", []),
    ],
)
async def test_events_follow_the_standard(text: str, found: list[str]) -> None:
    """Comments keep connections alive, data may take several lines, and the last event may be unfinished."""
    assert await events_of(text) == found
    assert await events_of(text.replace("\n", "\r\n")) == [d.replace("\r\n", "\n") for d in found]
