"""Tells whether the same words play other roles: who does what to whom, and what goes with what.

"A loves B" and "B loves A" share every word; a list told in another order changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from souvenance.lang import Language
from souvenance.write.alike.fronting import moved_adjuncts
from souvenance.write.alike.leads import determiners, leads, same_leads, stopped
from souvenance.write.words.decisive import Item, Pair, Reading


def other_roles(a: Reading, b: Reading, pairs: Sequence[Pair], words: Language) -> str:
    """Why the same words tell two facts: who does what to whom, and what goes with what."""
    lists_a, lists_b = _lists(a, words), _lists(b, words)
    adverbs = [p for p in pairs if p[0].word in words.words["moving_adverbs"]]
    if any(_clause_of(x, a, words) != _clause_of(y, b, words) for x, y in adverbs):
        return "an adverb of another clause"
    pairs = [p for p in pairs if p not in adverbs]
    places = {id(y): n for n, (_, y) in enumerate(pairs)}
    order = _unlisted(
        [places[id(y)] for y in b.content if id(y) in places], pairs, lists_a, lists_b
    )
    straight = list(range(len(order)))
    marked_a, marked_b = _marked(a, words), _marked(b, words)
    for marked, lists in ((marked_a, lists_a), (marked_b, lists_b)):
        marked.update({at: marked[first] for at, first in lists.items()})
    if _actors_swapped(a, b, words) and not (lists_a and order == straight):
        return "the same people in other roles"
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
    if _other_counts(pairs):
        return "figures that count other things"
    if _same_clauses(a, b, pairs, words) or moved_adjuncts(a, b, pairs, words):
        return ""
    move = _block_move(order)
    if move and len(swapped) < 2 and not _bare_move(a, b, order, pairs):
        led_a, led_b = _led(a, lists_a, words), _led(b, lists_b, words)
        if _carried(pairs, order, move, led_a, led_b, words):
            return ""
        if _joined_move(pairs, order, move, leads(a, words), leads(b, words), words):
            return ""
    return "the same words in other roles"


def _clause_of(adverb: Item, reading: Reading, words: Language) -> int:
    """Which clause of its text an adverb stands in: "often says that he smokes" is not "smokes often"."""
    marks = words.words["clause_marks"]
    before = [i for i in reading.items if i.start < adverb.start and not i.has_content]
    subjects = sum(i.sort == "person" and i.form.startswith("s") for i in before)
    return max(1, subjects) + sum(i.form in marks or i.word in marks for i in before)


def _lists(reading: Reading, words: Language) -> dict[int, int]:
    """The place of the first item of its list, for each piece that stands in one ("Maud et Paul", "x, y and z")."""
    led, stops = leads(reading, words), stopped(reading)
    found: dict[int, int] = {}
    opening = min((i.start for i in reading.content), default=-1)
    for before, item in pairwise(reading.content):
        first = found.get(before.start, before.start)
        if not {item.sort, before.sort} <= {"name", "word"}:
            continue
        joined = _lists_on(reading, before, item, led[first], words)
        if not joined or (joined == "bare" and item.start not in stops):
            continue
        if _ends_group(reading, item, led, stops) or (joined == "and" and first == opening):
            found[before.start] = found[item.start] = first
    return found


def _lists_on(
    reading: Reading, before: Item, item: Item, opener: Sequence[str], words: Language
) -> str:
    """Whether a piece may go on the list of the piece before: "and" with a joiner between, "bare" without."""
    joiners = words.words["joiners"]
    light = determiners(words.code)
    between = [i for i in reading.items if before.end <= i.start < item.start]
    following = next((i for i in reading.items if i.start >= item.end), None)
    if following is not None and following.word == "s":
        return ""  # "Tom, Ann's brother" is no list
    if any(i.word not in light and i.form not in (*joiners, *opener) for i in between):
        return ""
    return "and" if any(i.form in joiners for i in between) else "bare"


def _ends_group(
    reading: Reading, item: Item, led: dict[int, tuple[str, ...]], stops: frozenset[int]
) -> bool:
    """Whether nothing hangs on a piece that may end a list ("he likes Bo, and Cy hates it" is no list)."""
    after = next((i for i in reading.content if i.start > item.start), None)
    return after is None or after.start in stops or bool(led[after.start])


def _unlisted(
    order: list[int], pairs: Sequence[Pair], lists_a: dict[int, int], lists_b: dict[int, int]
) -> list[int]:
    """The order with the items of one list, in both texts, put in one order: a list has none."""
    found = list(order)
    groups: dict[tuple[int, int], list[int]] = {}
    for at, place in enumerate(order):
        x, y = pairs[place]
        if x.start in lists_a and y.start in lists_b:
            groups.setdefault((lists_a[x.start], lists_b[y.start]), []).append(at)
    for spots in groups.values():
        for spot, place in zip(spots, sorted(order[s] for s in spots), strict=True):
            found[spot] = place
    return found


def _led(reading: Reading, lists: dict[int, int], words: Language) -> dict[int, tuple[str, ...]]:
    """What leads each piece of content, that of a list's first item for all its items."""
    led = leads(reading, words)
    return led | {at: led[first] for at, first in lists.items()}


def _same_clauses(a: Reading, b: Reading, pairs: Sequence[Pair], words: Language) -> bool:
    """Whether each clause holds the same led pieces: "à Lille le lundi et à Paris le mardi" told otherwise."""
    mates = {y.start: x.start for x, y in pairs}
    own = {x.start: x.start for x, _ in pairs}
    left, right = _clauses(a, own, words), _clauses(b, mates, words)
    if left is None or right is None or len(left) < 2:
        return False
    return left == right


