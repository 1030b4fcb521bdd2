"""Vectors of messages amid their neighbours, in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from souvenance.domain import Address, MessageId, ThreadId, View, is_off
from souvenance.ports import WINDOW_REACH, SaidStamp, Unwindowed, WindowRow
from souvenance.stores.accepted import require_windows
from souvenance.stores.memory.state import PersonState
from souvenance.stores.memory.tables import Tables


class MemoryWindows:
    """Implements `ports.Windows`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def stamp(self, view: View) -> SaidStamp:
        only = view.thread if view.isolation == "thread" else None
        with self._tables.state(view.address) as state:
            heads = sorted(
                (thread.thread, thread.head)
                for (address, _), thread in state.threads.items()
                if (address, thread.timeline) == (view.address, view.timeline)
                and thread.head is not None
                and only in (None, thread.thread)
                and not is_off(state.switches.values(), address, thread.thread)
            )
            return SaidStamp(tuple(heads), state.window_stamp, state.message_edits)

    def due(self, embedder: str, limit: int) -> list[Unwindowed]:
        with self._tables.reading() as people:
            found = [
                Unwindowed(thread, done, state.message_edits)
                for state in people.values()
                for key, thread in state.threads.items()
                for done in [state.windowed.get((*key, embedder))]
                if thread.head not in (None, done) and not is_off(state.switches.values(), *key)
            ]
        found.sort(key=lambda due: (*_fields(due.thread.address), due.thread.thread))
        found.sort(key=lambda due: due.thread.last_at, reverse=True)
        return found[: max(limit, 0)]

    def known(
        self, address: Address, embedder: str, ids: Sequence[MessageId]
    ) -> set[tuple[MessageId, str, str]]:
        wanted = set(ids)
        with self._tables.state(address) as state:
            return {
                (message_id, window, fingerprint)
                for where, message_id, window, by, fingerprint in state.windows
                if (where, by) == (address, embedder) and message_id in wanted
            }

    def put(
        self, embedder: str, due: Unwindowed, rows: Sequence[WindowRow], done: MessageId | None
    ) -> bool:
        address = due.thread.address
        require_windows(address, rows)
        who = (address.space, address.person)
        with self._tables.reading() as people:
            if who not in people or people[who].message_edits != due.edits:
                return False
            with self._tables.changing(*who) as state:
                _put(state, address, embedder, rows)
                key = (address, due.thread.thread)
                if done is not None and key in state.threads:
                    state.windowed[*key, embedder] = done
        return True

    def load(
        self, address: Address, embedder: str, threads: Sequence[ThreadId], since: int = 0
    ) -> list[WindowRow]:
        with self._tables.state(address) as state:
            found = [
                (stamp, key, vector)
                for key, (stamp, vector) in state.windows.items()
                if (key[0], key[3]) == (address, embedder) and stamp > since
                and state.messages[address, key[1]][1].thread in threads
            ]  # fmt: skip
        found.sort(key=lambda one: (one[0], *one[1][1:]))
        return [WindowRow(address, key[1], key[2], key[4], vector) for _, key, vector in found]

    def drop(self, embedder: str, limit: int) -> int:
        with self._tables.reading() as people:
            every = [(who, k) for who, s in people.items() for k in s.windows if k[3] == embedder]
            gone = every[: max(limit, 0)]
            for who in list(people):
                with self._tables.changing(*who) as state:
                    for done in [mark for mark in state.windowed if mark[2] == embedder]:
                        del state.windowed[done]
                    for _, key in (one for one in gone if one[0] == who):
                        del state.windows[key]
                    state.message_edits += bool(gone)
        return len(gone)


def forget_words(state: PersonState, address: Address, message_id: MessageId) -> None:
    """Drops every window that may hold the words of a message, in the commit that takes them out."""
    near = {message_id}
    here: MessageId | None = message_id
    for _ in range(WINDOW_REACH):
        here = state.messages[address, here][1].parent if here is not None else None
        near |= {here} if here is not None else set()
    for ring in _ahead(_children(state, address), message_id):
        near |= set(ring)
    for key in list(state.windows):
        if key[0] == address and key[1] in near:
            del state.windows[key]
    for mark in list(state.windowed):
        if mark[0] == address:
            del state.windowed[mark]
    state.message_edits += 1


def _put(state: PersonState, address: Address, embedder: str, rows: Sequence[WindowRow]) -> None:
    """Stores those whose message is there; drops other texts' unless the conversation branches near."""
    children = _children(state, address)
    texts: dict[tuple[MessageId, str], set[str]] = {}
    for where, message_id, window, by, fingerprint in state.windows:
        if (where, by) == (address, embedder):
            texts.setdefault((message_id, window), set()).add(fingerprint)
    state.window_stamp += bool(rows)
    for row in rows:
        if (address, row.message_id) not in state.messages:
            continue
        known = texts.setdefault((row.message_id, row.window), set())
        if all(len(ring) <= 1 for ring in _ahead(children, row.message_id)):
            for stale in known - {row.fingerprint}:
                del state.windows[address, row.message_id, row.window, embedder, stale]
            known.clear()
        known.add(row.fingerprint)
        vector = np.array(row.vector, dtype=np.float32)
        vector.setflags(write=False)
        key = (address, row.message_id, row.window, embedder, row.fingerprint)
        state.windows[key] = (state.window_stamp, vector)


def _children(state: PersonState, address: Address) -> Mapping[MessageId, list[MessageId]]:
    found: dict[MessageId, list[MessageId]] = {}
    for where, message_id in state.messages:
        parent = state.messages[where, message_id][1].parent
        if where == address and parent is not None:
            found.setdefault(parent, []).append(message_id)
    return found


def _ahead(
    children: Mapping[MessageId, list[MessageId]], message_id: MessageId
) -> list[list[MessageId]]:
    """The messages one step after this one, two steps after, as far as a window reaches."""
    rings = [[message_id]]
    for _ in range(WINDOW_REACH):
        rings.append([child for parent in rings[-1] for child in children.get(parent, ())])
    return rings[1:]


def _fields(address: Address) -> tuple[str, str, str]:
    return address.space, address.person, address.character
