"""Tells when a sentence says that something told earlier is over: kept, taken place, given up, sold, found.

"I packed in the pottery" ends "I do pottery on Mondays"; where the words do not show it, both stand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from itertools import islice, pairwise
from typing import Literal

from souvenance.domain import Candidate, Kind, Memory, Scope
from souvenance.lang import Language, language, tokens
from souvenance.write.dates import local_day, upcoming
from souvenance.write.desk import Desk, is_closable
from souvenance.write.over.corrections import change
from souvenance.write.over.earnest import (
    Place,
    is_elsewhere,
    is_for_a_while,
    is_long_ago,
    is_meant,
    is_of_other_doing,
    is_outing,
)
from souvenance.write.over.whose import ME, THING, bearers, owners_named
from souvenance.write.told.requests import is_given_up
from souvenance.write.told.voices import own_words
from souvenance.write.words.clipping import are_one_word
from souvenance.write.words.decisive import Item, read
from souvenance.write.words.phrases import find, has
from souvenance.write.words.sentences import clauses, sentences
from souvenance.write.words.values import values

How = Literal["kept", "done", "given up", "sold", "found", "called off"]


@dataclass(frozen=True, slots=True)
class Ending:
    """What a sentence says is over: in what way, and the forms of its words that name the thing."""

    how: How
    forms: frozenset[str]
    said: str = ""  # the sentence that says so
    place: Place | None = None  # where in it


#: Memories told before the candidate that are looked at for an ending. Chosen, not measured: it bounds the work.
_FAR = 400


def finished(candidate: Candidate, desk: Desk) -> list[tuple[Memory, str]]:
    """The memories that the candidate says are over, and how; newest first."""
    if candidate.spoken_by == "character" or candidate.scope is Scope.THREAD:
        return []
    told = endings(own_words(candidate.text, desk.words), desk.words, desk.setting.day)
    if not told:
        return []
    earlier = islice((m for m in desk.newest() if is_closable(m, candidate, desk)), _FAR)
    shelf = _Shelf(list(earlier), list(islice(desk.newest(), _FAR)), desk)
    found: dict[str, tuple[Memory, str]] = {}
    for ending in told:
        for memory in shelf.over(ending):
            found.setdefault(memory.memory_id, (memory, ending.how))
    return list(found.values())


def recurs(text: str, words: Language) -> bool:
    """Whether what a text tells comes back: a birthday, "every Tuesday", "le mardi" without a date."""
    dated = any(v.sort == "date" for v in values(text, words))
    return has(text, words, "recurring") or (not dated and has(text, words, "weekly"))


def differ_in_names(a: str, b: str, words: Language) -> bool:
    """Whether both texts name somebody or something, and nobody in common: "I called Ana" is not "I'd call Tom"."""
    mine, theirs = ({i.form for i in read(t, words).items if i.sort == "name"} for t in (a, b))
    return bool(mine and theirs) and not mine & theirs


def endings(text: str, words: Language, today: date) -> list[Ending]:
    """What a text says is over by now; a change announced for later is none."""
    if is_given_up(text, words):
        return [Ending("called off", _topics(text, words))]
    found: list[Ending] = []
    whole = _topics(text, words)
    for sentence in (s.plain for s in sentences(text, words)):
        if _is_said(sentence, "promise_kept", words):
            found.append(Ending("kept", whole, text))
        if _is_later(sentence, words, today):
            continue
        if _is_said(sentence, "results", words):
            found.append(Ending("done", whole, sentence))
            alone = _topics(sentence, words)
            if len(alone) <= _BARE < len(whole):
                found.append(Ending("done", alone, sentence))  # "They said yes. Well, sort of."
        found += _of_clauses(sentence, words)
    return found


def _is_said(sentence: str, name: str, words: Language) -> bool:
    """Whether a clause holds a phrase of the list and means it."""
    for clause in clauses(sentence):
        span = find(clause, words, name)
        if span and is_meant(Place(clause, span, clause[span[1] :]), words):
            return True
    return has(sentence, words, name) and not any(has(c, words, name) for c in clauses(sentence))


def _is_later(sentence: str, words: Language, today: date) -> bool:
    said = _without_stopped(sentence, words)
    return change(said, words) == "later" or upcoming(said, words, today) is not None


def _without_stopped(sentence: str, words: Language) -> str:
    """The sentence without the verb that is stopped: "stopped going to the gym" announces nothing."""
    span = find(sentence, words, "over_stops")
    after = [t for t in tokens(sentence) if span and t.start >= span[1]][:1]
    if not after or not words.ends(after[0].word, "act_endings"):
        return sentence
    return sentence[: after[0].start] + sentence[after[0].end :]


def _of_clauses(sentence: str, words: Language) -> Iterator[Ending]:
    before = ""
    for clause in clauses(sentence):
        for name, how in (("gives_up", "given up"), ("acquired", "found")):
            forms = _object(clause, before, name, words)
            place = _place(clause, sentence, name, words)
            apart = _is_others(clause, words) or _is_passing(clause, name, words)
            if forms and place and not apart and _is_own(place, forms, words):
                yield Ending(how, forms, clause, place)  # type: ignore[arg-type]
        place = _place(clause, sentence, "sold", words)
        if place and not _is_others(clause, words):
            yield Ending("sold", _topics(sentence, words), sentence, place)
        before = clause


def _place(clause: str, sentence: str, name: str, words: Language) -> Place | None:
    """Where a clause says something of the list; None when it does not, or does not mean it."""
    span = find(clause, words, name)
    if span is None or is_long_ago(clause, words):
        return None
    place = Place(clause, span, sentence[sentence.index(clause) + span[1] :])
    return place if is_meant(place, words) else None


def _is_own(place: Place, forms: frozenset[str], words: Language) -> bool:
    """Whether nobody else is who ends it; a thing may be what ends ("judo is over")."""
    found = bearers(place.clause, place.span[0], words)
    return ME in found or found <= forms or any(f.startswith(THING) for f in found)


def _is_partial(place: Place, earlier: str, words: Language) -> bool:
    """Whether only a part of what the earlier sentence tells is left off, or for a while."""
    leaves = has(place.clause[slice(*place.span)], words, "leaving")
    tail = place.clause[place.span[1] :]
    return (
        is_for_a_while(place.after, earlier, words)
        or has(tail, words, "over_aside")
        or (leaves and is_outing(tail, words))
        or is_of_other_doing(place.clause, place.span, earlier, words)
        or is_elsewhere(tail, earlier, words)
    )


def _object(clause: str, before: str, name: str, words: Language) -> frozenset[str]:
    """The forms of what the verb of the list is about: after it, else before it, else in the clause before."""
    span = find(clause, words, name)
    if span is None:
        return frozenset()
    content = [i for i in read(clause, words).items if _is_topic(i, words)]
    after = [i for i in content if i.start >= span[1]]
    earlier = [i for i in content if i.end <= span[0]]
    if after:
        return frozenset(i.form for i in _tied(after, clause, words))
    if earlier:
        tied = _tied(earlier[-_TIED:], clause, words)
        return frozenset(i.form for i in (tied if len(tied) > 1 else earlier[-1:]))
    return frozenset(i.form for i in read(before, words).items if _is_topic(i, words))


#: Words of the object that are read when "of" ties them ("club de boxe"). Chosen, not measured.
_TIED = 2


def _tied(items: list[Item], clause: str, words: Language) -> list[Item]:
    """The first word, and the next when it is its complement: "at the office" is none of "my umbrella"."""
    if len(items) < _TIED:
        return items
    if not _is_tied(items[0], items[1], clause, words):
        led = items[0].word in words.words["over_acting"] and _is_led_to(items, clause, words)
        return items[1:_TIED] if led else items[:1]
    doing = items[0].word in words.words["doings"]  # "stopped drinking wine" is of the wine
    return items[1:_TIED] if doing else items[:_TIED]


def _is_led_to(items: list[Item], clause: str, words: Language) -> bool:
    """Whether only small words stand between two words ("going to the gym")."""
    between = read(clause[items[0].end : items[1].start], words).items
    return not items[1].after_stop and not any(i.has_content for i in between)


def _is_tied(first: Item, second: Item, clause: str, words: Language) -> bool:
    """Whether two words stand side by side, or with "of" between them."""
    between = read(clause[first.end : second.start], words).items
    return not second.after_stop and all(i.word in words.words["of_links"] for i in between)


def _is_passing(clause: str, name: str, words: Language) -> bool:
    """Whether a place is only left for the evening, or a thing is somebody's ("we took my uncle's kayak")."""
    items = read(clause, words).items
    if name == "gives_up":
        return has(clause, words, "leaving") and any(i.sort == "moment" for i in items)
    return any(
        a.word in words.words["of_links"] and b.word in words.words["possessives"]
        for a, b in pairwise(items)
    )


