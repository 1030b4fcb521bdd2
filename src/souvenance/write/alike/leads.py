"""Compares the small words of two texts: what leads each piece of content, whom pronouns stand for, what is denied.

Small words weigh little until two texts share all their content: then they are what differs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from souvenance.lang import Language, language
from souvenance.write.words.decisive import Item, Pair, Reading

#: Where no piece of content stands: the start of a text for what comes before, its end for what follows.
_EDGE = -1


def other_small_words(
    rich: Reading, poor: Reading, pairs: Sequence[Pair], extra: Sequence[Item], words: Language
) -> str:
    """Why the small words make two facts of shared content; `pairs` hold the richer text's piece first."""
    return (
        _other_negations(rich, poor, pairs)
        or _other_people(rich, poor, pairs, extra, words)
        or _said_of_it(rich, poor, pairs, extra, words)
        or _other_leads(rich, poor, pairs, extra, words)
    )


# --- what leads a piece of content -----------------------------------------------------------------


def leads(reading: Reading, words: Language) -> dict[int, tuple[str, ...]]:
    """The small words that lead each piece of content, by its place; those after the last at -1."""
    empty = _empty(words.code)
    found: dict[int, tuple[str, ...]] = {}
    run: list[str] = []
    for item in reading.items:
        if item.has_content:
            found[item.start] = tuple(run)
            run = []
        elif item.sort in ("relation", "small") and not _is_empty(item, empty):
            run.append(item.form)
    found[_EDGE] = tuple(run)
    return found


@lru_cache(maxsize=8)
def _empty(code: str) -> frozenset[str]:
    return language(code).words["empty_words"] | language(code).words["light"]


@lru_cache(maxsize=8)
def determiners(code: str) -> frozenset[str]:
    """Articles and possessives: what stands before a noun and never before a verb."""
    words = language(code).words
    return words["articles"] | words["possessives"] | words["their"]


def stopped(reading: Reading) -> frozenset[int]:
    """The places of the pieces of content with punctuation between them and the piece before."""
    found: set[int] = set()
    stop = False
    for item in reading.items:
        stop = stop or item.after_stop
        if item.has_content:
            if stop:
                found.add(item.start)
            stop = False
    return frozenset(found)


def _is_empty(item: Item, empty: frozenset[str]) -> bool:
    return item.form in empty and item.form != "every"


def same_leads(one: Sequence[str], other: Sequence[str], words: Language, *, loose: bool) -> bool:
    """Whether two runs of small words say the same; loosely, one may leave out an "of" or an "and"."""
    mine, theirs = list(one), list(other)
    if mine == theirs:
        return True
    if not loose:
        plain = [
            ["in" if w == "a" and words.traits.a_lacks_its_accent else w for w in x]
            for x in (mine, theirs)
        ]
        return plain[0] == plain[1]
    if words.traits.a_lacks_its_accent:
        mine, theirs = _unaccented(mine, theirs)
    left, right = Counter(mine), Counter(theirs)
    only_left, only_right = left - right, right - left
    if only_left and only_right:
        return any(
            pair in words.words["complement_pairs"]
            for x in only_left
            for y in only_right
            for pair in (f"{x} = {y}", f"{y} = {x}")
        )
    light = _loose(words.code)
    return all(w in light for w in (*only_left, *only_right))


@lru_cache(maxsize=8)
def _loose(code: str) -> frozenset[str]:
    words = language(code).words
    return words["loose_words"] | words["light"] | {"a"}


def _from_or_to(one: Sequence[str], other: Sequence[str], words: Language) -> bool:
    """Whether French "a", for "à", stands where the other text has "de"."""
    if not words.traits.a_lacks_its_accent:
        return False
    return any(
        "a" in x and "a" not in y and "de" in y and "de" not in x
        for x, y in ((one, other), (other, one))
    )


def _unaccented(mine: list[str], theirs: list[str]) -> tuple[list[str], list[str]]:
    """French "à" typed without its accent looks like the verb: it may then stand for either."""
    plain_mine, plain_theirs = ([w for w in run if w != "a"] for run in (mine, theirs))
    for a, b in ((mine, plain_theirs), (theirs, plain_mine)):
        if "a" in a and "in" in b:
            b.remove("in")
    return plain_mine, plain_theirs


def _said_of_it(
    rich: Reading, poor: Reading, pairs: Sequence[Pair], extra: Sequence[Item], words: Language
) -> str:
    """Why something said of a thing is not that there is one: "I have a cat", "my cat died"."""
    if not extra:
        return ""
    own = words.words["possessives"] | words.words["their"]
    left, right = _words_before(rich), _words_before(poor)
    for x, y in pairs:
        if left[x.start] in own and right[y.start] in ("a", "an", "un", "une"):
            return f"said of it: {x.word}"
    return ""


def _words_before(reading: Reading) -> dict[int, str]:
    before = ["", *(i.word for i in reading.items)]
    return {item.start: word for item, word in zip(reading.items, before, strict=False)}


