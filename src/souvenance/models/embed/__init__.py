"""Embedders: the bundled one (offline, French and English), and those behind a server.

`bundled` computes in one thread of its own; `remote` asks an OpenAI-compatible server or Ollama; `checks`
refuses vectors that would spoil every score after them.
"""

from souvenance.models.embed.bundled import BundledEmbedder
from souvenance.models.embed.remote import OllamaEmbedder, OpenAIEmbedder, Prefixes

__all__ = ["BundledEmbedder", "OllamaEmbedder", "OpenAIEmbedder", "Prefixes"]
