"""What every test runs under: no connection further than loopback, and none of this machine's settings."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

# One BLAS thread, before numpy loads: more only wait for each other on a small machine.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _is_near(family: int, address: object) -> bool:
    if family not in (socket.AF_INET, socket.AF_INET6):
        return True
    host = str(address[0]) if isinstance(address, tuple) else str(address)
    try:
        return ipaddress.ip_address(host.split("%")[0]).is_loopback
    except ValueError:
        return host == "localhost"


@pytest.fixture(autouse=True)
def _only_loopback(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Refuses every connection that leaves this machine, and fails the test that tried."""
    tried: list[object] = []

    def guarded(name: str) -> Any:
        original = getattr(socket.socket, name)

        def call(self: socket.socket, address: object) -> Any:
            if not _is_near(self.family, address):
                tried.append(address)
                raise ConnectionRefusedError(f"tests stay on loopback, not {address}")
            return original(self, address)

        return call

    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, guarded(name))
    yield
    assert not tried, f"a test tried to reach {tried}"


@pytest.fixture(autouse=True)
def _nobodys_settings(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Neither the environment nor the home of whoever runs the tests may change what they see."""
    for name in [n for n in os.environ if n.startswith("SOUVENANCE_") and n != "SOUVENANCE_TRIALS"]:
        monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("SOUVENANCE_CHAT_DISCOVER", "false")


@pytest.fixture
def bytes_under() -> Any:
    """Every byte of every file below a folder."""

    def read(folder: Path) -> bytes:
        return b"".join(p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file())

    return read
