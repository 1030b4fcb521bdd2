"""Measures what a chat model proposes when it reflects, before the filters and after them, on known exchanges.

The product trusts no model; whoever chose one may still want to know what theirs does.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from souvenance.domain import Candidate, Dropped, Kept
from souvenance.errors import BadAnswer, ModelError
from souvenance.lang import Language, language
from souvenance.measure.reflectcases import (
    Case,
    Fact,
    holds_word,
    is_denied,
    is_played,
    is_reserved,
    speaks_of,
    tells,
)
from souvenance.measure.report import Fault, Metrics, Report, rate
from souvenance.ports import ChatModel
from souvenance.write import extractive, reflection
from souvenance.write.filters import screen, support
from souvenance.write.filters.evidence import find
from souvenance.write.filters.mentions import mentions

#: Room for the model's answer, in tokens: what the engine gives it.
MAX_TOKENS = 1_200

#: Failures of the model itself in a row after which the rest is not tried. Chosen, not measured.
_GIVE_UP = 3

State = Literal["answered", "repaired", "unusable", "unreachable"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one draw on one case gave: every candidate with why it was refused, or "" when it was kept."""

    case: Case
    draw: int
    state: State
    seconds: float
    candidates: tuple[tuple[Candidate, str], ...] = ()

    def kept(self) -> list[Candidate]:
        """What the filters let through."""
        return [c for c, why in self.candidates if not why]

    def proposed(self) -> list[Candidate]:
        """What the model proposed."""
        return [c for c, _ in self.candidates]


@dataclass(slots=True)
class Run:
    """A measurement as it goes, so that an interrupted one keeps what it has. `planned` counts answers."""

    cases: Sequence[Case]
    draws: int = 2
    answers: list[Answer] = field(default_factory=list)
    gave_up: str = ""

    @property
    def planned(self) -> int:
        """How many answers a whole run asks for."""
        return len(self.cases) * self.draws

    async def ask_all(self, chat: ChatModel, each: Callable[[], None] = lambda: None) -> None:
        """Asks for every draw of every case in turn; `each` is called after each answer.

        Errors: `ModelError` when the model fails at its very first question.
        """
        failures = 0
        for draw in range(self.draws):
            for case in self.cases:
                began = time.perf_counter()
                try:
                    answer = await _answer(chat, case, draw)
                    failures = 0
                except ModelError as error:
                    if not self.answers:
                        raise
                    failures += 1
                    answer = Answer(case, draw, "unreachable", time.perf_counter() - began)
                    if failures >= _GIVE_UP:
                        self.gave_up = str(error)
                self.answers.append(answer)
                each()
                if self.gave_up:
                    return

    def report(self, file: str) -> Report:
        """What was measured so far, beside the rules alone on the same cases."""
        asked = {a.case.case_id for a in self.answers}
        rules = [_by_rules(case) for case in self.cases if case.case_id in asked]
        groups: dict[str, list[Answer]] = {}
        for answer in self.answers:
            for name in (answer.case.category, answer.case.language):
                groups.setdefault(name, []).append(answer)
        metrics = dict(score(self.answers, Answer.kept))
        metrics |= _calls(self.answers) | _agreement(self.answers) | separation(self.answers)
        return Report(
            bench="reflect",
            file=file,
            n=len(asked),
            metrics=metrics,
            by={name: score(found, Answer.kept) for name, found in sorted(groups.items())},
            baselines={
                "before the filters": score(self.answers, Answer.proposed),
                "rules without a model": score(rules, Answer.kept),
            },
            decisions=[_decision(answer) for answer in self.answers],
            failed=_failed(self.answers),
            faults=_faulty(self.answers),
            notes=[self.gave_up] if self.gave_up else [],
        )


async def _answer(chat: ChatModel, case: Case, draw: int) -> Answer:
    """One reflection as the engine makes it, its single repair included. Errors: `ModelError`."""
    began = time.perf_counter()
    question = reflection.ask(case.exchange, case.fresh, ())

    async def ask(messages: Sequence[reflection.ChatMessage]) -> str:
        return await chat.answer_json(
            messages, schema=reflection.SCHEMA, schema_name="reflection", max_tokens=MAX_TOKENS
        )

    state: State = "answered"
    try:
        raw = await ask(question)
        try:
            read = reflection.parse(raw, case.exchange, case.fresh)
        except BadAnswer as error:
            state = "repaired"
            raw = await ask([*question, *reflection.repair(raw, str(error))])
            read = reflection.parse(raw, case.exchange, case.fresh)
    except BadAnswer:
        return Answer(case, draw, "unusable", time.perf_counter() - began)
    seconds = time.perf_counter() - began
    screened = await asyncio.to_thread(lambda: _screened(read.candidates, case))
    return Answer(case, draw, state, seconds, screened)


