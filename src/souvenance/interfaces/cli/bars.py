"""The bar of what is being embedded, which takes a slow embedder minutes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from souvenance.interfaces.cli.invocation import Invocation


@contextmanager
def embedding_bar(call: Invocation) -> Iterator[Callable[[int, int], None]]:
    """Shows at a terminal how many texts are embedded, as `measure.vectors` tells it; it goes when all are."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    hidden = not call.err.is_terminal
    with Progress(*columns, console=call.err, transient=True, disable=hidden) as bar:
        task = bar.add_task(call.words("bars.embedding"), total=None)

        def told(done: int, total: int) -> None:
            if not done:
                bar.reset(task, total=total)
            bar.advance(task, done)

        yield told
