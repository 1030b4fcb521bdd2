"""A batch is settled on the few memories that matter as it would be on all of them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_TIMELINE,
    Address,
    Candidate,
    CharacterId,
    Kind,
    Memory,
    MemoryId,
    MessageId,
    PersonId,
    Scope,
    Seq,
    ThreadId,
)
from souvenance.lang import language
from souvenance.write.alike.nearby import Known
from souvenance.write.desk import Setting, Settlement
from souvenance.write.merge import settle
from souvenance.writes import AddVersion

#: Frames whose gaps are filled from WORDS: facts, values anew, corrections, endings, things done.
FRAMES = {
    "fr": [
        "J'habite à {town}.", "Je n'habite plus à {town}.", "J'habite maintenant à {town}.",
        "J'ai déménagé, maintenant je vis à {town}.", "Je travaille chez {name}.",
        "Je ne travaille plus chez {name}.", "J'ai quitté {name}.", "Je suis en couple avec {name}.",
        "J'ai rompu avec {name}.", "J'ai rendez-vous chez {name} {day} à {hour} h.",
        "Non, {day}.", "Non, attends, à {hour} h.", "Finalement c'est {day}.", "C'est {day}, pas mardi.",
        "Le rendez-vous est finalement {day}.", "J'ai vu {name}, c'est fait.", "Je dois appeler {name}.",
        "Ça y est, j'ai appelé {name}.", "{name} a {hour} ans.", "J'aime {thing}.", "J'aime les vieux {thing}.",
        "Je n'aime plus {thing}.", "Je répare des {thing} {day}.", "En fait j'ai {hour} {thing}.",
        "J'ai {hour} {thing}.", "Désormais j'ai {hour} {thing}.",
    ],
    "en": [
        "I live in {town}.", "I no longer live in {town}.", "I live in {town} now.",
        "I moved, now I live in {town}.", "I work at {name}.", "I no longer work at {name}.", "I left {name}.",
        "I am with {name}.", "I broke up with {name}.", "My appointment with {name} is {day} at {hour}.",
        "No, {day}.", "No, wait, at {hour}.", "Actually it's {day}.", "It's {day}, not on Tuesday.",
        "The appointment is {day} instead.", "I saw {name}, it's done.", "I have to call {name}.",
        "I finally called {name}.", "{name} is {hour}.", "I like {thing}.", "I like old {thing}.",
        "I don't like {thing} anymore.", "I repair {thing} {day}.", "Actually I have {hour} {thing}.",
        "I have {hour} {thing}.", "I have {hour} {thing} now.",
    ],
}  # fmt: skip
WORDS = {
    "fr": {
        "town": ["Vannes", "Dinan", "Auray"], "name": ["Solène", "Bastien", "Kerlou"],
        "day": ["mardi", "jeudi", "le 12 juin", "le 3 mai", "demain"], "hour": ["8", "9", "14"],
        "thing": ["clarinettes", "clarinetes", "vélos", "lanternes"],
    },
    "en": {
        "town": ["Hull", "Whitby", "Ripon"], "name": ["Solveig", "Barnaby", "Kestrel"],
        "day": ["on Tuesday", "on Thursday", "on June 12", "on May 3", "tomorrow"], "hour": ["8", "9", "14"],
        "thing": ["clarinets", "clarinnets", "bicycles", "lanterns"],
    },
}  # fmt: skip


class Everything(Known):
    """The same memories, never shortened: whatever is looked for, all of them are given."""

    def could_be_same(self, text: str) -> list[Memory]:
        return list(self)

    def holding(self, forms: Iterable[str]) -> list[Memory]:
        return list(self)

    def valued(self, attribute: str) -> list[Memory]:
        return list(self)


def setting(step: int, code: str, ids: itertools.count[int]) -> Setting:
    return Setting(
        Address(DEFAULT_SPACE, PersonId("ana"), CharacterId("mo")),
        MAIN_TIMELINE,
        ThreadId("main"),
        "character",
        datetime(2026, 3, 2, tzinfo=UTC) + timedelta(hours=step),
        step,
        code,
        "reflection",
        f"job {step}",
        lambda: MemoryId(f"m{next(ids)}"),
    )


def candidates(rng: random.Random, code: str, step: int) -> Collection[Candidate]:
    """One to three candidates of one message."""
    made = []
    for _ in range(rng.randint(1, 3)):
        filled = {gap: rng.choice(words) for gap, words in WORDS[code].items()}
        text = rng.choice(FRAMES[code]).format(**filled)
        candidate = Candidate(
            text, rng.choice([Kind.FACT, Kind.PROMISE, Kind.EPISODE]), rng.choice([Scope.GLOBAL, Scope.THREAD]),
            0.8, text, (MessageId(str(step)),),
        )  # fmt: skip
        if rng.random() < 0.2:
            slot = {"entity": "ana", "attribute": rng.choice("ab"), "value": rng.choice("xyz")}
            candidate = replace(candidate, **slot)  # type: ignore[arg-type]
        made.append(candidate)
    return made


def settled(known: Known, seed: int, code: str, steps: int) -> list[Settlement]:
    """What a stream of messages becomes, each batch written before the next."""
    rng, ids = random.Random(seed), itertools.count()
    found = []
    for step in range(steps):
        batch = settle(list(candidates(rng, code, step)), known, setting(step, code, ids))
        found.append(batch)
        versions = [w.memory for w in batch.writes if isinstance(w, AddVersion)]
        known.advance([replace(m, seq_from=Seq(step + 1)) for m in versions])
    return found


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9), code=st.sampled_from(["fr", "en"]))
def test_a_stream_is_settled_as_on_every_memory(seed: int, code: str) -> None:
    """Looking at fewer memories must not change one word of what is written."""
    words = language(code)
    spared = settled(Known([], words), seed, code, 25)
    assert spared == settled(Everything([], words), seed, code, 25)


def test_the_streams_hold_every_way_of_settling() -> None:
    """A stream where nothing is ever closed would prove nothing of closing."""
    batches = [
        batch
        for code in ("fr", "en")
        for seed in range(12)
        for batch in settled(Known([], language(code)), seed, code, 25)
    ]
    reasons = {f"{n.action}: {n.reason}".split(":")[0] for b in batches for n in b.noted}
    versions = [w.memory for b in batches for w in b.writes if isinstance(w, AddVersion)]
    causes = {m.cause.reason for m in versions if m.cause.by == "supersession"}
    assert {"added", "merged", "restated", "superseded"} <= reasons
    assert {"done", "over by now", "correction of what was said", "new value of a"} <= causes
