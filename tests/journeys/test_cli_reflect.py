"""Reflecting again: a diff to accept in whole or line by line, and nothing changes before."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from souvenance.interfaces.cli.app import app
from souvenance.models.scripted import Fail, Say, ScriptedServer, closed_url

Run = Callable[..., Result]
WHO = ("-p", "Colombe", "-c", "mira")
SAID = (
    "Je suis relieuse à Angers depuis dix ans.",
    "Je n'aime pas le latex, ça me gratte.",
    "Il fait froid dans mon atelier ce matin, j'ai deux radiateurs.",
)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command on a database that holds one short conversation, reflected on by rules."""
    monkeypatch.setenv("SOUVENANCE_DATABASE", str(tmp_path / "memory.db"))
    monkeypatch.setenv("SOUVENANCE_EMBEDDER_KIND", "none")
    monkeypatch.chdir(tmp_path)
    messages = [
        {"role": role, "at": f"2031-02-0{n + 1}T19:00:0{k}+01:00", "text": text}
        for n, one in enumerate(SAID)
        for k, (role, text) in enumerate((("user", one), ("character", "Ah.")))
    ]
    line = {
        "id": "c",
        "lang": "fr",
        "character": "Mira",
        "user_name": "Colombe",
        "messages": messages,
    }
    (tmp_path / "said.jsonl").write_text(json.dumps(line, ensure_ascii=False) + "\n", "utf-8")

    def invoke(*args: str) -> Result:
        return CliRunner().invoke(app, list(args))

    assert invoke("replay", "said.jsonl", *WHO).exit_code == 0
    return invoke


def _answer(*proposed: tuple[str, str, str]) -> Say:
    candidates = [
        {"text": text, "kind": kind, "scope": "global", "confidence": 0.9, "quote": quote}
        for kind, text, quote in proposed
    ]
    return Say(json.dumps({"reasoning": "-", "candidates": candidates}, ensure_ascii=False))


#: Rewords the first, agrees with the second, finds nothing in the third.
MODEL = (
    _answer(("fact", "Colombe est relieuse à Angers depuis dix ans.", SAID[0])),
    _answer(("preference", SAID[1], SAID[1])),
    _answer(),
)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A scripted model, and what it was asked."""
    with ScriptedServer(MODEL) as server:
        monkeypatch.setenv("SOUVENANCE_CHAT_URL", server.url)
        monkeypatch.setenv("SOUVENANCE_CHAT_MODEL", "scripted")
        yield server


def _memories(run: Run) -> dict[str, dict[str, Any]]:
    found = json.loads(run("memories", "list", "--all", "--json", *WHO, "-t", "c").stdout)
    return {m["text"]: m for m in found["memories"]}


def _lines(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    return list(json.loads(result.stdout)["lines"])


def test_the_same_reflection_finds_no_difference(run: Run) -> None:
    """The rules that wrote the memory would write it again."""
    assert _lines(run("reflect", "--rules", "--json", *WHO)) == []


def test_a_diff_is_shown_and_changes_nothing(run: Run, model: ScriptedServer) -> None:
    """Looking is free; the model is asked once per exchange, and not again the second time."""
    before = _memories(run)
    first = _lines(run("reflect", "--json", *WHO))
    assert [line["sort"] for line in first] == ["changed", "gone"]
    assert first[0]["new"]["text"] == "Colombe est relieuse à Angers depuis dix ans."
    assert len(model.requests) == 3
    assert _memories(run) == before
    shown = run("reflect", *WHO)
    assert "--accept all" in shown.stderr and first[0]["key"] in shown.stdout
    assert len(model.requests) == 3
    assert _memories(run) == before


def test_a_line_is_accepted_alone_and_can_be_undone(run: Run, model: ScriptedServer) -> None:
    """The reworded memory keeps its id and birth; the one not accepted stays as it was."""
    before = _memories(run)
    changed, gone = _lines(run("reflect", "--json", *WHO))
    accepted = _lines(run("reflect", "--json", "--accept", changed["key"], *WHO))
    assert [line["accepted"] for line in accepted] == [True, False]
    after = _memories(run)
    new = after["Colombe est relieuse à Angers depuis dix ans."]
    old = before[SAID[0]]
    assert (new["id"], new["born_at"]) == (old["id"], old["born_at"])
    assert after[gone["old"]["text"]]["status"] == "active"
    assert run("memories", "restore", new["id"], *WHO, "-t", "c").exit_code == 0
    assert _memories(run)[SAID[0]]["status"] == "active"


def test_everything_accepted_leaves_no_draft_behind(
    run: Run, model: ScriptedServer, tmp_path: Path
) -> None:
    """A gone memory is forgotten, and what was said is not kept twice."""
    _, gone = _lines(run("reflect", "--json", *WHO))
    (draft,) = tmp_path.glob("*.draft.jsonl")
    assert draft.stat().st_mode & 0o777 == 0o600
    assert run("reflect", "--accept", "all", *WHO).exit_code == 0
    assert _memories(run)[gone["old"]["text"]]["status"] == "forgotten"
    assert not list(tmp_path.glob("*.draft.jsonl"))


def test_what_a_hand_touched_is_in_no_diff(run: Run, model: ScriptedServer) -> None:
    """A pinned, reworded or forgotten memory stays, whatever another model says."""
    found = _memories(run)
    for text, verb in zip(found, ("pin", "forget", "pin"), strict=False):
        assert run("memories", verb, found[text]["id"], *WHO, "-t", "c").exit_code == 0
    lines = _lines(run("reflect", "--json", *WHO))
    touched = {m["id"] for m in found.values()}
    assert not {line["old"]["id"] for line in lines if line["old"]} & touched


def test_an_unusable_answer_leaves_its_exchange_as_it_is(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broken answer proves nothing gone."""
    bad = Say("I will not.")
    with ScriptedServer([MODEL[0], MODEL[1], bad, bad]) as server:
        monkeypatch.setenv("SOUVENANCE_CHAT_URL", server.url)
        monkeypatch.setenv("SOUVENANCE_CHAT_MODEL", "scripted")
        outcome = json.loads(run("reflect", "--json", *WHO).stdout)
    assert outcome["left"] == 1
    assert [line["sort"] for line in outcome["lines"]] == ["changed"]


