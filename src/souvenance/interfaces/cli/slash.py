"""The commands of a chat, typed after a slash."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from difflib import get_close_matches
from typing import TYPE_CHECKING

from souvenance.errors import BadInput
from souvenance.interfaces.cli import conflicts, memories, reasons, render
from souvenance.interfaces.cli.border import sentence
from souvenance.interfaces.cli.safe import one_line
from souvenance.lang import fold

if TYPE_CHECKING:
    from souvenance.errors import SouvenanceError
    from souvenance.interfaces.cli.session import Session
    from souvenance.interfaces.cli.wording import Words


def run(session: Session, line: str) -> bool:
    """Does what the line says; False when the person wants to leave. Errors: `SouvenanceError`."""
    name, _, rest = line[1:].strip().partition(" ")
    name = name.lower()
    if name in ("quit", "exit"):
        return False
    action = COMMANDS.get(name)
    if action is None:
        close = get_close_matches(name, COMMANDS, n=1, cutoff=0.5)
        hint = session.call.words("slash.maybe", name=close[0]) if close else ""
        session.call.show(session.call.words("slash.unknown", name=one_line(name), hint=hint))
        return True
    action(session, rest.strip())
    return True


def sentence_of(error: SouvenanceError, spoken: Words) -> str:
    """What went wrong, with what to type here: in a chat there is `/memories`, not the command."""
    if error.code == "no_memory":
        return spoken("slash.no_memory", id=one_line(str(error.fields["id"])))
    return sentence(error, spoken)


def _why(session: Session, rest: str) -> None:
    spoken = session.call.words
    if session.last is None:
        session.call.quiet(spoken("slash.no_turn"))
        return
    for rule in session.last.rules:
        session.call.show(spoken("context.rule", text=render.memory_text(rule)))
    if session.last.slots:
        session.call.show(reasons.slots_table(session.last.slots, spoken))
    for line in reasons.context_lines(session.last, spoken, "context.served_none"):
        session.call.quiet(line)


def _memories(session: Session, rest: str) -> None:
    every = session.running.wait(session.talk.memories.list())
    found = [m for m in every if fold(rest) in fold(m.text) or m.memory_id.startswith(rest.lower())]
    if found:
        session.call.show(memories.memories_table(found, session.call))
    session.call.quiet(session.call.words("memories.count", n=len(found)))


def _hand(verb: str, done: str) -> Callable[[Session, str], None]:
    def action(session: Session, rest: str) -> None:
        memory_id = _one_word(session, verb, rest)
        change = session.running.wait(getattr(session.talk.memories, verb)(memory_id))
        memories.report(
            session.call, done, change, words="slash.done" if verb == "forget" else "done"
        )
        session.tell_notes()

    return action


def _edit(session: Session, rest: str) -> None:
    memory_id, _, text = rest.partition(" ")
    if not memory_id or not text.strip():
        raise BadInput(_usage(session, "edit"))
    change = session.running.wait(session.talk.memories.edit(memory_id, text))
    memories.report(session.call, "edited", change)


def _conflicts(session: Session, rest: str) -> None:
    found = session.running.wait(session.talk.memories.conflicts())
    for pair in found:
        conflicts.show_pair(session.call, pair)
        ids = f"{pair.newer.memory_id} {pair.older.memory_id}"
        session.call.quiet(f"    /keep {ids} newer|older|both")
    session.call.quiet(session.call.words("conflicts.count", n=len(found)))


def _keep(session: Session, rest: str) -> None:
    match rest.split():
        case [newer, older, ("newer" | "older" | "both") as keep]:
            session.running.wait(session.talk.memories.settle(newer, older, keep))
            session.call.show(session.call.words(f"conflicts.kept.{keep}"))
        case _:
            raise BadInput(_usage(session, "keep"))


def _switch(off: bool) -> Callable[[Session, str], None]:
    def action(session: Session, rest: str) -> None:
        session.running.wait(session.talk.switch(off=off))
        still_off = session.running.wait(session.talk.is_off())
        key = "slash.off" if off else "slash.still_off" if still_off else "slash.on"
        session.call.show(session.call.words(key))

    return action


def _new(session: Session, rest: str) -> None:
    name = one_line(rest) or datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    if rest:
        session.call.require_plain(name)
    session.move(replace(session.who, thread=name[:200]))
    session.last = None
    session.call.show(session.call.words("slash.new", thread=name[:200]))


def _help(session: Session, rest: str) -> None:
    spoken = session.call.words
    rows = [(spoken(f"slash.write.{name}"), spoken(f"slash.help.{name}")) for name in COMMANDS]
    session.call.show(render.table(["", ""], rows, wide=1))


def _usage(session: Session, name: str) -> str:
    spoken = session.call.words
    return spoken("slash.usage", usage=spoken(f"slash.write.{name}"))


def _one_word(session: Session, verb: str, rest: str) -> str:
    if not rest or " " in rest:
        raise BadInput(_usage(session, verb))
    return rest


COMMANDS: dict[str, Callable[[Session, str], None]] = {
    "why": _why,
    "memories": _memories,
    "pin": _hand("pin", "pinned"),
    "unpin": _hand("unpin", "unpinned"),
    "forget": _hand("forget", "forgotten"),
    "restore": _hand("restore", "restored"),
    "edit": _edit,
    "conflicts": _conflicts,
    "keep": _keep,
    "off": _switch(True),
    "on": _switch(False),
    "new": _new,
    "help": _help,
    "quit": _help,  # leaves before it gets here; named for hints and completion
}
