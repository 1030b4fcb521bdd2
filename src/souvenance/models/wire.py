"""One HTTP connection to a model server: deadlines, limits, and failures said in clear sentences.

No message of an error holds a key, a prompt or an answer: they end in logs and journals.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

from souvenance.errors import BadAnswer, BadSetting, ModelRefused, ModelUnreachable

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")

#: Bytes of one answer. Chosen, not measured: far above any reply, below what hurts a small machine.
MAX_BYTES = 64 * 1024 * 1024

#: Bytes of an error answer that are read, to find its code. Chosen, not measured.
_MAX_ERROR_BYTES = 64 * 1024

#: Seconds for a server to close a stream that we leave. Chosen, not measured.
_CLOSE_S = 2.0


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long a chat model may take: to accept, without sending a byte, and for one whole answer.

    Chosen, not measured. Reading is generous: a local server may load its weights before the first byte.
    """

    connect_s: float = 3.0
    read_s: float = 120.0
    total_s: float = 600.0


#: What to do about an error code that servers commonly give. Codes outside this table are not repeated,
#: because some servers put the prompt in their error.
_ADVICE = {
    "context_length_exceeded": "the conversation is longer than its context; lower turn.budget_tokens",
    "exceed_context_size_error": "the conversation is longer than its context; lower turn.budget_tokens",
    "model_not_found": "it does not have this model; list its models and correct the name",
    "insufficient_quota": "the account has no credit left",
    "invalid_api_key": "the API key is wrong",
    "rate_limit_exceeded": "it asks to slow down; wait a moment",
    "unsupported_parameter": "it does not take one of the options sent; update it or Souvenance",
}

_STATUS_ADVICE = {
    400: "check that the model name is right and that the server is up to date",
    401: "set the API key",
    403: "this API key may not use this model",
    404: "check the model name, and that the address ends where its routes begin (often /v1)",
    405: "check the address: its routes begin often at /v1",
    413: "the request is too large for it; lower turn.budget_tokens",
    429: "it asks to slow down; wait a moment",
    503: "it is starting or overloaded; wait a moment",
}


def http_url(url: str) -> str:
    """The address without credentials, query or trailing slash. Errors: `BadSetting` when not http(s)."""
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not host:
        raise BadSetting(
            "a model's address must look like http://127.0.0.1:11434/v1 or https://host/v1"
        )
    name = f"[{host}]" if ":" in host else host
    place = name if port is None else f"{name}:{port}"
    return urlunsplit((parts.scheme, place, parts.path.rstrip("/"), "", ""))