def _by_rules(case: Case) -> Answer:
    began = time.perf_counter()
    found = extractive.extract(case.exchange, case.fresh)
    return Answer(case, 0, "answered", time.perf_counter() - began, _screened(found, case))


def _screened(candidates: Iterable[Candidate], case: Case) -> tuple[tuple[Candidate, str], ...]:
    found = []
    for candidate in candidates:
        verdict = screen(candidate, case.exchange)
        why = f"{verdict.filter}: {verdict.reason}" if isinstance(verdict, Dropped) else ""
        found.append((verdict.candidate if isinstance(verdict, Kept) else candidate, why))
    return tuple(found)


# --- scoring --------------------------------------------------------------------------------------

#: Each rate with the counts it comes from.
RATES = {
    "abstain_rate": ("abstained", "small_talk"),
    "fact_rate": ("facts_kept", "facts"),
    "hesitation_lost_rate": ("hesitations_lost", "hesitations_told"),
    "flip_rate": ("flipped", "denials_told"),
    "overreach_rate": ("overreached", "hints"),
    "copy_rate": ("copied", "candidates"),
    "about_character_rate": ("about_character", "character_talk"),
    "invented_rate": ("invented", "candidates"),
    "played_as_real_rate": ("played_as_real", "played_told"),
}


def score(answers: Sequence[Answer], which: Callable[[Answer], list[Candidate]]) -> Metrics:
    """Counts and rates over the usable answers of all draws, on what was proposed or on what was kept of it."""
    count = Counter[str]()
    for answer in answers:
        if answer.state in ("answered", "repaired"):
            count.update(_faults(answer.case, which(answer)))
    metrics: dict[str, float | int | None] = {
        "draws": max((a.draw + 1 for a in answers), default=1)
    }
    for name, (hits, trials) in RATES.items():
        metrics |= {trials: count[trials], hits: count[hits]}
        metrics[name] = rate(count[hits], count[trials])
    return metrics


def _faults(case: Case, candidates: Sequence[Candidate]) -> Counter[str]:
    """What the candidates of one case count for, by the names in `RATES`."""
    words = language(case.language)
    count = Counter({"candidates": len(candidates)})
    copied = [c for c in candidates if _is_copied(c, case, words)]
    count["copied"] = len(copied)
    count["invented"] = sum(
        isinstance(support.check(c, case.exchange, words), Dropped) for c in candidates
    )
    if case.category == "small_talk":
        count["small_talk"] = 1
        count["abstained"] = not candidates
    if case.category == "character":
        count["character_talk"] = 1
        count["about_character"] = any(
            c in copied or mentions(c.text, case.exchange, words).character_leads
            for c in candidates
        )
    for fact in case.facts:
        count.update(_told(fact, candidates, words))
    return count


def _told(fact: Fact, candidates: Sequence[Candidate], words: Language) -> Counter[str]:
    """What became of one fact."""
    about = [c for c in candidates if speaks_of(c.text, fact, words)]
    if fact.told == "sure":
        sure = [c.text for c in candidates]
        return Counter({"facts": 1, "facts_kept": int(tells(sure, fact, words))})
    if fact.told == "denied":
        flipped = any(not is_denied(c.text, fact, words) for c in about)
        return Counter({"denials_told": int(bool(about)), "flipped": int(flipped)})
    if fact.told == "played":
        real = any(not is_played(c) for c in about)
        return Counter({"played_told": int(bool(about)), "played_as_real": int(real)})
    lost = any(not is_reserved(c.text, words) for c in about)
    if fact.told == "hint":
        return Counter({"hints": 1, "overreached": int(lost)})
    return Counter({"hesitations_told": int(bool(about)), "hesitations_lost": int(lost)})


def _is_copied(candidate: Candidate, case: Case, words: Language) -> bool:
    """Whether it holds words that only the reply holds, or rests on the reply alone."""
    by_reply = find(candidate, case.exchange, words).by == "character"
    return by_reply or any(holds_word(candidate.text, w, words) for w in case.never)


# --- beside the counts ----------------------------------------------------------------------------