def _is_others(clause: str, words: Language) -> bool:
    """Whether somebody else is the subject of a clause ("my sister quit ballet")."""
    first = next(iter(read(clause, words).items), None)
    spoken = {i.word for i in read(clause, words).items}
    mine = bool(spoken & words.words["first_person"])
    theirs = words.words["third_person"] - {"ca", "c", "ce", "cela", "it", "its", "that"}
    owned = first is not None and first.word in words.words["possessives"]
    circle = bool(spoken & words.words["circle"])
    return (owned and circle) or (not mine and bool(spoken & theirs))


class _Shelf:
    """The memories that an ending may close, newest first."""

    def __init__(self, memories: list[Memory], told: list[Memory], desk: Desk) -> None:
        self.memories, self.words = memories, desk.words
        self._replaced = {m.successor: m for m in told if m.successor is not None}
        self.today, self.zone = desk.setting.day, desk.setting.time_zone

    def over(self, ending: Ending) -> list[Memory]:
        """The memories of what the ending names; when it names nothing, the only one that it can mean."""
        named = [
            m
            for m in self.memories
            if any(self._names(ending, t) for t in self._lineage(m)) and self._may_any(ending, m)
        ]
        others = _is_others(ending.said, self.words)
        bare = len(ending.forms) <= _BARE and not _names_another(ending, self.words)
        bare = bare and (not others or has(ending.said, self.words, "verdicts"))
        if named or not bare or ending.how not in ("kept", "done"):
            return named
        meant = [m for m in self.memories if self._may_any(ending, m)]
        open_ = [m for m in meant if ending.how == "kept" or self._is_just_past(m)]
        return open_ if len(open_) == 1 else []

    def _may_any(self, ending: Ending, memory: Memory) -> bool:
        return any(self._may(ending.how, told) for told in self._lineage(memory))

    def _lineage(self, memory: Memory) -> Iterator[Memory]:
        """A memory, then the ones that it took the place of: what "it's Thursdays now" is of, they name."""
        seen: set[str] = set()
        known: Memory | None = memory
        while known is not None and known.memory_id not in seen:
            seen.add(known.memory_id)
            yield known
            known = self._replaced.get(known.memory_id)

    def _may(self, how: How, memory: Memory) -> bool:
        """Whether a memory is of the sort that ends in that way."""
        text = memory.text
        if memory.scope is Scope.THREAD:
            return False
        if how == "kept":
            return memory.kind is Kind.PROMISE
        if how == "done":
            if not has(text, self.words, "appointments") or recurs(text, self.words):
                return False
            day = self._day(memory)
            return day is not None and day <= self.today
        if how == "sold":
            money = any(
                i.sort == "figure" and i.form[-1:] in "€$£" for i in read(text, self.words).items
            )
            return has(text, self.words, "selling") or (money and self._changed(text))
        if how == "found":
            return has(text, self.words, "seeking")
        if how == "called off":
            day = self._day(memory)
            return day is not None and day > self.today
        return self._is_activity(memory)

    def _changed(self, text: str) -> bool:
        return change(text, self.words) in ("update", "correction")

    def _is_activity(self, memory: Memory) -> bool:
        if memory.kind not in (Kind.FACT, Kind.EPISODE, Kind.PLAN):
            return False
        return not has(memory.text, self.words, "gives_up")

    def _names(self, ending: Ending, memory: Memory) -> bool:
        """Whether a memory tells of the named thing, in the part of it that ends."""
        words = self.words
        if ending.how == "kept":
            apart = differ_in_names(ending.said, memory.text, words)
            return not apart and _shares(ending.forms, _topics(memory.text, words), words)
        if ending.how == "done" and is_of_other_owner(ending.said, memory.text, words):
            return False
        if ending.how in _THINGS and is_of_another(ending.said, memory.text, words):
            return False
        if ending.how == "done":
            return any(
                _shares(ending.forms, _topics(c, words), words)
                for c in _clauses_of(memory.text, words)
                if _is_dated(c, words) or has(c, words, "appointments")
            )
        if ending.how == "called off":
            common = ending.forms & _topics(memory.text, words)
            named = {i.form for i in read(memory.text, words).items if i.sort == "name"}
            return len(common) >= _PLAN or bool(common & named)
        if ending.how == "given up":
            first = _main_clause(memory.text, words)
            doing = has(first, words, "doings") and not _is_turned(first, words)
            doing = doing and not _is_others(first, words)
            if ending.place and _is_partial(ending.place, memory.text, words):
                return False
            return doing and _shares(ending.forms, _topics(first, words), words)
        return _shares(ending.forms, _topics(memory.text, words), words)

    def _day(self, memory: Memory) -> date | None:
        """The day that a memory awaits, read from when it was told; None when it names none."""
        told = local_day(memory.born_at, self.zone)
        found = memory.starts or upcoming(memory.text, self.words, told)
        return found or upcoming(_without_now(memory.text, self.words), self.words, told)

    def _is_just_past(self, memory: Memory) -> bool:
        day = self._day(memory)
        return day is not None and timedelta(0) <= self.today - day <= _JUST


