"""What goes on during a chat: one exchange after another, and the quiet lines about what was noted."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import TYPE_CHECKING

from souvenance.interfaces.cli import reasons, render
from souvenance.interfaces.cli.invocation import Invocation, Who
from souvenance.interfaces.cli.memories import say_removed
from souvenance.interfaces.cli.notes import note_lines
from souvenance.interfaces.cli.safe import block, one_line
from souvenance.interfaces.cli.said import error_text

if TYPE_CHECKING:
    from souvenance.domain import Character
    from souvenance.interfaces.cli.driven import Driven
    from souvenance.recording import Recorded
    from souvenance.turn import Context, Talk

#: Seconds given to a cold embedder in all, and those of them that a first turn waits. Chosen, not measured.
_COLD_S, _FIRST_TURN_S = 10.0, 3.0

#: Seconds for the extractive reflection of one exchange, which takes milliseconds. Chosen, not measured.
_EXTRACTIVE_S = 2.0


class Session:
    """One chat: the conversation it is in, and what its last turn rested on."""

    def __init__(self, call: Invocation, running: Driven, who: Who, *, at_terminal: bool) -> None:
        self.call, self.running, self.at_terminal = call, running, at_terminal
        self.last: Context | None = None
        self._ready = running.start(running.engine.ready(_COLD_S))
        self._told_preamble = self._told_index = False
        self.move(who)

    def move(self, who: Who) -> None:
        """Goes on in another thread."""
        self.who = who
        engine = self.running.engine
        self.character: Character = self.running.wait(engine.known_character(who.character))
        self.talk: Talk = engine.thread(who.person, who.character, who.thread)
        self.running.wait(
            self.talk.reflected(0)
        )  # what is older than this session is not told again
        self.running.start(self.talk.warm())  # while the person reads the greeting and types
        hand = self.talk.memories
        known = self.running.wait(hand.journal(actions=("added", "switched"), limit=1))
        self._told_first = bool(known)

    def begin(self) -> None:
        """Says who is there, whether memory is on, and what is missing."""
        spoken, who = self.call.words, self.who
        name = one_line(self.character.name)
        self.call.quiet(spoken("chat.header", name=name, person=who.person, thread=who.thread))
        if self.running.engine.chat is None:
            self.call.quiet(spoken("chat.no_model"))
        else:
            self.call.quiet(spoken("chat.model", model=one_line(self.running.engine.chat.name)))
        if self.running.wait(self.talk.is_off()):
            self.call.quiet(spoken("chat.is_off"))
        if self.character.greeting and not self.running.wait(self.talk.exists()):
            self.call.show(f"{name} › {one_line(self.character.greeting)}")

    # --- a turn -------------------------------------------------------------------------------

    def exchange(self, message: str) -> None:
        """One turn: the reply as it comes, then what the person should know about it."""
        with suppress(TimeoutError, CancelledError):
            self._ready.result(
                _FIRST_TURN_S
            )  # over at once after the first turn, unless it is stuck
        alone = self.running.engine.chat is None
        recorded = self._without_model(message) if alone else self._with_model(message)
        say_removed(self.call, recorded.removed, alone=recorded.bare)
        if recorded.failed:
            self.call.show(
                self.call.words("chat.unrecorded", why=one_line(recorded.failed)), style="yellow"
            )
        if recorded.pending:
            self.call.show(self.call.words("chat.pending"), style="yellow")
        timeout_s = _EXTRACTIVE_S if not self._reflects_with_model() else 0.0
        self.tell_notes(timeout_s)

    def _with_model(self, message: str) -> Recorded:
        from souvenance.recording import Said

        name, said = one_line(self.character.name), ""
        sys.stdout.write(f"{name} › ")
        sys.stdout.flush()
        try:
            for piece in self.running.each(self.talk.stream(message)):
                said += piece
                sys.stdout.write(block(piece))
                sys.stdout.flush()
        except KeyboardInterrupt:  # stops the reply; what was said until then is kept
            self.call.show("")
            self.call.quiet(self.call.words("chat.stopped"))
            cut = [Said("user", message), *([Said("character", said)] if said.strip() else [])]
            return self.running.wait(self.talk.append(cut))
        except BaseException:
            sys.stdout.write("\n")
            raise
        sys.stdout.write("\n")
        assert self.talk.last is not None, "the stream ended"
        self.last = self.talk.last.context
        self._mark(self.last)
        return self.talk.last.recorded

    def _without_model(self, message: str) -> Recorded:
        from souvenance.recording import Said

        self.last = context = self.running.wait(self.talk.context(message))
        self._mark(context)
        if context.text:
            self.call.quiet(self.call.words("chat.would_receive"))
            self._show_memory(context.text)
        elif context.off:
            self.call.quiet(self.call.words("context.off"))
        elif context.selection is not None:  # else nothing was looked up, which the mark said
            self.call.quiet(self.call.words("chat.would_receive_nothing"))
        return self.running.wait(self.talk.append([Said("user", message)]))

    def _show_memory(self, text: str) -> None:
        """The memory block, whole the first time; afterwards its lines alone."""
        if self._told_preamble:
            text = "\n".join(line for line in text.splitlines() if line.startswith("- "))
        self._told_preamble = True
        self.call.show(render.paragraph(text), style="dim")

    def _mark(self, context: Context) -> None:
        """A small visible mark when the turn was degraded, or the index is stuck, and why."""
        if (
            context.degraded and context.reason != "absent"
        ):  # without an embedder by choice: no alarm
            why = reasons.degraded_text(context.reason, self.call.words)
            self.call.show(self.call.words("chat.degraded", why=why), style="yellow")
        trouble = self.running.engine.index_error
        if trouble is not None and not context.degraded and not self._told_index:
            why = error_text(trouble, self.call.words)
            self.call.show(self.call.words("chat.index_failed", why=why), style="yellow")
        self._told_index = trouble is not None

    # --- what was noted -----------------------------------------------------------------------

    def tell_notes(self, timeout_s: float = 0.0) -> None:
        """Says what was noted and dropped since this was last said."""
        for line in self._notes(timeout_s):
            self.call.quiet(line)

    def await_key(self) -> None:
        """At a terminal, while reflections are under way: tells their outcome above an empty prompt."""
        if self.at_terminal and self._pending():
            from souvenance.interfaces.cli.keyboard import until_a_key

            prompt = f"{self.call.words('chat.you')} "
            until_a_key(prompt, lambda: list(self._notes(0)), self.call.quiet, self._pending)
            self.tell_notes()

    def _notes(self, timeout_s: float) -> Iterator[str]:
        entries = self.running.wait(self.talk.reflected(timeout_s))
        yield from note_lines(entries, self.call.words)
        if not self._told_first and any(entry.action == "added" for entry in entries):
            self._told_first = True
            yield self.call.words("chat.first_note", name=one_line(self.character.name))

    def _pending(self) -> bool:
        jobs = self.running.engine.store.jobs.unfinished(self.talk.address)
        return any(job.thread == self.talk.thread for job in jobs)

    def _reflects_with_model(self) -> bool:
        return self.running.engine.parts.reflect_with is not None
