"""Keys pressed too early answer nothing."""

from __future__ import annotations

import io
import os
import pty
import select
import tty

import pytest

from souvenance.interfaces.cli.keyboard import drop_typed


def test_what_was_typed_before_a_question_is_no_answer_to_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever waits for a bar to end and hits a key must not label a pair that they never read."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    try:
        with open(theirs, encoding="utf-8", closefd=False) as keyboard:
            monkeypatch.setattr("sys.stdin", keyboard)
            os.write(ours, b"y")
            assert select.select([theirs], [], [], 5)[0]
            drop_typed()
            assert not select.select([theirs], [], [], 0)[0]
            os.write(ours, b"n")
            assert select.select([theirs], [], [], 5)[0]
            assert os.read(theirs, 1) == b"n"
    finally:
        os.close(ours)
        os.close(theirs)


def test_answers_that_come_from_a_file_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody pressed them."""
    answers = io.StringIO("y\n")
    monkeypatch.setattr("sys.stdin", answers)
    drop_typed()
    assert answers.read() == "y\n"
