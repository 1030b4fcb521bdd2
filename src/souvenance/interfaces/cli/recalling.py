"""Reads what `souvenance calibrate recall` looks at: memories with their vectors, messages, and the answers of a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from souvenance.errors import BadInput
from souvenance.interfaces.cli import calibrate
from souvenance.interfaces.cli.bars import embedding_bar
from souvenance.interfaces.cli.invocation import Asked, Invocation
from souvenance.interfaces.cli.keyboard import drop_typed
from souvenance.interfaces.cli.safe import one_line
from souvenance.measure import belonging, recalling
from souvenance.measure.proposal import (
    MEMORIES_NEEDED,
    MESSAGES_NEEDED,
    InForce,
    Proposal,
    propose,
)
from souvenance.measure.vectors import embedded

if TYPE_CHECKING:
    from souvenance.domain import Message, View
    from souvenance.interfaces.cli.driven import Driven
    from souvenance.ports import Embedder, Vector

#: Messages of one thread that are read, the newest. Chosen, not measured.
_LAST = 5_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """Whose memories, and what to do about labels and vectors that are missing."""

    person: str | None
    character: str | None
    labels: Path | None
    messages: int  # to ask about; 0 asks nothing
    index: bool
    spreads: float | None


@dataclass(frozen=True, slots=True)
class Language:
    """What was found in one language; `proposal` None: there is too little."""

    code: str
    memories: int
    messages: int
    now: InForce
    cosines: recalling.Cosines | None = None
    proposal: Proposal | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What was measured, by language."""

    embedder: str
    languages: tuple[Language, ...]
    labels: Path | None
    interrupted: bool = False


def measured(call: Invocation, wanted: Wanted) -> Found:
    """Everything that was read. Errors: `BadInput` without an embedder or vectors, `ModelError`."""
    labels = belonging.labels_of(wanted.labels) if wanted.labels is not None else []
    call.require_database()
    with call.engine() as running:
        embedder = running.engine.embedder
        if embedder is None:
            raise BadInput(call.words("calibrate_recall.no_embedder"))
        _require_vectors(call, running, embedder, fill=wanted.index)
        every = _shelves(call, running, embedder, wanted)
        found, interrupted = [], False
        for code, shelves in sorted(every.items()):
            if _too_little(shelves):
                found.append(_counted(running, code, shelves))
                continue
            vectors = _Vectors(call, running, embedder, code)
            if wanted.labels is not None and wanted.messages and not interrupted:
                interrupted = _ask(call, shelves, vectors, wanted, labels)
            found.append(
                _proposed(
                    _counted(running, code, shelves), shelves, vectors, labels, wanted.spreads
                )
            )
    return Found(embedder.name, tuple(found), wanted.labels, interrupted)


# --- reading ----------------------------------------------------------------------------------------


def _require_vectors(call: Invocation, running: Driven, embedder: Embedder, *, fill: bool) -> None:
    """Returns when every memory has a vector; with `fill`, makes those that are missing first."""
    indexed, wanted = running.engine.store.vectors.progress(embedder.name)
    if indexed == wanted:
        return
    if fill:
        with embedding_bar(call) as told:
            told(0, wanted - indexed)
            while (batch := running.wait(running.engine.index_once())).done:
                told(batch.done, wanted - indexed)
                if not batch.left:
                    break
        indexed, wanted = running.engine.store.vectors.progress(embedder.name)
    if indexed < wanted:
        raise BadInput(
            call.words(
                "calibrate_recall.not_indexed",
                n=wanted - indexed,
                wanted=wanted,
                name=one_line(embedder.name),
                options=call.options_typed(),
            )
        )


def _shelves(
    call: Invocation, running: Driven, embedder: Embedder, wanted: Wanted
) -> dict[str, list[recalling.Shelf]]:
    """The shelves of everybody in the space, or of those asked for, by language of the character."""
    from souvenance.domain import MAIN_THREAD, Space
    from souvenance.lang import language

    who = call.who(Asked(wanted.person, wanted.character))
    engine, store = running.engine, running.engine.store
    people = [p.person for p in store.conversations.people(Space(call.settings.space))]
    everyone = {c.character for c in running.wait(engine.characters())}
    found: dict[str, list[recalling.Shelf]] = {}
    for name in [who.person] if wanted.person is not None else people:
        theirs = {t.address.character for t in running.wait(engine.threads(name))}
        for answering in sorted({who.character} if wanted.character else theirs | everyone):
            view = running.wait(engine.thread(name, answering, MAIN_THREAD).view())
            view = replace(view, thread=None)
            memories = store.memories.current(view)
            if not memories:
                continue
            code = running.wait(engine.character(view.address.space, view.address.character)).language  # fmt: skip
            vectors = store.vectors.load(view, embedder.name)
            messages = _messages(running, view)
            found.setdefault(code, []).append(
                recalling.shelf(view, language(code), memories, vectors, messages)
            )
    return found


