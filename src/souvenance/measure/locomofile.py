"""Reads conversations in the format of LoCoMo: sessions of turns between two people, and questions with their evidence.

Source: Maharana et al. 2024, "Evaluating very long-term conversational memory of LLM agents". Its data are CC BY-NC
and are not part of this library; a file is given by who measures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from souvenance.domain import MessageId, ThreadId
from souvenance.errors import BadInput
from souvenance.measure.jsonfile import read_json
from souvenance.read.verbatim import Line

#: Categories with an answer in the talk; the fifth asks for what nobody said.
CATEGORIES = {1: "several turns", 2: "time", 3: "inference", 4: "one turn"}

_SESSION = re.compile(r"session_(\d+)")
_TURN = re.compile(r"D:?(\d+):(\d+)")
_SAID_AT = "%I:%M %p on %d %B, %Y"


@dataclass(frozen=True, slots=True)
class Question:
    """One question and the turns that answer it."""

    question_id: str
    text: str
    category: int
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Talk:
    """One conversation; `unusable` counts the questions of its categories without a turn that exists."""

    talk_id: str
    speakers: tuple[str, str]
    lines: tuple[Line, ...]
    questions: tuple[Question, ...]
    unusable: int


def read(path: Path) -> list[Talk]:
    """The conversations of a file, in order. Errors: `BadInput` when it is not of this format."""
    data = read_json(path)
    try:
        talks = [_talk(record, n) for n, record in enumerate(data, 1)]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        said = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise BadInput(
            f"{path} is not a file of LoCoMo ({said}). It needs a list of objects with `conversation` and `qa`."
        ) from None
    if not any(talk.questions for talk in talks):
        raise BadInput(f"{path} holds no question of categories 1 to 4 with its evidence.")
    return talks


def _talk(record: Mapping[str, Any], number: int) -> Talk:
    name = str(record.get("sample_id", number))
    talk = record["conversation"]
    lines = tuple(_lines(talk, ThreadId(name)))
    known = {line.message_id for line in lines}
    asked = [(n, q) for n, q in enumerate(record["qa"]) if q["category"] in CATEGORIES]
    questions = [
        Question(f"{name}:{n}", str(q["question"]), q["category"], evidence)
        for n, q in asked
        if (evidence := tuple(i for i in turns_named(q.get("evidence", ())) if i in known))
    ]
    speakers = str(talk["speaker_a"]), str(talk["speaker_b"])
    return Talk(name, speakers, lines, tuple(questions), len(asked) - len(questions))


def turns_named(evidence: list[str]) -> list[str]:
    """The turn ids of an evidence list, each once.

    One string may hold several ("D8:6; D9:17"), a stray colon ("D:11:26") or a zero ("D30:05"); the rest is dropped.
    """
    found = (match for text in evidence for match in _TURN.finditer(text))
    return list(dict.fromkeys(f"D{int(m[1])}:{int(m[2])}" for m in found))


def _lines(talk: Mapping[str, Any], thread: ThreadId) -> Iterator[Line]:
    numbers = sorted(int(m[1]) for key in talk if (m := _SESSION.fullmatch(key)))
    for number in numbers:
        said = datetime.strptime(talk[f"session_{number}_date_time"], _SAID_AT).replace(tzinfo=UTC)
        for place, turn in enumerate(talk[f"session_{number}"]):
            # The file dates sessions only; seconds keep the order of turns.
            at = said + timedelta(seconds=place)
            # A photo is given by its caption alone, as studies of these data read it.
            text = " ".join(filter(None, (turn["text"], turn.get("blip_caption"))))
            yield Line(MessageId(turn["dia_id"]), thread, at, str(turn["speaker"]), text)
