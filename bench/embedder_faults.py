"""Everything that can be wrong with an embedder behind a server, on real sockets of this machine.

One address that answers, fails in a named way, and answers again: for the bench of a turn's overhead and for tests.
Run as a program it is that server in a process of its own, told by lines what to do (see `elsewhere`).
"""

from __future__ import annotations

import math
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
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


def client(port: int) -> OpenAIEmbedder:
    """A client of that port; cosines of hashed texts mean nothing, so that only equal ones are near."""
    return OpenAIEmbedder(f"http://127.0.0.1:{port}/v1", "patient", threshold=0.9)


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
        """A client of that address."""
        return client(self.port)

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


class Elsewhere:
    """A `Patient` in another process, so that its threads do not slow down who is measured."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.port = int(self._answer())

    def embedder(self) -> OpenAIEmbedder:
        """A client of its address."""
        return client(self.port)

    def fall_ill(self, fault: str) -> None:
        """As `Patient.fall_ill`; done when this returns."""
        self._say(fault)

    def recover(self) -> None:
        """As `Patient.recover`; done when this returns."""
        self._say("")

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        self._answer()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


@contextmanager
def elsewhere() -> Iterator[Elsewhere]:
    """A patient in a process of its own."""
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, __file__], stdin=pipe, stdout=pipe, text=True)
    assert process.stdin is not None and process.stdout is not None
    try:
        yield Elsewhere(process)
    finally:
        process.stdin.close()
        process.wait(30)
        process.stdout.close()


def serve() -> None:
    """Says the port, then for each line falls ill of the fault it names, or recovers when it is empty."""
    with Patient() as patient:
        print(patient.port, flush=True)
        for line in sys.stdin:
            fault = line.rstrip("\n")
            if fault:
                patient.fall_ill(fault)
            else:
                patient.recover()
            print("done", flush=True)


if __name__ == "__main__":
    serve()
