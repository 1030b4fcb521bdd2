"""`souvenance replay`: recorded conversations through the write path, into the person's own database."""

from __future__ import annotations

import asyncio
import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from souvenance.interfaces.cli import render
from souvenance.interfaces.cli.invocation import Asked, Invocation, invocation
from souvenance.interfaces.cli.options import JsonOption, PersonOption
from souvenance.interfaces.cli.safe import one_line

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from souvenance.domain import JournalEntry
    from souvenance.engine import Engine
    from souvenance.measure.conversations import Conversation
    from souvenance.recording import Said
    from souvenance.turn import Talk

_STORED = ("added", "merged", "superseded", "restated")
#: Entries of the journal read to count what a replay did. Chosen, not measured: far above one file's worth.
_JOURNAL = 1_000_000
#: Conversations whose place is told at the end. Chosen, not measured: a screen's worth.
_PLACES = 10


def replay(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE.jsonl", help="replay_file")],
    json: JsonOption = False,
    person: PersonOption = None,
) -> None:
    from souvenance.measure.conversations import read_lenient

    call = invocation(ctx)
    conversations, bad = read_lenient(file)
    with call.engine() as running:
        run = _Replay(call, running.engine, person)
        running.wait(run.all(conversations))
    if json:
        lines = [{"line": error.line, "error": str(error)} for error in bad]
        call.json({"file": str(file), **run.counts(), "bad_lines": lines})
    else:
        _show(call, run)
    for error in bad:
        call.err.print(call.words("replay.bad_line", error=one_line(str(error))))
    if bad:
        raise typer.Exit(2)


class _Replay:
    """One run over a file, and what it counted."""

    def __init__(self, call: Invocation, engine: Engine, person: str | None) -> None:
        self.call, self.engine, self.person = call, engine, person
        self.conversations = self.recorded = self.known = self.off = self.pending = 0
        self.entries: set[JournalEntry] = set()
        self.removed: Counter[str] = Counter()
        self.places: list[tuple[str, str, str]] = []

    async def all(self, conversations: Sequence[Conversation]) -> None:
        """Records every exchange, then lets the reflections end."""
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        from souvenance.measure.runs import exchanges

        groups = {c.conversation_id: exchanges(c) for c in conversations}
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        quiet = not self.call.err.is_terminal
        with Progress(*columns, console=self.call.err, transient=True, disable=quiet) as bar:
            total = sum(map(len, groups.values()))
            task = bar.add_task(self.call.words("replay.recording"), total=total)
            talks = []
            for conversation in conversations:
                talk = await self._talk(conversation)
                talks.append((talk, await _newest(talk)))
                await self._record(talk, groups[conversation.conversation_id], bar, task)
            await self._reflect(bar, talks)
        for talk, before in talks:
            journal = await talk.memories.journal(limit=_JOURNAL)
            self.entries |= {entry for entry in journal if entry.seq > before}

    async def _talk(self, conversation: Conversation) -> Talk:
        from souvenance.characters import slug
        from souvenance.domain import Character, CharacterId, Space

        character = slug(conversation.character)
        if all(c.character != character for c in await self.engine.characters()):
            await self.engine.put_character(
                Character(
                    space=Space(self.engine.settings.space),
                    character=CharacterId(character),
                    name=conversation.character,
                    persona="",
                    language=conversation.language,
                )
            )
        who = self.call.who(
            Asked(self.person or conversation.user_name, character, conversation.conversation_id)
        )
        self.conversations += 1
        self.places.append((who.person, who.character, who.thread))
        return self.engine.thread(
            who.person, who.character, who.thread, name=conversation.user_name
        )

    async def _record(
        self, talk: Talk, groups: Sequence[Sequence[Said]], bar: Progress, task: TaskID
    ) -> None:
        for said in groups:
            recorded = await talk.append(said)
            self.known += recorded.known
            self.off += recorded.off
            self.recorded += not (recorded.known or recorded.off)
            self.removed.update(recorded.removed)
            bar.advance(task)

    async def _reflect(self, bar: Progress, talks: Sequence[tuple[Talk, int]]) -> None:
        """Waits for the reflections of these conversations, showing how many are left."""
        addresses = {talk.address for talk, _ in talks}
        left = await self._left(addresses)
        task = bar.add_task(self.call.words("replay.reflecting"), total=left)
        work = asyncio.create_task(self.engine.drain(_FOREVER_S))
        try:
            while not work.done():
                await asyncio.wait({work}, timeout=0.3)
                bar.update(task, completed=left - await self._left(addresses))
        finally:
            work.cancel()
        self.pending = await self._left(addresses)

    async def _left(self, addresses: set[Any]) -> int:
        found = await asyncio.to_thread(self.engine.store.jobs.unfinished)
        return sum(job.address in addresses for job in found)

    def counts(self) -> dict[str, Any]:
        """What happened, as plain figures."""
        actions = Counter[str](entry.action for entry in self.entries)
        reasons = Counter(
            e.ref if self.call.words.has(f"drop.{e.ref}") else one_line(e.reason)
            for e in self.entries
            if e.action == "dropped"
        )
        return {
            "conversations": self.conversations,
            "places": [{"person": p, "character": c, "thread": t} for p, c, t in self.places],
            "recorded": self.recorded,
            "known": self.known,
            "off": self.off,
            "memories": {action: actions[action] for action in _STORED},
            "dropped": dict(reasons.most_common()),
            "identifiers_removed": dict(self.removed),
            "parked": actions["failed"],
            "pending": self.pending,
        }


#: Longer than any replay: Ctrl-C ends one, and the next continues it.
_FOREVER_S = 7 * 24 * 3600.0


async def _newest(talk: Talk) -> int:
    newest = await talk.memories.journal(limit=1)
    return newest[0].seq if newest else 0


def _show(call: Invocation, run: _Replay) -> None:
    counts = run.counts()
    spoken = call.words
    rows: list[tuple[str, object]] = [
        (spoken(f"replay.{name}"), counts[name]) for name in ("conversations", "recorded", "known")
    ]
    rows += [(spoken(f"replay.{action}"), n) for action, n in counts["memories"].items()]
    rows.append((spoken("replay.dropped"), sum(counts["dropped"].values())))
    rows += [(f"  {spoken.get(f'drop.{name}', name)}", n) for name, n in counts["dropped"].items()]
    optional = ("off", "parked", "pending")
    rows += [(spoken(f"replay.{name}"), counts[name]) for name in optional if counts[name]]
    call.show(render.table(["", ""], rows, wide=0, right=(1,)))
    for kind, n in counts["identifiers_removed"].items():
        call.note(spoken("replay.removed", kind=spoken.get(f"identifier.{kind}", kind), n=n))
    for person, character, thread in run.places[:_PLACES]:
        where = {"person": one_line(person), "character": character, "thread": one_line(thread)}
        typed = {"person_typed": shlex.quote(person), "thread_typed": shlex.quote(thread)}
        call.note(spoken("replay.went", **where, **typed))
