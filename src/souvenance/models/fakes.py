"""Stand-ins for models and clocks that users may import in their own tests: exact, fast, without a network."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from souvenance.errors import ModelError
from souvenance.lang import tokens
from souvenance.ports import ChatMessage, Vector


class HashEmbedder:
    """An `Embedder` where texts are near when they share words, and equal texts have equal vectors.

    Each folded word has a fixed pseudo-random direction; a text is their sum at unit length. Words that
    only mean the same are strangers to it.
    """

    threshold = 0.3

    def __init__(self, dim: int = 256) -> None:
        self._dim = dim

    @property
    def name(self) -> str:
        """Names the dimension, which changes the vectors."""
        return f"hash-{self._dim}"

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, query_in: str | None = None
    ) -> Vector:
        """Shape (len(texts), dim), rows of unit length, in order."""
        return np.array([self._vector(t) for t in texts], np.float32).reshape(-1, self._dim)

    def _vector(self, text: str) -> Vector:
        words = {t.word for t in tokens(text)} or {""}
        total = sum((self._direction(w) for w in sorted(words)), np.zeros(self._dim))
        return np.asarray(total / np.linalg.norm(total), np.float32)

    def _direction(self, word: str) -> Any:
        digest = hashlib.shake_256(word.encode("utf-8", "replace")).digest(self._dim)
        return np.frombuffer(digest, np.uint8) - 127.5

    async def close(self) -> None:
        """Nothing to close."""


#: What a `ScriptedChat` does when asked: say this, raise this, or say what the function makes of the messages.
Line = str | ModelError | Callable[[Sequence[ChatMessage]], str]


class ScriptedChat:
    """A `ChatModel` that replies with its lines and answers JSON with its answers, each in order.

    A reply and a reflection in the background may ask in either order: neither takes what is the other's.
    `asked` holds the messages of every request, `schemas` the schema of each (None for a reply), `for_replies`
    the messages of the requests for a reply alone.
    Errors: `LookupError` when it is asked more often than it has something to say, unless `then` says what.
    """

    def __init__(
        self,
        lines: Iterable[Line] = (),
        *,
        answers: Iterable[Line] = (),
        then: Line | None = None,
        name: str = "scripted",
        server: str = "scripted",
    ) -> None:
        self._lines, self._answers = list(lines), list(answers)
        self._then = then
        self.name = name
        self.server = server
        self.asked: list[tuple[ChatMessage, ...]] = []
        self.schemas: list[Mapping[str, Any] | None] = []

    @property
    def for_replies(self) -> list[tuple[ChatMessage, ...]]:
        """The messages of each request for a reply, in order."""
        pairs = zip(self.asked, self.schemas, strict=True)
        return [messages for messages, schema in pairs if schema is None]

    async def stream(
        self, messages: Sequence[ChatMessage], *, max_tokens: int | None = None
    ) -> AsyncGenerator[str, None]:
        """The next line, word by word. `max_tokens` counts words here."""
        words = self._next(messages, None).split(" ")
        for place, word in enumerate(words if max_tokens is None else words[:max_tokens]):
            yield word if place == 0 else f" {word}"

    async def answer_json(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any],
        schema_name: str,
        max_tokens: int,
    ) -> str:
        """The next answer as it is."""
        return self._next(messages, schema)

    def _next(self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None) -> str:
        self.asked.append(tuple(messages))
        self.schemas.append(schema)
        script, its_name = (self._lines, "lines") if schema is None else (self._answers, "answers")
        line = script.pop(0) if script else self._then
        if line is None:
            raise LookupError(
                f"ScriptedChat was asked more often than it has {its_name}; give it more"
            )
        if isinstance(line, ModelError):
            raise line
        return line if isinstance(line, str) else line(messages)

    async def close(self) -> None:
        """Nothing to close."""


class FixedClock:
    """A `Clock` that stands still until it is moved."""

    def __init__(self, at: datetime) -> None:
        assert at.tzinfo is not None, "a clock needs a time with its zone"
        self._at = at

    def now(self) -> datetime:
        """The time it was set to."""
        return self._at

    def advance(self, by: timedelta) -> None:
        """Moves it forward."""
        self._at += by


class StepClock:
    """A `Clock` that moves by `step` each time it is read, so that no two moments are the same."""

    def __init__(self, at: datetime, step: timedelta = timedelta(seconds=1)) -> None:
        assert at.tzinfo is not None, "a clock needs a time with its zone"
        self._next, self._step = at, step

    def now(self) -> datetime:
        """The next moment."""
        moment, self._next = self._next, self._next + self._step
        return moment
