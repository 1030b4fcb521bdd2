"""The write path, after the reply: reflection → filters → dedup and supersession → one transaction → journal.

Steps in order, one file each:
`reflection` (prompt and parsing, with a chat model) or `extractive` (rules, without one);
`filters/` (keep, or drop with a reason);
`merge` settles each candidate on the `desk`: new, or told again (`similarity`), or in the place of an older
value (`supersede`), found by what `attributes` reads; `nearby` finds the few memories that it has to be compared with.
`remember` reads the path like the diagram, and is the only file that touches the store or a model; `cache` keeps
for it what the store said last.
"""