def _messages(running: Driven, view: View) -> Iterator[Message]:
    """The messages of the threads of a view, but for those where memory is off."""
    from souvenance.domain import is_off

    at, conversations = view.address, running.engine.store.conversations
    switches = conversations.switches(at.space, at.person)
    for thread in conversations.threads(at.space, at.person, at.character):
        if thread.timeline == view.timeline and not is_off(switches, at, thread.thread):
            yield from conversations.path(at, thread.thread, _LAST)


def _too_little(shelves: Sequence[recalling.Shelf]) -> bool:
    memories, messages = _counts(shelves)
    return memories < MEMORIES_NEEDED or messages < MESSAGES_NEEDED


def _counts(shelves: Sequence[recalling.Shelf]) -> tuple[int, int]:
    return sum(one.corpus.size for one in shelves), sum(len(one.said) for one in shelves)


def _counted(running: Driven, code: str, shelves: Sequence[recalling.Shelf]) -> Language:
    from souvenance.read.plan import COMPANION

    readings = running.engine.readings
    read = readings.places(code)
    places = next(s.places for s in COMPANION.stages if s.pool == "recalled")
    now = InForce(readings.calibration(code), read or places or 0)
    return Language(code, *_counts(shelves), now)


# --- measuring --------------------------------------------------------------------------------------


def _proposed(
    one: Language,
    shelves: Sequence[recalling.Shelf],
    vectors: _Vectors,
    labels: Sequence[belonging.Label],
    spreads: float | None,
) -> Language:
    judged = belonging.judged(shelves, labels)
    some = recalling.drawn(shelves)
    masked = recalling.masked(some)
    vectors.add([*recalling.texts(some, masked), *(j.said.text for j in judged)])
    found = recalling.cosines(some, masked, vectors.known)
    if not len(found.unrelated):
        return one
    made = propose(some, masked, found, vectors.known, one.now, judged, spreads)
    return replace(one, cosines=found, proposal=made)


class _Vectors:
    """The vectors of messages, made as they are needed."""

    def __init__(self, call: Invocation, running: Driven, embedder: Embedder, code: str) -> None:
        self._call, self._running, self._embedder, self._code = call, running, embedder, code
        self.known: dict[str, Vector] = {}

    def add(self, texts: Sequence[str]) -> Mapping[str, Vector]:
        """All that is known, with these texts. Errors: `ModelError`."""
        left = [t for t in dict.fromkeys(texts) if t not in self.known]
        if left:
            with embedding_bar(self._call) as told:
                asked = embedded(left, self._embedder, self._code, told)
                self.known |= self._running.wait(asked)
        return self.known


# --- asking -----------------------------------------------------------------------------------------


def _ask(
    call: Invocation,
    shelves: Sequence[recalling.Shelf],
    vectors: _Vectors,
    wanted: Wanted,
    labels: list[belonging.Label],
) -> bool:
    """Asks which memories belong to messages, each answer kept at once; True when Ctrl-C ended it."""
    assert wanted.labels is not None
    spoken, file = call.words, one_line(str(wanted.labels))
    some = recalling.drawn(shelves)
    shown = belonging.to_show(
        some, vectors.add([s.text for one in some for s in one.said]), wanted.messages
    )
    known = {(x.language, x.message, x.memory_id, x.memory) for x in labels}
    call.show(spoken("calibrate_recall.asking", n=len(shown), file=file))
    drop_typed()
    kept = interrupted = False
    try:
        for number, one in enumerate(shown, start=1):
            left = [(row, one.label(row, False)) for row in one.rows]
            left = [(r, x) for r, x in left if (x.language, x.message, x.memory_id, x.memory) not in known]  # fmt: skip
            if not left:
                continue
            call.quiet(f"{number}/{len(shown)}")
            call.show(f"  « {one_line(one.said.raw)} »")
            for row, label in left:
                call.show(f"    {one_line(label.memory)}")
                answer = calibrate.answered(call, "calibrate_recall.question")
                if answer == "quit":
                    return False
                if answer != "skip":
                    labels.append(one.label(row, answer == "yes"))
                    belonging.add_label(wanted.labels, labels[-1])
                    kept = True
    except KeyboardInterrupt:
        interrupted = True
        call.show("")
    finally:
        if kept or interrupted:
            call.show(spoken("calibrate.kept", n=len(labels), file=file), "")
    return interrupted
