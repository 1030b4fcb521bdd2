"""Somebody measures their own chat model on reflection from the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from souvenance.interfaces.cli.app import app
from souvenance.models.scripted import Hang, Say, ScriptedServer, closed_url

NOTHING = Say(json.dumps({"reasoning": "", "candidates": []}))


def test_json_has_the_shape_of_every_bench():
    """Scripts read one shape."""
    with ScriptedServer([NOTHING] * 40) as server:
        args = ["bench", "reflect", "--model", "m", "--base-url", server.url, "--draws", "1", "--json"]  # fmt: skip
        result = CliRunner().invoke(app, args)
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert set(found) >= {"bench", "file", "n", "metrics", "by", "baselines", "decisions"}
    assert (found["bench"], found["n"], len(found["decisions"])) == ("reflect", 40, 40)
    assert set(found["baselines"]) == {"before the filters", "rules without a model"}
    assert found["metrics"]["abstain_rate"] == 1.0


@pytest.mark.parametrize(
    ("language", "pieces"),
    [
        ("en", ("small talk left alone", "6/6 1.00", "rules, no model", "hints")),
        ("fr", ("bavardage laissé de côté", "6/6 1.00", "règles, sans modèle", "sous-entendus")),
    ],
)
def test_people_read_a_table_in_their_language(language, pieces):
    """The exchanges that ship are those of the language in force."""
    with ScriptedServer([NOTHING] * 40) as server:
        args = ["bench", "reflect", "--lang", language, "--model", "m", "--base-url", server.url]
        result = CliRunner().invoke(app, [*args, "--draws", "1"])
        asked = str(server.requests[0].body)
    assert result.exit_code == 0
    assert all(piece in result.stdout for piece in pieces)
    assert ("NOUVEAUX" in asked) == (language == "fr")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "None of the model's 40 answers can be used"),
        ("fr", "Aucune des 40 réponses du modèle n'est utilisable"),
    ],
)
def test_a_model_that_answers_nothing_usable_is_one_sentence(language, said):
    """Tables of zeros would look like a measure."""
    with ScriptedServer([Say("I would rather chat.")] * 80) as server:
        args = ["bench", "reflect", "--lang", language, "--model", "m", "--base-url", server.url]
        result = CliRunner().invoke(app, [*args, "--draws", "1"])
    assert result.exit_code == 0
    _, sentence = result.stdout.strip().splitlines()
    assert said in sentence.replace("\n", " ")


@pytest.mark.parametrize(("language", "piece"), [("en", "--base-url"), ("fr", "lancez Ollama")])
def test_without_a_model_it_says_how_to_name_one(language, piece):
    """There is nothing to measure, and something to do about it."""
    result = CliRunner().invoke(app, ["bench", "reflect", "--lang", language])
    assert result.exit_code == 2
    assert piece in result.stderr


def test_a_server_that_is_not_there_is_one_sentence():
    """No traceback, no eighty attempts."""
    args = ["bench", "reflect", "--model", "m", "--base-url", closed_url()]
    result = CliRunner().invoke(app, args)
    assert result.exit_code == 1
    assert "cannot be reached" in result.stderr


def test_an_address_that_is_none_is_refused():
    """It would be asked and fail with words about sockets."""
    result = CliRunner().invoke(app, ["bench", "reflect", "--model", "m", "--base-url", "nope"])
    assert result.exit_code == 2
    assert "nope" in result.stderr


def test_an_interrupted_run_keeps_what_was_measured():
    """A small model takes half an hour: what it answered before Ctrl-C was paid for."""
    with ScriptedServer([NOTHING, NOTHING, NOTHING, Hang(60)]) as server:
        code = "from souvenance.interfaces.cli.app import main; main()"
        command = [sys.executable, "-c", code, "bench", "reflect", "--lang", "en", "--model", "m"]
        running = subprocess.Popen(
            [*command, "--base-url", server.url],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        end = time.monotonic() + 30
        while len(server.requests) < 4 and time.monotonic() < end:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
    assert running.returncode == 130, err
    assert "3 items" in out
    assert "3 of 80" in err
