"""Tells whether the same words play other roles: who does what to whom, and what goes with what.

"A loves B" and "B loves A" share every word; a list told in another order changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from souvenance.lang import Language
from souvenance.write.decisive import Pair, Reading


def other_roles(a: Reading, b: Reading, pairs: Sequence[Pair], words: Language) -> str:
    """Why the same words tell two facts: who does what to whom, and what goes with what."""
    if _actors_swapped(a, b, words):
        return "the same people in other roles"
    places = {id(y): n for n, (_, y) in enumerate(pairs)}
    order = [places[id(y)] for y in b.content if id(y) in places]
    straight = list(range(len(order)))
    marked_a, marked_b = _marked(a, words), _marked(b, words)
    swapped = [x.word for x, y in pairs if marked_a.get(x.start) != marked_b.get(y.start)]
    if order != straight and any(
        x.sort == "name" and marked_a.get(x.start) != marked_b.get(y.start) for x, y in pairs
    ):
        return "a name in another role"
    if order == straight:
        return (
            "roles: " + ", ".join(swapped)
            if len(swapped) >= 2 and _crossed(a, b, pairs, words)
            else ""
        )
    if _is_block_move(order) and len(swapped) < 2 and not _bare_move(a, b, order, pairs):
        return ""
    if _is_list(a, pairs, order, words):
        return ""
    return "the same words in other roles"


def _marked(reading: Reading, words: Language) -> dict[int, str]:
    """The last relation or linking word before each piece of content."""
    links = words.words.get("links", frozenset())
    marks: dict[int, str] = {}
    last = ""
    for item in reading.items:
        if item.has_content:
            marks[item.start] = last
            last = ""
        elif item.sort in ("small", "relation") and item.form in links:
            last = item.form
    return marks


def _crossed(a: Reading, b: Reading, pairs: Sequence[Pair], words: Language) -> bool:
    left, right = _marked(a, words), _marked(b, words)
    marks = [(left[x.start], right[y.start]) for x, y in pairs if left[x.start] != right[y.start]]
    return Counter(m for m, _ in marks) == Counter(m for _, m in marks)


def _is_block_move(order: Sequence[int]) -> bool:
    """Whether an order is the straight one with its tail put first ("3 4 0 1 2") or one block moved."""
    straight = list(range(len(order)))
    for start in range(len(order)):
        for end in range(start + 1, len(order) + 1):
            rest = [*order[:start], *order[end:]]
            block = order[start:end]
            for at in range(len(rest) + 1):
                if [*rest[:at], *block, *rest[at:]] == straight:
                    return True
    return False


def _bare_move(a: Reading, b: Reading, order: Sequence[int], pairs: Sequence[Pair]) -> bool:
    """Whether only two bare words changed places: neither carries a small word that keeps its role."""
    return len(order) <= 2 and not any(
        i.sort in ("small", "relation") for i in (*a.items, *b.items)
    )


def _is_list(a: Reading, pairs: Sequence[Pair], order: Sequence[int], words: Language) -> bool:
    """Whether the words that moved are items of one list ("Maud et Clémence")."""
    moved = [n for n, at in enumerate(order) if n != at]
    between = [
        i for i in a.items if pairs[moved[0]][0].start < i.start <= pairs[moved[-1]][0].start
    ]
    joined = any(i.after_stop or i.form in words.words["joiners"] for i in between)
    links = [
        i
        for i in between
        if i.sort not in ("name", "word")
        and i.form not in words.words["joiners"] | words.words["articles"]
    ]
    return joined and not links


# --- people --------------------------------------------------------------------------------------


def _actors_swapped(a: Reading, b: Reading, words: Language) -> bool:
    """Whether the same people stand in another order, lists aside: "my sister forgave me"."""
    left, right = _actors(a, words), _actors(b, words)
    if left == right or len(left) < 2 or Counter(left) != Counter(right):
        return False
    return not (_enumerates(a, words) and _enumerates(b, words))


def _actors(reading: Reading, words: Language) -> list[str]:
    """Who acts or is compared, in order: pronouns, relatives, names; those behind "with", "of"… left out."""
    links = words.words["links"]
    comparing = words.words["comparing"]
    found: list[str] = []
    mark = ""
    for item in reading.items:
        is_actor = item.sort in ("person", "name") or item.word in words.words["circle"]
        if is_actor and (not mark or mark in comparing):
            found.append("person" if item.sort == "person" else item.form)
        if item.has_content or item.sort == "person":
            mark = ""
        elif item.form in links:
            mark = item.form
    return found


def _enumerates(reading: Reading, words: Language) -> bool:
    """Whether all the people named stand in one list ("Maud, Clémence et Paul")."""
    named = [n for n, i in enumerate(reading.items) if i.sort == "name"]
    return len(named) >= 2 and all(
        (after - before == 1 and reading.items[after].after_stop)
        or (after - before == 2 and reading.items[before + 1].form in words.words["joiners"])
        for before, after in pairwise(named)
    )
