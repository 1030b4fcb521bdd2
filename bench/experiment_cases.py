"""Reads the experiment's memories and messages, and writes as many distractors around them as asked for.

Distractors come from hand-written patterns whose slots are filled by a seeded draw, each sentence once in a set.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from souvenance.domain import Kind
from souvenance.lang import language as load_language
from souvenance.lang.voice import in_first_person

FOLDER = Path(__file__).parent / "cases" / "experiment"

_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Line:
    """One text to be remembered."""

    line_id: str
    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Message:
    """One message and the memories an answer needs."""

    message_id: str
    text: str
    relevant: frozenset[str]


@dataclass(frozen=True, slots=True)
class Scenery:
    """What surrounds a message in a play: the same words at every turn."""

    title: str
    situation: str
    persona: str
    earlier: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cases:
    """The experiment in one language."""

    language: str
    person: str
    memories: tuple[Line, ...]
    messages: tuple[Message, ...]
    scenery: Scenery
    patterns: tuple[tuple[Kind, str], ...]
    fillers: Mapping[str, Sequence[str]]

    def spoken(self, text: str) -> str:
        """A memory as the index embeds it: as the person would say it."""
        return in_first_person(text, (self.person,), load_language(self.language))

    def distractors(self, seed: int) -> Iterator[Line]:
        """Sentences without end, each once; the same for the same seed.

        A pattern and its fillers are drawn evenly; a sentence that came before is drawn again.
        """
        rng = random.Random(f"{self.language} {seed}")
        seen: set[str] = set()
        while True:
            kind, pattern = rng.choice(self.patterns)
            text = self._filled(pattern, rng)
            if text not in seen:
                seen.add(text)
                yield Line(f"d{seed}-{len(seen)}", kind, text)

    def _filled(self, pattern: str, rng: random.Random) -> str:
        used: set[str] = set()

        def value(match: re.Match[str]) -> str:
            some = [v for v in self.fillers[match.group(1)] if v not in used]
            drawn = rng.choice(some)
            used.add(drawn)
            return _SLOT.sub(value, drawn)

        text = _SLOT.sub(value, pattern)
        return text[0].upper() + text[1:]


def read(language: str) -> Cases:
    """The experiment of a language. Errors: `FileNotFoundError` when there is none in it."""
    data = tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8"))
    return Cases(
        language,
        data["person"],
        tuple(Line(m["id"], Kind(m["kind"]), m["text"]) for m in data["memory"]),
        tuple(Message(q["id"], q["text"], frozenset(q["relevant"])) for q in data["query"]),
        Scenery(data["title"], data["situation"], data["persona"], tuple(data["earlier"])),
        tuple((Kind(kind), text) for kind, some in data["patterns"].items() for text in some),
        data["fillers"],
    )
