"""`souvenance chat`: a conversation at the terminal with a character that remembers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import typer

from souvenance.errors import SouvenanceError
from souvenance.interfaces.cli.border import INTERRUPTED
from souvenance.interfaces.cli.invocation import Asked, invocation
from souvenance.interfaces.cli.options import CharacterOption, PersonOption, ThreadOption

if TYPE_CHECKING:
    from souvenance.interfaces.cli.session import Session

#: Seconds given to pending reflections when the person leaves; the rest goes on at the next start.
DRAIN_S = 5.0


def chat(
    ctx: typer.Context,
    person: PersonOption = None,
    character: CharacterOption = None,
    thread: ThreadOption = None,
) -> None:
    from souvenance.interfaces.cli.demo import play
    from souvenance.interfaces.cli.session import Session

    call = invocation(ctx)
    who = call.who(Asked(person, character, thread))
    at_terminal = sys.stdin is not None and sys.stdin.isatty()
    lines = _typed(call.words("chat.you")) if at_terminal else _piped()
    if not at_terminal:
        first = next(lines, None)
        if first is None:
            play(call, who)
            return
        lines = _again(first, lines)
    with call.engine() as running:
        session = Session(call, running, who, at_terminal=at_terminal)
        session.begin()
        try:
            interrupted = _converse(session, lines, at_terminal)
        finally:
            _leave(session)
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def _converse(session: Session, lines: Iterator[str], at_terminal: bool) -> bool:
    """Takes lines until the person leaves; True when they left with Ctrl-C."""
    from souvenance.interfaces.cli import slash

    while True:
        try:
            session.await_key()
            line = next(lines, None)
            if line is None:
                return False
            session.tell_notes()
            if not line.strip():
                continue
            if not at_terminal:
                session.call.show(f"{session.call.words('chat.you')} {line}")
            if line.startswith("/"):
                if not slash.run(session, line):
                    return False
            else:
                session.exchange(line)
        except KeyboardInterrupt:
            session.call.show("")
            return True
        except SouvenanceError as error:  # the conversation goes on
            session.call.show(slash.sentence_of(error, session.call.words))


def _leave(session: Session) -> None:
    """Lets pending reflections finish for a moment, and says what waits; a second Ctrl-C leaves at once."""
    with suppress(KeyboardInterrupt):
        left = session.running.wait(session.running.engine.drain(DRAIN_S))
        session.tell_notes()
        if left:
            session.call.quiet(session.call.words("chat.left", n=left))


def _typed(prompt: str) -> Iterator[str]:
    """Lines typed at the terminal, with editing and history where the system has them."""
    with suppress(ImportError):
        import readline

        readline.set_history_length(500)
    while True:
        try:
            yield input(f"{prompt} ")
        except EOFError:
            sys.stdout.write("\n")
            return


def _piped() -> Iterator[str]:
    """Lines of standard input that hold something; bytes that are not UTF-8 are replaced."""
    if sys.stdin is None:
        return
    with suppress(AttributeError, ValueError):
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    for line in sys.stdin:
        if line.strip():
            yield line.rstrip("\r\n")


def _again(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest
