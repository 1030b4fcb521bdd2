"""Reads recorded conversations, one JSON object a line, for `replay` and its bench.

A user's own file may hold a bad line: `read_lenient` keeps the rest and says which lines it left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from souvenance.domain import Role, is_whole
from souvenance.errors import BadInput, BadLine
from souvenance.measure.lines import record_of
from souvenance.stores.accepted import FIRST_YEAR, LAST_YEAR

#: Characters of an id, which becomes the name of a thread. Chosen, not measured.
LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a recorded conversation."""

    role: Role
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Fact:
    """What should be known: from which message on, and until which one replaced it (None: still true)."""

    text: str
    kind: str
    from_message: int
    valid_until: int | None


@dataclass(frozen=True, slots=True)
class Conversation:
    """A recorded conversation; `facts` and `never` are empty when nobody wrote the answers down."""

    conversation_id: str
    language: str
    character: str
    user_name: str | None
    messages: tuple[Turn, ...]
    facts: tuple[Fact, ...] = ()
    never: tuple[str, ...] = ()


def read(path: Path) -> list[Conversation]:
    """Every conversation of a file, in order. Errors: `BadLine` at the first line that cannot be used."""
    conversations, bad = read_lenient(path)
    if bad:
        raise bad[0]
    return conversations


def read_lenient(path: Path) -> tuple[list[Conversation], list[BadLine]]:
    """The conversations that can be used, in order, and one error for each line that cannot.

    Errors: `BadInput` when the file itself cannot be read, or its first lines are no JSON at all.
    """
    conversations: list[Conversation] = []
    bad: list[BadLine] = []
    seen: set[str] = set()
    for number, line in _lines(path):
        try:
            conversation = _conversation(line, number)
            if conversation.conversation_id in seen:
                raise BadLine(
                    f"Line {number} repeats the id “{conversation.conversation_id}”; give each its own.",
                    line=number,
                    code="line_repeats",
                    fields={"id": conversation.conversation_id},
                )
            seen.add(conversation.conversation_id)
            conversations.append(conversation)
        except BadLine as error:
            bad.append(error)
            if not conversations and len(bad) == _NOT_LINES and all(map(_is_no_json, bad)):
                raise BadInput(
                    f"The first {_NOT_LINES} lines of {path} are not JSON objects: is this JSON Lines, one object a line?",
                    code="not_json_lines",
                    fields={"path": path, "n": _NOT_LINES},
                ) from error
    return conversations, bad


#: So many first lines that are no JSON objects, and the file is none of JSON Lines: the rest would say the same.
#: Chosen, not measured.
_NOT_LINES = 5


def _is_no_json(error: BadLine) -> bool:
    return error.code in ("line_not_json", "line_not_object")


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(
            f"{path} cannot be read: {error.strerror}.",
            code="file_unreadable",
            fields={"path": path, "why": error.strerror},
        ) from error
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip():
            yield number, line.strip()


def _conversation(line: bytes, number: int) -> Conversation:
    record = record_of(line, number)
    fields = _Fields(record, number)
    raw = fields.items("messages", required=True)
    messages = tuple(_turn(_Fields(m, number, f"messages[{n}]")) for n, m in enumerate(raw))
    facts = [_fact(_Fields(f, number, "facts"), len(messages)) for f in fields.items("facts")]
    never = [str(n) for n in record.get("never") or ()]
    return Conversation(
        fields.name("id"),
        fields.text("lang", "en"),
        fields.text("character", "Character"),
        fields.text("user_name", "") or None,
        messages,
        tuple(facts),
        tuple(never),
    )


@dataclass(frozen=True, slots=True)
class _Fields:
    """One JSON object, read with errors that name the line and the place."""

    record: Any
    line: int
    place: str = ""

    def bad(self, message: str, code: str, key: str = "") -> BadLine:
        where = f" in {self.place}" if self.place else ""
        fields = {"key": key, "place": f" ({self.place})" if self.place else ""}
        return BadLine(
            f"Line {self.line}{where}: {message}.", line=self.line, code=code, fields=fields
        )

    def get(self, key: str) -> Any:
        if not isinstance(self.record, Mapping):
            raise self.bad("expected a JSON object", "line_object")
        return self.record.get(key)

    def text(self, key: str, default: str | None = None) -> str:
        value = self.get(key)
        if value is None and default is not None:
            return default
        if not isinstance(value, str) or not (value or default is not None):
            raise self.bad(f"“{key}” must be a text", "line_text", key)
        if not is_whole(value):
            raise self.bad(
                f"“{key}” holds half of a character (a lone surrogate)", "line_half", key
            )
        return value

    def name(self, key: str) -> str:
        value = self.text(key)
        if not value.isprintable() or not value.strip() or len(value) > LONGEST_NAME:
            raise self.bad(
                f"“{key}” must be 1 to {LONGEST_NAME} printable characters", "line_name", key
            )
        return value

    def number(self, key: str) -> int | None:
        value = self.get(key)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise self.bad(f"“{key}” must be a whole number or null", "line_number", key)
        return value

    def items(self, key: str, *, required: bool = False) -> list[Any]:
        value = self.get(key)
        if value is None and not required:
            return []
        if not isinstance(value, list):
            raise self.bad(f"“{key}” must be a list", "line_list", key)
        return value


def _turn(fields: _Fields) -> Turn:
    role = fields.text("role")
    if role not in ("user", "character"):
        raise fields.bad("“role” must be “user” or “character”", "line_role")
    try:
        at = datetime.fromisoformat(fields.text("at"))
        if not FIRST_YEAR <= at.year <= LAST_YEAR:
            raise ValueError(at.year)
    except ValueError as error:
        raise fields.bad(
            "“at” must be a date and time such as 2026-01-31T18:00:00+01:00", "line_at"
        ) from error
    return Turn(
        "user" if role == "user" else "character",
        at if at.tzinfo else at.replace(tzinfo=UTC),
        fields.text("text", ""),
    )


def _fact(fields: _Fields, messages: int) -> Fact:
    origin = fields.number("from")
    if origin is None or not 0 <= origin < messages:
        raise fields.bad("“from” must be the index of a message", "line_from")
    return Fact(
        fields.text("text"), fields.text("kind", "fact"), origin, fields.number("valid_until")
    )
