"""Reads what servers answer to a chat request: pieces of text and why they stop.

One small record for the streams of both protocols, and what is made of it: a reply, or one whole answer.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from typing import Any

from souvenance.errors import BadAnswer
from souvenance.models.sse import events, lines
from souvenance.models.structured import Answer
from souvenance.models.thoughts import Thoughts, without_thoughts
from souvenance.models.wire import read_json, refused


@dataclass(frozen=True, slots=True)
class Part:
    """One step of an answer: some text, and in the last one why it ends ("stop", "length"…)."""

    text: str
    end: str | None = None


async def parts_of_events(chunks: AsyncIterator[bytes], server: str) -> AsyncGenerator[Part, None]:
    """The parts of an OpenAI-style answer: server-sent events, or one JSON object when it will not stream.

    Errors: `BadAnswer` for what is neither, `ModelRefused` for an error sent as an event.
    """
    source = lines(chunks)
    first = ""
    async for line in source:
        if line.strip():
            first = line
            break
    if first.lstrip("\ufeff \t").startswith(("{", "[", "<")):
        rest = [line async for line in source]
        yield _part(read_json("\n".join([first, *rest]).encode(), server), server)
        return
    async for data in events(_after(first, source)):
        if data.strip() == "[DONE]":
            return
        yield _part(read_json(data.encode(), server), server)


async def parts_of_lines(chunks: AsyncIterator[bytes], server: str) -> AsyncGenerator[Part, None]:
    """The parts of an Ollama-style answer: one JSON object a line. Errors: as `parts_of_events`."""
    async for line in lines(chunks):
        if not line.strip():
            continue
        tree = read_json(line.encode(), server)
        if not isinstance(tree, dict):
            raise _unreadable(tree, server)
        if "error" in tree:
            raise refused(server, 500, line.encode())
        message = tree.get("message")
        text = message.get("content") if isinstance(message, dict) else None
        end = str(tree.get("done_reason") or "stop") if tree.get("done") else None
        yield Part(text if isinstance(text, str) else "", end)


async def _after(first: str, source: AsyncIterator[str]) -> AsyncGenerator[str, None]:
    yield first
    async for line in source:
        yield line


def _part(tree: Any, server: str) -> Part:
    """The part in one chunk; chunks with only usage or a role say nothing."""
    if not isinstance(tree, dict):
        raise _unreadable(tree, server)
    if tree.get("error"):
        error = tree["error"]
        code = error.get("code") if isinstance(error, dict) else None
        status = code if isinstance(code, int) and 400 <= code <= 599 else 500
        raise refused(server, status, json.dumps(tree).encode())
    choices = tree.get("choices")
    if not choices:
        if "choices" in tree or "usage" in tree or "object" in tree:
            return Part("")
        raise _unreadable(tree, server)
    choice = choices[0] if isinstance(choices, list) else None
    if not isinstance(choice, dict):
        raise _unreadable(tree, server)
    said = choice.get("delta") or choice.get("message")
    content = said.get("content") if isinstance(said, dict) else choice.get("text")
    end = choice.get("finish_reason")
    return Part(_text(content), str(end) if end else None)


def _text(content: Any) -> str:
    """The text of a content, which some servers cut into typed pieces."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        pieces = [p.get("text") for p in content if isinstance(p, dict)]
        return "".join(p for p in pieces if isinstance(p, str))
    return ""


def _unreadable(tree: Any, server: str) -> BadAnswer:
    return BadAnswer(
        f"the server at {server} answered JSON that is not a chat answer; is its address right?",
        raw=json.dumps(tree, ensure_ascii=False)[:20_000],
    )


async def spoken(parts: AsyncIterator[Part], server: str) -> AsyncGenerator[str, None]:
    """The pieces of a reply without its thoughts. Errors: `BadAnswer` when nothing was said in the end."""
    thoughts, said = Thoughts(), False
    async for part in parts:
        if piece := thoughts.feed(part.text):
            said = True
            yield piece
        if part.end:
            break
    if piece := thoughts.rest():
        said = True
        yield piece
    if not said:
        raise _nothing(server, thoughts.thought, "")


async def whole_answer(parts: AsyncIterator[Part], server: str) -> Answer:
    """All of an answer without its thoughts. Errors: `BadAnswer` when nothing was said in the end."""
    texts: list[str] = []
    end = None
    async for part in parts:
        texts.append(part.text)
        end = end or part.end
        if end:
            break
    raw = "".join(texts)
    text = without_thoughts(raw)
    if not text.strip():
        raise _nothing(server, bool(raw.strip()), raw)
    return Answer(text, complete=end != "length")


def _nothing(server: str, thought: bool, raw: str) -> BadAnswer:
    why = (
        "thought and said nothing; allow more tokens or use a model that thinks less"
        if thought
        else "said nothing; try again or use another model"
    )
    return BadAnswer(f"the model at {server} {why}", raw=raw)
