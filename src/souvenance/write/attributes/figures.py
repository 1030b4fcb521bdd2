"""Reads a figure that belongs to a word of the person's own, whatever the word: "je dors cinq heures".

It knows no attribute by name; it serves where no template reads anything, and answers bare figures by their question.
"""

from __future__ import annotations

from souvenance.lang import Language
from souvenance.write.attributes.record import Attribute
from souvenance.write.decisive import Item, read
from souvenance.write.values import Value, values

#: How many other words may stand between a slot's noun and its value ("mon budget max, c'est 700").
#: Chosen, not measured.
_BETWEEN = 2


def figure(text: str, words: Language, asked: str = "") -> Attribute | None:
    """The figure a sentence gives to a word; `asked` is the question it answers, read when the answer is bare."""
    items = read(text, words).items
    figures = [v for v in values(text, words) if v.sort == "figure"]
    for openers in (words.words["possessives"], words.words["subjects"]):
        for value in figures:
            head = _head(items, value, openers)
            if head is not None:
                return _attribute(head, value)
    asked_for = _asked(items, asked, words) if figures else None
    return _attribute(asked_for, figures[0]) if asked_for else None


def _attribute(head: str, value: Value) -> Attribute:
    return Attribute("person", "figure", value.text, False, subject=f"{head}/{_measure(value)}")


def _measure(value: Value) -> str:
    """The unit of a value, sums of money alike: a budget of 700 and one of 750 € are one slot."""
    return "" if value.unit in "€$£" else value.unit


def _head(items: tuple[Item, ...], value: Value, openers: frozenset[str]) -> str | None:
    """The word the value belongs to: the noun after "my" or the verb after "I", close before it."""
    before = [i for i in items if i.start < value.start]
    for n in range(len(before) - 2, -1, -1):
        opener, head = before[n], before[n + 1]
        if head.sort != "word" or opener.word not in openers:
            continue
        between = before[n + 2 :]
        topical = [i for i in between if i.sort in ("word", "name", "figure", "relation")]
        far = any(i.sort == "past" or i.after_stop for i in between)
        near = len(topical) < _BETWEEN and not far
        return head.form if near else None
    return None


def _openers(words: Language) -> frozenset[str]:
    return words.words["subjects"] | words.words["possessives"]


def _asked(items: tuple[Item, ...], asked: str, words: Language) -> str | None:
    bare = not any(i.word in _openers(words) for i in items)
    topical = [i for i in items if i.sort in ("word", "name")]
    if not bare or len(topical) > _BETWEEN or not asked.rstrip().endswith("?"):
        return None
    last = asked.rstrip("? ").replace("!", ".").split(".")[-1]
    content = [i for i in read(last, words).content if i.sort == "word"]
    return content[0].form if content else None
