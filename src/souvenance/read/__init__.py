"""TODO: one-sentence purpose."""
