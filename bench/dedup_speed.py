"""Prints what one candidate costs beside 300, 1,000 and 10,000 memories, and whether anything is decided otherwise.

Beside it: comparing with every memory, and the published score with bounds of its own, in the same run.
Run: python bench/dedup_speed.py [--json] [--candidates N]. Seeded and synthetic; asserts nothing about time.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_THREAD,
    MAIN_TIMELINE,
    Address,
    Candidate,
    Cause,
    CharacterId,
    Kind,
    Memory,
    MemoryId,
    MessageId,
    PersonId,
    Redacted,
    Scope,
    Seq,
    View,
)
from souvenance.lang import Language, language
from souvenance.measure.published import published_merges
from souvenance.stores.sqlite import open_store
from souvenance.write.alike.nearby import Known
from souvenance.write.alike.similarity import Comparison, compare
from souvenance.write.cache import KnownCache
from souvenance.write.desk import Setting
from souvenance.write.merge import settle
from souvenance.writes import AddVersion

SIZES = (300, 1_000, 10_000)

#: Comparisons drawn at random at each size, besides those of the exhaustive row.
RANDOM_PAIRS = 10_000

#: Candidates that the slow rows are timed on.
SLOW = 10

AT = Address(DEFAULT_SPACE, PersonId("bench"), CharacterId("bench"))
VIEW = View(AT, thread=MAIN_THREAD)
NOW = datetime(2026, 6, 1, tzinfo=UTC)

#: What people tell, in French: openings, then things that are made up, then what often *is* the fact.
OPENINGS = (
    "J'aime", "Je n'aime pas", "Je répare", "Ma sœur élève", "Mon père vend", "J'ai vu", "Je cherche",
    "Elle ne veut plus de", "On a trouvé", "Mon voisin collectionne", "Je dois rendre", "J'ai perdu",
)  # fmt: skip
LINKS = ("et", "avec", "sans", "près de", "pour", "dans", "sous", "de", "à")
DETAILS = (
    "mardi", "jeudi", "en juin", "en mars", "demain", "le 12", "le 21", "depuis 2019", "à 14 h", "trois fois",
    "pour 40 €", "chez Solène", "avec Bastien", "à Vannes", "à Dinan", "depuis toujours", "presque jamais",
)  # fmt: skip
#: Candidates that announce a change are looked at beside every memory they may change: the slow kind.
CHANGES = (
    "Finalement c'est mardi pour {}.", "Non, attends, {} c'est jeudi.", "Je n'habite plus à Vannes.",
    "J'ai quitté Solène.", "Ça y est, j'ai rendu {}.", "En fait {} coûte 50 €.", "J'ai déménagé à Dinan, {}.",
    "Désormais {} c'est le 14, pas le 12.", "C'est fait, j'ai vu {}.", "Maintenant je travaille chez Solène avec {}.",
)  # fmt: skip
SYLLABLES = (
    "ba",
    "co",
    "dri",
    "fu",
    "la",
    "mo",
    "ni",
    "pe",
    "rou",
    "sa",
    "ti",
    "vé",
    "cha",
    "lin",
    "gue",
    "ton",
)


def vocabulary(rng: random.Random, size: int) -> tuple[list[str], list[float]]:
    """Made-up words whose frequency falls like that of real ones (Zipf)."""
    words: dict[str, None] = {}
    while len(words) < size:
        words["".join(rng.choices(SYLLABLES, k=rng.randint(2, 4)))] = None
    return list(words), [1 / (rank + 3) for rank in range(size)]


def sentence(rng: random.Random, words: Sequence[str], weights: Sequence[float]) -> str:
    """An opening, one to eight made-up words with small ones between, and in half of them a detail."""
    things = rng.choices(words, weights, k=rng.randint(1, 8))
    said = [rng.choice(OPENINGS)]
    for n, thing in enumerate(things):
        said += [rng.choice(LINKS)] * (n > 0 and rng.random() < 0.6) + [thing]
    return " ".join([*said, *([rng.choice(DETAILS)] if rng.random() < 0.5 else [])]) + "."


def said_again(rng: random.Random, text: str) -> str:
    """The sentence with one or two accidents: a slip, a detail more, a word less, a compound cut."""
    words = text.rstrip(".").split(" ")
    for _ in range(rng.randint(1, 2)):
        at = rng.randrange(len(words))
        accident = rng.randrange(4)
        cut = rng.randint(1, max(1, len(words[at]) - 1))
        if accident == 0:
            words[at] = words[at][:cut] + words[at][cut - 1 : cut] + words[at][cut:]
        elif accident == 1:
            words.append(rng.choice(DETAILS))
        elif accident == 2 and len(words) > 2:
            del words[at]
        else:
            words[at] = f"{words[at][:cut]}-{words[at][cut:]}"
    return " ".join(words) + "."


def memory(number: int, text: str) -> Memory:
    """A memory of its own message."""
    born = NOW - timedelta(minutes=100_000 - number)
    return Memory(
        MemoryId(f"m{number:06d}"), AT, MAIN_TIMELINE, None, Kind.FACT, Redacted(text), born, born,
        Cause("reflection"), messages=(MessageId(f"x{number}"),), seq_from=Seq(number + 1),
    )  # fmt: skip


def candidate(number: int, text: str) -> Candidate:
    return Candidate(text, Kind.FACT, Scope.GLOBAL, 0.8, text, (MessageId(f"c{number}"),))


def setting(number: int) -> Setting:
    return Setting(
        AT, MAIN_TIMELINE, MAIN_THREAD, "character", NOW, number, "fr", "reflection", "bench",
        lambda: MemoryId(f"n{number}"),
    )  # fmt: skip


def found_in(text: str, memories: Sequence[Memory], words: Language) -> list[Memory]:
    """The memories among these that are the same as the text."""
    return [m for m in memories if compare(text, m.text, words).same]


def timed(call: Callable[[], object]) -> float:
    """Seconds of one call."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def milliseconds(values: Sequence[float]) -> dict[str, float]:
    """Median and 95th percentile."""
    p50, p95 = np.percentile(np.array(values) * 1000, [50, 95])
    return {"p50_ms": round(float(p50), 3), "p95_ms": round(float(p95), 3)}


