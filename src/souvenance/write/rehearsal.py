"""Makes recorded decisions again: the same candidates on the same memories must give the same states and reasons.

What was recorded stands in the store (proposals, versions, journal); a rehearsal tells where today's rules differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from souvenance.domain import (
    Address,
    Character,
    Exchange,
    JournalEntry,
    Memory,
    MemoryId,
    Message,
    MessageId,
    Person,
    Proposal,
    Seq,
    TimelineId,
)
from souvenance.lang import language
from souvenance.write import extractive, traces
from souvenance.write.alike.nearby import Known, in_order
from souvenance.write.desk import Setting, Settlement, called
from souvenance.write.filters import Judged, judge
from souvenance.write.merge import settle
from souvenance.writes import AddVersion


@dataclass(frozen=True, slots=True)
class Line:
    """One decision: what was done to what, in which words, and why."""

    action: str
    memory: MemoryId | None
    text: str
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class ReflectionStep:
    """One reflection: what it read (None when some of it was erased), proposed, decided and wrote."""

    proposal: Proposal
    messages: tuple[Message, ...] | None
    lines: tuple[Line, ...]
    states: tuple[Memory, ...]


@dataclass(frozen=True, slots=True)
class OtherStep:
    """What a hand or another part of the program wrote; it is put back as it was."""

    states: tuple[Memory, ...]


Step = ReflectionStep | OtherStep


@dataclass(frozen=True, slots=True)
class Recording:
    """Everything that was decided in one timeline of an address, in the order it was committed."""

    address: Address
    timeline: TimelineId
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """A reflection that now decides otherwise: what it did then and what it does now, in its own order."""

    job_id: str
    then: tuple[Line, ...]
    now: tuple[Line, ...]
    states_then: tuple[Memory, ...]
    states_now: tuple[Memory, ...]


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """How many reflections were decided again, how many could not be, and where they differ.

    One that lost a piece of an identifier since counts as decided again only when it decides the same.
    """

    reflections: int
    erased: int
    differences: tuple[Difference, ...]


def recording(
    address: Address,
    timeline: TimelineId,
    proposals: Sequence[Proposal],
    messages: Mapping[MessageId, Message],
    states: Sequence[Memory],
    journal: Sequence[JournalEntry],
) -> Recording:
    """What was decided, from what the store holds: every state of every memory, and the whole journal.

    Order: `journal` newest first, as stores give it.
    """
    by_seq: dict[Seq, list[Memory]] = {}
    for state in states:
        by_seq.setdefault(state.seq_from, []).append(state)
    lines: dict[Seq, list[Line]] = {}
    for entry in reversed(journal):
        lines.setdefault(entry.seq, []).append(_line(entry))
    proposed = {p.seq: p for p in proposals}
    steps: list[Step] = []
    for seq in sorted({*by_seq, *proposed}):
        written = tuple(by_seq.get(seq, ()))
        proposal = proposed.get(seq)
        if proposal is None:
            steps.append(OtherStep(written))
            continue
        shown = [messages.get(i) for i in proposal.shown]
        whole = tuple(m for m in shown if m is not None)
        read = whole if len(whole) == len(shown) else None
        decided = tuple(line for line in lines.get(seq, ()) if _is_decision(line))
        steps.append(ReflectionStep(proposal, read, decided, written))
    return Recording(address, timeline, tuple(steps))


def _line(entry: JournalEntry) -> Line:
    return Line(entry.action, entry.memory_id, entry.text, entry.reason, entry.ref)


def _is_decision(line: Line) -> bool:
    """Whether a line is decided from candidates: not what extraction left out, nor the closing line."""
    return line.action != "reflected" and line.by != extractive.NAME


def rehearse(recorded: Recording, min_confidence: float = 0.0) -> Rehearsal:
    """Every reflection decided again, each on the memories as they were recorded before it."""
    states: dict[MemoryId, Memory] = {}
    known: dict[
        str, Known
    ] = {}  # by language; built once and moved forward, or a long journal takes hours
    differences: list[Difference] = []
    reflections = erased = 0
    for number, step in enumerate(recorded.steps, 1):
        if isinstance(step, ReflectionStep):
            if step.messages is None:
                erased += 1
            else:
                code = step.proposal.speakers.language
                if code not in known:
                    known[code] = Known(in_order(states.values()), language(code))
                found = _decide_again(
                    step, step.messages, states, known[code], recorded.timeline, min_confidence
                )
                if found and step.proposal.scrubbed:
                    erased += 1  # what it was decided on is gone
                else:
                    reflections += 1
                    differences += found
        written = [replace(state, seq_from=Seq(number), seq_to=None) for state in step.states]
        states |= {state.memory_id: state for state in written}
        for table in known.values():
            table.advance(in_order(written))
    return Rehearsal(reflections, erased, tuple(differences))


def _decide_again(
    step: ReflectionStep,
    messages: tuple[Message, ...],
    states: Mapping[MemoryId, Memory],
    known: Known,
    timeline: TimelineId,
    min_confidence: float,
) -> list[Difference]:
    names = _names(step, states)
    judged, settled = decide(
        step.proposal,
        messages,
        known,
        timeline=timeline,
        new_id=lambda: next(names),
        min_confidence=min_confidence,
    )
    written = [w.memory for w in settled.writes if isinstance(w, AddVersion)]
    entries = [w.entry for w in settled.writes if not isinstance(w, AddVersion)]
    setting = setting_of(step.proposal, timeline, lambda: next(names))
    entries += [traces.drop(d, setting).entry for d in judged.dropped]
    now = tuple(_line(entry) for entry in entries)
    if now == step.lines and _by_id(written) == _by_id(step.states):
        return []
    job = step.proposal.job_id
    return [Difference(job, step.lines, now, step.states, tuple(written))]


def decide(
    proposal: Proposal,
    messages: tuple[Message, ...],
    known: Known | Sequence[Memory],
    *,
    timeline: TimelineId,
    new_id: Callable[[], MemoryId],
    min_confidence: float = 0.0,
) -> tuple[Judged, Settlement]:
    """What the filters and the desk make of a proposal on the memories known. Errors: `FilterBroken`."""
    judged = judge(proposal.candidates, exchange_of(proposal, messages), min_confidence)
    return judged, settle(judged.kept, known, setting_of(proposal, timeline, new_id))


def _by_id(states: Sequence[Memory]) -> dict[MemoryId, Memory]:
    """The states without what only the store gives them."""
    return {s.memory_id: replace(s, seq_from=Seq(0), seq_to=None) for s in states}


def exchange_of(proposal: Proposal, messages: tuple[Message, ...]) -> Exchange:
    """The exchange as the reflection read it."""
    named, address = proposal.speakers, proposal.address
    person = Person(address.space, address.person, named.person, named.aliases, named.time_zone)
    character = Character(
        address.space, address.character, named.character, "", named.language, named.isolation
    )
    return Exchange(messages, person, character)


def setting_of(proposal: Proposal, timeline: TimelineId, new_id: Callable[[], MemoryId]) -> Setting:
    """Where and when the proposal is settled."""
    return Setting(
        address=proposal.address,
        timeline=timeline,
        thread=proposal.thread,
        isolation=proposal.speakers.isolation,
        at=proposal.at,
        turn=proposal.turn,
        language=proposal.speakers.language,
        by="reflection",
        ref=proposal.job_id,
        new_id=new_id,
        time_zone=proposal.speakers.time_zone,
        called=called(proposal.speakers.person, proposal.speakers.aliases),
    )


def _names(step: ReflectionStep, states: Mapping[MemoryId, Memory]) -> Iterator[MemoryId]:
    """The ids that the new memories of a step took, in the order they were made; then made-up ones."""
    fresh = [s.memory_id for s in step.states if s.memory_id not in states]
    told = [line.memory for line in step.lines if line.memory in fresh]
    yield from dict.fromkeys(i for i in told if i is not None)
    yield from (i for i in fresh if i not in told)
    yield from (MemoryId(f"new-{n}") for n in count(1))
