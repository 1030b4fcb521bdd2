"""Reads every attribute that a text tells plainly, clause by clause, by laying the templates on it.

Precision before coverage: a value read wrongly overwrites a true one, a value not read only repeats.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from souvenance.domain import Role
from souvenance.lang import Language, fold, language
from souvenance.write.attributes.clauses import Clause, clauses
from souvenance.write.attributes.figures import figure
from souvenance.write.attributes.findings import attributes
from souvenance.write.attributes.fitting import Bare, matches
from souvenance.write.attributes.owners import Owner, Telling, owners, telling
from souvenance.write.attributes.record import SINGLE, Attribute
from souvenance.write.attributes.spoken import lines
from souvenance.write.told.voices import is_voiced, own_words
from souvenance.write.words.sentences import plain


def read_attributes(
    text: str, words: Language, speaker: Role = "user", called: Collection[str] = ()
) -> tuple[Attribute, ...]:
    """What a text tells of the person and theirs, in order, each value once; empty when nothing is plain.

    `speaker` is who says "I" in it: what a character says of itself has the entity "character".
    `called` are the person's names, read as the person only in a text that never says "I".
    """
    root = "person" if speaker == "user" else "character"
    return _read_all(text, words.code, root, tuple(called))


@lru_cache(maxsize=20_000)
def _read_all(text: str, code: str, root: str, called: tuple[str, ...]) -> tuple[Attribute, ...]:
    words = language(code)
    text = own_words(text, words)
    told = telling(plain(text, words), words, root, called)
    found: list[Attribute] = []
    last: Owner | None = None
    for line in lines(text, words):
        for clause in clauses(line, words):
            read, last = _read(clause, words, told, last)
            found += read
    return tuple(dict.fromkeys(found))


def filed(
    text: str, words: Language, asked: str = "", called: Collection[str] = ()
) -> Attribute | None:
    """The attribute that a memory with this text is filed under: the only one it tells, of a kind with one value.

    None when the text tells several attributes, one that is over or to come, or one that may have many values.
    Whether it replaces another is another question: "my sister lives in York" is filed, and only ever offered.
    A figure that no attribute is named for is filed under its word, or that of the question `asked`.
    """
    found = read_attributes(text, words, called=called)
    if not found:
        plain_words = lines(text, words) and not is_voiced(text, words)
        return figure(text, words, asked) if plain_words else None
    only = primary(found)
    return only if only is not None and only.attribute in SINGLE and only.state == "now" else None


def primary(found: Sequence[Attribute]) -> Attribute | None:
    """The one attribute a memory is filed under: the only one it tells; None when it tells several."""
    keys = {(a.entity, a.key) for a in found}
    return found[0] if len(keys) == 1 and len({fold(a.value) for a in found}) == 1 else None


def _read(
    clause: Clause, words: Language, told: Telling, last: Owner | None
) -> tuple[list[Attribute], Owner | None]:
    """What one clause tells, and whom a pronoun points at after it."""
    for owner in (*owners(clause.said, words, told, last), *_implied(clause, words, told, last)):
        fits = matches(owner, clause, words)
        if fits:
            return [a for m in fits for a in attributes(m, owner, clause, words)], owner
    subject = next(iter(owners(clause.said, words, told, last)), None)
    return [], subject if subject and not subject.owned else None


def _implied(clause: Clause, words: Language, told: Telling, last: Owner | None) -> list[Owner]:
    """Who a clause without a subject may be of."""
    said, own = clause.said, clause.said[: len(clause.said) - clause.tail]
    found: list[Owner] = [Bare(told.root, said)]
    if said[0].word in words.words["attribute_the"]:
        found.append(Bare(told.root, said[1:], True, mode="the"))
    if any(w.word == ":" for w in own) and not any(
        w.word in words.words["subject_words"] for w in own[: [w.word for w in own].index(":")]
    ):
        found.append(Bare(told.root, said, True, mode="mine"))
    if last is not None and not last.owned:
        found.append(Owner(last.entity, said, sure=last.sure))
    return found
