"""Decides whether two texts tell the same fact: the difference decides, not the resemblance.

"Tuesday" and "Thursday" once merged at 0.94; here what differs is looked at, and resemblance never outvotes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from souvenance.lang import Language
from souvenance.write.decisive import DECISIVE, TURNING, Item, Pair, Reading, canonical, read
from souvenance.write.detail import beyond_detail
from souvenance.write.roles import other_roles
from souvenance.write.slips import is_slip


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether two texts may merge, the difference that decided, and the share of content they have in common."""

    same: bool
    why: str
    score: float


def compare(a: str, b: str, words: Language) -> Comparison:
    """Whether `a` and `b` tell the same fact; symmetric. A doubt is two facts: a repetition costs less."""
    first, second = sorted((a, b))
    return _compare(read(first, words), read(second, words), words)


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
        or (
            other_roles(a, b, pairs, words)
            if not extra
            else beyond_detail(rich, poor, extra, words)
        )
    )
    return Comparison(
        not why, why or (f"more detail: {_names(extra)}" if extra else "same content"), score
    )


def _names(items: Sequence[Item]) -> str:
    return ", ".join(i.word for i in items)


# --- alignment ----------------------------------------------------------------------------------


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
    alone, free = _compounds(alone, free, pairs)
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


def _compounds(
    left: list[Item], right: list[Item], pairs: list[Pair]
) -> tuple[list[Item], list[Item]]:
    """Pairs "beekeeper" with "bee-keeper": two neighbours on one side that are one word on the other."""
    for one, two, turned in ((left, right, False), (right, left, True)):
        for whole in list(one):
            for first, second in pairwise(list(two)):
                if whole.sort == "word" and first.word + second.word == whole.word:
                    one.remove(whole)
                    two.remove(first)
                    two.remove(second)
                    pairs.append((first, whole) if turned else (whole, first))
                    break
    return left, right


_NAMED = frozenset({"name", "word"})


def _alike(a: Item, b: Item) -> bool:
    """Whether two pieces of one form may be the same word: a name and a word that stem alike may not."""
    if a.sort == b.sort:
        return a.sort != "name" or a.word == b.word
    return {a.sort, b.sort} == _NAMED and a.word == b.word


# --- what turns a fact round ---------------------------------------------------------------------


def _decisive(extra: Sequence[Item]) -> str:
    for item in extra:
        if item.sort in DECISIVE:
            return f"{item.sort} on one side: {item.word}"
    return ""


def _forms_turn(pairs: Sequence[Pair], words: Language) -> str:
    """Why two words of one stem are two facts: "habitait" and "habite" share a stem and not a time."""
    for a, b in pairs:
        if a.sort != "word" or a.word == b.word:
            continue
        if _tense(a.word, words) != _tense(b.word, words):
            return f"tense: {a.word} / {b.word}"
        if _other_kin(a, b, words):
            return f"kinship: {a.word} / {b.word}"
    return ""


def _other_kin(a: Item, b: Item, words: Language) -> bool:
    """Whether two relatives share a stem and are not the same one: "cousin" and "cousine"."""
    circle = words.words["circle"]
    left, right = (canonical(i.word, words) for i in (a, b))
    return left != right and bool({a.word, left} & circle or {b.word, right} & circle)


_FRENCH_PAST = ("ait", "aient", "ais")


def _tense(word: str, words: Language) -> str:
    if " " in word:
        return ""
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
