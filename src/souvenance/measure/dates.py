"""Scores the reading of dates: a day, a range, or nothing where nothing may be read.

A date that is missed costs a note without its day, a wrong one a wrong memory: they are counted apart.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

from souvenance.errors import BadLine
from souvenance.lang import Language, language, tokens
from souvenance.measure.lines import lines_of, record_of
from souvenance.measure.report import Fault, Metrics, Report, rate
from souvenance.write.dates import the_date
from souvenance.write.words.decisive import table

Days = tuple[date, date]


@dataclass(frozen=True, slots=True)
class Item:
    """One sentence, the day it was said on, and the days that may be read in it, None for none."""

    item_id: str
    language: str
    text: str
    today: date
    expect: Days | None
    why: str


@dataclass(slots=True)
class _Count:
    n: int = 0
    right: int = 0
    wrong: int = 0
    missed: int = 0

    def add(self, value: Days | None, expect: Days | None) -> None:
        self.n += 1
        self.right += value == expect
        self.wrong += value is not None and value != expect
        self.missed += value is None and expect is not None

    def metrics(self) -> Metrics:
        return {
            "n": self.n,
            "right": self.right,
            "right_rate": rate(self.right, self.n),
            "wrong": self.wrong,
            "wrong_rate": rate(self.wrong, self.n),
            "missed": self.missed,
        }


def measure(path: Path) -> Report:
    """What is read in every sentence of a file. Errors: `BadInput`, `BadLine`."""
    items = items_of(path)
    total, plain, never = _Count(), _Count(), _Count()
    by: dict[str, _Count] = {}
    decisions: list[dict[str, Any]] = []
    failed: dict[str, list[str]] = {"wrong": [], "missed": []}
    faults: dict[str, Fault] = {}
    for item in items:
        words = language(item.language)
        value = the_date(item.text, words, item.today)
        for count in (total, by.setdefault(item.language, _Count())):
            count.add(value, item.expect)
        by.setdefault(f"why: {item.why}", _Count()).add(value, item.expect)
        plain.add(plain_day(item.text, words, item.today), item.expect)
        never.add(None, item.expect)
        decisions.append({"id": item.item_id, "value": written(value), "why": item.why})
        if value != item.expect:
            failed["missed" if value is None else "wrong"].append(item.item_id)
            told = (written(item.expect) or "nothing", written(value) or "nothing")
            faults[item.item_id] = Fault(item.text, *told)
    return Report(
        bench="dates",
        file=str(path),
        n=len(items),
        metrics=total.metrics(),
        by={group: count.metrics() for group, count in sorted(by.items(), key=_order)},
        baselines={"day and month only": plain.metrics(), "never reads": never.metrics()},
        decisions=decisions,
        failed=[*failed["wrong"], *failed["missed"]],
        faults=faults,
    )


def _order(group: tuple[str, _Count]) -> tuple[bool, str]:
    return group[0].startswith("why: "), group[0]


def plain_day(text: str, words: Language, today: date) -> Days | None:
    """What an afternoon's reader finds: a figure beside the name of a month, on its next such day."""
    months = {name.rstrip("."): n for name, n in table(words.words["months"]).items()}
    said = [t.word for t in tokens(text)]
    pairs = [p for a, b in pairwise(said) for p in ((a, b), (b, a))]
    found = Counter(
        (months[b], int(a)) for a, b in pairs if b in months and a.isdecimal() and len(a) <= 2
    )
    if len(found) != 1:
        return None
    (month, number), _ = found.popitem()
    for year in (today.year, today.year + 1):
        try:
            on = date(year, month, number)
        except ValueError:
            continue
        if on > today:
            return on, on
    return None


def written(days: Days | None) -> str | None:
    """A day or a range as the files write it: "2026-05-04", "2026-05-04/2026-05-09"."""
    if days is None:
        return None
    start, end = (day.isoformat() for day in days)
    return start if start == end else f"{start}/{end}"


def items_of(path: Path) -> list[Item]:
    """The items of a file, in order. Errors: `BadInput` (not readable), `BadLine` (with its number)."""
    return [_item(line, number) for number, line in lines_of(path)]


def _item(line: str, number: int) -> Item:
    row = record_of(line, number)
    try:
        if not isinstance(row["text"], str):
            raise ValueError('"text" is not a text')
        return Item(
            str(row["id"]),
            str(row["lang"]),
            row["text"],
            date.fromisoformat(str(row["today"]).split()[0]),  # "2026-08-11 (Tuesday)"
            _days(row["expect"]),
            str(row.get("why", "")),
        )
    except (ValueError, KeyError, TypeError, IndexError) as error:
        said = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise BadLine(
            f"Line {number} is not an item of the dates bench ({said}); mend or remove it.",
            line=number,
        ) from error


def _days(value: object) -> Days | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise ValueError('"expect" is neither a day, a range nor null')
    start, _, end = value.partition("/")
    first, last = date.fromisoformat(start), date.fromisoformat(end or start)
    if last < first:
        raise ValueError('the range of "expect" ends before it starts')
    return first, last
