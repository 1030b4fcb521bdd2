"""Keeps which memories a person said belong to their messages, one line an answer, as soon as it is given.

The file is one that `bench recall` reads; it holds private words, so only its owner may read it.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from souvenance.errors import BadLine
from souvenance.measure.labels import add_line
from souvenance.measure.lines import lines_of, record_of
from souvenance.measure.proposal import Judged
from souvenance.measure.recalling import Floats, Said, Shelf
from souvenance.ports import Vector
from souvenance.read.scores import cosines, read_query, word_matches

#: Memories shown with a message: the nearest by meaning and by words in turn. Chosen, not measured.
SHOWN = 6


@dataclass(frozen=True, slots=True)
class Label:
    """One answer: whether a memory belongs to a message."""

    language: str
    message: str
    memory_id: str
    memory: str
    kind: str
    belongs: bool

    @property
    def question_id(self) -> str:
        """A name for the message that stays the same from one run to the next."""
        said = f"{self.language}\0{self.message}".encode("utf-8", "surrogatepass")
        return "q" + hashlib.blake2b(said, digest_size=6).hexdigest()

    def line(self) -> dict[str, Any]:
        """As it stands in the file."""
        return {
            "id": self.question_id,
            "lang": self.language,
            "text": self.message,
            "memory": {"id": self.memory_id, "text": self.memory, "kind": self.kind},
            "belongs": self.belongs,
        }


def labels_of(path: Path) -> list[Label]:
    """The labels of a file, the last answer for each message and memory; none when there is no file yet.

    Errors: `BadLine` with its number; `BadInput` for a file that cannot be read.
    """
    if not path.exists():
        return []
    found = (_label(record_of(line, number), number) for number, line in lines_of(path))
    latest = {(x.question_id, x.memory_id, x.memory): x for x in found}
    return list(latest.values())


def _label(record: Mapping[str, Any], number: int) -> Label:
    memory, belongs = record.get("memory"), record.get("belongs")
    held = memory if isinstance(memory, dict) else {}
    given = (record.get("lang"), record.get("text"), held.get("id"), held.get("text"))
    if not all(isinstance(value, str) for value in given) or not isinstance(belongs, bool):
        raise BadLine(
            f"Line {number} is not a label: it needs `lang`, `text`, `memory` (id, text) and `belongs`.",
            line=number,
            code="line_not_label",
        )
    lang, text, memory_id, told = map(str, given)
    return Label(lang, text, memory_id, told, str(held.get("kind", "fact")), belongs)


def add_label(path: Path, label: Label) -> None:
    """Adds one answer to a file, safe on disk when it returns. Errors: `BadInput` when it cannot be written."""
    add_line(path, label.line())


# --- what is shown, and what was answered ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shown:
    """A message, and the rows of the memories to ask about, in no order that tells how near they are."""

    shelf: Shelf
    said: Said
    rows: tuple[int, ...]

    def label(self, row: int, belongs: bool) -> Label:
        """The answer for one of the rows."""
        memory, code = self.shelf.corpus.memories[row], self.shelf.corpus.language.code
        return Label(
            code, self.said.raw, memory.memory_id, str(memory.text), memory.kind.value, belongs
        )


def to_show(
    shelves: Sequence[Shelf], vectors: Mapping[str, Vector], most: int, seed: int = 0
) -> list[Shown]:
    """`most` messages drawn at random (with a seed), each with the memories that may belong to it.

    What was read from the message itself is not asked about: it belongs, and says nothing.
    """
    rng = random.Random(seed)
    every = [(one, said) for one in shelves for said in one.said]
    found = []
    for one, said in rng.sample(every, min(most, len(every))):
        rows = _nearest(one, said, vectors[said.text])
        rng.shuffle(rows)
        if rows:
            found.append(Shown(one, said, tuple(rows)))
    return found


def _nearest(one: Shelf, said: Said, vector: Vector) -> list[int]:
    """The nearest rows by meaning and by words in turn; by words only where some match."""
    corpus, can = one.corpus, one.open_to(said)
    words = word_matches(corpus, read_query(said.text, corpus.language).words)
    rankings = [_ordered(cosines(corpus, vector), can), _ordered(words, can & (words > 0))]
    rows: dict[int, None] = {}
    for pair in range(max(map(len, rankings))):
        for ranking in rankings:
            if pair < len(ranking) and len(rows) < SHOWN:
                rows[ranking[pair]] = None
    return list(rows)


def _ordered(values: Floats, can: Any) -> list[int]:
    rows = np.flatnonzero(can & ~np.isnan(values))
    order: list[int] = rows[np.argsort(-values[rows], kind="stable")].tolist()
    return order


def judged(shelves: Sequence[Shelf], labels: Iterable[Label]) -> list[Judged]:
    """The labelled messages among these; an answer about a memory that reads otherwise by now is left out."""
    known: dict[tuple[str, str], dict[str, Label]] = {}
    for label in labels:
        known.setdefault((label.language, label.message), {})[label.memory_id] = label
    found = []
    for one in shelves:
        for said in one.said:
            answers = known.get((one.corpus.language.code, said.raw), {})
            rows = {
                row: label.belongs
                for memory_id, label in answers.items()
                for row in [one.corpus.row_of.get(memory_id)]  # type: ignore[call-overload]
                if row is not None and str(one.corpus.memories[row].text) == label.memory
            }
            if rows:
                belong = frozenset(row for row, belongs in rows.items() if belongs)
                found.append(Judged(one, said, belong, frozenset(rows)))
    return found
