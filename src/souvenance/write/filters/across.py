"""Reads what one sentence or clause changes in another: a denied question, others' beliefs, a pronoun.

Within a clause `signs` reads where a negation reaches; here stands what only the neighbours tell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from souvenance.lang import Language
from souvenance.write.filters.clause_reader import OfExceptions, Sign
from souvenance.write.filters.kin import Kin
from souvenance.write.filters.listed import at, heads, places, spoken
from souvenance.write.filters.signs import Clause, read_sentence
from souvenance.write.words.sentences import Sentence, clauses, sentences

#: Words of a person or thing named ahead of its sentence ("my father, I no longer call him"). Chosen, not measured.
_AHEAD = 4

#: Words that may stand before a turn that opens a sentence ("But who told you…"). Chosen, not measured.
_OPENING = 2


def read_told(
    text: str, words: Language, exception: OfExceptions = "turns", after: str = ""
) -> list[list[Sign]]:
    """The signs of each clause that somebody said, in order, read with what stands around it.

    `after` is what follows the text; it is read only for what it changes.
    """
    found: list[list[Sign]] = []
    told = sentences(text, words)
    before: Clause | None = None
    for k, sentence in enumerate(told):
        cut = read_sentence(sentence.plain, words, found, exception)
        following = told[k + 1].plain if k + 1 < len(told) else after
        _suppose(sentence, following, cut, found, words)
        _appear(cut, found, words)
        for clause, next_one in pairwise(cut):
            _name_ahead(clause, next_one, found, words)
        for clause in cut:
            if before is not None:
                _carry(before, clause, found, words)
            before = clause
    return found


def _suppose(
    sentence: Sentence,
    following: str,
    cut: Sequence[Clause],
    found: list[list[Sign]],
    words: Language,
) -> None:
    """Turns round what is only asked, or believed by others, and denied; leaves open what they believe."""
    if sentence.asks:
        echoes = any(_opens(said, words, "echoes") for said, _, _ in cut[:2])
        if echoes or (_denies(following, words) and not _asks_the_other(sentence, words)):
            _each(cut, found, _turned)
        return
    believed = [clause for clause in cut if _opens(clause[0], words, "mistaken")]
    if believed:
        _each(believed, found, _turned if _denies(following, words) else _open)


def _opens(said: Sequence[str], words: Language, name: str) -> bool:
    """Whether an entry of the list stands at the start of a clause, or just after it."""
    known = heads(words.code, (name,))
    ahead = said[: _OPENING + 1]
    return any(word in known and at(said, i, words, name) for i, word in enumerate(ahead))


def _denies(text: str, words: Language) -> bool:
    """Whether a text opens with an answer that denies ("No, …", "Not at all.")."""
    said = next((spoken(clause) for clause in clauses(text)[:1]), [])
    length = at(said, 0, words, "denying") if said else 0
    return bool(length) and (length == len(said) or said[length] in words.words["subject_words"])


def _asks_the_other(sentence: Sentence, words: Language) -> bool:
    return bool(places(spoken(sentence.plain), words, "second_person"))


def _each(cut: Sequence[Clause], found: list[list[Sign]], change: Callable[[Sign], Sign]) -> None:
    for _, start, end in cut:
        for n in range(start, end):
            found[n] = [change(sign) for sign in found[n]]


def _turned(sign: Sign) -> Sign:
    return replace(sign, holds=-sign.holds, liked=None if sign.liked is None else -sign.liked)


def _open(sign: Sign) -> Sign:
    return replace(sign, holds=0, liked=None)


def _appear(cut: Sequence[Clause], found: list[list[Sign]], words: Language) -> None:
    """Leaves open what something only sounds or looks like, and a later clause denies ("sounds Irish, I'm not")."""
    for n, (said, start, end) in enumerate(cut[:-1]):
        if not places(said, words, "appearing"):
            continue
        later = [s for _, a, b in cut[n + 1 :] for k in range(a, b) for s in found[k]]
        denied = Kin((s.stem for s in later if s.holds < 0), words)
        for k in range(start, end):
            found[k] = [_open(s) if denied.knows(s.stem) else s for s in found[k]]


def _name_ahead(clause: Clause, after: Clause, found: list[list[Sign]], words: Language) -> None:
    """Leaves open the sign of somebody only named, whom the next clause takes up by a pronoun."""
    said = clause[0]
    if not said or len(said) > _AHEAD:
        return
    lists = words.words
    opens = said[0] in lists["possessives"] or said[0] in lists["determiners"]
    taken_up = any(w in lists["resuming"] for w in after[0])
    if opens and taken_up and not any(w in lists["subject_words"] for w in said):
        _each([clause], found, _open)


def _carry(before: Clause, clause: Clause, found: list[list[Sign]], words: Language) -> None:
    """Takes what a denied verb bore on into an affirming clause that speaks of it by a pronoun.

    "I didn't lose my wallet, it was stolen" says of the wallet that it was stolen.
    """
    _, start, end = clause
    told = [s for n in range(*before[1:]) for s in found[n] if not s.carried]
    if start == end or all(s.holds >= 0 for s in told):
        return
    if _does_it(clause[0], words):
        found[start] += [Sign(s.stem, 1) for s in told if s.holds < 0]  # "the movers did"
        return
    if not places(clause[0], words, "back_pronouns"):
        return
    verb = next((k for k, s in enumerate(told) if s.holds < 0), len(told))
    objects = [s for s in told[verb + 1 :] if s.holds <= 0]
    if not objects:
        return
    if any(s.holds < 0 for n in range(start, end) for s in found[n]):
        return
    found[start] = [
        *found[start],
        *(Sign(s.stem, 0, carried=True) for s in objects),
    ]


def _does_it(said: Sequence[str], words: Language) -> bool:
    """Whether a clause only says who does what was denied of another ("the movers did")."""
    return 1 < len(said) <= _AHEAD and said[-1] in words.words["pro_verbs"]
