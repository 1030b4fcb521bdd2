"""Chat models and embedders behind small ports, each reached with the standard means of its server.

`chat` speaks to any OpenAI-compatible server and `ollama` to Ollama's own routes; both stand on `wire`
(HTTP and its failures), `sse` (events), `thoughts` (`<think>` blocks) and `structured` (answers under a schema).
`embed` turns texts into vectors, `discover` looks for a local Ollama.
`fakes` and `scripted` are for tests, ours and those of users.
Nothing here is imported before it is needed: HTTP and numeric libraries are slow to load.
"""
