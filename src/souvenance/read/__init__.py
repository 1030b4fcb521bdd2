"""From a message to the few memories that belong in its context: the read path, in order.

1. `cache` and `corpus` (with `postings`, `matrix`): what one view can be served from, moved forward by what changed.
2. `asking` and `breaker`: the vector of the message, under one deadline, or the reason why there is none.
3. `scores`: meaning and words fused into one relevance.
4. `plan`, `sameness` and `selection`: the slots, each with its reason, and why the others are not there.
5. `context` and `wording`: the text a model reads, fenced as data.

`forgetting` tells, from what turns counted, which memories never come up.

`verbatim/` finds the messages themselves, for what no memory captured: `transcripts` holds what was said in one view,
`reminding` chooses the few messages worth a place, `quotes` writes them, and `said` sees that no turn waits for it.

`recall` joins them and is the only file that waits for the store or the embedder (through `cache`, `asking`, `said`).
"""
