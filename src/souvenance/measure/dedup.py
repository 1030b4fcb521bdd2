"""Scores the comparison on pairs of texts with a known answer, beside the published method.

A false merge erases a fact in silence and a missed one costs a repetition: they are counted apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from souvenance.errors import BadLine
from souvenance.lang import Language, language
from souvenance.measure.lines import lines_of, record_of
from souvenance.measure.published import published_merges
from souvenance.measure.report import Fault, Metrics, Report, rate
from souvenance.write.alike.similarity import compare
from souvenance.write.words.decisive import read


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts and whether merging them loses nothing."""

    pair_id: str
    language: str
    a: str
    b: str
    same: bool
    why: str


@dataclass(slots=True)
class _Count:
    distinct: int = 0
    false_merges: int = 0
    variants: int = 0
    true_merges: int = 0

    def add(self, pair: Pair, merged: bool) -> None:
        self.distinct += not pair.same
        self.variants += pair.same
        self.false_merges += merged and not pair.same
        self.true_merges += merged and pair.same

    def metrics(self) -> Metrics:
        return {
            "distinct": self.distinct,
            "false_merges": self.false_merges,
            "false_merge_rate": rate(self.false_merges, self.distinct),
            "variants": self.variants,
            "true_merges": self.true_merges,
            "true_merge_rate": rate(self.true_merges, self.variants),
        }


def _fault(pair: Pair, why: str) -> Fault:
    said = ("two memories", "one memory")
    return Fault(f"{pair.a} ↔ {pair.b}", said[pair.same], f"{said[not pair.same]}: {why}")


def measure(path: Path) -> Report:
    """How the comparison decides every pair of a file, beside the published score and exact equality."""
    pairs = pairs_of(path)
    total = _Count()
    by: dict[str, _Count] = {}
    baselines = {
        "published score": _Count(),
        "published score, short texts too": _Count(),
        "equal but for spelling": _Count(),
    }
    decisions: list[dict[str, Any]] = []
    for pair in pairs:
        words = language(pair.language)
        compared = compare(pair.a, pair.b, words)
        for count in (
            total,
            by.setdefault(pair.language, _Count()),
            by.setdefault(pair.why, _Count()),
        ):
            count.add(pair, compared.same)
        baselines["published score"].add(pair, published_merges(pair.a, pair.b, words))
        baselines["published score, short texts too"].add(
            pair, published_merges(pair.a, pair.b, words, ratio_from=0)
        )
        baselines["equal but for spelling"].add(pair, _equal(pair.a, pair.b, words))
        decisions.append({"id": pair.pair_id, "merge": compared.same, "why": compared.why})
    merged = {d["id"]: d["merge"] for d in decisions}
    why = {d["id"]: d["why"] for d in decisions}
    wrong = [p for p in pairs if merged[p.pair_id] != p.same]
    return Report(
        bench="dedup",
        file=str(path),
        n=len(pairs),
        metrics=total.metrics(),
        by={name: count.metrics() for name, count in sorted(by.items())},
        baselines={name: count.metrics() for name, count in baselines.items()},
        decisions=decisions,
        failed=[p.pair_id for p in sorted(wrong, key=lambda p: p.same)],
        faults={p.pair_id: _fault(p, why[p.pair_id]) for p in wrong},
    )


def pairs_of(path: Path) -> list[Pair]:
    """The pairs of a file, in order. Errors: `BadLine` with its number; `BadInput` for the file itself."""
    return [_pair(line, number) for number, line in lines_of(path)]


def _pair(line: str, number: int) -> Pair:
    record = record_of(line, number)
    try:
        pair = Pair(
            str(record["id"]),
            str(record.get("lang", "en")),
            record["a"],
            record["b"],
            record["same"],
            str(record.get("why", "")),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadLine(
            f"Line {number} is not a pair (id, lang, a, b, same): {error}.",
            line=number,
            code="line_not_pair",
        ) from error
    if not (isinstance(pair.a, str) and isinstance(pair.b, str) and isinstance(pair.same, bool)):
        raise BadLine(
            f"Line {number}: a and b must be texts, same true or false.",
            line=number,
            code="line_not_pair",
        )
    return pair


def _equal(a: str, b: str, words: Language) -> bool:
    return [i.word for i in read(a, words).items] == [i.word for i in read(b, words).items]
