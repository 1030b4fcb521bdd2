"""`souvenance replay`: recorded conversations through the write path, into the person's own database."""

from __future__ import annotations

import asyncio
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from souvenance.interfaces.cli import render
from souvenance.interfaces.cli.invocation import Asked, Invocation, Who, invocation
from souvenance.interfaces.cli.options import JsonOption
from souvenance.interfaces.cli.safe import one_line
from souvenance.interfaces.cli.said import ended, error_text, reason_text

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from souvenance.domain import JournalEntry
    from souvenance.engine import Engine
    from souvenance.interfaces.cli.wording import Words
    from souvenance.measure.conversations import Conversation
    from souvenance.recording import Said
    from souvenance.turn import Talk

_STORED = ("added", "merged", "superseded", "restated")
#: Entries of the journal read to count what a replay did. Chosen, not measured: far above one file's worth.
_JOURNAL = 1_000_000
#: Pairs of a person and a character whose place is told at the end. Chosen, not measured: a screen's worth.
_PLACES = 10


def replay(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE.jsonl", help="replay_file")],
    json: JsonOption = False,
    person: Annotated[
        str | None,
        typer.Option("--person", "-p", metavar="NAME", help="replay_person", show_default=False),
    ] = None,
    character: Annotated[
        str | None,
        typer.Option(
            "--character", "-c", metavar="ID", help="replay_character", show_default=False
        ),
    ] = None,
) -> None:
    from souvenance.measure.conversations import read_lenient

    call = invocation(ctx)
    conversations, bad = read_lenient(file)
    with call.engine() as running:
        if character is not None:
            running.wait(running.engine.known_character(character))
        run = _Replay(call, running.engine, Asked(person, character))
        running.wait(run.all(conversations))
    if json:
        lines = [{"line": error.line, "error": str(error)} for error in bad]
        call.json({"file": str(file), **run.counts(), "bad_lines": lines})
    else:
        _show(call, run)
    for error in bad:
        call.err.print(call.words("replay.bad_line", error=ended(error_text(error, call.words))))
    if bad:
        raise typer.Exit(2)


class _Replay:
    """One run over a file, and what it counted."""

    def __init__(self, call: Invocation, engine: Engine, asked: Asked) -> None:
        self.call, self.engine, self.asked = call, engine, asked
        self.conversations = self.recorded = self.known = self.off = self.pending = 0
        self.entries: set[JournalEntry] = set()
        self.removed: Counter[str] = Counter()
        self.places: list[Who] = []
        #: By a character's name: the id made from it, and that of a described one it may be.
        self.resembling: dict[str, tuple[str, str]] = {}

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
        character = self.asked.character or await self._character(conversation)
        person = self.asked.person or conversation.user_name
        who = self.call.who(Asked(person, character, conversation.conversation_id))
        self.conversations += 1
        self.places.append(who)
        return self.engine.thread(
            who.person, who.character, who.thread, name=conversation.user_name
        )

    async def _character(self, conversation: Conversation) -> str:
        """The id made from the whole name in the file, described as a row when nobody has described it."""
        from souvenance.characters import slug
        from souvenance.domain import Character, CharacterId, Space

        name, made = conversation.character, slug(conversation.character)
        known = {str(one.character) for one in await self.engine.characters()}
        if made not in known:
            space = Space(self.engine.settings.space)
            row = Character(space, CharacterId(made), name, "", conversation.language)
            await self.engine.put_character(row)
        first = slug(name.partition(",")[0])
        if first != made and first in known:
            self.resembling[name] = (made, first)
        return made

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
            "places": [asdict(who) for who in self.places],
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
    rows += [(f"  {_why(name, spoken)}", n) for name, n in counts["dropped"].items()]
    optional = ("off", "parked", "pending")
    rows += [(spoken(f"replay.{name}"), counts[name]) for name in optional if counts[name]]
    call.show(render.table(["", ""], rows, wide=0, right=(1,)))
    for kind, n in counts["identifiers_removed"].items():
        call.note(spoken("replay.removed", kind=spoken.get(f"identifier.{kind}", kind), n=n))
    _show_places(call, run)


def _why(name: str, spoken: Words) -> str:
    """Why things were dropped: by the name of a filter, or the reason itself."""
    return spoken.get(f"drop.{name}") or reason_text(name, spoken)


def _show_places(call: Invocation, run: _Replay) -> None:
    """Where the conversations went, and what to type to read it."""
    threads: dict[tuple[str, str], list[str]] = {}
    for who in run.places:
        threads.setdefault((who.person, who.character), []).append(who.thread)
    spoken = call.words
    for (person, character), found in list(threads.items())[:_PLACES]:
        only = found[0] if len(found) == 1 and run.recorded + run.known else None
        where = spoken("replay.where", n=len(found), thread=one_line(found[0]))
        call.note(spoken("replay.went", person=one_line(person), character=character, where=where))
        typed = {
            "options": call.options_typed(),
            "person": shlex.quote(person),
            "character": shlex.quote(character),
            "thread": f" -t {shlex.quote(only)}" if only else "",
        }
        command = Text(spoken("replay.went_command", **typed))
        call.err.print(command, style="dim", soft_wrap=True)  # to be copied whole
    if len(threads) > _PLACES:
        call.note(spoken("replay.more_places", n=len(threads) - _PLACES))
    for name, (made, described) in run.resembling.items():
        call.note(spoken("replay.resembles", name=one_line(name), id=made, described=described))
