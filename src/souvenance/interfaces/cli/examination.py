"""The checks of `souvenance doctor`, each a finding with what to do about it."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from souvenance.errors import ModelError, ModelRefused, SouvenanceError
from souvenance.interfaces.cli.demo import scratch
from souvenance.interfaces.cli.invocation import Invocation
from souvenance.interfaces.cli.render import megabytes
from souvenance.interfaces.cli.safe import one_line
from souvenance.interfaces.cli.said import error_text, reason_text

#: What each optional part stands on.
_EXTRAS = {
    "server": "fastapi",
    "mcp": "mcp",
    "telegram": "telegram",
    "postgres": "psycopg",
}

#: Seconds for the embedder to answer once, its loading included. Chosen, not measured.
_EMBED_S = 30.0

#: Conversations that wait to be embedded, counted up to here. Chosen, not measured.
_MOST_DUE = 10_000


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: `bad` ones make the whole unhealthy, a `note` is worth knowing."""

    name: str
    state: Literal["ok", "note", "bad"]
    said: str
    advice: str = ""
    more: tuple[str, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)


def examine(call: Invocation) -> list[Finding]:
    """Every check in order; none raises for what it examines."""
    _ = call.settings
    checks: tuple[tuple[str, Callable[[Invocation], Iterator[Finding]]], ...] = (
        ("store", _store),
        ("embedder", _embedder),
        ("index", _index),
        ("recall", _recall),
        ("chat", _chat),
        ("loop", _loop),
        ("extras", _extras),
    )
    findings: list[Finding] = []
    for name, check in checks:
        try:
            findings += check(call)
        except (SouvenanceError, OSError, ImportError) as error:
            detail = one_line(str(error)) or type(error).__name__
            if isinstance(error, SouvenanceError):
                detail = error_text(error, call.words)
            findings.append(
                Finding(name, "bad", call.words(f"doctor.{name}_failed", detail=detail))
            )
    return findings


def _store(call: Invocation) -> Iterator[Finding]:
    from souvenance.stores.sqlite import open_store

    path = call.settings.database
    if not path.exists():
        parent = next(p for p in path.absolute().parents if p.exists())
        usable = parent.is_dir() and os.access(parent, os.W_OK)
        key = "doctor.store_new" if usable else "doctor.store_nowhere"
        yield Finding(
            "store", "note" if usable else "bad", call.words(key, file=path, folder=parent)
        )
        return
    store = open_store(path)
    try:
        report = store.check()
    finally:
        store.close()
    data = {
        "sqlite": report.sqlite_version,
        "schema": report.schema_version,
        "pragmas": dict(report.pragmas),
        "counts": dict(report.counts),
        "problems": list(report.problems),
    }
    more = (
        f"SQLite {report.sqlite_version}, " + call.words("db.schema") + f" {report.schema_version}",
        ", ".join(f"{key}={value}" for key, value in report.pragmas.items()),
        ", ".join(f"{key}: {value}" for key, value in report.counts.items()),
        *report.problems,
    )
    if report.problems:
        advice = call.words("doctor.store_advice")
        yield Finding("store", "bad", call.words("db.unsound", file=path), advice, more, data)
    else:
        yield Finding("store", "ok", call.words("db.sound", file=path), "", more, data)


def _embedder(call: Invocation) -> Iterator[Finding]:
    from souvenance.opening import choose_embedder

    async def try_it() -> tuple[str, int, float]:
        embedder = choose_embedder(call.settings)
        assert embedder is not None
        try:
            began = time.perf_counter()
            vectors = await embedder.embed(
                [call.words("demo.user")], timeout_s=_EMBED_S, query_in=call.language
            )
            return embedder.name, vectors.shape[1], (time.perf_counter() - began) * 1000
        finally:
            await embedder.close()

    if call.settings.embedder.kind == "none":
        yield Finding("embedder", "note", call.words("doctor.embedder_none"))
        return
    name, dimension, took_ms = asyncio.run(try_it())
    data = {"embedder": name, "dimension": dimension, "ms": round(took_ms, 1)}
    said = call.words("doctor.embedder_ok", name=name, dimension=dimension, ms=round(took_ms))
    yield Finding("embedder", "ok", said, data=data)
    if call.settings.embedder.kind == "auto":
        yield from _parts(call)


