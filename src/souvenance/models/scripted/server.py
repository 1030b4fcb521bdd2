"""The scripted server itself: one thread a connection, on 127.0.0.1, with nothing but the standard library."""

from __future__ import annotations

import json
import socket
import threading
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from souvenance.models.scripted import dialects
from souvenance.models.scripted.steps import (
    Cut,
    Drip,
    Embed,
    Fail,
    Hang,
    Raw,
    Refuse,
    Say,
    Step,
    Stream,
)

_CHATS = frozenset({"/v1/chat/completions", "/api/chat"})
_EMBEDS = frozenset({"/v1/embeddings", "/api/embed"})


@dataclass(frozen=True, slots=True)
class Asked:
    """One request with a body, as it was received. Header names are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]


class ScriptedServer:
    """A context manager; inside it, requests to `url` are answered by the steps in order.

    Chat requests take from `script`, embedding requests from `embeddings`; both can be added to at any time.
    When a script is over: a chat repeats the last message (or gives the smallest answer its schema allows),
    and an embedding gives right vectors. `refuse` and `ignore_format` are habits for every chat request.
    `port` is one that a server before it had, to see a client find it again; 0 takes a free one.
    With `ollama=True` it has Ollama's routes beside the OpenAI ones, and lists `models`.
    """

    def __init__(
        self,
        script: Iterable[Step] = (),
        *,
        embeddings: Iterable[Step] = (),
        refuse: Sequence[Refuse] = (),
        ignore_format: bool = False,
        ollama: bool = False,
        models: Sequence[str] = ("scripted",),
        port: int = 0,
    ) -> None:
        self.script = deque(script)
        self.embeddings = deque(embeddings)
        self.requests: list[Asked] = []
        self.refuse = tuple(refuse)
        self.ignore_format = ignore_format
        self.ollama = ollama
        self.models = tuple(models)
        self.stopping = threading.Event()
        self._http = _Listener(("127.0.0.1", port), _Handler)
        self._http.owner = self
        self._thread = threading.Thread(
            target=self._http.serve_forever, args=(0.02,), name="scripted-server", daemon=True
        )

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._http.server_port

    @property
    def root(self) -> str:
        """The address without a path, which is Ollama's."""
        return f"http://127.0.0.1:{self._http.server_port}"

    @property
    def url(self) -> str:
        """The address for an OpenAI-compatible client."""
        return f"{self.root}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def next_step(self, path: str) -> Step | None:
        """The step for a request to that path, None when its script is over."""
        script = self.script if path in _CHATS else self.embeddings
        try:
            return script.popleft()
        except IndexError:
            return None


