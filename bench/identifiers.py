"""Measures the removal of private identifiers on a made corpus: recall by class and by disguise, false alarms, time.

Run: python bench/identifiers.py [--seed N] [--per N] [--clean N] [--hard N] [--speed] [--json]
Every rate has its 95 % Wilson interval; every kind of false alarm is listed. Asserts nothing about time.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from identifier_corpus import corpus
from souvenance.domain import Role
from souvenance.measure.report import interval
from souvenance.write.filters.identifiers import redact
from souvenance.write.filters.identifiers.several import WINDOW, clean_talk
from souvenance.write.filters.identifiers.split import redact_after

#: Share of an identifier that finds must cover together to count; the type must be right.
_COVER = 0.8

#: Characters of an adversarial text, and its double.
_LONG = 20_000

SHAPES = {
    "digits": "1234567890",
    "zeros": "0",
    "ones_spaced": "1 ",
    "pairs": "06 ",
    "pairs_dotted": "06.",
    "fours": "4242 ",
    "signs": "@",
    "at_letters": "a@",
    "at_domains": "a@b.c ",
    "at_words": "a at b dot c ",
    "un_un": "un un un ",
    "said_pairs": "soixante-dix-huit ",
    "said_digits": "four one five ",
    "iban_starts": "FR76 ",
    "iban_spaced": "F R 7 6 3 ",
    "cues": "passeport numéro fiscal sécu 1 ",
    "cards_wrong": "4539 1488 0343 6468 ",
    "phones": "06 12 34 56 78, ",
    "addresses": "lea@exemple.fr ",
    "plus": "+33 ",
    "double_zero": "0033 ",
    "dates": "12/05/1990 ",
    "wide": "０６",
    "zero_width": "0\u200b",
    "letters_o": "O0",
    "dots": "a.",
    "words": "le chat dort sur la table ",
    "lines": "06\n12\n",
    "mixed": "06 a@ un FR76 4242 passeport 12 @b.fr zéro ",
    "marks": "[phone] ",
    "un_commas": "un ,",
    "zeros_said": "zéro  ",
    "threes_spaced": "1 2 3  ",
    "counties": ",2A",
    "cues_and_hundreds": "secu /deux cent 1/1 2 3 ",
}


def found_share(text: str, start: int, end: int, type_: str) -> float:
    """The share of `[start, end)` that finds of that type cover."""
    covered = sum(
        max(0, min(f.end, end) - max(f.start, start)) for f in redact(text).found if f.type == type_
    )
    return covered / (end - start)


def recalls(marked: Iterable[corpus.Marked], missed: list[str]) -> dict[str, tuple[int, int]]:
    """Found and drawn by group; what was missed is added to `missed`."""
    drawn, found = Counter[str](), Counter[str]()
    for one in marked:
        drawn[one.group] += 1
        if found_share(one.text, one.start, one.end, one.type) >= _COVER:
            found[one.group] += 1
        else:
            missed.append(f"{one.group}: {one.text}")
    return {group: (found[group], drawn[group]) for group in drawn}


def splits(pairs: Iterable[corpus.Split], missed: list[str]) -> dict[str, tuple[int, int]]:
    """Second halves found and drawn by class; the message before is known, as it is at write time."""
    drawn, found = Counter[str](), Counter[str]()
    for one in pairs:
        drawn[one.group] += 1
        inside = redact_after([one.first], one.second).here.found
        covered = sum(max(0, min(f.end, one.end) - max(f.start, one.start)) for f in inside)
        if covered >= _COVER * (one.end - one.start):
            found[one.group] += 1
        else:
            missed.append(f"split {one.group}: {one.first} | {one.second}")
    return {group: (found[group], drawn[group]) for group in drawn}


def alarms(clean: Iterable[corpus.Clean], heard: list[str]) -> dict[str, tuple[int, int]]:
    """Touched and drawn by group; what was touched is added to `heard`."""
    drawn, touched = Counter[str](), Counter[str]()
    for one in clean:
        drawn[one.group] += 1
        found = redact(one.text).found
        if found:
            touched[one.group] += 1
            heard.append(
                f"{one.group}: {one.text} → {[(f.type, one.text[f.start : f.end]) for f in found]}"
            )
    return {group: (touched[group], drawn[group]) for group in drawn}


def pairs(clean: Iterable[corpus.Clean], heard: list[str]) -> dict[str, tuple[int, int]]:
    """Messages touched because of the one before it, and drawn; each is no identifier on its own."""
    touched = drawn = 0
    before = ""
    for one in clean:
        drawn += 1
        joined = redact_after([before], one.text)
        if joined.here.found or any(joined.earlier):
            touched += 1
            heard.append(f"pair: {before} | {one.text} → {joined.here.text}")
        before = one.text
    return {"pair": (touched, drawn)}


def talks(clean: Sequence[corpus.Clean], heard: list[str]) -> dict[str, tuple[int, int]]:
    """Messages touched in talks of made clean messages, each answered by another one, and drawn."""
    touched = 0
    for at in range(0, len(clean), WINDOW):
        said = [one.text for one in clean[at : at + WINDOW]]
        roles: list[Role] = ["user", "character"]
        cleaned = clean_talk([(roles[i % 2], text) for i, text in enumerate(said)])
        changed = [i for i, c in enumerate(cleaned) if c.text != said[i]]
        touched += len(changed)
        heard += [f"talk: {said[i]} → {cleaned[i].text}" for i in changed]
    return {"talk": (touched, len(clean))}


def speeds(repeat: int = 5) -> dict[str, dict[str, float]]:
    """The best time of each adversarial text, in ms of this process, at 20,000 characters and twice that."""
    out: dict[str, dict[str, float]] = {}
    for name, unit in SHAPES.items():
        times = []
        for length in (_LONG, 2 * _LONG):
            text = (unit * (length // len(unit) + 1))[:length]
            redact(text)
            best = float("inf")
            for _ in range(repeat):
                began = time.process_time()
                redact(text)
                best = min(best, time.process_time() - began)
            times.append(best * 1000)
        out[name] = {"ms": times[0], "ms_double": times[1], "ratio": times[1] / times[0]}
    return out


def _pooled(groups: dict[str, tuple[int, int]]) -> tuple[int, int]:
    return sum(k for k, _ in groups.values()), sum(n for _, n in groups.values())


def _rates(groups: dict[str, tuple[int, int]]) -> dict[str, Any]:
    """Each group and all of them together, with the interval of its rate."""
    rows = {**groups, "all": _pooled(groups)}
    return {
        g: {"k": k, "n": n, "rate": k / n, "interval": interval(k, n)} for g, (k, n) in rows.items()
    }


def _print(title: str, groups: dict[str, tuple[int, int]]) -> None:
    print(f"\n{title}")
    for group, row in _rates(groups).items():
        low, high = row["interval"]
        print(
            f"  {group:24} {row['k']:6} / {row['n']:<6} {row['rate']:8.2%} ({low:.2%} – {high:.2%})"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--per", type=int, default=200, help="texts per class and per disguise")
    parser.add_argument("--clean", type=int, default=5_000, help="ordinary French sentences")
    parser.add_argument("--hard", type=int, default=40, help="look-alikes of each kind")
    parser.add_argument("--speed", action="store_true", help="only the adversarial texts")
    parser.add_argument("--missed", type=int, default=20, help="how many misses to list")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    if asked.speed:
        found = speeds()
        if asked.json:
            print(json.dumps({"bench": "identifiers", "speed": found}, indent=1))
            return
        for name, row in sorted(found.items(), key=lambda item: -item[1]["ms"]):
            print(f"{name:16} {row['ms']:8.1f} ms   twice as long × {row['ratio']:.2f}")
        return
    measured(asked)


def measured(asked: argparse.Namespace) -> None:
    """Prints the three corpora's counts."""
    rng = random.Random(asked.seed)
    missed: list[str] = []
    heard: list[str] = []
    plain = recalls(corpus.canonical(rng, asked.per), missed)
    hidden = recalls(corpus.disguised(rng, asked.per), missed)
    halves = splits(corpus.split(rng, asked.per), missed)
    clean = alarms(corpus.untouched(rng, asked.clean, asked.hard), heard)
    mixed = list(corpus.untouched(rng, asked.clean, asked.clean // 10))
    rng.shuffle(mixed)
    clean |= pairs(mixed, heard)
    clean |= talks(mixed, heard)
    if asked.json:
        rows = {"canonical": plain, "disguised": hidden, "split": halves, "clean": clean}
        out = {name: _rates(groups) for name, groups in rows.items()}
        print(
            json.dumps(
                {
                    "bench": "identifiers",
                    "seed": asked.seed,
                    **out,
                    "missed": missed,
                    "touched": heard,
                },
                ensure_ascii=False,
                indent=1,
            )
        )
        return
    _print("B1 canonical forms, found", plain)
    _print("B2 disguised forms, found", hidden)
    _print("B2 split over two messages, second half found", halves)
    _print("B3 clean texts, touched", clean)
    rng.shuffle(missed)
    for line in missed[: asked.missed]:
        print("  missed", line)
    for line in heard[: asked.missed]:
        print("  touched", line)


if __name__ == "__main__":
    main()
