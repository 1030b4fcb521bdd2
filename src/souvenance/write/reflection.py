"""What a chat model is asked about an exchange, and what its answer proposes.

The model only proposes: nothing here decides. Whatever it answers, the outcome is proposals or `BadAnswer`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from souvenance.domain import Candidate, Exchange, Kind, Message, MessageId, Role, Scope
from souvenance.errors import BadAnswer
from souvenance.lang import fold, language, tokens
from souvenance.ports import ChatMessage
from souvenance.write.attributes import filed
from souvenance.write.dates import local_day
from souvenance.write.salvage import find_json
from souvenance.write.told.staging import holds, is_played

__all__ = [
    "MAX_CANDIDATES",
    "MAX_TEXT",
    "SCHEMA",
    "ChatMessage",
    "Proposals",
    "Stance",
    "ask",
    "parse",
    "repair",
]

#: Candidates read of one answer. Chosen, not measured: an honest exchange holds a handful, and a model that
#: loops repeats itself; those beyond are counted in `Proposals.ignored`.
MAX_CANDIDATES = 32

#: Characters of one memory; a longer text is no memory and is ignored, not shortened. Chosen, not measured.
MAX_TEXT = 500

#: Characters of a quote, a summary, or a short field. Chosen, not measured.
_MAX_QUOTE, _MAX_SUMMARY, _MAX_FIELD = 1_000, 4_000, 120

#: Confidence of a candidate that came without one. Chosen, not measured: neither trusted nor refused outright.
_UNSAID_CONFIDENCE = 0.6

#: Characters of an unusable answer that its author is shown again. Chosen, not measured.
_MAX_REPEATED = 4_000

#: A block of memories that was injected into a message, even left open: it must not be learnt again.
_INJECTED = re.compile(
    r"<souvenance-memory>.*?(?:</souvenance-memory>|\Z)|</souvenance-memory>",
    re.DOTALL | re.IGNORECASE,
)

#: Kinds a model may propose, under the names that it gives them. Any other becomes a fact; a rule is made by hand.
_KINDS = {
    "fact": Kind.FACT, "fait": Kind.FACT,
    "preference": Kind.PREFERENCE,
    "promise": Kind.PROMISE, "promesse": Kind.PROMISE,
    "episode": Kind.EPISODE, "event": Kind.EPISODE,
}  # fmt: skip

_SCOPES = {
    "global": Scope.GLOBAL, "story": Scope.THREAD, "thread": Scope.THREAD, "histoire": Scope.THREAD,
}  # fmt: skip

SCHEMA: Mapping[str, Any] = MappingProxyType(
    json.loads((files("souvenance.write") / "prompts" / "reflect.schema.json").read_text("utf-8"))
)


@dataclass(frozen=True, slots=True)
class Stance:
    """What the character thinks of a subject, as the model proposes it."""

    subject: str
    position: str


@dataclass(frozen=True, slots=True)
class Proposals:
    """What one answer proposes. `repaired`: its JSON had to be mended; `ignored`: candidates that say nothing usable."""

    candidates: tuple[Candidate, ...]
    summary: str | None = None
    anchors: tuple[str, ...] = ()
    stances: tuple[Stance, ...] = ()
    deltas: Mapping[str, float] = field(default_factory=dict)
    repaired: bool = False
    ignored: int = 0


# --- asking ---------------------------------------------------------------------------------------


def ask(
    exchange: Exchange,
    fresh: Collection[MessageId],
    known: Sequence[str],
    instructions: str | None = None,
) -> list[ChatMessage]:
    """The question about the fresh messages of an exchange, in the character's language.

    `known` are texts of memories that need no repeating. `instructions` take the place of the shipped prompt;
    {person}, {character} and {today} are filled in there too. Texts are written as JSON strings, one message a line,
    so that none can pass for an instruction's line or close what holds it.
    """
    lang = language(exchange.character.language).code
    person, character = _names(exchange, lang)
    prompted = lang if _is_file(f"reflect.{lang}.md") else "en"
    system = _fill(
        instructions or _file(f"reflect.{prompted}.md"),
        person=person,
        character=character,
        today=_day(exchange),
    )
    before = [_line(m, person, character) for m in exchange.messages if m.message_id not in fresh]
    new = [_line(m, person, character) for m in exchange.messages if m.message_id in fresh]
    transcript = _fill(
        _file(f"transcript.{prompted}.md"),
        known="\n".join(_quoted(k) for k in known) or "-",
        before="\n".join(before) or "-",
        fresh="\n".join(new) or "-",
    )
    return [ChatMessage("system", system), ChatMessage("user", transcript)]


def repair(raw: str, error: str) -> list[ChatMessage]:
    """What follows the question after an unusable answer: the answer, and a request for a usable one."""
    wish = _fill(_file("repair.md"), error=error.rstrip("."))
    return [ChatMessage("assistant", raw[:_MAX_REPEATED] or "-"), ChatMessage("user", wish)]


def readable_text(message: Message) -> str:
    """The text of a message without the memories that were injected into it."""
    return _INJECTED.sub(" ", message.text).strip()


def _names(exchange: Exchange, lang: str) -> tuple[str, str]:
    """How the person and the character are called in the prompt, on one line each."""
    person = _short(exchange.person.display_name) or language(lang).the_user
    return person, _short(exchange.character.name) or str(exchange.character.character)


def _day(exchange: Exchange) -> str:
    """The day of the last message where the person lives, as 2026-03-02."""
    if not exchange.messages:
        return "?"
    return local_day(exchange.messages[-1].at, exchange.person.time_zone).isoformat()


def _line(message: Message, person: str, character: str) -> str:
    speaker = person if message.role == "user" else character
    return f'{{"from": {_quoted(speaker)}, "text": {_quoted(readable_text(message))}}}'


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _fill(template: str, **values: str) -> str:
    """The template with each {name} replaced once; braces in the values mean nothing."""
    return re.sub(r"\{(\w+)\}", lambda m: values.get(m[1], m[0]), template).strip()


def read_prompts() -> None:
    """Reads every prompt once, so that no event loop waits for a file afterwards."""
    for entry in (files("souvenance.write") / "prompts").iterdir():
        if entry.name.endswith(".md"):
            _is_file(entry.name)
            _file(entry.name)


@cache
def _is_file(name: str) -> bool:
    return (files("souvenance.write") / "prompts" / name).is_file()


@cache
def _file(name: str) -> str:
    return (files("souvenance.write") / "prompts" / name).read_text("utf-8")


# --- reading the answer ---------------------------------------------------------------------------


def parse(raw: str, exchange: Exchange, fresh: Collection[MessageId]) -> Proposals:
    """What an answer proposes, whatever state it is in. Order: as proposed.

    Each candidate rests on the fresh messages that hold its quote, or on all fresh messages of the person when
    none does (a filter decides then). An item that is empty proposes nothing; one cut off is dropped.
    Errors: `BadAnswer` when nothing in the answer can be used; never any other.
    """
    found = find_json(raw, "candidates", _is_answer)
    if found is None:
        raise BadAnswer("the model's answer holds no JSON object in the format asked for", raw=raw)
    if found.cut and _is_candidate(found.tree):
        raise BadAnswer("the model's answer was cut off in its only candidate", raw=raw)
    tree = _as_object(found.tree)
    items = _items(tree.get("candidates"))
    spoken = _Spoken(exchange, fresh)
    read = [_candidate(item, spoken) for item in items[:MAX_CANDIDATES]]
    candidates = tuple(_placed(c, spoken, exchange) for c in read if c is not None)
    if not candidates and items:
        raise BadAnswer("none of the model's candidates has a text that can be kept", raw=raw)
    return Proposals(
        candidates=candidates,
        summary=_short(tree.get("summary"), _MAX_SUMMARY) or None,
        anchors=tuple(a for a in (_short(x, MAX_TEXT) for x in _list(tree.get("anchors"))) if a),
        stances=_stances(tree.get("stances")),
        deltas=_deltas(tree.get("deltas")),
        repaired=found.mended,
        ignored=len(items) - len(candidates),
    )


def _is_answer(tree: Any) -> bool:
    """Whether a tree can be read as an answer: the object asked for, its list alone, or one candidate alone."""
    if isinstance(tree, list):
        return all(isinstance(item, dict) for item in tree)
    if not isinstance(tree, dict):
        return False
    if "candidates" in tree:
        return tree["candidates"] is None or isinstance(tree["candidates"], list | dict)
    return _is_candidate(tree)


def _is_candidate(tree: Any) -> bool:
    """Whether a tree is one candidate without the object asked for around it."""
    return (
        isinstance(tree, dict)
        and "candidates" not in tree
        and isinstance(tree.get("text"), str)
        and "quote" in tree
    )


def _as_object(tree: Any) -> Mapping[str, Any]:
    if isinstance(tree, list):
        return {"candidates": tree}
    return {"candidates": [tree]} if _is_candidate(tree) else dict(tree)


def _items(value: Any) -> list[Any]:
    """The items that are meant to propose something: a schema makes small models fill in empty ones."""
    items = [value] if isinstance(value, dict) else _list(value)
    return [i for i in items if not (i is None or i == {} or _says_nothing(i))]


def _says_nothing(item: Any) -> bool:
    return isinstance(item, dict) and item.get("text", "") in ("", None) and not item.get("quote")


def _candidate(item: Any, spoken: _Spoken) -> Candidate | None:
    """The candidate in an item; None when it has no text that can be kept."""
    if not isinstance(item, dict):
        return None
    text = _short(item.get("text"), MAX_TEXT + 1)
    if not text or len(text) > MAX_TEXT:
        return None
    quote = _short(item.get("quote"), _MAX_QUOTE)
    kind = _KINDS.get(fold(_short(item.get("kind"))), Kind.FACT)
    lasting = kind in (Kind.FACT, Kind.PREFERENCE)
    scope = _SCOPES.get(fold(_short(item.get("scope"))), Scope.GLOBAL if lasting else Scope.THREAD)
    messages, spoken_by = spoken.where(quote)
    return Candidate(
        text=text,
        kind=kind,
        scope=scope,
        confidence=_confidence(item.get("confidence")),
        quote=quote,
        messages=messages,
        spoken_by=spoken_by,
        importance=_importance(item.get("importance")),
        entity=_field(item.get("entity")),
        attribute=_field(item.get("attribute")),
        value=_field(item.get("value")),
    )


def _placed(candidate: Candidate, spoken: _Spoken, exchange: Exchange) -> Candidate:
    """The candidate filed under its attribute, or kept to the story it is played in, whatever the model says."""
    if not spoken.is_played(candidate):
        return _filed(candidate, exchange)
    kind = candidate.kind if candidate.spoken_by == "character" else Kind.EPISODE
    return replace(
        candidate, kind=kind, scope=Scope.THREAD, entity=None, attribute=None, value=None
    )


def _filed(candidate: Candidate, exchange: Exchange) -> Candidate:
    """The candidate with the attribute its text tells; what a model named alone stands where none is read."""
    if (candidate.attribute or "").startswith("figure/"):  # a name of ours, which no model may give
        candidate = replace(candidate, entity=None, attribute=None, value=None)
    if candidate.spoken_by == "character":
        return candidate
    names = (exchange.person.display_name or "", *exchange.person.aliases)
    found = filed(candidate.text, language(exchange.character.language), called=names)
    if found is None or found.attribute == "figure":
        return candidate
    return replace(candidate, entity=found.entity, attribute=found.key, value=found.value)


class _Spoken:
    """The fresh messages, ready to find who said a quote, and whether it is told or played."""

    def __init__(self, exchange: Exchange, fresh: Collection[MessageId]) -> None:
        self._language = language(exchange.character.language)
        self._texts = {m.message_id: readable_text(m) for m in exchange.messages}
        self._said = [
            (m.role, m.message_id, _words(readable_text(m)))
            for m in exchange.messages
            if m.message_id in fresh
        ]

    def where(self, quote: str) -> tuple[tuple[MessageId, ...], Role]:
        """The messages that hold the quote and who wrote them; the person's when both did, or when nobody did."""
        words = _words(quote)
        roles: tuple[Role, Role] = ("user", "character")
        for role in roles:
            held = tuple(
                i for r, i, said in self._said if r == role and words.strip() and words in said
            )
            if held:
                return held, role
        return tuple(i for r, i, _ in self._said if r == "user"), "user"

    def is_played(self, candidate: Candidate) -> bool:
        """Whether a candidate only rests on stage directions: what happens between asterisks, in the story."""
        said = (self._texts[i] for i in candidate.messages)
        held = [t for t in said if holds(t, candidate.quote)]
        return bool(held) and all(
            is_played(candidate.quote, candidate.text, text, self._language) for text in held
        )


