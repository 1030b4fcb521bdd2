"""Tells when a sentence ends a home, a job or a couple that an earlier one told of.

"I no longer live in Leeds" closes "I live in Leeds"; what else the earlier sentence told keeps it open.
"""

from __future__ import annotations

from collections.abc import Sequence

from souvenance.lang import Language
from souvenance.write.over.earnest import Place, is_for_a_while, is_long_ago, is_meant, is_outing
from souvenance.write.over.whose import ME, are_one, bearers
from souvenance.write.told.voices import own_words
from souvenance.write.words.decisive import Item, read
from souvenance.write.words.phrases import find, has
from souvenance.write.words.sentences import clauses

#: The ties of a life that have one end: the lists `ties_*` hold their words, `ends_*` how they end.
_TIES = ("home", "work", "couple")

#: Words of an earlier sentence, the tie and its object left out, with which it still tells nothing else.
#: Chosen, not measured: in doubt both sentences stand.
_ASIDE = 1


def ends(text: str, earlier: str, words: Language) -> bool:
    """Whether the text says that what the earlier sentence told of a home, a job or a couple is over."""
    known = read(earlier, words)
    mine = any(i.word in words.words["first_person"] for i in known.items)
    if not mine or any(i.sort in ("negation", "past") for i in known.items):
        return False
    said = own_words(text, words)
    if is_long_ago(said, words):
        return False
    return any(
        _ends(clause, said, earlier, tie, words) or _replaces(clause, earlier, tie, words)
        for clause in clauses(said)
        for tie in _TIES
    )


def ended_forms(text: str, words: Language) -> set[str]:
    """Forms of which every earlier sentence that the text ends holds one; none when it ends nothing.

    `_ends` needs a name of the clause in the earlier sentence, `_replaces` the word of the tie.
    """
    forms: set[str] = set()
    over = ("no_longer", *(f"ends_{tie}" for tie in _TIES))
    tied = frozenset().union(*(words.words[f"ties_{tie}"] for tie in _TIES))
    for clause in clauses(text):
        items = read(clause, words).items
        if any(has(clause, words, name) for name in over):
            forms |= {i.form for i in items if i.sort == "name"}
        if has(clause, words, "since_now"):
            forms |= {i.form for i in items if i.word in tied}
    return forms


def _ends(clause: str, text: str, earlier: str, tie: str, words: Language) -> bool:
    tied = words.words[f"ties_{tie}"]
    said = read(clause, words)
    span = _over(clause, said.items, tied, words)
    no_longer = span is not None
    span = span or find(clause, words, f"ends_{tie}")
    if span is None:
        return False
    objects = {i.form for i in said.content if i.sort == "name"}
    if not objects or not _tells_only(earlier, objects, tied, words):
        return False
    place = Place(clause, span, text[text.index(clause) + span[1] :], earlier)
    if not is_meant(place, words, denied=not no_longer) or _is_to_come(clause, span, words):
        return False
    return _is_theirs(place, tie, objects, words) and not _is_part(place, words)


def _over(
    clause: str, items: Sequence[Item], tied: frozenset[str], words: Language
) -> tuple[int, int] | None:
    """The span from the word of the tie or "no longer", whichever is first; None when the tie is not said over."""
    span = find(clause, words, "no_longer")
    bound = next((i for i in items if i.word in tied), None)
    opened = not words.traits.negation_in_two_words or has(clause, words, "negation_opens")
    if span is None or bound is None or not opened:
        return None
    return min(span[0], bound.start), max(span[1], bound.end)


def _is_to_come(clause: str, span: tuple[int, int], words: Language) -> bool:
    """Whether a verb of the ending is in the future or the conditional ("je n'habiterai plus")."""
    spoken = [i.word for i in read(clause[slice(*span)], words).items]
    return any(
        words.ends(w, "future_endings") or words.ends(w, "conditional_endings") for w in spoken
    )


def _is_theirs(place: Place, tie: str, objects: set[str], words: Language) -> bool:
    """Whether who ends something is who the earlier sentence tells of."""
    tied = words.words[f"ties_{tie}"]
    bound = next((i for i in read(place.earlier, words).items if i.word in tied), None)
    ender = bearers(place.clause, place.span[0], words)
    owner = bearers(place.earlier, bound.start if bound else 0, words)
    if tie == "couple":
        both = {*objects, "and", *(i.form for w in tied for i in read(w, words).items)}
        ender, owner = (ender - both) or frozenset({ME}), (owner - both) or frozenset({ME})
    return are_one(ender, owner)


def _is_part(place: Place, words: Language) -> bool:
    """Whether only a part or a while of the tie is left off, or a place is left for the day."""
    leaves = has(place.clause[slice(*place.span)], words, "leaving")
    if leaves and is_outing(place.after, words):
        return True
    tail = place.clause[place.span[1] :]
    return has(tail, words, "over_aside") or is_for_a_while(place.after, place.earlier, words)


def _replaces(clause: str, earlier: str, tie: str, words: Language) -> bool:
    """Whether a clause says the same tie with another object, and that it holds now."""
    tied = words.words[f"ties_{tie}"] - words.words["happened"]
    said, known = read(clause, words), read(earlier, words)
    if not has(clause, words, "since_now") or any(i.sort == "negation" for i in said.items):
        return False
    verbs = {i.form for i in said.items if i.word in tied}
    same = verbs & {i.form for i in known.items if i.word in tied}
    new, old = _names(said.content), _names(known.content)
    bound, held = (next((i for i in r.items if i.word in tied), None) for r in (said, known))
    if bound is None or held is None:
        return False
    place = Place(clause, (bound.start, bound.end), clause[bound.end :], earlier)
    return (
        bearers(clause, bound.start, words) == {ME}
        and bearers(earlier, held.start, words) == {ME}
        and is_meant(place, words)
        and not has(clause, words, "over_aside")
        and bool(same and new and old)
        and not new & old
        and _tells_only(earlier, old, tied, words)
    )


def _names(content: list[Item]) -> set[str]:
    return {i.form for i in content if i.sort == "name"}


def _tells_only(earlier: str, objects: set[str], tied: frozenset[str], words: Language) -> bool:
    """Whether a sentence tells of a tie to these objects and hardly anything else."""
    content = read(earlier, words).content
    if not objects <= {i.form for i in content}:
        return False
    if not any(i.word in tied for i in read(earlier, words).items):
        return False
    aside = [i for i in content if i.form not in objects and i.word not in tied]
    return len([i for i in aside if i.sort in ("word", "name", "figure")]) <= _ASIDE