def _without_now(text: str, words: Language) -> str:
    """A text without the words for now: "it's the 17th now" awaits the 17th."""
    cut = [t for t in tokens(text) if t.word in words.words["date_now"]]
    starts, ends = [0, *(t.end for t in cut)], [*(t.start for t in cut), len(text)]
    return "".join(text[a:b] for a, b in zip(starts, ends, strict=True))


#: Endings of a thing that another may be named like ("the exam", "the French exam").
_THINGS = ("done", "found", "sold")

#: A bare "passed it!" means the appointment of the last days. Chosen, not measured.
_JUST = timedelta(days=10)

#: A sentence with at most this many topics names nothing by itself. Chosen, not measured.
_BARE = 1

#: A plan that was called off shares a name or this many topics with what announced it. Chosen, not measured.
_PLAN = 2


def _names_another(ending: Ending, words: Language) -> bool:
    """Whether the sentence names a thing or somebody that no memory told of ("the film went well")."""
    name = "results" if ending.how == "done" else "promise_kept"
    span = find(ending.said, words, name)
    items = [i for i in read(ending.said, words).items if _is_topic(i, words)]
    before = [i for i in items if span and i.end <= span[0]]
    led = any(f.startswith(THING) for f in bearers(ending.said, span[0], words)) if span else False
    apart = [i for i in before if i.word not in words.words["appointments"]]
    return (led and bool(apart)) or any(i.sort == "name" for i in items)


