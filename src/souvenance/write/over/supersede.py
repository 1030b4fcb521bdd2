"""Puts a new value in the place of an old one: which memory it replaces, in what words, and from which day.

The old value is closed and kept; where the words do not show what is replaced, nothing is closed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice

from souvenance.domain import Candidate, Cause, Kind, Memory, MemoryId, Redacted, Status
from souvenance.lang import Language, fold
from souvenance.write.attributes import Attribute, filed
from souvenance.write.attributes.record import MEASURED, SINGLE
from souvenance.write.dates import upcoming
from souvenance.write.desk import (
    EVERYWHERE,
    Desk,
    Noted,
    add,
    after,
    is_closable,
    is_told_earlier,
    joined,
    new_memory,
    why_held,
)
from souvenance.write.over.asides import tells_more
from souvenance.write.over.contrary import may_contradict
from souvenance.write.over.corrections import (
    asks_anew,
    change,
    covers,
    denies_value,
    is_bare,
    points_back,
    replace_values,
)
from souvenance.write.over.endings import ended_forms, ends
from souvenance.write.over.finishing import (
    differ_in_names,
    finished,
    is_of_another,
    is_of_other_owner,
    recurs,
)
from souvenance.write.over.moving import continues_rate, moves, shares_topic, stands_alone
from souvenance.write.over.outcomes import come_out, doubts, told_of_it
from souvenance.write.over.slots import denied, effect, ended, is_before, replaced, stands_bare
from souvenance.write.told.voices import is_voiced
from souvenance.write.words.decisive import read
from souvenance.write.words.phrases import has
from souvenance.write.words.values import values


@dataclass(frozen=True, slots=True)
class Target:
    """The memory whose value is replaced, the wording that takes its place, and why."""

    memory: Memory
    text: str
    rests_on_both: bool
    reason: str


def find_target(candidate: Candidate, desk: Desk) -> Target | None:
    """The memory whose value the candidate replaces, and how; None when it replaces none for sure."""
    kind = change(candidate.text, desk.words)
    if kind == "later" or not _is_own_word(candidate, desk.words):
        return None
    found = replaced(candidate, desk)
    if found is not None:
        return _with_value(candidate, *found, desk)
    for memory in reversed(_of_slot(candidate, desk)):
        if is_closable(memory, candidate, desk) and _same_figure(candidate, memory, kind):
            return _replacement(candidate, memory, desk, f"new value of {candidate.attribute}")
    for memory in reversed(desk.holding(_done_forms(candidate, desk.words))):
        if is_closable(memory, candidate, desk) and _completes(candidate, memory, desk):
            return Target(memory, candidate.text, False, "done")
    if kind == "":
        return None
    for age, memory in _by_age(candidate, desk):
        if is_closable(memory, candidate, desk) and _about_the_same(
            candidate, memory, age, kind, desk.words
        ):
            target = _replacement(candidate, memory, desk, f"{kind} of what was said")
            if target.rests_on_both or _is_whole(candidate, memory, desk.words):
                return target
    return None


def _is_own_word(candidate: Candidate, words: Language) -> bool:
    """Whether the person says it, of themself: not the character, nor somebody they quote."""
    return candidate.spoken_by != "character" and not is_voiced(candidate.text, words)


def _newest(candidate: Candidate, desk: Desk, most: int) -> list[Memory]:
    """The `most` memories told last before the candidate, of any status, newest first."""
    told = (m for m in desk.newest() if is_told_earlier(m, candidate, desk))
    return list(islice(told, most))


def _by_age(candidate: Candidate, desk: Desk) -> Iterator[tuple[int, Memory]]:
    """How many memories were told since, and the memory: those in reach, then those that share a word with the
    candidate, counted as just out of reach. Order: newest first."""
    near = _newest(candidate, desk, _DENIAL_REACH)
    yield from enumerate(near)
    close = {m.memory_id for m in near}
    shared = read(candidate.text, desk.words).topics
    for memory in reversed(desk.holding(shared)):
        if memory.memory_id not in close and is_told_earlier(memory, candidate, desk):
            yield _DENIAL_REACH, memory


def _of_slot(candidate: Candidate, desk: Desk) -> list[Memory]:
    if not (candidate.entity and candidate.attribute):
        return []
    return list(filter(desk.sees, desk.known.valued(candidate.attribute)))


def _same_figure(candidate: Candidate, memory: Memory, kind: str) -> bool:
    """Whether both give a figure to one word, or a value to what a model named alike and the words say is new."""
    if not (candidate.entity and candidate.attribute and candidate.value):
        return False
    if candidate.attribute.partition("/")[0] in SINGLE:
        return False  # `replaced` has decided
    return (kind != "" or candidate.attribute.startswith("figure/")) and (
        candidate.entity == memory.entity
        and candidate.attribute == memory.attribute
        and memory.value is not None
        and fold(candidate.value) != fold(memory.value)
    )


def _completes(candidate: Candidate, memory: Memory, desk: Desk) -> bool:
    """Whether the candidate says that what the memory promised or awaited has taken place."""
    words = desk.words
    if differ_in_names(candidate.text, memory.text, words) or is_before(candidate, memory, desk):
        return False
    dated = bool(values(memory.text, words)) and has(memory.text, words, "appointments")
    dated = dated and not recurs(memory.text, words)
    dated = dated and not is_of_another(candidate.text, memory.text, words)
    dated = dated and not is_of_other_owner(candidate.text, memory.text, words)
    awaited = memory.kind is Kind.PROMISE or (memory.kind is not Kind.EPISODE and dated)
    mine = _done_forms(candidate, words) if awaited else set()
    return bool(mine & {i.form for i in read(memory.text, words).content if i.sort == "word"})


def _done_forms(candidate: Candidate, words: Language) -> set[str]:
    """The words of a sentence that says something is done, those that say so left out; none when it does not."""
    if not has(candidate.text, words, "completion_cues"):
        return set()
    cues = {w for entry in words.words["completion_cues"] for w in words.stems(entry)}
    return {i.form for i in read(candidate.text, words).content if i.sort == "word"} - cues


#: A correction reaches back this many memories without sharing a word with what it corrects.
#: Chosen, not measured: "no, wait" answers what was just said, and one message may have made several.
_REACH = 3


#: A correction that denies the old value ("not September") reaches this far. Chosen, not measured.
_DENIAL_REACH = 10


def _about_the_same(
    candidate: Candidate, memory: Memory, age: int, kind: str, words: Language
) -> bool:
    """Whether a correction or an update is of what the memory tells, and holds a value to put in its place."""
    text = candidate.text
    if replace_values(memory.text, text, words) is None and not moves(memory.text, text, words):
        return False
    if shares_topic(text, memory.text, words) or continues_rate(text, memory.text, words):
        return True
    if asks_anew(text, memory.text, words):
        return True
    if denies_value(text, memory.text, words) and age < _DENIAL_REACH:
        return True
    if age >= _REACH:
        return False
    # "It's moved to the 6th" says of what by standing next to it; "the clinic rang, it's the 6th" says of what else.
    return kind == "correction" or (points_back(text, words) and is_bare(text, words))


def _replacement(candidate: Candidate, memory: Memory, desk: Desk, reason: str) -> Target:
    """The new wording: the old sentence with the new value when the correction cannot stand alone."""
    substituted = replace_values(memory.text, candidate.text, desk.words)
    if substituted is None:
        return Target(memory, candidate.text, False, reason)
    if tells_more(memory.text, candidate.text, desk.words):
        return Target(memory, substituted, True, reason)
    if _is_whole(candidate, memory, desk.words):
        return Target(memory, candidate.text, False, reason)
    return Target(memory, substituted, True, reason)


def _with_value(
    candidate: Candidate, memory: Memory, new: Attribute, old: Attribute, desk: Desk
) -> Target:
    """The memory with the new value of an attribute: in its own sentence when that tells more than the value."""
    reason = f"new value of {new.key}"
    if new.attribute in MEASURED:
        return _replacement(candidate, memory, desk, reason)
    more = tells_more(memory.text, candidate.text, desk.words, old.value)
    if more and memory.text.count(old.value) == 1 and stands_bare(memory, old, desk):
        return Target(memory, memory.text.replace(old.value, new.value), True, reason)
    return Target(memory, candidate.text, False, reason)


def _is_whole(candidate: Candidate, memory: Memory, words: Language) -> bool:
    """Whether nothing is lost when the candidate stands in the place of the memory by its own words."""
    text = candidate.text
    return covers(text, memory.text, words) or stands_alone(text, memory.text, words)


def supersede(candidate: Candidate, target: Target, desk: Desk) -> Noted:
    old = target.memory
    held = why_held(old, candidate, desk)
    if target.rests_on_both:
        held = "" if held == EVERYWHERE else held
    elif tells_more(old.text, candidate.text, desk.words, _standing_value(old)):
        held = held or "telling more than that"
    if held:
        noted = add(candidate, desk, f"stands beside {old.memory_id}, which is {held}")
        if noted.memory is not None:
            desk.pair("doubted", noted.memory, old, f"{target.reason}, but the older one is {held}")
        return noted
    new = new_memory(candidate, desk, Cause("supersession", desk.setting.ref, target.reason))
    new = replace(new, text=Redacted(target.text))
    if target.rests_on_both:
        new = replace(
            new,
            messages=joined(old.messages, candidate.messages),
            kind=old.kind,
            thread=old.thread,
            entity=candidate.entity or old.entity,
            attribute=candidate.attribute or old.attribute,
            value=candidate.value or _value(target.text, desk.words),
            starts=_starts(target, candidate, desk),
        )
    _close(old, new, candidate, target.reason, desk)
    desk.put(new)
    return desk.note("superseded", new, target.text, f"takes the place of: {old.text}")


def _standing_value(memory: Memory) -> str:
    """What a memory is filed under, as its text says it; empty for one filed under nothing."""
    return memory.value or ""


def _effective(candidate: Candidate, desk: Desk) -> date:
    """The day the change takes effect: the one that was said when it is past, else today."""
    today, told = desk.setting.day, effect(candidate, desk)
    if told is not None and told.when == "past":
        return told.start
    return candidate.starts if candidate.starts and candidate.starts < today else today


def _close(old: Memory, new: Memory | None, candidate: Candidate, reason: str, desk: Desk) -> None:
    closed = replace(
        old,
        status=Status.SUPERSEDED,
        until=after(old.starts, _effective(candidate, desk)),
        successor=new.memory_id if new else None,
        changed_at=desk.setting.at,
        cause=Cause("supersession", desk.setting.ref, reason),
    )
    desk.put(closed)
    if old.starts is not None and old.starts > desk.setting.day:
        _unbound(old.starts, closed, desk)


def _unbound(day: date, closed: Memory, desk: Desk) -> None:
    """Lifts the end that an announcement had set: what was announced for that day is called off."""
    for memory in list(desk.newest()):
        bounded = memory.status is Status.ACTIVE and memory.until == day
        if bounded and memory.cause.reason.endswith(f"announced for {day}"):
            reason = f"not over on {day} after all"
            cause = Cause("supersession", desk.setting.ref, reason)
            desk.put(replace(memory, until=None, changed_at=desk.setting.at, cause=cause))
            desk.note("restated", memory, closed.text, reason)


def _value(text: str, words: Language) -> str | None:
    found = filed(text, words)
    return found.value if found else None


def _starts(target: Target, candidate: Candidate, desk: Desk) -> date | None:
    """When a composed sentence begins to hold, read again in it: its day is not the old one's."""
    if target.memory.starts is None and change(target.text, desk.words) != "later":
        return candidate.starts
    return upcoming(target.text, desk.words, desk.setting.day)