def _clauses(
    reading: Reading, places: dict[int, int], words: Language
) -> list[frozenset[tuple[int, tuple[str, ...]]]] | None:
    """The pieces of each clause with what leads them; None when a piece that may move is led by nothing."""
    led = leads(reading, words)
    joiners = words.words["joiners"]
    clauses: list[set[tuple[int, tuple[str, ...]]]] = [set()]
    for item in reading.content:
        lead = tuple(w for w in led[item.start] if w not in joiners)
        if len(lead) < len(led[item.start]) and clauses[-1]:
            clauses.append(set())
        if item.sort in ("name", "word") and not lead and clauses != [set()] and len(clauses) > 1:
            return None
        if item.start in places:
            clauses[-1].add((places[item.start], lead))
    free = [
        i for i in reading.content
        if i.sort == "name" and not [w for w in led[i.start] if w not in joiners]
    ]  # fmt: skip
    return None if free else [frozenset(c) for c in clauses]


def _marked(reading: Reading, words: Language) -> dict[int, str]:
    """The last relation or linking word before each piece of content."""
    links = words.words.get("links", frozenset())
    marks: dict[int, str] = {}
    last = ""
    for item in reading.items:
        if item.has_content:
            marks[item.start] = last
            last = ""
        elif item.sort in ("small", "relation") and item.word in links and not _has(item, words):
            last = item.form
    return marks


def _has(item: Item, words: Language) -> bool:
    """Whether a word that links where it has its accent is "has" here: "il a" and "à Lyon"."""
    return words.traits.a_lacks_its_accent and item.form == "a"


def _crossed(a: Reading, b: Reading, pairs: Sequence[Pair], words: Language) -> bool:
    left, right = _marked(a, words), _marked(b, words)
    marks = [(left[x.start], right[y.start]) for x, y in pairs if left[x.start] != right[y.start]]
    return Counter(m for m, _ in marks) == Counter(m for _, m in marks)


def _block_move(order: Sequence[int]) -> tuple[int, int, int] | None:
    """The two neighbouring runs that changed places, as start, middle and end; None for any other change."""
    straight = list(range(len(order)))
    for start in range(len(order)):
        for middle in range(start + 1, len(order)):
            for end in range(middle + 1, len(order) + 1):
                moved = [*order[:start], *order[middle:end], *order[start:middle], *order[end:]]
                if moved == straight:
                    return start, middle, end
    return None


_WHEN = frozenset({"day", "month", "moment", "figure"})


def _carried(
    pairs: Sequence[Pair],
    order: Sequence[int],
    move: tuple[int, int, int],
    left: dict[int, tuple[str, ...]],
    right: dict[int, tuple[str, ...]],
    words: Language,
) -> bool:
    """Whether a run that moved keeps its role: it is led by the same small words, or tells when."""
    start, middle, end = move
    kept = []
    for place in (start, middle, end):
        if place < len(order):
            x, y = pairs[order[place]]
            one, other = left[x.start], right[y.start]
            kept.append((x, one, same_leads(one, other, words, loose=place == end)))
    if not all(same for _, _, same in kept):
        return False
    parts = words.words["day_parts"]
    return any(bool({*one} - {"a"}) or x.sort in _WHEN or x.word in parts for x, one, _ in kept[:2])


def _joined_move(
    pairs: Sequence[Pair],
    order: Sequence[int],
    move: tuple[int, int, int],
    left: dict[int, tuple[str, ...]],
    right: dict[int, tuple[str, ...]],
    words: Language,
) -> bool:
    """Whether two runs joined by "and" changed places, with nothing hanging on the second."""
    start, middle, end = move
    (one, first), (two, second) = pairs[order[start]], pairs[order[middle]]
    if end < len(order) and not left[pairs[order[end]][0].start] and start:
        return False
    joined = bool(set(left[one.start]) & words.words["joiners"])
    same = left[two.start] == right[first.start] and left[one.start] == right[second.start]
    return joined and same


def _other_counts(pairs: Sequence[Pair]) -> bool:
    """Whether figures without a unit stand before other words: "2 cats, 3 dogs", "3 cats, 2 dogs"."""
    left = sorted((x for x, _ in pairs), key=lambda i: i.start)
    right = sorted((y for _, y in pairs), key=lambda i: i.start)
    return _counted(left) != _counted(right) if _counted(left) and _counted(right) else False


def _counted(items: Sequence[Item]) -> Counter[tuple[str, str]]:
    return Counter(
        (figure.form, counted.form)
        for figure, counted in pairwise(items)
        if figure.sort == "figure" and counted.sort == "word" and counted.start - figure.end == 1
    )


def _bare_move(a: Reading, b: Reading, order: Sequence[int], pairs: Sequence[Pair]) -> bool:
    """Whether only two bare words changed places: neither carries a small word that keeps its role."""
    return len(order) <= 2 and not any(
        i.sort in ("small", "relation") for i in (*a.items, *b.items)
    )


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
        elif item.word in links:
            mark = item.word
    return found


def _enumerates(reading: Reading, words: Language) -> bool:
    """Whether all the people named stand in one list ("Maud, Clémence et Paul")."""
    named = [n for n, i in enumerate(reading.items) if i.sort == "name"]
    return len(named) >= 2 and all(
        (after - before == 1 and reading.items[after].after_stop)
        or (after - before == 2 and reading.items[before + 1].form in words.words["joiners"])
        for before, after in pairwise(named)
    )
