"""Which schemas may be asked for strictly."""

from __future__ import annotations

from typing import Any

import pytest

from souvenance.models.structured import Wanted, is_strict, response_format

CLOSED: dict[str, Any] = {
    "type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False,
}  # fmt: skip


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        (CLOSED, True),
        (CLOSED | {"additionalProperties": True}, False),
        (CLOSED | {"required": []}, False),
        ({"type": "array", "items": CLOSED}, True),
        ({"type": "array", "items": {"type": "object", "properties": {}}}, False),
        ({"anyOf": [CLOSED, {"type": "null"}]}, True),
        ({"anyOf": [CLOSED, {"properties": {"b": {}}}]}, False),
        ({"type": "string"}, True),
    ],
)
def test_strict_is_asked_only_of_a_closed_schema(schema: dict[str, Any], strict: bool) -> None:
    """A hosted server refuses `strict` for any other, and with it the strongest means."""
    assert is_strict(schema) is strict
    form = response_format("json_schema", Wanted(schema, "s", 9))
    assert form is not None
    assert form["json_schema"].get("strict", False) is strict
