"""Scores the removal of private identifiers on marked texts, beside plain patterns for the usual forms.

What is missed is a leak and what is taken by mistake is a hole in a memory: recall and precision stand apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from souvenance.errors import BadLine
from souvenance.measure.lines import lines_of, record_of
from souvenance.measure.report import Fault, Metrics, Report, rate
from souvenance.write.filters.identifiers import Found, redact

#: Share of a marked span that a find must cover to count.
_COVER = 0.8

#: The types of identifiers, as a file may name them.
TYPES = ("phone", "email", "card", "iban", "national_id", "passport", "other_id")

#: What a filter of an afternoon would hold: the usual way to write each form.
_PLAIN: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("email", re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")),
    ("iban", re.compile(r"\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b")),
    ("card", re.compile(r"\b[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}\b")),
    ("phone", re.compile(r"(?:\+[0-9]{1,3}[ .-]?|\b0)[0-9](?:[ .-]?[0-9]{2}){4}\b")),
    ("phone", re.compile(r"\(?\b[0-9]{3}\)?[ .-][0-9]{3}[ .-][0-9]{4}\b")),
    ("national_id", re.compile(r"\b[0-9]{3}-[0-9]{2}-[0-9]{4}\b")),
)


@dataclass(frozen=True, slots=True)
class Item:
    """One text and the identifiers marked in it, in Python offsets."""

    item_id: str
    language: str
    text: str
    spans: tuple[Found, ...]


@dataclass(slots=True)
class _Count:
    spans: int = 0
    found: int = 0
    predicted: int = 0
    correct: int = 0
    clean: int = 0
    touched: int = 0

    def metrics(self) -> Metrics:
        return {
            "spans": self.spans,
            "found": self.found,
            "recall": rate(self.found, self.spans),
            "predicted": self.predicted,
            "correct": self.correct,
            "precision": rate(self.correct, self.predicted),
            "clean_items": self.clean,
            "clean_items_touched": self.touched,
        }

    def add(self, spans: Sequence[Found], found: Sequence[Found]) -> None:
        self.spans += len(spans)
        self.found += sum(any(_covers(f, s) for f in found) for s in spans)
        self.predicted += len(found)
        self.correct += sum(any(_covers(f, s) for s in spans) for f in found)

    def add_item(self, item: Item, found: Sequence[Found]) -> None:
        self.add(item.spans, found)
        self.clean += not item.spans
        self.touched += bool(found) and not item.spans


def _covers(found: Found, span: Found) -> bool:
    """Whether a find is of the right type and covers enough of a marked span."""
    shared = min(found.end, span.end) - max(found.start, span.start)
    return found.type == span.type and shared >= _COVER * (span.end - span.start)


def measure(path: Path) -> Report:
    """What redaction finds in every text of a file. Errors: `BadInput`, `BadLine`."""
    items = items_of(path)
    total, plain = _Count(), _Count()
    by: dict[str, _Count] = {}
    decisions: list[dict[str, Any]] = []
    leaked: list[str] = []
    touched: list[str] = []
    faults: dict[str, Fault] = {}
    for item in items:
        found = redact(item.text).found
        total.add_item(item, found)
        plain.add_item(item, plain_finds(item.text))
        by.setdefault(item.language, _Count()).add_item(item, found)
        for type_ in {s.type for s in (*item.spans, *found)}:
            by.setdefault(type_, _Count()).add(
                [s for s in item.spans if s.type == type_], [f for f in found if f.type == type_]
            )
        decisions.append(
            {
                "id": item.item_id,
                "spans": [{"start": f.start, "end": f.end, "type": f.type} for f in found],
            }
        )
        if not all(any(_covers(f, s) for f in found) for s in item.spans):
            leaked.append(item.item_id)
        elif not all(any(_covers(f, s) for s in item.spans) for f in found):
            touched.append(item.item_id)
        faults[item.item_id] = Fault(item.text, _said(item, item.spans), _said(item, found))
    failed = [*leaked, *touched]
    return Report(
        bench="pii",
        file=str(path),
        n=len(items),
        metrics=total.metrics(),
        by={group: count.metrics() for group, count in sorted(by.items())},
        baselines={"plain patterns": plain.metrics()},
        decisions=decisions,
        failed=failed,
        faults={name: faults[name] for name in failed},
    )


def _said(item: Item, spans: Sequence[Found]) -> str:
    return ", ".join(f"{s.type} “{item.text[s.start : s.end]}”" for s in spans) or "nothing"


def plain_finds(text: str) -> list[Found]:
    """What the plain patterns find, the first pattern first, apart."""
    found: list[Found] = []
    for type_, pattern in _PLAIN:
        for match in pattern.finditer(text):
            if all(match.end() <= f.start or match.start() >= f.end for f in found):
                found.append(Found(match.start(), match.end(), type_))
    return found


def items_of(path: Path) -> list[Item]:
    """The items of a file, in order. Errors: `BadInput` (not readable), `BadLine` (with its number)."""
    return [_item(line, number) for number, line in lines_of(path)]


def _item(line: str, number: int) -> Item:
    row = record_of(line, number)
    try:
        text = row["text"]
        if not isinstance(text, str):
            raise ValueError('"text" is not a text')
        spans = tuple(Found(int(s["start"]), int(s["end"]), str(s["type"])) for s in row["spans"])
        if any(not 0 <= s.start < s.end <= len(text) for s in spans):
            raise ValueError("a span lies outside the text")
        unknown = next((s.type for s in spans if s.type not in TYPES), None)
        if unknown is not None:
            raise ValueError(f'no type "{unknown}"; the types are {", ".join(TYPES)}')
        return Item(str(row["id"]), str(row["lang"]), text, spans)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        said = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise BadLine(
            f"Line {number} is not an item of the pii bench ({said}); mend or remove it.",
            line=number,
        ) from error
