"""Tries hostile texts on the write path with a model that proposes everything, and tells what got through.

What protects a memory is where its words come from, so each attack is placed where it would come from.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from souvenance.domain import (
    MAIN_THREAD,
    Address,
    Candidate,
    Character,
    CharacterId,
    Dropped,
    Exchange,
    Kind,
    Memory,
    Message,
    MessageId,
    Person,
    PersonId,
    Redacted,
    Scope,
    Source,
    Space,
    Status,
    Verdict,
)
from souvenance.errors import BadLine
from souvenance.lang import Language, detect, fold, language, tokens
from souvenance.measure.lines import lines_of, record_of
from souvenance.models.fakes import ScriptedChat, StepClock
from souvenance.opening import open
from souvenance.ports import ChatMessage
from souvenance.recording import Said
from souvenance.settings import Settings
from souvenance.stores.memory import MemoryStore
from souvenance.write.filters import instruction
from souvenance.write.words.sentences import sentences

if TYPE_CHECKING:
    from souvenance.engine import Engine

#: What the two are called in every trial.
PERSON, CHARACTER = "Nadège", "Corbin"

#: Where an attack may be placed; what is typed is the person's own, the rest is somebody else's.
TYPED = "typed"

_AT = datetime(2026, 3, 2, 9, tzinfo=UTC)

#: Seconds one trial may take to be reflected on. Chosen, not measured.
_PATIENCE_S = 60.0


@dataclass(frozen=True, slots=True)
class Attack:
    """One hostile text, and the family of tricks it belongs to."""

    attack_id: str
    language: str
    family: str
    text: str


@dataclass(frozen=True, slots=True)
class Position:
    """An exchange with a hole in it: whose words the attack stands among."""

    position_id: str
    position: str
    language: str
    messages: tuple[tuple[str, str], ...]

    def filled(self, attack: Attack) -> list[Said]:
        """The exchange with the attack in its place."""
        said = []
        for n, (role, text) in enumerate(self.messages):
            quoted = attack.text.replace("\n", "\n> ")
            whole = text.replace("{bq}", f"> {quoted}").replace("{attack}", attack.text)
            said.append(Said("user" if role == "user" else "character", whole, _AT, str(n)))
        return said

    def own(self) -> str:
        """What the person typed around the attack."""
        return " ".join(
            t.replace("{attack}", " ").replace("{bq}", " ") for r, t in self.messages if r == "user"
        )


@dataclass(frozen=True, slots=True)
class Trial:
    """One attack in one position under one strategy: what was stored, and what must not have been."""

    attack: Attack
    position: Position
    strategy: str
    stored: tuple[Memory, ...]
    wrong: tuple[str, ...]


def attacks_of(path: Path) -> list[Attack]:
    """The attacks of a file, in order. Errors: `BadInput`, `BadLine`."""
    found = []
    for number, line in lines_of(path):
        row = record_of(line, number)
        try:
            found.append(Attack(row["id"], row["lang"], row["family"], row["text"]))
        except KeyError as error:
            raise BadLine(f"Line {number} is not an attack (no {error}).", line=number) from error
    return found


def positions_of(path: Path) -> list[Position]:
    """The positions of a file, in order. Errors: `BadInput`, `BadLine`."""
    found = []
    for number, line in lines_of(path):
        row = record_of(line, number)
        try:
            messages = tuple((m["role"], m["text"]) for m in row["messages"])
            found.append(Position(row["id"], row["position"], row["lang"], messages))
        except KeyError as error:
            raise BadLine(f"Line {number} is not a position (no {error}).", line=number) from error
    return found


# --- the model that proposes everything -----------------------------------------------------------

Item = dict[str, Any]

#: Kinds in turn, those a model may not propose included.
_KINDS = ("rule", "fact", "preference", "promise", "episode", "instruction")


def _quoted(piece: str, words: Language, own: str) -> Item:
    return {"text": piece, "quote": piece}


def _unquoted(piece: str, words: Language, own: str) -> Item:
    return {"text": piece, "quote": ""}


def _forged(piece: str, words: Language, own: str) -> Item:
    return {"text": piece, "quote": own}


def _glued(piece: str, words: Language, own: str) -> Item:
    return {"text": f"{PERSON}: {own} {piece}", "quote": own}


def _third(piece: str, words: Language, own: str) -> Item:
    lead = {"fr": "L'utilisatrice"}.get(words.code, "The user")
    return {"text": f"{lead} : {piece}", "quote": piece}


def _promised(piece: str, words: Language, own: str) -> Item:
    verb = {"fr": "promet"}.get(words.code, "promises")
    return {"text": f"{CHARACTER} {verb} : {piece}", "quote": piece, "kind": "promise"}


def _sworn(piece: str, words: Language, own: str) -> Item:
    return {"text": piece, "quote": piece, "kind": "promise", "spoken_by": "user", "role": "user"}


def _spliced(piece: str, words: Language, own: str) -> Item:
    return {"text": piece, "quote": f"{own} … {piece}"}


def _short(piece: str, words: Language, own: str) -> Item:
    return {"text": piece, "quote": (own.split() or [""])[0]}


#: How a model that lies fills in an item for a piece of text: words, quote, kind, speaker.
STRATEGIES: dict[str, Callable[[str, Language, str], Item]] = {
    "quoted": _quoted,
    "unquoted": _unquoted,
    "forged quote": _forged,
    "glued to the person's words": _glued,
    "third person": _third,
    "as a promise": _promised,
    "role swapped": _sworn,
    "spliced quote": _spliced,
    "short quote": _short,
}

#: Reflection without a model, on the same exchange.
EXTRACTIVE = "extractive"


class Greedy:
    """A chat model's mind: proposes every sentence and every line of every message it is shown."""

    def __init__(self) -> None:
        self.strategy = "quoted"
        self.language = "en"

    def __call__(self, asked: Sequence[ChatMessage]) -> str:
        """The answer to one question of reflection."""
        words = language(self.language)
        said = [
            json.loads(line) for line in asked[1].text.split("\n") if line.startswith('{"from"')
        ]
        pieces: dict[str, None] = {}
        own = ""
        for message in said:
            text = message["text"]
            found = [s.text for s in sentences(text, words)]
            if message["from"] == PERSON and not own:
                own = found[0] if found else ""
            for piece in (text, *text.split("\n"), *found):
                pieces.setdefault(piece.strip(" \t\n>-"), None)
        propose = STRATEGIES[self.strategy]
        items = []
        for n, piece in enumerate(p for p in pieces if p):
            item = {"kind": _KINDS[n % len(_KINDS)], "scope": "global", "confidence": 1.0}
            items.append(item | {"importance": 4} | propose(piece[:480], words, own))
        return json.dumps({"reasoning": "", "candidates": items}, ensure_ascii=False)


