"""Decides what becomes of each candidate beside what is already known: added, merged, superseded, restated.

It is pure: states and candidates in, writes and reasons out. Every doubt leans towards a repetition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from souvenance.domain import (
    Candidate,
    Cause,
    Kind,
    Memory,
    MessageId,
    Redacted,
    Status,
)
from souvenance.lang import Language, fold, language
from souvenance.write.alike.nearby import Known
from souvenance.write.alike.similarity import compare
from souvenance.write.desk import (
    Desk,
    Noted,
    Setting,
    Settlement,
    add,
    after,
    is_other_voice,
    is_weaker,
    joined,
    thread_of,
)
from souvenance.write.over.corrections import (
    change,
    is_bare,
    richer,
)
from souvenance.write.over.slots import leave_beside
from souvenance.write.over.supersede import (
    call_off,
    close_ended,
    find_target,
    leave_doubt,
    supersede,
    unplaced,
)
from souvenance.write.told.requests import gives_up_only


def settle(
    kept: Sequence[Candidate], memories: Known | Sequence[Memory], setting: Setting
) -> Settlement:
    """What the candidates change in `memories` (current states of the view, any status), left as they were.

    Order: as given; a later candidate sees what an earlier one did.
    Settling the same candidates of the same messages again writes no version.
    """
    known = memories if isinstance(memories, Known) else Known(memories, language(setting.language))
    with known.draft():
        desk = Desk(known, setting)
        noted = [_settle_one(candidate, desk) for candidate in kept]
        return Settlement((*desk.versions(), *desk.journal), tuple(noted))


def _settle_one(candidate: Candidate, desk: Desk) -> Noted:
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
    if candidate.text == candidate.quote and gives_up_only(candidate.text, desk.words):
        return call_off(candidate, desk)
    target = find_target(candidate, desk)
    if target is None and _says_of_nothing(candidate, desk.words):
        target = unplaced(candidate, desk)
    if target is None and _says_of_nothing(candidate, desk.words):
        return desk.note("dropped", None, candidate.text, "it corrects nothing that was noted")
    noted = supersede(candidate, target, desk) if target else add(candidate, desk, "new")
    close_ended(candidate, noted.memory, desk)
    if noted.memory is not None and candidate.spoken_by == "user":
        leave_beside(candidate, noted.memory, desk)
        if target is None:
            leave_doubt(candidate, noted.memory, desk)
    return noted


def _says_of_nothing(candidate: Candidate, words: Language) -> bool:
    """Whether the candidate only gives a value, and what it is the value of was never noted."""
    corrects = change(candidate.text, words) == "correction"
    return corrects and not candidate.attribute and is_bare(candidate.text, words)


# --- already known from the same words ------------------------------------------------------------


def _told_before(candidate: Candidate, desk: Desk) -> Memory | None:
    """The memory that already came of the same words of the same messages; forgotten ones win."""
    found = [
        m
        for m in desk.known.resting_on(candidate.messages)
        if desk.sees(m) and _same_words(candidate, m, desk.words)
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


def _twin(candidate: Candidate, desk: Desk) -> tuple[Memory, str] | None:
    """The active memory that tells the same fact, the closest first, and why it does."""
    found: list[tuple[float, Memory, str]] = []
    for memory in filter(desk.sees, desk.known.could_be_same(candidate.text)):
        if memory.status is not Status.ACTIVE or memory.kind is Kind.RULE:
            continue
        if _wider(candidate, memory, desk) or is_other_voice(candidate, memory):
            continue
        compared = compare(candidate.text, memory.text, desk.words)
        if compared.same:
            found.append((compared.score, memory, compared.why))
    if not found:
        return None
    _, memory, why = max(found, key=lambda f: f[0])
    return memory, why


def _wider(candidate: Candidate, memory: Memory, desk: Desk) -> bool:
    """Whether the candidate would be known in more threads than the memory: merging would hide it there."""
    return thread_of(candidate, desk.setting) is None and memory.thread is not None


def _absorb(candidate: Candidate, memory: Memory, why: str, desk: Desk) -> Noted:
    if memory.edited:
        return desk.note("restated", memory, candidate.text, "worded by hand, left as it is")
    if is_weaker(candidate, memory):
        return desk.note("restated", memory, candidate.text, f"said again: {why}")
    if memory.pinned or not richer(candidate.text, memory.text, desk.words):
        again = _evident(candidate, memory, desk)
        left = "pinned, left as it is" if memory.pinned else f"said again: {why}"
        return desk.note("restated", again, candidate.text, left)
    merged = replace(
        memory,
        text=Redacted(candidate.text),
        quote=Redacted(candidate.quote),
        messages=joined(memory.messages, candidate.messages),
        changed_at=desk.setting.at,
        cause=Cause("merge", desk.setting.ref, why),
        entity=candidate.entity or memory.entity,
        attribute=candidate.attribute or memory.attribute,
        value=candidate.value or memory.value,
        starts=candidate.starts or memory.starts,
        until=after(candidate.starts or memory.starts, candidate.until or memory.until),
        importance=max(memory.importance, candidate.importance),
    )
    desk.put(merged)
    return desk.note("merged", merged, candidate.text, why)


def _evident(candidate: Candidate, memory: Memory, desk: Desk) -> Memory:
    """The memory with the message it was said again in, its words and its place in time as they were."""
    messages = _evidence(candidate, memory)
    over = memory.until is not None and memory.until <= desk.setting.day
    until = (
        None if over and candidate.until is None else memory.until
    )  # said after its end, it holds
    if (messages, until) == (memory.messages, memory.until):
        return memory
    cause = Cause("merge", desk.setting.ref, "said again")
    at = desk.setting.at
    again = replace(memory, messages=messages, until=until, changed_at=at, cause=cause)
    desk.put(again)
    return again


#: Messages that one memory rests on at most. Chosen, not measured: said every evening, a fact is no truer for it,
#: and must not fill its history.
_EVIDENCE = 8


def _evidence(candidate: Candidate, memory: Memory) -> tuple[MessageId, ...]:
    return joined(memory.messages, candidate.messages)[: max(_EVIDENCE, len(memory.messages))]
