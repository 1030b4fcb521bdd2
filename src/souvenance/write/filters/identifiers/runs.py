"""Cuts a text into runs of digit groups, typed or said, that may belong to one number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from souvenance.write.filters.identifiers.phones import Group
from souvenance.write.filters.identifiers.spelled import Atom

#: Digits of the shortest number looked for (an American telephone without its area).
SHORTEST = 7

#: A group of digits; an O or an l typed among digits counts as 0 or 1.
_TYPED = re.compile(
    r"(?:(?<![a-z0-9])|(?<=(?<![a-z])(?:tel|num|gsm|mob)))(?:[0-9oli]*[0-9][0-9oli]*|o{1,2}(?= ?[0-9])|(?<=[0-9] )o{1,2})(?![a-z0-9])"
)
_LOOKALIKE = str.maketrans("oli", "011")
_NIR_COUNTY = re.compile(
    r"(?<![a-z0-9])(?:[0-9]{0,10}2[ab][0-9]{0,10}|2 [ab](?= [0-9]))(?![a-z0-9])"
)

#: What may stand between two groups of one number.
_BETWEEN = re.compile(
    r"[ .\-/_(),;:·•*~|]{0,4}|,? (?:et puis|et|puis|ensuite|and then|and|then),? "
)


def runs_of(text: str, said: Sequence[Atom]) -> Iterator[list[Group]]:
    """Digit groups that may belong together, in order."""
    run: list[Group] = []
    for atom in _atoms(text, said):
        opened = _plus_before(text, atom.start)
        group = Group(
            atom.digits,
            opened if opened is not None else atom.start,
            atom.end,
            opened is not None,
            atom.said,
        )
        if run and not _BETWEEN.fullmatch(text, run[-1].end, group.start):
            if _length(run) >= SHORTEST:
                yield run
            run = []
        run.append(group)
    if _length(run) >= SHORTEST:
        yield run


def _length(run: Sequence[Group]) -> int:
    return sum(len(g.digits) for g in run)


def _plus_before(text: str, start: int) -> int | None:
    """Where the plus of an international number stands just before `start`, if it does."""
    before = text[max(0, start - 6) : start]
    if not before.endswith(("+", " ", "(")) or ("+" not in before and "plus" not in before):
        return None
    for sign in ("+", "+ ", "(+", "plus ", "+("):
        if before.endswith(sign):
            return start - len(sign)
    return None


def _atoms(text: str, said: Sequence[Atom]) -> list[Atom]:
    """Typed and said groups, by place."""
    typed = [
        Atom(m.group().translate(_LOOKALIKE), m.start(), m.end()) for m in _TYPED.finditer(text)
    ]
    county = [
        Atom(m.group().replace(" ", ""), m.start(), m.end()) for m in _NIR_COUNTY.finditer(text)
    ]
    if not said and not county:
        return typed
    atoms: list[Atom] = []
    for atom in sorted((*typed, *county, *said), key=lambda a: (a.start, -a.end)):
        if not atoms or atom.start >= atoms[-1].end:
            atoms.append(atom)
    return atoms
