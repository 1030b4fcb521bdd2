"""Decides whether two texts tell the same fact: the difference decides, not the resemblance.

"Tuesday" and "Thursday" once merged at 0.94; here what differs is looked at, and resemblance never outvotes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from souvenance.lang import Language
from souvenance.write.decisive import DECISIVE, TURNING, Item, Reading, read


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether two texts may merge, the difference that decided, and the share of content they have in common."""

    same: bool
    why: str
    score: float


#: Fewer shared pieces of content than this share of the shorter text are never looked at further.
#: Chosen, not measured: with one piece in two missing on both sides there are two facts in any case.
_SHARED = 0.5


def compare(a: str, b: str, words: Language) -> Comparison:
    """Whether `a` and `b` tell the same fact; symmetric. A doubt is two facts: a repetition costs less."""
    first, second = sorted((a, b))
    return _compare(read(first, words), read(second, words), words)


def overlap(a: Reading, b: Reading) -> float:
    """An upper bound of resemblance, cheap: the share of the shorter text's content found in the other."""
    left, right = {i.form for i in a.content}, {i.form for i in b.content}
    return len(left & right) / min(len(left), len(right)) if left and right else 0.0


def _compare(a: Reading, b: Reading, words: Language) -> Comparison:
    left, right = a.content, b.content
    if not left or not right:
        same = [i.word for i in a.items] == [i.word for i in b.items]
        return Comparison(same, "nothing but small words", 1.0 if same else 0.0)
    pairs, only_left, only_right = _align(left, right, words)
    score = len(pairs) / max(len(left), len(right))
    if not pairs:
        return Comparison(False, "nothing in common", 0.0)
    if only_left and only_right:
        return Comparison(False, f"{_names(only_left)} / {_names(only_right)}", score)
    rich, poor, extra = (a, b, only_left) if only_left else (b, a, only_right)
    why = (
        _decisive(extra)
        or _forms_turn(pairs, words)
        or _turn(rich, poor, extra)
        or (_roles(a, b, pairs, words) if not extra else _detail(rich, poor, extra, words))
    )
    return Comparison(
        not why, why or (f"more detail: {_names(extra)}" if extra else "same content"), score
    )


def _names(items: Sequence[Item]) -> str:
    return ", ".join(i.word for i in items)


# --- alignment ----------------------------------------------------------------------------------

Pair = tuple[Item, Item]


def _align(
    left: Sequence[Item], right: Sequence[Item], words: Language
) -> tuple[list[Pair], list[Item], list[Item]]:
    """Pieces paired by form, then by credible typo; and what is left alone on each side."""
    free = list(right)
    pairs: list[Pair] = []
    alone: list[Item] = []
    for item in left:
        mate = next((o for o in free if o.form == item.form and _alike(item, o)), None)
        if mate is None:
            alone.append(item)
        else:
            free.remove(mate)
            pairs.append((item, mate))
    still: list[Item] = []
    for item in alone:
        mate = next((o for o in free if is_slip(item, o, words)), None)
        if mate is None:
            still.append(item)
        else:
            free.remove(mate)
            pairs.append((item, mate))
    pairs.sort(key=lambda p: p[0].start)
    return pairs, still, free


_NAMED = frozenset({"name", "word"})


def _alike(a: Item, b: Item) -> bool:
    """Whether two pieces of one form may be the same word: a name and a word that stem alike may not."""
    if a.sort == b.sort:
        return a.sort != "name" or a.word == b.word
    return {a.sort, b.sort} == _NAMED and a.word == b.word


def is_slip(a: Item, b: Item, words: Language) -> bool:
    """Whether one word is a credible misspelling of the other. Names and figures never are."""
    if a.sort != "word" or b.sort != "word":
        return False
    short, long = sorted((a.word, b.word), key=lambda w: (len(w), w))
    if len(short) < 6 or short[0] != long[0] or " " in short + long:
        return False
    for line in words.words.get("confusables", ()):
        if {s.strip() for s in line.split("=")} == {short, long}:
            return False
    return _one_slip(short, long)


_VOWELS = frozenset("aeiouy")
_SOUNDS = (frozenset("aeiouy"), frozenset("csz"), frozenset("mn"))