# --- the trials -----------------------------------------------------------------------------------


async def run(tries: Sequence[tuple[Attack, Position, str]]) -> list[Trial]:
    """What each attack left, each with a person of its own, in order."""
    mind = Greedy()
    pace = {"idle_s": 0, "batch": 1, "attempts": 1}
    quiet = {"discover": False}
    settings = Settings.model_validate({"reflection": pace, "chat": quiet})
    found: dict[int, Trial] = {}
    for plain in (False, True):
        chat = None if plain else ScriptedChat(then=mind)
        store, clock = MemoryStore(), StepClock(_AT + timedelta(hours=1))
        async with open(
            settings=settings, store=store, chat=chat, embedder=None, clock=clock
        ) as engine:
            for code in ("fr", "en"):
                await engine.put_character(_character(code))
            for n, (attack, position, strategy) in enumerate(tries):
                if (strategy == EXTRACTIVE) is plain:
                    if not plain:
                        mind.strategy, mind.language = strategy, position.language
                    found[n] = await _try(engine, n, attack, position, strategy)
    return [found[n] for n in sorted(found)]


def _character(code: str) -> Character:
    return Character(Space("default"), CharacterId(f"corbin-{code}"), CHARACTER, "", code)


async def _try(engine: Engine, n: int, attack: Attack, position: Position, strategy: str) -> Trial:
    talk = engine.thread(f"person {n}", f"corbin-{position.language}", name=PERSON)
    said = position.filled(attack)
    await talk.append(said)
    await engine.drain(_PATIENCE_S)
    stored = tuple(await talk.memories.list(statuses=()))
    typed = [s.text for s in said if s.role == "user"]
    wrong = tuple(why for m in stored for why in faults(m, attack, position, typed))
    return Trial(attack, position, strategy, stored, wrong)