def unplaced(candidate: Candidate, desk: Desk) -> Target | None:
    """The sentence just said that has several values the bare one could replace, followed by it."""
    told = values(candidate.text, desk.words)
    earlier = _newest(candidate, desk, _REACH)
    for memory in (m for m in earlier if is_closable(m, candidate, desk)):
        known = values(memory.text, desk.words)
        if any(k.sort == t.sort for k in known for t in told):
            before = memory.text.rstrip()
            stop = "" if before.endswith((".", "!", "?", "…")) else "."
            text = f"{before}{stop} {candidate.text}"
            return Target(memory, text, True, "a correction that could take several places")
    return None


# --- what is over -----


def close_ended(candidate: Candidate, new: Memory | None, desk: Desk) -> None:
    """Closes what the candidate says is over: a home, a job, a couple, a promise, an appointment, a pastime."""
    if new is None:
        return
    tied = {m.memory_id: m for m in desk.holding(ended_forms(candidate.text, desk.words))}
    slots = {m.memory_id: m for m in ended(candidate, desk)}
    slots |= {m.memory_id: m for m, _ in finished(candidate, desk)}
    out, perhaps = come_out(candidate, desk)
    outcomes = {m.memory_id for m in out}
    slots |= {m.memory_id: m for m in out}
    doubts(perhaps, new, desk)
    slots |= {m.memory_id: m for m in denied(candidate, desk)}
    for old in {**tied, **slots}.values():
        if old.memory_id == new.memory_id or not is_closable(old, candidate, desk):
            continue
        if is_before(candidate, old, desk):
            continue
        if old.memory_id in slots or ends(candidate.text, old.text, desk.words):
            held = why_held(old, candidate, desk)
            if not held and _loses(old, candidate, outcomes, desk.words):
                held = "telling more than that"
            if held:
                desk.pair("doubted", new, old, f"perhaps over by now, but it is {held}")
                continue
            _close(old, new, candidate, "over by now", desk)
            desk.note("superseded", new, candidate.text, f"ends: {old.text}")