def _parts(call: Invocation) -> Iterator[Finding]:
    """What would make the embedder better and is not here."""
    from souvenance.models.embed.choice import has_wheels, missing

    for part in missing("auto"):
        said = call.words(f"doctor.part_{part.kind}", name=part.name)
        advice = (
            call.words(
                "doctor.part_advice",
                command=part.command,
                download=part.download_mb,
                disk=part.disk_mb,
            )
            if has_wheels()
            else call.words("doctor.part_nowhere")
        )
        yield Finding(
            "embedder_part", "note", said, advice, data={"embedder": part.name, "installed": False}
        )


def _index(call: Invocation) -> Iterator[Finding]:
    """How far the index of the configured embedder is, and what the vectors of others take."""
    from souvenance.opening import choose_embedder
    from souvenance.ports import for_messages
    from souvenance.stores.sqlite import open_store

    path, embedder = call.settings.database, choose_embedder(call.settings)
    if embedder is None or not path.exists():
        return
    name, of_messages = embedder.name, for_messages(embedder)
    light = of_messages.name if of_messages is not None and call.settings.verbatim.enabled else None
    asyncio.run(embedder.close())
    store = open_store(path)
    try:
        indexed, wanted = store.vectors.progress(name)
        others = [h for h in store.vectors.held() if h.embedder not in (name, light)]
        due = len(store.windows.due(light, _MOST_DUE)) if light is not None else 0
    finally:
        store.close()
    data = {"embedder": name, "indexed": indexed, "wanted": wanted}
    said = call.words("doctor.index", name=name, indexed=indexed, wanted=wanted)
    advice = call.words("doctor.index_advice") if indexed < wanted else ""
    yield Finding("index", "ok" if indexed == wanted else "note", said, advice, data=data)
    if light is not None:
        yield _messages_index(call, light, due)
    for h in others:
        took = {"name": one_line(h.embedder), "n": h.rows, "size": megabytes(h.bytes)}
        said, advice = call.words("doctor.other_vectors", **took), ""
        if indexed == wanted:
            advice = call.words("doctor.other_vectors_advice", name=one_line(h.embedder))
        yield Finding(
            "index",
            "note",
            said,
            advice,
            data={"embedder": h.embedder, "rows": h.rows, "bytes": h.bytes},
        )


def _messages_index(call: Invocation, name: str, due: int) -> Finding:
    """Whether what was said is found by meaning too; of a blend it is one part that sees to that."""
    key = "doctor.messages_index_waiting" if due else "doctor.messages_index"
    said = call.words(key, name=one_line(name), n=due)
    advice = call.words("doctor.messages_index_advice") if due else ""
    data = {"embedder": name, "conversations_waiting": due}
    return Finding("messages_index", "note" if due else "ok", said, advice, data=data)


def _recall(call: Invocation) -> Iterator[Finding]:
    """Settings that were read for another embedder, and so do nothing."""
    from souvenance.lang import codes
    from souvenance.opening import choose_embedder
    from souvenance.readings import Readings

    if not any(call.settings.recall.of(code).embedder for code in codes()):
        return
    embedder = choose_embedder(call.settings)
    name = embedder.name if embedder is not None else None
    if embedder is not None:
        asyncio.run(embedder.close())
    ignored = Readings(call.settings, name).ignored(codes())
    for code in codes():
        read_for = call.settings.recall.of(code).embedder
        if read_for is None:
            continue
        key = "doctor.recall_ignored" if code in ignored else "doctor.recall_read"
        said = call.words(key, language=code, name=one_line(read_for))
        advice = call.words("doctor.recall_advice") if code in ignored else ""
        state: Literal["ok", "note"] = "note" if code in ignored else "ok"
        data = {"language": code, "embedder": read_for, "in_force": code not in ignored}
        yield Finding("recall", state, said, advice, data=data)


