"""The bytes of an answer as OpenAI-compatible servers and as Ollama write them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from souvenance.models.scripted.steps import Embed


def openai_events(pieces: Sequence[str], end: str | None, done: bool) -> Iterator[bytes]:
    """Server-sent events: a role, the pieces, why it ends, the usage, and [DONE]."""
    yield _event({"role": "assistant", "content": ""}, None)
    for piece in pieces:
        yield _event({"content": piece}, None)
    if end is not None:
        yield _event({}, end)
    yield _data({"object": "chat.completion.chunk", "choices": [], "usage": {"total_tokens": 1}})
    if done:
        yield b"data: [DONE]\n\n"


def openai_whole(text: str, end: str | None) -> bytes:
    """One `chat.completion` object."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": end}
    return json.dumps({"object": "chat.completion", "choices": [choice]}).encode()


def ollama_lines(pieces: Sequence[str], end: str | None, done: bool) -> Iterator[bytes]:
    """One JSON object a line; the last one says that it is done and why."""
    for piece in pieces:
        yield _ollama({"message": {"role": "assistant", "content": piece}, "done": False})
    if done:
        last = {"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": end}
        yield _ollama(last)


def ollama_whole(text: str, end: str | None) -> bytes:
    """One object with all of the text."""
    message = {"role": "assistant", "content": text}
    return _ollama({"message": message, "done": True, "done_reason": end})


def vectors(texts: Sequence[str], step: Embed) -> list[list[float]]:
    """A vector for each text, equal for equal texts, spoilt as the step says."""
    wanted = len(texts) if step.count is None else step.count
    padded = [*texts, *[""] * wanted][:wanted]
    rows = [_vector(text, step.dim) for text in padded]
    if rows and step.values:
        rows[0][: len(step.values)] = step.values
    return rows


def openai_vectors(rows: Sequence[Sequence[float]], *, reverse: bool) -> bytes:
    """The `list` object of an embeddings answer."""
    data = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(rows)]
    return json.dumps({"object": "list", "data": data[::-1] if reverse else data}).encode()


def ollama_vectors(rows: Sequence[Sequence[float]]) -> bytes:
    """The object of an answer of /api/embed."""
    return json.dumps({"embeddings": rows}).encode()


def pieces_of(text: str) -> list[str]:
    """The words of a text with the spaces that follow them, as a model streams them."""
    return re.findall(r"\s*\S+\s*", text) or [text]


def example_of(schema: Mapping[str, Any]) -> Any:
    """The smallest value that a simple schema allows, as a model under a grammar might give."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        fields = schema.get("properties", {})
        return {name: example_of(fields.get(name, {})) for name in schema.get("required", ())}
    plain: dict[Any, Any] = {
        "array": [],
        "string": "",
        "number": 0.5,
        "integer": 1,
        "boolean": True,
    }
    return plain.get(kind)


def _vector(text: str, dim: int) -> list[float]:
    digest = hashlib.shake_256(text.encode("utf-8", "replace")).digest(dim)
    return [byte - 127.5 for byte in digest]


def _event(delta: Mapping[str, str], end: str | None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": end}
    return _data({"object": "chat.completion.chunk", "choices": [choice]})


def _data(tree: Mapping[str, Any]) -> bytes:
    return b"data: " + json.dumps(tree, ensure_ascii=False).encode() + b"\n\n"


def _ollama(tree: Mapping[str, Any]) -> bytes:
    return json.dumps({"model": "scripted", **tree}, ensure_ascii=False).encode() + b"\n"
