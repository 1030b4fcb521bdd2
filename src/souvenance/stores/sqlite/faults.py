"""What SQLite reports, in our words: one clear sentence and what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from souvenance.errors import BadInput, StoreBusy, StoreError, StoreUnusable, Unknown


@contextmanager
def in_our_words(path: Path) -> Iterator[None]:
    """Runs a block of statements; what SQLite raises comes out as one of `StoreError`'s kinds.

    Errors: `StoreBusy`, `StoreUnusable`, `Unknown` (a row names another that does not exist),
    `BadInput` (a value the schema refuses), `StoreError`.
    """
    try:
        yield
    except apsw.BusyError as e:
        raise busy(path) from e
    except apsw.NotADBError as e:
        raise StoreUnusable(
            f"{path} is not a Souvenance database: choose another file, or move this one away",
            code="not_a_database",
            fields={"path": path},
        ) from e
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError) as e:
        raise StoreUnusable(
            f"{path} cannot be opened for writing ({e}): check who owns the file and its folder",
            code="database_read_only",
            fields={"path": path, "why": e},
        ) from e
    except apsw.ConstraintError as e:
        if "FOREIGN KEY" in str(e):
            raise Unknown(
                "this change names a message, thread or timeline that does not exist at its address"
            ) from e
        raise BadInput(f"the database refuses this change ({e}); nothing was written") from e
    except apsw.FullError as e:
        raise StoreError(
            f"no room left to write {path}: free some disk space, then retry",
            code="no_room",
            fields={"path": path},
        ) from e
    except apsw.CorruptError as e:
        raise StoreError(
            f"{path} is damaged ({e}): keep a copy, and restore your last backup",
            code="damaged",
            fields={"path": path, "why": e},
        ) from e
    except apsw.Error as e:
        raise StoreError(f"{path} could not be read or written ({e}); nothing was changed") from e


def busy(path: Path) -> StoreBusy:
    """The error for a write lock that somebody kept too long."""
    return StoreBusy(
        f"another program has been writing to {path} for too long: wait for it or stop it, "
        "then retry (nothing was written)",
        code="busy",
        fields={"path": path},
    )