def _one_slip(short: str, long: str) -> bool:
    """One slip of hand or ear: two letters swapped, a letter doubled or a vowel left out, a like sound."""
    if len(short) == len(long):
        gaps = [i for i, (x, y) in enumerate(zip(short, long, strict=True)) if x != y]
        if len(gaps) == 2 and gaps[1] == gaps[0] + 1:
            return short[gaps[0]] == long[gaps[1]] and short[gaps[1]] == long[gaps[0]]
        if len(gaps) == 1 and gaps[0] < len(short) - 1:
            pair = {short[gaps[0]], long[gaps[0]]}
            return any(pair <= sound for sound in _SOUNDS)
        return False
    if len(long) != len(short) + 1:
        return False
    at = next((i for i, c in enumerate(short) if c != long[i]), len(short))
    if long[at + 1 :] != short[at:] or at == len(short):
        return False
    extra = long[at]
    doubled = (at > 0 and long[at - 1] == extra) or (at + 1 < len(long) and long[at + 1] == extra)
    return doubled or extra in _VOWELS or extra == "h" or (extra == "r" and len(short) >= 10)


# --- what turns a fact round ---------------------------------------------------------------------


def _decisive(extra: Sequence[Item]) -> str:
    for item in extra:
        if item.sort in DECISIVE:
            return f"{item.sort} on one side: {item.word}"
    return ""


def _forms_turn(pairs: Sequence[Pair], words: Language) -> str:
    """Why two words of one stem are two facts: "habitait" and "habite" share a stem and not a time."""
    for a, b in pairs:
        if a.sort == "word" and a.word != b.word and _tense(a.word, words) != _tense(b.word, words):
            return f"tense: {a.word} / {b.word}"
    return ""


_FRENCH_PAST = ("ait", "aient", "ais")


def _tense(word: str, words: Language) -> str:
    if words.code == "fr":
        return (
            "past"
            if word.endswith(_FRENCH_PAST) and not word.endswith(("rait", "raient", "rais"))
            else ""
        )
    return "past" if word.endswith("ed") else ""


def _turn(rich: Reading, poor: Reading, extra: Sequence[Item]) -> str:
    """Why small words make two facts: negation, tense, before and after, compared where both texts speak."""
    core = _core(rich, extra)
    for sort in ("negation", *sorted(TURNING)):
        left = Counter(_form(i) for i in core if i.sort == sort)
        right = Counter(_form(i) for i in poor.items if i.sort == sort)
        if left != right:
            words = ", ".join(sorted((left - right) + (right - left)))
            return f"{sort}: {words}"
    return ""


def _form(item: Item) -> str:
    return item.form


def _core(rich: Reading, extra: Sequence[Item]) -> list[Item]:
    """The richer text without the stretches at its ends that only it has."""
    alone = {i.start for i in extra}
    shared = [n for n, i in enumerate(rich.items) if i.has_content and i.start not in alone]
    if not shared or not extra:
        return list(rich.items)
    last = (
        shared[-1]
        if any(i.start > rich.items[shared[-1]].start for i in extra)
        else len(rich.items) - 1
    )
    first = 0
    if any(i.start < rich.items[shared[0]].start for i in extra):
        stops = [n for n in range(shared[0] + 1) if rich.items[n].after_stop]
        first = stops[-1] if stops else 0
    return list(rich.items[first : last + 1])


# --- order and roles -----------------------------------------------------------------------------


def _roles(a: Reading, b: Reading, pairs: Sequence[Pair], words: Language) -> str:
    """Why the same words tell two facts: who does what to whom, and what goes with what."""
    places = {id(y): n for n, (_, y) in enumerate(pairs)}
    order = [places[id(y)] for y in b.content if id(y) in places]
    straight = list(range(len(order)))
    marked_a, marked_b = _marked(a, words), _marked(b, words)
    swapped = [x.word for x, y in pairs if marked_a.get(x.start) != marked_b.get(y.start)]
    if order == straight:
        return (
            "roles: " + ", ".join(swapped)
            if len(swapped) >= 2 and _crossed(a, b, pairs, words)
            else ""
        )
    if _is_block_move(order) and len(swapped) < 2 and not _bare_move(a, b, order, pairs):
        return ""
    if _is_list(a, pairs, order):
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


