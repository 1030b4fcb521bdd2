"""One scripted exchange in a scratch database, for a machine without a terminal and for the curious."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from souvenance.interfaces.cli import reasons, render
from souvenance.interfaces.cli.invocation import Asked, Invocation, Who
from souvenance.interfaces.cli.notes import note_lines
from souvenance.interfaces.cli.safe import one_line

if TYPE_CHECKING:
    from souvenance.domain import Character
    from souvenance.interfaces.cli.driven import Driven
    from souvenance.settings import Settings

#: Seconds for the reflection and the index of one exchange. Chosen, not measured.
_REFLECT_S = 10.0


def play(call: Invocation, who: Who) -> None:
    """Plays the exchange and shows what was noted, then what a follow-up question would recall."""
    spoken = call.words
    call.quiet(spoken("demo.intro"))
    with (
        tempfile.TemporaryDirectory(prefix="souvenance-") as folder,
        call.engine(scratch(call.settings, Path(folder))) as running,
    ):
        character = _character(call, running, who)
        name = one_line(character.name)
        talk = running.engine.thread("demo", character.character)
        call.show(
            "", f"{spoken('chat.you')} {spoken('demo.user')}", f"{name} › {spoken('demo.reply')}"
        )
        running.wait(talk.record(spoken("demo.user"), spoken("demo.reply")))
        for line in note_lines(running.wait(talk.reflected(_REFLECT_S)), spoken):
            call.quiet(line)
        running.prepare(_REFLECT_S)
        call.show("", f"{spoken('chat.you')} {spoken('demo.question')}")
        context = running.wait(talk.context(spoken("demo.question")))
        for line in reasons.context_lines(context, spoken):
            call.quiet(line)
        if context.text:
            call.quiet(spoken("chat.would_receive"))
            call.show(render.paragraph(context.text))
    call.show("")
    call.quiet(spoken("demo.end"))


def _character(call: Invocation, running: Driven, who: Who) -> Character:
    """Who answers: the one asked for when a file describes them, else the demo's own, which is said."""
    engine = running.engine
    for one in running.wait(engine.characters()):
        if one.character == who.character:
            return one
    own = running.wait(engine.known_character(call.who(Asked()).character))
    call.quiet(
        call.words("demo.own_character", id=one_line(who.character), name=one_line(own.name))
    )
    return own


def scratch(settings: Settings, folder: Path) -> Settings:
    """The settings over a scratch database, without any server: nothing leaves, nothing stays."""
    chat = settings.chat.model_copy(update={"url": None, "model": None, "discover": False})
    embedder = settings.embedder
    if embedder.kind in ("openai", "ollama"):
        embedder = type(embedder)()
    reflection = settings.reflection.model_copy(update={"mode": "auto"})
    return settings.model_copy(
        update={
            "database": folder / "memory.db",
            "chat": chat,
            "embedder": embedder,
            "reflection": reflection,
        }
    )
