"""Recordings as files, one step a line: what `souvenance journal record` writes and `check` reads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from souvenance import plain
from souvenance.domain import (
    Address,
    MemoryId,
    Message,
    MessageId,
    Redacted,
    ThreadId,
    TimelineId,
)
from souvenance.errors import BadLine
from souvenance.write.rehearsal import Line, OtherStep, Recording, ReflectionStep, Step

#: The form of the file; another number is another form.
FORM = 1


def lines_of(recorded: Recording) -> Iterator[str]:
    """The recording as lines of JSON, the first saying whose it is."""
    head = {"journal": FORM, **asdict(recorded.address), "timeline": recorded.timeline}
    yield json.dumps(head, ensure_ascii=False)
    for step in recorded.steps:
        yield json.dumps(_of_step(step), ensure_ascii=False)


def parse(lines: Sequence[str]) -> Recording:
    """The recording that `lines_of` wrote. Errors: `BadLine`, which names the line."""
    try:
        head = json.loads(lines[0])
        if head["journal"] != FORM:
            raise BadLine(f"This journal has form {head['journal']}, not {FORM}.", line=1)
        address, timeline = plain.to_address(head), TimelineId(head["timeline"])
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise BadLine("The first line does not say whose journal this is.", line=1) from error
    steps: list[Step] = []
    for number, line in enumerate(lines[1:], 2):
        try:
            if line.strip():
                steps.append(_to_step(json.loads(line), address))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadLine(
                f"Line {number} is no step of a journal: {error}.", line=number
            ) from error
    return Recording(address, timeline, tuple(steps))


def _of_step(step: Step) -> dict[str, Any]:
    states = [plain.of_memory(state) for state in step.states]
    if isinstance(step, OtherStep):
        return {"step": "other", "states": states}
    proposal = step.proposal
    return {
        "step": "reflection",
        **plain.of_proposal(proposal),
        "messages": None if step.messages is None else [_of_message(m) for m in step.messages],
        "decisions": [asdict(line) for line in step.lines],
        "states": states,
    }


def _of_message(message: Message) -> dict[str, Any]:
    return {
        "id": message.message_id,
        "parent": message.parent,
        "role": message.role,
        "text": message.text,
        "at": message.at.isoformat(),
    }


def _to_step(values: Mapping[str, Any], address: Address) -> Step:
    states = tuple(plain.to_memory(state, address) for state in values["states"])
    if values["step"] == "other":
        return OtherStep(states)
    thread = ThreadId(values["thread"])
    proposal = plain.to_proposal(values, address)
    read = values["messages"]
    messages = None if read is None else tuple(_to_message(m, address, thread) for m in read)
    lines = tuple(
        Line(d["action"], d["memory"] and MemoryId(d["memory"]), d["text"], d["reason"], d["by"])
        for d in values["decisions"]
    )
    return ReflectionStep(proposal, messages, lines, states)


def _to_message(values: Mapping[str, Any], address: Address, thread: ThreadId) -> Message:
    parent = values["parent"] and MessageId(values["parent"])
    return Message(
        address,
        thread,
        MessageId(values["id"]),
        parent,
        values["role"],
        Redacted(values["text"]),
        datetime.fromisoformat(values["at"]),
        "",
    )
