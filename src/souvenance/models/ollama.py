"""A chat model behind Ollama's own routes, where the size of the context can be set.

Through its OpenAI-compatible route the context stays at the server's default, and a persona with its memory
is cut without a word.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from souvenance.errors import BadAnswer
from souvenance.models import structured
from souvenance.models.answers import Part, parts_of_lines, spoken, whole_answer
from souvenance.models.structured import Answer, Means
from souvenance.models.wire import Refused, Timeouts, Wire
from souvenance.ports import ChatMessage

if TYPE_CHECKING:
    import httpx

#: Tokens of context. Chosen, not measured: persona, 24 memories and recent messages fit; more costs memory.
DEFAULT_NUM_CTX = 8192


class OllamaChat:
    """The `ChatModel` of one model of an Ollama server, such as `http://127.0.0.1:11434`."""

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
        root = base_url.strip().rstrip("/").removesuffix("/v1").removesuffix("/api")
        self._wire = Wire(
            root, api_key=api_key, connect_s=self._timeouts.connect_s, transport=transport
        )
        self._model = model
        self._num_ctx = num_ctx or DEFAULT_NUM_CTX

    @property
    def name(self) -> str:
        """The model's name, as Ollama knows it."""
        return self._model

    @property
    def server(self) -> str:
        """The address of the server: what a turn and a reflection may compete for."""
        return self._wire.base_url

    def __repr__(self) -> str:
        return f"OllamaChat({self.server}, {self._model})"

    async def version(self, timeout_s: float) -> str:
        """The version of the server. Errors: `ModelError` when it does not answer as Ollama does."""
        tree = await self._wire.fetch_json("GET", "/api/version", None, timeout_s)
        version = tree.get("version") if isinstance(tree, dict) else None
        if not isinstance(version, str):
            raise BadAnswer(f"the server at {self.server} is not Ollama", raw=str(tree)[:200])
        return version

    async def stream(
        self, messages: Sequence[ChatMessage], *, max_tokens: int | None = None
    ) -> AsyncGenerator[str, None]:
        """Pieces of the reply as they come, thoughts stripped. Errors: `ModelError`."""
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
        """The raw answer under the schema (`format`), or by weaker means when an old server refuses it.

        An answer cut at `max_tokens` comes back as it is. Errors: `ModelError`.
        """

        async def ask(means: Means) -> Answer:
            asked = structured.with_schema(messages, schema) if means == "text" else messages
            # No thinking here: under a grammar it only costs tokens.
            body = self._body(asked, max_tokens) | {"think": False}
            if means != "text":
                body["format"] = dict(schema) if means == "json_schema" else "json"
            async with aclosing(self._parts(body)) as parts:
                return await whole_answer(parts, self.server)

        return await structured.by_strongest_means((self.server, self._model), schema, ask)

    async def close(self) -> None:
        """Closes the connections."""
        await self._wire.close()

    def _body(self, messages: Sequence[ChatMessage], max_tokens: int | None) -> dict[str, Any]:
        options = {"num_ctx": self._num_ctx}
        if max_tokens is not None:
            options["num_predict"] = max_tokens
        return {
            "model": self._model,
            "messages": [{"role": m.role, "content": m.text} for m in messages],
            "stream": True,
            "options": options,
        }

    async def _parts(self, body: Mapping[str, Any]) -> AsyncGenerator[Part, None]:
        try:
            async with (
                self._wire.pieces("POST", "/api/chat", body, self._timeouts) as chunks,
                aclosing(parts_of_lines(chunks, self.server)) as parts,
            ):
                async for part in parts:
                    yield part
        except Refused as error:
            if error.status != 404:
                raise
            raise Refused(
                f"Ollama at {self.server} does not have {self._model}; run: ollama pull {self._model}",
                status=404,
                code=error.code,
            ) from None
