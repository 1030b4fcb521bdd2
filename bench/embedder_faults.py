"""Everything that can be wrong with an embedder behind a server, on real sockets of this machine.

One address that answers, fails in a named way, and answers again: for the bench of a turn's overhead and for tests.
"""

from __future__ import annotations

import math
import socket
from collections import deque
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import Self

from souvenance.models.embed import OpenAIEmbedder
from souvenance.models.scripted import (
    Cut,
    Drip,
    Embed,
    Fail,
    Hang,
    Raw,
    ScriptedServer,
    Step,
)

#: What the server does with each request, by the name of the fault.
ANSWERS: Mapping[str, Step] = {
    "500": Fail(500),
    "503": Fail(503),
    "401": Fail(401),
    "429": Fail(429),
    "hangs 30 s": Hang(30),
    "slow drip": Drip(0.05),
    "cut off": Cut(20),
    "wrong dimension": Embed(dim=5),
    "NaN": Embed(values=[math.nan]),
    "zeros": Embed(dim=2, values=[0.0, 0.0]),
    "too many vectors": Embed(count=3),
    "no vector": Embed(count=0),
    "not JSON": Raw(b"<html>a proxy</html>", "text/html"),
}

#: What happens to the connection instead of an answer.
CONNECTIONS = ("refused", "accepts, never answers", "never connects")

FAULTS = (*CONNECTIONS, *ANSWERS)


class Endless(deque[Step]):
    """A script that repeats its one step for ever."""

    def popleft(self) -> Step:
        return self[0]


class Patient:
    """An embedding server at one address, healthy until `fall_ill`, and again after `recover`."""

    def __init__(self) -> None:
        self._server = ScriptedServer()
        self.port = self._server.port
        self._up: ScriptedServer | None = self._server.__enter__()
        self._instead = ExitStack()
        self.asked_before = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._instead.close()
        self._stop()

    @property
    def asked(self) -> int:
        """Requests that reached the server, in health and in illness."""
        return self.asked_before + len(self._server.requests)

    def embedder(self) -> OpenAIEmbedder:
        """A client of that address; cosines of hashed texts mean nothing, so that only equal ones are near."""
        return OpenAIEmbedder(f"http://127.0.0.1:{self.port}/v1", "patient", threshold=0.9)

    def fall_ill(self, fault: str) -> None:
        """From now on each request meets the fault."""
        if fault in ANSWERS:
            self._server.embeddings = Endless([ANSWERS[fault]])
            return
        self._stop()
        if fault == "accepts, never answers":
            self._listen(backlog=64)  # the kernel accepts, nobody reads
        elif fault == "never connects":
            self._listen(backlog=0)
            self._fill()

    def recover(self) -> None:
        """The server answers again, at the same address."""
        self._instead.close()
        self._server.embeddings = deque()
        if self._up is None:
            self.asked_before += len(self._server.requests)
            self._server = ScriptedServer(port=self.port)
            self._up: ScriptedServer | None = self._server.__enter__()

    def _listen(self, *, backlog: int) -> None:
        listener = self._instead.enter_context(socket.socket())
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self.port))
        listener.listen(backlog)

    def _fill(self) -> None:
        """Takes the places of the backlog, so that the next connection waits for an answer that never comes."""
        for _ in range(4):
            caller = self._instead.enter_context(socket.socket())
            caller.setblocking(False)
            with suppress(BlockingIOError):
                caller.connect(("127.0.0.1", self.port))

    def _stop(self) -> None:
        if self._up is not None:
            self._up.__exit__(None, None, None)
            self._up = None
