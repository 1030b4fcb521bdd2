"""Embedders: those that compute in this process, offline, and those behind a server.

`local` is what the first have in common: a thread each, small slices, queries first. `bundled` is always there and
reads French and English; `e5` and `minilm` are used where their packages are installed (`installed`), and `blend`
makes one of several, which `choice` chooses. `remote` asks an OpenAI-compatible server or Ollama; `checks` refuses
vectors that would spoil every score after them.
"""

from souvenance.models.embed.blend import BlendedEmbedder
from souvenance.models.embed.bundled import BundledEmbedder
from souvenance.models.embed.e5 import E5Embedder
from souvenance.models.embed.minilm import MiniLMEmbedder
from souvenance.models.embed.remote import OllamaEmbedder, OpenAIEmbedder, Prefixes

__all__ = [
    "BlendedEmbedder",
    "BundledEmbedder",
    "E5Embedder",
    "MiniLMEmbedder",
    "OllamaEmbedder",
    "OpenAIEmbedder",
    "Prefixes",
]
