"""The exchanges of the reflection bench, what each must and must not teach, and how a candidate is judged on it.

Words are compared as stems; what was unsure or denied counts by any word of the language that says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_THREAD,
    Address,
    Candidate,
    Character,
    CharacterId,
    Exchange,
    Message,
    MessageId,
    Person,
    PersonId,
    Scope,
)
from souvenance.errors import BadInput, BadLine
from souvenance.lang import Language, fold, language
from souvenance.measure.lines import lines_of, record_of
from souvenance.write.filters.identifiers import redact
from souvenance.write.filters.listed import has, spoken

Told = Literal["sure", "unsure", "hint", "denied", "played"]
_TOLD: tuple[Told, ...] = ("sure", "unsure", "hint", "denied", "played")

_AT = datetime(2026, 3, 11, 18, tzinfo=UTC)

#: The lists whose words say that somebody was not sure, and that something is not so.
_RESERVE = ("reserve", "reserve_told", "hedges", "conditions", "approximations")
_DENIAL = ("negation_words", "negation_turns")


@dataclass(frozen=True, slots=True)
class Fact:
    """Something an exchange tells, and how: each of `words` in one of its forms; `denial` are words that deny it."""

    told: Told
    words: tuple[tuple[str, ...], ...]
    denial: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One exchange; `never` are words that only the reply holds."""

    case_id: str
    language: str
    category: str
    exchange: Exchange
    facts: tuple[Fact, ...]
    never: tuple[str, ...]

    @property
    def fresh(self) -> frozenset[MessageId]:
        """All of its messages are new."""
        return frozenset(m.message_id for m in self.exchange.messages)


def shipped() -> list[Path]:
    """The files in the package, French first."""
    folder = Path(str(files("souvenance.measure"))) / "reflect_cases"
    return [folder / "fr.jsonl", folder / "en.jsonl"]


def cases_of(path: Path) -> list[Case]:
    """The cases of a file, in order. Errors: `BadInput` (not readable, or empty), `BadLine`."""
    found = [_case(record_of(line, number), number) for number, line in lines_of(path)]
    if not found:
        raise BadInput(f"{path} holds no exchange to reflect on; docs/bench.md shows one.")
    return found


def _case(row: dict[str, Any], number: int) -> Case:
    try:
        facts = []
        for fact in row.get("facts", ()):
            if fact["told"] not in _TOLD:
                raise ValueError(f'"told" is one of {", ".join(_TOLD)}, not {fact["told"]!r}')
            groups = tuple(tuple(str(form) for form in group) for group in fact["words"])
            if not groups or not all(groups):
                raise ValueError('"words" of a fact is empty')
            facts.append(Fact(fact["told"], groups, tuple(fact.get("or", ()))))
        return Case(
            str(row["id"]),
            str(row["lang"]),
            str(row["category"]),
            _exchange(row),
            tuple(facts),
            tuple(str(word) for word in row.get("never", ())),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        said = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise BadLine(
            f"Line {number} is not an item of the reflect bench ({said}); mend or remove it.",
            line=number,
        ) from error


def _exchange(row: dict[str, Any]) -> Exchange:
    address = Address(DEFAULT_SPACE, PersonId("person"), CharacterId("character"))
    messages = []
    for n, said in enumerate(row["exchange"]):
        if said["role"] not in ("user", "character"):
            raise ValueError(f'"role" is user or character, not {said["role"]!r}')
        text = redact(str(said["text"])).text
        messages.append(
            Message(address, MAIN_THREAD, MessageId(str(n)), None, said["role"], text, _AT, "")
        )
    name = row.get("user_name")
    return Exchange(
        tuple(messages),
        Person(DEFAULT_SPACE, address.person, None if name is None else str(name)),
        Character(DEFAULT_SPACE, address.character, str(row["character"]), "", str(row["lang"])),
    )


# --- what a candidate says ------------------------------------------------------------------------


def speaks_of(text: str, fact: Fact, words: Language) -> bool:
    """Whether a text holds at least half of the words of a fact."""
    held = sum(_holds(text, group, words) for group in fact.words)
    return held > 0 and 2 * held >= len(fact.words)


def tells(texts: Sequence[str], fact: Fact, words: Language) -> bool:
    """Whether the texts together hold every figure, name and month of a fact and half of its other words.

    Only texts that hold one of its words count.
    """
    held = [any(_holds(text, group, words) for text in texts) for group in fact.words]
    others = [h for h, group in zip(held, fact.words, strict=True) if not _decides(group, words)]
    decisive = [h for h, group in zip(held, fact.words, strict=True) if _decides(group, words)]
    return all(decisive) and any(held) and 2 * sum(others) >= len(others)


def holds_word(text: str, word: str, words: Language) -> bool:
    """Whether a word stands in a text, inflected or not."""
    return _holds(text, (word,), words)


def is_reserved(text: str, words: Language) -> bool:
    """Whether a text says that something is not sure."""
    return any(has(text, words, name) for name in _RESERVE)


def is_denied(text: str, fact: Fact, words: Language) -> bool:
    """Whether a text says that the fact is not so."""
    return any(has(text, words, name) for name in _DENIAL) or _holds(text, fact.denial, words)


def is_played(candidate: Candidate) -> bool:
    """Whether a candidate is kept to its story."""
    return candidate.scope is Scope.THREAD


def _holds(text: str, forms: Sequence[str], words: Language) -> bool:
    said = spoken(text)
    stems = {words.stem(w) for w in said}
    for form in forms:
        sought = spoken(form)
        if len(sought) == 1:
            if words.stem(sought[0]) in stems or _begins(said, sought[0]):
                return True
        elif f" {' '.join(sought)} " in f" {' '.join(said)} ":
            return True
    return False


#: Letters from which a word also counts with another ending than its stem knows. Chosen, not measured.
_STEM = 5


def _begins(said: Sequence[str], word: str) -> bool:
    return len(word) >= _STEM and any(w.startswith(word[: max(_STEM, len(word) - 2)]) for w in said)


@cache
def _months(code: str) -> frozenset[str]:
    return frozenset(e.split("=")[0].strip() for e in language(code).words["months"])


def _decides(group: Sequence[str], words: Language) -> bool:
    first = group[0]
    return first[0].isupper() or first[0].isdigit() or fold(first) in _months(words.code)
