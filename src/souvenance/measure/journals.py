"""Recordings as files, one step a line: what `souvenance journal record` writes and `check` reads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from souvenance import plain
from souvenance.domain import (
    Address,
    Message,
    TimelineId,
)
from souvenance.errors import BadLine
from souvenance.write.rehearsal import Line, OtherStep, Recording, ReflectionStep, Step

#: The form of the file; another number is another form.
FORM = 1


def lines_of(recorded: Recording) -> Iterator[str]:
    """The recording as lines of JSON, the first saying whose it is."""
    head = {"journal": FORM, **asdict(recorded.address), "timeline": recorded.timeline}
    head["steps"] = len(recorded.steps)  # so that a file cut short is known for one
    yield json.dumps(head, ensure_ascii=False)
    for step in recorded.steps:
        yield json.dumps(_of_step(step), ensure_ascii=False)


def parse(lines: Sequence[str]) -> Recording:
    """The recording that `lines_of` wrote. Errors: `BadLine`, which names the line."""
    try:
        head = json.loads(lines[0])
        if head["journal"] != FORM:
            raise BadLine(
                f"This journal has form {head['journal']}, not {FORM}.",
                line=1,
                code="journal_form",
                fields={"form": head["journal"], "known": FORM},
            )
        address, timeline = (
            plain.record_of(Address, {k: head[k] for k in ("space", "person", "character")}),
            TimelineId(head["timeline"]),
        )
    except plain.NOT_OURS as error:
        raise BadLine(
            "The first line does not say whose journal this is.", line=1, code="journal_head"
        ) from error
    steps: list[Step] = []
    told = head.get("steps")
    for number, line in enumerate(lines[1:], 2):
        try:
            if line.strip():
                steps.append(_to_step(json.loads(line), address))
        except plain.NOT_OURS as error:
            if number == len(lines) and isinstance(error, json.JSONDecodeError):
                raise _cut(steps, number) from error
            raise BadLine(
                f"Line {number} is no step of a journal: {error}.",
                line=number,
                code="journal_step",
                fields={"why": error},
            ) from error
    if isinstance(told, int) and len(steps) < told:
        raise _cut(steps, len(lines))
    return Recording(address, timeline, tuple(steps))


def _cut(steps: Sequence[Step], line: int) -> BadLine:
    return BadLine(
        f"Line {line}: this journal was cut short after {len(steps)} steps; record it again.",
        line=line,
        code="journal_cut",
        fields={"n": len(steps)},
    )


def _of_step(step: Step) -> dict[str, Any]:
    states = [plain.of_memory(state) for state in step.states]
    if isinstance(step, OtherStep):
        return {"step": "other", "states": states}
    messages = None if step.messages is None else [_of_message(m) for m in step.messages]
    return {
        "step": "reflection",
        **plain.of_proposal(step.proposal),
        "messages": messages,
        "decisions": [asdict(line) for line in step.lines],
        "states": states,
    }


def _of_message(message: Message) -> dict[str, Any]:
    return {k: v for k, v in plain.plain(message).items() if k not in _ELSEWHERE}


#: What a message says that its step says already, or that only the store knows.
_ELSEWHERE = frozenset({"address", "thread", "mark", "seq"})


def _to_step(values: Mapping[str, Any], address: Address) -> Step:
    states = tuple(plain.to_memory(state, address) for state in values["states"])
    if values["step"] == "other":
        return OtherStep(states)
    proposal = plain.to_proposal(values, address)
    where = {"address": plain.plain(address), "thread": proposal.thread, "mark": "", "seq": 0}
    read = values["messages"]
    messages = (
        None if read is None else tuple(plain.record_of(Message, {**m, **where}) for m in read)
    )
    lines = tuple(plain.record_of(Line, decision) for decision in values["decisions"])
    return ReflectionStep(proposal, messages, lines, states)