def _chat(call: Invocation) -> Iterator[Finding]:
    from souvenance.opening import choose_chat

    async def choose() -> tuple[str | None, str | None]:
        chat, note = await choose_chat(call.settings)
        if chat is not None:
            await chat.close()
        return (chat.name if chat else None), note

    name, note = asyncio.run(choose())
    advice = call.words("doctor.chat_advice")
    if name is None:
        why = reason_text(note or "", call.words)
        state: Literal["note", "bad"] = "bad" if call.settings.chat.url else "note"
        yield Finding("chat", state, call.words("doctor.chat_none", why=why), advice)
        return
    data: dict[str, Any] = {"model": name}
    url = call.settings.chat.url
    if url is not None:
        try:
            models = asyncio.run(_models(call, url))
        except ModelError as error:
            said = call.words("doctor.chat_failed", detail=error_text(error, call.words))
            yield Finding("chat", "bad", said, advice, data=data)
            return
        if models and call.settings.chat.model not in (None, *models):
            said = call.words(
                "doctor.chat_no_such_model",
                model=call.settings.chat.model,
                models=", ".join(models[:8]),
            )
            yield Finding("chat", "note", said, data=data)
            return
    yield Finding("chat", "ok", call.words("doctor.chat_ok", model=name), data=data)


async def _models(call: Invocation, url: str) -> list[str]:
    """The models a server lists; none when it has no such list. Errors: `ModelError` when it does not answer."""
    from souvenance.models.wire import Wire

    chat = call.settings.chat
    key = chat.api_key.get_secret_value() if chat.api_key else None
    wire = Wire(url, api_key=key, connect_s=chat.connect_timeout_s)
    try:
        tree = await wire.fetch_json("GET", "/models", None, 10.0)
    except ModelRefused as error:
        if error.status in (404, 405, 501):
            return []
        raise
    finally:
        await wire.close()
    rows = tree.get("data") if isinstance(tree, dict) else None
    return [str(row["id"]) for row in rows or [] if isinstance(row, dict) and "id" in row]


def _loop(call: Invocation) -> Iterator[Finding]:
    """Remembers, recalls and forgets for real, in a scratch file."""
    began = time.perf_counter()
    with (
        tempfile.TemporaryDirectory(prefix="souvenance-") as folder,
        call.engine(scratch(call.settings, Path(folder))) as running,
    ):
        talk = running.engine.thread("doctor", "doctor", "doctor")
        memory = running.wait(talk.memories.add(call.words("doctor.sample"))).memory
        found = running.wait(talk.context(call.words("doctor.sample_question")))
        recalled = any(slot.memory.memory_id == memory.memory_id for slot in found.slots)
        running.wait(talk.memories.forget(memory.memory_id))
        after = running.wait(talk.context(call.words("doctor.sample_question")))
        gone = all(slot.memory.memory_id != memory.memory_id for slot in after.slots)
    took_ms = round((time.perf_counter() - began) * 1000)
    data = {"recalled": recalled, "forgotten": gone, "ms": took_ms}
    if recalled and gone:
        yield Finding("loop", "ok", call.words("doctor.loop_ok", ms=took_ms), data=data)
    else:
        step = call.words("doctor.step_recall" if not recalled else "doctor.step_forget")
        yield Finding("loop", "bad", call.words("doctor.loop_failed", detail=step), data=data)


def _extras(call: Invocation) -> Iterator[Finding]:
    found = {name: find_spec(module) is not None for name, module in _EXTRAS.items()}
    yes = ", ".join(name for name, there in found.items() if there) or "-"
    no = ", ".join(name for name, there in found.items() if not there) or "-"
    said = call.words("doctor.extras", installed=yes, missing=no)
    yield Finding("extras", "note", said, data={"installed": found})
