"""`souvenance memories`: what is remembered, read and corrected by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from souvenance.interfaces.cli import conflicts, render, silence
from souvenance.interfaces.cli.invocation import Asked, Invocation, invocation
from souvenance.interfaces.cli.notes import drop_reason
from souvenance.interfaces.cli.options import (
    AnyThreadOption,
    CharacterOption,
    JsonOption,
    PersonOption,
    ThreadOption,
)
from souvenance.interfaces.cli.safe import one_line, short
from souvenance.interfaces.cli.said import reason_text

if TYPE_CHECKING:
    from souvenance.curate.hand import Change
    from souvenance.domain import Memory, MemoryId
    from souvenance.read.forgetting import Usage, Use

app = typer.Typer(help="memories", no_args_is_help=True, rich_markup_mode=None)

IdArgument = Annotated[str, typer.Argument(metavar="ID", help="id")]
_COLUMNS = ("id", "kind", "text", "since", "notes")


@app.command("list", help="memories_list")
def list_(
    ctx: typer.Context,
    every: Annotated[bool, typer.Option("--all", "-a", help="all")] = False,
    status: Annotated[
        str | None, typer.Option("--status", metavar="STATUS", help="status", show_default=False)
    ] = None,
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="KIND", help="kind", show_default=False)
    ] = None,
    scope: Annotated[
        str | None, typer.Option("--scope", metavar="SCOPE", help="scope", show_default=False)
    ] = None,
    text: Annotated[
        str | None, typer.Option("--text", metavar="WORDS", help="text", show_default=False)
    ] = None,
    json: JsonOption = False,
    person: PersonOption = None,
    character: CharacterOption = None,
    thread: AnyThreadOption = None,
) -> None:
    call = invocation(ctx)
    _check_choices(call, status=status, kind=kind, scope=scope)
    statuses = () if every else (status or "active",)
    with call.talk(Asked(person, character, thread)) as (running, talk):
        hand = call.hand(talk, thread)
        found = running.wait(hand.list(statuses=statuses, kind=kind, scope=scope, text=text))
        used = _uses(running.wait(hand.usage())) if json else {}
    if json:
        rows = [render.memory_json(m, used.get(m.memory_id)) for m in found]
        call.json({"memories": rows})
        return
    if found:
        call.show(memories_table(found, call))
    call.note(call.words("memories.count", n=len(found)))


@app.command("show", help="memories_show")
def show(
    ctx: typer.Context,
    memory_id: IdArgument,
    json: JsonOption = False,
    person: PersonOption = None,
    character: CharacterOption = None,
    thread: AnyThreadOption = None,
) -> None:
    call = invocation(ctx)
    with call.talk(Asked(person, character, thread)) as (running, talk):
        hand = call.hand(talk, thread)
        history = running.wait(hand.history(memory_id))
        use = _uses(running.wait(hand.usage())).get(history[-1].memory_id)
    if json:
        newest = render.memory_json(history[-1], use)
        call.json({**newest, "history": [render.memory_json(state) for state in history]})
        return
    _show_one(call, history[-1], use)
    headers = [call.words(f"column.{c}") for c in ("changed", "by", "status", "text", "reason")]
    rows = [
        (
            render.minute(m.changed_at),
            call.words(f"by.{m.cause.by}"),
            call.words(f"status.{m.status.value}"),
            render.memory_text(m),
            reason_text(m.cause.reason, call.words),
        )
        for m in history
    ]
    call.show("", render.table(headers, rows, wide=3))


@app.command("add", help="memories_add")
def add(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="new_text")],
    kind: Annotated[str, typer.Option("--kind", metavar="KIND", help="kind")] = "fact",
    scope: Annotated[str, typer.Option("--scope", metavar="SCOPE", help="scope")] = "global",
    importance: Annotated[int, typer.Option("--importance", metavar="1…5", help="importance")] = 3,
    pinned: Annotated[bool, typer.Option("--pin", help="pin_it")] = False,
    json: JsonOption = False,
    person: PersonOption = None,
    character: CharacterOption = None,
    thread: ThreadOption = None,
) -> None:
    call = invocation(ctx)
    with call.talk(Asked(person, character, thread), begins=True) as (running, talk):
        change = running.wait(
            talk.memories.add(text, kind=kind, scope=scope, importance=importance, pinned=pinned)
        )
    report(call, "added", change, json=json)


@app.command("edit", help="memories_edit")
def edit(
    ctx: typer.Context,
    memory_id: IdArgument,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="new_text")],
    json: JsonOption = False,
    person: PersonOption = None,
    character: CharacterOption = None,
    thread: AnyThreadOption = None,
) -> None:
    call = invocation(ctx)
    with call.talk(Asked(person, character, thread)) as (running, talk):
        change = running.wait(call.hand(talk, thread).edit(memory_id, text))
    report(call, "edited", change, json=json)


def _action(verb: str, done: str) -> Any:
    """A command that does one thing to one memory."""

    def command(
        ctx: typer.Context,
        memory_id: IdArgument,
        json: JsonOption = False,
        person: PersonOption = None,
        character: CharacterOption = None,
        thread: AnyThreadOption = None,
    ) -> None:
        call = invocation(ctx)
        with call.talk(Asked(person, character, thread)) as (running, talk):
            change = running.wait(getattr(call.hand(talk, thread), verb)(memory_id))
        report(call, done, change, json=json)

    return command


for _verb, _done in (
    ("pin", "pinned"),
    ("unpin", "unpinned"),
    ("forget", "forgotten"),
    ("restore", "restored"),
):
    app.command(_verb, help=f"memories_{_verb}")(_action(_verb, _done))


@app.command("dropped", help="memories_dropped")
def dropped(
    ctx: typer.Context,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="limit", min=1)] = 50,
    json: JsonOption = False,
    person: PersonOption = None,
    character: CharacterOption = None,
    thread: AnyThreadOption = None,
) -> None:
    call = invocation(ctx)
    with call.talk(Asked(person, character, thread)) as (running, talk):
        entries = running.wait(call.hand(talk, thread).journal(("dropped",), limit))
    if json:
        call.json({"dropped": [render.entry_json(entry) for entry in entries]})
        return
    if entries:
        headers = [call.words(f"column.{c}") for c in ("when", "thread", "text", "reason")]
        rows = [
            (render.minute(e.at), e.thread or "", e.text, drop_reason(e, call.words))
            for e in entries
        ]
        call.show(render.table(headers, rows, wide=2))
    call.note(call.words("dropped.count", n=len(entries)))


@app.command("failed", help="memories_failed")
def failed(
    ctx: typer.Context,
    failure_id: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="failure_id", show_default=False)
    ] = None,
    retry: Annotated[bool, typer.Option("--retry", help="retry")] = False,
    json: JsonOption = False,
    person: PersonOption = None,
    character: CharacterOption = None,
    thread: AnyThreadOption = None,
) -> None:
    call = invocation(ctx)
    with call.talk(Asked(person, character, thread)) as (running, talk):
        hand = call.hand(talk, thread)
        if retry:
            again = running.wait(hand.retry(failure_id))
            left = running.wait(running.engine.drain(_RETRY_S))
        waiting = running.wait(hand.failed())
    if failure_id and not retry:
        waiting = [f for f in waiting if f.failure_id.startswith(failure_id)]
    if json:
        retried = {"retried": again, "pending": left} if retry else {}
        call.json({**retried, "failed": [render.failure_json(f) for f in waiting]})
        return
    if retry:
        call.show(call.words("failed.retried", n=again))
        if left:
            call.note(call.words("failed.pending", n=left))
    for failure in waiting:
        why = reason_text(failure.reason, call.words)
        where = one_line(failure.thread or "")
        call.show(f"{failure.failure_id}  {render.minute(failure.at)}  {where}  {why}")
        call.quiet(f"    {short(failure.raw, 300 if not failure_id else 20_000)}")
    call.note(call.words("failed.count", n=len(waiting)))


app.command("conflicts", help="memories_conflicts")(conflicts.conflicts)
app.command("settle", help="memories_settle")(conflicts.settle)
app.command("never-recalled", help="memories_never_recalled")(silence.never_recalled)
app.command("report", help="memories_report")(silence.report)

#: Seconds given to retried reflections before the command ends; the rest goes on at the next start. Chosen, not measured.
_RETRY_S = 60.0


def memories_table(found: Sequence[Memory], call: Invocation) -> Any:
    """The memories as a table."""
    rows = [
        (
            m.memory_id,
            call.words(f"kind.{m.kind.value}"),
            render.memory_text(m),
            render.day(m.born_at),
            render.marks(m, call.words),
        )
        for m in found
    ]
    return render.table([call.words(f"column.{c}") for c in _COLUMNS], rows, wide=2)


def report(
    call: Invocation, done: str, change: Change, *, json: bool = False, words: str = "done"
) -> None:
    """Says what an action left, in the messages under `words`, and which identifiers were not kept."""
    from souvenance.write.filters.identifiers import says_more

    if json:
        call.json({**render.memory_json(change.memory), "removed": list(change.removed)})
        return
    line = call.words(
        f"{words}.{done}", id=change.memory.memory_id, text=render.memory_text(change.memory)
    )
    call.show(line)
    say_removed(call, change.removed, alone=not says_more(change.memory.text))


def say_removed(call: Invocation, removed: tuple[str, ...], *, alone: bool = False) -> None:
    """Says plainly which identifiers were taken out of what the person typed, and whether that was all (`alone`)."""
    if removed:
        names = ", ".join(call.words.get(f"identifier.{kind}", kind) for kind in removed)
        call.show(call.words("removed_alone" if alone else "removed", kinds=names))


def _uses(usage: Usage) -> dict[MemoryId, Use]:
    return {use.memory.memory_id: use for use in usage.uses}


def _show_one(call: Invocation, memory: Memory, use: Use | None) -> None:
    spoken = call.words
    lines = [
        ("column.text", render.memory_text(memory)),
        ("column.kind", spoken(f"kind.{memory.kind.value}")),
        ("column.scope", one_line(memory.thread) if memory.thread else spoken("scope.global")),
        ("column.notes", render.marks(memory, spoken) or "-"),
        ("column.importance", f"{memory.importance}/5"),
        ("column.source", spoken(f"source.{memory.source.value}")),
        ("column.quote", one_line(memory.quote) or "-"),
        ("column.evidence", str(len(memory.messages))),
        ("column.since", render.minute(memory.born_at)),
        ("column.candidate", str(use.candidate if use else 0)),
        ("column.served", str(use.served if use else 0)),
        ("column.retrieved", str(use.retrieved if use else 0)),
    ]
    if memory.successor:
        lines.append(("column.successor", memory.successor))
    call.show(one_line(memory.memory_id))
    call.show(render.table(["", ""], [(spoken(key), value) for key, value in lines], wide=1))


def _check_choices(call: Invocation, **given: str | None) -> None:
    """Refuses a status, kind or scope that does not exist, with those that do."""
    from souvenance.domain import Kind, Scope, Status
    from souvenance.errors import BadInput

    for name, kinds in (("status", Status), ("kind", Kind), ("scope", Scope)):
        value, choices = given[name], [str(choice) for choice in kinds]
        if value is not None and value not in choices:
            raise BadInput(
                call.words(
                    "bad_choice",
                    option=f"--{name}",
                    value=one_line(value),
                    choices=", ".join(choices),
                )
            )
