"""What recall is worth while a new embedder fills its index: memories without a vector are found by words alone.

Usage: python bench/partial_index.py FILE [FILE ...]    (the format of `souvenance bench recall`, docs/bench.md)

For each share of the memories indexed, three draws of which: mean share of the relevant among the first 24, by the
scores in use. The first column is words alone, the last the whole index.
"""

from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path
from statistics import mean

from souvenance.domain import View
from souvenance.lang import language
from souvenance.measure import recall as bench
from souvenance.measure.recallfile import read
from souvenance.models.embed import BundledEmbedder
from souvenance.ports import VectorRow
from souvenance.read.corpus import Corpus
from souvenance.read.recall import normalise
from souvenance.read.scores import read_query, score

SHARES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
DRAWS = 3


async def of_file(path: Path) -> list[float]:
    """Recall at 24 by share."""
    file, embedder = read(path), BundledEmbedder()
    try:
        vectors = await bench._embedded(file, [file.pool], embedder)
    finally:
        await embedder.close()
    memories = [bench._memory(item) for item in (*file.memories, *file.pool)]
    found = []
    for share in SHARES:
        each = []
        for seed in range(DRAWS):
            drawn = random.Random(seed)
            rows = [
                VectorRow(bench._AT, m.memory_id, m.fingerprint, vectors.stored[m.text])
                for m in memories
                if drawn.random() < share
            ]
            corpus = Corpus.build(View(bench._AT), language(file.language), memories, rows)
            for question in file.questions:
                text = normalise(question.text)
                query = read_query(text, corpus.language, vectors.asked[text])
                first = bench._first(corpus, score(corpus, query, embedder.threshold).key)
                each.append(len(set(question.relevant) & set(first)) / len(question.relevant))
        found.append(mean(each))
    return found


if __name__ == "__main__":
    print(f"{'recall at 24, share indexed':44}" + "".join(f"{share:8.0%}" for share in SHARES))
    for name in sys.argv[1:]:
        print(
            f"{Path(name).name:44}" + "".join(f"{r:8.3f}" for r in asyncio.run(of_file(Path(name))))
        )
