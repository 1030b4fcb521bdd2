"""What a person's own messages and memories tell of an embedder's cosines, before anybody labels anything.

Nearly every memory has nothing to do with a given message, so that unrelated pairs need no label. Related ones are a
memory and the message it was read from, less every word they share: with them it is told word for word.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from souvenance.domain import Memory, Message, MessageId, Status, View
from souvenance.lang import Language, tokens
from souvenance.lang.everyday import in_plain_words
from souvenance.ports import Vector, VectorRow
from souvenance.read.corpus import Corpus
from souvenance.read.recall import normalise
from souvenance.read.scores import cosines as scored

#: Messages that are asked again, drawn at random where there are more. Chosen, not measured: beyond them the interval
#: of the threshold is a fraction of what it moves.
MESSAGES = 300

#: Content words of a message, and of what is left of one without the words of a memory. Chosen, not measured: "ok"
#: asks for nothing, and one word is not a message.
CONTENT = 2

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Said:
    """A message of the person, as it reads (`raw`) and in the words that are embedded.

    `born` are the rows of the memories that rest on it.
    """

    raw: str
    text: str
    thread: str
    born: frozenset[int]


@dataclass(frozen=True, slots=True)
class Shelf:
    """What one person told one character: the memories, with their vectors, and messages to ask for them again."""

    corpus: Corpus
    said: tuple[Said, ...]

    def open_to(self, said: Said) -> Mask:
        """The rows that a message of that thread can bring back and that were not read from it."""
        found = self.corpus.columns.alive.copy()
        for row, memory in enumerate(self.corpus.memories):
            if memory.thread not in (None, said.thread):
                found[row] = False
        found[list(said.born)] = False
        return found


@dataclass(frozen=True, slots=True)
class Masked:
    """A message without the words that it shares with one memory that was read from it."""

    shelf: Shelf
    said: Said
    row: int
    text: str


def shelf(
    view: View,
    language: Language,
    memories: Sequence[Memory],
    vectors: Sequence[VectorRow],
    messages: Iterable[Message],
) -> Shelf:
    """The shelf of an address. What a forgotten memory rests on is not asked again, nor one text twice."""
    corpus = Corpus.build(view, language, memories, vectors)
    hidden = {i for m in memories if m.status is Status.FORGOTTEN for i in m.messages}
    born: dict[MessageId, set[int]] = {}
    for row, memory in enumerate(corpus.memories):
        for message_id in memory.messages:
            born.setdefault(message_id, set()).add(row)
    said: dict[str, Said] = {}
    for message in messages:
        if message.role != "user" or message.message_id in hidden:
            continue
        raw = normalise(str(message.text))
        text = in_plain_words(raw, language)
        if len(content(text, language)) >= CONTENT:
            rows = frozenset(born.get(message.message_id, ()))
            rows |= said[text].born if text in said else frozenset()
            said[text] = Said(raw, text, str(message.thread), rows)
    return Shelf(corpus, tuple(said.values()))


def content(text: str, language: Language) -> set[str]:
    """The stems of the words that mean something by themselves."""
    skip = language.words.get("function_words", frozenset())
    return {language.stem(t.word) for t in tokens(text) if t.word not in skip}


def drawn(shelves: Sequence[Shelf], most: int = MESSAGES, seed: int = 0) -> list[Shelf]:
    """The shelves with `most` of their messages in all, drawn at random (with a seed) when there are more."""
    every = [(n, said) for n, one in enumerate(shelves) for said in one.said]
    if len(every) > most:
        every = random.Random(seed).sample(every, most)
    return [
        Shelf(one.corpus, tuple(said for at, said in every if at == n))
        for n, one in enumerate(shelves)
    ]


def masked(shelves: Sequence[Shelf]) -> list[Masked]:
    """Every message with every memory read from it, without the words they share, where enough is left."""
    found = []
    for one in shelves:
        language = one.corpus.language
        for said in one.said:
            for row in sorted(said.born):
                text = without(said.text, str(one.corpus.memories[row].text), language)
                if len(content(text, language)) >= CONTENT:
                    found.append(Masked(one, said, row, text))
    return found


def without(text: str, told: str, language: Language) -> str:
    """The text without the content words that stand in `told`, in whatever form."""
    shared = content(told, language)
    parts, done = [], 0
    for token in tokens(text):
        if language.stem(token.word) in shared:
            parts.append(text[done : token.start])
            done = token.end
    return " ".join("".join([*parts, text[done:]]).split())


def texts(shelves: Sequence[Shelf], some: Sequence[Masked]) -> list[str]:
    """Every text that has to be embedded as a message, once."""
    return list(
        dict.fromkeys([*(s.text for one in shelves for s in one.said), *(m.text for m in some)])
    )


@dataclass(frozen=True, slots=True)
class Cosines:
    """Cosines of unrelated pairs, one row of figures a message (how many, their sum, their squares), and related ones."""

    unrelated: Floats
    by_message: NDArray[np.float64]
    related: Floats


def cosines(
    shelves: Sequence[Shelf], some: Sequence[Masked], vectors: Mapping[str, Vector]
) -> Cosines:
    """The cosines of every message with the memories not read from it, and of masked ones with theirs."""
    rows: list[Floats] = []
    for one in shelves:
        if one.corpus.matrix.count:
            for said in one.said:
                found = scored(one.corpus, vectors[said.text])[one.open_to(said)]
                rows.append(found[~np.isnan(found)])
    figures = [(len(r), float(r.sum()), float((r.astype(np.float64) ** 2).sum())) for r in rows]
    related = [scored(m.shelf.corpus, vectors[m.text])[m.row] for m in some]
    kept = np.array(related, np.float32)
    none = np.empty(0, np.float32)
    return Cosines(
        np.concatenate([none, *rows]),
        np.array(figures, np.float64).reshape(-1, 3),
        kept[~np.isnan(kept)],
    )
