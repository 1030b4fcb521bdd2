"""The facts of recorded conversations as memories, and the messages that need them as questions.

For `bench/recall_in_chats.py`: what was said before a message, and the words that a fact rests on, go with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recall_fusion import clauses
from recall_names import who_is_who, with_relations
from souvenance.lang import Language, language
from souvenance.lang.everyday import in_plain_words
from souvenance.lang.voice import in_first_person
from souvenance.read.recall import normalise


@dataclass(frozen=True, slots=True)
class Stored:
    """A fact as a memory: as told, in the person's voice, with who its names are, and the words it rests on."""

    text: str
    spoken: str
    explained: str  # as told, with the relation after each name that another fact explains
    explained_spoken: str
    said: str  # the whole message, everyday words said plainly
    clause: str  # what of it shares most with the fact


@dataclass(frozen=True, slots=True)
class Asked:
    """A message that needs memories, and what was said before it, as written; "" where nothing was."""

    message: str
    previous: str  # the person's own message before it
    line: str  # the character's line before it
    wanted: frozenset[int]  # rows of the memories
    absent: frozenset[int]  # rows that are not told yet, or no longer true


@dataclass(frozen=True, slots=True)
class Chats:
    """All that is stored and asked in one language."""

    words: Language
    stored: tuple[Stored, ...]
    asked: tuple[Asked, ...]


def chats_of(records: Sequence[Mapping[str, Any]], code: str) -> Chats:
    """The memories of all conversations of a language and the messages that need them, in order."""
    words = language(code)
    stored: list[Stored] = []
    asked: list[Asked] = []
    for record in (r for r in records if r["lang"] == code):
        asked += _asked(record, len(stored))
        stored += _stored(record, words)
    return Chats(words, tuple(stored), tuple(asked))


def _stored(record: Mapping[str, Any], words: Language) -> list[Stored]:
    names = (record["user_name"],)
    texts = [fact["text"] for fact in record["facts"]]
    known = who_is_who(texts, names, words)
    found = []
    for fact, text in zip(record["facts"], texts, strict=True):
        said = in_plain_words(normalise(record["messages"][fact["from"]]["text"]), words)
        explained = with_relations(text, known)
        found.append(
            Stored(
                text, in_first_person(text, names, words), explained,
                in_first_person(explained, names, words), said, nearest(text, said, words),
            )
        )  # fmt: skip
    return found


def nearest(fact: str, said: str, words: Language) -> str:
    """The clause of what was said that shares the most stems with the fact; the first of equals."""
    stems = set(words.stems(fact))
    return max(clauses(said), key=lambda clause: len(stems & set(words.stems(clause))))


def _asked(record: Mapping[str, Any], first: int) -> list[Asked]:
    """The questions of a conversation whose facts stand in the rows from `first` on."""
    facts = record["facts"]
    said = [normalise(m["text"]) for m in record["messages"]]
    roles = [m["role"] for m in record["messages"]]
    found = []
    for at in sorted({n for fact in facts for n in fact["needed_at"]}):
        wanted = {r for r, f in enumerate(facts, first) if at in f["needed_at"]}
        absent = {r for r, f in enumerate(facts, first) if not _is_there(f, at)} - wanted
        own = [n for n in range(at) if roles[n] == "user"]
        line = said[at - 1] if at and roles[at - 1] == "character" else ""
        previous = said[own[-1]] if own else ""
        found.append(Asked(said[at], previous, line, frozenset(wanted), frozenset(absent)))
    return found


def _is_there(fact: Mapping[str, Any], at: int) -> bool:
    """Whether a fact is a memory when a message comes: what the message itself tells is none yet."""
    until = fact["valid_until"]
    return fact["from"] < at and (until is None or until >= at)
