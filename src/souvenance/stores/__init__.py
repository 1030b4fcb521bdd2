"""Where everything is kept: one SQLite file, or memory, behind the same `Store` protocol.

What the stores must agree on lives beside them: `accepted` (what they refuse) and `lineage` (forks).
"""
