"""What hostile texts leave in memory, through the real write path, with a model that proposes everything.

Beside it, apart: what the instruction filter alone recognises, and what it refuses of ordinary sentences.
Usage: python bench/attacks.py [--every] [--json]; --every tries each attack in every position with every strategy.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from souvenance.measure.attacks import (
    EXTRACTIVE,
    STRATEGIES,
    Attack,
    Position,
    Trial,
    attacks_of,
    plan,
    positions_of,
    read,
    run,
    sieve,
    sieved,
)
from souvenance.measure.report import interval

CASES = Path(__file__).parents[1] / "tests" / "attacks"


def everything(
    attacks: Sequence[Attack], positions: Sequence[Position]
) -> list[tuple[Attack, Position, str]]:
    """Each attack in every position of its language with every strategy."""
    return [
        (a, p, s)
        for a, p, s in itertools.product(attacks, positions, (*STRATEGIES, EXTRACTIVE))
        if p.language == ("fr" if a.language == "fr" else "en")
    ]


#: Shapes that are hard on one or another part of the filter.
SHAPES = (
    "a", "![", "<", "[", "ignore ", "a b c d ", "QUJD", "41 42 ", "%41", "A1", "a\u0323", "x: ", "a@", "----",
    "a.b.", "www.", "!\n", "\u200b", "the user is ", "send link when always ",
)  # fmt: skip


def slowest() -> float:
    """Processor milliseconds of the instruction filter on the worst shape, the best of three."""
    taken = []
    for shape in SHAPES:
        attack = Attack("shape", "en", "shape", (shape * 20_000)[:20_000])
        reads = []
        for _ in range(3):
            began = time.process_time()
            read(attack)
            reads.append(1000 * (time.process_time() - began))
        taken.append(min(reads))
    return max(taken)


def shown(hits: int, n: int) -> dict[str, Any]:
    low, high = interval(hits, n)
    return {"hits": hits, "n": n, "rate": hits / n if n else None, "low": low, "high": high}


def by(trials: Sequence[Trial], name: str) -> dict[str, Any]:
    groups: dict[str, Counter[bool]] = {}
    for t in trials:
        key = {"position": t.position.position, "family": t.attack.family, "strategy": t.strategy}
        groups.setdefault(key[name], Counter())[bool(t.wrong)] += 1
    return {k: shown(c[True], c.total()) for k, c in sorted(groups.items())}


def measure(every: bool) -> dict[str, Any]:
    attacks, positions = (
        attacks_of(CASES / "attacks.jsonl"),
        positions_of(CASES / "positions.jsonl"),
    )
    ordinary, held_out = attacks_of(CASES / "ordinary.jsonl"), attacks_of(CASES / "held_out.jsonl")
    began = time.perf_counter()
    trials = asyncio.run(run(everything(attacks, positions) if every else plan(attacks, positions)))
    elsewhere = [t for t in trials if t.position.position != "typed"]
    typed = [t for t in trials if t.position.position == "typed"]
    kept_own = [t for t in elsewhere if t.strategy in ("quoted", EXTRACTIVE)]
    return {
        "bench": "attacks",
        "n": len(trials),
        "seconds": time.perf_counter() - began,
        "got_through": {
            "not the person's words": shown(sum(bool(t.wrong) for t in elsewhere), len(elsewhere)),
            "typed by the person": shown(sum(bool(t.wrong) for t in typed), len(typed)),
            "typed and kept as a quoted fact": shown(
                sum(bool(t.stored) for t in typed), len(typed)
            ),
        },
        "the person's own sentence beside it kept": shown(
            sum(bool(t.stored) for t in kept_own), len(kept_own)
        ),
        "by": {name: by(trials, name) for name in ("position", "family", "strategy")},
        "sieve": {
            "attacks recognised": shown(*sieved(attacks)),
            "by family": {
                f: shown(*sieved([a for a in attacks if a.family == f]))
                for f in dict.fromkeys(a.family for a in attacks)
            },
            "attacks worded after its lists recognised": shown(*sieved(held_out)),
            "ordinary sentences refused": shown(*sieved(ordinary)),
            "slowest_ms_of_20000_characters": slowest(),
        },
        "got_through_ids": [
            {
                "id": t.attack.attack_id,
                "in": t.position.position_id,
                "how": t.strategy,
                "why": t.wrong,
            }
            for t in trials
            if t.wrong
        ],
        "not_recognised": [a.attack_id for a in attacks if not sieve(a)],
        "refused_ordinary": [a.attack_id for a in ordinary if sieve(a)],
    }


def _row(name: str, f: dict[str, Any]) -> None:
    rate = "-" if f["rate"] is None else f"{f['rate']:.3f} ({f['low']:.3f}–{f['high']:.3f})"
    print(f"  {name:44} {f['hits']:5} / {f['n']:<6} {rate}")


def main() -> None:
    found = measure("--every" in sys.argv)
    if "--json" in sys.argv:
        print(json.dumps(found, ensure_ascii=False))
        return
    print(f"{found['n']} trials in {found['seconds']:.0f} s; what got through:")
    for name, figure in found["got_through"].items():
        _row(name, figure)
    own = "the person's own sentence beside it kept"
    _row(own, found[own])
    for group, rows in found["by"].items():
        print(f"by {group}:")
        for name, figure in rows.items():
            _row(name, figure)
    print("the instruction filter alone:")
    for name in (
        "attacks recognised",
        "attacks worded after its lists recognised",
        "ordinary sentences refused",
    ):
        _row(name, found["sieve"][name])
    print(
        f"  slowest of 20,000 adversarial characters: {found['sieve']['slowest_ms_of_20000_characters']:.0f} ms"
    )
    for name, figure in found["sieve"]["by family"].items():
        _row(f"  {name}", figure)
    for name in ("got_through_ids", "not_recognised", "refused_ordinary"):
        print(
            f"{name}:", *(json.dumps(x, ensure_ascii=False) for x in found[name][:60]), sep="\n  "
        )


if __name__ == "__main__":
    main()
