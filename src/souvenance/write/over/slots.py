"""What the attributes that a candidate tells do to memories filed under the same ones: replace, announce, or leave a doubt.

"I live in York" takes the place of "I live in Leeds"; "I'm moving to York in May" stands beside it until May.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import islice

from souvenance.domain import Candidate, Cause, Memory, Status
from souvenance.lang import Language, fold
from souvenance.write.attributes import Attribute, closes, read_attributes, replaces, rivals
from souvenance.write.attributes.comparing import alike, same_attribute
from souvenance.write.attributes.record import MEASURED, SINGLE
from souvenance.write.dates import Effect, effective, local_day
from souvenance.write.desk import Desk, is_closable, why_held
from souvenance.write.over.asides import part_with
from souvenance.write.over.earnest import (
    has_hour,
    is_for_a_while,
    is_long_ago,
    is_outing,
    is_resumed,
)
from souvenance.write.told.voices import is_voiced
from souvenance.write.words.decisive import read
from souvenance.write.words.phrases import find, has

#: Other content words with which a sentence still tells nothing but its attribute ("live", "now").
#: Chosen, not measured: with more, closing it might lose what else it told.
_ASIDE = 2

#: Pairs that one candidate may leave to the person. Chosen, not measured: a choice, not a list.
_DOUBTS = 3


def told(candidate: Candidate, desk: Desk) -> tuple[Attribute, ...]:
    """The attributes that the words of a candidate tell plainly."""
    return read_attributes(
        candidate.text, desk.words, candidate.spoken_by, called=desk.setting.called
    )


def standing(memory: Memory) -> Attribute | None:
    """The attribute that a memory is filed under; None for one without, or that only a model named."""
    name, _, subject = (memory.attribute or "").partition("/")
    if memory.entity is None or memory.value is None or name not in SINGLE:
        return None
    return Attribute(memory.entity, name, memory.value, True, subject=subject)


def replaced(candidate: Candidate, desk: Desk) -> tuple[Memory, Attribute, Attribute] | None:
    """The newest memory whose value the candidate surely replaces, the new value and the old one."""
    for new in told(candidate, desk):
        for memory, old in _filed(new, candidate, desk):
            told_now = holds_now(new, candidate, desk) and not is_before(candidate, memory, desk)
            if replaces(new, old) and told_now and _tells_only(memory, old, desk):
                return memory, new, old
    return None


def holds_now(new: Attribute, candidate: Candidate, desk: Desk) -> bool:
    """Whether the sentence gives the value as what holds, all of it, and not as one that others came after."""
    text, words = candidate.text, desk.words
    if is_voiced(text, words) or is_long_ago(text, words) or has(text, words, "over_aside"):
        return False
    if new.attribute not in MEASURED and has_hour(text, words):
        return False  # "moved to Bath at 12" tells an age
    if new.attribute == "salary" and has(text, words, "over_income"):
        return False
    at = fold(text).find(fold(new.value)) if new.value else -1
    return at < 0 or not has(text[at:], words, "over_then")


#: A change told as older than this, counted from when a memory was told, is from before what the memory tells.
#: Chosen, not measured: "in January", "last year" are told late, "in 2015" is a story.
_LATE = timedelta(days=400)


def is_before(candidate: Candidate, memory: Memory, desk: Desk) -> bool:
    """Whether the candidate tells of a day before what the memory tells began, or long before it was told."""
    told = effect(candidate, desk)
    if told is None or told.when != "past":
        return False
    born = local_day(memory.born_at, desk.setting.time_zone)
    begun = effective(memory.text, desk.words, born)
    if begun is not None and begun.when == "past":
        return told.start < begun.start
    return told.start < born - _LATE


def leave_beside(candidate: Candidate, noted: Memory, desk: Desk) -> None:
    """Journals the memories that the one just noted may take the place of: announced for a day, or in doubt."""
    doubts = 0
    if is_voiced(candidate.text, desk.words):
        return
    for new in told(candidate, desk):
        for memory, old in (*_filed(new, candidate, desk), *_unfiled(new, candidate, desk)):
            if memory.memory_id == noted.memory_id:
                continue
            if new.state == "upcoming":
                _announce(candidate, noted, memory, (new, old), desk)
            elif new.state == "now" and (replaces(new, old) or rivals(new, old)):
                doubts += 1
                if doubts <= _DOUBTS:
                    desk.pair("doubted", noted, memory, f"perhaps another {new.attribute}")


def ended(candidate: Candidate, desk: Desk) -> list[Memory]:
    """The memories of which the candidate says that the attribute they are filed under is over."""
    if not _is_over_for_good(candidate.text, desk.words):
        return []
    return [
        memory
        for new in told(candidate, desk)
        if new.state == "ended"
        for memory, old in _filed(new, candidate, desk)
        if closes(new, old) and _tells_only(memory, old, desk)
    ]


def stands_bare(memory: Memory, old: Attribute, desk: Desk) -> bool:
    """Whether no other name or figure stands with the value: "a postman in Metz" says nothing of the next trade."""
    part = part_with(old.value, memory.text, desk.words)
    value = {i.form for i in read(old.value, desk.words).content}
    others = (i for i in read(part, desk.words).content if i.form not in value)
    return not any(i.sort in ("name", "figure", "month", "day") for i in others)


def denied(candidate: Candidate, desk: Desk) -> list[Memory]:
    """The announcements still to come of which the candidate says the contrary in their own words."""
    said = read(candidate.text, desk.words)
    mine = said.topics - {
        w for entry in desk.words.words["after_all"] for w in desk.words.stems(entry)
    }
    if not mine or not any(i.sort == "negation" for i in said.items):
        return []
    return [
        m
        for m in desk.newest()
        if m.starts is not None
        and m.starts > desk.setting.day
        and is_closable(m, candidate, desk)
        and mine <= {i.form for i in read(m.text, desk.words).content}
        and not any(i.sort == "negation" for i in read(m.text, desk.words).items)
    ]


def _is_over_for_good(text: str, words: Language) -> bool:
    """Whether what a text says is over is so now, and not for the day, for a while or long ago."""
    if is_voiced(text, words) or is_long_ago(text, words) or is_resumed(text, words):
        return False
    if has(text, words, "over_conditions"):
        return False
    left = find(text, words, "leaving")
    outing = left is not None and is_outing(text[left[1] :], words)
    return not outing and not is_for_a_while(text, "", words)


def effect(candidate: Candidate, desk: Desk) -> Effect | None:
    """When the change that a candidate tells takes effect, None when it does not say."""
    return effective(candidate.text, desk.words, desk.setting.day)


def _filed(new: Attribute, candidate: Candidate, desk: Desk) -> Iterator[tuple[Memory, Attribute]]:
    """The closable memories filed under the same attribute of the same or a perhaps equal entity, newest first."""
    for memory in reversed(desk.known.valued(new.attribute)):
        old = standing(memory)
        if old is not None and desk.sees(memory) and is_closable(memory, candidate, desk):
            yield memory, old


#: Memories filed under nothing that are read again, the newest. Chosen, not measured: reading one takes a
#: millisecond or two, and what tells several things is settled by the person anyway.
_UNFILED = 20


def _unfiled(
    new: Attribute, candidate: Candidate, desk: Desk
) -> Iterator[tuple[Memory, Attribute]]:
    """The newest closable memories that tell the attribute among others, with it: never closed, only doubted."""
    recent = (m for m in desk.newest() if not m.attribute and is_closable(m, candidate, desk))
    for memory in islice(recent, _UNFILED) if new.attribute in SINGLE else ():
        for old in read_attributes(memory.text, desk.words, called=desk.setting.called):
            if old.state == "now" and same_attribute(new, old):
                yield memory, old


def _tells_only(memory: Memory, old: Attribute, desk: Desk) -> bool:
    """Whether what the value stands in tells nothing else; a measured one is put in its sentence."""
    if old.attribute in MEASURED:
        return True
    named = old.entity.replace("/", " ").replace(":", " ")
    own = {i.form for text in (old.value, named) for i in read(text, desk.words).content}
    kin = desk.words.words["circle"] if "/" in old.entity else frozenset()
    part = part_with(old.value, memory.text, desk.words)
    aside = [i for i in read(part, desk.words).content if i.form not in own and i.word not in kin]
    return len(aside) <= _ASIDE


def _announce(
    candidate: Candidate,
    noted: Memory,
    memory: Memory,
    pair: tuple[Attribute, Attribute],
    desk: Desk,
) -> None:
    """Bounds the older memory by the day the newer one was announced for, and journals the pair."""
    new, old = pair
    if not same_attribute(new, old) or alike(new, old):
        return
    begins = effect(candidate, desk)
    day = begins.start if begins and begins.when == "upcoming" else noted.starts
    if day is None or day <= desk.setting.day:
        return
    held = why_held(memory, candidate, desk)
    if not held and memory.until is None and _tells_only(memory, old, desk):
        cause = Cause("supersession", desk.setting.ref, f"{new.attribute} announced for {day}")
        desk.put(replace(memory, until=day, changed_at=desk.setting.at, cause=cause))
    if noted.starts is None and noted.status is Status.ACTIVE:
        desk.put(replace(noted, starts=day))
    desk.pair("announced", noted, memory, f"{new.attribute} announced for {day}")
