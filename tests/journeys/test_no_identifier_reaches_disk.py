"""A private identifier given on any path that writes is in no byte of the folder, while it is open and afterwards.

The paths are read off the code: a write that carries text, a command, a slash command or a verb of the library that has
no case here fails the test, so that whoever adds one decides what it does with an identifier.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import sqlite3
import types
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

import pytest
from typer.main import get_command
from typer.testing import CliRunner

import souvenance
from souvenance.again import Again
from souvenance.curate.hand import Hand
from souvenance.domain import Redacted
from souvenance.engine import Engine
from souvenance.interfaces.cli import slash
from souvenance.interfaces.cli.app import app
from souvenance.models.fakes import HashEmbedder, ScriptedChat
from souvenance.recording import Said
from souvenance.settings import Settings
from souvenance.stores.sqlite.store import SqliteStore
from souvenance.turn import Talk
from souvenance.writes import Write

CANARIES = (
    "06 98 41 27 31", "odile.canari@exemple.fr", "4539 1488 0343 6467",
    "FR76 3000 6000 0112 3456 7890 189", "2 55 08 14 168 025 38", "passeport 19FV08214",
)  # fmt: skip
ALL = ", ".join(CANARIES)
SAID = f"J'adore le fenouil, retiens aussi {ALL}."

#: What no byte of the folder may hold: each canary as typed, and its letters and digits alone.
TRACES = tuple(
    {
        trace.encode()
        for canary in (*CANARIES[:5], "19FV08214")
        for trace in (canary, re.sub(r"[^\w]", "", canary))
    }
)


def leaks(folder: Path) -> list[str]:
    """The canaries in any file under the folder, with the file."""
    found = []
    for path in folder.rglob("*"):
        if path.is_file():
            held = path.read_bytes()
            lowered = held.lower()
            found += [f"{t!r} in {path.name}" for t in TRACES if t in held or t.lower() in lowered]
    return found


def settings(**reflection: Any) -> Settings:
    return Settings.model_validate(
        {
            "chat": {"discover": False},
            "reflection": {"idle_s": 0.0, "attempts": 1, **reflection},
            "index": {"every_s": 0.05},
        }
    )


def answer(**changed: Any) -> str:
    """What a model might propose: an identifier in every field that it words."""
    candidate = {
        "text": f"Ines adore le fenouil et a pour numéro {ALL}.",
        "kind": "preference",
        "scope": "global",
        "confidence": 0.9,
        "quote": SAID,
        "entity": f"Ines {CANARIES[0]}",
        "attribute": f"likes {CANARIES[1]}",
        "value": f"fennel {CANARIES[2]}",
        **changed,
    }
    return json.dumps({"reasoning": ALL, "candidates": [candidate]})


# --- the library ----------------------------------------------------------------------------------


async def _turn(engine: Engine, talk: Talk) -> None:
    await talk.turn(SAID)


async def _stream(engine: Engine, talk: Talk) -> None:
    async for _ in talk.stream(SAID):
        pass


async def _record(engine: Engine, talk: Talk) -> None:
    await talk.record(SAID, f"Noté : {ALL}", key=ALL)


async def _append(engine: Engine, talk: Talk) -> None:
    await talk.append([Said("user", SAID, key=ALL), Said("character", ALL), Said("user", ALL)])


async def _context(engine: Engine, talk: Talk) -> None:
    await talk.context(SAID)


async def _named(engine: Engine, talk: Talk) -> None:
    named = engine.thread("odile", "wren", name=f"Odile {ALL}")
    await named.record("J'adore le fenouil.", "Bien.")


async def _hand_add(engine: Engine, talk: Talk) -> None:
    await talk.memories.add(SAID)


async def _hand_edit(engine: Engine, talk: Talk) -> None:
    added = await talk.memories.add("J'adore le fenouil.")
    await talk.memories.edit(added.memory.memory_id, SAID)


async def _again(engine: Engine, talk: Talk) -> None:
    await talk.record(SAID, "Noté.")
    await engine.drain(30)
    again = talk.again(chat=ScriptedChat(then=answer()), instructions=f"Retiens tout. {ALL}")
    exchanges = await again.exchanges()
    ids = {i for one in exchanges for i in one.messages}
    for one in exchanges:
        await again.take(await again.propose(one), ids)
    compared = await again.compare(ids)
    await again.accept(compared.lines)


async def _retried(engine: Engine, talk: Talk) -> None:
    await talk.record(SAID, ALL)
    await engine.drain(30)
    for failure in await talk.memories.failed():
        await talk.memories.retry(failure.failure_id)
    await engine.drain(30)


Path_ = Callable[[Engine, Talk], Awaitable[None]]

#: Every verb of the library that takes somebody's words.
VERBS: dict[str, Path_] = {
    "Talk.turn": _turn,
    "Talk.stream": _stream,
    "Talk.record": _record,
    "Talk.append": _append,
    "Talk.context": _context,
    "Talk.again": _again,
    "Again.take": _again,
    "Again.accept": _again,
    "Engine.thread": _named,
    "Hand.add": _hand_add,
    "Hand.edit": _hand_edit,
    "Hand.retry": _retried,
}

#: Verbs whose text is an id, a filter of a list or a choice: it is looked up, never stored.
LOOKUPS = {
    "Engine.threads", "Engine.known_character", "Talk.search_messages", "Hand.find", "Hand.forget",
    "Hand.history", "Hand.journal", "Hand.list", "Hand.pin", "Hand.restore", "Hand.settle", "Hand.unpin",
}  # fmt: skip
#: The words of whoever runs the program, as the file of a character is: not the person's.
OPERATOR = {"Engine.put_character"}

#: What each model answers; the answers reach the store as memories, drops, failures and proposals.
MODELS: dict[str, Callable[[], ScriptedChat | None]] = {
    "rules": lambda: None,
    "a model": lambda: ScriptedChat([f"Noté : {ALL}"], then=answer()),
    "a model that cannot be read": lambda: ScriptedChat([f"Noté : {ALL}"], then=f"{{broken {ALL}"),
    "a model of other kinds": lambda: ScriptedChat([ALL], then=answer(kind=ALL, scope=ALL)),
    "a model whose candidate holds nothing else": lambda: ScriptedChat(
        [ALL], then=answer(text=ALL)
    ),
    "a model that turns things round": lambda: ScriptedChat(
        [ALL], then=answer(text=f"Ines déteste le fenouil, {ALL}.")
    ),
}


@pytest.fixture
def committed(monkeypatch: pytest.MonkeyPatch) -> list[Write]:
    """Every write that reaches the store."""
    seen: list[Write] = []
    commit = SqliteStore.commit

    def spied(self: SqliteStore, space: Any, person: Any, writes: Any) -> Any:
        seen.extend(writes)
        return commit(self, space, person, writes)

    monkeypatch.setattr(SqliteStore, "commit", spied)
    return seen


async def _drive(path: Path, verb: str, model: str) -> list[str]:
    chat = MODELS[model]()
    async with souvenance.open(
        path / "m.db", settings=settings(), chat=chat, embedder=HashEmbedder()
    ) as engine:
        talk = engine.thread(person="ines", character="wren")
        await VERBS[verb](engine, talk)
        await engine.drain(30)
        await engine.index_once()
        open_leaks = leaks(path)
    return [*open_leaks, *leaks(path)]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("verb", VERBS)
async def test_no_verb_of_the_library_writes_an_identifier(
    tmp_path: Path, verb: str, model: str
) -> None:
    """Whoever reflects, and whatever it answers: not in the database, its log, nor beside it."""
    if MODELS[model]() is None and verb in ("Talk.turn", "Talk.stream"):
        pytest.skip("a turn needs a model")
    assert await _drive(tmp_path, verb, model) == []


async def test_every_write_that_carries_text_was_tried_with_an_identifier(
    tmp_path: Path, committed: list[Write]
) -> None:
    """Each sort of write is seen with the mark that redaction leaves: the cases reach what they claim to."""
    for i, (verb, model) in enumerate((v, m) for v in VERBS for m in MODELS):
        if MODELS[model]() is not None or verb not in ("Talk.turn", "Talk.stream"):
            (tmp_path / str(i)).mkdir()
            await _drive(tmp_path / str(i), verb, model)
    marked = {type(w) for w in committed if re.search(r"\[(phone|email|card|iban)\]", repr(w))}
    unmarked = {w for w in get_args(Write) if carries_text(w)} - marked
    assert {w.__name__ for w in unmarked} == set(NO_WORDS), "a write needs a case, or a reason here"


#: Writes with a text that is never anybody's words.
NO_WORDS = {
    "PutThread": "a title, which nothing sets yet: see the test below",
    "AddJob": "the kind of work, an owner and ids",
    "EndJob": "why a job ended, redacted like the failure that holds the same words",
    "RedactMessage": "a message without a piece, and the piece to look for: see PARTS below",
    "ResolveFailure": "an id",
}


def carries_text(kind: Any, seen: frozenset[Any] = frozenset()) -> bool:
    """Whether a value of this type may hold free text: `str` or `Redacted`, at any depth; ids are no text."""
    if kind is Redacted or kind is str:
        return True
    if isinstance(kind, NewType) or get_origin(kind) is Literal:
        return False
    if get_origin(kind) in (Union, types.UnionType) or get_args(kind):
        return any(carries_text(a, seen) for a in get_args(kind))
    if is_dataclass(kind) and kind not in seen:
        hints = get_type_hints(kind)
        return any(carries_text(hints[f.name], seen | {kind}) for f in fields(kind))
    return False


async def test_no_path_sets_a_title_yet(tmp_path: Path, committed: list[Write]) -> None:
    """Whoever gives threads a title gives it a case above."""
    await _drive(tmp_path, "Talk.record", "a model")
    assert {w.thread.title for w in committed if type(w).__name__ == "PutThread"} == {None}


def test_every_verb_that_takes_words_has_a_case() -> None:
    """A new verb of the library fails here until it has one."""
    told = {
        f"{owner.__name__}.{name}"
        for owner in (Engine, Talk, Hand, Again)
        for name, verb in inspect.getmembers(owner, inspect.isfunction)
        if not name.startswith("_") and _takes_words(verb)
    }
    assert told == {*VERBS, *LOOKUPS, *OPERATOR}


def _takes_words(verb: Callable[..., Any]) -> bool:
    kinds = [str(p.annotation) for p in inspect.signature(verb).parameters.values()]
    ids = r"MemoryId|JobId|ThreadId|PersonId|CharacterId"
    plain = r"\b(str|Said|Character|Redacted|Proposal|Line)\b"
    return any(re.search(plain, re.sub(ids, "", kind)) for kind in kinds)


# --- said over several messages -------------------------------------------------------------------

#: What the person says one after the other, the replies, and what no byte may hold once the last is said.
PARTS: dict[str, tuple[list[str], list[str], list[str]]] = {
    "a number in two": (
        ["J'habite à Sète et mon numéro commence par 06 98 41", "27 31"],
        ["Et la suite ?", "Oublié."],
        ["06 98 41", "069841"],
    ),
    "the character repeats a piece": (
        ["I live in Sète and my card starts 4539 1488", "then 0343 6467"],
        ["So it starts with 4539 1488?", "I forget 0343 6467 at once."],
        ["4539 1488", "45391488", "0343 6467"],
    ),
    "an address cut after its at-sign": (
        ["I live in Sète, mail me at odile.canari@", "exemple.fr"],
        ["odile.canari@ what?", "Forgotten."],
        ["odile.canari", "exemple.fr"],
    ),
    "three messages and one beside": (
        ["Mon numéro c'est", "06 98", "attends", "41 27", "31"],
        ["Oui ?", "06 98…", "J'attends.", "41 27…", "Oublié."],
        ["06 98", "41 27"],
    ),
    "an IBAN in three": (
        ["iban FR76 3000 6000", "0112 3456 7890", "189"],
        ["Go on.", "Go on.", "I keep none of it."],
        ["3000 6000", "0112 3456"],
    ),
}  # fmt: skip


class Repeating(ScriptedChat):
    """Proposes what it was shown last, word for word, or repeats it in an answer that cannot be read."""

    def __init__(self, *, broken: bool) -> None:
        super().__init__()
        self._broken = broken

    async def answer_json(
        self, messages: Any, *, schema: Any, schema_name: str, max_tokens: int
    ) -> str:
        shown = str(messages[-1].text if len(messages) < 3 else messages[1].text)
        if self._broken:
            return f"{{I refuse: {shown}"
        lines = [json.loads(q) for q in re.findall(r'"(?:[^"\\]|\\.)*"', shown)]
        told = [line for line in lines if "Sète" in line]
        candidates = [json.loads(answer(text=t, quote=t, value=t))["candidates"][0] for t in told]
        for one in candidates:
            one |= {"entity": "Ines", "attribute": "home", "kind": "fact"}
        return json.dumps({"reasoning": "-", "candidates": candidates})


REFLECTIONS: dict[str, Callable[[], ScriptedChat | None]] = {
    "rules": lambda: None,
    "a model": lambda: Repeating(broken=False),
    "a model that cannot be read": lambda: Repeating(broken=True),
}


@pytest.mark.parametrize("model", REFLECTIONS)
@pytest.mark.parametrize("parts", PARTS)
async def test_no_piece_stays_of_an_identifier_said_over_several_messages(
    tmp_path: Path, parts: str, model: str
) -> None:
    """Each message was reflected on before the next came; undoing brings nothing back, and the file holds nothing."""
    said, replies, pieces = PARTS[parts]
    path = tmp_path / "m.db"
    chat = REFLECTIONS[model]()
    async with souvenance.open(
        path, settings=settings(), chat=chat, embedder=HashEmbedder()
    ) as engine:
        talk = engine.thread(person="ines", character="wren")
        for one, reply in zip(said, replies, strict=True):
            await talk.record(one, reply)
            await engine.drain(30)
            await engine.index_once()
        for memory in await talk.memories.list(statuses=()):
            for _ in range(2):
                await talk.memories.restore(memory.memory_id)
        every = await talk.memories.list(statuses=())
        if "Sète" in said[0] and model != "a model that cannot be read":
            assert [m for m in every if "Sète" in m.text], "the rest of the sentence is kept"
        read = [m.text + m.quote for m in every] + [f.raw for f in await talk.memories.failed()]
        assert not [p for p in pieces for text in read if p in text]
        with sqlite3.connect(path) as db:
            db.execute("pragma wal_checkpoint(truncate)")
        db.close()
        assert held(tmp_path, pieces) == []
    assert held(tmp_path, pieces) == []


def held(folder: Path, pieces: list[str]) -> list[str]:
    """The pieces in any file under the folder, with the file."""
    files = [p for p in folder.rglob("*") if p.is_file()]
    return [
        f"{piece} in {f.name}"
        for f in files
        for piece in pieces
        if piece.encode() in f.read_bytes()
    ]


@pytest.mark.parametrize("parts", ["a number in two", "the character repeats a piece"])
def test_a_draft_of_what_a_message_no_longer_says_is_discarded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parts: str
) -> None:
    """What was proposed on the first piece alone is asked again; the journal still decides the same."""
    said, replies, pieces = PARTS[parts]
    path = tmp_path / "m.db"
    monkeypatch.setenv("SOUVENANCE_DATABASE", str(path))
    monkeypatch.setenv("SOUVENANCE_EMBEDDER_KIND", "none")
    monkeypatch.setenv("SOUVENANCE_CHAT_DISCOVER", "false")
    who = ["-p", "ines", "-c", "wren"]

    async def tell(number: int) -> None:
        async with souvenance.open(path, settings=settings(), chat=None, embedder=None) as engine:
            talk = engine.thread(person="ines", character="wren")
            await talk.record(said[number], replies[number])
            await engine.drain(30)

    asyncio.run(tell(0))
    reflected = CliRunner().invoke(app, ["reflect", "--rules", "--json", *who])
    assert reflected.exit_code == 0, reflected.output
    assert held(tmp_path, pieces[:1]), "the first piece is nothing yet"
    asyncio.run(tell(1))
    again = CliRunner().invoke(app, ["reflect", "--rules", "--json", *who])
    assert again.exit_code == 0, again.output
    assert [p for p in pieces if p in again.output] == []
    recorded = CliRunner().invoke(app, ["journal", "record", str(tmp_path / "j.jsonl"), *who])
    assert recorded.exit_code == 0, recorded.output
    checked = CliRunner().invoke(app, ["journal", "check", "--json", *who])
    assert checked.exit_code == 0, checked.output
    assert held(tmp_path, pieces) == []


# --- the command line -----------------------------------------------------------------------------

#: Every command that is given somebody's words, or that writes a file: how it is called.
COMMANDS: dict[str, list[str]] = {
    "memories add": [SAID],
    "memories edit": ["ID", SAID],
    "memories list": ["--text", ALL],
    "context": [SAID],
    "messages search": [SAID],
    "chat": [],
    "replay": ["CONVERSATION"],
    "journal record": ["OUT"],
    "journal check": [],
    "reflect": ["--rules", "--accept", "all", "--draft", "OUT"],
    "db backup": ["OUT"],
    "db check": [],
    "db migrate": [],
    "calibrate dedup": ["--plot", "OUT.svg"],
}  # fmt: skip

#: Commands with a test of their own below, for they need an embedder.
ALONE = {"calibrate recall"}

#: Commands that take ids, numbers or files of the operator, and print.
PRINTS = {
    "threads", "doctor", "memories show", "memories pin", "memories unpin", "memories forget",
    "memories restore", "memories dropped", "memories failed", "memories conflicts", "memories settle",
    "memories never-recalled", "memories report", "db vectors",
    "journal list", "characters list", "characters show", "characters add", "bench reflect", "bench dedup", "bench locomo",
    "bench filters", "bench pii", "bench dates", "bench recall", "bench replay",
}  # fmt: skip


def _leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    subcommands = getattr(command, "commands", {})
    for name, sub in subcommands.items():
        yield from _leaves(sub, (*path, name))
    if not subcommands:
        yield " ".join(path)


def test_every_command_has_a_case() -> None:
    """A new command fails here until somebody says what it does with an identifier."""
    assert set(_leaves(get_command(app))) == {*COMMANDS, *PRINTS, *ALONE}


def test_every_slash_command_that_takes_words_has_a_case() -> None:
    """In a chat only `/edit` stores what follows it; `/new` names a thread, which is refused when private."""
    others = {
        "why", "memories", "pin", "unpin", "forget", "restore", "conflicts", "keep", "off", "on",
        "help", "quit",
    }  # fmt: skip
    assert set(slash.COMMANDS) == {"edit", "new", *others}


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_writes_an_identifier(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """After a chat full of them, with the database, backups, drafts and records in the folder."""
    kept, given = tmp_path / "kept", tmp_path / "given"
    kept.mkdir()
    given.mkdir()
    conversation = given / "c.jsonl"
    at = "2031-05-04T20:00:00+02:00"
    messages = [
        {"role": "user", "at": at, "text": SAID},
        {"role": "character", "at": at, "text": ALL},
    ]
    told = {"id": "c1", "lang": "fr", "character": "Wren", "user_name": f"Ines {ALL}"}
    conversation.write_text(json.dumps({**told, "messages": messages}), "utf-8")
    monkeypatch.setenv("SOUVENANCE_DATABASE", str(kept / "m.db"))
    monkeypatch.setenv("SOUVENANCE_EMBEDDER_KIND", "none")
    monkeypatch.setenv("SOUVENANCE_CHAT_DISCOVER", "false")
    monkeypatch.chdir(kept)
    run = CliRunner()
    # A line said, then words by hand and a thread to name, each with an identifier.
    chat = run.invoke(app, ["chat", "-p", "ines"], input=f"{SAID}\n/new fil {ALL}\n/memories\n")
    assert chat.exit_code == 0, chat.output
    added = run.invoke(app, ["memories", "add", "J'adore le fenouil.", "-p", "ines", "--json"])
    identity = json.loads(added.stdout)["id"]
    run.invoke(app, ["chat", "-p", "ines"], input=f"/edit {identity} {SAID}\n")
    places = {
        "ID": identity,
        "OUT.svg": str(kept / "out.svg"),
        "OUT": str(kept / "out"),
        "CONVERSATION": str(conversation),
    }
    args = [places.get(a, a) for a in COMMANDS[command]]
    person = [] if command.startswith("db ") else ["-p", "ines"]
    done = run.invoke(app, [*command.split(), *args, *person], input=f"{SAID}\n")
    assert done.exit_code == 0, done.output
    assert leaks(kept) == []


def test_a_calibration_writes_no_identifier(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its labels hold words of messages and memories, its drawing and the settings none; all as they are stored."""
    monkeypatch.setenv("SOUVENANCE_DATABASE", str(tmp_path / "m.db"))
    monkeypatch.setenv("SOUVENANCE_CHAT_DISCOVER", "false")
    monkeypatch.setattr("souvenance.opening.choose_embedder", lambda _: HashEmbedder(32))
    monkeypatch.setattr("souvenance.interfaces.cli.recalling.MEMORIES_NEEDED", 2)
    monkeypatch.setattr("souvenance.interfaces.cli.recalling.MESSAGES_NEEDED", 2)
    monkeypatch.setattr("souvenance.interfaces.cli.calibrate.at_terminal", lambda: True)
    monkeypatch.chdir(tmp_path)
    run = CliRunner()
    said = f"{SAID}\nJ'adore le fenouil, écris-moi : {ALL}\nMa sœur Ilse vit à Brest, {ALL}\n"
    assert run.invoke(app, ["chat", "-p", "ines"], input=said).exit_code == 0
    for text in ("J'ai deux chats.", f"J'adore les figues. {ALL}", "Ma sœur Ilse aime le fenouil."):
        assert run.invoke(app, ["memories", "add", text, "-p", "ines"]).exit_code == 0
    asked = ["--labels", "l.jsonl", "--plot", "p.svg", "--apply", "--index", "-p", "ines"]
    done = run.invoke(app, ["calibrate", "recall", *asked], input="o\nn\n" * 20)
    assert done.exit_code == 0, done.output
    assert {"l.jsonl", "p.svg", "souvenance.toml"} <= {p.name for p in tmp_path.iterdir()}
    assert leaks(tmp_path) == []


def test_a_thread_is_not_named_after_an_identifier(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names are stored as typed, so one that holds an identifier is refused."""
    monkeypatch.setenv("SOUVENANCE_DATABASE", str(tmp_path / "m.db"))
    monkeypatch.setenv("SOUVENANCE_EMBEDDER_KIND", "none")
    done = CliRunner().invoke(
        app, ["memories", "add", "x", "-p", "ines", "-t", f"fil {CANARIES[0]}"]
    )
    assert done.exit_code != 0
    assert leaks(tmp_path) == []