def _calls(answers: Sequence[Answer]) -> dict[str, float | int | None]:
    states = Counter(a.state for a in answers)
    seconds = [a.seconds for a in answers if a.state != "unreachable"]
    return {
        "answers": len(answers),
        "repaired": states["repaired"],
        "unusable": states["unusable"],
        "unreachable": states["unreachable"],
        "seconds_median": statistics.median(seconds) if seconds else None,
        "seconds_longest": max(seconds, default=None),
    }


def _agreement(answers: Sequence[Answer]) -> dict[str, float | int | None]:
    """How many cases come out the same in every draw: proposing or not, and every count of `_faults` but sizes."""
    drawn: dict[str, list[Answer]] = {}
    for answer in answers:
        drawn.setdefault(answer.case.case_id, []).append(answer)
    compared = [found for found in drawn.values() if len(found) > 1]
    agreed = sum(len({_outcome(a) for a in found}) == 1 for found in compared)
    return {
        "compared": len(compared),
        "agreed": agreed,
        "agreement_rate": rate(agreed, len(compared)),
    }


def _outcome(answer: Answer) -> tuple[Any, ...]:
    count = _faults(answer.case, answer.kept())
    usable = answer.state in ("answered", "repaired")
    counted = tuple((k, n) for k, n in sorted(count.items()) if k not in ("candidates", "copied"))
    return usable, bool(answer.kept()), counted


def separation(answers: Sequence[Answer]) -> dict[str, float | int | None]:
    """Whether the model is surer of what was said plainly than of what was unsure or implied.

    `confidence_auc` is the chance that a plain fact has the higher figure, ties counted half; 0.5 tells nothing.
    """
    sure: list[float] = []
    unsure: list[float] = []
    for answer in answers:
        words = language(answer.case.language)
        for candidate in answer.proposed():
            about = {f.told for f in answer.case.facts if speaks_of(candidate.text, f, words)}
            if "sure" in about:
                sure.append(candidate.confidence)
            elif about & {"unsure", "hint"}:
                unsure.append(candidate.confidence)
    wins = sum((s > u) + 0.5 * (s == u) for s in sure for u in unsure)
    pairs = len(sure) * len(unsure)
    return {
        "confidence_sure": statistics.fmean(sure) if sure else None,
        "confidence_unsure": statistics.fmean(unsure) if unsure else None,
        "confidence_auc": wins / pairs if pairs else None,
    }


def _failed(answers: Sequence[Answer]) -> list[str]:
    """Cases with a fault left after the filters, in order, once each."""
    bad = (
        "hesitations_lost", "flipped", "overreached", "copied", "about_character", "invented", "played_as_real",
    )  # fmt: skip
    found = []
    for answer in answers:
        count = _faults(answer.case, answer.kept())
        missed = count["facts"] > count["facts_kept"] or count["small_talk"] > count["abstained"]
        usable = answer.state in ("answered", "repaired")
        if not usable or missed or any(count[name] for name in bad):
            found.append(answer.case.case_id)
    return list(dict.fromkeys(found))


def _written(fact: Fact) -> str:
    """A fact by the first form of each of its words."""
    return f"“{' … '.join(forms[0] for forms in fact.words)}” ({fact.told})"


def _faulty(answers: Sequence[Answer]) -> dict[str, Fault]:
    """Of each faulty case, the facts that it holds and what its first answer with a fault left."""
    found: dict[str, Fault] = {}
    for answer in answers:
        if answer.case.case_id in found or not _failed([answer]):
            continue
        usable = answer.state in ("answered", "repaired")
        said = " · ".join(m.text for m in answer.case.exchange.messages if m.role == "user")
        facts = ", ".join(_written(fact) for fact in answer.case.facts) or "nothing"
        kept = ", ".join(f"“{c.text}”" for c in answer.kept()) or "nothing"
        found[answer.case.case_id] = Fault(said, facts, kept if usable else "no usable answer")
    return found


def _decision(answer: Answer) -> dict[str, Any]:
    return {
        "id": answer.case.case_id,
        "draw": answer.draw,
        "state": answer.state,
        "seconds": round(answer.seconds, 3),
        "candidates": [
            {
                "text": c.text,
                "quote": c.quote,
                "kind": c.kind.value,
                "scope": "global" if c.scope.value == "global" else "story",
                "confidence": c.confidence,
                "kept": not why,
                "reason": why,
            }
            for c, why in answer.candidates
        ],
    }
