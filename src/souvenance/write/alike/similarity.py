"""Decides whether two texts tell the same fact: the difference decides, not the resemblance.

"Tuesday" and "Thursday" once merged at 0.94; here what differs is looked at, and resemblance never outvotes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from souvenance.lang import Language, language
from souvenance.write.alike.agreement import one_of_two_genders
from souvenance.write.alike.detail import beyond_detail
from souvenance.write.alike.hollow import dues, said_anyway
from souvenance.write.alike.leads import determiners, other_small_words
from souvenance.write.alike.pieces import first_of_set, pieces
from souvenance.write.alike.roles import other_roles
from souvenance.write.alike.slips import is_slip
from souvenance.write.alike.tenses import auxiliary, other_time
from souvenance.write.words.decisive import DECISIVE, TURNING, Item, Pair, Reading


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether two texts may merge, the difference that decided, and the share of content they have in common."""

    same: bool
    why: str
    score: float


def compare(a: str, b: str, words: Language) -> Comparison:
    """Whether `a` and `b` tell the same fact; symmetric. A doubt is two facts: a repetition costs less."""
    first, second = sorted((a, b))
    return _compare(pieces(first, words), pieces(second, words), words)


def tells_one_fact(a: str, b: str, words: Language) -> bool:
    """What `compare` says of two texts and no more, kept: reading asks it of the same few pairs at each turn."""
    first, second = sorted((a, b))
    return _same(first, second, words.code)


@lru_cache(maxsize=20_000)
def _same(first: str, second: str, code: str) -> bool:
    return compare(first, second, language(code)).same


def _compare(a: Reading, b: Reading, words: Language) -> Comparison:
    left, right = a.content, b.content
    if not left or not right:
        same = [i.word for i in a.items] == [i.word for i in b.items]
        return Comparison(same, "nothing but small words", 1.0 if same else 0.0)
    pairs, only_left, only_right = _align(a, b, words)
    score = len(pairs) / max(len(left), len(right))
    if not pairs:
        return Comparison(False, "nothing in common", 0.0)
    if only_left and only_right:
        return Comparison(False, f"{_names(only_left)} / {_names(only_right)}", score)
    swapped = bool(only_right)
    rich, poor, extra = (b, a, only_right) if swapped else (a, b, only_left)
    if swapped:
        pairs = sorted(((y, x) for x, y in pairs), key=lambda p: p[0].start)
    extra = said_anyway(rich, poor, extra, words) if extra else []
    why = (
        _decisive(rich, extra, words)
        or _forms_turn(rich, poor, pairs, words)
        or _turn(rich, poor, extra)
        or _other_arrangement(rich, poor, pairs, extra, words)
    )
    return Comparison(
        not why, why or (f"more detail: {_names(extra)}" if extra else "same content"), score
    )


def _other_arrangement(
    rich: Reading, poor: Reading, pairs: Sequence[Pair], extra: Sequence[Item], words: Language
) -> str:
    """Why words in common are put together into another fact, or what one text adds is one."""
    if not extra and dues(pairs, words):
        return ""
    small = other_small_words(rich, poor, pairs, extra, words)
    if extra:
        return small or beyond_detail(rich, poor, extra, words)
    return small or other_roles(rich, poor, pairs, words)


def _names(items: Sequence[Item]) -> str:
    return ", ".join(i.word for i in items)


# --- alignment ----------------------------------------------------------------------------------


def _align(a: Reading, b: Reading, words: Language) -> tuple[list[Pair], list[Item], list[Item]]:
    """Pieces paired by form, then by credible typo; and what is left alone on each side."""
    left, right = a.content, b.content
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
        if mate is not None and (_may_name(item, a) or _may_name(mate, b)):
            mate = None
        if mate is None:
            still.append(item)
        else:
            free.remove(mate)
            pairs.append((item, mate))
    pairs.sort(key=lambda p: p[0].start)
    return pairs, still, free


#: After these a word in small letters is often a name, which has no slips.
_BESIDE = frozenset({"with", "avec", "chez"})


def _may_name(item: Item, reading: Reading) -> bool:
    """Whether a word may be a name though nothing shows it: it opens the text, or stands bare after "with"."""
    before = next((i for i in reversed(reading.items) if i.start < item.start), None)
    return before is None or before.word in _BESIDE


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


def _decisive(rich: Reading, extra: Sequence[Item], words: Language) -> str:
    """Why what one text adds is a fact of its own: a figure, a day; in a clause about the rest it is a detail."""
    alone = {i.start for i in extra}
    clause = False
    for item in rich.items:
        if item.has_content and item.start not in alone:
            clause = False
        clause = clause or item.word in words.words["relatives"]
        if item.start in alone and item.sort in DECISIVE and not clause:
            return f"{item.sort} on one side: {item.word}"
    return ""