def _is_list(a: Reading, pairs: Sequence[Pair], order: Sequence[int]) -> bool:
    """Whether the words that moved are items of one list ("Maud et Clémence")."""
    moved = [n for n, at in enumerate(order) if n != at]
    between = [
        i for i in a.items if pairs[moved[0]][0].start < i.start <= pairs[moved[-1]][0].start
    ]
    joined = any(i.after_stop or i.form in ("et", "and", "ou", "or") for i in between)
    links = [
        i
        for i in between
        if i.sort not in ("name", "word")
        and i.form not in ("et", "and", "ou", "or", "le", "la", "les", "a", "the", "l")
    ]
    return joined and not links


# --- more detail ---------------------------------------------------------------------------------


def _detail(rich: Reading, poor: Reading, extra: Sequence[Item], words: Language) -> str:
    """Why what only the richer text says is more than a detail; empty when it is one."""
    alone = {i.start for i in extra}
    base = [i for i in rich.items if i.start not in alone]
    shared = [i.form for i in base if i.has_content]
    if shared != [i.form for i in poor.content] and not _slips(base, poor, words):
        return "more detail, in another order"
    for block in _blocks(rich, alone):
        why = _block(rich, poor, block, words)
        if why:
            return why
    return ""


def _slips(base: Sequence[Item], poor: Reading, words: Language) -> bool:
    mine, theirs = [i for i in base if i.has_content], poor.content
    return len(mine) == len(theirs) and all(
        x.form == y.form or is_slip(x, y, words) for x, y in zip(mine, theirs, strict=True)
    )


@dataclass(frozen=True, slots=True)
class _Block:
    """A run of content that only the richer text has: the small words around it, and which gap it fills."""

    before: list[Item]
    inside: list[Item]
    after: list[Item]
    gap: int  # how many shared pieces of content stand before it
    last: bool


def _blocks(rich: Reading, alone: set[int]) -> list[_Block]:
    blocks: list[_Block] = []
    before: list[Item] = []
    inside: list[Item] = []
    after: list[Item] = []
    gap = 0
    for item in rich.items:
        if item.has_content and item.start in alone:
            inside, after = [*inside, *after, item], []
        elif item.has_content:
            if inside:
                blocks.append(_Block(before, inside, after, gap, last=False))
            before, inside, after, gap = [], [], [], gap + 1
        elif inside:
            after.append(item)
        else:
            before.append(item)
    if inside:
        blocks.append(_Block(before, inside, after, gap, last=True))
    return blocks


def _block(rich: Reading, poor: Reading, block: _Block, words: Language) -> str:
    what = _names(block.inside)
    poor_gap = _gap(poor, block.gap)
    if _negated(poor) and not (
        block.inside[0].after_stop or any(i.after_stop for i in block.before)
    ):
        return f"narrows what is denied: {what}"
    before, after = _forms(block.before), _forms(block.after)
    if block.last:
        return _trailing(block, poor_gap, what, words)
    premodifies = before == poor_gap and not after
    modifies = after == poor_gap
    if block.gap == 0:
        led = bool(block.before) and block.before[0].form in words.words.get("conjunctions", ())
        adverb = all(i.word.endswith(("ly", "ment")) for i in block.inside if i.has_content)
        ok = premodifies or ((modifies and (led or not any(poor_gap))) and (led or adverb))
        return "" if ok else f"about something else: {what}"
    return "" if premodifies or modifies else f"about something else: {what}"


def _trailing(block: _Block, poor_gap: list[str], what: str, words: Language) -> str:
    opening = (block.before or block.inside)[0]
    if any(i.form in words.words.get("exceptions", ()) for i in block.before):
        return f"a restriction: {what}"
    stop = block.inside[0].after_stop or any(i.after_stop for i in block.before)
    if stop or opening.form in words.words.get("conjunctions", ()):
        return ""
    if not block.before and words.code == "en" and not block.inside[0].word.endswith("ly"):
        return f"another thing: {what}"
    return ""


def _gap(reading: Reading, gap: int) -> list[str]:
    """The small words that follow the first `gap` pieces of content, up to the next."""
    found: list[str] = []
    seen = 0
    for item in reading.items:
        if item.has_content:
            seen += 1
            if seen > gap:
                break
        elif seen == gap:
            found.append(item.form)
    return found


def _forms(items: Sequence[Item]) -> list[str]:
    return [i.form for i in items]


def _negated(reading: Reading) -> bool:
    return any(i.sort == "negation" for i in reading.items)