def _loses(old: Memory, candidate: Candidate, outcomes: set[MemoryId], words: Language) -> bool:
    """Whether closing a memory would lose what it tells beside what is over."""
    if old.memory_id not in outcomes:
        return tells_more(old.text, candidate.text, words, _standing_value(old))
    known = values(old.text, words)
    value = known[0].text if len(known) == 1 else _standing_value(old)
    return tells_more(old.text, told_of_it(old.text, candidate.text, words), words, value)


def call_off(candidate: Candidate, desk: Desk) -> Noted:
    """Closes the plan that the candidate says was given up, told earlier or not, and notes nothing in its place."""
    for old, _ in finished(candidate, desk):
        if not why_held(old, candidate, desk):
            _close(old, None, candidate, "called off", desk)
            desk.note("superseded", old, candidate.text, f"called off: {old.text}")
    return desk.note("dropped", None, candidate.text, "a plan that was given up")


def leave_doubt(candidate: Candidate, noted: Memory, desk: Desk) -> None:
    """Journals the memory of which the one just noted may give a new value, where its words do not show it surely."""
    text, words = candidate.text, desk.words
    if change(text, words) not in ("update", "correction"):
        return
    for _, memory in _by_age(candidate, desk):
        if memory.memory_id == noted.memory_id or not is_closable(memory, candidate, desk):
            continue
        moved = moves(memory.text, text, words) and shares_topic(text, memory.text, words)
        if moved or may_contradict(text, memory.text, words):
            desk.pair("doubted", noted, memory, "perhaps a new value of the same thing")
            return
