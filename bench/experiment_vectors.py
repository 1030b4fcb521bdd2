"""Embeds the texts of a bench once, with a bar, and keeps the vectors in a folder if one is given.

Fifty thousand sentences take minutes; a second run over the same folder takes seconds.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from souvenance.ports import Embedder, Vector

#: Texts embedded at once, and the seconds a batch may take: a bench waits, a turn would not.
BATCH = 64
BATCH_S = 300.0

#: Batches after which the folder is brought up to date, so that a run that is stopped loses minutes, not all.
KEPT_EVERY = 100

Vectors = dict[str, Vector]


async def embedded(
    texts: Iterable[str],
    embedder: Embedder,
    *,
    name: str,
    console: Console,
    cache: Path | None = None,
    query_in: str | None = None,
) -> Vectors:
    """The unit vector of each text, shape (dim,); `name` tells apart what one folder keeps for one embedder.

    `query_in` is the language of texts that are messages; None: they are texts to be stored.
    """
    wanted = list(dict.fromkeys(texts))
    file = cache / f"{_plain(embedder.name)}-{_plain(name)}.npz" if cache else None
    known = _kept(file)
    keys = {text: hashlib.sha256(text.encode()).hexdigest()[:24] for text in wanted}
    missing = [text for text in wanted if keys[text] not in known]
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(name, total=len(missing))
        for start in range(0, len(missing), BATCH):
            some = missing[start : start + BATCH]
            rows = await embedder.embed(some, timeout_s=BATCH_S, query_in=query_in)
            known |= {keys[text]: row for text, row in zip(some, rows, strict=True)}
            bar.advance(task, len(some))
            if file is not None and start // BATCH % KEPT_EVERY == KEPT_EVERY - 1:
                _keep(file, known)
    if file is not None and missing:
        _keep(file, known)
    return {text: known[keys[text]] for text in wanted}


def _kept(file: Path | None) -> Vectors:
    if file is None or not file.exists():
        return {}
    with np.load(file) as data:
        return dict(zip(data["keys"].tolist(), data["rows"], strict=True))


def _keep(file: Path, vectors: Mapping[str, Vector]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    written = file.with_suffix(".part.npz")
    np.savez(written, keys=np.array(list(vectors)), rows=np.stack(list(vectors.values())))
    written.replace(file)


def _plain(name: str) -> str:
    return re.sub(r"\W+", "-", name).strip("-")
