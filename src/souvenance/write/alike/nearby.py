"""Keeps the memories of one view by what they say, so that a candidate is compared with few of them.

What it leaves out could not have been the same: the decisions are those of comparing with every memory.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product

from souvenance.domain import Memory, MemoryId, MessageId
from souvenance.lang import Language
from souvenance.write.alike.pieces import joined, pieces
from souvenance.write.alike.slips import is_slip
from souvenance.write.words.decisive import Item, Reading, read_anew

# What this file takes for granted about `compare`, and nothing else:
#
#   When two texts are the same, either their pieces are the same words, or every piece of content of one
#   of them (the poorer) is paired with a piece of the other
#     1. of equal form; or
#     2. by a compound: two pieces of content of one text, in order, written together make one of the other
#        ("bee-keeper", "beekeeper"); or
#     3. by `is_slip`: one initial, six letters or more, one letter added, left out or changed, or two
#        neighbours swapped.
#
# So with `reach(piece)`, the forms that the vocabulary offers for a piece by 1, 2 or 3, a memory can only be
# the same when each of its forms is in the reach of some piece of the candidate (the memory is the poorer),
# or when it has a form in the reach of each piece of the candidate (the candidate is).
# `tests/unit/write/test_nearby.py` holds `compare` to this on generated texts.


@dataclass(frozen=True, slots=True)
class _Row:
    """A memory as it is found: its place in the order, its forms, and the one it is looked for under."""

    memory: Memory
    place: int
    content: tuple[str, ...]  # each form once
    anchor: str


def in_order(memories: Iterable[Memory]) -> list[Memory]:
    """States read from a store as they were told: by seq, then by words, never by their ids, which are drawn."""
    return sorted(memories, key=lambda m: (m.seq_from, m.born_at, m.text, m.memory_id))


class Known:
    """The current states of one view's memories, of any status, oldest first. Not for two threads at once."""

    def __init__(self, memories: Iterable[Memory], words: Language) -> None:
        self.words = words
        self._rows: dict[MemoryId, _Row] = {}
        self._places = 0
        self._holding: dict[str, set[MemoryId]] = {}
        self._anchored: dict[str, set[MemoryId]] = {}
        self._filed: dict[Hashable, tuple[MemoryId, ...]] = {}
        self._vocabulary = _Vocabulary(words)
        self._undo: list[tuple[MemoryId, Memory | None]] | None = None
        self.advance(memories)

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Memory]:
        return (row.memory for row in self._rows.values())

    def __reversed__(self) -> Iterator[Memory]:
        return (row.memory for row in reversed(self._rows.values()))

    def get(self, memory_id: MemoryId) -> Memory | None:
        """The state of that memory, None when it is not known."""
        row = self._rows.get(memory_id)
        return row.memory if row else None

    # --- finding --------------------------------------------------------------------------------

    def could_be_same(self, text: str) -> list[Memory]:
        """Every memory that `compare` may call the same as `text`, and few others. Order: oldest first."""
        reading = pieces(text, self.words)
        found = set(self._filed.get(_words_key(reading), ()))
        reaches = self._vocabulary.reaches(reading.content)
        if reaches:
            found.update(self._poorer(frozenset().union(*reaches)))
            found.update(self._richer(reaches))
        return self.of(found)

    def holding(self, forms: Iterable[str]) -> list[Memory]:
        """The memories with a piece, small words included, of one of these forms. Order: oldest first."""
        return self.of(self._with_any(forms))

    def resting_on(self, messages: Collection[MessageId]) -> list[Memory]:
        """The memories that rest on all of these messages, none when there are none. Order: oldest first."""
        each = [set(self._filed.get(_message_key(message), ())) for message in messages]
        return self.of(set.intersection(*each)) if each else []

    def valued(self, attribute: str) -> list[Memory]:
        """The memories that give a value to an attribute of this name, of whatever subject. Order: oldest first."""
        return self.of(self._filed.get(_slot_key(attribute), ()))

    def of(self, ids: Iterable[MemoryId]) -> list[Memory]:
        """The states of these memories, all known. Order: oldest first."""
        rows = sorted((self._rows[i] for i in ids), key=lambda row: row.place)
        return [row.memory for row in rows]

    def _with_any(self, forms: Iterable[str]) -> set[MemoryId]:
        return set().union(*(self._holding.get(form, ()) for form in forms))

    def _poorer(self, reach: frozenset[str]) -> Iterator[MemoryId]:
        """Memories all of whose content is within reach: their anchor is, so only there is it looked for."""
        for form in reach:
            for memory_id in self._anchored.get(form, ()):
                if reach.issuperset(self._rows[memory_id].content):
                    yield memory_id

    def _richer(self, reaches: Sequence[frozenset[str]]) -> Iterator[MemoryId]:
        """Memories with a form within each reach, looked for under the one that fewest have."""
        rarest = min(reaches, key=lambda r: sum(len(self._holding.get(f, ())) for f in r))
        for memory_id in self._with_any(rarest):
            content = self._rows[memory_id].content
            if not any(reach.isdisjoint(content) for reach in reaches):
                yield memory_id

    # --- changing -------------------------------------------------------------------------------

    def advance(self, memories: Iterable[Memory]) -> None:
        """Takes in states read from the store after those here, each at the end of the order."""
        added = []
        for memory in memories:
            self._remove(memory.memory_id)
            added.append(self._enter(memory, self._next_place()))
        for row in added:  # once all forms are counted: the rarest one tells the most
            self._anchor(row)

    def put(self, memory: Memory) -> None:
        """Puts a state in the place of the memory's earlier one, or at the end."""
        known = self._rows.get(memory.memory_id)
        if self._undo is not None:
            self._undo.append((memory.memory_id, known.memory if known else None))
        self._replace(memory, known)

    @contextmanager
    def draft(self) -> Iterator[None]:
        """What is put meanwhile is taken back at the end: the store, not this, is the truth."""
        self._undo = []
        try:
            yield
        finally:
            undo, self._undo = self._undo, None
            for memory_id, before in reversed(undo):
                if before is None:
                    self._remove(memory_id)
                else:
                    self._replace(before, self._rows[memory_id])

    def _next_place(self) -> int:
        self._places += 1
        return self._places

    def _replace(self, memory: Memory, known: _Row | None) -> None:
        if known is None:
            self._anchor(self._enter(memory, self._next_place()))
            return
        self._leave(known)
        self._anchor(self._enter(memory, known.place))

    def _enter(self, memory: Memory, place: int) -> _Row:
        spoken = read_anew(memory.text, self.words)
        reading = joined(memory.text, spoken, self.words)
        content = reading.content
        row = _Row(memory, place, tuple({sys.intern(i.form) for i in content}), "")
        self._rows[memory.memory_id] = row
        for form in {i.form for i in (*spoken.items, *reading.items)}:
            self._holding.setdefault(sys.intern(form), set()).add(memory.memory_id)
        for key in _keys(memory, reading):
            self._filed[key] = (*self._filed.get(key, ()), memory.memory_id)
        self._vocabulary.learn(content)
        return row

    def _anchor(self, row: _Row) -> None:
        """Files the row under its rarest form."""
        memory_id = row.memory.memory_id
        if not row.content or self._rows.get(memory_id) is not row:
            return
        anchor = min(row.content, key=lambda form: (len(self._holding[form]), form))
        self._anchored.setdefault(anchor, set()).add(memory_id)
        self._rows[memory_id] = _Row(row.memory, row.place, row.content, anchor)

    def _remove(self, memory_id: MemoryId) -> None:
        row = self._rows.get(memory_id)
        if row is not None:
            self._leave(row)
            del self._rows[memory_id]

    def _leave(self, row: _Row) -> None:
        """Takes a memory out of every table, its row apart."""
        memory = row.memory
        spoken = read_anew(memory.text, self.words)
        reading = joined(memory.text, spoken, self.words)
        for form in {i.form for i in (*spoken.items, *reading.items)}:
            _discard(self._holding, form, memory.memory_id)
        if row.anchor:
            _discard(self._anchored, row.anchor, memory.memory_id)
        for key in _keys(memory, reading):
            left = tuple(i for i in self._filed[key] if i != memory.memory_id)
            if left:
                self._filed[key] = left
            else:
                del self._filed[key]