def is_of_another(said: str, told: str, words: Language) -> bool:
    """Whether every word that a sentence has in common with an earlier one is tied to one that is not there:
    "the French exam" is not the exam in physics, nor "house keys" the house."""
    known = _topics(told, words)
    items = [i for i in read(said, words).items if _is_topic(i, words)]
    common = [n for n, i in enumerate(items) if _shares(frozenset({i.form}), known, words)]
    return bool(common) and all(_is_tied_apart(items, n, known, said, words) for n in common)


def _is_tied_apart(
    items: list[Item], n: int, known: frozenset[str], said: str, words: Language
) -> bool:
    beside = [(items[n - 1], items[n])] if n else []
    beside += [(items[n], items[n + 1])] if n + 1 < len(items) else []
    return any(
        _is_tied(a, b, said, words)
        and not {a.form, b.form} <= known
        and not _glued(a, b, known, words)
        for a, b in beside
    )


def _glued(a: Item, b: Item, known: frozenset[str], words: Language) -> bool:
    """Whether both words are known of the memory, one of them cut short."""
    return all(_shares(frozenset({i.form}), known, words) for i in (a, b))


def _shares(a: frozenset[str], b: frozenset[str], words: Language) -> bool:
    """Whether two sets of forms have one in common, a word cut short read as the whole."""
    return bool(a & b) or any(are_one_word(x, y, words) for x in a for y in b)


def is_of_other_owner(said: str, told: str, words: Language) -> bool:
    """Whether a sentence tells of what somebody else did, or is of theirs, whom the earlier one does not name."""
    span = find(said, words, "results") or find(said, words, "completion_cues") or (0, 0)
    known = {i.form for i in read(told, words).items}
    owners = owners_named(said, words)
    if owners and not owners & known:
        return True
    first = next(iter(read(said, words).items), None)
    kin = words.words["circle"] - words.words["healers"]
    names = {i.form for i in read(said, words).items if i.word in kin}
    leads = first is not None and first.word in words.words["possessives"]
    does = bearers(said, span[0], words)
    return bool(leads and names & does and not names & known)


def _topics(text: str, words: Language) -> frozenset[str]:
    return frozenset(i.form for i in read(text, words).items if _is_topic(i, words))


def _is_topic(item: Item, words: Language) -> bool:
    if item.sort not in ("word", "name"):
        return False
    return not (item.word in words.words["amounts"] or item.form in _cue_forms(words))


#: Lists whose words say that something is over, not of what.
_CUES = (
    "promise_kept",
    "results",
    "verdicts",
    "gives_up",
    "sold",
    "acquired",
    "given_up",
    "planned",
)


def _cue_forms(words: Language) -> frozenset[str]:
    """Forms of the words that say that something is over: they name no thing."""
    return _forms_of(words.code)


@lru_cache(maxsize=8)
def _forms_of(code: str) -> frozenset[str]:
    words = language(code)
    awaited = {stem for entry in words.words["appointments"] for stem in words.stems(entry)}
    cues = {stem for n in _CUES for entry in words.words[n] for stem in words.stems(entry)}
    return frozenset(cues - awaited)


def _clauses_of(text: str, words: Language) -> list[str]:
    return [c for s in sentences(text, words) for c in clauses(s.plain)]


def _main_clause(text: str, words: Language) -> str:
    """The first clause in which the person speaks of themself, else the first one."""
    parts = _clauses_of(text, words)
    mine = words.words["subjects"]
    own = (c for c in parts if any(i.word in mine for i in read(c, words).items))
    return next(own, parts[0] if parts else "")


def _is_turned(clause: str, words: Language) -> bool:
    return any(i.sort == "negation" for i in read(clause, words).items)


def _is_dated(clause: str, words: Language) -> bool:
    return any(i.sort in ("day", "month", "moment") for i in read(clause, words).items)
