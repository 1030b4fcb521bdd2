"""Reads who and what a sentence gives a value to: "mon budget est de 700 €" is (person, budget, 700 €).

Two values of one slot are an update; a slot is read only where the sentence says it plainly.
"""

from __future__ import annotations

from dataclasses import dataclass

from souvenance.lang import Language
from souvenance.write.corrections import Value, values
from souvenance.write.decisive import Item, read


@dataclass(frozen=True, slots=True)
class Slot:
    """Whose attribute has which value."""

    entity: str | None
    attribute: str | None
    value: str | None


def slot(text: str, words: Language, asked: str = "") -> Slot | None:
    """The slot a sentence fills; `asked` is the question it answers, read when the answer is bare."""
    found = [v for v in values(text, words) if v.sort == "figure"]
    if not found:
        return None
    value = found[-1] if len(found) == 1 else found[0]
    items = read(text, words).items
    head = _head(items, value, words) or _asked(items, asked, words)
    return Slot("person", f"{head}/{value.unit}", value.text) if head else None


def _head(items: tuple[Item, ...], value: Value, words: Language) -> str | None:
    """The word that the value belongs to: the noun after "my", or the verb after "I"."""
    mine = words.words["possessives"]
    head = None
    for n, item in enumerate(items):
        if item.start >= value.start:
            break
        following = items[n + 1] if n + 1 < len(items) else None
        if (
            following
            and following.sort == "word"
            and (item.word in mine or item.word in words.words["subjects"])
        ):
            head = following.form
    return head


def _asked(items: tuple[Item, ...], asked: str, words: Language) -> str | None:
    bare = not any(
        i.word in words.words["subjects"] or i.word in words.words["possessives"] for i in items
    )
    if not bare or not asked.rstrip().endswith("?"):
        return None
    last = asked.rstrip("? ").replace("!", ".").split(".")[-1]
    content = [i for i in read(last, words).content if i.sort == "word"]
    return content[0].form if content else None
