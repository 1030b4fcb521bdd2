"""A thread's name is stored as it is typed, so it may not be an identifier."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

MAIN = "from souvenance.interfaces.cli.app import main; main()"
CANARY = "zoe.verlaine@mail.example"


def run(folder: Path, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", MAIN, "--database", str(folder / "m.db"), *words],
        input=typed,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("name", [CANARY, "call 06 12 34 56 78"])
def test_a_thread_named_after_an_identifier_is_refused(tmp_path: Path, name: str) -> None:
    """The option and /new are the two ways to name a thread; neither leaves a byte of it."""
    refused = run(tmp_path, "chat", "-p", "ines", "-t", name, typed="I keep bees.\n")
    assert refused.returncode == 2
    assert name not in refused.stderr
    chatted = run(tmp_path, "chat", "-p", "ines", typed=f"/new {name}\nI keep bees.\n")
    assert chatted.returncode in (0, 2)
    found = b"".join(p.read_bytes() for p in tmp_path.iterdir())
    assert name.encode() not in found