def differences(
    rng: random.Random, known: Known, memories: Sequence[Memory], texts: Sequence[str]
) -> dict[str, int]:
    """How many random comparisons the short list decides otherwise than comparing; half of them with a memory
    that the candidate shares much with, so that some are the same."""
    words, alike, differ, same = known.words, {}, 0, 0
    for n in range(RANDOM_PAIRS):
        text = rng.choice(texts)
        if text not in alike:
            alike[text] = {m.memory_id for m in found_in(text, known.could_be_same(text), words)}
        near = known.could_be_same(text) if n % 2 else ()
        other = rng.choice(near or memories)
        truth: Comparison = compare(text, other.text, words)
        same += truth.same
        differ += truth.same != (other.memory_id in alike[text])
    return {"compared": RANDOM_PAIRS, "same": same, "differ": differ}


def stored(memories: Sequence[Memory], extra: Memory) -> dict[str, float]:
    """What reading from a real store costs: all of it at first, then what one new memory adds."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "bench.db")
        store.commit(AT.space, AT.person, [AddVersion(m, None) for m in memories])
        cache = KnownCache(store.memories)

        def look() -> None:
            with cache.fresh(VIEW, "fr"):
                return

        first = timed(look)
        store.commit(AT.space, AT.person, [AddVersion(extra, None)])
        again = timed(look)
        store.close()
    return {"first_ms": round(first * 1000, 1), "one_new_memory_ms": round(again * 1000, 2)}


def megabytes(memories: Sequence[Memory], words: Language) -> float:
    """What the table holds beside the memories themselves."""
    tracemalloc.start()
    known = Known(memories, words)
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert len(known) == len(memories)
    return round(held / 1e6, 1)


def measure(size: int, count: int) -> dict[str, Any]:
    """All figures at one size."""
    rng = random.Random(size)
    words = language("fr")
    made, weights = vocabulary(rng, 4_000)
    memories = [memory(n, sentence(rng, made, weights)) for n in range(size)]
    texts = [
        said_again(rng, rng.choice(memories).text) if n % 2 else sentence(rng, made, weights)
        for n in range(count)
    ]
    compare(texts[0], texts[0], words)  # the word lists are read once for all
    built = timed(lambda: Known(memories, words))
    known = Known(memories, words)
    looked_at = [len(known.could_be_same(text)) for text in texts]
    spared = [timed(lambda t=t: found_in(t, known.could_be_same(t), words)) for t in texts]
    whole = [
        timed(lambda n=n, t=t: settle([candidate(n, t)], known, setting(n)))
        for n, t in enumerate(texts)
    ]
    news = [
        rng.choice(CHANGES).format(rng.choices(made, weights)[0]) for _ in range(max(count // 4, 1))
    ]
    changes = [
        timed(lambda n=n, t=t: settle([candidate(n, t)], known, setting(n)))
        for n, t in enumerate(news)
    ]
    slow = texts[:SLOW]
    cold = timed(lambda: found_in(slow[0], memories, words))
    exhaustive = [timed(lambda t=t: found_in(t, memories, words)) for t in slow]
    differ = sum(
        found_in(t, known.could_be_same(t), words) != found_in(t, memories, words) for t in slow
    )
    for text in slow[:1]:
        [published_merges(text, m.text, words) for m in memories]
    published = [
        timed(lambda t=t: [m for m in memories if published_merges(t, m.text, words)]) for t in slow
    ]
    return {
        "memories": size,
        "candidates": count,
        "compared_with_p50": int(np.median(looked_at)),
        "compared_with_most": max(looked_at),
        "nearby": milliseconds(spared),
        "settle": milliseconds(whole),
        "settle_a_change": milliseconds(changes),
        "exhaustive": milliseconds(exhaustive),
        "exhaustive_cold_ms": round(cold * 1000, 1),
        "published_with_bounds": milliseconds(published),
        "built_ms": round(built * 1000, 1),
        "store": stored(memories, memory(size, texts[0])),
        "megabytes": megabytes(memories, words),
        "exhaustive_candidates_that_differ": differ,
        "random": differences(rng, known, memories, texts),
    }


def printed(rows: Sequence[dict[str, Any]]) -> None:
    """The table for people."""
    timings = ("nearby", "settle", "settle_a_change", "exhaustive", "published_with_bounds")
    print(
        f"{'memories':>9}"
        + "".join(f"{name.replace('_', ' ') + ' p50':>26} {'p95':>8}" for name in timings)
    )
    for row in rows:
        print(
            f"{row['memories']:>9}"
            + "".join(
                f"{row[name]['p50_ms']:>26.2f} {row[name]['p95_ms']:>8.2f}" for name in timings
            )
        )
    print("milliseconds for one candidate")
    for row in rows:
        ratio = row["exhaustive"]["p50_ms"] / row["nearby"]["p50_ms"]
        print(
            f"{row['memories']} memories: {ratio:.0f} times faster than comparing with all; compared with "
            f"{row['compared_with_p50']} (most {row['compared_with_most']}); built in {row['built_ms']:.0f} ms, "
            f"from a file {row['store']['first_ms']:.0f} ms, then {row['store']['one_new_memory_ms']:.1f} ms a new "
            f"memory; {row['megabytes']} MB; exhaustive cold {row['exhaustive_cold_ms']:.0f} ms"
        )
    for row in rows:
        drawn = row["random"]
        print(
            f"{row['memories']} memories: of {drawn['compared']} random comparisons ({drawn['same']} the same) "
            f"{drawn['differ']} differ; of {min(SLOW, row['candidates'])} candidates compared with all "
            f"{row['exhaustive_candidates_that_differ']} differ"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    parser.add_argument("--candidates", type=int, default=200)
    chosen = parser.parse_args()
    rows = [measure(size, chosen.candidates) for size in SIZES]
    if chosen.json:
        print(json.dumps({"bench": "dedup_speed", "sizes": rows}))
    else:
        printed(rows)


if __name__ == "__main__":
    main()
