"""Tells how what was awaited or usual came out: a guest gone home, a child born, a loan answered, a habit changed.

The older sentence is closed where both are of the same person, sum or habit; otherwise the pair is left as a doubt.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from souvenance.domain import Candidate, Kind, Memory, Scope
from souvenance.lang import Language, language, tokens
from souvenance.write.desk import Desk, is_closable
from souvenance.write.over.earnest import Place, is_meant
from souvenance.write.over.moving import topics
from souvenance.write.told.requests import would_only
from souvenance.write.words.decisive import read
from souvenance.write.words.phrases import find, has
from souvenance.write.words.sentences import clauses, sentences
from souvenance.write.words.values import values

#: Memories told before the candidate that are looked at. Chosen, not measured: it bounds the work.
_FAR = 400

#: What says how a thing came out, what awaited it, and whether naming nobody is enough when one alone awaits it.
_OUTCOMES = (
    ("went_home", "visits", False),
    ("births", "expecting", True),
    ("granted", "applied", True),
)


def come_out(candidate: Candidate, desk: Desk) -> tuple[list[Memory], list[Memory]]:
    """The memories that the candidate says have come out, and those of which it may; each newest first."""
    text, words = candidate.text, desk.words
    if candidate.spoken_by == "character" or candidate.scope is Scope.THREAD:
        return [], []
    told = [o for o in _OUTCOMES if _is_said(text, o[0], words) and _holds(text, o[0], words)]
    habit = _habits(text, words)
    if not (told or habit) or would_only(text, words):
        return [], []
    earlier = [m for m in islice(desk.newest(), _FAR) if _may_close(m, candidate, desk)]
    sure: list[Memory] = []
    unsure: list[Memory] = []
    for _, awaited, alone in told:
        open_ = [m for m in earlier if has(m.text, words, awaited)]
        named = [m for m in open_ if _of_same(text, m.text, words) and not _is_at_home(m, words)]
        sure += named or (open_ if alone and len(open_) == 1 else [])
        unsure += [] if named or (alone and len(open_) == 1) else open_
    sure += [m for m in earlier if _changes_habit(text, m.text, words)]
    return sure, [m for m in unsure if m not in sure]


def _is_said(text: str, name: str, words: Language) -> bool:
    """Whether a clause of a text holds a phrase of the list and means it: "she nearly flew home" does not."""
    for clause in (c for s in sentences(text, words) for c in clauses(s.plain)):
        span = find(clause, words, name)
        if span and is_meant(Place(clause, span, clause[span[1] :]), words):
            return True
    return False


def _may_close(memory: Memory, candidate: Candidate, desk: Desk) -> bool:
    kept = memory.kind in (Kind.PROMISE, Kind.PREFERENCE) or memory.scope is Scope.THREAD
    return not kept and is_closable(memory, candidate, desk)


def _is_at_home(memory: Memory, words: Language) -> bool:
    """Whether a memory also says where somebody lives, which no going home ends."""
    staying = {t.word for entry in words.words["visits"] for t in tokens(entry)}
    return any(t.word in words.words["ties_home"] - staying for t in tokens(memory.text))


def _holds(text: str, outcome: str, words: Language) -> bool:
    """Whether an outcome is of what was awaited: "I was born in 1980" is no birth."""
    span = find(text, words, outcome)
    if span is None:
        return False
    before = [t.word for t in tokens(text[: span[0]])][-3:]
    if outcome == "births":
        own = any(w in words.words["first_subjects"] for w in before)
        years = any(v.text.isdigit() and len(v.text) == _YEAR for v in values(text, words))
        return not own and not years
    if outcome == "went_home":
        return not any(w in words.words["subjects"] for w in before)
    return True


#: Digits of a year. Source: the calendar.
_YEAR = 4


def _of_same(new: str, old: str, words: Language) -> bool:
    """Whether both texts name the same person, relative or thing."""
    return bool(_named(new, words) & _named(old, words))


def _named(text: str, words: Language) -> frozenset[str]:
    circle = words.words["circle"]
    kin = {i.form for i in read(text, words).items if i.word in circle or i.sort == "relation"}
    return topics(text, words) | kin


# --- habits ---


@lru_cache(maxsize=8)
def _groups(code: str) -> tuple[frozenset[str], ...]:
    lines = sorted(language(code).words["habits"])
    return tuple(
        frozenset(" ".join(t.word for t in tokens(said)) for said in line.split("="))
        for line in lines
    )


def _habits(text: str, words: Language) -> set[int]:
    """Which habits a text speaks of, by their place in the list."""
    said = f" {' '.join(t.word for t in tokens(text))} "
    groups = enumerate(_groups(words.code))
    return {n for n, group in groups if any(f" {one} " in said for one in group)}


def _changes_habit(new: str, old: str, words: Language) -> bool:
    """Whether a text ends, resumes or measures anew the habit of the person that an older one tells of."""
    if not _habits(new, words) & _habits(old, words):
        return False
    if _is_others(new, words) or _is_others(old, words):
        return False
    was, now = _state(old, words), _state(new, words)
    if now in ("ceased", "back"):
        return was != now
    return now == "measured" and was in ("usual", "measured", "back") and _counts(old, words)


def _state(text: str, words: Language) -> str:
    clauses_of = _spans(text)
    for part in clauses_of:
        if has(part, words, "relapses"):
            return "back"
    for part in clauses_of:
        if _is_said(part, "abstains", words) and _habits(part, words):
            return "ceased"
    if has(text, words, "measured_down") and _counts(text, words):
        return "measured"
    return "usual"


def _spans(text: str) -> list[str]:
    return [p for p in text.replace("!", ".").replace("…", ".").split(".") if p.strip()]


def _counts(text: str, words: Language) -> bool:
    """Whether a text gives the measure of a habit: "a pack a day", "half a pack", "ten cigarettes"."""
    counted = words.words["measures_of_habit"]
    return any(v.sort == "figure" for v in values(text, words)) or any(
        t.word in counted for t in tokens(text)
    )


def _is_others(text: str, words: Language) -> bool:
    """Whether somebody else is who a text is about ("my brother smokes")."""
    spoken = [t.word for t in tokens(text)]
    mine = any(w in words.words["subjects"] for w in spoken)
    theirs = any(w in words.words["circle"] for w in spoken) or any(
        w in words.words["third_person"] - words.words["things_said"] for w in spoken
    )
    return theirs and not mine


def told_of_it(old: str, new: str, words: Language) -> str:
    """The newer text with the part of the older one that it answers: what the older tells beside that is more."""
    parts = [c for s in sentences(old, words) for c in clauses(s.plain)]
    waited = [c for c in parts if any(has(c, words, awaited) for _, awaited, _ in _OUTCOMES)]
    usual = [c for c in parts if _habits(c, words) & _habits(new, words)]
    return " . ".join([new, *waited, *usual])


def doubts(pairs: list[Memory], noted: Memory, desk: Desk) -> None:
    """Journals each memory that may have come out, where the words do not show it surely."""
    for old in _first(pairs):
        desk.pair("doubted", noted, old, "perhaps over by now")


def _first(memories: list[Memory]) -> Iterator[Memory]:
    return islice(memories, 1)
