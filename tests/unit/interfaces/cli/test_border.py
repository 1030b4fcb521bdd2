"""Where errors stop: the sentence, the code, and nothing of what was said in the log."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from souvenance.errors import (
    BadInput,
    BadLine,
    ModelUnreachable,
    NewerDatabase,
    StoreBusy,
    StoreUnusable,
    Unknown,
)
from souvenance.interfaces.cli.border import Border, hoist
from souvenance.interfaces.cli.invocation import Invocation

ENDINGS = [
    (Unknown("No memory 'zz' here."), 2),
    (BadInput("empty"), 2),
    (BadLine("Line 3 is not JSON.", line=3), 2),
    (NewerDatabase("written by version 9"), 2),
    (StoreUnusable("cannot be written"), 2),
    (StoreBusy("locked for 5 s"), 1),
    (ModelUnreachable("refused"), 1),
    (RuntimeError("secret words of somebody"), 1),
    (KeyboardInterrupt(), 130),
    (BrokenPipeError(), 141),
]


def _raising(error: BaseException) -> typer.Typer:
    app = typer.Typer(cls=Border, rich_markup_mode=None, pretty_exceptions_enable=False)

    @app.callback()
    def start(ctx: typer.Context) -> None:
        ctx.obj = Invocation()

    @app.command()
    def fail() -> None:
        said = "secret words of somebody"  # a local, which a rich traceback would print
        assert said
        raise error

    return app


@pytest.mark.parametrize(("error", "code"), ENDINGS, ids=lambda v: type(v).__name__)
def test_every_error_has_its_exit_code_and_at_most_one_line(
    error: BaseException, code: int
) -> None:
    """Scripts read the code, people the sentence; nobody reads a traceback."""
    result = CliRunner().invoke(_raising(error), ["fail"])
    assert result.exit_code == code
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert len(result.stderr.splitlines()) <= 1


def test_an_unexpected_error_quotes_nothing_and_says_where_its_place_is_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The message of an unknown exception may hold what was said; neither the screen nor the log may."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    result = CliRunner().invoke(_raising(RuntimeError("secret words of somebody")), ["fail"])
    (log,) = tmp_path.rglob("souvenance.log")
    assert str(log) in result.stderr
    assert "secret" not in result.stderr
    assert "secret" not in log.read_text("utf-8")
    assert "test_border.py" in log.read_text("utf-8")
    assert log.stat().st_mode & 0o777 == 0o600


def test_a_traceback_is_there_for_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who mends the program needs it."""
    monkeypatch.setenv("SOUVENANCE_DEBUG", "1")
    result = CliRunner().invoke(_raising(RuntimeError("why")), ["fail"])
    assert "Traceback" in result.stderr
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("given", "sorted_"),
    [
        (["chat", "--database", "x.db"], ["--database", "x.db", "chat"]),
        (["context", "hi", "--lang=fr", "--json"], ["--lang=fr", "context", "hi", "--json"]),
        (["memories", "add", "--", "--lang", "is a flag"], ["memories", "add", "--", "--lang", "is a flag"]),
        (["memories", "list", "--verbose"], ["--verbose", "memories", "list"]),
        (["chat", "--verbose=yes"], ["chat", "--verbose=yes"]),
        (["chat", "--database"], ["--database", "chat"]),
        (["--space", "a", "chat", "--space", "b"], ["--space", "a", "--space", "b", "chat"]),
    ],
)  # fmt: skip
def test_global_options_may_stand_anywhere(given: list[str], sorted_: list[str]) -> None:
    """People add `--database` where they think of it."""
    assert hoist(given) == sorted_
