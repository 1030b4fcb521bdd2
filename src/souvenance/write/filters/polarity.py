"""A memory keeps the negation of the words it rests on: what was denied is not affirmed, nor the reverse."""

from __future__ import annotations

from souvenance.domain import Candidate, Dropped, Exchange, Kept, Kind, Verdict
from souvenance.lang import Language
from souvenance.write.filters.across import read_told
from souvenance.write.filters.borrowed import quotations
from souvenance.write.filters.clause_reader import Sign
from souvenance.write.filters.degree import reversed_degree, same_degree
from souvenance.write.filters.evidence import find
from souvenance.write.filters.kin import Kin
from souvenance.write.filters.listed import has, places, spoken
from souvenance.write.filters.mentions import mentions, own_words
from souvenance.write.filters.provided import swapped
from souvenance.write.filters.signs import read_signs
from souvenance.write.filters.tense import is_over
from souvenance.write.filters.told import Told
from souvenance.write.words.sentences import clauses

NAME = "polarity"

#: Words within which a candidate names whom it is about. Chosen, not measured.
_OPENING = 4

#: Clauses of a candidate that are checked. Chosen, not measured: a memory is one line and has a handful.
_MOST = 40

#: Words after "it wasn't me who" that hold the deed. Chosen, not measured.
_DEED = 4


def check(candidate: Candidate, exchange: Exchange, words: Language) -> Verdict:
    """Kept unless a clause says the opposite of the person's clause that it comes from."""
    evidence = find(candidate, exchange, words)
    if evidence.own and evidence.passage.strip() == candidate.text.strip():
        return Kept(candidate)
    lasts = candidate.kind is not Kind.EPISODE and is_over(candidate.text, evidence.passage, words)
    if lasts or _was_once(candidate.text, evidence.passage, words):
        return Dropped(candidate, NAME, "It held once and is told as if it still did.")
    frame = {words.stem(w) for w in words.words["frame_words"] | words.words["user_words"]}
    names = {words.stem(w) for w in own_words(exchange, words)} - frame
    counts = _counts(words)  # "six months" is as long affirmed as denied
    if _not_theirs(candidate, exchange, evidence.passage, words):
        return Dropped(candidate, NAME, "The person said that it was not them.")
    acts = {words.stem(w) for w in words.words["frame_acts"]}
    both = all(has(t, words, "other_than") for t in (candidate.text, evidence.passage))
    if swapped(candidate.text, evidence.passage, words):
        return Dropped(candidate, NAME, "It says “with” where the person said “without”.")
    much = reversed_degree(candidate.text, evidence.passage, frozenset(names), words)
    if much is not None:
        return Dropped(candidate, NAME, f"It says much of “{much}” where the person said little.")
    told = read_told(evidence.passage, words, "stands" if both else "turns", evidence.after)
    spoken_of = {s.stem for clause in told for s in clause}
    skip = counts | names | (frame - (spoken_of & acts))
    if candidate.kind is Kind.PREFERENCE:
        skip = skip | _named(evidence.passage, words)
    read = _unlike(read_signs(candidate.text, words, "stands" if both else "open"))
    if len(read) > _MOST and not evidence.own:
        return Dropped(candidate, NAME, "It says too much at once to be checked.")
    index = Told(told, words)
    there = has(candidate.text, words, "there_is")
    for clause in read[:_MOST]:
        signs = [s for s in clause if s.liking or s.stem not in skip]
        turned = index.turned(signs, there=there)
        if turned is not None and not same_degree(turned, candidate.text, evidence.passage, words):
            return Dropped(candidate, NAME, f"It turns round what was said of “{turned}”.")
    return Kept(candidate)


#: Words between quotation marks that only name how somebody is called. Chosen, not measured.
_NAME = 2


def _named(passage: str, words: Language) -> frozenset[str]:
    """Stems of a short quotation: a word that is spoken of ("“sir” was my father"), not used."""
    quoted = (passage[a:b] for a, b in quotations(passage))
    return frozenset(s for q in quoted if len(q.split()) <= _NAME for s in words.stems(q))


def _unlike(read: list[list[Sign]]) -> list[tuple[Sign, ...]]:
    """The clauses without those that say the same again."""
    return list(dict.fromkeys(tuple(dict.fromkeys(clause)) for clause in read))


def _counts(words: Language) -> frozenset[str]:
    """Stems of number words and units."""
    numbers = {entry.split()[0] for entry in words.words["spelled_numbers"]}
    return frozenset(words.stem(w) for w in numbers | words.words["units"])


def _not_theirs(candidate: Candidate, exchange: Exchange, passage: str, words: Language) -> bool:
    """Whether the text says of the person what "it wasn't me who…" says of somebody else."""
    said = spoken(passage)
    denials = places(said, words, "not_me")
    if not denials:
        return False
    who = mentions(candidate.text, exchange, words)
    if (
        who.person is None
        or who.person > 1
        or any(a <= _OPENING for a, _ in places(who.said, words, "circle"))
    ):
        return False
    deed = {words.stem(w) for w in said[denials[0][1] : denials[0][1] + _DEED]}
    return bool(deed & set(words.stems(candidate.text)))


def _was_once(text: str, passage: str, words: Language) -> bool:
    """Whether the text tells as current what a clause says held once, and no other clause says now."""
    if has(text, words, "past_words") or not has(passage, words, "former"):
        return False
    proposed = Kin(words.stems(text), words)
    once: set[str] = set()
    now: set[str] = set()
    for clause in clauses(passage):
        told = words.stems(clause)
        shared = {p for t in set(told) for p in proposed.of(t)}
        (once if has(clause, words, "former") else now).update(shared)
    return bool(once - now) and not now