def _other_leads(
    rich: Reading, poor: Reading, pairs: Sequence[Pair], extra: Sequence[Item], words: Language
) -> str:
    """Why a piece of content is led otherwise, where what stands before it is shared too."""
    left, right = leads(rich, words), leads(poor, words)
    before_left, before_right = _before(rich), _before(poor)
    mates = {x.start: y.start for x, y in pairs} | {_EDGE: _EDGE}
    sorts = {i.start: i.sort for i in rich.content}
    last = max((i.start for i in rich.content), default=_EDGE)
    tail = last == _EDGE or mates.get(last) == max((i.start for i in poor.content), default=_EDGE)
    for x, y in pairs:
        if mates.get(before_left[x.start]) != before_right[y.start]:
            continue
        loose = x.sort != "month" or sorts.get(before_left[x.start]) == "figure"
        one, other = left[x.start], right[y.start]
        if x.sort in ("name", "word") and _from_or_to(one, other, words):
            return _told(one, other)
        if not same_leads(one, other, words, loose=loose):
            return _told(left[x.start], right[y.start])
    left_out = Counter(w for run in right.values() for w in run)
    left_out -= Counter(w for run in left.values() for w in run)
    for word in left_out:
        if extra and word not in _loose(words.code):
            return f"small words: {word} on one side"
    if tail and not extra and not same_leads(left[_EDGE], right[_EDGE], words, loose=True):
        return _told(left[_EDGE], right[_EDGE])
    return ""


def _told(one: Sequence[str], other: Sequence[str]) -> str:
    return f"small words: {' '.join(one) or '-'} / {' '.join(other) or '-'}"


def _before(reading: Reading) -> dict[int, int]:
    """The place of the piece of content before each; -1 before the first."""
    found: dict[int, int] = {}
    last = _EDGE
    for item in reading.content:
        found[item.start] = last
        last = item.start
    return found


# --- what is denied --------------------------------------------------------------------------------


def _other_negations(rich: Reading, poor: Reading, pairs: Sequence[Pair]) -> str:
    """Why a negation falls on other words: its neighbours in shared content must be the same on one side."""
    mates = {x.start: y.start for x, y in pairs}
    mine = _denied(rich, set(mates))
    theirs = _denied(poor, set(mates.values()))
    free = list(theirs)
    for before, after, word in mine:
        wanted = (mates.get(before, _EDGE), mates.get(after, _EDGE))
        mate = next(
            (
                f
                for f in free
                if f[0] == wanted[0] != _EDGE or f[1] == wanted[1] != _EDGE or f[:2] == wanted
            ),
            None,
        )
        if mate is None and free:
            return f"negation of another word: {word}"
        if mate is not None:
            free.remove(mate)
    return ""


def _denied(reading: Reading, shared: set[int]) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []
    for n, item in enumerate(reading.items):
        if item.sort != "negation":
            continue
        before = next((i.start for i in reversed(reading.items[:n]) if i.start in shared), _EDGE)
        after = next((i.start for i in reading.items[n:] if i.start in shared), _EDGE)
        found.append((before, after, item.word))
    return found


# --- whom pronouns stand for ------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _referents(code: str) -> dict[str, str]:
    lines = (line.split("=") for line in language(code).words["referents"])
    return {left.strip(): right.strip() for left, right in lines}


def _other_people(
    rich: Reading, poor: Reading, pairs: Sequence[Pair], extra: Sequence[Item], words: Language
) -> str:
    """Why pronouns stand for other people: "he" is not "she", nor "my dog bit him" "his dog bit me"."""
    mates = {x.start: x.form for x, _ in pairs} | {y.start: x.form for x, y in pairs}
    mine, theirs = (_told_of(reading, mates, words) for reading in (rich, poor))
    who, whom = {w for w, _ in mine}, {w for w, _ in theirs}
    if {"m", "f"} <= who | whom and ("m" in who) != ("m" in whom) and ("f" in who) != ("f" in whom):
        return "another person: he / she"
    several = [("p" in w and not w & {"1", "m", "f", "u"}) for w in (who, whom)]
    if who and whom and several[0] != several[1] and not who & whom:
        return "another number of people"
    left, right = (_undergoing(reading, words) for reading in (rich, poor))
    if right - left if extra else left != right:
        return "somebody undergoes it in one text only"
    if extra:
        return ""
    who, whom = who - {"u", "p"}, whom - {"u", "p"}
    if len(who) != len(whom) and who and whom:
        return "another number of people"
    mine, theirs = ([t for t in told if t[0] not in "up"] for told in (mine, theirs))
    if len(who) > 1 and Counter(mine) != Counter(theirs):
        return "the same people in other roles"
    return ""


def _undergoing(reading: Reading, words: Language) -> Counter[str]:
    """The pronouns of those to whom something is done, as one kind: who they are is told elsewhere."""
    objects = words.words["objects"]
    found: Counter[str] = Counter()
    for n, item in enumerate(reading.items):
        following = reading.items[n + 1 : n + 2]
        if following and following[0].word in ("meme", "memes"):
            continue
        owned = bool(following) and following[0].has_content and not following[0].after_stop
        if (
            item.word in objects
            and not item.has_content
            and not (item.word in ("her", "leur") and owned)
        ):
            found["object"] += 1
    return found


def _told_of(reading: Reading, mates: dict[int, str], words: Language) -> list[tuple[str, str]]:
    """Who each pronoun stands for, with the piece of content that follows it."""
    people = _referents(words.code)
    found: list[tuple[str, str]] = []
    for n, item in enumerate(reading.items):
        person = people.get(item.word) if not item.has_content else None
        if person is None:
            continue
        after = next((mates[i.start] for i in reading.items[n:] if i.start in mates), "")
        found.append((person, after))
    return found
