"""The texts that are embedded for each message: it with the message before, and it amid two before and one after.

"Yes, since March" means nothing alone; the question before it says what lasts since March.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from souvenance.domain import ThreadId, fingerprint
from souvenance.read.verbatim.records import Line, Window, WindowKind

#: Characters of each message that are embedded: what it is about stands at its start, and a letter of ten pages would be
#: refused by an embedder behind a server. Chosen, not measured.
MESSAGE_CHARS = 1_000

#: Messages before and after the one a window belongs to.
SPAN: Mapping[WindowKind, tuple[int, int]] = {
    WindowKind.NARROW: (1, 0),
    WindowKind.WIDE: (2, 1),
}


def windows(lines: Sequence[Line]) -> list[Window]:
    """Both windows of each message, lines being in order of talk; a window stays inside its thread."""
    return [
        window(line, kind, thread[max(place - before, 0) : place + after + 1])
        for thread in by_thread(lines).values()
        for place, line in enumerate(thread)
        for kind, (before, after) in SPAN.items()
    ]


def window(line: Line, kind: WindowKind, within: Iterable[Line]) -> Window:
    """The window of a line over the lines it spans, itself included."""
    text = "\n".join(one.text[:MESSAGE_CHARS] for one in within)
    return Window(line.message_id, kind, text, fingerprint(text))


def by_thread(lines: Iterable[Line]) -> dict[ThreadId, list[Line]]:
    """The lines of each thread, in the order given."""
    threads: dict[ThreadId, list[Line]] = {}
    for line in lines:
        threads.setdefault(line.thread, []).append(line)
    return threads
