"""`souvenance reflect`: what was said, reflected on again by another model or prompt; a diff to accept."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from souvenance.interfaces.cli import render
from souvenance.interfaces.cli.invocation import Asked, Invocation, invocation
from souvenance.interfaces.cli.options import (
    AnyThreadOption,
    CharacterOption,
    JsonOption,
    PersonOption,
)
from souvenance.interfaces.cli.safe import one_line

if TYPE_CHECKING:
    from souvenance.again import Again, Compared, Exchanged
    from souvenance.domain import Memory
    from souvenance.interfaces.cli.drafts import Draft
    from souvenance.interfaces.cli.driven import Driven
    from souvenance.ports import ChatModel
    from souvenance.write.revision import Line


def reflect(
    ctx: typer.Context,
    rules: Annotated[bool, typer.Option("--rules", help="again_rules")] = False,
    model: Annotated[
        str | None, typer.Option("--model", metavar="NAME", help="again_model", show_default=False)
    ] = None,
    prompt: Annotated[
        Path | None,
        typer.Option("--prompt", metavar="FILE", help="again_prompt", show_default=False),
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="DATE", help="again_since", show_default=False)
    ] = None,
    accept: Annotated[
        str | None,
        typer.Option("--accept", metavar="all|KEY,…", help="again_accept", show_default=False),
    ] = None,
    draft: Annotated[
        Path | None, typer.Option("--draft", metavar="FILE", help="again_draft", show_default=False)
    ] = None,
    json: JsonOption = False,
    person: PersonOption = None,
    character: CharacterOption = None,
    thread: AnyThreadOption = None,
) -> None:
    call = invocation(ctx)
    _check_rules(call, rules, {"--model": model, "--prompt": prompt})
    instructions = _instructions(call, prompt)
    begin = _since(call, since)
    with call.talk(Asked(person, character, thread)) as (running, talk):
        chat = None if rules else running.wait(_chat(call, model))
        again = talk.again(chat=chat, instructions=instructions)
        only = talk.thread if thread else None
        exchanges = running.wait(again.exchanges(thread=only, since=begin))
        kept = _draft(call, draft, again, instructions)
        _as_they_read(running, again, kept)
        compared = _reflected(call, running, again, exchanges, kept)
        accepted = _accepted(call, running, again, compared, accept, json=json)
        if chat is not None:
            running.wait(chat.close())
    if accepted is not None and len(accepted) == len(compared.lines):
        kept.discard()
    if json:
        call.json(_as_json(compared, accepted or ()))
    elif accepted is None and compared.lines:
        call.note(call.words("again.how_to_accept", line=compared.lines[0].key))


def _check_rules(call: Invocation, rules: bool, asking: Mapping[str, object]) -> None:
    """Refuses what only a model can use beside `--rules`, rather than leave it unread."""
    from souvenance.errors import BadInput

    unread = next((option for option, value in asking.items() if value is not None), None)
    if rules and unread is not None:
        raise BadInput(call.words("again.rules_alone", option=unread))


def _instructions(call: Invocation, prompt: Path | None) -> str | None:
    from souvenance.errors import BadInput

    if prompt is None:
        return None
    try:
        return prompt.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "UTF-8"
        raise BadInput(call.words("again.no_prompt", file=prompt, why=why)) from error


def _since(call: Invocation, since: str | None) -> datetime | None:
    from souvenance.errors import BadInput

    if since is None:
        return None
    try:
        day = date.fromisoformat(since)
    except ValueError as error:
        raise BadInput(call.words("again.bad_date", value=one_line(since))) from error
    return datetime.combine(day, time(), UTC)


async def _chat(call: Invocation, model: str | None) -> ChatModel:
    from souvenance.errors import BadSetting
    from souvenance.opening import choose_chat

    settings = call.settings
    if model is not None:
        chat = settings.chat.model_copy(update={"model": model})
        settings = settings.model_copy(update={"chat": chat})
    found, _ = await choose_chat(settings)
    if found is None:
        raise BadSetting(call.words("again.no_model"))
    return found


def _draft(call: Invocation, path: Path | None, again: Again, instructions: str | None) -> Draft:
    from souvenance.again import print_of
    from souvenance.interfaces.cli.drafts import Draft

    database = call.settings.database
    name = f"{database.stem}.{print_of(repr(again.address), None)[:6]}.draft.jsonl"
    where = path or database.expanduser().with_name(name)
    draft = Draft(where, again.address, print_of(again.by, instructions), call.words)
    draft.load()
    return draft


def _as_they_read(running: Driven, again: Again, draft: Draft) -> None:
    """Leaves in the draft what was proposed on words that still stand, whichever exchanges are asked for now."""
    if draft.proposals:
        every = running.wait(again.exchanges())
        drafted = (e for e in every if e.messages[0] in draft.proposals)
        draft.keep({e.messages[0]: running.wait(again.words(e)) for e in drafted})


# --- reflecting -----------------------------------------------------------------------------------


def _reflected(
    call: Invocation, running: Driven, again: Again, exchanges: Sequence[Exchanged], draft: Draft
) -> Compared:
    """What would change, each exchange asked once; stopping keeps what was asked until then."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from souvenance.errors import BadAnswer, FilterBroken

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    quiet = not call.err.is_terminal
    every = {i for e in exchanges for i in e.messages}
    broken: set[str] = set()
    bars = (*columns, TimeRemainingColumn())
    with Progress(*bars, console=call.err, transient=True, disable=quiet) as bar:
        task = bar.add_task(
            call.words("again.reflecting", by=_by(call, again)), total=len(exchanges)
        )
        try:
            for one in exchanges:
                first = one.messages[0]
                if first not in draft.proposals:
                    words = running.wait(again.words(one))
                    try:
                        draft.add(first, running.wait(again.propose(one)), words)
                    except (BadAnswer, FilterBroken):
                        draft.add(first, None, words)
                proposal = draft.proposals[first]
                if proposal is None:
                    broken |= set(one.messages)
                else:
                    running.wait(again.take(proposal, every))
                bar.advance(task)
        except BaseException:
            if draft.proposals:
                call.note(call.words("again.kept", n=len(draft.proposals), of=len(exchanges)))
            raise
    left = sum(e.messages[0] in broken for e in exchanges)
    return running.wait(again.compare(every - broken, left))


