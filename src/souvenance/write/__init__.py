"""The write path, after the reply: reflection → filters → dedup and supersession → one transaction → journal.

Steps in order:
`reflection` (prompt and parsing, with a chat model) or `extractive` (by rules, which stand in `told/`);
`filters/` (keep, or drop with a reason);
`merge` settles each candidate on the `desk`: new, or told again (`alike/`), or in the place of an older value (`over/`).
Read by all of them: `words/` (sentences, figures, phrases), `attributes/` (who, what, which value), `dates/` (when).
Beside them: `traces` (what a reflection leaves), `rehearsal` (decide again), `revision` (another reflection's diff).
`remember` reads the path like the diagram, and is the only file that touches the store or a model; `cache` keeps
for it what the store said last.
"""
