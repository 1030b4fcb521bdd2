"""Reads a figure that belongs to a word of the person's own, whatever the word: "je dors cinq heures".

It knows no attribute by name; it serves where no template reads anything, and answers bare figures by their question.
"""

from __future__ import annotations

from souvenance.lang import Language
from souvenance.write.attributes.record import Attribute
from souvenance.write.words.decisive import Item, read
from souvenance.write.words.values import Value, values

#: How many other words may stand between a slot's noun and its value ("mon budget max, c'est 700").
#: Chosen, not measured.
_BETWEEN = 2


def figure(text: str, words: Language, asked: str = "") -> Attribute | None:
    """The figure a sentence gives to a word; `asked` is the question it answers, read when the answer is bare."""
    items = read(text, words).items
    figures = [v for v in values(text, words) if v.sort == "figure"]
    for owned in (True, False):
        for value in figures:
            head = _head(items, value, words, owned)
            if head is not None:
                return _attribute(head, value)
    asked_for = _asked(items, asked, words) if figures else None
    return _attribute(asked_for, figures[0]) if asked_for else None


def _attribute(head: str, value: Value) -> Attribute:
    return Attribute("person", "figure", value.text, False, subject=f"{head}/{_measure(value)}")


def _measure(value: Value) -> str:
    """The unit of a value, sums of money alike: a budget of 700 and one of 750 € are one slot."""
    return "" if value.unit in "€$£" else value.unit


def _head(items: tuple[Item, ...], value: Value, words: Language, owned: bool) -> str | None:
    """The word the value belongs to, close before it: the noun after "my", or a verb of measure after "I".

    Other verbs tell what happened or is wanted once: "I ate 3 apples" is no value that 5 pears replace.
    """
    openers = words.words["possessives" if owned else "subjects"]
    measuring = words.words["attribute_measuring"]
    before = [i for i in items if i.start < value.start]
    for n in range(len(before) - 2, -1, -1):
        opener, head = before[n], before[n + 1]
        if head.sort != "word" or opener.word not in openers:
            continue
        between = before[n + 2 :]
        far = any(i.sort in ("past", "negation") or i.after_stop for i in between)
        beside = [i for i in between if i.has_content or i.sort == "relation"]
        if far or len(beside) >= _BETWEEN:
            return None
        verbs = beside if owned else [head]
        plain = all(i.word in measuring for i in verbs)
        return head.form if plain and head.word not in words.words["circle"] else None
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
