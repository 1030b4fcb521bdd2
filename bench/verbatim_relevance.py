"""Prints which messages of a talk are shown beside a later one: of those that need an earlier message, and of small talk.

Run: python bench/verbatim_relevance.py [FILE…] [--curve | --signs | --plain | --others] [--json]; the talks of `cases/said` by
default, the bundled embedder, the choice of the product: three lines at most with their short neighbours. `found`: needs
whose message is among the first three; `kept`: those of them still shown; `right`: share of the lines shown that are or
stand beside it; `lines`: shown for a need; `silent`: small-talk turns where nothing is shown; `idle`: lines for one.
With --curve the cut is moved, with --signs other judges stand beside ours, each at the cut where a tenth of the small talk
of the tuning half shows anything; with --plain everyday words of a query are exchanged for plain ones,
with --others the small talk of `cases/forgetting`, written by somebody else, is asked of every talk.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import mean
from typing import Any

# One BLAS thread, before numpy loads.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from souvenance.domain import MessageId, ThreadId
from souvenance.lang import language
from souvenance.lang.everyday import in_plain_words
from souvenance.measure import locomo
from souvenance.models.embed import BundledEmbedder
from souvenance.ports import Embedder
from souvenance.read.calibrations import calibration_of
from souvenance.read.reminding import ENOUGH, without_repeats
from souvenance.read.verbatim import (
    Cast,
    Found,
    Line,
    Query,
    Transcript,
    WindowVector,
    read_query,
    search,
    windows,
)
from souvenance.read.verbatim.relevance import relevance, tells_more
from souvenance.read.verbatim.search import mark

CASES = Path(__file__).parent / "cases" / "said"
OTHERS = CASES.parent / "forgetting"
START = datetime(2030, 1, 7, 18, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Asked:
    """A later message: how it is said, its query, the talk, and the messages that answer it (none for small talk)."""

    code: str
    half: str
    talk: str
    manner: str
    text: str
    plain: Query  # with everyday words exchanged for plain ones
    query: Query
    transcript: Transcript
    sources: frozenset[MessageId]


async def read(code: str, text: str, embedder: Embedder) -> list[Asked]:
    """Every later message of the talks of a file in a language."""
    talks = tomllib.loads(text)["talk"]
    found: list[Asked] = []
    for talk in talks:
        found += await _asked(talk, code, embedder)
    return found


async def _asked(talk: Mapping[str, Any], code: str, embedder: Embedder) -> list[Asked]:
    lines, marks = lines_of(talk["id"], talk["said"])
    wanted = windows(lines)
    vectors = await locomo.embedded([w.text for w in wanted], embedder)
    rows = [WindowVector(w.message_id, w.kind, w.fingerprint, vectors[w.text]) for w in wanted]
    transcript = Transcript.build(lines, language(code), rows)
    cast = Cast({"user": (talk["person"],), "character": (talk["character"],)}, "user")
    asked = []
    for row in talk["asked"].strip().splitlines():
        head, text = (part.strip() for part in row.split("|", 1))
        names, manner = head.split()
        sources = frozenset() if names == "-" else frozenset(marks[n] for n in names.split(","))
        asked.append((manner, text, sources))
    plain = {text: in_plain_words(text, language(code)) for _, text, _ in asked}
    queries = await locomo.embedded([*plain, *plain.values()], embedder, code)

    def query(text: str) -> Query:
        return read_query(text, language(code), vector=queries[text], cast=cast)

    return [
        Asked(
            code, talk["half"], talk["id"], manner, text,
            query(plain[text]), query(text), transcript, sources,
        )
        for manner, text, sources in asked
    ]  # fmt: skip


def lines_of(thread: str, said: str) -> tuple[list[Line], dict[str, MessageId]]:
    """The lines of a talk, two minutes apart and each paragraph a day later, and the id of each that is marked."""
    lines: list[Line] = []
    marks: dict[str, MessageId] = {}
    for day, paragraph in enumerate(said.strip().split("\n\n")):
        for minute, row in enumerate(paragraph.splitlines()):
            head, text = row.split(" ", 1)
            speaker, _, mark = head.partition("@")
            at = START + timedelta(days=day, minutes=2 * minute)
            role = {"p": "user", "c": "character"}[speaker]
            lines.append(Line(MessageId(f"{len(lines):04d}"), ThreadId(thread), at, role, text))
            if mark:
                marks[mark] = lines[-1].message_id
    return lines, marks


# --- judging -------------------------------------------------------------------------------------

#: Lines looked at and shown at most, as in a turn.
LOOKED_AT, SHOWN = 12, 3

#: The judge that was replaced.
BEFORE = "as it was before"

#: Share of the small talk of the tuning half that may show anything when the cuts of signs are set.
TALKATIVE = 0.10


@dataclass(frozen=True, slots=True)
class Judged:
    """The first lines for a message, and what each judge says of each."""

    asked: Asked
    found: list[Found]
    values: Mapping[str, list[float]]

    def first(self) -> tuple[Found, ...]:
        """The first lines, were all worth showing."""
        return without_repeats(self.found, set(), SHOWN)

    def shown(self, judge: str, cut: float) -> tuple[Found, ...]:
        """Those shown when a judge decides."""
        worth = [f for f, v in zip(self.found, self.values[judge], strict=True) if v >= cut]
        return without_repeats(worth, set(), SHOWN)

    def answered(self, lines: Sequence[Found]) -> bool:
        """Whether a message that answers is among those lines and their neighbours."""
        seen = {m.message_id for f in lines for m in (*f.before, f.line, *f.after)}
        return bool(seen & self.asked.sources)


def judged(asked: Asked, embedder: Embedder) -> Judged:
    """What each judge says of the first lines for a message."""
    read_as = calibration_of(embedder.name, asked.code, embedder.threshold)
    transcript, query, words = asked.transcript, asked.query, asked.transcript.language
    found = search(transcript, query, LOOKED_AT, calibration=read_as)
    rows = [transcript.row_of[f.line.message_id] for f in found]
    seen = mark(transcript, query).seen
    all_words = mark(transcript, replace(query, telling=frozenset(query.words))).seen
    loose = relevance(all_words, read_as, asks=query.asks)
    ours = relevance(seen, read_as, asks=query.asks)
    unasked = relevance(seen, read_as, asks=False)
    spread = float(np.std(seen.cosine)) or 1.0
    deviation = (seen.cosine - np.mean(seen.cosine)) / spread
    new = [tells_more(f.line.text, query, words) for f in found]
    gate = [bool(query.telling) and n for n in new]

    def gated(values: Any) -> list[float]:
        return [float(values[r]) if g else -9.0 for r, g in zip(rows, gate, strict=True)]

    columns: dict[str, list[float]] = {
        "in use": [f.relevance for f in found],
        BEFORE: [_before(all_words.rare[r], seen.cosine[r], embedder.threshold) for r in rows],
        "small talk as other words": [float(loose[r]) for r in rows],
        "lines that tell nothing more too": [float(ours[r]) if query.telling else 0.0 for r in rows],
        "whether it asks left out": gated(unasked),
        "telling words alone": gated(seen.rare),
        "every word alone": [float(all_words.rare[r]) for r in rows],
        "cosine alone": [float(seen.cosine[r]) for r in rows],
        "cosine, of telling ones": gated(seen.cosine),
        "deviation of the cosine": [float(deviation[r]) for r in rows],
        "deviation, of telling ones": gated(deviation),
        "score of the order": [f.score for f in found],
        "score, of telling ones": [f.score if g else -9.0 for f, g in zip(found, gate, strict=True)],
        "words of the message": [float(len(asked.text.split()))] * len(found),
        "question": [float(query.asks)] * len(found),
    }  # fmt: skip
    return Judged(asked, found, columns)


def _before(words: float, cosine: float, threshold: float) -> float:
    """The relevance that was in use before: every word counted, no line was too small."""
    return float(1 / (1 + np.exp(-1.4 * (words - 0.5) - 3.0 * (cosine - threshold))))


def figures(some: Sequence[Judged], judge: str, cut: float) -> dict[str, float]:
    """What a judge shows of some messages at a cut."""
    needs = [j for j in some if j.asked.sources]
    idle = [j.shown(judge, cut) for j in some if not j.asked.sources]
    found = [j for j in needs if j.answered(j.first())]
    shown = [(j, line) for j in needs for line in j.shown(judge, cut)]
    return {
        "found": mean(j in found for j in needs),
        "kept": sum(j.answered(j.shown(judge, cut)) for j in needs) / max(1, len(found)),
        "right": mean(j.answered((line,)) for j, line in shown) if shown else 0.0,
        "lines": len(shown) / len(needs),
        "silent": mean(not lines for lines in idle),
        "idle": mean(len(lines) for lines in idle),
    }


def half_rows(judges: Sequence[Judged]) -> Iterator[tuple[str, dict[str, float]]]:
    """Each half and language, and the needs by how they are said."""
    for half in ("tuning", "apart"):
        for code in sorted({j.asked.code for j in judges}):
            some = [j for j in judges if (j.asked.half, j.asked.code) == (half, code)]
            if not some:
                continue
            yield f"{half} {code}", figures(some, "in use", ENOUGH)
            yield f"{half} {code} {BEFORE}", figures(some, BEFORE, ENOUGH)
            idle = [j for j in some if not j.asked.sources]
            for manner in ("direct", "paraphrase", "elliptic"):
                said = [j for j in some if j.asked.manner == manner]
                yield f"{half} {code} {manner}", figures([*said, *idle], "in use", ENOUGH)


def curve_rows(judges: Sequence[Judged]) -> Iterator[tuple[str, dict[str, float]]]:
    """Ours at other cuts."""
    for half in ("tuning", "apart"):
        for code in sorted({j.asked.code for j in judges}):
            some = [j for j in judges if (j.asked.half, j.asked.code) == (half, code)]
            for cut in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
                yield f"{half} {code} {cut}", figures(some, "in use", cut)


def sign_rows(judges: Sequence[Judged]) -> Iterator[tuple[str, dict[str, float]]]:
    """Each judge on each half and language, at the cut that the small talk of the tuning half sets."""
    for judge in judges[0].values:
        cut = cut_of([j for j in judges if j.asked.half == "tuning"], judge)
        for half in ("tuning", "apart"):
            for code in sorted({j.asked.code for j in judges}):
                some = [j for j in judges if (j.asked.half, j.asked.code) == (half, code)]
                yield f"{judge} · {half} {code}", figures(some, judge, cut)


def cut_of(judges: Sequence[Judged], judge: str) -> float:
    """The least cut at which a judge is silent in enough of the small talk."""
    best = sorted((max(j.values[judge]) for j in judges if not j.asked.sources), reverse=True)
    return float(np.nextafter(best[int(TALKATIVE * len(best))], np.inf))


def plain_rows(judges: Sequence[Judged]) -> Iterator[tuple[str, dict[str, float]]]:
    """Where the message of a need stands when everyday words are plain for the embedder, for matching, for both."""
    variants: Mapping[str, Callable[[Asked], Query]] = {
        "as typed": lambda a: a.query,
        "plain for the embedder": lambda a: replace(a.query, vector=a.plain.vector),
        "plain words beside": lambda a: replace(a.query, words={**a.query.words, **a.plain.words}),
        "both": lambda a: replace(a.plain, words={**a.query.words, **a.plain.words}),
    }
    for code in sorted({j.asked.code for j in judges}):
        needs = [j.asked for j in judges if j.asked.sources and j.asked.code == code]
        for name, query in variants.items():
            places = [_place(a, query(a)) for a in needs]
            yield f"{name} {code}", {
                "needs": len(needs),
                "@3": mean(p < 3 for p in places),
                "mrr": mean(1 / (p + 1) for p in places),
            }  # fmt: skip


def _place(asked: Asked, query: Query) -> int:
    found = search(asked.transcript, query, len(asked.transcript.lines))
    return next(n for n, f in enumerate(found) if f.line.message_id in asked.sources)


async def other_rows(
    asked: Sequence[Asked], small: Mapping[str, Sequence[str]], embedder: Embedder
) -> list[tuple[str, dict[str, float]]]:
    """How often small talk of other cases shows nothing in any of the talks, and the lines it shows."""
    rows = []
    for code, texts in small.items():
        vectors = await locomo.embedded(texts, embedder, code)
        idle = []
        for one in {a.talk: a for a in asked if a.code == code}.values():
            for text in texts:
                query = read_query(text, language(code), vector=vectors[text])
                said = replace(one, text=text, query=query, sources=frozenset())
                idle.append(judged(said, embedder).shown("in use", ENOUGH))
        figures = {"turns": len(idle), "silent": mean(not k for k in idle)}
        rows.append((code, {**figures, "idle": mean(len(k) for k in idle)}))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, default=sorted(CASES.glob("*.toml")))
    parser.add_argument("--curve", action="store_true", help="at other cuts")
    parser.add_argument("--signs", action="store_true", help="other judges beside ours")
    parser.add_argument("--plain", action="store_true", help="everyday words exchanged for plain")
    parser.add_argument("--others", action="store_true", help="small talk of other cases")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    given = parser.parse_args()
    embedder = BundledEmbedder()
    asked: list[Asked] = []
    for path in given.files:
        asked += asyncio.run(read(path.stem, path.read_text("utf-8"), embedder))
    judges = [judged(a, embedder) for a in asked]
    how = curve_rows if given.curve else sign_rows if given.signs else half_rows
    if given.others:
        codes = sorted({a.code for a in asked})
        small = {c: json.loads((OTHERS / f"{c}.json").read_text("utf-8"))["small"] for c in codes}
        rows = dict(asyncio.run(other_rows(asked, small, embedder)))
    else:
        rows = dict((plain_rows if given.plain else how)(judges))
    if given.json:
        print(json.dumps({"bench": "verbatim_relevance", "embedder": embedder.name, "rows": rows}))
        return
    columns = list(next(iter(rows.values())))
    print(f"{len(judges)} messages · {embedder.name}")
    print(f"{'':48}" + "".join(f"{name:>8}" for name in columns))
    for name, row in rows.items():
        print(f"{name:48}" + "".join(f"{row[c]:8.2f}" for c in columns))


if __name__ == "__main__":
    main()
