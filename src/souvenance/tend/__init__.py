"""What happens while nobody waits: reflections that are due, and vectors that are missing.

`index` decides what to embed; `worker` runs the loops and is the only file that touches the store or a model.
"""