def _words(text: str) -> str:
    """The folded words with a space around each, so that one text can be looked for in another."""
    return f" {' '.join(t.word for t in tokens(text))} "


def _stances(value: Any) -> tuple[Stance, ...]:
    pairs = (
        (_short(i.get("subject")), _short(i.get("position"), MAX_TEXT))
        for i in _list(value)
        if isinstance(i, dict)
    )
    return tuple(Stance(s, p) for s, p in pairs if s and p)


def _deltas(value: Any) -> Mapping[str, float]:
    """Named changes, given as a list of name and change or as an object; those that are not numbers left out."""
    if isinstance(value, dict):
        given = list(value.items())[:MAX_CANDIDATES]
    else:
        given = [(i.get("name"), i.get("change")) for i in _list(value) if isinstance(i, dict)]
    pairs = ((_short(name), _number(change)) for name, change in given)
    return {name: change for name, change in pairs if name and change is not None}


# --- reading one value ----------------------------------------------------------------------------

_BAD_CHARS = re.compile(r"[\ud800-\udfff\x00-\x1f\x7f-\x9f\s]+")


def _short(value: Any, limit: int = _MAX_FIELD) -> str:
    """A string as one clean line of at most `limit` characters; empty for anything else."""
    if not isinstance(value, str):
        return ""
    return _BAD_CHARS.sub(" ", value[: limit * 4]).strip()[:limit]


def _field(value: Any) -> str | None:
    """A short field, also when it was given as a number."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value) if isinstance(value, float) or abs(value) < 10**15 else ""
    return _short(value) or None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _number(value: Any) -> float | None:
    """A finite number, also when it was given as text ("0,8", "80 %"); None otherwise."""
    if isinstance(value, str):
        text = value.strip().replace(",", ".")
        percent = text.endswith("%")
        value = text.rstrip("% ")[:40]
    else:
        percent = False
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value) / (100 if percent else 1)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _confidence(value: Any) -> float:
    """Between 0 and 1; from 1 to 100 it was meant as a percentage."""
    number = _number(value)
    if number is None:
        return _UNSAID_CONFIDENCE
    if 1 < number <= 100:
        number = number / 100 if number > 10 else 1.0
    return min(max(number, 0.0), 1.0)


def _importance(value: Any) -> int:
    """Between 2 and 4: the two ends of the scale belong to hands."""
    number = _number(value)
    return 3 if number is None else round(min(max(number, 2.0), 4.0))