def _forms_turn(one: Reading, other: Reading, pairs: Sequence[Pair], words: Language) -> str:
    """Why two words of one stem are two facts: "habitait" and "habite" share a stem and not a time."""
    for a, b in pairs:
        if a.sort != "word":
            continue
        slip = a.form != b.form
        x, y = (a, b) if slip else (_as_first(a, words), _as_first(b, words))
        same_set = _synonyms(a, b, words)
        why = other_time(x, y, one, other, words)
        why = why or ("" if same_set else other_time(a, b, one, other, words))
        if why:
            return why
        if not same_set and {_part(a, one, words), _part(b, other, words)} == {
            "noun",
            "verb",
        }:
            return f"a noun and a verb: {a.word} / {b.word}"
        if a.word != b.word and _none_of(a, one) and _none_of(b, other):
            continue  # "pas d'enfant", "pas d'enfants"
        if a.word != b.word and _other_kin(a, b, words):
            return f"kinship: {a.word} / {b.word}"
        if x.word == y.word:
            continue
        if not (_epicene(a, x) or _epicene(b, y)) and _other_gender(x, y, one, other, words):
            return f"masculine and feminine: {a.word} / {b.word}"
        if _other_number(x, y, one, other, words):
            return f"one or several: {a.word} / {b.word}"
    return ""


def _as_first(item: Item, words: Language) -> Item:
    """The piece as the first word of its set of synonyms: time, gender and number are told from that one."""
    first = first_of_set(item.word, words)
    return item if first == item.word else replace(item, word=first)


def _epicene(item: Item, first: Item) -> bool:
    """Whether a French synonym has one form for both genders where the first of its set has two ("pote")."""
    return item.word.endswith("e") and not first.word.endswith("e")


def _part(item: Item, reading: Reading, words: Language) -> str:
    """Whether a word is a noun or a verb by what stands at once before it: "la porte", "il porte"."""
    at = next(n for n, i in enumerate(reading.items) if i.start == item.start)
    before, further = ([None, None, *reading.items[:at]])[-1:-3:-1]
    if before is None:
        return ""
    if before.sort == "person" and before.form.startswith("s"):
        return "verb"
    pronoun = further is not None and (further.sort == "person" or further.word in ("ne", "n"))
    known = determiners(words.code)
    return "noun" if before.word in known and before.word != "l" and not pronoun else ""


def _none_of(item: Item, reading: Reading) -> bool:
    """Whether a noun is denied at once ("pas d'enfants", "no children"): then its number says nothing."""
    at = next(n for n, i in enumerate(reading.items) if i.start == item.start)
    before = [
        i.sort if i.sort == "negation" else i.form for i in reading.items[max(0, at - 2) : at]
    ]
    return before[-1:] == ["negation"] or before == ["negation", "de"]


def _synonyms(a: Item, b: Item, words: Language) -> bool:
    """Whether two words are listed as saying the same."""
    return a.word != b.word and first_of_set(a.word, words) == first_of_set(b.word, words)


def _other_kin(a: Item, b: Item, words: Language) -> bool:
    """Whether two relatives share a stem and are not the same one: "cousin" and "cousine"."""
    circle = words.words["circle"]
    left, right = (first_of_set(i.word, words) for i in (a, b))
    if left == right:
        return False
    known = [
        bool({i.word, i.word.replace(" ", "-"), c} & circle) for i, c in ((a, left), (b, right))
    ]
    return any(known) if a.form == b.form else all(known)


def _other_gender(a: Item, b: Item, one: Reading, other: Reading, words: Language) -> bool:
    """Whether a word is masculine here and feminine there: "voisin", "voisine", or a name in small letters.

    A participle behind "être" is left alone: its agreement is often mistyped.
    """
    short, long = sorted((i.word.removesuffix("s") for i in (a, b)), key=len)
    if " " in short or not one_of_two_genders(short, long, words):
        return False
    return not (auxiliary(a, one, words) == auxiliary(b, other, words) == "be")


def _other_number(a: Item, b: Item, one: Reading, other: Reading, words: Language) -> bool:
    """Whether a noun is one thing in a text and several in the other: "a cat", "cats"."""
    short, long = sorted((a.word, b.word), key=len)
    if long not in (f"{short}s", f"{short}es", f"{short}x", f"{short[:-1]}ies"):
        return False
    return any(_determined(i, r, words) for i, r in ((a, one), (b, other)))


def _determined(item: Item, reading: Reading, words: Language) -> bool:
    at = next(n for n, i in enumerate(reading.items) if i.start == item.start)
    before = reading.items[at - 1].word if at else ""
    return before in determiners(words.code)


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
