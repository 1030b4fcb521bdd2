"""The same store without a file: for tests, trials and people who want nothing kept.

It is public, obeys the same contract as the SQLite store, and is written apart from it, so that
each can be held against the other.
"""

from souvenance.stores.memory.store import MemoryStore

__all__ = ["MemoryStore"]
