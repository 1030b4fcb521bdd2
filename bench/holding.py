"""Another program that holds a database: its write lock, or a snapshot that it reads for a long time.

    python bench/holding.py write|read|checkpoint FILE

It says "held" when it holds, and lets go at the end of its input.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

HOLDS = {
    "write": "begin immediate",
    "read": "begin; select count(*) from versions",
}


@contextmanager
def held(kind: str, file: Path) -> Iterator[None]:
    """Another process holds the file in that way while the block runs."""
    command = [sys.executable, __file__, kind, str(file)]
    holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdin is not None and holder.stdout is not None
    try:
        assert holder.stdout.readline().strip() == "held"
        yield
    finally:
        holder.stdin.close()
        holder.wait(30)
        holder.stdout.close()


def hold(kind: str, file: str) -> None:
    """Holds until the input ends; `checkpoint` copies the log into the file again and again meanwhile."""
    db = apsw.Connection(file)
    db.set_busy_timeout(5000)
    for _ in db.execute(HOLDS.get(kind, "select 1")):
        pass
    print("held", flush=True)
    if kind == "checkpoint":
        import select

        while not select.select([sys.stdin], [], [], 0.05)[0]:
            db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    sys.stdin.read()
    if db.in_transaction:
        db.execute("rollback")


if __name__ == "__main__":
    hold(sys.argv[1], sys.argv[2])
