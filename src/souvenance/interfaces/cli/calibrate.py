"""`souvenance calibrate`: what the person's own memories, and their labels, say of a threshold."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from souvenance.interfaces.cli.border import INTERRUPTED
from souvenance.interfaces.cli.drawing import check_kind
from souvenance.interfaces.cli.invocation import Invocation, invocation
from souvenance.interfaces.cli.options import AnyCharacterOption, AnyPersonOption, JsonOption
from souvenance.interfaces.cli.safe import one_line

if TYPE_CHECKING:
    from souvenance.measure.calibration import Labelled, Scored, Shelf

app = typer.Typer(help="calibrate", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def calibrate() -> None:
    """Without it, a group of one command would be that command."""


@app.command("dedup", help="calibrate_dedup")
def dedup(
    ctx: typer.Context,
    labels: Annotated[
        Path | None, typer.Option("--labels", metavar="FILE", help="labels", show_default=False)
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="plot", show_default=False)
    ] = None,
    pairs: Annotated[int, typer.Option("--pairs", metavar="N", help="near_pairs", min=1)] = 40,
    json: JsonOption = False,
    person: AnyPersonOption = None,
    character: AnyCharacterOption = None,
) -> None:
    from souvenance.interfaces.cli import calibrated

    call = invocation(ctx)
    if plot is not None:
        check_kind(call, plot)
    shelves = _shelves(call, person, character)
    found = _measured(call, shelves, labels, pairs)
    interrupted = False
    if labels is not None and not json and at_terminal():
        interrupted = _ask(call, found, labels)
    if plot is not None:
        calibrated.draw(call, found, plot)
    if json:
        call.json(calibrated.as_json(found))
    else:
        calibrated.show(call, found, asked=labels is not None and at_terminal())
    if interrupted:
        raise typer.Exit(INTERRUPTED)


@app.command("recall", help="calibrate_recall")
def recall(
    ctx: typer.Context,
    labels: Annotated[
        Path | None, typer.Option("--labels", metavar="FILE", help="labels", show_default=False)
    ] = None,
    messages: Annotated[
        int, typer.Option("--messages", metavar="N", help="messages_asked", min=1)
    ] = 20,
    index: Annotated[bool, typer.Option("--index", help="index_first")] = False,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="plot", show_default=False)
    ] = None,
    spreads: Annotated[
        float | None,
        typer.Option("--spreads", metavar="K", help="spreads", min=0.5, max=5, show_default=False),
    ] = None,
    apply: Annotated[bool, typer.Option("--apply", help="apply_proposal")] = False,
    json: JsonOption = False,
    person: AnyPersonOption = None,
    character: AnyCharacterOption = None,
) -> None:
    from souvenance.interfaces.cli import proposed, recalling

    call = invocation(ctx)
    if plot is not None:
        check_kind(call, plot)
    asking = labels is not None and not json and at_terminal()
    wanted = recalling.Wanted(person, character, labels, messages if asking else 0, index, spreads)
    found = recalling.measured(call, wanted)
    if plot is not None:
        proposed.draw(call, found, plot)
    if json:
        call.json(proposed.as_json(found))
    else:
        proposed.show(call, found)
    if apply:
        proposed.write(call, found)
    if found.interrupted:
        raise typer.Exit(INTERRUPTED)


@dataclass(slots=True)
class Found:
    """What was measured: the memories, the pairs drawn, the nearest ones, and the labels so far."""

    memories: int
    every: int
    drawn: list[Scored]
    near: list[Scored]
    labelled: dict[str, Labelled]
    file: Path | None

    @property
    def waiting(self) -> list[Scored]:
        """The nearest pairs that have no label yet."""
        return [pair for pair in self.near if pair.pair_id not in self.labelled]


# --- reading the memories -------------------------------------------------------------------------


def _shelves(call: Invocation, person: str | None, character: str | None) -> list[Shelf]:
    """The active memories of everybody in the space, or of those asked for, one shelf for each address."""
    from souvenance.domain import MAIN_THREAD, Space
    from souvenance.interfaces.cli.invocation import Asked
    from souvenance.measure.calibration import Line, Shelf

    who = call.who(Asked(person, character))
    call.require_database()
    with call.engine() as running:
        engine = running.engine
        store = engine.store
        everybody = [p.person for p in store.conversations.people(Space(call.settings.space))]
        everyone = [c.character for c in running.wait(engine.characters())]
        found = []
        for name in [who.person] if person is not None else everybody:
            theirs = {t.address.character for t in running.wait(engine.threads(name))}
            characters = {who.character} if character is not None else theirs | set(everyone)
            for answering in sorted(characters):
                view = running.wait(engine.thread(name, answering, MAIN_THREAD).view())
                memories = store.memories.current(replace(view, thread=None))
                lines = [Line(m.text, m.thread) for m in memories if m.status == "active"]
                if lines:
                    known = running.wait(engine.known_character(answering))
                    found.append(Shelf.of(known.language, lines))
    return found


def _measured(call: Invocation, shelves: Sequence[Shelf], labels: Path | None, most: int) -> Found:
    from souvenance.measure.calibration import DRAWN, drawn, nearest, scored
    from souvenance.measure.labels import read_labels

    every = sum(shelf.pairs for shelf in shelves)
    known = read_labels(labels) if labels is not None else []
    labelled = {s.pair_id: (s, p.same) for p in known for s in [scored(p.a, p.b, p.language)]}
    if call.err.is_terminal and every:
        call.note(call.words("calibrate.comparing", n=min(every, DRAWN)))
    return Found(
        memories=sum(len(shelf.lines) for shelf in shelves),
        every=every,
        drawn=list(drawn(shelves)),
        near=nearest(shelves, most),
        labelled=labelled,
        file=labels,
    )


# --- asking ---------------------------------------------------------------------------------------


def at_terminal() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def _ask(call: Invocation, found: Found, labels: Path) -> bool:
    """Asks about each near pair that has no label, each answer kept at once; True when Ctrl-C ended it.

    Neither the scores nor the product's decision are shown: a label that repeats them measures nothing.
    """
    from souvenance.interfaces.cli.keyboard import drop_typed
    from souvenance.measure.labels import add_label

    spoken, waiting = call.words, found.waiting
    if waiting:
        call.show(spoken("calibrate.asking", n=len(waiting), file=one_line(str(labels))))
        drop_typed()
    for number, pair in enumerate(waiting, start=1):
        call.quiet(f"{number}/{len(waiting)}")
        call.show(f"  A  {one_line(pair.a)}", f"  B  {one_line(pair.b)}")
        try:
            answer = answered(call, "calibrate.question")
        except KeyboardInterrupt:
            call.show(
                "", spoken("calibrate.kept", n=len(found.labelled), file=one_line(str(labels)))
            )
            return True
        if answer == "quit":
            break
        if answer != "skip":
            add_label(labels, pair.label(answer == "yes"))
            found.labelled[pair.pair_id] = (pair, answer == "yes")
    call.show(spoken("calibrate.kept", n=len(found.labelled), file=one_line(str(labels))), "")
    return False


def answered(call: Invocation, question: str) -> str:
    """yes, no, skip or quit; asked again until it is one of them. The end of input is quit."""
    keys = {
        key: name
        for name in ("yes", "no", "skip", "quit")
        for key in call.words(f"calibrate.keys.{name}").split()
    }
    while True:
        try:
            typed = input(call.words(question) + " ").strip().casefold()
        except EOFError:
            return "quit"
        if typed in keys:
            return keys[typed]
        call.note(call.words("calibrate.again"))
