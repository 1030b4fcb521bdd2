"""Embedders behind a server: OpenAI-compatible ones, and Ollama.

Each checks what comes back: what a server got wrong must fail here, not in a score. The dimension is only held
within one call, unless it was asked for: whoever compares with stored vectors knows theirs, and a server that gave
a wrong one once must be believed again afterwards.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from souvenance.errors import BadAnswer, ModelUnreachable
from souvenance.models.embed.checks import readable, unit_rows
from souvenance.models.wire import Wire
from souvenance.ports import Vector

if TYPE_CHECKING:
    import httpx

#: Cosine from which two texts count as related. Chosen, not measured: models differ widely, so that
#: `threshold` should be set for yours. Lower costs a slot to an irrelevant memory; higher forgets a fact.
DEFAULT_THRESHOLD = 0.5

#: Texts of one request. Chosen, not measured: most servers take this many short texts at once.
_BATCH = 32


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What a model was trained to find before a text that looks for others, and before one that is looked for."""

    query: str = ""
    passage: str = ""

    @property
    def told(self) -> str:
        """The part of an embedder's name that tells them: only what changes the stored vectors."""
        return f" {self.passage!r}" if self.passage else ""


NO_PREFIXES = Prefixes()


class _Remote:
    """What both have in common: batches, one deadline for all of them, and checks."""

    _path: str

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key: str | None,
        threshold: float | None,
        prefixes: Prefixes,
        transport: httpx.AsyncBaseTransport | None,
    ) -> None:
        self._wire = Wire(base_url, api_key=api_key, transport=transport)
        self._model = model
        self._threshold = DEFAULT_THRESHOLD if threshold is None else threshold
        self._prefixes = prefixes
        self._dim: int | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._wire.base_url}, {self._model})"

    @property
    def threshold(self) -> float:
        """The cosine from which two texts count as related."""
        return self._threshold

    async def embed(
        self, texts: Sequence[str], *, timeout_s: float, query_in: str | None = None
    ) -> Vector:
        """Shape (len(texts), dim), rows of unit length, in order; each text counts up to 2,000 characters.

        Errors: `ModelUnreachable`, `ModelRefused`; `BadAnswer` for a wrong count, dimension or value.
        """
        prefix = self._prefixes.passage if query_in is None else self._prefixes.query
        ready = [prefix + readable(t) for t in texts]
        batches = [ready[i : i + _BATCH] for i in range(0, len(ready), _BATCH)]
        try:
            async with asyncio.timeout(timeout_s):
                rows: list[Vector] = []
                for batch in batches:
                    dim = int(rows[0].shape[1]) if rows else self._dim
                    rows.append(await self._batch(batch, dim, timeout_s))
        except TimeoutError:
            raise ModelUnreachable(
                f"the embedder at {self._wire.base_url} did not answer in time; raise the deadline"
            ) from None
        return np.concatenate(rows) if rows else np.empty((0, self._dim or 0), np.float32)

    async def _batch(self, texts: list[str], dim: int | None, timeout_s: float) -> Vector:
        body = self._body(texts)
        tree = await self._wire.fetch_json("POST", self._path, body, timeout_s)
        rows = self._rows(tree) if isinstance(tree, dict) else None
        if rows is None:
            raise BadAnswer(
                f"the server at {self._wire.base_url} answered no vectors; check that the model embeds",
                raw="",
            )
        return unit_rows(rows, count=len(texts), dim=dim, server=self._wire.base_url)

    def _body(self, texts: list[str]) -> Mapping[str, Any]:
        raise NotImplementedError

    def _rows(self, tree: Mapping[str, Any]) -> list[Any] | None:
        raise NotImplementedError

    async def close(self) -> None:
        """Closes the connections."""
        await self._wire.close()


class OpenAIEmbedder(_Remote):
    """The `Embedder` of one model of an OpenAI-compatible server, such as `http://127.0.0.1:8080/v1`."""

    _path = "/embeddings"

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key: str | None = None,
        dimensions: int | None = None,
        threshold: float | None = None,
        prefixes: Prefixes = NO_PREFIXES,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        root = base_url.strip().rstrip("/").removesuffix("/embeddings")
        super().__init__(
            root,
            model,
            api_key=api_key,
            threshold=threshold,
            prefixes=prefixes,
            transport=transport,
        )
        self._dimensions = dimensions
        self._dim = dimensions

    @property
    def name(self) -> str:
        """Model, dimension asked for and prefix of what is stored: vectors of different names are never compared."""
        size = "" if self._dimensions is None else f":{self._dimensions}"
        return f"openai:{self._model}{size}{self._prefixes.told}"

    def _body(self, texts: list[str]) -> Mapping[str, Any]:
        size = {} if self._dimensions is None else {"dimensions": self._dimensions}
        return {"model": self._model, "input": texts, "encoding_format": "float", **size}

    def _rows(self, tree: Mapping[str, Any]) -> list[Any] | None:
        """The vectors in the order of their `index`; servers may send them in another."""
        data = tree.get("data")
        if not isinstance(data, list) or not all(isinstance(d, dict) for d in data):
            return None
        places = [d.get("index") for d in data]
        if sorted(p for p in places if isinstance(p, int)) == list(range(len(data))):
            data = sorted(data, key=lambda d: int(d["index"]))
        elif any(p is not None for p in places):
            return None  # an order that cannot be trusted
        return [d.get("embedding") for d in data]


class OllamaEmbedder(_Remote):
    """The `Embedder` of one model of an Ollama server, such as `http://127.0.0.1:11434`."""

    _path = "/api/embed"

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key: str | None = None,
        threshold: float | None = None,
        prefixes: Prefixes = NO_PREFIXES,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        root = base_url.strip().rstrip("/").removesuffix("/v1").removesuffix("/api")
        super().__init__(
            root,
            model,
            api_key=api_key,
            threshold=threshold,
            prefixes=prefixes,
            transport=transport,
        )

    @property
    def name(self) -> str:
        """The model, tag included, and the prefix of what is stored: vectors of different names are never compared."""
        return f"ollama:{self._model}{self._prefixes.told}"

    def _body(self, texts: list[str]) -> Mapping[str, Any]:
        return {"model": self._model, "input": texts, "truncate": True}

    def _rows(self, tree: Mapping[str, Any]) -> list[Any] | None:
        rows = tree.get("embeddings")
        return rows if isinstance(rows, list) else None