def is_loopback(url: str) -> bool:
    """Whether the address stays on this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def checked_key(api_key: str | None) -> str | None:
    """The key ready for a header, None when empty. Errors: `BadSetting`, which does not repeat it."""
    key = (api_key or "").strip()
    if not all(33 <= ord(c) <= 126 for c in key):
        raise BadSetting(
            "the API key holds a space, a line break or an accent: copy it again from its provider"
        )
    return key or None


def encode(body: Mapping[str, Any]) -> bytes:
    """The body as JSON bytes; half surrogates, which no server reads, become question marks."""
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")


class Wire:
    """Sends requests to one server. Opens its client at the first request, in the running event loop."""

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        connect_s: float = 3.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.base_url = http_url(base_url)
        self._headers = {"Accept-Encoding": "identity", "Content-Type": "application/json"}
        if key := checked_key(api_key):
            self._headers["Authorization"] = f"Bearer {key}"
        self._connect_s = connect_s
        self._transport = transport
        self._client: httpx.AsyncClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def __repr__(self) -> str:
        return f"Wire({self.base_url})"

    async def _open(self) -> httpx.AsyncClient:
        """The client of this event loop. Importing httpx and reading certificates stay off the loop."""
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            self._client, self._loop = await asyncio.to_thread(self._build), loop
        return self._client

    def _build(self) -> httpx.AsyncClient:
        import httpx

        return httpx.AsyncClient(
            headers=self._headers,
            transport=self._transport,
            # A proxy variable must not capture what stays on this machine.
            trust_env=not is_loopback(self.base_url),
        )

    async def fetch(
        self, method: str, path: str, body: Mapping[str, Any] | None, total_s: float
    ) -> bytes:
        """The whole answer, read within `total_s`. Errors: `ModelUnreachable`, `ModelRefused`, `BadAnswer`."""
        limits = Timeouts(min(self._connect_s, total_s), total_s, total_s)
        whole = bytearray()
        async with self.pieces(method, path, body, limits) as chunks:
            async for chunk in chunks:
                whole += chunk
        return bytes(whole)

    async def fetch_json(
        self, method: str, path: str, body: Mapping[str, Any] | None, total_s: float
    ) -> Any:
        """The answer read as JSON. Errors: those of `fetch`, and `BadAnswer` when it is not JSON."""
        whole = await self.fetch(method, path, body, total_s)
        return read_json(whole, self.base_url)

    @asynccontextmanager
    async def pieces(
        self, method: str, path: str, body: Mapping[str, Any] | None, limits: Timeouts
    ) -> AsyncIterator[AsyncIterator[bytes]]:
        """The bytes of a successful answer as they come. Errors: as `fetch`, at the start or while reading."""
        deadline = asyncio.get_running_loop().time() + limits.total_s
        client = await self._open()
        import httpx

        try:
            request = client.build_request(
                method,
                self.base_url + path,
                content=None if body is None else encode(body),
                timeout=httpx.Timeout(limits.read_s, connect=limits.connect_s),
            )
        except (httpx.InvalidURL, UnicodeError):
            raise BadSetting("a model's address cannot be read; correct it") from None
        response = await self._within(deadline, client.send(request, stream=True))
        try:
            if not response.is_success:
                raise await self._refusal(response, deadline)
            yield self._chunks(response, deadline)
        finally:
            with suppress(TimeoutError, httpx.HTTPError, OSError):
                async with asyncio.timeout(_CLOSE_S):
                    await response.aclose()

    async def _chunks(
        self, response: httpx.Response, deadline: float
    ) -> AsyncGenerator[bytes, None]:
        size = 0
        source = response.aiter_raw()
        while True:
            try:
                # The deadline covers each wait alone, so that it never cancels who reads us.
                chunk = await self._within(deadline, anext(source))
            except StopAsyncIteration:
                return
            size += len(chunk)
            if size > MAX_BYTES:
                raise BadAnswer(
                    f"{self.base_url} sent more than {MAX_BYTES // 2**20} MB; is it a model server?",
                    raw="",
                )
            yield chunk

    async def _within(self, deadline: float, step: Awaitable[T]) -> T:
        """What the step returns. Errors: failures of the network as `ModelUnreachable`, without their content."""
        import httpx

        try:
            async with asyncio.timeout_at(deadline):
                return await step
        except (TimeoutError, httpx.TimeoutException):
            failure = "did not answer in time; raise the timeout or use a smaller model"
        except (httpx.ConnectError, OSError):
            failure = "cannot be reached; check that it is running"
        except (httpx.HTTPError, httpx.StreamError):
            failure = "cut the connection; try again"
        raise ModelUnreachable(f"the model server at {self.base_url} {failure}")

    async def _refusal(self, response: httpx.Response, deadline: float) -> Refused:
        """The error for a status: what is known about it and what to do, never what the server wrote."""
        status = response.status_code
        body = bytearray()
        with suppress(ModelUnreachable):
            async for chunk in self._chunks(response, deadline):
                body += chunk
                if len(body) > _MAX_ERROR_BYTES:
                    break
        return refused(self.base_url, status, bytes(body))

    async def close(self) -> None:
        """Closes the connections, if any were opened in this event loop."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.aclose()


class Refused(ModelRefused):
    """A refusal with the code that the server gave, when it is one we know; empty otherwise."""

    def __init__(self, message: str, *, status: int, code: str) -> None:
        super().__init__(message, status=status)
        self.code = code


def refused(server: str, status: int, body: bytes) -> Refused:
    """The error for a status and the body that came with it."""
    code = error_code(body)
    advice = _ADVICE.get(code) or _STATUS_ADVICE.get(status)
    if advice is None:
        advice = "look at its own log" if status >= 500 else "check the address"
    message = f"the model server at {server} answered {status}: {advice}"
    return Refused(message, status=status, code=code)


def error_code(body: bytes) -> str:
    """The code that a server gives to its error, among those known; empty when none."""
    try:
        tree = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    error = tree.get("error") if isinstance(tree, dict) else None
    if not isinstance(error, dict):
        return ""
    found = [error.get(name) for name in ("code", "type")]
    return next((c for c in found if isinstance(c, str) and c in _ADVICE), "")


def read_json(body: bytes, server: str) -> Any:
    """The tree in the body. Errors: `BadAnswer` when it is not JSON."""
    try:
        return json.loads(body.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        raw = body[:20_000].decode("utf-8", "replace")
        raise BadAnswer(
            f"the server at {server} answered something that is not JSON; is it a model server?",
            raw=raw,
        ) from None
