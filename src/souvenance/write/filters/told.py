"""Compares the signs of a proposed clause with the clauses that were said, and tells when they turn one round.

The clauses that were said are found by their words, so that a long message costs no more than a short one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from souvenance.lang import Language
from souvenance.write.filters.clause_reader import Sign
from souvenance.write.filters.contraries import opposites
from souvenance.write.filters.kin import Kin

_Pair = tuple[Sign, list[Sign]]


class Told:
    """What was said, clause by clause."""

    def __init__(self, read: Sequence[Sequence[Sign]], words: Language) -> None:
        unlike = dict.fromkeys(tuple(dict.fromkeys(clause)) for clause in read)
        self._clauses = [_by_stem(clause) for clause in unlike]
        self._holding: dict[str, list[int]] = {}
        self._likings: dict[str, list[Sign]] = {}
        for n, clause in enumerate(self._clauses):
            for stem, signs in clause.items():
                self._holding.setdefault(stem, []).append(n)
                self._likings.setdefault(stem, []).extend(s for s in signs if s.liking)
        self._kin = Kin(self._holding, words)
        self._opposites = opposites(self._holding, words)

    def turned(self, proposed: Sequence[Sign], *, there: bool = False) -> str | None:
        """The stem whose sign is turned round in every clause that fits best; None when one agrees.

        With `there`, nothing more is proposed than that there is something.
        """
        for p in (p for p in proposed if p.liking):
            same = self._likings.get(p.stem)
            if same and all(_opposed(p, t) for t in same):
                return p.stem
        best, turned = 0, None
        agreed = set[str]()
        for pairs in self._pairs(proposed):
            if all(s.carried for _, signs in pairs for s in signs):
                continue
            weight = sum(1 if p.liking else 2 for p, _ in pairs)
            if weight < best:
                continue
            opposed = None if there and _only_there(pairs, proposed) else self._opposed_in(pairs)
            if weight > best:
                best, turned = weight, opposed
            elif opposed is None and any(p.stem == turned and _says(p, t) for p, t in pairs):
                turned = None
            elif turned is None and opposed is not None and opposed not in agreed:
                turned = opposed
            agreed |= {p.stem for p, told in pairs if p.stem != opposed and _agrees(p, told)}
        return turned

    def _pairs(self, proposed: Sequence[Sign]) -> list[list[_Pair]]:
        """For each clause that speaks of something proposed, in order: what it says of it.

        A word of opposite meaning counts as a denial where the word itself is not in the clause.
        """
        found: dict[int, dict[int, list[Sign]]] = {}
        for k, p in enumerate(proposed):
            for stem in self._kin.of(p.stem):
                for n in self._holding[stem]:
                    found.setdefault(n, {}).setdefault(k, []).extend(self._clauses[n][stem])
            for stem in self._opposites.of(p.stem):
                for n in self._holding[stem]:
                    if not self._kin_in(n, p.stem):
                        denied = [
                            replace(s, holds=-s.holds, liked=None) for s in self._clauses[n][stem]
                        ]
                        found.setdefault(n, {}).setdefault(k, []).extend(denied)
        return [[(proposed[k], found[n][k]) for k in sorted(found[n])] for n in sorted(found)]

    def _kin_in(self, n: int, stem: str) -> bool:
        return any(near in self._clauses[n] for near in self._kin.of(stem))

    def _opposed_in(self, pairs: Sequence[_Pair]) -> str | None:
        """The first stem that the clause turns round, None when a contrary already says the same."""
        for p, signs in pairs:
            others = set(self._opposites.of(p.stem))
            # "did not pass" says "failed", with another sign on every word
            if any(s.stem in others and p.holds * s.holds == 1 for s in signs):
                return None
        return next((p.stem for p, signs in pairs if all(_opposed(p, s) for s in signs)), None)


def _only_there(pairs: Sequence[_Pair], proposed: Sequence[Sign]) -> bool:
    """Whether all that is proposed is that there is a thing, to which something was not done."""
    return len(pairs) == len(proposed) and all(any(s.owned for s in told) for _, told in pairs)


def _says(proposed: Sign, told: Sequence[Sign]) -> bool:
    """Whether what was said tells, where it matters, that the thing is wanted or not."""
    return proposed.liked is None or proposed.liking or any(t.liked is not None for t in told)


def _agrees(proposed: Sign, told: Sequence[Sign]) -> bool:
    """Whether what was said bears it out; what was left open bears out nothing once it is denied elsewhere."""
    return any(t.holds or t.liked is not None for t in told)


def _by_stem(clause: Sequence[Sign]) -> dict[str, list[Sign]]:
    found: dict[str, list[Sign]] = {}
    for sign in clause:
        found.setdefault(sign.stem, []).append(sign)
    return found


def _opposed(a: Sign, b: Sign) -> bool:
    """Whether two readings of one word contradict each other."""
    if a.liked is not None and b.liked is not None and a.liked != b.liked:
        return True
    return a.holds * b.holds == -1
