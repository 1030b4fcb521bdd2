"""The command line as a person uses it: memories by hand, bad input, JSON, replay, doctor, bench."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest
from typer.testing import CliRunner, Result

from souvenance.interfaces.cli.app import app
from souvenance.models.scripted import closed_url

Run = Callable[..., Result]

#: Attacks on a terminal, in one memory.
HOSTILE = "owl\x1b]0;owned\x07\x1b]8;;http://evil.test\x1b\\link\x9b31m\u202ekcab [bold red]x[/] \u200b\r\x08end"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command on a database of its own, without an embedder, in English."""
    monkeypatch.setenv("SOUVENANCE_DATABASE", str(tmp_path / "memory.db"))
    monkeypatch.setenv("SOUVENANCE_EMBEDDER_KIND", "none")
    monkeypatch.chdir(tmp_path)

    def invoke(*args: str, stdin: str | None = None) -> Result:
        return CliRunner().invoke(app, list(args), input=stdin)

    return invoke


def _json(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    assert len(result.stdout.splitlines()) == 1
    return json.loads(result.stdout)


def _real(*args: str, stdin: str | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", "from souvenance.interfaces.cli.app import main; main()", *args],
        input=stdin,
        stdin=None if stdin is not None else subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONUTF8": "1", **env},
    )


# --- memories by hand -----------------------------------------------------------------------------


def test_a_memory_is_read_corrected_forgotten_and_brought_back(run: Run) -> None:
    """The person owns the memory: every step of its life is one command."""
    added = _json(run("memories", "add", "I keep bees on the roof.", "-p", "ines", "--json"))
    identity = added["id"][:6]
    assert run("memories", "edit", identity, "I keep two hives.", "-p", "ines").exit_code == 0
    assert run("memories", "pin", identity, "-p", "ines").exit_code == 0
    listed = _json(run("memories", "list", "-p", "ines", "--json"))["memories"]
    assert [(m["text"], m["pinned"], m["edited"]) for m in listed] == [
        ("I keep two hives.", True, True)
    ]
    assert run("memories", "forget", identity, "-p", "ines").exit_code == 0
    assert _json(run("memories", "list", "-p", "ines", "--json"))["memories"] == []
    assert (
        _json(run("memories", "list", "-p", "ines", "--all", "--json"))["memories"][0]["status"]
        == "forgotten"
    )
    assert run("memories", "restore", identity, "-p", "ines").exit_code == 0
    shown = _json(run("memories", "show", identity, "-p", "ines", "--json"))
    assert (shown["text"], shown["status"]) == ("I keep two hives.", "active")
    assert [state["text"] for state in shown["history"]][:2] == [
        "I keep bees on the roof.",
        "I keep two hives.",
    ]


def test_one_person_does_not_see_another(run: Run) -> None:
    """`--person` is whose memory it is, and ids do not cross it."""
    identity = _json(run("memories", "add", "I keep bees.", "-p", "ines", "--json"))["id"]
    assert _json(run("memories", "list", "-p", "noor", "--json"))["memories"] == []
    assert run("memories", "show", identity, "-p", "noor").exit_code == 2


def test_an_identifier_typed_by_hand_is_left_out_and_said(run: Run) -> None:
    """The filter removes something the person typed: they must be told, and the rest kept."""
    result = run("memories", "add", "Call the plumber at 06 12 34 56 78", "-p", "ines")
    assert "a phone number" in result.stdout
    assert "06 12" not in result.stdout + run("memories", "list", "-p", "ines").stdout


@pytest.mark.parametrize(
    ("language", "said"), [("en", "Give a message"), ("fr", "Donnez un message")]
)
def test_a_context_of_nothing_asks_for_a_message(run: Run, language: str, said: str) -> None:
    """An empty message calls nothing: a table of relevances that mean nothing would only mislead."""
    done = run("context", "  ", "--lang", language)
    assert done.exit_code == 2
    assert said in done.stderr


def test_the_context_says_why_each_memory_is_there_and_why_one_is_not(run: Run) -> None:
    """ "Why this one, why not that one?" has an answer."""
    kept = _json(
        run("memories", "add", "My sister Odile lives in Lyon.", "-p", "ines", "--pin", "--json")
    )["id"]
    gone = _json(run("memories", "add", "I keep bees.", "-p", "ines", "--json"))["id"]
    run("memories", "forget", gone, "-p", "ines")
    found = _json(run("context", "How is Odile?", "-p", "ines", "--why-not", gone, "--json"))
    assert [(s["id"], s["stage"]) for s in found["slots"]] == [(kept, "pinned")]
    assert found["why_not"]["code"] == "Closed"
    shown = run("context", "How is Odile?", "-p", "ines", "--why-not", gone)
    assert "answers your message, by the word “Odile”" in shown.stdout
    assert "forgotten" in shown.stdout


# --- bad input --------------------------------------------------------------------------------------


def _newer(folder: Path) -> None:
    assert CliRunner().invoke(app, ["memories", "add", "x", "-p", "ines"]).exit_code == 0
    database = apsw.Connection(str(folder / "memory.db"))
    database.execute("PRAGMA user_version = 999")
    database.close()


def _garbage(folder: Path) -> None:
    (folder / "memory.db").write_bytes(b"this is no database, whatever its name says" * 200)


def _none(folder: Path) -> None:
    return None


def _some(folder: Path) -> None:
    assert CliRunner().invoke(app, ["memories", "add", "x", "-p", "ines"]).exit_code == 0


#: Commands that only read.
READING = [
    ["memories", "list"], ["memories", "show", "zz"], ["memories", "dropped"], ["memories", "failed"],
    ["memories", "conflicts"], ["threads"], ["journal", "list"], ["journal", "check"], ["context", "hi"],
    ["calibrate", "dedup"],
]  # fmt: skip

BAD = [
    ("a memory nobody has", ["memories", "show", "zz"], _some, "zz"),
    ("a thread nobody opened", ["memories", "list", "--thread", "nowhere"], _some, "nowhere"),
    ("a thread nobody opened, for a context", ["context", "hi", "--thread", "nowhere"], _some, "nowhere"),
    ("a character nobody described", ["characters", "show", "nobody"], _none, "nobody"),
    ("a status that is none", ["memories", "list", "--status", "lost"], _none, "superseded"),
    ("a kind that is none", ["memories", "add", "x", "--kind", "rumour"], _none, "rumour"),
    ("an importance out of range", ["memories", "add", "x", "--importance", "9"], _none, "1 to 5"),
    ("a memory without words", ["memories", "add", "   "], _none, "words"),
    ("a person without a name", ["memories", "list", "--person", " "], _none, "--person"),
    ("a person with an escape sequence", ["memories", "list", "--person", "a\x1b[2J"], _none, "--person"),
    ("a failed reflection nobody has", ["memories", "failed", "zz", "--retry"], _some, "zz"),
    ("a file that is not there", ["replay", "nothing.jsonl"], _none, "nothing.jsonl"),
    ("a settings file that is not there", ["doctor", "--config", "nothing.toml"], _none, "nothing.toml"),
    ("a language that is none", ["threads", "--lang", "xx"], _none, "language"),
    ("a database from a newer version", ["memories", "list"], _newer, "newer"),
    ("something that is no database", ["memories", "list"], _garbage, "memory.db"),
    ("a folder that is a file", ["memories", "list", "--database", "file/memory.db"],
     lambda folder: (folder / "file").write_text("x"), "file"),
    ("a folder that cannot be written", ["memories", "list", "--database", "/proc/souvenance/m.db"], _none, "/proc"),
    ("a check of nothing", ["db", "check"], _none, "memory.db"),
    *((f"{' '.join(args)} of a database that is not there", args, _none, "no database") for args in READING),
    ("a character file that is no TOML", ["characters", "add", "c.toml"],
     lambda folder: (folder / "c.toml").write_text("=", "utf-8"), "c.toml"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "args", "prepare", "piece"), BAD, ids=[b[0] for b in BAD])
def test_bad_input_is_one_clear_sentence_and_code_2(
    run: Run, tmp_path: Path, case: str, args: list[str], prepare: Callable[[Path], Any], piece: str
) -> None:
    """A person must know what to mend, a script that nothing was done."""
    prepare(tmp_path)
    result = run(*args)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1
    assert piece in result.stderr
    assert "\x1b" not in result.stderr


def test_a_message_of_a_megabyte_is_taken(run: Run, tmp_path: Path) -> None:
    """Somebody pastes a book: it is answered, and stored whole."""
    message = "Look at this: " + "a" * 1_000_000
    result = run("chat", "-p", "ines", stdin=message + "\n")
    assert result.exit_code == 0, result.stderr
    assert run("context", message, "-p", "ines").exit_code == 0
    database = apsw.Connection(str(tmp_path / "memory.db"))
    ((stored,),) = database.execute("SELECT max(length(text)) FROM messages")
    database.close()
    assert stored == len(message)


# --- JSON and pipes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "args",
    [
        ["memories", "list"],
        ["memories", "dropped"],
        ["memories", "failed"],
        ["context", "hello"],
        ["threads"],
        ["characters"],
        ["characters", "show", "wren"],
        ["doctor"],
        ["db", "check"],
        ["db", "vectors"],
    ],
)
def test_json_is_one_object_and_nothing_else(run: Run, args: list[str]) -> None:
    """What reads it is a program."""
    run("memories", "add", HOSTILE, "-p", "ines")
    assert isinstance(
        _json(
            run(*args, "--json", *(["-p", "ines"] if args[0] in ("memories", "context") else []))
        ),
        dict,
    )


