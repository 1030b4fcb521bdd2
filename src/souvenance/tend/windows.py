"""Which windows of a thread still need a vector, and the rows made of them; pure, but for reading one thread.

Only what the last messages changed is looked at, so that a long conversation costs no more than a short one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from souvenance.domain import Message, ThreadId
from souvenance.ports import WINDOW_REACH, Store, Unwindowed, Vector, WindowRow
from souvenance.read.transcripts import lines_of
from souvenance.read.verbatim import Window, windows
from souvenance.tend.index import require_answer
from souvenance.write.filters.identifiers import redact

#: Messages read at the end of a thread in search of the last one that was done. Chosen, not measured.
TAIL = 200

#: More messages than any thread has.
_ALL = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Waiting:
    """The windows of one thread that wait for a vector, in the order of the talk."""

    due: Unwindowed
    windows: tuple[Window, ...]

    def split(self, size: int) -> tuple[tuple[Window, ...], Waiting]:
        """The next windows to embed, and what waits after them."""
        return self.windows[:size], replace(self, windows=self.windows[size:])


def waiting(store: Store, due: Unwindowed, embedder: str) -> Waiting:
    """What waits in a thread that is due. Errors: `StoreError`."""
    thread, path = due.thread, store.conversations.path
    tail = path(thread.address, thread.thread, TAIL) if due.done is not None else []
    unsure = unsettled(tail, thread.thread, due)
    if unsure is None:
        whole = path(thread.address, thread.thread, _ALL)
        unsure = windows(lines_of(thread.thread, whole))
    ids = list(dict.fromkeys(window.message_id for window in unsure))
    known = store.windows.known(thread.address, embedder, ids)
    return Waiting(
        due,
        tuple(
            w for w in unsure
            if w.text.strip() and (w.message_id, w.kind.value, w.fingerprint) not in known
        ),
    )  # fmt: skip


def unsettled(tail: Sequence[Message], thread: ThreadId, due: Unwindowed) -> list[Window] | None:
    """The windows that messages after the last one done may have changed.

    None when the end of the thread does not tell: the last one done is not in it, or too near its beginning.
    """
    place = next((n for n, m in enumerate(tail) if m.message_id == due.done), None)
    if place is None:
        return None
    first = max(place - WINDOW_REACH, 0)
    if first < WINDOW_REACH and tail[0].parent is not None:
        return None
    ids = {message.message_id for message in tail[first:]}
    return [w for w in windows(lines_of(thread, tail)) if w.message_id in ids]


def without_identifiers(batch: Sequence[Window]) -> list[Window]:
    """Those that may be sent to an embedder: messages are stored redacted, and so is what two say together.

    Errors: `FilterBroken`; nothing may be sent then.
    """
    return [window for window in batch if not redact(window.text).found]


def window_rows(due: Unwindowed, batch: Sequence[Window], vectors: Vector) -> list[WindowRow]:
    """One row for each window, in order.

    Shapes: `vectors` is (len(batch), dim). Errors: `BadAnswer` when it is not, or holds NaN or infinities.
    """
    require_answer(vectors, len(batch))
    address = due.thread.address
    return [
        WindowRow(address, window.message_id, window.kind.value, window.fingerprint, vector)
        for window, vector in zip(batch, vectors, strict=True)
    ]
