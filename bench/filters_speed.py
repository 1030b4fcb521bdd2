"""Prints what each filter costs on hostile texts of 10,000 and 20,000 characters, and how that grows.

The texts are in both the message and the candidate: endless negations, nested quotes, one sentence without an end,
thousands of clauses, one name again and again, no spaces, and ordinary talk. Processor time without the collector of cycles; it asserts nothing.
Run: `.venv/bin/python bench/filters_speed.py [runs]`.
"""

from __future__ import annotations

import gc
import itertools
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from types import ModuleType

from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_THREAD,
    Address,
    Candidate,
    Character,
    CharacterId,
    Exchange,
    Kind,
    Message,
    MessageId,
    Person,
    PersonId,
    Redacted,
    Scope,
)
from souvenance.lang import language
from souvenance.write.filters import (
    attitude,
    crossed,
    hesitation,
    instruction,
    polarity,
    private,
    screen,
    subject,
    support,
)
from souvenance.write.filters.identifiers import redact

_SALT = itertools.count(1000)

_SIZES = (10_000, 20_000)
_FILTERS: tuple[ModuleType, ...] = (
    private, support, subject, polarity, attitude, hesitation, instruction,
)  # fmt: skip

#: Characters of the candidate that `crossed` is timed with; it refuses longer ones unread.
_CROSSED = 900


def _words(size: int, step: int = 7919) -> str:
    """Distinct words, so that no cache and no set is of any use."""
    made, n = list[str](), 0
    while sum(map(len, made[-1:])) + n < size:
        letters, k = "", len(made) * step + 31
        for _ in range(6):
            k, rest = divmod(k, 26)
            letters += chr(97 + rest)
        made.append(letters)
        n += 7
    return " ".join(made)


def _filled(piece: str, size: int) -> str:
    return (piece * (size // len(piece) + 1))[:size]


#: Every text is made for a size. French and English negations, and shapes that tempt a search to start over.
_TEXTS: dict[str, Callable[[int], str]] = {
    "ne ne ne": lambda n: _filled("ne ", n),
    "ne pas que": lambda n: _filled("je ne suis pas que ", n),
    "not not not": lambda n: _filled("not n't never ", n),
    "nested quotes": lambda n: "«" * (n // 2) + "»" * (n // 2),
    "quoted words": lambda n: _filled("« je \"dis 'que ", n),
    "one huge sentence": lambda n: "I like " + _words(n - 7),
    "clauses": lambda n: _filled("je dors, ", n),
    "distinct clauses": lambda n: _words(n).replace(" ", ", "),
    "distinct sentences": lambda n: _words(n).replace(" ", ". "),
    "a name": lambda n: _filled("Nadège ", n),
    "both names": lambda n: _filled("Nadège Corbin ", n),
    "no spaces": lambda n: "a" * n,
    "dots": lambda n: _filled(". ", n),
    "ellipses": lambda n: _filled("… ", n),
    "peut-être": lambda n: _filled("peut-être si ", n),
    "figures": lambda n: _filled("12 34 ", n),
    "relatives": lambda n: _filled("ma mère, mon père, ", n),
    "talk": lambda n: _filled(
        "Hier je suis allée au marché avec ma sœur, on n'a rien acheté mais on a bien ri. ", n
    ),
}


def _case(text: str) -> tuple[Candidate, Exchange]:
    address = Address(DEFAULT_SPACE, PersonId("p"), CharacterId("c"))
    said = Message(
        address, MAIN_THREAD, MessageId("0"), None, "user", Redacted(text),
        datetime(2026, 1, 1, tzinfo=UTC), "",
    )  # fmt: skip
    exchange = Exchange(
        (said,),
        Person(DEFAULT_SPACE, PersonId("p"), "Nadège"),
        Character(DEFAULT_SPACE, CharacterId("c"), "Corbin", "", "fr"),
    )
    # One word less, so that the candidate is not the person's own sentence, which is kept unread.
    return Candidate(f"Nadège {text}", Kind.FACT, Scope.GLOBAL, 0.9, text), exchange


def _timed(run: Callable[[Candidate, Exchange], object], text: str, salt: int) -> float:
    candidate, exchange = _case(f"{salt} {text}")  # a text seen before would be read from a cache
    started = time.process_time()
    run(candidate, exchange)
    return 1000 * (time.process_time() - started)


def _row(name: str, run: Callable[[Candidate, Exchange], object], runs: int) -> None:
    worst: list[tuple[float, float, str]] = []
    for shape, text in _TEXTS.items():
        times = []
        for size in _SIZES:
            times.append(
                statistics.median(_timed(run, text(size), next(_SALT)) for _ in range(runs))
            )
        worst.append((times[1], times[1] / max(times[0], 0.5), shape))
    slowest = max(worst)
    steepest = max(worst, key=lambda w: w[1])
    print(
        f"{name:<12} slowest {slowest[0]:>8.1f} ms at {_SIZES[1]:,} ({slowest[2]})"
        f"   steepest x{steepest[1]:.2f} for twice the text ({steepest[2]}, {steepest[0]:.1f} ms)"
    )


def main() -> None:
    """One line a filter: its slowest shape at 20,000 characters, and its steepest growth from 10,000."""
    gc.disable()  # its pauses belong to the process and fall on any filter
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    french = language("fr")
    for module in _FILTERS:
        _row(module.NAME if hasattr(module, "NAME") else module.__name__.rsplit(".", 1)[1],
             lambda c, e, module=module: module.check(c, e, french), runs)  # fmt: skip
    _row(
        "crossed",
        lambda c, e: crossed.check(replace(c, text=c.text[:_CROSSED]), e, french),
        runs,
    )
    _row("redact", lambda c, e: redact(c.text), runs)
    _row("screen", screen, runs)


if __name__ == "__main__":
    main()
