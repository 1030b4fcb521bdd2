"""Which means of asking for JSON a server takes, found by trying the strongest first and remembered.

Servers differ: one refuses `json_schema` with an HTTP 500, others with 400 or 422, others ignore it without a word.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from souvenance.errors import ModelRefused
from souvenance.ports import ChatMessage

Means = Literal["json_schema", "json_object", "text"]
MEANS: tuple[Means, ...] = ("json_schema", "json_object", "text")

#: Statuses that may mean "I do not know this option". Others (401, 429, 503, a timeout) say nothing about it.
_MAY_MEAN_UNKNOWN = frozenset({400, 404, 405, 415, 422, 500, 501})

#: What worked, by (address, model); for the life of the process.
_worked: dict[tuple[str, str], Means] = {}


def forget_what_worked() -> None:
    """Makes every server be tried anew, as after an upgrade of one."""
    _worked.clear()


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for: under which schema, and in how many tokens."""

    schema: Mapping[str, Any]
    schema_name: str
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; `complete` is False when the model ran out of tokens."""

    text: str
    complete: bool


async def by_strongest_means(
    server: tuple[str, str], schema: Mapping[str, Any], ask: Callable[[Means], Awaitable[Answer]]
) -> str:
    """The answer by the strongest means the server takes, from the one that worked last time.

    Errors: those of `ask`; a refusal that may be about the means counts only when the last one is refused.
    """
    first = MEANS.index(_worked.get(server, "json_schema"))
    for means in MEANS[first:]:
        last = means == MEANS[-1]
        try:
            answer = await ask(means)
        except ModelRefused as error:
            if last or error.status not in _MAY_MEAN_UNKNOWN:
                raise
            continue
        if last or not answer.complete or _follows(answer.text, schema):
            # A truncated answer says nothing about the means, so only a whole one is remembered.
            if answer.complete:
                _worked[server] = means
            return answer.text
    raise AssertionError("unreachable: the last means returns or raises")


def _follows(text: str, schema: Mapping[str, Any]) -> bool:
    """Whether a whole answer shows that the server heeded the schema: JSON with the required fields."""
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        return False
    required = schema.get("required", ())
    return not required or (isinstance(tree, dict) and all(name in tree for name in required))


def response_format(means: Means, wanted: Wanted) -> dict[str, Any] | None:
    """The `response_format` of an OpenAI-compatible request; None for plain text."""
    schema = dict(wanted.schema)
    if means == "json_schema":
        named: dict[str, Any] = {"name": wanted.schema_name, "schema": schema}
        if is_strict(schema):
            named["strict"] = True
        return {"type": "json_schema", "json_schema": named}
    if means == "json_object":
        return {"type": "json_object", "schema": schema}
    return None


def is_strict(schema: Any) -> bool:
    """Whether every object of the schema requires all its fields and forbids others.

    Source: OpenAI's "structured outputs"; a server refuses `strict` for any other schema.
    """
    if isinstance(schema, list):
        return all(is_strict(part) for part in schema)
    if not isinstance(schema, dict):
        return True
    if schema.get("type") == "object" or "properties" in schema:
        fields = schema.get("properties", {})
        if schema.get("additionalProperties") is not False:
            return False
        if set(schema.get("required", ())) != set(fields):
            return False
    return all(is_strict(part) for part in schema.values())


def with_schema(messages: Sequence[ChatMessage], schema: Mapping[str, Any]) -> list[ChatMessage]:
    """The messages with the schema written out in the first system message."""
    wish = _wish().replace("{schema}", json.dumps(dict(schema), ensure_ascii=False))
    messages = list(messages)
    for place, message in enumerate(messages):
        if message.role == "system":
            messages[place] = ChatMessage("system", f"{message.text}\n\n{wish}")
            return messages
    return [ChatMessage("system", wish), *messages]


@cache
def _wish() -> str:
    return (files("souvenance.models") / "prompts" / "json.md").read_text("utf-8").strip()
