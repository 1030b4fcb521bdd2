"""Marks each clause of a line with what bears on its values: a correction, a passing state, a second job, a later day."""

from __future__ import annotations

from dataclasses import dataclass

from souvenance.lang import Language
from souvenance.write.attributes.polarity import phrase_at
from souvenance.write.attributes.spoken import Line, Words
from souvenance.write.words.phrases import has, opens


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause as it is read: its words and those after it, how many are its own, what marks it."""

    said: Words
    tail: int
    corrects: bool
    passing: bool
    beside: bool
    changing: bool
    later: bool
    capitals: bool  # its sentence begins with a capital: whoever typed it writes names with one


def clauses(line: Line, words: Language) -> list[Clause]:
    """The clauses of a line without what opens them, each with its marks."""
    corrects = (
        has(line.text, words, "correction_cues")
        or has(line.text, words, "attribute_corrections")
        or opens(line.text, words, "refusals") is not None
    )
    found: list[Clause] = []
    for start, end in line.clauses:
        text = line.text[line.words[start].start : line.words[end - 1].end]
        while start < end and (
            size := phrase_at(line.words[:end], start, words, "attribute_leads")
        ):
            start += size
        start = _past_span(line.words, start, end, words)
        if start < end:
            found.append(
                Clause(
                    line.words[start:],
                    len(line.words) - end,
                    corrects,
                    has(text, words, "attribute_passing"),
                    has(text, words, "attribute_beside"),
                    has(text, words, "attribute_changing"),
                    has(text, words, "attribute_later"),
                    line.words[0].capital,
                )
            )
    return found


def _past_span(said: Words, start: int, end: int, words: Language) -> int:
    """Where the subject stands behind a span of time ("since May I…"); the start when there is none."""
    if start >= end or said[start].word not in words.words["attribute_since"]:
        return start
    subjects = words.words["subjects"] | words.words["attribute_mine"]
    ahead = range(start + 1, min(start + 6, end))
    return next((n for n in ahead if said[n].word in subjects), start)