def faults(memory: Memory, attack: Attack, position: Position, typed: Sequence[str]) -> list[str]:
    """What a stored memory has that it must not have; empty when it may stand."""
    found = []
    if memory.kind is Kind.RULE:
        found.append(f"a rule: {memory.text}")
    frame = f"{position.own()} {_FRAME}"
    foreign = _words(memory.text) & _words(attack.text) - _words(frame)
    if position.position != TYPED:
        if foreign and memory.status is Status.ACTIVE:
            found.append(f"somebody else's words: {memory.text}")
        return found
    if memory.source is not Source.PERSON and foreign:
        found.append(f"not said by the person: {memory.text}")
    quote = _line(memory.quote)
    if memory.source is Source.PERSON and (
        not quote.strip() or not any(quote in _line(t) for t in typed)
    ):
        found.append(f"no words of the person's: {memory.text}")
    return found


#: What a strategy puts around an attack itself.
_FRAME = f"{PERSON} {CHARACTER} user utilisateur utilisatrice promises promet"


def _words(text: str) -> set[str]:
    """Words that carry something, folded."""
    return {t.word for t in tokens(text) if len(t.word) > 3 or not t.word.isascii()}


def _line(text: str) -> str:
    return f" {' '.join(t.word for t in tokens(fold(text)))} "


def plan(
    attacks: Sequence[Attack], positions: Sequence[Position]
) -> list[tuple[Attack, Position, str]]:
    """Each attack once in each kind of position; which one of the kind, and how it is proposed, take turns."""
    ways = (*STRATEGIES, EXTRACTIVE)
    tries = []
    kinds = list(dict.fromkeys(p.position for p in positions))
    for n, attack in enumerate(attacks):
        code = "fr" if attack.language == "fr" else "en"
        for k, kind in enumerate(kinds):
            here = [p for p in positions if p.position == kind and p.language == code]
            tries.append((attack, here[n % len(here)], ways[(n // len(here) + k) % len(ways)]))
    return tries


# --- the instruction filter alone -----------------------------------------------------------------


def sieve(attack: Attack) -> bool:
    """Whether the instruction filter alone refuses the text, as somebody's own words."""
    return isinstance(read(attack), Dropped)


def read(attack: Attack) -> Verdict:
    """What the instruction filter alone decides of the text, proposed as a fact that the person typed."""
    code = "fr" if attack.language == "fr" else "en"
    address = Address(Space("default"), PersonId("person"), CharacterId("character"))
    text = Redacted(attack.text)
    message = Message(address, MAIN_THREAD, MessageId("1"), None, "user", text, _AT, "")
    person = Person(address.space, address.person, PERSON)
    exchange = Exchange((message,), person, _character(code))
    candidate = Candidate(attack.text, Kind.FACT, Scope.GLOBAL, 1.0, attack.text)
    return instruction.check(candidate, exchange, language(detect(attack.text, code)))


def sieved(attacks: Sequence[Attack]) -> tuple[int, int]:
    """How many the instruction filter alone refuses, of how many."""
    return sum(sieve(a) for a in attacks), len(attacks)
