"""A memory keeps the negation of the words it rests on: what was denied is not affirmed, nor the reverse."""

from __future__ import annotations

from souvenance.domain import Candidate, Dropped, Exchange, Kept, Verdict
from souvenance.lang import Language
from souvenance.write.filters.evidence import find
from souvenance.write.filters.listed import akin, has
from souvenance.write.filters.signs import Sign, read_signs
from souvenance.write.sentences import clauses

NAME = "polarity"


def check(candidate: Candidate, exchange: Exchange, words: Language) -> Verdict:
    """Kept unless a clause says the opposite of the person's clause that it comes from."""
    evidence = find(candidate, exchange, words)
    if evidence.own and evidence.passage.strip() == candidate.text.strip():
        return Kept(candidate)
    if _is_over(candidate.text, evidence.passage, words):
        return Dropped(candidate, NAME, "It held once and is told as if it still did.")
    frame = {words.stem(w) for w in words.words["frame_words"] | words.words["user_words"]}
    counts = _counts(words)  # "six months" is as long affirmed as denied
    told = read_signs(evidence.passage, words)
    for clause in read_signs(candidate.text, words):
        proposed = [s for s in clause if s.liking or not (s.stem in frame or s.stem in counts)]
        turned = _turned(proposed, told, words)
        if turned is not None:
            return Dropped(candidate, NAME, f"It turns round what was said of “{turned}”.")
    return Kept(candidate)


def _counts(words: Language) -> frozenset[str]:
    """Stems of number words and units."""
    numbers = {entry.split()[0] for entry in words.words["spelled_numbers"]}
    return frozenset(words.stem(w) for w in numbers | words.words["units"])


def _is_over(text: str, passage: str, words: Language) -> bool:
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
    for clause in told:
        pairs = [(p, [t for t in clause if akin(p.stem, t.stem, words)]) for p in proposed]
        weight = sum((1 if p.liking else 2) for p, found in pairs if found)
        if not weight or weight < best:
            continue
        opposed = next(
            (p.stem for p, found in pairs if found and all(_opposed(p, t) for t in found)), None
        )
        if weight > best:
            best, turned = weight, opposed
        elif opposed is None:
            turned = None
    return turned


def _opposed(a: Sign, b: Sign) -> bool:
    """Whether two readings of one word contradict each other."""
    if a.liked is not None and b.liked is not None and a.liked != b.liked:
        return True
    return a.holds * b.holds == -1
