"""A model server on loopback that does as it is told: for testing what depends on a real one, ours or yours.

`server` listens, `steps` are what it can be told to do, `dialects` are the bytes of OpenAI and of Ollama.

    with ScriptedServer([Say("Hello."), Fail(503), Hang(30)]) as server:
        chat = OpenAIChat(server.url, "any")
"""

from souvenance.models.scripted.server import Asked, ScriptedServer, closed_url
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

__all__ = [
    "Asked",
    "Cut",
    "Drip",
    "Embed",
    "Fail",
    "Hang",
    "Raw",
    "Refuse",
    "Say",
    "ScriptedServer",
    "Step",
    "Stream",
    "closed_url",
]
