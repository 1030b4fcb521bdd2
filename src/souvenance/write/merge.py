"""Decides what becomes of each candidate beside what is already known: added, merged, superseded, restated.

It is pure: states and candidates in, writes and reasons out. Every doubt leans towards a repetition.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Literal

from souvenance.domain import (
    Address,
    Candidate,
    Cause,
    Isolation,
    JournalEntry,
    Kind,
    Memory,
    MemoryId,
    MessageId,
    Redacted,
    Scope,
    Seq,
    Source,
    Status,
    ThreadId,
    TimelineId,
)
from souvenance.lang import Language, fold, language
from souvenance.write.corrections import (
    change,
    covers,
    denies_value,
    is_bare,
    points_back,
    replace_values,
    richer,
)
from souvenance.write.days import upcoming
from souvenance.write.decisive import read
from souvenance.write.endings import ends
from souvenance.write.phrases import has
from souvenance.write.similarity import compare, overlap
from souvenance.write.slots import slot
from souvenance.write.values import values
from souvenance.writes import AddJournal, AddVersion

Action = Literal["added", "merged", "superseded", "restated", "dropped"]


@dataclass(frozen=True, slots=True)
class Setting:
    """Where and when a batch is settled, who settles it, and how new memories are named."""

    address: Address
    timeline: TimelineId
    thread: ThreadId
    isolation: Isolation
    at: datetime
    turn: int
    language: str
    by: Literal["reflection"]
    ref: str
    new_id: Callable[[], MemoryId]


@dataclass(frozen=True, slots=True)
class Noted:
    """What became of one candidate, and why. `memory` is the state that holds it now, None when dropped."""

    action: Action
    memory: Memory | None
    reason: str


@dataclass(frozen=True, slots=True)
class Settlement:
    """Everything one batch writes, at most one version per memory, and what was decided, in order."""

    writes: tuple[AddVersion | AddJournal, ...]
    noted: tuple[Noted, ...]


def settle(kept: Sequence[Candidate], memories: Sequence[Memory], setting: Setting) -> Settlement:
    """What the candidates change in `memories` (current states of the view, any status).

    Order: as given; a later candidate sees what an earlier one did.
    Settling the same candidates of the same messages again writes no version.
    """
    desk = _Desk(memories, setting)
    noted = [_settle_one(candidate, desk) for candidate in kept]
    return Settlement((*desk.versions(), *desk.journal), tuple(noted))


#: The strongest first. A weaker source never rewrites or closes what a stronger one said.
_STRENGTH = (Source.HAND, Source.PERSON, Source.AGENT, Source.CHARACTER, Source.INFERRED)


class _Desk:
    """The states as the batch goes, and what will be written of them."""

    def __init__(self, memories: Sequence[Memory], setting: Setting) -> None:
        self.setting = setting
        self.words: Language = language(setting.language)
        self.journal: list[AddJournal] = []
        self._states = {m.memory_id: m for m in memories}
        self._read = {m.memory_id: m for m in memories}

    def visible(self) -> list[Memory]:
        """States the candidate may touch: global ones and those of its thread, oldest first."""
        strict = self.setting.isolation == "thread"
        here = (self.setting.thread,) if strict else (None, self.setting.thread)
        return [m for m in self._states.values() if m.thread in here]

    def put(self, memory: Memory) -> None:
        self._states[memory.memory_id] = memory

    def versions(self) -> list[AddVersion]:
        """One version per state that changed, decided on the state that was read."""
        changed = (m for i, m in self._states.items() if self._read.get(i) != m)
        return [AddVersion(m, self._expected(m.memory_id)) for m in changed]

    def _expected(self, memory_id: MemoryId) -> Seq | None:
        known = self._read.get(memory_id)
        return None if known is None else known.seq_from

    def note(self, action: Action, memory: Memory | None, text: str, reason: str) -> Noted:
        """The decision, journalled."""
        setting = self.setting
        entry = JournalEntry(
            setting.address,
            memory.thread if memory else setting.thread,
            setting.at,
            action,
            memory_id=memory.memory_id if memory else None,
            text=Redacted(text),
            reason=reason,
            ref=setting.ref,
        )
        self.journal.append(AddJournal(entry))
        return Noted(action, memory, reason)


def _settle_one(candidate: Candidate, desk: _Desk) -> Noted:
    if candidate.kind is Kind.RULE:
        return desk.note("dropped", None, candidate.text, "a rule is only ever made by a hand")
    if not candidate.text.strip():
        return Noted("dropped", None, "empty")
    known = _told_before(candidate, desk)
    if known is not None:
        if known.status is Status.FORGOTTEN:
            return desk.note("dropped", None, "", "forgotten by the person, and not said anew")
        return Noted("restated", known, "already noted from the same messages")
    twin = _twin(candidate, desk)
    if twin is not None:
        return _absorb(candidate, *twin, desk)
    target = _target(candidate, desk)
    if target is None and _says_of_nothing(candidate, desk.words):
        target = _unplaced(candidate, desk)
    if target is None and _says_of_nothing(candidate, desk.words):
        return desk.note("dropped", None, candidate.text, "it corrects nothing that was noted")
    noted = _supersede(candidate, target, desk) if target else _add(candidate, desk, "new")
    _close_ended(candidate, noted.memory, desk)
    return noted


def _close_ended(candidate: Candidate, new: Memory | None, desk: _Desk) -> None:
    """Closes what the candidate says is over: a home, a job, a couple."""
    for old in desk.visible() if new else ():
        held = old.pinned or old.edited or _weaker(candidate, old)
        if (
            new
            and not held
            and _closable(old, candidate, desk)
            and ends(candidate.text, old.text, desk.words)
        ):
            _close(old, new, candidate, "over by now", desk)
            desk.note("superseded", new, candidate.text, f"ends: {old.text}")


def _says_of_nothing(candidate: Candidate, words: Language) -> bool:
    """Whether the candidate only gives a value, and what it is the value of was never noted."""
    corrects = change(candidate.text, words) == "correction"
    return corrects and not candidate.attribute and is_bare(candidate.text, words)


def _unplaced(candidate: Candidate, desk: _Desk) -> _Target | None:
    """The sentence just said that has several values the bare one could replace, followed by it."""
    told = values(candidate.text, desk.words)
    earlier = [m for m in reversed(desk.visible()) if _told_earlier(m, candidate, desk)]
    for memory in (m for m in earlier[:_REACH] if _closable(m, candidate, desk)):
        known = values(memory.text, desk.words)
        if any(k.sort == t.sort for k in known for t in told):
            before = memory.text.rstrip()
            stop = "" if before.endswith((".", "!", "?", "…")) else "."
            text = f"{before}{stop} {candidate.text}"
            return _Target(memory, text, True, "a correction that could take several places")
    return None


# --- already known from the same words ------------------------------------------------------------


def _told_before(candidate: Candidate, desk: _Desk) -> Memory | None:
    """The memory that already came of the same words of the same messages; forgotten ones win."""
    said = set(candidate.messages)
    found = [
        m
        for m in desk.visible()
        if said and said <= set(m.messages) and _same_words(candidate, m, desk.words)
    ]
    found.sort(key=lambda m: m.status is not Status.FORGOTTEN)
    return found[0] if found else None


def _same_words(candidate: Candidate, memory: Memory, words: Language) -> bool:
    if fold(candidate.text) == fold(memory.text):
        return True
    if candidate.quote and fold(candidate.quote) == fold(memory.quote):
        return not (candidate.attribute and memory.attribute) or (
            candidate.attribute == memory.attribute and candidate.value == memory.value
        )
    return compare(candidate.text, memory.text, words).same


# --- the same fact again --------------------------------------------------------------------------


def _twin(candidate: Candidate, desk: _Desk) -> tuple[Memory, str] | None:
    """The active memory that tells the same fact, the closest first, and why it does."""
    reading = read(candidate.text, desk.words)
    found: list[tuple[float, Memory, str]] = []
    for memory in desk.visible():
        if memory.status is not Status.ACTIVE or memory.kind is Kind.RULE:
            continue
        if _wider(candidate, memory, desk) or _other_voice(candidate, memory):
            continue
        if overlap(reading, read(memory.text, desk.words)) < 0.5:
            continue
        compared = compare(candidate.text, memory.text, desk.words)
        if compared.same:
            found.append((compared.score, memory, compared.why))
    if not found:
        return None
    _, memory, why = max(found, key=lambda f: f[0])
    return memory, why


def _wider(candidate: Candidate, memory: Memory, desk: _Desk) -> bool:
    """Whether the candidate would be known in more threads than the memory: merging would hide it there."""
    return _thread(candidate, desk.setting) is None and memory.thread is not None


def _other_voice(candidate: Candidate, memory: Memory) -> bool:
    """A promise of the character and one of the person are never the same promise."""
    return (memory.source is Source.CHARACTER) != (candidate.spoken_by == "character")


def _absorb(candidate: Candidate, memory: Memory, why: str, desk: _Desk) -> Noted:
    if memory.edited or memory.pinned:
        held = "pinned" if memory.pinned else "worded by hand"
        return desk.note("restated", memory, candidate.text, f"{held}, left as it is")
    if _weaker(candidate, memory) or not richer(candidate.text, memory.text, desk.words):
        return desk.note("restated", memory, candidate.text, f"said again: {why}")
    merged = replace(
        memory,
        text=Redacted(candidate.text),
        quote=Redacted(candidate.quote),
        messages=_joined(memory.messages, candidate.messages),
        changed_at=desk.setting.at,
        cause=Cause("merge", desk.setting.ref, why),
        entity=candidate.entity or memory.entity,
        attribute=candidate.attribute or memory.attribute,
        value=candidate.value or memory.value,
        starts=candidate.starts or memory.starts,
        until=_after(candidate.starts or memory.starts, candidate.until or memory.until),
        importance=max(memory.importance, candidate.importance),
    )
    desk.put(merged)
    return desk.note("merged", merged, candidate.text, why)


def _joined(*spans: tuple[MessageId, ...]) -> tuple[MessageId, ...]:
    return tuple(dict.fromkeys(i for span in spans for i in span))


def _source(candidate: Candidate) -> Source:
    if candidate.spoken_by == "character":
        return Source.CHARACTER
    return Source.PERSON if candidate.quote.strip() else Source.INFERRED


def _weaker(candidate: Candidate, memory: Memory) -> bool:
    return _STRENGTH.index(_source(candidate)) > max(
        _STRENGTH.index(memory.source), _STRENGTH.index(Source.PERSON)
    )


# --- a new value in the place of an old one --------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Target:
    """The memory whose value is replaced, the wording that takes its place, and why."""

    memory: Memory
    text: str
    rests_on_both: bool
    reason: str


def _target(candidate: Candidate, desk: _Desk) -> _Target | None:
    kind = change(candidate.text, desk.words)
    if kind == "later" or candidate.spoken_by == "character":
        return None
    recent = [m for m in reversed(desk.visible()) if _closable(m, candidate, desk)]
    for memory in recent:
        if _same_slot(candidate, memory):
            return _replacement(candidate, memory, desk, f"new value of {candidate.attribute}")
    done = next((m for m in recent if _completes(candidate, m, desk.words)), None)
    if done is not None:
        return _Target(done, candidate.text, False, "done")
    if kind == "":
        return None
    earlier = [m for m in reversed(desk.visible()) if _told_earlier(m, candidate, desk)]
    for age, memory in enumerate(earlier):
        if _closable(memory, candidate, desk) and _about_the_same(
            candidate, memory, age, kind, desk.words
        ):
            return _replacement(candidate, memory, desk, f"{kind} of what was said")
    return None


def _closable(memory: Memory, candidate: Candidate, desk: _Desk) -> bool:
    """Whether the candidate may close a memory: never one that was only told after it."""
    return (
        memory.status is Status.ACTIVE
        and memory.kind is not Kind.RULE
        and _told_earlier(memory, candidate, desk)
        and not _other_voice(candidate, memory)
    )


def _told_earlier(memory: Memory, candidate: Candidate, desk: _Desk) -> bool:
    return memory.born_at <= desk.setting.at and not set(candidate.messages) & set(memory.messages)


def _same_slot(candidate: Candidate, memory: Memory) -> bool:
    if not (candidate.entity and candidate.attribute and candidate.value):
        return False
    return (
        candidate.entity == memory.entity
        and candidate.attribute == memory.attribute
        and memory.value is not None
        and fold(candidate.value) != fold(memory.value)
    )


def _completes(candidate: Candidate, memory: Memory, words: Language) -> bool:
    """Whether the candidate says that what the memory promised or awaited has taken place."""
    dated = bool(values(memory.text, words)) and has(memory.text, words, "appointments")
    awaited = memory.kind is Kind.PROMISE or (memory.kind is not Kind.EPISODE and dated)
    if not awaited or not has(candidate.text, words, "completion_cues"):
        return False
    cues = {w for entry in words.words["completion_cues"] for w in words.stems(entry)}
    mine = {i.form for i in read(candidate.text, words).content if i.sort == "word"} - cues
    return bool(mine & {i.form for i in read(memory.text, words).content if i.sort == "word"})


#: A correction reaches back this many memories without sharing a word with what it corrects.
#: Chosen, not measured: "no, wait" answers what was just said, and one message may have made several.
_REACH = 3


#: A correction that denies the old value ("not September") reaches this far. Chosen, not measured.
_DENIAL_REACH = 10


def _about_the_same(
    candidate: Candidate, memory: Memory, age: int, kind: str, words: Language
) -> bool:
    if replace_values(memory.text, candidate.text, words) is None:
        return False
    mine = {i.form for i in read(candidate.text, words).content if i.sort in ("word", "name")}
    theirs = {i.form for i in read(memory.text, words).content if i.sort in ("word", "name")}
    if mine & theirs:
        return True
    if denies_value(candidate.text, memory.text, words) and age < _DENIAL_REACH:
        return True
    points = kind == "correction" or points_back(candidate.text, words)
    return points and age < _REACH


def _replacement(candidate: Candidate, memory: Memory, desk: _Desk, reason: str) -> _Target:
    """The new wording: the old sentence with the new value when the correction cannot stand alone."""
    substituted = replace_values(memory.text, candidate.text, desk.words)
    if substituted is None or covers(candidate.text, memory.text, desk.words):
        return _Target(memory, candidate.text, False, reason)
    return _Target(memory, substituted, True, reason)


def _supersede(candidate: Candidate, target: _Target, desk: _Desk) -> Noted:
    old = target.memory
    if old.pinned or old.edited or _weaker(candidate, old):
        held = "pinned" if old.pinned else "worded by hand" if old.edited else "said by the person"
        return _add(candidate, desk, f"stands beside {old.memory_id}, which is {held}")
    new = _new(candidate, desk, Cause("supersession", desk.setting.ref, target.reason))
    new = replace(new, text=Redacted(target.text))
    if target.rests_on_both:
        new = replace(
            new,
            messages=_joined(old.messages, candidate.messages),
            kind=old.kind,
            entity=candidate.entity or old.entity,
            attribute=candidate.attribute or old.attribute,
            value=candidate.value or _value(target.text, desk.words),
            starts=_starts(target, candidate, desk),
        )
    _close(old, new, candidate, target.reason, desk)
    desk.put(new)
    return desk.note("superseded", new, target.text, f"takes the place of: {old.text}")


def _effective(candidate: Candidate, at: datetime) -> date:
    """The day the change takes effect: the one that was said when it is past, else today."""
    today = at.date()
    return candidate.starts if candidate.starts and candidate.starts < today else today


def _close(old: Memory, new: Memory, candidate: Candidate, reason: str, desk: _Desk) -> None:
    closed = replace(
        old,
        status=Status.SUPERSEDED,
        until=_after(old.starts, _effective(candidate, desk.setting.at)),
        successor=new.memory_id,
        changed_at=desk.setting.at,
        cause=Cause("supersession", desk.setting.ref, reason),
    )
    desk.put(closed)


def _value(text: str, words: Language) -> str | None:
    found = slot(text, words)
    return found.value if found else None


def _starts(target: _Target, candidate: Candidate, desk: _Desk) -> date | None:
    """When a composed sentence begins to hold, read again in it: its day is not the old one's."""
    if target.memory.starts is None and change(target.text, desk.words) != "later":
        return candidate.starts
    return upcoming(target.text, desk.words, desk.setting.at.date())


