"""The SQLite store: one file and its key file, opened, wired and closed here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import apsw

from souvenance.domain import PersonId, Seq, Space
from souvenance.ports import CheckReport
from souvenance.stores.accepted import require_storable
from souvenance.stores.sqlite import backup as copying
from souvenance.stores.sqlite import check, erasures, writes
from souvenance.stores.sqlite.connection import (
    Connect,
    connect_reader,
    connect_writer,
    make_private,
    require_sqlite,
    settled_path,
)
from souvenance.stores.sqlite.conversations import SqliteConversations
from souvenance.stores.sqlite.jobs import SqliteJobs
from souvenance.stores.sqlite.keys import Ledger, keys_path
from souvenance.stores.sqlite.memories import SqliteMemories
from souvenance.stores.sqlite.migrate import (
    MigrationReport,
    is_current,
    shipped_migrations,
    upgrade,
)
from souvenance.stores.sqlite.pool import Readers, Writer
from souvenance.stores.sqlite.vectors import SqliteVectors
from souvenance.stores.sqlite.windows import SqliteWindows
from souvenance.writes import Write

#: Seconds that a write waits for another program's. Chosen, not measured: far past the longest
#: wait seen with eight programs writing at once.
BUSY_TIMEOUT_S = 5.0


class SqliteStore:
    """Implements `ports.Store` over one file; use `open_store` to make one."""

    def __init__(
        self,
        path: Path,
        ledger: Ledger,
        *,
        busy_timeout_s: float = BUSY_TIMEOUT_S,
        connect: Connect = connect_writer,
    ) -> None:
        """Opens a database of the current schema, applying erasures it has not seen.

        `connect` makes the writing connection; another one than the default is for fault tests.
        """
        self.path = path
        self._ledger = ledger
        self._busy_timeout_s = busy_timeout_s
        self._writer = Writer(path, ledger.path, connect, busy_timeout_s)
        self._readers = Readers(path, connect_reader, busy_timeout_s)
        self.conversations = SqliteConversations(self._readers, self._writer)
        self.memories = SqliteMemories(self._readers)
        self.jobs = SqliteJobs(self._readers, self._writer)
        self.vectors = SqliteVectors(self._readers, self._writer)
        self.windows = SqliteWindows(self._readers, self._writer)
        try:
            self._notes = erasures.settle_identity(self._writer, self._readers, ledger)
        except BaseException:
            self.close()
            raise

    def commit(self, space: Space, person: PersonId, changes: Sequence[Write]) -> Seq:
        require_storable(space, person, changes)
        with self._writer.transaction() as db:
            return writes.apply(db, space, person, changes)

    def mark(self, text: str) -> str:
        return self._ledger.mark(text)

    def check(self) -> CheckReport:
        with self._readers.snapshot() as db:
            return check.report(db, apsw.sqlite_lib_version(), self._notes)

    def backup(self, target: Path) -> None:
        copying.backup(self.path, target, self._busy_timeout_s)

    def close(self) -> None:
        self._readers.close()
        self._writer.close()


def open_store(path: Path, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> SqliteStore:
    """The store kept in that file, created or brought to the current schema when needed.

    Errors: `StoreUnusable`, `NewerDatabase`, `StoreBusy`, `StoreError`.
    """
    path, ledger, _ = _prepared(path, busy_timeout_s)
    return SqliteStore(path, ledger, busy_timeout_s=busy_timeout_s)


def migrate(path: Path, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> MigrationReport:
    """Brings the file to the current schema, and says from which one and where the copy is.

    Errors: as `open_store`.
    """
    return _prepared(path, busy_timeout_s)[2]


def _prepared(path: Path, busy_timeout_s: float) -> tuple[Path, Ledger, MigrationReport]:
    """The settled path, its ledger and what was migrated, one process at a time."""
    require_sqlite(apsw.sqlite_lib_version())
    path = settled_path(path)
    ledger = Ledger(keys_path(path), timeout_s=busy_timeout_s)
    steps = shipped_migrations()
    latest = steps[-1].version
    if is_current(path, latest):
        make_private(path)
        return path, ledger, MigrationReport(latest, latest, None)
    with ledger.locked():
        return path, ledger, upgrade(path, steps, busy_timeout_s=busy_timeout_s)