def _keys(memory: Memory, reading: Reading) -> list[Hashable]:
    """What else a memory is found under: its words, the messages it rests on, the slot it fills."""
    keys: list[Hashable] = [_words_key(reading), *(_message_key(m) for m in set(memory.messages))]
    if memory.entity and memory.attribute:
        keys.append(_slot_key(memory.attribute))
    return keys


def _words_key(reading: Reading) -> Hashable:
    """Equal when the words of two texts are."""
    return hash(" ".join(i.word for i in reading.items))


def _message_key(message: MessageId) -> Hashable:
    return "message", message


def _slot_key(attribute: str) -> Hashable:
    """By the name of an attribute alone: "a budget" may be "the budget of the trip"."""
    return "slot", attribute.partition("/")[0]


def _discard(table: dict[str, set[MemoryId]], key: str, memory_id: MemoryId) -> None:
    table[key].discard(memory_id)
    if not table[key]:
        del table[key]


# --- which forms a piece can meet -----------------------------------------------------------------


class _Vocabulary:
    """The words of the memories with the forms they were read as. Grows only; it is a table of words, not of texts."""

    def __init__(self, words: Language) -> None:
        self._words = words
        self._forms: dict[str, set[str]] = {}
        self._alike: dict[tuple[str, int], dict[str, Item]] = {}

    def learn(self, content: Sequence[Item]) -> None:
        """Takes in the words of a text."""
        for item in content:
            forms = self._forms.get(item.word)
            if forms is None:
                forms = self._forms[item.word] = set()
            forms.add(sys.intern(item.form))
            if _may_slip(item):
                for key in _halves(item.word):
                    self._alike.setdefault((key, len(item.word)), {}).setdefault(item.word, item)

    def reaches(self, content: Sequence[Item]) -> list[frozenset[str]]:
        """For each piece of content the forms that a piece paired with it can have."""
        found = [{item.form} | self._slips(item) for item in content]
        for reach, item in zip(found, content, strict=True):
            for first, second in _cuts(item.word):
                if first in self._forms and second in self._forms:
                    reach |= self._forms[first] | self._forms[second]
        for one, two, whole in self._wholes({item.word for item in content}):
            for reach, item in zip(found, content, strict=True):
                if item.word in (one, two):
                    reach |= self._forms[whole]
        return [frozenset(reach) for reach in found]

    def _wholes(self, spoken: set[str]) -> Iterator[tuple[str, str, str]]:
        """Two words, in any order, and the known word they make together."""
        if len(spoken) ** 2 < len(self._forms):
            made = ((one, two, one + two) for one, two in product(spoken, repeat=2))
            yield from (found for found in made if found[2] in self._forms)
            return
        for whole in self._forms:  # a long text: fewer words are known than it has pairs
            for one, two in _cuts(whole):
                if one in spoken and two in spoken:
                    yield one, two, whole

    def _slips(self, item: Item) -> set[str]:
        """The forms of the words that are the item's but for one slip."""
        forms: set[str] = set()
        if not _may_slip(item):
            return forms
        for key in _halves(item.word):
            for size in (len(item.word) - 1, len(item.word), len(item.word) + 1):
                for word, other in self._alike.get((key, size), {}).items():
                    if is_slip(item, other, self._words):
                        forms |= self._forms[word]
        return forms


def _cuts(word: str) -> Iterator[tuple[str, str]]:
    """The word cut in two, at every place."""
    return ((word[:at], word[at:]) for at in range(1, len(word)))


def _may_slip(item: Item) -> bool:
    return item.sort == "word" and len(item.word) >= 6


def _halves(word: str) -> tuple[str, str]:
    """Two keys of which words that are one slip apart share at least one.

    A slip at the fourth letter or later leaves the first three; one before it, at worst the swap of the third
    and the fourth, leaves the last two of six and the initial, which never slips.
    """
    return f"{word[:3]}-", f"{word[0]}-{word[-2:]}"
