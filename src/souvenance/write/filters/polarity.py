"""A memory keeps the negation of the words it rests on: what was denied is not affirmed, nor the reverse."""

from __future__ import annotations

from dataclasses import replace

from souvenance.domain import Candidate, Dropped, Exchange, Kept, Kind, Verdict
from souvenance.lang import Language
from souvenance.write.filters.contraries import contrary
from souvenance.write.filters.evidence import find
from souvenance.write.filters.listed import akin, has, places, spoken
from souvenance.write.filters.mentions import mentions, own_words
from souvenance.write.filters.signs import Sign, read_signs
from souvenance.write.filters.tense import is_over
from souvenance.write.sentences import clauses

NAME = "polarity"

#: Words within which a candidate names whom it is about. Chosen, not measured.
_OPENING = 4

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
    told = read_signs(evidence.passage, words, "stands" if both else "turns")
    spoken_of = {s.stem for clause in told for s in clause}
    skip = counts | names | (frame - (spoken_of & acts))
    for clause in read_signs(candidate.text, words, "stands" if both else "open"):
        proposed = [s for s in clause if s.liking or s.stem not in skip]
        turned = _turned(proposed, told, words)
        if turned is not None:
            return Dropped(candidate, NAME, f"It turns round what was said of “{turned}”.")
    return Kept(candidate)


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
    if has(text, words, "past_words"):
        return False
    proposed = words.stems(text)
    once: set[str] = set()
    now: set[str] = set()
    for clause in clauses(passage):
        told = words.stems(clause)
        shared = {p for p in proposed if any(akin(p, t, words) for t in told)}
        (once if has(clause, words, "former") else now).update(shared)
    return bool(once - now) and not now


def _turned(proposed: list[Sign], told: list[list[Sign]], words: Language) -> str | None:
    """The stem whose sign is turned round in every clause that fits best; None when one agrees."""
    flat = [t for clause in told for t in clause]
    for p in (p for p in proposed if p.liking):
        same = [t for t in flat if t.liking and t.stem == p.stem]
        if same and all(_opposed(p, t) for t in same):
            return p.stem
    best, turned = 0, None
    agreed = set[str]()
    for clause in told:
        pairs = [(p, _speaking_of(p, clause, words)) for p in proposed]
        weight = sum((1 if p.liking else 2) for p, found in pairs if found)
        if not weight or weight < best:
            continue
        opposed = next(
            (p.stem for p, found in pairs if found and all(_opposed(p, t) for t in found)), None
        )
        if any(_agrees_by_contrary(p, clause, words) for p in proposed):
            opposed = None  # "did not pass" says "failed", with another sign on every word
        if weight > best:
            best, turned = weight, opposed
        elif opposed is None and any(p.stem == turned for p, found in pairs if found):
            turned = None
        elif turned is None and opposed is not None and not agreed & {opposed}:
            turned = opposed
        agreed |= {p.stem for p, found in pairs if found and p.stem != opposed}
    return turned


def _speaking_of(p: Sign, clause: list[Sign], words: Language) -> list[Sign]:
    """What the clause says of the same thing; a word of opposite meaning counts as its denial."""
    same = [t for t in clause if akin(p.stem, t.stem, words)]
    if same:
        return same
    return [
        replace(t, holds=-t.holds, liked=None) for t in clause if contrary(p.stem, t.stem, words)
    ]


def _agrees_by_contrary(p: Sign, clause: list[Sign], words: Language) -> bool:
    """Whether the word of opposite meaning stands in the clause, with the opposite sign."""
    return any(p.holds * t.holds == -1 and contrary(p.stem, t.stem, words) for t in clause)


def _opposed(a: Sign, b: Sign) -> bool:
    """Whether two readings of one word contradict each other."""
    if a.liked is not None and b.liked is not None and a.liked != b.liked:
        return True
    return a.holds * b.holds == -1