def _accepted(
    call: Invocation,
    running: Driven,
    again: Again,
    compared: Compared,
    accept: str | None,
    *,
    json: bool,
) -> Sequence[Line] | None:
    """The lines that were accepted and written; None when nobody chose."""
    if not json:
        _show(call, again, compared)
    if accept is None and not json and compared.lines and sys.stdin.isatty():
        accept = typer.prompt(call.words("again.ask"), default="", show_default=False)
        accept = accept or "none"
    if accept is None:
        if not json and compared.lines:
            call.show(call.words("again.unchanged"))
        return None if compared.lines else ()
    chosen = _chosen(call, compared.lines, accept)
    if chosen:
        running.wait(again.accept(chosen))
    if not json:
        call.show(call.words("again.accepted" if chosen else "again.unchanged", n=len(chosen)))
    return chosen


def _chosen(call: Invocation, lines: Sequence[Line], accept: str) -> list[Line]:
    from souvenance.errors import BadInput

    asked = [key for key in accept.replace(",", " ").split() if key]
    if asked in (["all"], ["tout"]):
        return list(lines)
    if asked in (["none"], ["rien"]):
        return []
    known = {line.key: line for line in lines}
    unknown = [key for key in asked if key not in known]
    if unknown:
        raise BadInput(call.words("again.no_line", keys=one_line(", ".join(unknown))))
    return [known[key] for key in dict.fromkeys(asked)]


# --- showing --------------------------------------------------------------------------------------

_SIGNS = {"added": "+", "changed": "~", "gone": "-"}


def _show(call: Invocation, again: Again, compared: Compared) -> None:
    if compared.lines:
        headers = ["", *(call.words(f"column.{c}") for c in ("key", "kind", "text"))]
        rows = [
            (
                _SIGNS[line.sort],
                line.key,
                call.words(f"kind.{(line.new or line.old).kind.value}"),  # type: ignore[union-attr]
                _text(call, line),
            )
            for line in compared.lines
        ]
        call.show(render.table(headers, rows, wide=3))
    counts = {s: sum(line.sort == s for line in compared.lines) for s in _SIGNS}
    call.show(call.words("again.count", by=_by(call, again), n=compared.reflected, **counts))
    if compared.left:
        call.note(call.words("again.left", n=compared.left))


def _text(call: Invocation, line: Line) -> str:
    if line.old is None or line.new is None:
        only = line.new or line.old
        assert only is not None, "a line holds a memory"
        where = f" ({_where(call, only)})" if only.thread is not None else ""
        return render.memory_text(only) + where
    before, now = line.old, line.new
    told = (
        (call.words(f"kind.{before.kind.value}"), call.words(f"kind.{now.kind.value}")),
        (_where(call, before), _where(call, now)),
    )
    marks = [f"{a} → {b}" for a, b in told if a != b]
    if now.status != before.status:
        marks.append(call.words(f"status.{now.status.value}"))
    after = f" ({', '.join(marks)})" if marks else ""
    old, new = render.memory_text(before), render.memory_text(now)
    return f"{new}{after}" if old == new else f"{old} → {new}{after}"


def _where(call: Invocation, memory: Memory) -> str:
    """Where a memory is known: in one thread, or in all."""
    if memory.thread is None:
        return call.words("scope.global")
    return call.words("mark.thread", thread=one_line(memory.thread))


def _by(call: Invocation, again: Again) -> str:
    """Who reflects: the model's name, or the rules in the person's language."""
    from souvenance.write.traces import RULES

    return call.words("again.rules") if again.by == RULES else one_line(again.by)


def _as_json(compared: Compared, accepted: Sequence[Line]) -> dict[str, Any]:
    taken = {line.key for line in accepted}
    return {
        "reflected": compared.reflected,
        "left": compared.left,
        "lines": [
            {
                "key": line.key,
                "sort": line.sort,
                "old": line.old and render.memory_json(line.old),
                "new": line.new and render.memory_json(line.new),
                "accepted": line.key in taken,
            }
            for line in compared.lines
        ],
    }
