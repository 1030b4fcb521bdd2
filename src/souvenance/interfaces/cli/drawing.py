"""Where a command draws to: the kinds of file it can make, and what it says once the file is there."""

from __future__ import annotations

import os
from pathlib import Path

from souvenance.interfaces.cli.invocation import Invocation
from souvenance.interfaces.cli.safe import one_line


def check_kind(call: Invocation, path: Path) -> None:
    """Refuses a kind of drawing that cannot be made, before anything is measured. Errors: `BadInput`."""
    from souvenance.errors import BadInput

    if path.suffix.lower() not in (".svg", ".html"):
        raise BadInput(call.words("calibrate.plot_kind", file=one_line(str(path))))


def write(call: Invocation, path: Path, made: bytes) -> None:
    """Writes a drawing and says where. Errors: `BadInput` when it cannot be written."""
    from souvenance.errors import BadInput

    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), "wb") as out:
            out.write(made)
    except OSError as error:
        raise BadInput(call.words("calibrate.unwritable", file=path, why=error.strerror)) from error
    call.note(call.words("calibrate.drawn_to", file=one_line(str(path))))
