"""Prints what one search of the messages costs at 600 and 10,000 of them, beside the two bare matrix products.

The vector of the query is given, so this is the search alone. Run: python bench/messages_speed.py [--json]. Seeded and
made up; asserts nothing about time.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from datetime import UTC, datetime, timedelta
from statistics import median

# One BLAS thread, before numpy loads.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from made_up import sentence, unit_rows, vocabulary
from souvenance.domain import MessageId, ThreadId
from souvenance.lang import language
from souvenance.read.verbatim import (
    Cast,
    Line,
    Transcript,
    WindowVector,
    read_query,
    search,
    windows,
)

SIZES = (600, 10_000)
QUERIES = 60
CAST = Cast({"user": ("Ana",), "character": ("Leo",)}, "user")


def measure(size: int) -> dict[str, float]:
    """Milliseconds: a first build, one message more, a query, and the two products alone (medians)."""
    rng, words = random.Random(1), language("en")
    names, weights = vocabulary(rng, 4_000)
    start, thread = datetime(2026, 1, 1, tzinfo=UTC), ThreadId("t")

    def line(n: int) -> Line:
        who = "character" if n % 2 else "user"
        at = start + timedelta(hours=n)
        return Line(MessageId(f"m{n:06d}"), thread, at, who, sentence(rng, names, weights))

    lines = [line(n) for n in range(size)]
    wanted = windows(lines)
    rows = unit_rows(np.random.default_rng(1), len(wanted))
    vectors = [
        WindowVector(w.message_id, w.kind, w.fingerprint, row)
        for w, row in zip(wanted, rows, strict=True)
    ]
    began = time.perf_counter()
    transcript = Transcript.build(lines, words, vectors)
    built = time.perf_counter() - began
    appended, queried, bare = [], [], []
    for n in range(QUERIES):
        text = sentence(rng, names, weights) + " Mine?"
        began = time.perf_counter()
        search(transcript, read_query(text, words, vector=rows[n], cast=CAST), 24)
        queried.append(time.perf_counter() - began)
        began = time.perf_counter()
        for meaning in transcript.meaning.values():
            meaning.matrix.rows() @ rows[n]
        bare.append(time.perf_counter() - began)
        began = time.perf_counter()
        transcript.update([line(size + n)])
        appended.append(time.perf_counter() - began)
    seconds = {"build": built, "append": median(appended), "query": median(queried), "products": median(bare)}  # fmt: skip
    return {"messages": size, **{name: 1e3 * value for name, value in seconds.items()}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    given = parser.parse_args()
    rows = [measure(size) for size in SIZES]
    if given.json:
        print(json.dumps({"bench": "messages_speed", "sizes": rows}))
        return
    print("".join(f"{name:>12}" for name in rows[0]) + "   (milliseconds)")
    for row in rows:
        print("".join(f"{value:12.2f}" for value in row.values()))


if __name__ == "__main__":
    main()
