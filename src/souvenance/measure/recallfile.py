"""Reads a file of questions with known answers, and draws as many distractors as asked for.

Beyond its pool a file has no more sentences: the pool comes again with other names and figures.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from souvenance.domain import Kind
from souvenance.errors import BadInput
from souvenance.measure.belonging import labels_of
from souvenance.measure.jsonfile import read_json, read_text


@dataclass(frozen=True, slots=True)
class Item:
    """One text that can be found."""

    item_id: str
    text: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Question:
    """One message and the ids it should bring back."""

    question_id: str
    text: str
    relevant: tuple[str, ...]
    style: str


@dataclass(frozen=True, slots=True)
class RecallFile:
    """The memories that count, the questions, and texts that are only in the way."""

    language: str
    memories: tuple[Item, ...]
    questions: tuple[Question, ...]
    pool: tuple[Item, ...]

    def drawn(self, size: int, seed: int) -> tuple[Item, ...]:
        """`size` distractors of the pool, then of its copies; the same for the same seed."""
        rng = random.Random(seed)
        chosen: list[Item] = []
        copy = 0
        while self.pool and len(chosen) < size:
            some = list(self.pool) if copy == 0 else disguised(self.pool, copy, rng)
            rng.shuffle(some)
            chosen += some[: size - len(chosen)]
            copy += 1
        return tuple(chosen)


_NAME = re.compile(r"(?<=[\w,;:] )[A-ZÀ-ÖØ-Þ][\w'’-]+")
_FIGURE = re.compile(r"\d+")


def disguised(pool: Sequence[Item], copy: int, rng: random.Random) -> list[Item]:
    """The pool with every name exchanged for another of its names, and every figure for another as long."""
    names = sorted({m.group() for item in pool for m in _NAME.finditer(item.text)})
    others = names[:]
    rng.shuffle(others)
    exchange = dict(zip(names, others, strict=True))

    def figure(match: re.Match[str]) -> str:
        digits = len(match.group())
        return str(rng.randint(10 ** (digits - 1), 10**digits - 1))

    def changed(item: Item) -> Item:
        named = re.sub(r"[^\W\d_][\w'’-]*", lambda m: exchange.get(m.group(), m.group()), item.text)
        return replace(item, item_id=f"{item.item_id}~{copy}", text=_FIGURE.sub(figure, named))

    return [changed(item) for item in pool]


def read(path: Path) -> RecallFile:
    """The questions of a file: one JSON object of the documented format, or labels of `calibrate recall` (.jsonl).

    Errors: `BadInput` when it is neither.
    """
    if path.suffix.lower() == ".jsonl":
        return _of_labels(path)
    data = read_json(path)
    if not isinstance(data, dict):
        raise BadInput(f"{path} is not one JSON object with `memories` and `queries`.")
    try:
        found = RecallFile(
            str(data.get("lang", "en")),
            tuple(map(_item, data["memories"])),
            tuple(map(_question, data["queries"])),
            tuple(map(_item, data.get("distractor_pool", []))),
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BadInput(
            f"{path} is not a file of questions ({_said(error)}). "
            "It needs `memories` (id, text, kind) and `queries` (id, text, relevant)."
        ) from None
    _check(path, found)
    return found


def _of_labels(path: Path) -> RecallFile:
    """The labelled messages of the language with most of them, among every memory that was shown with one."""
    read_text(path)  # labels that nobody made yet are none, but here a file was asked for
    labels = labels_of(path)
    code = max(sorted({x.language for x in labels}), key=[x.language for x in labels].count, default="en")  # fmt: skip
    some = [x for x in labels if x.language == code]
    memories = {x.memory_id: Item(x.memory_id, x.memory, Kind(x.kind)) for x in some}
    asked = dict.fromkeys((x.question_id, x.message) for x in some if x.belongs)
    questions = [
        Question(name, text, tuple(x.memory_id for x in some if x.question_id == name and x.belongs), "labelled")
        for name, text in asked
    ]  # fmt: skip
    if not questions:
        raise BadInput(
            f"{path} has no message to which a memory belongs; label more of them",
            code="labels_without_memory",
            fields={"path": path},
        )
    return RecallFile(code, tuple(memories.values()), tuple(questions), ())


def _said(error: Exception) -> str:
    return f"no {error}" if isinstance(error, KeyError) else str(error)


def _check(path: Path, found: RecallFile) -> None:
    known = {item.item_id for item in found.memories}
    for question in found.questions:
        missing = set(question.relevant) - known
        if missing or not question.relevant:
            raise BadInput(
                f"{path}: question {question.question_id} expects {sorted(missing) or 'nothing'}; "
                "`relevant` must name ids of `memories`."
            )


def _item(data: Mapping[str, Any]) -> Item:
    return Item(str(data["id"]), str(data["text"]), Kind(data.get("kind", "fact")))


def _question(data: Mapping[str, Any]) -> Question:
    return Question(
        str(data["id"]),
        str(data["text"]),
        tuple(map(str, data["relevant"])),
        str(data.get("style", "any")),
    )
