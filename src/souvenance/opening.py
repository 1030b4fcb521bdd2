"""How settings become a running engine: `open` chooses the store, the embedder and the chat model.

Everything can be given instead of chosen, which is how tests and applications bring their own parts.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal

from souvenance.engine import Engine, Parts, SystemClock
from souvenance.errors import BadSetting, StoreUnusable
from souvenance.lang import codes
from souvenance.ports import ChatModel, Clock, Embedder, Store
from souvenance.read.wording import wording
from souvenance.settings import Settings, load
from souvenance.write.reflection import read_prompts

if TYPE_CHECKING:
    from souvenance.blocking import BlockingEngine
    from souvenance.models.embed import BlendedEmbedder
    from souvenance.models.embed.choice import LocalKind
    from souvenance.models.embed.local import LocalEmbedder

#: What "choose for me" looks like where None already means "without".
Auto = Literal["auto"]


@dataclass(frozen=True, slots=True)
class Choices:
    """What the caller gave; `"auto"` is chosen from the settings, None means without."""

    path: Path | None = None
    settings: Settings | None = None
    chat: ChatModel | Auto | None = "auto"
    embedder: Embedder | Auto | None = "auto"
    store: Store | None = None
    clock: Clock | None = None


def open(
    path: str | Path | None = None,
    *,
    settings: Settings | None = None,
    chat: ChatModel | Auto | None = "auto",
    embedder: Embedder | Auto | None = "auto",
    store: Store | None = None,
    clock: Clock | None = None,
) -> Opening:
    """Something to enter: `async with open(…)` gives an `Engine`, `with open(…)` the same verbs without `async`.

    `path` is the database file, made when it does not exist; without it, the one of the settings.
    Errors, on entering: `StoreError`, `BadSetting`.
    """
    return Opening(
        Choices(Path(path) if path is not None else None, settings, chat, embedder, store, clock)
    )


class Opening:
    """An engine about to be opened, one way or the other."""

    def __init__(self, choices: Choices) -> None:
        self._choices = choices
        self._engine: Engine | None = None
        self._blocking: BlockingEngine | None = None

    async def __aenter__(self) -> Engine:
        self._engine = await start(self._choices)
        return self._engine

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._engine is not None
        await self._engine.close()

    def __enter__(self) -> BlockingEngine:
        from souvenance.blocking import BlockingEngine

        self._blocking = BlockingEngine(lambda: start(self._choices))
        return self._blocking

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._blocking is not None
        self._blocking.close()


async def start(choices: Choices) -> Engine:
    """A running engine. Errors: `StoreError`, `BadSetting`."""
    settings = choices.settings if choices.settings else (await asyncio.to_thread(load)).settings
    if choices.path is not None:
        settings = settings.model_copy(update={"database": choices.path})
    store = (
        choices.store if choices.store else await asyncio.to_thread(_open_store, settings.database)
    )
    chat, note = (choices.chat, None) if choices.chat != "auto" else await choose_chat(settings)
    try:
        embedder = choices.embedder if choices.embedder != "auto" else choose_embedder(settings)
    except BadSetting:
        store.close()
        raise
    reflect_with = chat if settings.reflection.mode != "extractive" else None
    if settings.reflection.mode == "model" and chat is None:
        store.close()
        raise BadSetting(
            'reflection.mode is "model" but there is no chat model; set chat.url and chat.model, or use "auto".',
            code="reflection_without_model",
        )
    parts = Parts(
        settings, store, embedder, chat, note, choices.clock or SystemClock(), reflect_with
    )
    return await (await asyncio.to_thread(_assembled, parts)).__aenter__()


def _assembled(parts: Parts) -> Engine:
    """The engine, and in memory what its first turns would read from files of the package, in the event loop."""
    for code in codes():
        wording(code)
    read_prompts()
    return Engine(parts)


def _open_store(path: Path) -> Store:
    from souvenance.stores.sqlite import open_store

    try:
        path.expanduser().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnusable(
            f"The folder {path.parent} cannot be made ({error.strerror}); choose another with --database.",
            code="folder_not_made",
            fields={"folder": path.parent, "why": error.strerror},
        ) from error
    return open_store(path.expanduser())


async def choose_chat(settings: Settings) -> tuple[ChatModel | None, str | None]:
    """The chat model of the settings, or Ollama's when it answers at its usual address; and why there is none."""
    from souvenance.models.chat import OpenAIChat, Timeouts
    from souvenance.models.discover import OLLAMA_URL, find_ollama
    from souvenance.models.ollama import OllamaChat

    chat = settings.chat
    timeouts = Timeouts(connect_s=chat.connect_timeout_s, read_s=chat.read_timeout_s)
    key = chat.api_key.get_secret_value() if chat.api_key else None
    if chat.url is not None and chat.model is not None:
        # Asked the OpenAI way; a server that turns out to be Ollama is asked its own way, so that num_ctx counts.
        served = OpenAIChat(
            chat.url, chat.model, api_key=key, num_ctx=chat.num_ctx, timeouts=timeouts
        )
        return served, None
    if chat.url is None and not chat.discover:
        return None, "no chat model is configured"
    url = chat.url.removesuffix("/v1") if chat.url else OLLAMA_URL
    found = await find_ollama(url)
    if found is None and chat.url is not None:
        raise BadSetting(
            "chat.url is set without chat.model; name the model that this server should use.",
            code="chat_without_model",
        )
    if found is None:
        return None, f"no chat model is configured and no Ollama answers at {url}"
    model = chat.model or next(iter(found.models), None)
    if model is None:
        return None, f"Ollama at {url} has no chat model yet"
    return OllamaChat(url, model, num_ctx=chat.num_ctx, timeouts=timeouts), None


def _local(kind: LocalKind, threshold: float | None) -> LocalEmbedder | BlendedEmbedder:
    from souvenance.models.embed.choice import assembled, missing, parts_of

    lacking = missing(kind)
    if lacking and kind != "auto":
        commands = " ; ".join(part.command for part in lacking)
        raise BadSetting(
            f'embedder.kind is "{kind}" but it is not installed for this Python; run {commands}, or use "auto".',
            code="embedder_not_installed",
            fields={"kind": kind, "command": commands},
        )
    return assembled([p for p in parts_of(kind) if p not in lacking], threshold=threshold)


def choose_embedder(settings: Settings) -> Embedder | None:
    """The embedder of the settings; None for `"none"`. Errors: `BadSetting` for one that is not installed."""
    from souvenance.models.discover import OLLAMA_URL
    from souvenance.models.embed import OllamaEmbedder, OpenAIEmbedder, Prefixes

    wanted = settings.embedder
    if wanted.kind == "none":
        return None
    if wanted.kind != "ollama" and wanted.kind != "openai":
        local = _local(wanted.kind, wanted.threshold)
        local.warm()  # loads beside the greeting, so that the first turn finds it
        return local
    assert wanted.model is not None  # the settings refuse it otherwise
    key = wanted.api_key.get_secret_value() if wanted.api_key else None
    prefixes = Prefixes(wanted.query_prefix or "", wanted.passage_prefix or "")
    if wanted.kind == "ollama":
        url = wanted.url or OLLAMA_URL
        return OllamaEmbedder(
            url, wanted.model, api_key=key, threshold=wanted.threshold, prefixes=prefixes
        )
    assert wanted.url is not None
    return OpenAIEmbedder(
        wanted.url, wanted.model, api_key=key, threshold=wanted.threshold, prefixes=prefixes
    )
