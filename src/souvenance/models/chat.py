"""A chat model behind any OpenAI-compatible server: Ollama, llama.cpp, LM Studio, vLLM, hosted ones.

Servers stretch the protocol in every direction, so this reads loosely and asks strictly.
"""

from __future__ import annotations

import ipaddress
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from souvenance.errors import ModelError
from souvenance.models import structured
from souvenance.models.answers import Part, parts_of_events, spoken, whole_answer
from souvenance.models.ollama import OllamaChat
from souvenance.models.structured import Answer, Means, Wanted
from souvenance.models.wire import Refused, Timeouts, Wire
from souvenance.ports import ChatMessage

if TYPE_CHECKING:
    import httpx

__all__ = ["OpenAIChat", "Timeouts", "may_be_ollama"]

#: Seconds to find out whether a local server is Ollama. Chosen, not measured: it answers in milliseconds.
_PROBE_S = 1.0


class OpenAIChat:
    """The `ChatModel` of one model at one address, such as `http://127.0.0.1:8080/v1`.

    A server on this machine or network that turns out to be Ollama is spoken to by its own routes, the only
    ones where the size of the context can be set (`num_ctx`, in tokens); elsewhere `num_ctx` means nothing.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key: str | None = None,
        timeouts: Timeouts | None = None,
        num_ctx: int | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._timeouts = timeouts or Timeouts()
        base_url = base_url.strip().rstrip("/").removesuffix("/chat/completions")
        self._wire = Wire(
            base_url, api_key=api_key, connect_s=self._timeouts.connect_s, transport=transport
        )
        self._model = model
        self._max_tokens = "max_tokens"
        self._native: OllamaChat | None = None
        self._asked = not may_be_ollama(self._wire.base_url)
        self._make_native: Callable[[], OllamaChat] = lambda: OllamaChat(
            self.server,
            model,
            api_key=api_key,
            timeouts=timeouts,
            num_ctx=num_ctx,
            transport=transport,
        )

    @property
    def name(self) -> str:
        """The model's name, as the server knows it."""
        return self._model

    @property
    def server(self) -> str:
        """Scheme, host and port: what a turn and a reflection may compete for."""
        parts = urlsplit(self._wire.base_url)
        return f"{parts.scheme}://{parts.netloc}"

    def __repr__(self) -> str:
        return f"OpenAIChat({self._wire.base_url}, {self._model})"

    async def stream(
        self, messages: Sequence[ChatMessage], *, max_tokens: int | None = None
    ) -> AsyncGenerator[str, None]:
        """Pieces of the reply as they come, thoughts stripped.

        Errors: `ModelUnreachable`, `ModelRefused`, and `BadAnswer` when nothing was said.
        """
        native = await self._ollama()
        say = native.stream if native else self._say
        async with aclosing(say(messages, max_tokens=max_tokens)) as pieces:
            async for piece in pieces:
                yield piece

    async def _say(
        self, messages: Sequence[ChatMessage], *, max_tokens: int | None = None
    ) -> AsyncGenerator[str, None]:
        async with (
            aclosing(self._parts(self._body(messages, max_tokens))) as parts,
            aclosing(spoken(parts, self.server)) as pieces,
        ):
            async for piece in pieces:
                yield piece

    async def answer_json(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Mapping[str, Any],
        schema_name: str,
        max_tokens: int,
    ) -> str:
        """The raw answer by the strongest of json_schema, json_object and plain text that the server takes.

        An answer cut at `max_tokens` comes back as it is. Errors: `ModelError`.
        """
        if native := await self._ollama():
            return await native.answer_json(
                messages, schema=schema, schema_name=schema_name, max_tokens=max_tokens
            )
        wanted = Wanted(schema, schema_name, max_tokens)

        async def ask(means: Means) -> Answer:
            asked = structured.with_schema(messages, schema) if means == "text" else messages
            body = self._body(asked, max_tokens)
            if (form := structured.response_format(means, wanted)) is not None:
                body["response_format"] = form
            async with aclosing(self._parts(body)) as parts:
                return await whole_answer(parts, self.server)

        return await structured.by_strongest_means((self._wire.base_url, self._model), schema, ask)

    async def close(self) -> None:
        """Closes the connections."""
        await self._wire.close()
        if self._native is not None:
            await self._native.close()

    # --- one request ----------------------------------------------------------------------------

    async def _ollama(self) -> OllamaChat | None:
        """The native client when the server is Ollama; asked once."""
        if not self._asked:
            self._native = await self._find_ollama()
            self._asked = True
        return self._native

    async def _find_ollama(self) -> OllamaChat | None:
        probe = self._make_native()
        try:
            await probe.version(_PROBE_S)
        except ModelError:
            await probe.close()
            return None
        return probe

    def _body(self, messages: Sequence[ChatMessage], max_tokens: int | None) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": m.role, "content": m.text} for m in messages],
            "stream": True,
        }
        if max_tokens is not None:
            body[self._max_tokens] = max_tokens
        return body

    async def _parts(self, body: dict[str, Any]) -> AsyncGenerator[Part, None]:
        """The parts of one answer. A model that wants `max_completion_tokens` is asked again with it."""
        try:
            async with aclosing(self._once(body)) as parts:
                async for part in parts:
                    yield part
        except Refused as error:
            if error.code != "unsupported_parameter" or "max_tokens" not in body:
                raise
            self._max_tokens = "max_completion_tokens"
            body[self._max_tokens] = body.pop("max_tokens")
            async with aclosing(self._once(body)) as parts:
                async for part in parts:
                    yield part

    async def _once(self, body: Mapping[str, Any]) -> AsyncGenerator[Part, None]:
        async with (
            self._wire.pieces("POST", "/chat/completions", body, self._timeouts) as chunks,
            aclosing(parts_of_events(chunks, self.server)) as parts,
        ):
            async for part in parts:
                yield part


def may_be_ollama(url: str) -> bool:
    """Whether it is worth asking a server for Ollama's version: only on this machine or a private network."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.port == 11434 or "." not in host.strip(".") or host.endswith((".local", ".localhost")):
        return True
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return False