def test_json_gives_back_exactly_what_is_stored(run: Run) -> None:
    """Neutralising is for terminals: a program gets every character."""
    run("memories", "add", "a \u202eb \x9b c", "-p", "ines")
    result = run("memories", "list", "-p", "ines", "--json")
    assert _json(result)["memories"][0]["text"] == "a \u202eb \x9b c"
    assert "\u202e" not in result.stdout
    assert "\x9b" not in result.stdout


def test_a_reader_that_leaves_early_is_no_error(run: Run, tmp_path: Path) -> None:
    """`souvenance memories list | head -1` must end quietly."""
    for n in range(5):
        run("memories", "add", f"I planted {n} apple trees behind the {n} house.", "-p", "ines")
    command = [sys.executable, "-c", "from souvenance.interfaces.cli.app import main; main()"]
    process = subprocess.Popen(
        [*command, "memories", "list", "-p", "ines", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()
    _, stderr = process.communicate(timeout=60)
    assert b"Traceback" not in stderr
    assert b"Broken" not in stderr


def test_french_and_english_say_the_same_in_their_language(run: Run) -> None:
    """The locale or `--lang` chooses; the default character follows."""
    run("memories", "add", "x", "-p", "noor")
    assert "Il n'y a pas de fil" in run("memories", "list", "--thread", "x", "--lang", "fr").stderr
    assert "There is no thread" in run("memories", "list", "--thread", "x", "--lang", "en").stderr
    run("memories", "add", "J'élève des abeilles.", "-p", "ines", "--lang", "fr")
    listed = _json(run("memories", "list", "-p", "ines", "-c", "mira", "--json"))["memories"]
    assert [m["text"] for m in listed] == ["J'élève des abeilles."]


# --- a name or a file typed wrong -------------------------------------------------------------------


@pytest.mark.parametrize("args", READING, ids=" ".join)
def test_reading_makes_no_file(run: Run, tmp_path: Path, args: list[str]) -> None:
    """A typing mistake in `--db` must not leave a database and a key behind."""
    run(*args, "--db", str(tmp_path / "typo" / "memory.db"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Nobody is called Nobody here; there is ines (0 threads)"),
        ("fr", "Personne ne s'appelle Nobody ici ; il y a ines (0 fil)"),
    ],
)
def test_a_person_who_is_not_there_is_told_from_an_empty_memory(
    run: Run, language: str, said: str
) -> None:
    """With the names that there are: the mistake is mended at once."""
    run("memories", "add", "I keep bees.", "-p", "ines")
    for args in (["memories", "list"], ["threads"]):
        shown = run(*args, "-p", "Nobody", "--lang", language)
        assert shown.exit_code == 0
        assert said in shown.stderr
    assert "Nobody" not in run("memories", "list", "-p", "ines").stderr


def test_threads_name_the_people_when_the_default_person_has_none(run: Run, tmp_path: Path) -> None:
    """After a replay the threads are of the people in the file, not of whoever typed."""
    (tmp_path / "c.jsonl").write_text(_conversation("c1", "I keep bees."), "utf-8")
    assert run("replay", "c.jsonl", "-p", "alice").exit_code == 0
    assert "alice (1 thread)" in run("threads").stderr
    assert "alice" not in run("threads", "-p", "alice").stderr.replace("1 thread of alice", "")


@pytest.mark.parametrize("args", [[], ["--lang", "fr"]], ids=["alone", "with an option"])
def test_the_command_alone_prints_its_help(run: Run, args: list[str]) -> None:
    """The first thing somebody types is a question, not a mistake."""
    shown = run(*args)
    assert shown.exit_code == 0
    assert "memories" in shown.stdout and shown.stderr == ""


@pytest.mark.parametrize(
    "module", [["-m", "souvenance.lang", "en"], ["-m", "souvenance.lang", "fr"]], ids=" ".join
)
def test_a_list_of_a_language_ends_quietly_on_a_closed_pipe(module: list[str]) -> None:
    """`python -m souvenance.lang en | head` is how it is read."""
    process = subprocess.Popen(
        [sys.executable, *module], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()
    _, stderr = process.communicate(timeout=60)
    assert stderr == b""


# --- replay -----------------------------------------------------------------------------------------


def _conversation(identity: str, *said: str) -> str:
    messages = [
        {"role": role, "at": f"2026-03-0{1 + i // 2}T20:0{i % 2}:00+01:00", "text": text}
        for i, text in enumerate(said)
        for role in [("user", "character")[i % 2]]
    ]
    return json.dumps(
        {
            "id": identity,
            "lang": "en",
            "character": "Tamsin, the ferrywoman",
            "user_name": "Jory",
            "messages": messages,
        }
    )


def test_replaying_twice_changes_nothing(run: Run, tmp_path: Path) -> None:
    """A replay that was cut off is simply started again."""
    path = tmp_path / "talks.jsonl"
    first = _conversation(
        "t1",
        "I'm a beekeeper in Truro.",
        "Mind the stings.",
        "I'm allergic to shellfish.",
        "Noted.",
    )
    path.write_text(first + "\n", "utf-8")
    once = _json(run("replay", str(path), "--json"))
    assert (once["conversations"], once["recorded"], once["pending"]) == (1, 2, 0)
    assert once["memories"]["added"] >= 1
    listed = ["memories", "list", "-p", "Jory", "-c", "tamsin-the-ferrywoman", "-t", "t1", "--json"]
    before = _json(run(*listed))
    assert all(m["born_at"].startswith("2026-03-0") for m in before["memories"])
    path.write_text(
        first
        + "\n"
        + _conversation("t2", "I moved to Bodmin last week.", "Far from the sea.")
        + "\n",
        "utf-8",
    )
    again = _json(run("replay", str(path), "--json"))
    assert (again["recorded"], again["known"]) == (1, 2)
    twice = _json(run("replay", str(path), "--json"))
    assert (twice["recorded"], twice["known"], sum(twice["memories"].values())) == (0, 3, 0)
    kept = {m["id"] for m in before["memories"]}
    assert kept <= {m["id"] for m in _json(run(*listed, "--all"))["memories"]}


def test_a_replay_says_where_it_went_and_what_to_type(run: Run, tmp_path: Path) -> None:
    """The names come from the file: the person cannot guess under which ids to look."""
    path = tmp_path / "talks.jsonl"
    path.write_text(_conversation("t1", "I'm a beekeeper in Truro.", "Mind the stings."), "utf-8")
    told = run("replay", str(path)).stderr.splitlines()
    typed = next(line.split() for line in told if "memories list" in line)
    assert typed[-6:] == ["-p", "Jory", "-c", "tamsin-the-ferrywoman", "-t", "t1"]
    assert "beekeeper" in run(*typed[1:]).stdout


def test_a_replay_can_go_to_a_character_that_exists(run: Run, tmp_path: Path) -> None:
    """ "Wren, who keeps the tide tables" may be Wren; only the person can say so."""
    path = tmp_path / "talks.jsonl"
    line = _conversation("t1", "I'm a beekeeper in Truro.", "Mind the stings.")
    path.write_text(line.replace("Tamsin, the ferrywoman", "Wren, a ferrywoman"), "utf-8")
    assert "--character wren" in run("replay", str(path)).stderr
    into = _json(run("replay", str(path), "--character", "wren", "--json"))
    assert into["places"] == [{"person": "Jory", "character": "wren", "thread": "t1"}]
    assert run("replay", str(path), "--character", "nobody").exit_code == 2


def test_a_line_that_is_not_json_is_named_and_the_rest_is_kept(run: Run, tmp_path: Path) -> None:
    """One bad line in a long export must not cost the others."""
    path = tmp_path / "talks.jsonl"
    good = [_conversation(f"t{n}", f"I have {n} goats and a boat.", "Fine.") for n in (2, 3)]
    path.write_text("\n".join([good[0], "{not json", good[1]]), "utf-8")
    result = run("replay", str(path))
    assert result.exit_code == 2
    assert "ine 2" in result.stderr
    assert len(_json(run("threads", "-p", "Jory", "--json"))["threads"]) == 2


# --- doctor, db, characters, bench ------------------------------------------------------------------


@pytest.mark.parametrize("asked", [["characters"], ["characters", "show", "wren"]])
def test_looking_at_characters_makes_no_database(
    run: Run, asked: list[str], tmp_path: Path
) -> None:
    """Who only looks leaves no file behind."""
    shown = run(*asked, "--json")
    assert shown.exit_code == 0, shown.stderr
    assert "wren" in shown.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_not_json_lines_is_left_at_once(run: Run, tmp_path: Path) -> None:
    """A page of text is one mistake, not a thousand; one bad line among good ones is still only named."""
    (tmp_path / "notes.md").write_text("# Notes\n" + "- bees\n" * 500, "utf-8")
    for language, said in (("en", "is this JSON Lines"), ("fr", "est-ce du JSON Lines")):
        shown = run("replay", "notes.md", "--lang", language)
        assert shown.exit_code == 2
        assert said in shown.stderr
        assert len(shown.stderr.splitlines()) == 1


def test_a_replay_says_in_french_why_something_was_not_noted(run: Run, tmp_path: Path) -> None:
    """What the rules leave aside has a reason, in the language that was asked for."""
    said = "On dit que ma voisine Odette élève des abeilles à Dijon."
    (tmp_path / "c.jsonl").write_text(_conversation("c1", said), "utf-8")
    shown = run("replay", "c.jsonl", "-p", "ines", "-c", "mira", "--lang", "fr")
    assert "Not noted" not in shown.stdout


def test_doctor_is_content_with_a_fresh_machine(run: Run) -> None:
    """Nothing configured is a healthy state: everything needed works, and the rest says what to do."""
    result = run("doctor")
    assert result.exit_code == 0, result.stdout
    assert "SOUVENANCE_CHAT_URL" in result.stdout
    assert "environment SOUVENANCE_EMBEDDER_KIND" in result.stdout


def test_doctor_says_which_part_fails_and_shows_no_secret(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its output is what people paste when they ask for help."""
    monkeypatch.setenv("SOUVENANCE_CHAT_URL", closed_url())
    monkeypatch.setenv("SOUVENANCE_CHAT_MODEL", "any")
    monkeypatch.setenv("SOUVENANCE_CHAT_API_KEY", "sk-veryhidden")
    result = run("doctor", "--json")
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert [c["name"] for c in report["checks"] if c["state"] == "bad"] == ["chat"]
    assert "veryhidden" not in result.output
    assert run("doctor").exit_code == 1


def test_a_backup_holds_what_the_database_holds(run: Run, tmp_path: Path) -> None:
    """A copy that cannot be opened is no backup."""
    run("memories", "add", "I keep bees.", "-p", "ines")
    assert run("db", "backup", str(tmp_path / "copy.db")).exit_code == 0
    assert run("db", "backup", str(tmp_path / "copy.db")).exit_code == 2  # never over another file
    listed = _json(
        run("memories", "list", "-p", "ines", "--json", "--database", str(tmp_path / "copy.db"))
    )
    assert [m["text"] for m in listed["memories"]] == ["I keep bees."]
    assert _json(run("db", "check", "--json"))["sound"] is True
    assert run("db", "migrate").exit_code == 0


def test_a_character_of_ones_own_is_one_file_away(run: Run, tmp_path: Path) -> None:
    """A file beats a form, and is never overwritten."""
    path = tmp_path / "tamsin.toml"
    path.write_text('name = "Tamsin"\npersona = "You row people over."\n', "utf-8")
    assert run("characters", "add", str(path)).exit_code == 0
    assert "tamsin" in [c["id"] for c in _json(run("characters", "--json"))["characters"]]
    assert run("characters", "add", str(path)).exit_code == 2


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "expected: two memories · read: one memory: same content"),
        ("fr", "attendu : deux souvenirs · lu : un souvenir : même contenu"),
    ],
)
def test_a_bench_says_of_a_failed_item_what_was_expected_and_read(
    run: Run, tmp_path: Path, language: str, said: str
) -> None:
    """An id alone sends the reader back to the file."""
    pair = {"id": "p1", "lang": "en", "a": "I keep bees.", "b": "I keep bees!", "same": False, "why": "x"}  # fmt: skip
    (tmp_path / "pairs.jsonl").write_text(json.dumps(pair) + "\n", "utf-8")
    shown = run("bench", "dedup", "pairs.jsonl", "--lang", language)
    assert shown.exit_code == 0, shown.stderr
    assert f"p1  {said} · I keep bees. ↔ I keep bees!" in shown.stdout


def test_a_type_that_no_identifier_has_is_refused_with_those_there_are(
    run: Run, tmp_path: Path
) -> None:
    """A span of an unknown type would count as a leak for ever."""
    item = {"id": "i", "lang": "en", "text": "me@here.test", "spans": [{"start": 0, "end": 12, "type": "mail"}]}  # fmt: skip
    (tmp_path / "pii.jsonl").write_text(json.dumps(item) + "\n", "utf-8")
    shown = run("bench", "pii", "pii.jsonl")
    assert shown.exit_code == 2
    assert 'no type "mail"' in shown.stderr
    assert "email" in shown.stderr and "national_id" in shown.stderr


def test_a_bench_prints_counts_intervals_and_baselines(run: Run, tmp_path: Path) -> None:
    """A user reads our figures off their own file, beside something simpler."""
    path = tmp_path / "pairs.jsonl"
    pairs = [
        {
            "id": "p1",
            "lang": "en",
            "a": "Jory rows on Tuesday.",
            "b": "Jory rows on Thursday.",
            "same": False,
            "why": "day",
        },
        {
            "id": "p2",
            "lang": "en",
            "a": "Jory keeps goats.",
            "b": "Jory keeps goats.",
            "same": True,
            "why": "equal",
        },
    ]
    path.write_text("\n".join(map(json.dumps, pairs)), "utf-8")
    report = _json(run("bench", "dedup", str(path), "--json"))
    assert report["n"] == 2
    assert report["baselines"]
    assert {d["id"] for d in report["decisions"]} == {"p1", "p2"}
    assert len(_json(run("bench", "dedup", str(path), str(path), "--json"))["reports"]) == 2
    shown = run("bench", "dedup", str(path)).stdout
    assert "souvenance" in shown
    assert "–" in shown
    path.write_text("{nope", "utf-8")
    assert run("bench", "dedup", str(path)).exit_code == 2


# --- real processes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("locale", "piece"), [("fr_FR.UTF-8", "noté"), ("en_GB.UTF-8", "noted")])
def test_without_a_terminal_one_scripted_exchange_is_played(
    tmp_path: Path, locale: str, piece: str
) -> None:
    """`make run </dev/null` shows what Souvenance is, and never writes into the person's own database."""
    database = tmp_path / "mine.db"
    ran = _real("chat", LC_ALL=locale, SOUVENANCE_DATABASE=str(database))
    assert ran.returncode == 0, ran.stderr
    assert f"{piece}" in ran.stdout
    assert "<souvenance-memory>" in ran.stdout
    assert not database.exists()


def test_the_demo_is_played_by_the_character_who_was_asked_for(tmp_path: Path) -> None:
    """An option that is silently ignored is a lie; one nobody described is said."""
    assert "Mira ›" in _real("chat", "-c", "mira", "--lang", "en").stdout
    unknown = _real("chat", "-c", "zia", "--lang", "en").stdout
    assert "No file describes zia" in unknown
    assert "Wren ›" in unknown


def test_the_first_question_of_a_cold_process_is_answered_by_meaning(tmp_path: Path) -> None:
    """One command asks one question: its embedder must be ready, and what was just added indexed."""
    env = {
        "SOUVENANCE_DATABASE": str(tmp_path / "memory.db"),
        "SOUVENANCE_EMBEDDER_KIND": "bundled",
        "SOUVENANCE_TURN_EMBEDDING_DEADLINE_S": "10",  # a machine that runs ten tests at once is slow
    }
    _real("memories", "add", "I keep bees.", "-p", "ines", **env)
    found = json.loads(
        _real("context", "What about my hives?", "-p", "ines", "--json", **env).stdout
    )
    assert found["degraded"] is False
    assert "cosine" in json.dumps(found["slots"])


def test_logs_hold_no_word_of_what_was_said(run: Run, tmp_path: Path) -> None:
    """H3: standard error with --verbose, over every kind of command, holds ids and counts only."""
    canary = "zyxomma-canary-dragonfly"
    env = {"SOUVENANCE_DATABASE": str(tmp_path / "memory.db"), "SOUVENANCE_EMBEDDER_KIND": "none"}
    said = f"I keep a {canary} in a jar.\nMy number is 06 12 34 56 78, {canary}.\n"
    ran = _real("chat", "-p", "ines", "--verbose", stdin=said, **env)
    assert canary in ran.stdout
    assert ran.stderr, "verbose logs something"
    assert canary not in ran.stderr
    assert "06 12" not in ran.stderr
    for command in (["context", canary], ["memories", "add", canary], ["memories", "list"]):
        assert canary not in run(*command, "-p", "ines", "--verbose").stderr


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("memories show", "Il manque 'ID'."),
        ("memories lis", "La commande 'lis' n'existe pas ; vouliez-vous dire 'list' ?"),
        ("context x --zork", "L'option --zork n'existe pas."),
        ("context x --whynot a", "L'option --whynot n'existe pas ; il y a --why-not."),
        ("memories report --plot", "L'option '--plot' demande une valeur."),
        ("context x --json=1", "L'option '--json' ne prend pas de valeur."),
        ("db backup a b", "De trop : b"),
        ("bench recall f --size abc", "'--size' ne convient pas : il faut un nombre entier."),
        ("calibrate recall --messages 0", "'--messages' ne convient pas : il faut au moins 1."),
    ],
)
def test_what_is_typed_wrong_is_said_in_french(run: Run, typed: str, said: str) -> None:
    """A newcomer's first errors are these, and half in English they look like somebody else's."""
    done = run(*typed.split(), "--lang", "fr")
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.split())
    assert not any(word in done.stderr for word in ("Error", "Try", "Invalid", "Missing"))


def test_what_is_typed_wrong_is_said_in_english(run: Run) -> None:
    """With how the command is called, and where its help is."""
    done = run("memories", "show", "--lang", "en")
    assert done.exit_code == 2
    assert done.stderr.splitlines()[-1] == "Missing argument 'ID'."
    assert done.stderr.startswith("Usage: ")
    assert "memories show --help`" in done.stderr