def _after(starts: date | None, until: date | None) -> date | None:
    """The end of what holds from `starts` on: never before it, even when it was called off."""
    return max(starts, until) if starts and until else until


# --- new ------------------------------------------------------------------------------------------


def _thread(candidate: Candidate, setting: Setting) -> ThreadId | None:
    everywhere = candidate.scope is Scope.GLOBAL and setting.isolation == "character"
    return None if everywhere else setting.thread


def _new(candidate: Candidate, desk: _Desk, cause: Cause) -> Memory:
    setting = desk.setting
    return Memory(
        memory_id=setting.new_id(),
        address=setting.address,
        timeline=setting.timeline,
        thread=_thread(candidate, setting),
        kind=candidate.kind,
        text=Redacted(candidate.text),
        born_at=setting.at,
        changed_at=setting.at,
        cause=cause,
        source=_source(candidate),
        importance=candidate.importance,
        confidence=candidate.confidence,
        quote=Redacted(candidate.quote),
        messages=candidate.messages,
        entity=candidate.entity,
        attribute=candidate.attribute,
        value=candidate.value,
        starts=candidate.starts,
        until=_after(candidate.starts, candidate.until),
        born_turn=setting.turn,
    )


def _add(candidate: Candidate, desk: _Desk, reason: str) -> Noted:
    memory = _new(candidate, desk, Cause(desk.setting.by, desk.setting.ref, reason))
    desk.put(memory)
    return desk.note("added", memory, candidate.text, reason)
