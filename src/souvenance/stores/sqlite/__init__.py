"""The store of one machine: a SQLite file, and a small key-and-ledger file beside it."""

from souvenance.stores.sqlite.migrate import MigrationReport
from souvenance.stores.sqlite.store import SqliteStore, migrate, open_store

__all__ = ["MigrationReport", "SqliteStore", "migrate", "open_store"]
