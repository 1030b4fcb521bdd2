"""Tells when a sentence ends a home, a job or a couple that an earlier one told of.

"I no longer live in Leeds" closes "I live in Leeds"; what else the earlier sentence told keeps it open.
"""

from __future__ import annotations

from souvenance.lang import Language
from souvenance.write.decisive import Item, read
from souvenance.write.phrases import has
from souvenance.write.sentences import clauses

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
    return any(
        _ends(clause, earlier, tie, words) or _replaces(clause, earlier, tie, words)
        for clause in clauses(text)
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


def _ends(clause: str, earlier: str, tie: str, words: Language) -> bool:
    tied = words.words[f"ties_{tie}"]
    said = read(clause, words)
    over = has(clause, words, "no_longer") and any(i.word in tied for i in said.items)
    halves = words.traits.negation_in_two_words
    over = over and (not halves or has(clause, words, "negation_opens"))
    if not (over or has(clause, words, f"ends_{tie}")):
        return False
    objects = {i.form for i in said.content if i.sort == "name"}
    return bool(objects) and _tells_only(earlier, objects, tied, words)


def _replaces(clause: str, earlier: str, tie: str, words: Language) -> bool:
    """Whether a clause says the same tie with another object, and that it holds now."""
    tied = words.words[f"ties_{tie}"] - words.words["happened"]
    said, known = read(clause, words), read(earlier, words)
    if not has(clause, words, "since_now") or any(i.sort == "negation" for i in said.items):
        return False
    verbs = {i.form for i in said.items if i.word in tied}
    same = verbs & {i.form for i in known.items if i.word in tied}
    new, old = _names(said.content), _names(known.content)
    mine = any(i.word in words.words["first_person"] for i in said.items)
    return (
        mine
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
