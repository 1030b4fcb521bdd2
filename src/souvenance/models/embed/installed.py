"""Whether a package carries a file that an embedder needs, asked without importing the package.

Importing costs time and runs code; and a package may be there with another file than the one meant.
"""

from __future__ import annotations

from hashlib import file_digest
from importlib.util import find_spec
from pathlib import Path

from souvenance.errors import ModelUnreachable


def is_importable(package: str) -> bool:
    """Whether there is a package of this name to import."""
    try:
        return find_spec(package) is not None
    except (ImportError, ValueError):
        return False


def carried(package: str, file: str, size: int) -> Path | None:
    """Where a package has this file of this many bytes; None when it has not."""
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        return None
    for folder in (spec.submodule_search_locations if spec else None) or ():
        path = Path(folder) / file
        if path.is_file() and path.stat().st_size == size:
            return path
    return None


def checked(path: Path | None, digest: str) -> Path:
    """The path, once its content is known. Errors: `ModelUnreachable` when it is not there or its SHA-256 is another."""
    if path is not None:
        with path.open("rb") as file:
            if file_digest(file, "sha256").hexdigest() == digest:
                return path
    raise ModelUnreachable("a file of its model is missing or is not the one that was tested")