def test_a_model_that_dies_halfway_loses_no_answer(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next run asks only for the rest."""
    with ScriptedServer([MODEL[0], *[Fail(500)] * 9]) as server:
        monkeypatch.setenv("SOUVENANCE_CHAT_URL", server.url)
        monkeypatch.setenv("SOUVENANCE_CHAT_MODEL", "scripted")
        stopped = run("reflect", *WHO)
        assert stopped.exit_code != 0 and "goes on from there" in stopped.stderr
        server.script.clear()
        server.script.extend(MODEL[1:])
        asked = len(server.requests)
        assert len(_lines(run("reflect", "--json", *WHO))) == 2
        assert len(server.requests) == asked + 2


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--accept", "zzz"), "no line zzz"),
        (("--since", "lately"), "is no day"),
        (("--prompt", "nowhere.txt"), "cannot be read"),
    ],
)
def test_a_wrong_option_says_what_to_give(
    run: Run, model: ScriptedServer, args: tuple[str, ...], words: str
) -> None:
    """Keys, days and files that are not there."""
    result = run("reflect", *args, *WHO)
    assert result.exit_code == 2 and words in result.stderr


def test_a_draft_of_another_prompt_is_not_mixed_in(
    run: Run, model: ScriptedServer, tmp_path: Path
) -> None:
    """Answers to other instructions are other answers; the model reads those that were given."""
    assert run("reflect", *WHO).exit_code == 0
    (tmp_path / "mine.txt").write_text("Note only what {person} fears.", "utf-8")
    refused = run("reflect", "--prompt", "mine.txt", *WHO)
    assert refused.exit_code == 2 and "--draft" in refused.stderr
    model.script.extend(MODEL)
    assert run("reflect", "--prompt", "mine.txt", "--draft", "other.jsonl", *WHO).exit_code == 0
    system = model.requests[-1].body["messages"][0]["content"]
    assert system.startswith("Note only what Colombe fears.")


def test_only_what_was_said_since_a_day_is_reflected_again(run: Run, model: ScriptedServer) -> None:
    """Earlier memories are neither gone nor changed."""
    model.script.clear()
    model.script.append(MODEL[2])
    outcome = json.loads(run("reflect", "--since", "2031-02-03", "--json", *WHO).stdout)
    assert outcome["reflected"] == 1
    assert {line["old"]["text"] for line in outcome["lines"]} == {SAID[2]}


def test_without_a_model_it_says_how_to_get_one(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or to reflect by rules."""
    monkeypatch.setenv("SOUVENANCE_CHAT_DISCOVER", "false")
    result = run("reflect", *WHO)
    assert result.exit_code != 0 and "--rules" in result.stderr
    monkeypatch.setenv("SOUVENANCE_CHAT_URL", closed_url())
    monkeypatch.setenv("SOUVENANCE_CHAT_MODEL", "gone")
    assert run("reflect", *WHO).exit_code != 0


def _torn(text: bytes) -> bytes:
    return text[: len(text) - 40]


@pytest.mark.parametrize(
    ("spoil", "asked"),
    [
        (_torn, 1),  # only the exchange of the torn line
        (lambda text: text[:20], 3),  # not even the head is whole
        (lambda text: b"", 3),
    ],
)
def test_a_draft_that_was_cut_short_asks_only_for_what_it_lost(
    run: Run, model: ScriptedServer, tmp_path: Path, spoil: Callable[[bytes], bytes], asked: int
) -> None:
    """And the run after that asks nothing."""
    assert run("reflect", *WHO).exit_code == 0
    (draft,) = tmp_path.glob("*.draft.jsonl")
    draft.write_bytes(spoil(draft.read_bytes()))
    before = len(model.requests)
    model.script.extend(MODEL[-asked:])
    assert len(_lines(run("reflect", "--json", *WHO))) == 2
    assert len(model.requests) == before + asked
    assert len(_lines(run("reflect", "--json", *WHO))) == 2
    assert len(model.requests) == before + asked


@pytest.mark.parametrize(
    "text",
    [b"\xff\xfe\n", b"[" * 100_000 + b"\n", b'{"draft": 1}\n', b'{"draft": 1, "fresh": [["a"]]}\n'],
)
def test_a_file_that_is_no_draft_is_refused_before_a_model_is_asked(
    run: Run, model: ScriptedServer, tmp_path: Path, text: bytes
) -> None:
    """It may be somebody's; it is left as it is."""
    (tmp_path / "x.jsonl").write_bytes(text)
    refused = run("reflect", "--draft", "x.jsonl", *WHO)
    assert refused.exit_code == 2 and "--draft" in refused.stderr
    assert model.requests == [] and (tmp_path / "x.jsonl").read_bytes() == text


@pytest.mark.parametrize("place", [".", "nowhere/x.jsonl", "link.jsonl"])
def test_a_draft_that_cannot_be_kept_is_refused_before_a_model_is_asked(
    run: Run, model: ScriptedServer, tmp_path: Path, place: str
) -> None:
    """A folder, a folder that is not there, a link to who knows what."""
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "elsewhere")
    refused = run("reflect", "--draft", place, *WHO)
    assert refused.exit_code == 2 and "--draft" in refused.stderr
    assert model.requests == [] and not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize(
    ("language", "by", "unchanged"),
    [("fr", "par règles", "Rien n'a changé."), ("en", "by rules", "Nothing has changed.")],
)
def test_with_nothing_to_do_nothing_is_said_to_be_accepted(
    run: Run, language: str, by: str, unchanged: str
) -> None:
    """ "0 lines accepted, `restore` undoes it" undoes nothing."""
    run("reflect", "--rules", *WHO, "--accept", "all")
    shown = run("reflect", "--rules", *WHO, "--accept", "all", "--lang", language).stdout
    assert by in shown and unchanged in shown
    assert "restore" not in shown


def test_what_was_accepted_is_not_said_to_be_unchanged(run: Run, model: ScriptedServer) -> None:
    """Two contrary sentences one below the other are worse than none."""
    assert "Nothing has changed." in run("reflect", *WHO).stdout
    shown = run("reflect", "--accept", "all", *WHO).stdout
    assert "2 lines accepted" in shown
    assert "Nothing has changed" not in shown


@pytest.mark.parametrize(
    ("option", "value"), [("--model", "any"), ("--prompt", "prompt.md")], ids=["model", "prompt"]
)
@pytest.mark.parametrize(("language", "said"), [("fr", "pas les deux"), ("en", "not both")])
def test_rules_beside_what_only_a_model_reads_are_refused(
    run: Run, option: str, value: str, language: str, said: str
) -> None:
    """What is not read must not look as if it had been."""
    shown = run("reflect", "--rules", option, value, *WHO, "--lang", language)
    assert shown.exit_code == 2
    assert option in shown.stderr and said in shown.stderr