def closed_url() -> str:
    """An address on loopback where nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/v1"


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    owner: ScriptedServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that leave are part of the script; nothing is printed."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Listener

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing: a test's output is its own."""

    @property
    def _owner(self) -> ScriptedServer:
        return self.server.owner

    def do_GET(self) -> None:
        """Answers what can be asked without a body: versions and models."""
        names = self._owner.models
        answers: dict[str, Any] = {
            "/v1/models": {"object": "list", "data": [{"id": n, "object": "model"} for n in names]}
        }
        if self._owner.ollama:
            answers["/api/version"] = {"version": "0.9.0-scripted"}
            answers["/api/tags"] = {"models": [{"name": n, "model": n} for n in names]}
        if self.path in answers:
            self._whole(200, json.dumps(answers[self.path]).encode())
        else:
            self._whole(404, b'{"error": {"message": "no such route"}}')

    def do_POST(self) -> None:
        """Answers a chat or an embedding by its next step."""
        length = int(self.headers.get("Content-Length", 0))
        body = json.loads(self.rfile.read(length) or b"{}")
        headers = {name.lower(): value for name, value in self.headers.items()}
        self._owner.requests.append(Asked(self.path, headers, body))
        known = self.path in _CHATS | _EMBEDS
        if not known or (self.path.startswith("/api/") and not self._owner.ollama):
            self._whole(404, b'{"error": {"message": "no such route"}}')
            return
        refused = self._refusal(body)
        if refused is not None:
            self._whole(refused.status, b'{"error": {"message": "unknown response_format"}}')
            return
        with suppress(BrokenPipeError, ConnectionResetError):
            self._do(self._owner.next_step(self.path), body)

    def _refusal(self, body: Mapping[str, Any]) -> Refuse | None:
        kind = _format(body)[0]
        return next((r for r in self._owner.refuse if r.kind == kind), None)

    # --- the steps ------------------------------------------------------------------------------

    def _do(self, step: Step | None, body: Mapping[str, Any]) -> None:
        if isinstance(step, Fail):
            self._whole(step.status, step.body.encode())
        elif isinstance(step, Raw):
            self._whole(200, step.data, step.content_type)
        elif isinstance(step, Hang):
            self._owner.stopping.wait(step.seconds)
            self.close_connection = True
        elif isinstance(step, Cut | Drip):
            usual = self._bytes(None, body)
            self._headers(200, usual[1], len(usual[0]))
            if isinstance(step, Cut):
                self.wfile.write(usual[0][: step.after_bytes])
                self.connection.shutdown(socket.SHUT_RDWR)
            else:
                self._slowly([bytes([b]) for b in usual[0]], step.delay_s)
        elif isinstance(step, Stream):
            self._stream(step)
        else:
            data, kind = self._bytes(step, body)
            self._whole(200, data, kind)

    def _stream(self, step: Stream) -> None:
        """Sends the pieces in chunks, so that the client sees where the stream ends."""
        self._headers(200, self._stream_type(), None)
        for data in self._dialect()(step.pieces, step.end, step.done):
            if self._owner.stopping.wait(step.delay_s):
                return
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")

    def _bytes(self, step: Say | Embed | None, body: Mapping[str, Any]) -> tuple[bytes, str]:
        """A whole answer and its type: what the step says, or the usual one."""
        if self.path in _EMBEDS:
            how = step if isinstance(step, Embed) else Embed()
            texts = body.get("input", [])
            rows = dialects.vectors([texts] if isinstance(texts, str) else texts, how)
            if self.path == "/api/embed":
                return dialects.ollama_vectors(rows), "application/json"
            return dialects.openai_vectors(rows, reverse=how.reverse), "application/json"
        say = step if isinstance(step, Say) else Say(self._usual(body))
        if body.get("stream"):
            data = b"".join(self._dialect()(dialects.pieces_of(say.text), say.end, True))
            return data, self._stream_type()
        whole = dialects.ollama_whole if self.path == "/api/chat" else dialects.openai_whole
        return whole(say.text, say.end), "application/json"

    def _usual(self, body: Mapping[str, Any]) -> str:
        """The smallest answer under the schema, or an echo of the last message."""
        schema = _format(body)[1]
        if schema is not None and not self._owner.ignore_format:
            return json.dumps(dialects.example_of(schema))
        messages = body.get("messages") or [{"content": ""}]
        return f"You said: {messages[-1].get('content', '')}"

    def _dialect(self) -> Any:
        return dialects.ollama_lines if self.path == "/api/chat" else dialects.openai_events

    def _stream_type(self) -> str:
        return "application/x-ndjson" if self.path == "/api/chat" else "text/event-stream"

    # --- bytes on the wire ----------------------------------------------------------------------

    def _whole(self, status: int, data: bytes, kind: str = "application/json") -> None:
        self._headers(status, kind, len(data))
        self.wfile.write(data)

    def _slowly(self, parts: Iterable[bytes], delay_s: float) -> None:
        for part in parts:
            if self._owner.stopping.wait(delay_s):
                return
            self.wfile.write(part)
            self.wfile.flush()

    def _headers(self, status: int, kind: str, length: int | None) -> None:
        """Sends status and headers; without a length the body comes in chunks. One request a connection."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if length is None:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(length))
        self.send_header("Connection", "close")
        self.end_headers()


def _format(body: Mapping[str, Any]) -> tuple[str | None, Mapping[str, Any] | None]:
    """The kind of answer asked for, in the words of `Refuse`, and its schema when one was given."""
    native = body.get("format")
    if isinstance(native, dict):
        return "json_schema", native
    if native == "json":
        return "json_object", None
    form = body.get("response_format")
    if not isinstance(form, dict):
        return None, None
    if form.get("type") == "json_schema":
        return "json_schema", form.get("json_schema", {}).get("schema")
    return form.get("type"), form.get("schema")
