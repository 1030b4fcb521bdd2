"""Scores the filters on candidates with a known verdict, beside keeping everything and a confidence limit.

A defect let through is believed at every turn; a good memory lost is only said again: they are counted apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_THREAD,
    Address,
    Candidate,
    Character,
    CharacterId,
    Dropped,
    Exchange,
    Kept,
    Kind,
    Message,
    MessageId,
    Person,
    PersonId,
    Scope,
    Verdict,
)
from souvenance.errors import BadLine
from souvenance.measure.lines import lines_of, record_of
from souvenance.measure.report import Fault, Metrics, Report, rate
from souvenance.write.filters import screen
from souvenance.write.filters.identifiers import redact

#: The confidence from which the baseline keeps a candidate, as published limits have it.
_CONFIDENT = 0.85

_AT = datetime(2026, 1, 1, tzinfo=UTC)
_SCOPES = {"global": Scope.GLOBAL, "story": Scope.THREAD, "thread": Scope.THREAD}


@dataclass(frozen=True, slots=True)
class Item:
    """One candidate with the exchange it comes from, and whether it should be kept."""

    item_id: str
    language: str
    exchange: Exchange
    candidate: Candidate
    keep: bool
    defect: str


@dataclass(slots=True)
class _Count:
    drops: int = 0
    missed: int = 0
    keeps: int = 0
    lost: int = 0

    def add(self, item: Item, kept: bool) -> None:
        self.drops += not item.keep
        self.keeps += item.keep
        self.missed += kept and not item.keep
        self.lost += item.keep and not kept

    def metrics(self) -> Metrics:
        return {
            "drops": self.drops,
            "missed_drops": self.missed,
            "missed_drop_rate": rate(self.missed, self.drops),
            "keeps": self.keeps,
            "lost_keeps": self.lost,
            "lost_keep_rate": rate(self.lost, self.keeps),
        }


#: The row of the candidates that no filter refused.
_KEPT = "(kept)"


class _Confusion:
    """Which filter refused candidates with which defect; a filter may rightly refuse what another is for."""

    def __init__(self) -> None:
        self._counts: dict[str, dict[str, int]] = {}
        self._right: dict[str, int] = {}
        self._defects: list[str] = []

    def add(self, item: Item, verdict: Verdict) -> None:
        by = verdict.filter if isinstance(verdict, Dropped) else _KEPT
        row = self._counts.setdefault(by, {})
        row[item.defect] = row.get(item.defect, 0) + 1
        right = item.keep == isinstance(verdict, Kept)
        self._right[by] = self._right.get(by, 0) + right
        if item.defect not in self._defects:
            self._defects.append(item.defect)

    def by_filter(self) -> dict[str, Metrics]:
        """For each filter, how many it dropped, and how many of these rightly and wrongly."""
        found: dict[str, Metrics] = {}
        for by in sorted(set(self._counts) - {_KEPT}):
            made = sum(self._counts[by].values())
            right = self._right[by]
            found[by] = {"made": made, "right": right, "wrong": made - right}
        return found

    def by_defect(self) -> dict[str, Metrics]:
        """For each filter, and for what was kept, how many items had each defect."""
        return {
            by: {defect: self._counts[by].get(defect, 0) for defect in sorted(self._defects)}
            for by in sorted(self._counts)
        }


def _fault(item: Item, verdict: Verdict) -> Fault:
    expected = "kept" if item.keep else f"dropped: {item.defect}"
    read = f"dropped: {verdict.reason}" if isinstance(verdict, Dropped) else "kept"
    return Fault(item.candidate.text, expected, read)


def measure(path: Path) -> Report:
    """How the filters decide every item of a file. Errors: `BadInput`, `BadLine`."""
    items = items_of(path)
    total, by = _Count(), dict[str, _Count]()
    baselines = {"keep everything": _Count(), f"confidence >= {_CONFIDENT}": _Count()}
    decisions: list[dict[str, Any]] = []
    confusion = _Confusion()
    missed: list[str] = []
    lost: list[str] = []
    faults: dict[str, Fault] = {}
    for item in items:
        verdict = screen(item.candidate, item.exchange)
        kept = isinstance(verdict, Kept)
        for count in (total, *(by.setdefault(g, _Count()) for g in (item.language, item.defect))):
            count.add(item, kept)
        baselines["keep everything"].add(item, True)
        baselines[f"confidence >= {_CONFIDENT}"].add(item, item.candidate.confidence >= _CONFIDENT)
        reason = f"{verdict.filter}: {verdict.reason}" if isinstance(verdict, Dropped) else ""
        decisions.append({"id": item.item_id, "keep": kept, "reason": reason})
        confusion.add(item, verdict)
        if kept != item.keep:
            (missed if kept else lost).append(item.item_id)
            faults[item.item_id] = _fault(item, verdict)
    return Report(
        bench="filters",
        file=str(path),
        n=len(items),
        metrics=total.metrics(),
        by={group: count.metrics() for group, count in sorted(by.items())},
        baselines={name: count.metrics() for name, count in baselines.items()},
        decisions=decisions,
        failed=[*missed, *lost],
        faults=faults,
        tables={
            "drops by filter": confusion.by_filter(),
            "filter by defect": confusion.by_defect(),
        },
    )


def items_of(path: Path) -> list[Item]:
    """The items of a file, in order. Errors: `BadInput` (not readable), `BadLine` (with its number)."""
    return [_item(line, number) for number, line in lines_of(path)]


def _item(line: str, number: int) -> Item:
    row = record_of(line, number)
    try:
        expect = row["expect"]
        if expect not in ("keep", "drop"):
            raise ValueError(f'"expect" is keep or drop, not {expect!r}')
        return Item(
            item_id=str(row["id"]),
            language=str(row["lang"]),
            exchange=_exchange(row),
            candidate=_candidate(row["candidate"]),
            keep=expect == "keep",
            defect=str(row.get("defect") or "(none)"),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        said = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise BadLine(
            f"Line {number} is not an item of the filters bench ({said}); mend or remove it.",
            line=number,
        ) from error


def _exchange(row: dict[str, Any]) -> Exchange:
    """The messages as they would be stored: redacted."""
    address = Address(DEFAULT_SPACE, PersonId("person"), CharacterId("character"))
    messages: list[Message] = []
    for n, said in enumerate(row["exchange"]):
        if said["role"] not in ("user", "character"):
            raise ValueError(f'"role" is user or character, not {said["role"]!r}')
        text = redact(_text(said, "text")).text
        messages.append(
            Message(address, MAIN_THREAD, MessageId(str(n)), None, said["role"], text, _AT, "")
        )
    name = row.get("user_name")
    return Exchange(
        tuple(messages),
        Person(DEFAULT_SPACE, address.person, None if name is None else str(name)),
        Character(DEFAULT_SPACE, address.character, str(row["character"]), "", str(row["lang"])),
    )


def _candidate(row: dict[str, Any]) -> Candidate:
    scope = row["scope"]
    if scope not in _SCOPES:
        raise ValueError(f'"scope" is global or story, not {scope!r}')
    return Candidate(
        text=_text(row, "text"),
        kind=Kind(row["kind"]),
        scope=_SCOPES[scope],
        confidence=float(row["confidence"]),
        quote=_text(row, "quote"),
    )


def _text(row: dict[str, Any], key: str) -> str:
    value = row[key]
    if not isinstance(value, str):
        raise ValueError(f'"{key}" is a text, not {value!r}')
    return value
